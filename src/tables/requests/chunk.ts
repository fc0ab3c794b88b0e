// A chunk of the request log: records of one block of ids, before they are compressed and as the log stores them; and
// its keys, by the first id and by time.

import { constants, createZstdCompress, type ZstdCompress, zstdDecompressSync } from 'node:zlib';
import { Row, u64Key } from '../environment/row.ts';
import { recordLength, recordLogId, recordTimeMs } from './record.ts';
import { LOG_BLOCK_IDS } from './ring.ts';

/**
 * Records of one value before compression: a value costs at most some twenty pages, which LMDB finds again among the
 * freed ones.
 */
const CHUNK_BYTES = 262_144;
/** Key of a chunk in the table by time. */
const TIME_KEY = new Row({ timeMs: u64Key, firstId: u64Key });

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
 * The records of a chunk.
 * @param damage what a chunk that cannot be unpacked means, the beginning of a sentence
 * @throws Error when it cannot
 */
export function unpackRecords(value: Buffer, damage: string): Buffer {
  try {
    return zstdDecompressSync(value.subarray(RECORDS));
  } catch (error) {
    throw new Error(`${damage}: ${(error as Error).message}.`, { cause: error });
  }
}

/** Key of a chunk in the table by time. @param timeMs of its oldest request */
export function timeKey(timeMs: number, firstId: number): Buffer {
  return TIME_KEY.encode({ timeMs: Math.max(0, Math.floor(timeMs)), firstId });
}

// Compresses the chunks of the request log, each to a zstd frame of its own, with one compressor for all of them.
// zlib's one-shot functions make a context of more than a megabyte for each call, and V8, which counts that memory,
// answers with major collections that stop the writer thread; a stream keeps its context. The work is done in libuv's
// threads, so that a charge that waits for the writer does not wait for a chunk as well.

/** Level 1 leaves an eighth already; higher ones cost more than they save. */
const ZSTD_FAST = { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 };
/**
 * Room for what is compressed, before another piece of memory is taken: more than a frame of one chunk needs at worst.
 */
const OUTPUT_BYTES = 524_288;

/** Compresses one chunk after the other. */
export class ChunkCompressor {
  private stream: ZstdCompress | undefined;
  private readonly pieces: Buffer[] = [];
  /** Fails the compression under way. */
  private fail: (error: Error) => void = () => {};

  /**
   * Compresses a chunk. Not to be called again before the promise is settled.
   * @param chunk must not change until then
   * @param before bytes left free in front of the frame
   * @returns these bytes, undefined, and the frame
   * @throws Error when zstd fails; the next call begins with a new context
   */
  async compress(chunk: Uint8Array, before: number): Promise<Buffer> {
    this.pieces.length = 0;
    this.stream ??= this.open();
    const { stream } = this;
    await new Promise<void>((resolve, reject) => {
      this.fail = reject;
      stream.write(chunk, error => (error ? reject(error) : resolve()));
    });
    const value = Buffer.allocUnsafe(this.pieces.reduce((bytes, piece) => bytes + piece.length, before));
    let at = before;
    for (const piece of this.pieces) at += piece.copy(value, at);
    return value;
  }

  /** Frees the context. */
  close(): void {
    this.stream?.destroy();
    this.stream = undefined;
  }

  private open(): ZstdCompress {
    // Ending the frame with each write makes a write a frame; the context begins the next one by itself.
    const stream = createZstdCompress({ params: ZSTD_FAST, flush: constants.ZSTD_e_end, chunkSize: OUTPUT_BYTES });
    stream.on('data', (piece: Buffer) => this.pieces.push(piece));
    stream.on('error', error => {
      // A write that zstd fails in is never called back.
      this.stream = undefined;
      this.fail(error);
    });
    return stream;
  }
}
