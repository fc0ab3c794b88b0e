// Drawn worlds that are learned: positions from a map of letters, reports of what is heard there, and what a log of them leads to. Only memory is used, but every
// record is encoded after each batch and decoded before the next.

import { distanceMetres } from '../../../src/geo/distance.ts';
import { Aggregation, type Known } from '../../../src/learning/aggregate.ts';
import { rebase } from '../../../src/learning/life_cycle.ts';
import { publishStation } from '../../../src/learning/publish.ts';
import { isCell, KIND_LTE, KIND_WIFI } from '../../../src/radio/kind.ts';
import {
  AGE_ABSENT,
  CODE_ABSENT,
  OBSERVATION_AGE,
  OBSERVATION_BYTES,
  OBSERVATION_FREQUENCY,
  OBSERVATION_SIGNAL,
  SIGNAL_ABSENT,
} from '../../../src/radio/query/layout.ts';
import { keyBytesOfKind, writeCellKey, writeMacKey } from '../../../src/radio/station_key.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import type { TrackPosition } from '../../../src/tables/stations/knowledge.ts';
import type { Learned } from '../../../src/tables/stations/learned.ts';
import { decodeLearned, encodeLearned } from '../../../src/tables/stations/learned_record.ts';
import { STATION_BYTES, STATION_FLAGS } from '../../../src/tables/stations/record_layout.ts';
import { decodeStation, encodeStation, isLearned, STATE_ACTIVE, type Station } from '../../../src/tables/stations/station.ts';

const METRES_PER_DEGREE = 111_195;
export const DAY = 86_400;
/** Seconds since 1970 when worlds begin: 2025-06-01. */
export const START = Date.parse('2025-06-01T00:00:00Z') / 1000;

export interface At {
  latitude: number;
  longitude: number;
}

/** A position some metres north and east of another. */
export function off(from: At, northMetres: number, eastMetres: number): At {
  const longitude = from.longitude + eastMetres / (METRES_PER_DEGREE * Math.cos((from.latitude * Math.PI) / 180));
  return { latitude: from.latitude + northMetres / METRES_PER_DEGREE, longitude: longitude > 180 ? longitude - 360 : longitude };
}

export const HOME: At = { latitude: 50.85, longitude: 4.35 };

/** Positions of the letters of a map, north up; the top left corner lies at HOME. A letter stands once. */
export function drawn(map: string, metresPerCharacter: number): { [letter: string]: At } {
  const positions: { [letter: string]: At } = {};
  for (const [row, line] of map.trim().split('\n').entries()) {
    for (const [column, letter] of [...line.trim()].entries()) {
      if (letter !== '.') positions[letter] = off(HOME, -row * metresPerCharacter, column * metresPerCharacter);
    }
  }
  return positions;
}

/** Key of an access point, as observations hold it. */
export function accessPoint(mac: number): Buffer {
  const key = Buffer.alloc(keyBytesOfKind(KIND_WIFI));
  writeMacKey(key, 0, KIND_WIFI, mac);
  return key;
}

/** Key of a cell. */
export function cell(id: number, kind = KIND_LTE): Buffer {
  const key = Buffer.alloc(keyBytesOfKind(kind));
  writeCellKey(key, 0, kind, 206, 1, 251 + (id % 3), id);
  return key;
}

/** A station heard, and how. */
export interface Heard {
  key: Uint8Array;
  dbm?: number | undefined;
  code?: number;
  ageMs?: number | undefined;
}

/** Who reports: an account, or TRUSTED. */
export type Who = number;
export const TRUSTED: Who = 0;

