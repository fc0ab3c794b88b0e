// The record of a place in a layer: a FlatBuffers table, so absent fields take no room. The schema is place.fbs.

import { Builder } from 'flatbuffers';
import { UNITS_PER_DEGREE, unitsOf } from '../../geo/units.ts';
import { CheckedTable } from '../environment/checked_table.ts';
import { type HouseRange, NO_TAGS, OSM_RELATION, type OsmType, type Place } from './place.ts';
import { RANK_HOUSE } from './ranks.ts';

/** Slot numbers of the table, as in place.fbs. Never reuse one. */
const OSM_TYPE = 0;
const OSM_ID = 1;
const CATEGORY = 2;
const TYPE = 3;
const SEARCH_RANK = 4;
const ADDRESS_RANK = 5;
const IMPORTANCE = 6;
const LATITUDE = 7;
const LONGITUDE = 8;
const SOUTH = 9;
const NORTH = 10;
const WEST = 11;
const EAST = 12;
const NAMES = 13;
const COUNTRY_CODE = 14;
const SUBDIVISION_CODE = 15;
const HOUSE_NUMBER = 16;
const HOUSE_NAME = 17;
const POSTCODE = 18;
const LINKED_PLACE = 19;
const IS_ADDRESS_INHERITED = 20;
const PARENT = 21;
const ROWS = 22;
const RANGE_START = 23;
const RANGE_END = 24;
const RANGE_STEP = 25;
const STREET = 26;
const STREET_AS_WRITTEN = 27;
const IS_DISTRICT = 28;
const TOWN = 29;
const ALSO_WRITTEN = 30;
const QUARTER = 31;
const NEIGHBOURHOOD = 32;
const CITY_BLOCK = 33;
const UNIT = 34;
const TAGS = 35;
const SLOTS = 36;

/** Texts of a place, by slot. */
const TEXTS = [
  [CATEGORY, 'category'],
  [TYPE, 'type'],
  [COUNTRY_CODE, 'countryCode'],
  [SUBDIVISION_CODE, 'subdivisionCode'],
  [HOUSE_NUMBER, 'houseNumber'],
  [HOUSE_NAME, 'houseName'],
  [STREET, 'street'],
  [STREET_AS_WRITTEN, 'streetAsWritten'],
  [POSTCODE, 'postcode'],
  [LINKED_PLACE, 'linkedPlace'],
  [TOWN, 'town'],
  [ALSO_WRITTEN, 'alsoWritten'],
  [QUARTER, 'quarter'],
  [NEIGHBOURHOOD, 'neighbourhood'],
  [CITY_BLOCK, 'cityBlock'],
  [UNIT, 'unit'],
] as const;
/** Sides of a place's bounding box, by slot, stored as differences from its position, modulo 2^32. */
const LATITUDES = [
  [SOUTH, 'south'],
  [NORTH, 'north'],
] as const;
const LONGITUDES = [
  [WEST, 'west'],
  [EAST, 'east'],
] as const;

/** The record, as error messages name it. */
const RECORD = 'The record of a place';
/** Most records take less. */
const USUAL_BYTES = 512;
/** Memory for a short text on its way. */
const shortText = new Uint8Array(64);
const STEP_MAX = 9;
const HALF_TURN = 180 * UNITS_PER_DEGREE;
const BITS_32 = 2 ** 32;

/** What records are encoded with, one after the other. */
export function placeBuilder(): Builder {
  return new Builder(USUAL_BYTES);
}

/**
 * Encodes a place. Positions are rounded to ten-millionths of a degree, a centimetre.
 * @param builder by default a new one; the bytes are its memory, so they are valid until its next use
 */
