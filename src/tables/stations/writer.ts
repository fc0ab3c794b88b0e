// Writes changes of single stations to the live generation: one transaction for each batch, then the cache, then the
// acknowledgement to the caller. Only the writer thread may hold a `StationWriter`.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { KEY_BYTES_MAX, keyBytesOfKind, paddedKeyBytes } from '../../radio/station_key.ts';
import type { FactorsOf } from '../calibration/calibration_tables.ts';
import { closeEnvironment, commit, commitAtOnce, requireSpace } from '../environment/commit.ts';
import type { StationCache } from './cache.ts';
import {
  currentGeneration,
  describeGeneration,
  type Generation,
  generationPath,
  openGeneration,
  publishGeneration,
  startGeneration,
} from './generation.ts';
import { type KnowledgeChanges, KnowledgeTables, type StationChange } from './knowledge.ts';
import { packAbsent, packStation } from './packed_station.ts';
import { type ChangedRow, isCalibrationRow, isStationRow, type RowChanges, writeRows } from './row_changes.ts';
import { stationView } from './station.ts';

/** Stations read in one slice of a long walk: a few milliseconds, so that charges in the same thread wait no longer. */
const SLICE = 5_000;

/** Writes stations and keeps the cache coherent. */
export class StationWriter {
  private readonly folder: string;
  private readonly cache: StationCache | undefined;
  private generation: Generation;
  private number: number;
  private readonly key = new Uint8Array(KEY_BYTES_MAX);
  private readonly keyWords = new Int32Array(this.key.buffer);
  private readonly payload = new Int32Array(PAYLOAD_WORDS);
  private warming = 0;
  private changes: RowChanges | undefined;

  /**
   * Opens the live generation; a folder without one gets an empty one.
   * @param cache undefined in commands that serve nobody
   * @throws Error when the tables cannot be used
   */
  static async open(folder: string, cache: StationCache | undefined): Promise<StationWriter> {
    let live = currentGeneration(folder);
    if (live === undefined) {
      const { n, generation } = startGeneration(folder);
      generation.root.transactionSync(() => describeGeneration(generation, 0));
      await generation.root.close();
      publishGeneration(folder, n);
      live = n;
    }
    return new StationWriter(folder, cache, live);
  }

  private constructor(folder: string, cache: StationCache | undefined, live: number) {
    this.folder = folder;
    this.cache = cache;
    this.number = live;
    this.generation = openGeneration(generationPath(folder, live));
    cache?.startGeneration(live);
  }

  /** Number of the live generation. */
  get live(): number {
    return this.number;
  }

  /**
   * Puts and deletes as one transaction; when the promise resolves, every thread sees the new values.
   * @throws Error when nothing was written
   */
  async apply(changes: readonly StationChange[]): Promise<void> {
    for (const { key, record } of changes) if (record !== undefined) this.pack(key, record);
    let generation: Generation;
    do {
      generation = this.generation;
      const { root, stations } = generation;
      const knowledge = this.knowledge;
      requireSpace(root, 'The station tables');
      await commit(root, 'The station tables', () => {
        for (const { key, record } of changes) {
          if (record === undefined) void stations.remove(Buffer.from(key));
          else void stations.put(Buffer.from(key), Buffer.from(record));
          knowledge.markStale(key);
        }
      });
      // An import may have replaced the table meanwhile; the changes then belong into the new one.
    } while (generation !== this.generation);
    for (const { key, record } of changes) this.writeThrough(key, record, true);
  }

  /** What was learned, in the live generation. */
  get knowledge(): KnowledgeTables {
    return new KnowledgeTables(this.generation);
  }

  /**
   * Writes what a batch of reports has changed, in one transaction; when the promise resolves, every thread sees it.
   * Nobody waits for it, so the pages are written and flushed in a thread of LMDB, and this one answers submissions and
   * charges meanwhile. No other change of the stations may be under way.
   * @param isRebased all learned stations are joined with the imported ones now
   * @throws Error when nothing was written
   */
  async learn(changes: KnowledgeChanges, isRebased = false): Promise<void> {
    const knowledge = this.knowledge;
    const before = knowledge.progress;
    const changed = await commit(this.generation.root, 'The station tables', () => {
      const written = knowledge.write(changes);
      knowledge.sweepTracks(before, changes.progress);
      if (isRebased) knowledge.setRebased();
      return written;
    });
    for (const { key, record } of changed) this.writeThrough(key, record, true);
  }

  /**
   * Forgets stations; see `KnowledgeTables.forget`. When the promise resolves, every thread sees it.
   * @param describe writes what else belongs to the same transaction
   * @throws Error when nothing was written
   */
  async forget(
    stations: readonly Buffer[],
    log: number,
    progress: number,
    describe: (generation: Generation) => void,
  ): Promise<void> {
    const { generation, knowledge } = this;
    const action = () => {
      describe(generation);
      return knowledge.forget(stations, log, progress);
    };
    for (const { key, record } of await commit(generation.root, 'The station tables', action, true))
      this.writeThrough(key, record, true);
  }

