// What is stored of the memory of guesses (src/tables/stations/guesses.ts): a table in the environment of the request
// log, which delays no charge, and which every backup holds.
//
//   guesses   last week u32, account u32, device u64 -> the other words of the entry, checksum u32
//
// Rows of earlier weeks are the first ones, and go. The checksum is that of key and words. A damaged row is left out:
// it must not keep a service from starting, and each of the others still refuses what it did. Beside the table stands
// what a node of a cluster has read of the others, as it holds only for these rows.

import { crc32 } from 'node:zlib';
import type { Database, RootDatabase } from 'lmdb';
import { commit, requireSpace } from '../environment/commit.ts';
import { numberKey, Row, u32Key } from '../environment/row.ts';
import { logTable } from './environment.ts';
import { ENTRY_COUNT, ENTRY_DEVICE, ENTRY_WORDS, lastWeekOf, weekAt } from './guess_entry.ts';

const WHAT = 'The memory of guesses';
const READ_KEY = Buffer.from('guesses read');
const KEY = new Row({ lastWeek: u32Key, account: u32Key, deviceHigh: u32Key, deviceLow: u32Key });
const CHECKSUM_AT = KEY.bytes + (ENTRY_WORDS - ENTRY_COUNT) * 4;
/** Bytes of a row with its key. */
export const GUESS_BYTES = CHECKSUM_AT + 4;
/** Rows removed in one transaction. */
const DROP_AT_ONCE = 4_096;

/** The row of an entry, its key first. */
export function packGuess(words: Int32Array): Buffer {
  const row = Buffer.allocUnsafe(GUESS_BYTES);
  const [deviceLow, deviceHigh] = [words[ENTRY_DEVICE] >>> 0, words[ENTRY_DEVICE + 1] >>> 0];
  KEY.write(row, { lastWeek: lastWeekOf(words), account: words[0], deviceHigh, deviceLow }, 0);
  for (let word = ENTRY_COUNT; word < ENTRY_WORDS; word++) row.writeInt32LE(words[word], placeOf(word));
  row.writeUInt32LE(crc32(row.subarray(0, CHECKSUM_AT)), CHECKSUM_AT);
  return row;
}

/** The entry of a row, its key first. @throws Error when it is damaged */
export function unpackGuess(row: Buffer): Int32Array {
  if (row.length !== GUESS_BYTES)
    throw new Error(`A row of guesses is damaged: it has ${row.length} bytes instead of ${GUESS_BYTES}.`);
  if (row.readUInt32LE(CHECKSUM_AT) !== crc32(row.subarray(0, CHECKSUM_AT)))
    throw new Error('A row of guesses is damaged: its checksum is another.');
  const { account, deviceHigh, deviceLow } = KEY.read(row);
  const words = new Int32Array(ENTRY_WORDS);
  words.set([account, deviceLow, deviceHigh]);
  for (let word = ENTRY_COUNT; word < ENTRY_WORDS; word++) words[word] = row.readInt32LE(placeOf(word));
  return words;
}

function placeOf(word: number): number {
  return KEY.bytes + (word - ENTRY_COUNT) * 4;
}

/** Rows that are stored in the environment of a request log, which somebody else may write. */
export function countGuesses(root: RootDatabase<Buffer, Buffer>): number {
  return (logTable(root, 'guesses').getStats() as { entryCount: number }).entryCount;
}

/** The stored guesses. */
export class GuessTable {
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly rows: Database<Buffer, Buffer>;

  /** @param root environment of the request log, opened for writing */
  constructor(root: RootDatabase<Buffer, Buffer>) {
    this.root = root;
    this.rows = logTable(root, 'guesses');
  }

  /**
   * All rows, those of an account from week to week: their keys, and themselves with the key first.
   * @throws Error of LMDB when they cannot be read
   */
  *all(): Generator<{ key: Buffer; row: Buffer }> {
    this.root.resetReadTxn();
    for (const { key, value } of this.rows.getRange({}))
      yield { key: Buffer.from(key), row: Buffer.concat([key, value]) };
  }

  /** What was read of other nodes, in words of whoever stores it; empty where that is nothing. */
  get read(): string {
    this.root.resetReadTxn();
    return this.root.getBinary(READ_KEY)?.toString() ?? '';
  }

  /**
   * Stores entries, and drops some rows of earlier weeks.
   * @param damaged keys of rows that shall go
   * @param read as `read` @param earliestMs what time it is at least, milliseconds since 1970
   * @throws NotWritten when nothing was changed
   */
  async store(
    entries: readonly Int32Array[],
    damaged: readonly Buffer[],
    read: string,
    earliestMs: number,
  ): Promise<void> {
    this.root.resetReadTxn();
    const week = numberKey(weekAt(earliestMs));
    const old = [...this.rows.getKeys({ end: week, limit: DROP_AT_ONCE })].map(key => Buffer.from(key));
    const gone = [...damaged, ...old];
    const isRead = read === this.read;
    if (entries.length === 0 && gone.length === 0 && isRead) return;
    if (entries.length > 0) requireSpace(this.root, WHAT);
    await commit(this.root, WHAT, () => {
      for (const key of gone) void this.rows.remove(key);
      for (const words of entries) {
        const row = packGuess(words);
        void this.rows.put(row.subarray(0, KEY.bytes), row.subarray(KEY.bytes));
      }
      if (!isRead) void this.root.put(READ_KEY, Buffer.from(read));
    });
  }
}
