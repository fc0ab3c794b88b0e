// The record of a floor, without its index and its rooms: a FlatBuffers table, so absent fields take no room. The
// schema is floor.fbs.

import { Builder } from 'flatbuffers';
import { CheckedTable } from '../environment/checked_table.ts';
import type { FloorPlan } from './building.ts';
import { readRings, readSegments, writeRings, writeSegments } from './coordinates.ts';

/** Slot numbers of the table, as in floor.fbs. Never reuse one. */
const LABEL = 0;
const OUTLINE = 1;
const WALLS = 2;
const DOORS = 3;
const STAIRS = 4;
const SLOTS = 5;

/** The record, as error messages name it. */
const RECORD = 'The record of a floor';
const USUAL_BYTES = 4_096;

/** Encodes a floor. */
export function encodeFloor({ label, outline, walls, doors, stairs }: FloorPlan): Uint8Array {
  const builder = new Builder(USUAL_BYTES);
  const labelAt = label === '' ? 0 : builder.createString(label);
  const outlineAt = writeRings(builder, outline);
  const wallsAt = writeSegments(builder, walls);
  const doorsAt = writeSegments(builder, doors);
  const stairsAt = writeSegments(builder, stairs);
  builder.startObject(SLOTS);
  builder.addFieldOffset(LABEL, labelAt, 0);
  builder.addFieldOffset(OUTLINE, outlineAt, 0);
  builder.addFieldOffset(WALLS, wallsAt, 0);
  builder.addFieldOffset(DOORS, doorsAt, 0);
  builder.addFieldOffset(STAIRS, stairsAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a floor that does not refer to the bytes.
 * @throws Error when the bytes are no floor
 */
export function decodeFloor(bytes: Uint8Array): FloorPlan {
  const table = new CheckedTable(bytes, RECORD);
  return {
    label: table.text(LABEL),
    outline: readRings(table, OUTLINE, RECORD),
    walls: readSegments(table, WALLS, RECORD),
    doors: readSegments(table, DOORS, RECORD),
    stairs: readSegments(table, STAIRS, RECORD),
  };
}
