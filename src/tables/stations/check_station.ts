// Checks a station's key and record by themselves.

import { isCell, KIND_BEACON, KIND_BLUETOOTH, KIND_CDMA, KIND_WIFI } from '../../radio/kind.ts';
import { isGroupOrNullMac } from '../../radio/mac.ts';
import { AREA_NONE, isKnownByIdAlone } from '../../radio/no_area.ts';
import { cellRangesOfKind, isIn } from '../../radio/ranges.ts';
import {
  areaOfKey,
  cellOfKey,
  describeKey,
  KEY_BYTES_CELL,
  keyBytesOfKind,
  macOfKey,
  mccOfKey,
  mncOfKey,
} from '../../radio/station_key.ts';
import { STATION_BYTES, STATION_FORMAT, STATION_STATE } from './record_layout.ts';
import { decodeStation, faultOfStation } from './station.ts';

/** True for the kinds that a station can be. */
export function isKind(kind: number): boolean {
  return kind === KIND_WIFI || kind === KIND_BLUETOOTH || kind === KIND_BEACON || isCell(kind);
}

/** A station's key for people; one that is none by its bytes. */
export function nameStation(key: Buffer): string {
  return key.length > 0 && isKind(key[0]) && key.length === keyBytesOfKind(key[0])
    ? describeKey(key)
    : `key ${key.toString('hex')}`;
}

/** What is wrong with a station's key; undefined when nothing is. */
export function faultOfKey(key: Buffer): string | undefined {
  if (key.length === 0 || !isKind(key[0])) return 'its first byte names no kind of station';
  const kind = key[0];
  if (key.length !== keyBytesOfKind(kind)) return `its key has ${key.length} bytes instead of ${keyBytesOfKind(kind)}`;
  if (isCell(kind)) return faultOfCell(key, kind);
  if (kind === KIND_WIFI && isGroupOrNullMac(macOfKey(key, 0))) return 'no access point sends from this address';
  return undefined;
}

function faultOfCell(key: Buffer, kind: number): string | undefined {
  const ranges = cellRangesOfKind(kind);
  if (kind !== KIND_CDMA && !isIn(mccOfKey(key, 0), ranges.mobileCountryCode))
    return `its country code ${mccOfKey(key, 0)} is out of range`;
  if (!isIn(mncOfKey(key, 0), ranges.mobileNetworkCode)) return `its network code ${mncOfKey(key, 0)} is out of range`;
  const isWithoutArea = areaOfKey(key, 0) === AREA_NONE && isKnownByIdAlone(kind);
  if (!isWithoutArea && !isIn(areaOfKey(key, 0), ranges.locationAreaCode))
    return `its area code ${areaOfKey(key, 0)} is out of range`;
  return isIn(cellOfKey(key, 0), ranges.cellId) ? undefined : `its cell id ${cellOfKey(key, 0)} is out of range`;
}

/** What is wrong with the record of a station or of an area; undefined when nothing is. */
export function faultOfRecord(record: Buffer): string | undefined {
  if (record.length !== STATION_BYTES) return `its record has ${record.length} bytes instead of ${STATION_BYTES}`;
  const format = record[STATION_STATE] >> 4;
  if (format !== STATION_FORMAT) return `its record has format ${format} instead of ${STATION_FORMAT}`;
  const view = new DataView(record.buffer, record.byteOffset, STATION_BYTES);
  const fault = faultOfStation(view, 0);
  if (fault !== undefined) return fault;
  const { r50Metres, r95Metres } = decodeStation(view, 0);
  return r50Metres > r95Metres
    ? `its radius for half of the places (${r50Metres} m) is above the one for 95 % (${r95Metres} m)`
    : undefined;
}

/** True for a key whose record takes part in an area. */
export function isCellKey(key: Buffer): boolean {
  return key.length === KEY_BYTES_CELL && isCell(key[0]);
}