  /** Has all rows noted that are written from here on, also in generations to come. */
  watch(changes: RowChanges): void {
    this.changes = changes;
    changes.watch(this.generation);
  }

  /**
   * Writes rows as another copy of the tables has them; when the promise resolves, every thread sees them.
   * @param describe writes what else belongs to the last transaction
   * @throws Error when not all were written; the same rows may be written again
   */
  async takeRows(rows: readonly ChangedRow[], describe: (knowledge: KnowledgeTables) => void): Promise<void> {
    const { generation } = this;
    for (let at = 0, isLast = false; !isLast; at += SLICE) {
      const some = rows.slice(at, at + SLICE);
      isLast = at + SLICE >= rows.length;
      for (const row of some) if (isStationRow(row) && row.value !== undefined) this.pack(row.key, row.value);
      requireSpace(generation.root, 'The station tables');
      await commit(generation.root, 'The station tables', () => {
        writeRows(generation, some);
        if (isLast) describe(this.knowledge);
      });
      for (const row of some) if (isStationRow(row)) this.writeThrough(row.key, row.value, true);
    }
    if (rows.some(isCalibrationRow)) this.cache?.changeCalibration();
  }

  /** Writes a note of its own into the tables, at once. */
  async note(describe: (knowledge: KnowledgeTables) => void): Promise<void> {
    await commit(this.generation.root, 'The station tables', () => describe(this.knowledge), true);
  }

  /** Derives the factors of radii from the tests, and tells all threads. */
  async calibrate(factorsOf: FactorsOf): Promise<void> {
    const { calibration } = this.knowledge;
    if (await commitAtOnce(this.generation.root, 'The station tables', () => calibration.derive(factorsOf), false)) {
      this.cache?.changeCalibration();
    }
  }

  /**
   * Takes over the result of an import: a new generation, or changed keys of this one.
   * @param changedKeys padded to whole 32-bit words each
   */
  async adopt(number: number, changedKeys: Uint8Array | undefined): Promise<void> {
    const old = this.generation;
    if (number !== this.number) {
      this.generation = openGeneration(generationPath(this.folder, number));
      this.number = number;
      this.changes?.watch(this.generation);
      this.cache?.startGeneration(number);
      await closeEnvironment(old.root);
      return;
    }
    if (changedKeys === undefined || this.cache === undefined) return;
    for (let at = 0; at < changedKeys.length && old === this.generation; ) {
      old.root.resetReadTxn();
      for (let i = 0; i < SLICE && at < changedKeys.length; i++) {
        const key = changedKeys.subarray(at, at + keyBytesOfKind(changedKeys[at]));
        this.writeThrough(key, old.stations.getBinary(Buffer.from(key)), true);
        at += paddedKeyBytes(changedKeys[at]);
      }
      old.root.resetReadTxn();
      await nextTurn();
    }
  }

  /**
   * Fills the cache from the table, in slices between the thread's other work, until the table ends or the cache is
   * full. A later call, or a new generation, ends an earlier one.
   */
  async warm(): Promise<void> {
    if (this.cache === undefined) return;
    const turn = ++this.warming;
    const generation = this.generation;
    let room = this.cache.capacity;
    let start: Buffer | undefined;
    for (;;) {
      generation.root.resetReadTxn();
      let read = 0;
      const range = start === undefined ? { limit: SLICE } : { start, limit: SLICE, exclusiveStart: true };
      for (const { key, value } of generation.stations.getRange(range)) {
        this.writeThrough(key, value, false);
        start = Buffer.from(key);
        read++;
      }
      generation.root.resetReadTxn();
      room -= read;
      if (read < SLICE || room <= 0) return;
      await nextTurn();
      if (turn !== this.warming || generation !== this.generation) return;
    }
  }

  /** Stations in the live table. */
  count(): number {
    return (this.generation.stations.getStats() as { entryCount: number }).entryCount;
  }

  async close(): Promise<void> {
    this.warming++;
    await closeEnvironment(this.generation.root);
  }

  /** @throws Error when it is no record that readers could use */
  private pack(key: Uint8Array, record: Uint8Array): void {
    packStation(key, 0, stationView(record), this.payload, 0);
  }

  private writeThrough(key: Uint8Array, record: Uint8Array | undefined, evict: boolean): void {
    if (this.cache === undefined) return;
    this.key.fill(0);
    this.key.set(key);
    if (record === undefined) packAbsent(this.payload, 0);
    else this.pack(key, record);
    this.cache.write(this.keyWords, 0, paddedKeyBytes(key[0]) >> 2, this.payload, 0, evict);
  }
}