/** A report of what `who` hears somewhere, `seconds` after START. */
export function report(who: Who, at: At, seconds: number, heard: readonly Heard[], changes: Partial<Report> = {}): Report {
  const observations = Buffer.alloc(heard.length * OBSERVATION_BYTES);
  for (const [i, { key, dbm = SIGNAL_ABSENT, code, ageMs = AGE_ABSENT }] of heard.entries()) {
    const start = i * OBSERVATION_BYTES;
    observations.set(key, start);
    observations.writeInt16LE(dbm, start + OBSERVATION_SIGNAL);
    observations.writeUInt16LE(code ?? (isCell(key[0]) ? CODE_ABSENT : 0), start + OBSERVATION_FREQUENCY);
    observations.writeUInt32LE(ageMs, start + OBSERVATION_AGE);
  }
  return {
    timeMs: (START + seconds) * 1000,
    isTimed: true,
    ...at,
    accuracyMetres: 10,
    positionAgeMs: Number.NaN,
    altitude: Number.NaN,
    heading: Number.NaN,
    speed: Number.NaN,
    contributor: who,
    isTrusted: who === TRUSTED,
    track: 0,
    observations,
    ...changes,
  };
}

/** A station record, decoded. */
export function station(record: Uint8Array): Station {
  return decodeStation(new DataView(record.buffer, record.byteOffset, record.byteLength), 0);
}

/** What a log leads to, as the tables keep it. */
export class LearnedWorld implements Known {
  readonly learnedBytes = new Map<string, Buffer>();
  readonly stations = new Map<string, Uint8Array>();
  readonly tracks = new Map<number, TrackPosition>();
  /** How often each action was taken. */
  readonly actions: { [action: string]: number } = {};
  jumps = 0;
  private sequence = 0;

  learned(key: Uint8Array): Learned | undefined {
    const bytes = this.learnedBytes.get(nameOf(key));
    return bytes && decodeLearned(bytes);
  }

  importedRecord(key: Uint8Array): Uint8Array | undefined {
    const record = this.stations.get(nameOf(key));
    return record === undefined || isLearned(record[STATION_FLAGS]) ? undefined : record;
  }

  track(pseudonym: number): TrackPosition | undefined {
    return this.tracks.get(pseudonym);
  }

  /** Folds reports as one batch. */
  fold(reports: readonly Report[]): void {
    const aggregation = new Aggregation(this);
    for (const each of reports) aggregation.add(++this.sequence, each);
    const { learned, tracks } = aggregation.changes();
    for (const { key, learned: value, record } of learned) this.put(key, value, record);
    for (const [pseudonym, position] of tracks) this.tracks.set(pseudonym, position);
    for (const [action, count] of Object.entries(aggregation.counts.actions)) this.actions[action] = (this.actions[action] ?? 0) + count;
    this.jumps += aggregation.counts.jumps;
  }

  /** Imports a station over what is known. */
  import(key: Uint8Array, imported: Station): void {
    const record = new Uint8Array(STATION_BYTES);
    encodeStation(new DataView(record.buffer), 0, imported);
    this.stations.set(nameOf(key), record);
    const learned = this.learned(key);
    if (learned === undefined) return;
    rebase(learned, key[0], record);
    this.put(key, learned, publishStation(learned, key[0]));
  }

  /** The station as lookups see it; undefined when it does not count. */
  active(key: Uint8Array): Station | undefined {
    const record = this.stations.get(nameOf(key));
    const found = record && station(record);
    return found?.state === STATE_ACTIVE ? found : undefined;
  }

  /** All records in key order, as text that can be compared. */
  dump(): string {
    const lines = [...this.learnedBytes].map(([name, bytes]) => `learned ${name} ${bytes.toString('hex')}`);
    for (const [name, record] of this.stations) lines.push(`station ${name} ${Buffer.from(record).toString('hex')}`);
    for (const [pseudonym, position] of this.tracks) lines.push(`track ${pseudonym} ${JSON.stringify(position)}`);
    return lines.sort().join('\n');
  }

  private put(key: Uint8Array, learned: Learned, record: Uint8Array | undefined): void {
    const name = nameOf(key);
    this.learnedBytes.set(name, encodeLearned(learned));
    if (record === undefined) this.stations.delete(name);
    else this.stations.set(name, record);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex');
}

/** Metres from a station, or any position, to another. */
export function metresTo(a: At, b: At): number {
  return distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude);
}
