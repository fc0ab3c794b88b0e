// Changes to single stations of the live generation: one transaction each batch, then the cache, then the caller's acknowledgement. For the writer
// thread, which is the only one that may hold it.

import { KEY_BYTES_MAX, STATION_BYTES } from '../../wasm/layout.ts';
import { keyBytesOfKind, paddedKeyBytes } from '../radio/station_key.ts';
import {
  currentGeneration,
  describeGeneration,
  type Generation,
  generationPath,
  openGeneration,
  publishGeneration,
  startGeneration,
} from './generation.ts';
import { PAYLOAD_WORDS, type StationCache } from './station_cache.ts';
import { packAbsent, packStation } from './stations.ts';

/** A station to be put (`record` of 24 bytes) or deleted. `key` is cut to its length. */
export interface StationChange {
  key: Uint8Array;
  record: Uint8Array | undefined;
}

/** Stations read in one slice of warming: a few milliseconds, so that charges in the same thread wait no longer. */
const WARM_SLICE = 5_000;

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

  /** Puts and deletes as one transaction; when the promise resolves, every thread sees the new values. @throws Error when nothing was written */
  async apply(changes: readonly StationChange[]): Promise<void> {
    const { root, stations } = this.generation;
    await root.transaction(() => {
      for (const { key, record } of changes) {
        if (record === undefined) stations.remove(Buffer.from(key));
        else if (record.length === STATION_BYTES) stations.put(Buffer.from(key), Buffer.from(record));
        else throw new Error(`A station record must have ${STATION_BYTES} bytes, not ${record.length}.`);
      }
    });
    for (const { key, record } of changes) this.writeThrough(key, record, true);
  }

  /** Takes over what an import has done: a new generation, or changed keys of this one. */
  async adopt(generation: number, changedKeys: Uint8Array | undefined): Promise<void> {
    if (generation !== this.number) {
      const old = this.generation;
      this.generation = openGeneration(generationPath(this.folder, generation));
      this.number = generation;
      this.cache?.startGeneration(generation);
      await old.root.close();
      return;
    }
    const { root, stations } = this.generation;
    root.resetReadTxn();
    for (let at = 0; changedKeys !== undefined && at < changedKeys.length; ) {
      const key = changedKeys.subarray(at, at + keyBytesOfKind(changedKeys[at]));
      this.writeThrough(key, stations.getBinary(Buffer.from(key)), true);
      at += key.length;
    }
    root.resetReadTxn();
  }

  /**
   * Fills the cache from the table, in slices between the thread's other work, until the table ends or the cache is full. A later call, or a new
   * generation, ends an earlier one.
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
      const range = start === undefined ? { limit: WARM_SLICE } : { start, limit: WARM_SLICE, exclusiveStart: true };
      for (const { key, value } of generation.stations.getRange(range)) {
        this.writeThrough(key, value, false);
        start = Buffer.from(key);
        read++;
      }
      generation.root.resetReadTxn();
      room -= read;
      if (read < WARM_SLICE || room <= 0) return;
      await new Promise(resolve => setImmediate(resolve));
      if (turn !== this.warming || generation !== this.generation) return;
    }
  }

  /** Stations in the live table. */
  count(): number {
    return (this.generation.stations.getStats() as { entryCount: number }).entryCount;
  }

  async close(): Promise<void> {
    this.warming++;
    await this.generation.root.close();
  }

  private writeThrough(key: Uint8Array, record: Uint8Array | undefined, evict: boolean): void {
    if (this.cache === undefined) return;
    this.key.fill(0);
    this.key.set(key);
    if (record === undefined) packAbsent(this.payload, 0);
    else packStation(new DataView(record.buffer, record.byteOffset, STATION_BYTES), 0, this.payload, 0);
    this.cache.write(this.keyWords, 0, paddedKeyBytes(key[0]) >> 2, this.payload, 0, evict);
  }
}
