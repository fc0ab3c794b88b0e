// Collects the body of a submission, which may be large, piece by piece. Many megabytes are never copied at once, because all other requests would wait.
// A small body ends up in a buffer of its own. A large one grows in shared memory, which a compute worker reads in place, so handing it over costs nothing.

import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ApiError, ERRORS } from '../protocol/errors.ts';
import { type Coding, codingOf, inflateFailure, tooLargeInflated } from '../protocol/requests/body.ts';

/** Output of one step of decompression. */
const CHUNK_BYTES = 65_536;
const inflaters = {
  gzip: createGunzip,
  zlib: createInflate,
  raw: createInflateRaw,
  br: createBrotliDecompress,
} satisfies Record<Coding, unknown>;

/**
 * Reads a body and undoes its content encoding.
 * @param capBytes most bytes, both as sent and inflated
 * @param largeBytes bodies with more bytes go to shared memory
 * @throws ApiError bodyTooLarge, encodingUnsupported, or parseError for damaged or truncated bytes
 */
export async function gatherBody(source: Readable, encoding: string | undefined, capBytes: number, largeBytes: number): Promise<Buffer> {
  const sent = await gather(source, capBytes, largeBytes, () => new ApiError(ERRORS.bodyTooLarge)).catch(error => {
    throw error instanceof ApiError ? error : new ApiError(ERRORS.parseError, 'The body breaks off.');
  });
  const coding = sent.length === 0 ? undefined : codingOf(encoding, sent);
  if (coding === undefined) return sent;
  const inflater = inflaters[coding]({ chunkSize: CHUNK_BYTES });
  inflater.end(sent);
  try {
    return await gather(inflater, capBytes, largeBytes, () => tooLargeInflated(capBytes));
  } catch (error) {
    inflater.destroy();
    throw error instanceof ApiError ? error : inflateFailure(error as NodeJS.ErrnoException, encoding, capBytes);
  }
}

/** Collects a stream. @throws the stream's own error, or `tooLarge()` as soon as there are more bytes than the cap */
function gather(source: Readable, capBytes: number, largeBytes: number, tooLarge: () => Error): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  let shared: SharedArrayBuffer | undefined;
  const add = (piece: Uint8Array): void => {
    const start = length;
    length += piece.length;
    if (shared === undefined && length <= largeBytes) {
      pieces.push(piece);
      return;
    }
    // This reserves address space only; memory is used as the body grows.
    shared ??= new SharedArrayBuffer(0, { maxByteLength: capBytes });
    shared.grow(length);
    const bytes = new Uint8Array(shared);
    let at = 0;
    for (const earlier of pieces) {
      bytes.set(earlier, at);
      at += earlier.length;
    }
    pieces.length = 0;
    bytes.set(piece, start);
  };
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      source.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (piece: Uint8Array): void => {
      if (length + piece.length <= capBytes) {
        add(piece);
        return;
      }
      leave();
      reject(tooLarge());
    };
    const onEnd = (): void => {
      leave();
      resolve(shared === undefined ? Buffer.concat(pieces, length) : Buffer.from(shared, 0, length));
    };
    const onError = (error: Error): void => {
      leave();
      reject(error);
    };
    source.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
