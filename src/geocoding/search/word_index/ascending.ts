// Ascending lists of whole numbers as bytes: the differences, as varint.ts writes them.

import { ByteReader, type ByteWriter } from '../../index/varint.ts';

/** Ascending numbers as bytes. @param writer empty, as it is again afterwards */
export function encodeAscending(writer: ByteWriter, numbers: Uint32Array): Buffer {
  let last = 0;
  for (const number of numbers) {
    writer.unsigned(number - last);
    last = number;
  }
  return writer.take();
}

/** Calls back with the numbers that were written, at most so many. */
export function forEachAscending(bytes: Buffer, limit: number, visit: (number: number) => void): void {
  const reader = new ByteReader(bytes);
  let last = 0;
  for (let left = limit; left > 0 && reader.at < reader.end; left--) {
    last += reader.unsigned();
    visit(last);
  }
}
