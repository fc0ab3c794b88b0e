// Finds cells by scrambling code or physical cell id, for neighbours that a device knows only by that code. A code
// recurs every few kilometres, so the search starts from a known position. Keys are network, code, tile of 0.2 degrees,
// and the rest of the cell's key: the cells of one code around a position are three short ranges. Values are station
// records. Only cells learned from observations are listed.

import type { Database } from 'lmdb';
import { isCell } from '../../radio/kind.ts';
import { CODE_ABSENT } from '../../radio/query/layout.ts';
import { KEY_BYTES_CELL } from '../../radio/station_key.ts';
import { STATION_CODE, STATION_LATITUDE_E7, STATION_LONGITUDE_E7, STATION_STATE } from './record_layout.ts';
import { STATE_ACTIVE, stationView } from './station.ts';

const NETWORK_BYTES = 4;
const TILE_AT = NETWORK_BYTES + 2;
const REST_AT = TILE_AT + 4;
export const CODE_KEY_BYTES = REST_AT + KEY_BYTES_CELL - NETWORK_BYTES;
const TILE_DEGREES = 0.2;
const TILES_AROUND = 360 / TILE_DEGREES;
/** Most cells read for one code: with more, the code identifies none of them. */
const CANDIDATES = 64;

/**
 * The key under which a station of this key and record is listed by its code; undefined when it is not. @throws Error
 * when the record is damaged
 */
export function codeKey(key: Uint8Array, record: Uint8Array): Buffer | undefined {
  const view = stationView(record);
  const code = view.getUint16(STATION_CODE, true);
  if (!isCell(key[0]) || code === CODE_ABSENT || (record[STATION_STATE] & 15) !== STATE_ACTIVE) return undefined;
  const out = Buffer.allocUnsafe(CODE_KEY_BYTES);
  out.set(key.subarray(0, NETWORK_BYTES));
  out.writeUInt16BE(code, NETWORK_BYTES);
  writeTile(
    out,
    row(view.getInt32(STATION_LATITUDE_E7, true) / 1e7),
    column(view.getInt32(STATION_LONGITUDE_E7, true) / 1e7),
  );
  out.set(key.subarray(NETWORK_BYTES, KEY_BYTES_CELL), REST_AT);
  return out;
}

/** Lists a cell under its code as its record is now, in the open transaction. @param before its record until now */
export function listByCode(
  codes: Database<Buffer, Buffer>,
  key: Uint8Array,
  before: Uint8Array | undefined,
  record: Uint8Array | undefined,
): void {
  const old = before && codeKey(key, before);
  const now = record && codeKey(key, record);
  if (old !== undefined && !(now !== undefined && old.equals(now))) codes.removeSync(old);
  if (now !== undefined) codes.putSync(now, Buffer.from(record!.buffer, record!.byteOffset, record!.length));
}

/** The key of the cell that is listed under a key of this table. */
export function cellOfCodeKey(key: Uint8Array): Buffer {
  return Buffer.concat([key.subarray(0, NETWORK_BYTES), key.subarray(REST_AT)]);
}

/**
 * Records of the cells with a code, in the open transaction.
 * @param network that the key at byte `at` begins with
 * @param near position in degrees: only cells within a tile of it; undefined = all
 * @returns undefined when there are too many to tell them apart
 */
export function recordsOfCode(
  codes: Database<Buffer, Buffer>,
  bytes: Uint8Array,
  at: number,
  code: number,
  near: { latitude: number; longitude: number } | undefined,
): Buffer[] | undefined {
  const start = Buffer.alloc(REST_AT);
  start.set(bytes.subarray(at, at + NETWORK_BYTES));
  start.writeUInt16BE(code, NETWORK_BYTES);
  const end = Buffer.concat([start, Buffer.alloc(CODE_KEY_BYTES - REST_AT + 1, 0xff)]);
  const records: Buffer[] = [];
  const read = () => {
    for (const { value } of codes.getRange({ start, end, limit: CANDIDATES + 1 - records.length })) records.push(value);
  };
  if (near === undefined) {
    end.fill(0xff, TILE_AT);
    read();
  } else {
    const middle = column(near.longitude);
    for (let r = row(near.latitude) - 1; r <= row(near.latitude) + 1; r++) {
      if (r < 0) continue;
      for (const [from, to] of columnsAround(middle)) {
        writeTile(start, r, from);
        writeTile(end, r, to);
        read();
      }
    }
  }
  return records.length > CANDIDATES ? undefined : records;
}

/** Ranges of columns: the middle one and its neighbours, also across the date line. */
function columnsAround(middle: number): [number, number][] {
  if (middle === 0)
    return [
      [0, 1],
      [TILES_AROUND - 1, TILES_AROUND - 1],
    ];
  if (middle === TILES_AROUND - 1)
    return [
      [middle - 1, middle],
      [0, 0],
    ];
  return [[middle - 1, middle + 1]];
}

function row(latitude: number): number {
  return Math.floor((latitude + 90) / TILE_DEGREES);
}

function column(longitude: number): number {
  return Math.floor((longitude + 180) / TILE_DEGREES) % TILES_AROUND;
}

function writeTile(out: Buffer, rowOfTile: number, columnOfTile: number): void {
  out.writeUInt16BE(rowOfTile, TILE_AT);
  out.writeUInt16BE(columnOfTile, TILE_AT + 2);
}
