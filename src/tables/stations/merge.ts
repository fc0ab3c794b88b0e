// Merges two sorted streams of stations, the live tables and new records, into a new generation. A record of zeros
// stands for a station that is no longer imported: it goes, unless it was also learned. Then only what was learned of
// it counts from then on.

import { isCell } from '../../radio/kind.ts';
import { keyBytesOfKind } from '../../radio/station_key.ts';
import type { RecordBatch } from '../environment/record_sort.ts';
import { AreaCollector } from './areas.ts';
import type { Generation } from './generation.ts';
import { KnowledgeTables } from './knowledge.ts';
import type { Learned } from './learned_record.ts';
import { STATION_BYTES, STATION_STATE } from './record_layout.ts';

const APPEND = { append: true };

/** The result of a load. */
export interface LoadResult {
  /** The live generation now. */
  generation: number;
  stations: number;
  /** Records with a new key. */
  added: number;
  /** Records that replaced a station. */
  replaced: number;
  /** Imported stations that went. */
  removed: number;
  /**
   * The changed keys for the station cache, `keyBytes` each, when the generation is the same as before; absent for a
   * new generation.
   */
  changedKeys?: Uint8Array;
}

/** Receives the stations written so far, and how many there will be at most. */
export type LoadProgress = (done: number, total: number) => void;

/** Station records to load, in key order and each key once. */
export interface SortedRecords {
  /** Bytes of each key, padded to whole 32-bit words. */
  keyBytes: number;
  /** An upper bound of the number of records. */
  added: number;
  /** A batch is used before the next one is asked for. */
  batches(): Iterable<RecordBatch>;
  /** Some pairs of neighbouring records, evenly spread over all; absent where records can be read only once. */
  neighbours?(pairs: number): Iterable<RecordBatch>;
}

/**
 * Takes the imported record out of what is learned of a station. @returns what is left, and the station record that
 * follows; undefined for nothing
 */
type WithoutImport = (
  learned: Learned,
  kind: number,
) => { learned: Learned | undefined; record: Uint8Array | undefined };

/** What a load needs when records may go. */
export interface LoadOptions {
  withoutImport: WithoutImport;
  /** Writes what else belongs to the tables, in their last transaction. */
  describe(generation: Generation): void;
}

/** True for a record that stands for a station which is no longer imported. */
export function isRemoval(record: Uint8Array): boolean {
  return record[STATION_STATE] === 0;
}

/** Takes the imported records out of learned stations, in the open transaction. */
export function forgetImports(generation: Generation, keys: readonly Buffer[], withoutImport: WithoutImport): void {
  if (keys.length === 0) return;
  const knowledge = new KnowledgeTables(generation);
  const learned = keys.map(key => ({ key, ...withoutImport(knowledge.learned(key)!, key[0]) }));
  knowledge.write({ learned, tracks: new Map(), progress: knowledge.progress });
}

/** Cuts records of a batch into the buffers that LMDB takes. */
export class RecordCutter {
  readonly value = Buffer.alloc(STATION_BYTES);
  private readonly keyBytes: number;
  private readonly keys = new Map<number, Buffer>();

  constructor(keyBytes: number) {
    this.keyBytes = keyBytes;
  }

  /** Copies record `index` of a batch into `value`. @returns its key, valid until the next call */
  cut(batch: RecordBatch, index: number): Buffer {
    const at = index * (this.keyBytes + STATION_BYTES);
    const length = keyBytesOfKind(batch.bytes[at]);
    let key = this.keys.get(length);
    if (key === undefined) {
      key = Buffer.alloc(length);
      this.keys.set(length, key);
    }
    for (let i = 0; i < length; i++) key[i] = batch.bytes[at + i];
    for (let i = 0; i < STATION_BYTES; i++) this.value[i] = batch.bytes[at + this.keyBytes + i];
    return key;
  }
}

/** Writes old stations and new records in one order; of equal keys the new record stays. */
export class StationMerge {
  written = 0;
  added = 0;
  replaced = 0;
  removed = 0;
  /** Learned stations whose imported record goes. */
  readonly unjoined: Buffer[] = [];
  private readonly live: Generation | undefined;
  private readonly target: Generation;
  private readonly areas: AreaCollector;
  private readonly cutter: RecordCutter;
  private readonly value = Buffer.alloc(STATION_BYTES);
  private readonly batches: Iterator<RecordBatch>;
  private readonly old: Iterator<{ key: Buffer; value: Buffer }>;
  private batch: RecordBatch | undefined;
  private index = -1;
  private newKey: Buffer | undefined;
  private oldEntry: { key: Buffer; value: Buffer } | undefined;

  constructor(live: Generation | undefined, target: Generation, records: SortedRecords) {
    this.live = live;
    this.target = target;
    this.areas = new AreaCollector((key, record) => target.areas.putSync(key, record, APPEND));
    this.cutter = new RecordCutter(records.keyBytes);
    this.batches = records.batches()[Symbol.iterator]();
    this.old = (live?.stations.getRange() ?? [])[Symbol.iterator]();
    this.advanceNew();
    this.advanceOld();
  }

  /** Writes one station. @returns false when there is none left */
  step(): boolean {
    const { oldEntry, newKey } = this;
    const order = oldEntry === undefined ? 1 : newKey === undefined ? -1 : Buffer.compare(oldEntry.key, newKey);
    if (order < 0) {
      this.put(oldEntry!.key, oldEntry!.value);
      this.advanceOld();
      return true;
    }
    if (newKey === undefined) return false;
    if (!isRemoval(this.cutter.value)) {
      this.put(newKey, this.cutter.value);
      if (order === 0) this.replaced++;
      else this.added++;
    } else if (order === 0) this.remove(oldEntry!);
    this.advanceNew();
    if (order === 0) this.advanceOld();
    return true;
  }

  private remove({ key, value }: { key: Buffer; value: Buffer }): void {
    if (this.live!.learned.doesExist(key)) {
      this.unjoined.push(Buffer.from(key));
      this.put(key, value);
    }
    this.removed++;
  }

  /** Releases the live tables; needed when the merge stops before its end. */
  close(): void {
    this.old.return?.();
  }

  /** Writes the last network's areas. */
  end(): void {
    this.areas.end();
  }

  private put(key: Buffer, value: Buffer): void {
    // LMDB's binding asks the system where each buffer that it has not seen lies, which takes longer than to copy a
    // record.
    for (let i = 0; i < STATION_BYTES; i++) this.value[i] = value[i];
    this.target.stations.putSync(key, this.value, APPEND);
    if (isCell(key[0])) this.areas.add(key, value);
    this.written++;
  }

  private advanceNew(): void {
    this.index++;
    if (this.batch === undefined || this.index >= this.batch.count) {
      this.batch = this.batches.next().value;
      this.index = 0;
    }
    this.newKey = this.batch === undefined ? undefined : this.cutter.cut(this.batch, this.index);
  }

  private advanceOld(): void {
    this.oldEntry = this.old.next().value;
  }
}
