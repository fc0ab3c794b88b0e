// Knowledge from observations, stored with the stations of a generation and written in the same transactions: what is
// learned about each station, the last position of each device, and the last report that took effect. So each report
// takes effect wholly and once, even if the process is killed.

import { isCell } from '../../radio/kind.ts';
import type { TimedPosition } from '../../radio/query/reader.ts';
import { KEY_BYTES_CELL_ID } from '../../radio/station_key.ts';
import { type CalibrationChanges, CalibrationTables } from '../calibration/calibration_tables.ts';
import type { StationBefore } from '../calibration/tracks.ts';
import { f32, f64, Row } from '../environment/row.ts';
import { bumpDirtyMark, NETWORK_BYTES } from './areas.ts';
import { listByCode } from './codes.ts';
import { buildTime, type Generation } from './generation.ts';
import { decodeLearned, encodeLearned, type Learned } from './learned_record.ts';
import { STATION_BYTES } from './record_layout.ts';
import { isLearnedAt, stationView } from './station.ts';

/** A station record that is to be put, or removed where it is undefined. `key` is cut to its length. */
export interface StationChange {
  key: Uint8Array;
  record: Uint8Array | undefined;
}

/** A network whose areas are older than its cells. */
export interface StaleNetwork {
  /** First bytes of the keys of its cells. */
  network: Buffer;
  /** Changes with each change of its cells. */
  mark: Buffer;
}

/** What a batch of reports changes. Keys are station keys cut to their length. */
export interface KnowledgeChanges {
  /** Without `learned`, nothing is known of the station any more. */
  learned: readonly { key: Buffer; learned: Learned | undefined; record: Uint8Array | undefined }[];
  /** By pseudonym. */
  tracks: ReadonlyMap<number, TrackPosition>;
  /** Absent where nothing was tested. */
  calibration?: CalibrationChanges | undefined;
  /** Number of the last report that took effect. */
  progress: number;
}

/** Which tables of a cluster a generation is. */
export interface ClusterMark {
  /** Name of the cluster. */
  cluster: string;
  /** Name of the whole tables that it began with. */
  base: string;
  /** Number of the last delta that was written to them. */
  applied: number;
  /** Epoch of the log that they were learned from: another one has other numbers of reports. */
  epoch: number;
  /** It holds more than that: what this node has learned as the learner. */
  isAhead: boolean;
}

const PROGRESS_KEY = 'progress';
const LOG_KEY = 'log';
const REBASED_KEY = 'rebased';
const CLUSTER_KEY = 'cluster';
/** A device's last report tells nothing after this many reports of others. */
export const TRACK_REPORTS = 1_000_000;
/** Number of reports after which the tracks are searched for such devices. */
const TRACK_SWEEP = 100_000;
/** Records copied in one transaction. */
const COPY_RECORDS = 50_000;

/** Reads and writes the knowledge of one generation. */
export class KnowledgeTables {
  readonly generation: Generation;
  private readonly trackKey = Buffer.alloc(8);

  constructor(generation: Generation) {
    this.generation = generation;
  }

  /** Number of the last report that took effect, 0 = none. */
  get progress(): number {
    return (this.generation.meta.get(PROGRESS_KEY) as number | undefined) ?? 0;
  }

  /** How often the log that all this was learned from had been rewritten. */
  get log(): number {
    return (this.generation.meta.get(LOG_KEY) as number | undefined) ?? 0;
  }

  /** Says so, in the open transaction. */
  setLog(rewrites: number): void {
    this.generation.meta.putSync(LOG_KEY, rewrites);
  }

  /** Which tables of a cluster these are; undefined where they are of none. */
  get clusterMark(): ClusterMark | undefined {
    return this.generation.meta.get(CLUSTER_KEY) as ClusterMark | undefined;
  }

  /** Says so, in the open transaction. */
  setClusterMark(mark: ClusterMark | undefined): void {
    if (mark === undefined) this.generation.meta.removeSync(CLUSTER_KEY);
    else this.generation.meta.putSync(CLUSTER_KEY, mark);
  }

  /** What is learned of a station. @throws Error when the record is damaged */
  learned(key: Buffer): Learned | undefined {
    const { learned } = this.generation;
    const bytes = learned.getBinaryFast(key);
    // The buffer is LMDB's and longer than the record.
    return bytes === undefined
      ? undefined
      : decodeLearned(bytes.subarray(0, (learned as unknown as { lastSize: number }).lastSize));
  }

  /** The imported record of a station; undefined when there is none, or when the record follows from observations. */
  importedRecord(key: Buffer): Uint8Array | undefined {
    const record = this.generation.stations.getBinary(key);
    if (record === undefined) return undefined;
    return isLearnedAt(stationView(record)) ? undefined : Uint8Array.from(record);
  }

