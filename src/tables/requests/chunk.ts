// A chunk of the request log: records of one block of ids, before they are compressed and as the log stores them.

import { zstdDecompressSync } from 'node:zlib';
import { LOG_BLOCK_IDS } from './log_ids.ts';
import { recordLength, recordLogId, recordTimeMs, redactRecords } from './record.ts';

/** Records of one value before compression: a value costs at most some twenty pages, which LMDB finds again among the freed ones. */
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
