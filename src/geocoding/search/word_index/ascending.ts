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

/** Visits the encoded numbers. @returns how many there are */
export function forEachAscending(bytes: Buffer, visit: (number: number) => void): number {
  const reader = new ByteReader(bytes);
  let last = 0;
  let count = 0;
  for (; reader.at < reader.end; count++) {
    last += reader.unsigned();
    visit(last);
  }
  return count;
}
