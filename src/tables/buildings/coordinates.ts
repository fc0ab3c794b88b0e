// Rings and segments in a record: vectors of structs whose members are longitudes and latitudes in turn. Rings follow
// one another; each ends where it comes back to its first point.

import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { CheckedTable } from '../environment/checked_table.ts';
import type { Rings } from './building.ts';

const POINT_BYTES = 8;
const SEGMENT_BYTES = 16;
const LATITUDE_MAX = 90 * UNITS_PER_DEGREE;
const LONGITUDE_MAX = 180 * UNITS_PER_DEGREE;
/** Three corners and the first again. */
const RING_NUMBERS_MIN = 8;

/** The part of a FlatBuffers builder that writes vectors. */
interface VectorBuilder {
  startVector(bytes: number, length: number, alignment: number): void;
  addInt32(value: number): void;
  endVector(): number;
}

/** Writes rings. @returns where they stand; 0, which is an absent field, for none */
export function writeRings(builder: VectorBuilder, rings: Rings): number {
  return writeNumbers(builder, POINT_BYTES, rings);
}

/** The same for segments, four numbers each. */
export function writeSegments(builder: VectorBuilder, segments: Int32Array): number {
  return writeNumbers(builder, SEGMENT_BYTES, [segments]);
}

function writeNumbers(builder: VectorBuilder, structBytes: number, parts: readonly Int32Array[]): number {
  const length = (parts.reduce((sum, part) => sum + part.length, 0) * Int32Array.BYTES_PER_ELEMENT) / structBytes;
  if (length === 0) return 0;
  builder.startVector(structBytes, length, Int32Array.BYTES_PER_ELEMENT);
  // From the last to the first, as the library writes.
  for (let part = parts.length - 1; part >= 0; part--) {
    const numbers = parts[part];
    for (let i = numbers.length - 1; i >= 0; i--) builder.addInt32(numbers[i]);
  }
  return builder.endVector();
}

/**
 * Reads rings that do not refer to the bytes; none where the field is absent.
 * @param what name of the record, for error messages
 * @throws Error when they are none
 */
export function readRings(table: CheckedTable, slot: number, what: string): Int32Array[] {
  const numbers = readNumbers(table, slot, POINT_BYTES, what);
  const rings: Int32Array[] = [];
  let start = 0;
  for (let i = 2; i < numbers.length; i += 2) {
    if (i === start || numbers[i] !== numbers[start] || numbers[i + 1] !== numbers[start + 1]) continue;
    if (i + 2 - start < RING_NUMBERS_MIN) throw damaged(what, 'it has a ring of no area');
    rings.push(numbers.subarray(start, i + 2));
    start = i + 2;
  }
  if (start !== numbers.length) throw damaged(what, 'it has a ring that is not closed');
  return rings;
}

/** The same for segments. */
export function readSegments(table: CheckedTable, slot: number, what: string): Int32Array {
  return readNumbers(table, slot, SEGMENT_BYTES, what);
}

function readNumbers(table: CheckedTable, slot: number, structBytes: number, what: string): Int32Array {
  // A copy: the memory of LMDB is not aligned, and does not last.
  const numbers = new Int32Array(new Uint8Array(table.structs(slot, structBytes)).buffer);
  for (let i = 0; i < numbers.length; i += 2) {
    if (Math.abs(numbers[i]) > LONGITUDE_MAX || Math.abs(numbers[i + 1]) > LATITUDE_MAX)
      throw damaged(what, 'it has a point that is not on the globe');
  }
  return numbers;
}

function damaged(what: string, reason: string): Error {
  return new Error(`${what} is damaged: ${reason}.`);
}
