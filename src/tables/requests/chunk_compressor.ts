// Compresses the chunks of the request log, each to a zstd frame of its own, with one compressor for all of them.
// zlib's one-shot functions make a context of more than a megabyte for each call, and V8, which counts that memory,
// answers with major collections that stop the writer thread; a stream keeps its context. The work is done in libuv's
// threads, so that a charge that waits for the writer does not wait for a chunk as well.

import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';

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
