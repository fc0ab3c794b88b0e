// Sorts any number of records of one length by key: a sorted load of a table is nine times faster than a random one and
// leaves a table a third of the size.
//
// Records gather in memory. When it is full, they are sorted and written to disk as one run; at the end the runs are
// merged. The sort is a radix sort over the key's 32-bit words, least significant first: stable, so among records of
// one key the last one added wins, within a run and, as later runs win over earlier ones, across them. What comes in
// order already is only copied.

import { ScratchFile } from './scratch_file.ts';

/** 75 MB of stations with the keys of cells. */
const RUN_RECORDS = 2 ** 21;
/** Three passes a word; the counts of a pass stay in the first-level cache. */
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Some records in key order: each a padded key, then its value. */
export interface RecordBatch {
  bytes: Uint8Array;
  count: number;
}

/** Sorts records of one length. Fill with `next`, read `batches`, then `close`. */
export class RecordSort {
  /** Bytes of a key in memory, a multiple of four; the value follows it. */
  readonly keyBytes: number;
  /** The memory that records are written to, at the offset that `next` gives. */
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Records added so far, including replaced ones. */
  added = 0;

  private readonly folder: string;
  private readonly runRecords: number;
  private readonly words: Uint32Array<ArrayBuffer>;
  private readonly recordWords: number;
  private readonly runs: Run[] = [];
  private held = 0;

