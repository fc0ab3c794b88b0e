// Sorts any number of station records by key: a sorted load is nine times faster than a random one and leaves a table a
// third of the size.
//
// Records gather in memory. When it is full, they are sorted and written to disk as one run; at the end the runs are
// merged. The sort is a radix sort over the key's 32-bit words, least significant first: stable, so among records of
// one key the last one added wins, within a run and, as later runs win over earlier ones, across them.

import { join } from 'node:path';
import type { RecordBatch, SortedRecords } from '../tables/stations/merge.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';
import { DistinctBatch, mergeRuns, Run } from './record_runs.ts';

/** 75 MB with the keys of cells. */
const RUN_RECORDS = 2 ** 21;
/** Three passes a word; the counts of a pass stay in the first-level cache. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Sorts records of one key length. Fill with `next`, read `batches` once, then `close`. */
export class RecordSort implements SortedRecords {
  /** Bytes of a key in memory, a multiple of four; the station follows it. */
  readonly keyBytes: number;
  /** The memory that records are written to, at the offset that `next` gives. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Records added so far, including replaced ones. */
  added = 0;

  private readonly folder: string;
  private readonly runRecords: number;
  private readonly words: Uint32Array;
  private readonly recordWords: number;
  private readonly runs: Run[] = [];
  private held = 0;

  /**
   * @param folder where runs are written when there are more records than the memory holds; must exist
   * @param keyBytes bytes of a key, padded to whole 32-bit words
   * @param runRecords records held in memory
   */
  constructor(folder: string, keyBytes: number, runRecords = RUN_RECORDS) {
    this.folder = folder;
    this.keyBytes = keyBytes;
    this.runRecords = runRecords;
    this.recordWords = (keyBytes + STATION_BYTES) >> 2;
    this.words = new Uint32Array(runRecords * this.recordWords);
    this.bytes = new Uint8Array(this.words.buffer);
    this.view = new DataView(this.words.buffer);
  }

  /** Makes room for one more record. @returns the offset in `bytes` where it must be written before the next call */
  next(): number {
    if (this.held === this.runRecords) this.spill();
    this.added++;
    return this.held++ * this.recordWords * 4;
  }

  /** Offset in `bytes` of the record that was added last; it stands there until the next call of `next`. */
  get lastAt(): number {
    return (this.held - 1) * this.recordWords * 4;
  }

  /** Takes the record that was added last back. */
  takeBack(): void {
    this.held--;
    this.added--;
  }

  /** All records in key order, each key once, the last one added. A batch is valid until the next one is asked for. */
  *batches(): Generator<RecordBatch> {
    if (this.runs.length === 0) {
      yield* this.sorted();
      return;
    }
    this.spill();
    yield* mergeRuns(this.runs, new DistinctBatch(this.keyBytes));
  }

  /** Closes the files of the runs. */
  close(): void {
    for (const run of this.runs) run.close();
  }

  private spill(): void {
    try {
      const run = new Run(join(this.folder, `run-${this.runs.length}`), this.runs.length, this.keyBytes);
      this.runs.push(run);
      for (const batch of this.sorted()) run.write(batch);
    } catch (error) {
      throw new Error(`Records could not be put aside for sorting: ${(error as Error).message}. Nothing was imported.`);
    }
    this.held = 0;
  }

  private *sorted(): Generator<RecordBatch> {
    const batch = new DistinctBatch(this.keyBytes);
    for (const index of this.sortHeld()) {
      const at = index * this.recordWords;
      if (batch.isFullFor(this.words, at)) {
        yield batch;
        batch.count = 0;
      }
      batch.add(this.words, at);
    }
    if (batch.count > 0) yield batch;
  }

  /** Indexes of the held records in key order, equal keys in the order of arrival. */
  private sortHeld(): Uint32Array {
    let order = new Uint32Array(this.held);
    let target = new Uint32Array(this.held);
    for (let i = 0; i < order.length; i++) order[i] = i;
    const column = new Uint32Array(this.held);
    for (let word = (this.keyBytes >> 2) - 1; word >= 0; word--) {
      for (let i = 0; i < column.length; i++) column[i] = this.view.getUint32((i * this.recordWords + word) << 2);
      for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
        if (distribute(column, shift, order, target)) [order, target] = [target, order];
      }
    }
    return order;
  }
}

/**
 * One pass of the radix sort: `order` into `target` by one digit of `column`. @returns false when all digits are equal
 * and nothing changed
 */
function distribute(column: Uint32Array, shift: number, order: Uint32Array, target: Uint32Array): boolean {
  const starts = new Uint32Array(DIGITS);
  for (let i = 0; i < column.length; i++) starts[(column[i] >>> shift) & (DIGITS - 1)]++;
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = starts[digit];
    if (count === column.length) return false;
    starts[digit] = sum;
    sum += count;
  }
  for (let i = 0; i < order.length; i++) target[starts[(column[order[i]] >>> shift) & (DIGITS - 1)]++] = order[i];
  return true;
}
