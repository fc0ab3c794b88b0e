// What the records of buildings, floors and rooms are made of beside texts (building.ts): numbers, rings and segments.
//
// Rings and segments are vectors of structs whose members are longitudes and latitudes in turn. Rings follow one
// another; each ends where it comes back to its first point.

import type { Builder } from 'flatbuffers';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { CheckedTable } from '../../../tables/environment/checked_table.ts';
import { double, type FieldType } from '../../../tables/environment/record.ts';

const POINT_BYTES = 8;
const SEGMENT_BYTES = 16;
const LATITUDE_MAX = 90 * UNITS_PER_DEGREE;
const LONGITUDE_MAX = 180 * UNITS_PER_DEGREE;
/** Three corners and the first again. */
const RING_NUMBERS_MIN = 8;

/** A number of a building or of its model. */
export const number: FieldType<number> = {
  ...double(0, Number.MAX_SAFE_INTEGER),
  read: (table, id, name) => {
    const value = table.float(id);
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw table.damaged(`its ${name} is ${value}`);
  },
};

/** At least one ring. */
export const rings: FieldType<readonly Int32Array[]> = {
  schema: '[Point]',
  struct: `struct Point {
  /// Ten-millionths of a degree.
  longitude_e7:int;
  latitude_e7:int;
}`,
  store: (builder, parts) => writeNumbers(builder, POINT_BYTES, parts),
  add: (builder, id, at) => builder.addFieldOffset(id, at, 0),
  read: (table, id, name) => ringsIn(table, readNumbers(table, id, POINT_BYTES), name),
};

/** At least one segment, four numbers each. */
export const segments: FieldType<Int32Array> = {
  ...rings,
  schema: '[Segment]',
  struct: `struct Segment {
  /// Ten-millionths of a degree.
  longitude_from_e7:int;
  latitude_from_e7:int;
  longitude_to_e7:int;
  latitude_to_e7:int;
}`,
  store: (builder, numbers) => writeNumbers(builder, SEGMENT_BYTES, [numbers]),
  read: (table, id) => readNumbers(table, id, SEGMENT_BYTES),
};

/** @returns where they stand; undefined for none */
function writeNumbers(builder: Builder, structBytes: number, parts: readonly Int32Array[]): number | undefined {
  const length = (parts.reduce((sum, part) => sum + part.length, 0) * Int32Array.BYTES_PER_ELEMENT) / structBytes;
  if (length === 0) return undefined;
  builder.startVector(structBytes, length, Int32Array.BYTES_PER_ELEMENT);
  // From the last to the first, as the library writes.
  for (let part = parts.length - 1; part >= 0; part--) {
    const numbers = parts[part];
    for (let i = numbers.length - 1; i >= 0; i--) builder.addInt32(numbers[i]);
  }
  return builder.endVector();
}

/** The numbers of a vector, which do not refer to the bytes. @throws Error when they are no points */
function readNumbers(table: CheckedTable, id: number, structBytes: number): Int32Array {
  // A copy: the memory of LMDB is not aligned, and does not last.
  const numbers = new Int32Array(new Uint8Array(table.structs(id, structBytes)).buffer);
  for (let i = 0; i < numbers.length; i += 2) {
    if (Math.abs(numbers[i]) > LONGITUDE_MAX || Math.abs(numbers[i + 1]) > LATITUDE_MAX)
      throw table.damaged('it has a point that is not on the globe');
  }
  return numbers;
}

/** @throws Error when the numbers are no rings */
function ringsIn(table: CheckedTable, numbers: Int32Array, name: string): Int32Array[] {
  const found: Int32Array[] = [];
  let start = 0;
  for (let i = 2; i < numbers.length; i += 2) {
    if (i === start || numbers[i] !== numbers[start] || numbers[i + 1] !== numbers[start + 1]) continue;
    if (i + 2 - start < RING_NUMBERS_MIN) throw table.damaged('it has a ring of no area');
    found.push(numbers.subarray(start, i + 2));
    start = i + 2;
  }
  if (start !== numbers.length) throw table.damaged('it has a ring that is not closed');
  if (found.length === 0) throw table.damaged(`its ${name} is empty`);
  return found;
}