export function encodePlace(place: Place, builder = placeBuilder()): Uint8Array {
  builder.clear();
  const texts = new Uint32Array(TEXTS.length);
  for (let i = 0; i < TEXTS.length; i++) texts[i] = writeText(builder, place[TEXTS[i][1]]);
  const names = writeTexts(builder, place.names);
  const tags = writeTexts(builder, place.tags);
  const rows = writeRows(builder, place.rows);
  const latitude = unitsOf(place.latitude);
  const longitude = unitsOf(place.longitude);
  builder.startObject(SLOTS);
  builder.addFieldFloat64(OSM_ID, place.osmId, 0);
  builder.addFieldFloat64(IMPORTANCE, place.importance, 0);
  builder.addFieldInt32(LATITUDE, latitude, 0);
  builder.addFieldInt32(LONGITUDE, longitude, 0);
  for (const [slot, member] of LATITUDES) builder.addFieldInt32(slot, unitsOf(place[member]) - latitude, 0);
  for (const [slot, member] of LONGITUDES) builder.addFieldInt32(slot, unitsOf(place[member]) - longitude, 0);
  for (let i = 0; i < TEXTS.length; i++) builder.addFieldOffset(TEXTS[i][0], texts[i], 0);
  builder.addFieldOffset(NAMES, names, 0);
  builder.addFieldOffset(TAGS, tags, 0);
  builder.addFieldOffset(ROWS, rows, 0);
  builder.addFieldInt32(PARENT, place.parent, 0);
  if (place.houseRange !== undefined) {
    builder.addFieldInt32(RANGE_START, place.houseRange.start, 0);
    builder.addFieldInt32(RANGE_END, place.houseRange.end, 0);
    builder.addFieldInt8(RANGE_STEP, place.houseRange.step, 0);
  }
  builder.addFieldInt8(OSM_TYPE, place.osmType, 0);
  builder.addFieldInt8(SEARCH_RANK, place.searchRank, 0);
  builder.addFieldInt8(ADDRESS_RANK, place.addressRank, 0);
  builder.addFieldInt8(IS_ADDRESS_INHERITED, place.isAddressInherited ? 1 : 0, 0);
  builder.addFieldInt8(IS_DISTRICT, place.isDistrict ? 1 : 0, 0);
  builder.finish(builder.endObject());
  return builder.asUint8Array();
}

/** Writes a text. @returns its offset; 0 for an empty one, which is left out */
function writeText(builder: Builder, text: string): number {
  return text === '' ? 0 : writeString(builder, text);
}

/** Writes a text, a short one in ASCII, as most are, without the encoder. @returns its offset */
function writeString(builder: Builder, text: string): number {
  if (text.length > shortText.length) return builder.createString(text);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return builder.createString(text);
    shortText[i] = code;
  }
  return builder.createString(shortText.subarray(0, text.length));
}

/** Writes texts by key. @returns the offset of the list, 0 for none */
function writeTexts(builder: Builder, texts: Readonly<Record<string, string>>): number {
  const offsets: number[] = [];
  for (const key in texts) offsets.push(writeString(builder, key), writeString(builder, texts[key]));
  if (offsets.length === 0) return 0;
  builder.startVector(4, offsets.length, 4);
  for (let i = offsets.length - 1; i >= 0; i--) builder.addOffset(offsets[i]);
  return builder.endVector();
}

function writeRows(builder: Builder, rows: readonly number[]): number {
  if (rows.length === 0) return 0;
  builder.startVector(4, rows.length, 4);
  for (let i = rows.length - 1; i >= 0; i--) builder.addInt32(rows[i]);
  return builder.endVector();
}

/**
 * Decodes a record into a place that does not refer to the bytes.
 * @throws Error when the bytes are no place
 */
