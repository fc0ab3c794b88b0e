// The record of a building: a FlatBuffers table, so absent fields take no room. The schema is building.fbs.

import { Builder } from 'flatbuffers';
import { CheckedTable } from '../environment/checked_table.ts';
import type { Building } from './building.ts';
import { readRings, writeRings } from './coordinates.ts';

/** Slot numbers of the table, as in building.fbs. Never reuse one. */
const MODEL_ID = 0;
const BUILDING_ID = 1;
const NAME = 2;
const OUTLINE = 3;
const SLOTS = 4;

/** The record, as error messages name it. */
const RECORD = 'The record of a building';
const USUAL_BYTES = 512;

/** Encodes a building. */
export function encodeBuilding({ modelId, buildingId, name, outline }: Building): Uint8Array {
  const builder = new Builder(USUAL_BYTES);
  const nameAt = name === '' ? 0 : builder.createString(name);
  const outlineAt = writeRings(builder, outline);
  builder.startObject(SLOTS);
  if (modelId !== undefined) builder.addFieldFloat64(MODEL_ID, modelId, null);
  if (buildingId !== undefined) builder.addFieldFloat64(BUILDING_ID, buildingId, null);
  builder.addFieldOffset(NAME, nameAt, 0);
  builder.addFieldOffset(OUTLINE, outlineAt, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/**
 * Decodes a record into a building that does not refer to the bytes.
 * @throws Error when the bytes are no building
 */
export function decodeBuilding(bytes: Uint8Array): Building {
  const table = new CheckedTable(bytes, RECORD);
  const outline = readRings(table, OUTLINE, RECORD);
  if (outline.length === 0) throw new Error(`${RECORD} is damaged: it has no footprint.`);
  return {
    modelId: numberAt(table, MODEL_ID),
    buildingId: numberAt(table, BUILDING_ID),
    name: table.text(NAME),
    outline,
  };
}

function numberAt(table: CheckedTable, slot: number): number | undefined {
  if (!table.has(slot)) return undefined;
  const number = table.float(slot);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`${RECORD} is damaged: it has the number ${number}.`);
}