  /**
   * Keys of learned and imported cells with the id of a cell's key, whatever their area codes, at most `limit` of each.
   */
  areasOfCell(key: Buffer, limit: number): Buffer[] {
    const start = Buffer.from(key).fill(0, KEY_BYTES_CELL_ID);
    const end = Buffer.concat([Buffer.from(key).fill(0xff, KEY_BYTES_CELL_ID), Buffer.of(0)]);
    const { learned, stations } = this.generation;
    return [learned, stations].flatMap(table =>
      [...table.getKeys({ start, end, limit })].map(each => Buffer.from(each)),
    );
  }

  /** Where a device was last. @throws Error when the row is damaged */
  track(pseudonym: number): TrackPosition | undefined {
    const bytes = this.generation.tracks.getBinary(this.keyOfTrack(pseudonym));
    return bytes && decodeTrack(bytes);
  }

  /** A station as lookups would see it, with its learned record if it is a cell. */
  stationNow(key: Buffer): StationBefore {
    const { stations, learned } = this.generation;
    const record = stations.getBinary(key);
    return {
      record,
      learned:
        record !== undefined && isCell(key[0]) && isLearnedAt(stationView(record)) ? learned.getBinary(key) : undefined,
    };
  }

  /** What the service measured of itself. */
  get calibration(): CalibrationTables {
    return new CalibrationTables(this.generation.calibration);
  }

  /** Writes the changes of a batch, in the open transaction. @returns the station records that differ from before */
  write({ learned, tracks, calibration, progress }: KnowledgeChanges): StationChange[] {
    const changed: StationChange[] = [];
    /** Cells that changed, by network (latin1). */
    const cells = new Map<string, number>();
    const { stations, learned: table, codes, tracks: trackTable, meta } = this.generation;
    for (const { key, learned: value, record } of learned) {
      if (value === undefined) table.removeSync(key);
      else table.putSync(key, encodeLearned(value));
      const before = this.recordNow(key);
      if (record === undefined ? before === undefined : before?.equals(record)) continue;
      if (isCell(key[0])) {
        listByCode(codes, key, before, record);
        const network = key.toString('latin1', 0, NETWORK_BYTES);
        cells.set(network, 1 + (cells.get(network) ?? 0));
      }
      if (record === undefined) stations.removeSync(key);
      else stations.putSync(key, Buffer.from(record.buffer, record.byteOffset, STATION_BYTES));
      changed.push({ key, record });
    }
    for (const [network, count] of cells) this.markStaleTimes(Buffer.from(network, 'latin1'), count);
    for (const [pseudonym, position] of tracks) {
      trackTable.putSync(this.keyOfTrack(pseudonym), encodeTrack(position));
    }
    if (calibration !== undefined) this.calibration.write(calibration);
    meta.putSync(PROGRESS_KEY, progress);
    return changed;
  }

  /**
   * Forgets stations, in the open transaction, where the log that taught them is not whole any more. What other
   * stations have learned in their company stays. Devices and tracks that are followed begin anew, since their rows
   * name reports by their numbers.
   * @param log and `progress`: the log as it is rewritten, and its last report that took effect
   * @returns the station records that differ from before
   */
  forget(stations: readonly Buffer[], log: number, progress: number): StationChange[] {
    const learned = stations.map(key => ({ key, learned: undefined, record: undefined }));
    this.generation.tracks.clearSync();
    this.calibration.forgetTracks();
    this.setLog(log);
    return this.write({ learned, tracks: new Map(), progress });
  }

  /** The record of a station in the open transaction, valid until the next read. */
  private recordNow(key: Buffer): Buffer | undefined {
    const { stations } = this.generation;
    const bytes = stations.getBinaryFast(key);
    return bytes?.subarray(0, (stations as unknown as { lastSize: number }).lastSize);
  }

  /**
   * Marks the areas of a cell's network as older than the cell, in the open transaction; other stations have no areas.
   * Each mark differs from the one before, so a refresh under way notices it.
   */
  markStale(key: Uint8Array): void {
    if (isCell(key[0])) this.markStaleTimes(Buffer.from(key.subarray(0, NETWORK_BYTES)), 1);
  }

  private markStaleTimes(network: Buffer, times: number): void {
    const { stale } = this.generation;
    stale.putSync(network, bumpDirtyMark(stale.getBinary(network), times));
  }

  /** Forgets devices that have not reported for long, once every so many reports; in the open transaction. */
  sweepTracks(from: number, to: number): void {
    const turn = Math.floor(to / TRACK_SWEEP);
    if (turn === Math.floor(from / TRACK_SWEEP)) return;
    const { tracks } = this.generation;
    const forgotten: Buffer[] = [];
    for (const { key, value } of tracks.getRange()) {
      // From the turn, not from the end of this batch: so it does not matter where batches end.
      if (decodeTrack(value).sequence < turn * TRACK_SWEEP - TRACK_REPORTS) forgotten.push(Buffer.from(key));
    }
    for (const key of forgotten) tracks.removeSync(key);
    this.calibration.sweepTracks(turn * TRACK_SWEEP);
  }

