// Cells that may be private. A cell that only untrusted accounts have reported, never more than 500 m from its middle,
// may be a femtocell at home. Answers know it only as an area: a square of a kilometre that holds it, whatever else the
// scan contains. All lookups read cells through this file, so nothing more precise leaves the tables.

import { isCell } from '../../radio/kind.ts';
import { STATION_LATITUDE_E7, STATION_LONGITUDE_E7, STATION_R50, STATION_R95 } from './record_layout.ts';
import { decodeRadius, decodeStation, encodeRadius, isUntrustedAt, type Station } from './station.ts';

/**
 * Least 50 % radius of what only untrusted accounts have reported, metres, and the 95 % radius from which on it is
 * known.
 */
const AREA_METRES = 500;
/** Side of a square, degrees times 1e7 of latitude: a kilometre. */
const SQUARE_E7 = 90_000;
const RADIANS_PER_E7 = Math.PI / 180 / 1e7;
const COSINE_MIN = 0.01;

/** True for a cell that is answered as an area. @param kind of the station @param record 24 bytes */
export function isAreaAlone(kind: number, record: DataView): boolean {
  return isCell(kind) && isUntrustedAt(record) && decodeRadius(record.getUint16(STATION_R95, true)) < AREA_METRES;
}

/** Middle of the square around a position, degrees times 1e7. */
export function squareMiddle(
  latitudeE7: number,
  longitudeE7: number,
): readonly [latitudeE7: number, longitudeE7: number] {
  const latitude = Math.min((Math.floor(latitudeE7 / SQUARE_E7) + 0.5) * SQUARE_E7, 900_000_000);
  const width = SQUARE_E7 / Math.max(COSINE_MIN, Math.cos(latitude * RADIANS_PER_E7));
  const longitude = (Math.floor(longitudeE7 / width) + 0.5) * width;
  return [Math.round(latitude), Math.round(Math.max(-1.8e9, Math.min(longitude, 1.8e9)))];
}

/** A station as lookups may know it. @param kind of the station @param record 24 bytes */
export function answeredStation(kind: number, record: DataView): Station {
  const station = decodeStation(record, 0);
  if (!isAreaAlone(kind, record)) return station;
  const [latitude, longitude] = answeredPosition(kind, record);
  return {
    ...station,
    latitude: latitude / 1e7,
    longitude: longitude / 1e7,
    r50Metres: Math.max(station.r50Metres, AREA_METRES),
    r95Metres: 2 * AREA_METRES,
    isLearned: false,
  };
}

/**
 * The radius codes of a station as lookups may know it, as a record holds both.
 * @param kind of it
 * @param record 24 bytes
 */
export function answeredRadii(kind: number, record: DataView): number {
  const radii = record.getInt32(STATION_R50, true);
  if (!isAreaAlone(kind, record)) return radii;
  return encodeRadius(Math.max(decodeRadius(radii & 0xffff), AREA_METRES)) | (encodeRadius(2 * AREA_METRES) << 16);
}

/** Where lookups may know a station to be, degrees times 1e7. @param kind of the station @param record 24 bytes */
export function answeredPosition(kind: number, record: DataView): readonly [latitudeE7: number, longitudeE7: number] {
  const latitude = record.getInt32(STATION_LATITUDE_E7, true);
  const longitude = record.getInt32(STATION_LONGITUDE_E7, true);
  return isAreaAlone(kind, record) ? squareMiddle(latitude, longitude) : [latitude, longitude];
}
