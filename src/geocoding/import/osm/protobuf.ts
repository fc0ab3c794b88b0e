// Messages of Protocol Buffers, read field by field (protobuf.dev/programming-guides/encoding): a field is its number, its kind, and its value. Fields that a
// reader does not know are stepped over by their kind.

import { BadDataError } from '../../index/bad_data.ts';
import { ByteReader } from '../../index/varint.ts';

export const WIRE_VARINT = 0;
const WIRE_64 = 1;
export const WIRE_BYTES = 2;
const WIRE_32 = 5;

/** Number and kind of the field that comes next. @throws BadDataError at the end */
export function readField(reader: ByteReader): { field: number; wire: number } {
  const key = reader.unsigned();
  return { field: Math.floor(key / 8), wire: key & 7 };
}

/** Steps over the value of a field of the kind `wire`. @throws BadDataError at the end, and for an unknown kind */
export function skipField(reader: ByteReader, wire: number): void {
  if (wire === WIRE_VARINT) reader.int64();
  else if (wire === WIRE_64) reader.skip(8);
  else if (wire === WIRE_BYTES) reader.skip(reader.unsigned());
  else if (wire === WIRE_32) reader.skip(4);
  else throw new BadDataError(`A field has the unknown kind ${wire}.`);
}

/** The message that a field of the kind `WIRE_BYTES` holds. @throws BadDataError when it is longer than what there is */
export function messageIn(reader: ByteReader): ByteReader {
  const length = reader.unsigned();
  const start = reader.skip(length);
  return new ByteReader(reader.bytes, start, reader.at);
}
