// What is known of one station, for operators who wonder why it is where it is: its record as lookups see it, its
// life-cycle, the sources that list it, and where it was heard on each day, from the reports of the log.

import { wrapDegrees } from '../geo/angle.ts';
import { distanceMetres } from '../geo/distance.ts';
import { isCell, KIND_BEACON, KIND_BLUETOOTH, radioOfKind } from '../radio/kind.ts';
import { CODE_ABSENT, SIGNAL_ABSENT } from '../radio/query/layout.ts';
import { StationSet } from '../radio/query/station_set.ts';
import { StoredObservations } from '../radio/query/stored.ts';
import type { LoggedReport } from '../tables/observations/log_row.ts';
import { holdersOf } from '../tables/sources/listed_stations.ts';
import { readSources } from '../tables/sources/sources.ts';
import type { Generation } from '../tables/stations/generation.ts';
import { KnowledgeTables } from '../tables/stations/knowledge.ts';
import { type Candidate, LEARNED_BLOCKED, LEARNED_NEW } from '../tables/stations/learned_record.ts';
import { decodeStation, STATE_ACTIVE, stationView } from '../tables/stations/station.ts';
import { middleOf } from './middle.ts';

const DAY_MS = 86_400_000;

/** What the tables hold of a station. Days are `YYYY-MM-DD`, UTC. */
export interface KnownStation {
  /** `wifi`, `bluetooth`, `beacon`, or the radio type of a cell. */
  kind: string;
  /** `new`, `known` or `blocked` as learned; `imported` where nothing was learned of it. */
  state: 'new' | 'known' | 'blocked' | 'imported';
  /** Lookups use it. */
  isUsed: boolean;
  /** How often it was blocked because it had moved. */
  blocks: number;
  /** As published; undefined where lookups have no record of it. */
  record: StationRecord | undefined;
  /** Names of the sources that list it, in the order of their import. */
  sources: string[];
  /** Where it was heard, the place where it is taken to be first. */
  places: StationPlace[];
}

/** The record of a station, as published. */
interface StationRecord {
  latitude: number;
  longitude: number;
  r50Metres: number;
  r95Metres: number;
  samples: number;
  firstSeen?: string;
  lastSeen?: string;
  /** Level at one metre in dBm, and path-loss exponent, where they are fitted. */
  referenceDbm?: number;
  exponent?: number;
  /** Scrambling code or physical cell id of a cell. */
  code?: number;
}

/** A candidate location of a station. */
interface StationPlace {
  latitude: number;
  longitude: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
}

/** What is known of the station of a key; undefined for nothing. @throws Error when a table is damaged */
export function knownStation(folder: string, generation: Generation, key: Buffer): KnownStation | undefined {
  const knowledge = new KnowledgeTables(generation);
  const learned = knowledge.learned(key);
  const bytes = generation.stations.getBinary(key);
  const sources = holdersOf(folder, readSources(generation), new StationSet([key]));
  if (learned === undefined && bytes === undefined && sources.length === 0) return undefined;
  const station = bytes && decodeStation(stationView(bytes), 0);
  const main = learned?.candidates[learned.main];
  const others = learned?.candidates.filter(candidate => candidate !== main) ?? [];
  return {
    kind: nameOfKind(key[0]),
    state:
      learned === undefined
        ? 'imported'
        : learned.state === LEARNED_NEW
          ? 'new'
          : learned.state === LEARNED_BLOCKED
            ? 'blocked'
            : 'known',
    isUsed: station?.state === STATE_ACTIVE,
    blocks: learned?.blocks ?? 0,
    record: station && {
      latitude: station.latitude,
      longitude: station.longitude,
      r50Metres: station.r50Metres,
      r95Metres: station.r95Metres,
      samples: station.samples,
      ...(station.firstSeenDay > 0 && { firstSeen: dayOf(station.firstSeenDay * DAY_MS) }),
      ...(station.lastSeenDay > 0 && { lastSeen: dayOf(station.lastSeenDay * DAY_MS) }),
      ...(station.referenceDbm !== 0 && { referenceDbm: station.referenceDbm, exponent: station.exponent }),
      ...(isCell(key[0]) && station.code !== CODE_ABSENT && { code: station.code }),
    },
    sources,
    places: [...(main === undefined ? [] : [main]), ...others].map(placeOf),
  };
}

function nameOfKind(kind: number): string {
  return radioOfKind(kind) ?? (kind === KIND_BEACON ? 'beacon' : kind === KIND_BLUETOOTH ? 'bluetooth' : 'wifi');
}

function placeOf({ points, reports, firstSeconds, lastSeconds }: Candidate): StationPlace {
  const { latitudeE7, longitudeE7 } = middleOf(points, undefined);
  return {
    latitude: latitudeE7 / 1e7,
    longitude: longitudeE7 / 1e7,
    reports,
    firstSeen: dayOf(firstSeconds * 1_000),
    lastSeen: dayOf(lastSeconds * 1_000),
  };
}

/** A day on which a station was heard. */
export interface DayOfStation {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  reports: number;
  /** Accounts that sent them; files that the operator imported count as one. */
  contributors: number;
  /** Mean of the positions, degrees. */
  latitude: number;
  longitude: number;
  /** Metres from there to the furthest position. */
  spreadMetres: number;
  /** The strongest level, dBm; undefined where none was sent. */
  strongestDbm: number | undefined;
}

interface Heard {
  latitude: number;
  longitude: number;
  contributor: number;
  dbm: number;
}

/** Finds a station in reports, and tells where it was on each day. */
export class DaysOfStation {
  private readonly station: StationSet;
  private readonly heard = new Map<string, Heard[]>();

  /** @param key of the station */
  constructor(key: Buffer) {
    this.station = new StationSet([key]);
  }

  /** Takes a report of the log. */
  add({ report }: LoggedReport): void {
    const { latitude, longitude, contributor, timeMs } = report;
    const observations = new StoredObservations(report.observations);
    for (let i = 0; i < observations.count; i++) {
      if (!this.station.hasObserved(observations, i)) continue;
      const day = dayOf(timeMs);
      const of = this.heard.get(day) ?? [];
      this.heard.set(day, of);
      of.push({ latitude, longitude, contributor, dbm: observations.signalDbm(i) });
      return;
    }
  }

  /** The days so far, in order. */
  get days(): DayOfStation[] {
    return [...this.heard].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, heard]) => summaryOf(day, heard));
  }
}

function summaryOf(day: string, heard: readonly Heard[]): DayOfStation {
  const [first] = heard;
  const mean = (of: (each: Heard) => number) => heard.reduce((sum, each) => sum + of(each), 0) / heard.length;
  const latitude = mean(each => each.latitude);
  // From the first position on, so that the date line does not matter.
  const longitude = wrapDegrees(first.longitude + mean(each => wrapDegrees(each.longitude - first.longitude)));
  const levels = heard.map(({ dbm }) => dbm).filter(dbm => dbm !== SIGNAL_ABSENT);
  return {
    day,
    reports: heard.length,
    contributors: new Set(heard.map(({ contributor }) => contributor)).size,
    latitude: Number(latitude.toFixed(7)),
    longitude: Number(longitude.toFixed(7)),
    spreadMetres: Math.round(
      heard.reduce(
        (most, each) => Math.max(most, distanceMetres(latitude, longitude, each.latitude, each.longitude)),
        0,
      ),
    ),
    strongestDbm: levels.length === 0 ? undefined : levels.reduce((most, dbm) => Math.max(most, dbm)),
  };
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}