export function decodePlace(bytes: Uint8Array): Place {
  const table = new CheckedTable(bytes, RECORD);
  const latitude = table.signed(LATITUDE);
  const longitude = table.signed(LONGITUDE);
  const place: Place = {
    osmType: table.byte(OSM_TYPE) as OsmType,
    osmId: table.has(OSM_ID) ? table.float(OSM_ID) : 0,
    category: table.text(CATEGORY),
    type: table.text(TYPE),
    searchRank: table.byte(SEARCH_RANK),
    addressRank: table.byte(ADDRESS_RANK),
    importance: table.has(IMPORTANCE) ? table.float(IMPORTANCE) : 0,
    latitude: latitude / UNITS_PER_DEGREE,
    longitude: longitude / UNITS_PER_DEGREE,
    south: (latitude + table.signed(SOUTH)) / UNITS_PER_DEGREE,
    north: (latitude + table.signed(NORTH)) / UNITS_PER_DEGREE,
    west: longitudeFrom(longitude, table.signed(WEST)) / UNITS_PER_DEGREE,
    east: longitudeFrom(longitude, table.signed(EAST)) / UNITS_PER_DEGREE,
    names: textsByKey(table.texts(NAMES)),
    countryCode: table.text(COUNTRY_CODE),
    subdivisionCode: table.text(SUBDIVISION_CODE),
    houseNumber: table.text(HOUSE_NUMBER),
    houseName: table.text(HOUSE_NAME),
    street: table.text(STREET),
    streetAsWritten: table.text(STREET_AS_WRITTEN),
    postcode: table.text(POSTCODE),
    linkedPlace: table.text(LINKED_PLACE),
    town: table.text(TOWN),
    alsoWritten: table.text(ALSO_WRITTEN),
    quarter: table.text(QUARTER),
    neighbourhood: table.text(NEIGHBOURHOOD),
    cityBlock: table.text(CITY_BLOCK),
    unit: table.text(UNIT),
    tags: table.has(TAGS) ? textsByKey(table.texts(TAGS)) : NO_TAGS,
    isDistrict: table.flag(IS_DISTRICT),
    isAddressInherited: table.flag(IS_ADDRESS_INHERITED),
    parent: table.unsigned(PARENT),
    rows: table.unsigneds(ROWS),
    houseRange: rangeOf(table),
  };
  if (!(Math.abs(place.latitude) <= 90 && Math.abs(place.longitude) <= 180))
    throw table.damaged('it has no position on the globe');
  if (place.searchRank > RANK_HOUSE || place.addressRank > RANK_HOUSE)
    throw table.damaged(`its rank is above ${RANK_HOUSE}`);
  if (place.osmType > OSM_RELATION) throw table.damaged(`its type of object ${place.osmType} is none`);
  if (!(Number.isSafeInteger(place.osmId) && place.osmId >= 0)) throw table.damaged('its object has no whole number');
  if (!(place.importance >= 0)) throw table.damaged('its importance is no number');
  if (place.importance > 1) throw table.damaged(`its importance ${place.importance} is above 1`);
  const { south, north, west, east, houseRange } = place;
  if (!(Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(west) <= 180 && Math.abs(east) <= 180))
    throw table.damaged('its box is not on the globe');
  if (
    houseRange !== undefined &&
    !(houseRange.start <= houseRange.end && houseRange.step >= 1 && houseRange.step <= STEP_MAX)
  )
    throw table.damaged(`its house numbers ${houseRange.start} to ${houseRange.end} are no range`);
  return place;
}

/**
 * A side of a box from its difference to the position, of which 32 bits were kept: differences are up to a turn, and
 * 2^32 units are more than that.
 */
function longitudeFrom(position: number, difference: number): number {
  const side = position + difference;
  return side > HALF_TURN ? side - BITS_32 : side < -HALF_TURN ? side + BITS_32 : side;
}

function textsByKey(texts: readonly string[]): Record<string, string> {
  const byKey: Record<string, string> = {};
  for (let i = 0; i + 1 < texts.length; i += 2) byKey[texts[i]] = texts[i + 1];
  return byKey;
}

function rangeOf(table: CheckedTable): HouseRange | undefined {
  if (!table.has(RANGE_STEP)) return undefined;
  return { start: table.signed(RANGE_START), end: table.signed(RANGE_END), step: table.byte(RANGE_STEP) };
}
