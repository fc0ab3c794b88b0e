// A chunk of the request log: records of one block of ids, before they are compressed and as the log stores them; and
// its keys, by the first id and by time.

import { zstdDecompressSync } from 'node:zlib';
import { LOG_BLOCK_IDS } from './log_ids.ts';
import { recordLength, recordLogId, recordTimeMs, redactRecords } from './record.ts';

/**
 * Records of one value before compression: a value costs at most some twenty pages, which LMDB finds again among the
 * freed ones.
 */
const CHUNK_BYTES = 262_144;

// A chunk's value.
/** Byte at which a chunk has its last logId, f64. */
export const LAST_ID = 0;
/** Byte at which a chunk's records begin, compressed by zstd. */
export const RECORDS = 8;

/** Records of one block of ids, before they are compressed. */
export interface Chunk {
  /** What `start` and `end` are positions in. */
  run: Uint8Array;
  start: number;
  end: number;
  firstId: number;
  lastId: number;
  oldestMs: number;
}

/** Cuts a run of records where a new block of ids begins and where a chunk is full. */
export function chunksOf(run: Uint8Array): Chunk[] {
  const view = new DataView(run.buffer, run.byteOffset, run.byteLength);
  const chunks: Chunk[] = [];
  let chunk: Chunk | undefined;
  for (let at = 0; at < view.byteLength; ) {
    const end = at + recordLength(view, at);
    const id = recordLogId(view, at);
    const timeMs = recordTimeMs(view, at);
    if (chunk === undefined || blockOf(id) !== blockOf(chunk.firstId) || end - chunk.start > CHUNK_BYTES) {
      chunk = { run, start: at, end, firstId: id, lastId: id, oldestMs: timeMs };
      chunks.push(chunk);
    }
    chunk.end = end;
    chunk.firstId = Math.min(chunk.firstId, id);
    chunk.lastId = Math.max(chunk.lastId, id);
    chunk.oldestMs = Math.min(chunk.oldestMs, timeMs);
    at = end;
  }
  return chunks;
}

function blockOf(logId: number): number {
  return Math.floor(logId / LOG_BLOCK_IDS);
}

/**
 * The records of a chunk, without keys.
 * @param damage what a chunk that cannot be unpacked means, the beginning of a sentence
 * @throws Error when it cannot
 */
export function unpackRecords(value: Buffer, damage: string): Buffer {
  let records: Buffer;
  try {
    records = zstdDecompressSync(value.subarray(RECORDS));
  } catch (error) {
    throw new Error(`${damage}: ${(error as Error).message}.`, { cause: error });
  }
  // Earlier versions stored keys that stood in bodies.
  redactRecords(records);
  return records;
}

/** Eight bytes, big-endian, so that LMDB orders numbers 0..2^53-1 by value. */
export function numberKey(value: number): Buffer {
  return writeNumber(Buffer.allocUnsafe(8), 0, value);
}

/** Key of a chunk in the table by time. */
export function timeKey(timeMs: number, firstId: number): Buffer {
  return writeNumber(writeNumber(Buffer.allocUnsafe(16), 0, timeMs), 8, firstId);
}

function writeNumber(key: Buffer, at: number, value: number): Buffer {
  const whole = Math.max(0, Math.floor(value));
  key.writeUInt32BE(Math.floor(whole / 4_294_967_296), at);
  key.writeUInt32BE(whole % 4_294_967_296, at + 4);
  return key;
}

/** The number that a key begins with. */
export function readNumber(key: Buffer): number {
  return key.readUInt32BE(0) * 4_294_967_296 + key.readUInt32BE(4);
}