  /**
   * @param folder where runs are written when there are more records than the memory holds; must exist
   * @param keyBytes bytes of a key, padded to whole 32-bit words; keys compare as bytes
   * @param valueBytes bytes of a value, whole words too
   * @param runRecords records held in memory
   */
  constructor(folder: string, keyBytes: number, valueBytes: number, runRecords = RUN_RECORDS) {
    this.folder = folder;
    this.keyBytes = keyBytes;
    this.runRecords = runRecords;
    this.recordWords = (keyBytes + valueBytes) >> 2;
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

  /**
   * All records in key order, each key once, the last one added. They may be read several times, and none added
   * afterwards. A batch is valid until the next one is asked for.
   */
  *batches(): Generator<RecordBatch> {
    if (this.runs.length === 0) {
      yield* this.sorted();
      return;
    }
    if (this.held > 0) this.spill();
    for (const run of this.runs) run.rewind();
    yield* mergeRuns(this.runs, new DistinctBatch(this.keyBytes, this.recordWords));
  }

  /** Closes the files of the runs and gives the memory back; may be called twice. */
  close(): void {
    for (const run of this.runs) run.close();
    if (!this.words.buffer.detached) this.words.buffer.transfer(0);
  }

  private spill(): void {
    try {
      const run = new Run(this.folder, this.runs.length, this.keyBytes, this.recordWords);
      this.runs.push(run);
      for (const batch of this.sorted()) run.write(batch);
    } catch (error) {
      throw new Error(`Records could not be put aside for sorting: ${(error as Error).message}. Nothing was imported.`);
    }
    this.held = 0;
  }

  private *sorted(): Generator<RecordBatch> {
    if (this.isAscending()) {
      const recordBytes = this.recordWords * 4;
      for (let first = 0; first < this.held; first += BATCH_RECORDS)
        yield { bytes: this.bytes.subarray(first * recordBytes), count: Math.min(BATCH_RECORDS, this.held - first) };
      return;
    }
    const batch = new DistinctBatch(this.keyBytes, this.recordWords);
    for (const index of this.sortHeld()) {
      const at = index * this.recordWords;
      if (batch.isFullFor(this.words, at)) {
        yield batch;
        batch.count = 0;
      }
      batch.add(this.words, at, 1);
    }
    if (batch.count > 0) yield batch;
  }

  /** The held records came in key order, each key once. */
  private isAscending(): boolean {
    const { view, recordWords } = this;
    const keyWords = this.keyBytes >> 2;
    for (let at = 0; at < (this.held - 1) * recordWords; at += recordWords) {
      let word = 0;
      while (word < keyWords && this.words[at + word] === this.words[at + recordWords + word]) word++;
      if (word === keyWords) return false;
      if (view.getUint32((at + word) << 2) > view.getUint32((at + recordWords + word) << 2)) return false;
    }
    return this.held > 0;
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

// Runs of sorted records on disk, merged into one stream. A run is read through a small buffer; keys compare as
// bytes.

const BATCH_RECORDS = 2 ** 14;
/** Records read at once; with a hundred runs still under 60 MB. */
const BUFFER_RECORDS = 2 ** 14;

/** Up to 16,384 sorted records of different keys: a later record of the last key replaces it. */
class DistinctBatch implements RecordBatch {
  readonly bytes: Uint8Array;
  count = 0;
  private readonly words: Uint32Array;
  private readonly keyWords: number;
  private readonly recordWords: number;

  constructor(keyBytes: number, recordWords: number) {
    this.keyWords = keyBytes >> 2;
    this.recordWords = recordWords;
    this.words = new Uint32Array(BATCH_RECORDS * this.recordWords);
    this.bytes = new Uint8Array(this.words.buffer);
  }

  /** True when there is no room for the record at word `at` of `words`. */
  isFullFor(words: Uint32Array, at: number): boolean {
    return this.count === BATCH_RECORDS && !this.endsWithKeyOf(words, at);
  }

  /**
   * Adds records of different keys from word `at` of `words`, as many as there is room for. @param wanted the first
   * one's key is not smaller than the last one's here @returns how many were added
   */
  add(words: Uint32Array, at: number, wanted: number): number {
    if (this.count === 0 || !this.endsWithKeyOf(words, at)) this.count++;
    const added = Math.min(wanted, BATCH_RECORDS - this.count + 1);
    const target = (this.count - 1) * this.recordWords;
    if (added === 1) for (let i = 0; i < this.recordWords; i++) this.words[target + i] = words[at + i];
    else this.words.set(words.subarray(at, at + added * this.recordWords), target);
    this.count += added - 1;
    return added;
  }

  private endsWithKeyOf(words: Uint32Array, at: number): boolean {
    const last = (this.count - 1) * this.recordWords;
    for (let i = 0; i < this.keyWords; i++) if (this.words[last + i] !== words[at + i]) return false;
    return true;
  }
}

/** One sorted run, written once and then read once from its start. */
class Run {
  /** The buffer that holds the next record, at word `at`. */
  readonly words: Uint32Array;
  at = 0;
  private readonly number: number;
  private readonly keyWords: number;
  private readonly recordWords: number;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private readonly file: ScratchFile;
  private position = 0;
  private end = 0;

  /** @param number order of the run: a record of a later run replaces one of an earlier run with the same key */
  constructor(folder: string, number: number, keyBytes: number, recordWords: number) {
    this.number = number;
    this.keyWords = keyBytes >> 2;
    this.recordWords = recordWords;
    this.words = new Uint32Array(BUFFER_RECORDS * this.recordWords);
    this.bytes = new Uint8Array(this.words.buffer);
    this.view = new DataView(this.words.buffer);
    this.file = new ScratchFile(folder);
  }

  /** Appends records, before the first `advance`. */
  write(batch: RecordBatch): void {
    this.file.append(batch.bytes.subarray(0, batch.count * this.recordWords * 4));
  }

  /** Goes back to the beginning, before the first `advance`. */
  rewind(): void {
    this.position = 0;
    this.at = 0;
    this.end = 0;
  }

  /** Steps over so many records. @returns false after the last one */
  advance(records: number): boolean {
    this.at += records * this.recordWords;
    if (this.at < this.end) return true;
    const bytes = this.file.read(this.bytes, this.position);
    this.position += bytes;
    this.at = 0;
    this.end = bytes >> 2;
    return bytes > 0;
  }

  /**
   * How many records can be taken before one of another run may come: all that are in memory when the last of them
   * comes before it. Looked at once for each filling of the buffer.
   */
  recordsBefore(other: Run | undefined): number {
    if (other !== undefined && (this.at > 0 || this.compare(other, this.end - this.recordWords) >= 0)) return 1;
    return (this.end - this.at) / this.recordWords;
  }

  /** Below zero when this run's next record, or that at word `at`, comes before the other's next. */
  compare(other: Run, at = this.at): number {
    for (let i = 0; i < this.keyWords; i++) {
      const difference = this.view.getUint32((at + i) << 2) - other.view.getUint32((other.at + i) << 2);
      if (difference !== 0) return difference;
    }
    return this.number - other.number;
  }

  close(): void {
    this.file.close();
  }
}

/** Adds the records of all runs to `batch` in key order and yields it whenever it is full. */
function* mergeRuns(runs: readonly Run[], batch: DistinctBatch): Generator<RecordBatch> {
  const open = runs.filter(run => run.advance(0)).sort((a, b) => a.compare(b));
  while (open.length > 0) {
    const first = open[0];
    if (batch.isFullFor(first.words, first.at)) {
      yield batch;
      batch.count = 0;
    }
    const added = batch.add(first.words, first.at, first.recordsBefore(open[1]));
    if (first.advance(added)) settleFirst(open);
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
