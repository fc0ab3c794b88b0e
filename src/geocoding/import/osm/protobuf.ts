// Protocol Buffers messages, read field by field (protobuf.dev/programming-guides/encoding). A field is its number, its
// wire type and its value. Unknown fields are skipped by their wire type.

import { BadDataError, ByteReader } from '../../index/varint.ts';

export const WIRE_VARINT = 0;
const WIRE_64 = 1;
export const WIRE_BYTES = 2;
const WIRE_32 = 5;

/** Number and wire type of the next field. @throws BadDataError at the end */
export function readField(reader: ByteReader): { field: number; wire: number } {
  const key = reader.unsigned();
  return { field: Math.floor(key / 8), wire: key & 7 };
}

/** Skips the value of a field. @throws BadDataError at the end and for an unknown wire type */
export function skipField(reader: ByteReader, wire: number): void {
  if (wire === WIRE_VARINT) reader.int64();
  else if (wire === WIRE_64) reader.skip(8);
  else if (wire === WIRE_BYTES) reader.skip(reader.unsigned());
  else if (wire === WIRE_32) reader.skip(4);
  else throw new BadDataError(`A field has the unknown kind ${wire}.`);
}

/** The message in a field of wire type `WIRE_BYTES`. @throws BadDataError if it is longer than the remaining bytes */
export function messageIn(reader: ByteReader): ByteReader {
  const length = reader.unsigned();
  const start = reader.skip(length);
  return new ByteReader(reader.bytes, start, reader.at);
}
