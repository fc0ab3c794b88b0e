// Inflates the body of a query in a compute worker. Counting the objects and lists of what a few kilobytes inflate to takes milliseconds, which other requests of
// the HTTP thread would wait for.

import type { Answerer } from '../pool/answerer.ts';
import { inflateLarge } from '../protocol/requests/body.ts';
import { SharedPieces } from '../protocol/requests/shared_pieces.ts';

/** Input from the HTTP thread. */
interface CompressedBody {
  bytes: Uint8Array;
  /** Value of the Content-Encoding header. */
  encoding: string | undefined;
  /** Most bytes that may come out. */
  capBytes: number;
}

/** Undoes the content encoding of one body. @returns a view of shared memory @throws ApiError as `inflate` */
export async function inflateBody(_: Answerer, { bytes, encoding, capBytes }: CompressedBody): Promise<Uint8Array> {
  const sent = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return await inflateLarge(sent, encoding, capBytes, new SharedPieces(capBytes));
}
