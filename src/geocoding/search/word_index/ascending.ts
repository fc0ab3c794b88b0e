// Ascending lists of whole numbers as bytes: their differences as varints (index/varint.ts).

import { ByteReader, type ByteWriter } from '../../index/varint.ts';

/** Encodes ascending numbers. @param writer empty, before and after */
export function encodeAscending(writer: ByteWriter, numbers: Uint32Array): Buffer {
  let last = 0;
  for (const number of numbers) {
    writer.unsigned(number - last);
    last = number;
  }
  return writer.take();
}

/** Visits the encoded numbers, at most so many. */
export function forEachAscending(bytes: Buffer, limit: number, visit: (number: number) => void): void {
  const reader = new ByteReader(bytes);
  let last = 0;
  for (let left = limit; left > 0 && reader.at < reader.end; left--) {
    last += reader.unsigned();
    visit(last);
  }
}
