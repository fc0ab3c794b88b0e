// The record of a room: a FlatBuffers table. The schema is room.fbs.

import { Builder } from 'flatbuffers';
import { CheckedTable } from '../environment/checked_table.ts';
import type { Room } from './building.ts';
import { readRings, writeRings } from './coordinates.ts';

/** Slot numbers of the table, as in room.fbs. Never reuse one. */
const NAME = 0;
const OUTLINE = 1;
const SLOTS = 2;

/** The record, as error messages name it. */
const RECORD = 'The record of a room';
const USUAL_BYTES = 256;

/** Encodes a room. */
export function encodeRoom({ name, outline }: Room): Uint8Array {
  const builder = new Builder(USUAL_BYTES);
  const nameAt = builder.createString(name);
  const outlineAt = writeRings(builder, outline);
  builder.startObject(SLOTS);
  builder.addFieldOffset(NAME, nameAt, 0);
  builder.addFieldOffset(OUTLINE, outlineAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a room that does not refer to the bytes.
 * @throws Error when the bytes are no room
 */
export function decodeRoom(bytes: Uint8Array): Room {
  const table = new CheckedTable(bytes, RECORD);
  const name = table.text(NAME);
  const outline = readRings(table, OUTLINE, RECORD);
  if (name === '') throw new Error(`${RECORD} is damaged: it has no name.`);
  if (outline.length === 0) throw new Error(`${RECORD} is damaged: it has no outline.`);
  return { name, outline };
}