  /** True when stations were imported since the learned ones were last joined with them. */
  get isRebaseDue(): boolean {
    return this.generation.meta.get(REBASED_KEY) !== buildTime(this.generation);
  }

  /** Marks the present imported stations as joined, in the open transaction. */
  setRebased(): void {
    this.generation.meta.putSync(REBASED_KEY, buildTime(this.generation));
  }

  /** Up to `limit` learned stations after a key, in key order. */
  learnedAfter(key: Buffer | undefined, limit: number): { key: Buffer; learned: Learned }[] {
    const range = key === undefined ? { limit } : { start: key, limit, exclusiveStart: true };
    return [...this.generation.learned.getRange(range)].map(entry => ({
      key: Buffer.from(entry.key),
      learned: decodeLearned(entry.value),
    }));
  }

  /**
   * Learned stations over which an imported record stands, in key order.
   * @param after looked at are the learned stations after this key
   * @param limits most stations to look at, and most to return
   * @returns them, and the last key that was looked at; undefined at the end
   */
  unjoinedAfter(
    after: Buffer | undefined,
    limits: { keys: number; stations: number },
  ): { unjoined: { key: Buffer; learned: Learned; imported: Uint8Array }[]; last: Buffer | undefined } {
    const unjoined: { key: Buffer; learned: Learned; imported: Uint8Array }[] = [];
    const range =
      after === undefined ? { limit: limits.keys } : { start: after, limit: limits.keys, exclusiveStart: true };
    let looked = 0;
    let last: Buffer | undefined;
    for (const each of this.generation.learned.getKeys(range)) {
      const key = Buffer.from(each);
      const imported = this.importedRecord(key);
      if (imported !== undefined) unjoined.push({ key, learned: this.learned(key)!, imported });
      looked++;
      last = key;
      if (unjoined.length === limits.stations) return { unjoined, last };
    }
    return { unjoined, last: looked === limits.keys ? last : undefined };
  }

  /** A network whose areas are older than its cells; undefined when there is none. */
  staleNetwork(): StaleNetwork | undefined {
    for (const { key, value } of this.generation.stale.getRange({ limit: 1 }))
      return { network: Buffer.from(key), mark: Buffer.from(value) };
    return undefined;
  }

  private keyOfTrack(pseudonym: number): Buffer {
    this.trackKey.writeBigUInt64BE(BigInt(pseudonym));
    return this.trackKey;
  }
}

/**
 * Copies all knowledge into a new generation, to the end of each table where that is empty. It is joined with the
 * imported stations once that generation is live.
 */
export function copyKnowledge(from: Generation, to: Generation): void {
  for (const name of ['learned', 'codes', 'tracks', 'stale', 'calibration'] as const) {
    const entries = from[name].getRange()[Symbol.iterator]();
    const options = { append: to[name].getKeysCount({ limit: 1 }) === 0 };
    for (let more = true; more; ) {
      to.root.transactionSync(() => {
        for (let i = 0; i < COPY_RECORDS; i++) {
          const { value: entry, done } = entries.next();
          more = done !== true;
          if (!more) return;
          to[name].putSync(entry.key, entry.value, options);
        }
      });
    }
  }
  for (const key of [PROGRESS_KEY, LOG_KEY]) {
    const value = from.meta.get(key);
    if (value !== undefined) to.meta.putSync(key, value);
  }
}

// The row of a device: where it was at its last report, with which the next one is compared.

/** Where a device was at its last report. */
export interface TrackPosition extends TimedPosition {
  /** Number of the report in the log. */
  sequence: number;
}

/** A device's row in `tracks`. */
export const TRACK_ROW = new Row({ timeMs: f64, latitude: f64, longitude: f64, accuracyMetres: f32, sequence: f64 });

/** Encodes a device's row. */
export function encodeTrack(position: TrackPosition): Buffer {
  return TRACK_ROW.encode(position);
}

/** Decodes a device's row. @throws Error when it is damaged */
export function decodeTrack(bytes: Buffer): TrackPosition {
  const track = TRACK_ROW.decode(bytes, 'The row of a device');
  const problem = problemWithTrack(track);
  if (problem !== undefined) throw new Error(`The row of a device is damaged: ${problem}.`);
  return track;
}

function problemWithTrack({
  timeMs,
  latitude,
  longitude,
  accuracyMetres,
  sequence,
}: TrackPosition): string | undefined {
  if (!Number.isFinite(timeMs)) return `its time is ${timeMs}`;
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180))
    return `its position ${latitude}, ${longitude} is not on the globe`;
  if (!(accuracyMetres >= 0 && Number.isFinite(accuracyMetres))) return `its accuracy is ${accuracyMetres}`;
  return Number.isSafeInteger(sequence) && sequence > 0 ? undefined : `the number ${sequence} of its report is none`;
}
