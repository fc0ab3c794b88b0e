// The record of a building: a FlatBuffers table, so absent fields take no room. The schema is building.fbs.

import { Builder } from 'flatbuffers';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { CheckedTable } from '../../../tables/environment/checked_table.ts';
import type { Building, FloorPlan, Rings, Room } from './building.ts';

/** Slot numbers of the table, as in building.fbs. Never reuse one. */
const MODEL_ID = 0;
const BUILDING_ID = 1;
const BUILDING_NAME = 2;
const BUILDING_OUTLINE = 3;
const BUILDING_SLOTS = 4;

/** The record, as error messages name it. */
const BUILDING_RECORD = 'The record of a building';
const BUILDING_USUAL_BYTES = 512;

/** Encodes a building. */
export function encodeBuilding({ modelId, buildingId, name, outline }: Building): Uint8Array {
  const builder = new Builder(BUILDING_USUAL_BYTES);
  const nameAt = name === '' ? 0 : builder.createString(name);
  const outlineAt = writeRings(builder, outline);
  builder.startObject(BUILDING_SLOTS);
  if (modelId !== undefined) builder.addFieldFloat64(MODEL_ID, modelId, null);
  if (buildingId !== undefined) builder.addFieldFloat64(BUILDING_ID, buildingId, null);
  builder.addFieldOffset(BUILDING_NAME, nameAt, 0);
  builder.addFieldOffset(BUILDING_OUTLINE, outlineAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a building that does not refer to the bytes.
 * @throws Error when the bytes are no building
 */
export function decodeBuilding(bytes: Uint8Array): Building {
  const table = new CheckedTable(bytes, BUILDING_RECORD);
  const outline = readRings(table, BUILDING_OUTLINE, BUILDING_RECORD);
  if (outline.length === 0) throw new Error(`${BUILDING_RECORD} is damaged: it has no footprint.`);
  return {
    modelId: numberAt(table, MODEL_ID),
    buildingId: numberAt(table, BUILDING_ID),
    name: table.text(BUILDING_NAME),
    outline,
  };
}

function numberAt(table: CheckedTable, slot: number): number | undefined {
  if (!table.has(slot)) return undefined;
  const number = table.float(slot);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`${BUILDING_RECORD} is damaged: it has the number ${number}.`);
}

// Rings and segments in a record: vectors of structs whose members are longitudes and latitudes in turn. Rings follow
// one another; each ends where it comes back to its first point.

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
function writeRings(builder: VectorBuilder, rings: Rings): number {
  return writeNumbers(builder, POINT_BYTES, rings);
}

/** The same for segments, four numbers each. */
function writeSegments(builder: VectorBuilder, segments: Int32Array): number {
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
function readRings(table: CheckedTable, slot: number, what: string): Int32Array[] {
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

/** The segments of a floor. */
function readSegments(table: CheckedTable, slot: number): Int32Array {
  return readNumbers(table, slot, SEGMENT_BYTES, FLOOR_RECORD);
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

// The record of a floor, without its index and its rooms: a FlatBuffers table, so absent fields take no room. The
// schema is floor.fbs.

/** Slot numbers of the table, as in floor.fbs. Never reuse one. */
const FLOOR_LABEL = 0;
const FLOOR_OUTLINE = 1;
const FLOOR_WALLS = 2;
const FLOOR_DOORS = 3;
const FLOOR_STAIRS = 4;
const FLOOR_SLOTS = 5;

const FLOOR_RECORD = 'The record of a floor';
const FLOOR_USUAL_BYTES = 4_096;

/** Encodes a floor. */
export function encodeFloor({ label, outline, walls, doors, stairs }: FloorPlan): Uint8Array {
  const builder = new Builder(FLOOR_USUAL_BYTES);
  const labelAt = label === '' ? 0 : builder.createString(label);
  const outlineAt = writeRings(builder, outline);
  const wallsAt = writeSegments(builder, walls);
  const doorsAt = writeSegments(builder, doors);
  const stairsAt = writeSegments(builder, stairs);
  builder.startObject(FLOOR_SLOTS);
  builder.addFieldOffset(FLOOR_LABEL, labelAt, 0);
  builder.addFieldOffset(FLOOR_OUTLINE, outlineAt, 0);
  builder.addFieldOffset(FLOOR_WALLS, wallsAt, 0);
  builder.addFieldOffset(FLOOR_DOORS, doorsAt, 0);
  builder.addFieldOffset(FLOOR_STAIRS, stairsAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a floor that does not refer to the bytes.
 * @throws Error when the bytes are no floor
 */
export function decodeFloor(bytes: Uint8Array): FloorPlan {
  const table = new CheckedTable(bytes, FLOOR_RECORD);
  return {
    label: table.text(FLOOR_LABEL),
    outline: readRings(table, FLOOR_OUTLINE, FLOOR_RECORD),
    walls: readSegments(table, FLOOR_WALLS),
    doors: readSegments(table, FLOOR_DOORS),
    stairs: readSegments(table, FLOOR_STAIRS),
  };
}

// The record of a room: a FlatBuffers table. The schema is room.fbs.

/** Slot numbers of the table, as in room.fbs. Never reuse one. */
const ROOM_NAME = 0;
const ROOM_OUTLINE = 1;
const ROOM_SLOTS = 2;

const ROOM_RECORD = 'The record of a room';
const ROOM_USUAL_BYTES = 256;

/** Encodes a room. */
export function encodeRoom({ name, outline }: Room): Uint8Array {
  const builder = new Builder(ROOM_USUAL_BYTES);
  const nameAt = builder.createString(name);
  const outlineAt = writeRings(builder, outline);
  builder.startObject(ROOM_SLOTS);
  builder.addFieldOffset(ROOM_NAME, nameAt, 0);
  builder.addFieldOffset(ROOM_OUTLINE, outlineAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a room that does not refer to the bytes.
 * @throws Error when the bytes are no room
 */
export function decodeRoom(bytes: Uint8Array): Room {
  const table = new CheckedTable(bytes, ROOM_RECORD);
  const name = table.text(ROOM_NAME);
  const outline = readRings(table, ROOM_OUTLINE, ROOM_RECORD);
  if (name === '') throw new Error(`${ROOM_RECORD} is damaged: it has no name.`);
  if (outline.length === 0) throw new Error(`${ROOM_RECORD} is damaged: it has no outline.`);
  return { name, outline };
}
