// Runs of sorted station records on disk, merged into one stream. A run is read through a small buffer; keys compare as
// bytes.

import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import type { RecordBatch } from '../tables/stations/merge.ts';
import { STATION_BYTES } from '../tables/stations/record_layout.ts';

const BATCH_RECORDS = 2 ** 14;
/** Records read at once; with a hundred runs still under 60 MB. */
const BUFFER_RECORDS = 2 ** 14;

/** Up to 16,384 sorted records of different keys: a later record of the last key replaces it. */
export class DistinctBatch implements RecordBatch {
  readonly bytes: Uint8Array;
  count = 0;
  private readonly words: Uint32Array;
  private readonly keyWords: number;
  private readonly recordWords: number;

  constructor(keyBytes: number) {
    this.keyWords = keyBytes >> 2;
    this.recordWords = (keyBytes + STATION_BYTES) >> 2;
    this.words = new Uint32Array(BATCH_RECORDS * this.recordWords);
    this.bytes = new Uint8Array(this.words.buffer);
  }

  /** True when there is no room for the record at word `at` of `words`. */
  isFullFor(words: Uint32Array, at: number): boolean {
    return this.count === BATCH_RECORDS && !this.endsWithKeyOf(words, at);
  }

  /** Adds the record at word `at` of `words`, whose key is not smaller than the last one's. */
  add(words: Uint32Array, at: number): void {
    if (this.count === 0 || !this.endsWithKeyOf(words, at)) this.count++;
    const target = (this.count - 1) * this.recordWords;
    for (let i = 0; i < this.recordWords; i++) this.words[target + i] = words[at + i];
  }

  private endsWithKeyOf(words: Uint32Array, at: number): boolean {
    const last = (this.count - 1) * this.recordWords;
    for (let i = 0; i < this.keyWords; i++) if (this.words[last + i] !== words[at + i]) return false;
    return true;
  }
}

/** One sorted run, written once and then read once from its start. */
export class Run {
  /** The buffer that holds the next record, at word `at`. */
  readonly words: Uint32Array;
  at = 0;
  private readonly number: number;
  private readonly keyWords: number;
  private readonly recordWords: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly file: number;
  private position = 0;
  private end = 0;

  /** @param number order of the run: a record of a later run replaces one of an earlier run with the same key */
  constructor(path: string, number: number, keyBytes: number) {
    this.number = number;
    this.keyWords = keyBytes >> 2;
    this.recordWords = (keyBytes + STATION_BYTES) >> 2;
    this.words = new Uint32Array(BUFFER_RECORDS * this.recordWords);
    this.bytes = new Uint8Array(this.words.buffer);
    this.view = new DataView(this.words.buffer);
    this.file = openSync(path, 'wx+');
    // Removed at once: an open file needs no name, and a kill then leaves nothing behind.
    unlinkSync(path);
  }

  /** Appends records, before the first `advance`. */
  write(batch: RecordBatch): void {
    const length = batch.count * this.recordWords * 4;
    for (let done = 0; done < length; ) done += writeSync(this.file, batch.bytes, done, length - done);
  }

  /** Steps to the next record. @returns false after the last one */
  advance(): boolean {
    this.at += this.recordWords;
    if (this.at < this.end) return true;
    let bytes = 0;
    for (let read = -1; read !== 0 && bytes < this.bytes.length; bytes += read) {
      read = readSync(this.file, this.bytes, bytes, this.bytes.length - bytes, this.position + bytes);
    }
    this.position += bytes;
    this.at = 0;
    this.end = bytes >> 2;
    return bytes > 0;
  }

  /** Below zero when this run's next record comes before the other's. */
  compare(other: Run): number {
    for (let i = 0; i < this.keyWords; i++) {
      const difference = this.view.getUint32((this.at + i) << 2) - other.view.getUint32((other.at + i) << 2);
      if (difference !== 0) return difference;
    }
    return this.number - other.number;
  }

  close(): void {
    closeSync(this.file);
  }
}

/** Adds the records of all runs to `batch` in key order and yields it whenever it is full. */
export function* mergeRuns(runs: readonly Run[], batch: DistinctBatch): Generator<RecordBatch> {
  const open = runs.filter(run => run.advance()).sort((a, b) => a.compare(b));
  while (open.length > 0) {
    const first = open[0];
    if (batch.isFullFor(first.words, first.at)) {
      yield batch;
      batch.count = 0;
    }
    batch.add(first.words, first.at);
    if (first.advance()) settleFirst(open);
    else open.shift();
  }
  if (batch.count > 0) yield batch;
}

/** Moves the first run back to its position by its next record. */
function settleFirst(open: Run[]): void {
  const run = open[0];
  let at = 0;
  while (at + 1 < open.length && open[at + 1].compare(run) < 0) {
    open[at] = open[at + 1];
    at++;
  }
  open[at] = run;
}
