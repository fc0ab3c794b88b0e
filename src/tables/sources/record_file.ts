// A file of imported stations: their keys, padded to whole 32-bit words, each with its station record, in key order and
// each key once. It is written once and then only read, so it is as good as the tables that were made of it. 32 bytes
// for an access point, 36 for a cell.

import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openRegularFile } from '../../config/regular_file.ts';
import type { RecordBatch } from '../environment/record_sort.ts';
import type { SortedRecords } from '../stations/merge.ts';
import { STATION_BYTES } from '../stations/record_layout.ts';

const BATCH_RECORDS = 2 ** 14;
const PARTIAL = '.partial';

type Batches = Pick<SortedRecords, 'keyBytes' | 'batches'>;

/**
 * Writes batches of sorted records as a file, whole or not at all. @param mayStop called between batches; an error that
 * it throws ends the writing
 */
export function writeRecordFile(path: string, records: Batches, mayStop: () => void = () => {}): void {
  for (const _ of writing(path, records)) mayStop();
}

/** The same between the other work of a thread. */
export async function writeRecordFileInTurns(path: string, records: Batches, mayStop: () => void): Promise<void> {
  for (const _ of writing(path, records)) {
    mayStop();
    await nextTurn();
  }
}

/** Yields after each batch. A loop that is left leaves no file. */
function* writing(path: string, records: Batches): Generator<void> {
  const recordBytes = records.keyBytes + STATION_BYTES;
  const file = openSync(path + PARTIAL, 'w', 0o600);
  let isWhole = false;
  try {
    for (const { bytes, count } of records.batches()) {
      const length = count * recordBytes;
      for (let done = 0; done < length; ) done += writeSync(file, bytes, done, length - done);
      yield;
    }
    fsyncSync(file);
    isWhole = true;
  } catch (error) {
    throw new Error(`The records could not be kept: ${(error as Error).message}`, { cause: error });
  } finally {
    closeSync(file);
    if (!isWhole) rmSync(path + PARTIAL, { force: true });
  }
  renameSync(path + PARTIAL, path);
}

/** An open file of records, which can be read any number of times. */
export class RecordFile implements SortedRecords {
  readonly keyBytes: number;
  /** Number of records. */
  readonly added: number;
  private readonly file: number;
  private readonly recordBytes: number;

  /** @throws Error when it is missing, or no whole number of records */
  constructor(path: string, keyBytes: number) {
    this.keyBytes = keyBytes;
    this.recordBytes = keyBytes + STATION_BYTES;
    this.file = openRegularFile(path);
    const { size } = fstatSync(this.file);
    this.added = size / this.recordBytes;
    if (Number.isInteger(this.added)) return;
    closeSync(this.file);
    throw new Error(`The file ${path} is damaged: its ${size} bytes are no whole number of records.`);
  }

  *batches(): Generator<RecordBatch> {
    const bytes = Buffer.alloc(BATCH_RECORDS * this.recordBytes);
    for (let from = 0; from < this.added; from += BATCH_RECORDS) yield { bytes, count: this.read(bytes, from) };
  }

  *neighbours(pairs: number): Generator<RecordBatch> {
    const bytes = Buffer.alloc(2 * this.recordBytes);
    for (let i = 0; i < pairs; i++) {
      if (this.read(bytes, Math.floor((i * (this.added - 1)) / pairs)) === 2) yield { bytes, count: 2 };
    }
  }

  /** Reads as many records as `into` holds, from record `from` on. @returns how many were there */
  read(into: Uint8Array, from: number): number {
    let bytes = 0;
    for (let read = -1; read !== 0 && bytes < into.length; bytes += read) {
      read = readSync(this.file, into, bytes, into.length - bytes, from * this.recordBytes + bytes);
    }
    return Math.floor(bytes / this.recordBytes);
  }

  close(): void {
    closeSync(this.file);
  }
}

/** A position in a file of records, which only moves forward. */
export class RecordCursor {
  /** Holds the record at byte `at`. */
  readonly bytes: Buffer;
  at = 0;
  private readonly file: RecordFile;
  private readonly keyBytes: number;
  private readonly recordBytes: number;
  private end = 0;
  private next = 0;

  constructor(file: RecordFile) {
    this.file = file;
    this.keyBytes = file.keyBytes;
    this.recordBytes = file.keyBytes + STATION_BYTES;
    this.bytes = Buffer.alloc(BATCH_RECORDS * this.recordBytes);
    this.load();
  }

  get isAtEnd(): boolean {
    return this.end === 0;
  }

  /** Steps to the next record. */
  advance(): void {
    this.at += this.recordBytes;
    if (this.at >= this.end) this.load();
  }

  /** Below zero when this record's key comes before that at another cursor. */
  compare(other: RecordCursor): number {
    return this.bytes.compare(other.bytes, other.at, other.at + this.keyBytes, this.at, this.at + this.keyBytes);
  }

  /**
   * Moves to the first record that does not come before that at another cursor. @returns whether both have the same key
   */
  seek(other: RecordCursor): boolean {
    while (!this.isAtEnd && this.compareAt(this.end - this.recordBytes, other) < 0) this.load();
    while (!this.isAtEnd && this.compare(other) < 0) this.advance();
    return !this.isAtEnd && this.compare(other) === 0;
  }

  private compareAt(at: number, other: RecordCursor): number {
    return this.bytes.compare(other.bytes, other.at, other.at + this.keyBytes, at, at + this.keyBytes);
  }

  private load(): void {
    const count = this.file.read(this.bytes, this.next);
    this.next += count;
    this.at = 0;
    this.end = count * this.recordBytes;
  }
}
