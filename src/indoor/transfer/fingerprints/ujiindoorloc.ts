// Reads UJIIndoorLoc, a public survey of three university buildings (UCI Machine Learning Repository, 310): one row for
// each scan, a column for each of its 520 access points, in dBm, 100 = not heard; then LONGITUDE, LATITUDE, FLOOR,
// BUILDINGID, SPACEID, RELATIVEPOSITION, USERID, PHONEID, TIMESTAMP.
//
// The addresses of its access points were left out. Column WAPn stands for 02:55:4a:49 and n in two octets: locally
// administered addresses, which no access point has from its factory. Who asks for a position with scans of this survey
// has to name them so. Coordinates are metres of Web Mercator, which at this latitude are
// 1.305 times as long as metres on the ground.

import { FLOOR_INDEX_MIN } from '../../../geo/floor.ts';
import { FIRST_SURVEY_MAC, formatMac } from '../../../radio/mac.ts';
import { readDecimal, readInteger } from '../../../transfer/files/csv_file.ts';
import type { FoundScan } from './found_scan.ts';

const COLUMN = /^WAP(\d{1,4})$/;
const NOT_HEARD = 100;
/** Radius of the sphere of Web Mercator, metres (EPSG:3857). */
const MERCATOR_METRES = 6_378_137;
const DEGREES_PER_RADIAN = 180 / Math.PI;
/** Points were marked on maps of the buildings. */
const ACCURACY_METRES = 2;

/** True for a header of this form. */
export function isUjiHeader(header: readonly string[]): boolean {
  return COLUMN.test(header[0] ?? '') && header.includes('BUILDINGID');
}

/** The address that stands for a column. @param column its number, 1..9999 */
function macOfColumn(column: number): string {
  return formatMac(FIRST_SURVEY_MAC + column);
}

/** Latitude and longitude of a point of Web Mercator, degrees. @param east, north metres */
export function fromWebMercator(east: number, north: number): { latitude: number; longitude: number } {
  return {
    latitude: Math.atan(Math.sinh(north / MERCATOR_METRES)) * DEGREES_PER_RADIAN,
    longitude: (east / MERCATOR_METRES) * DEGREES_PER_RADIAN,
  };
}

/** Reads the rows of a file. */
export class UjiRows {
  private readonly macs: { at: number; macAddress: string }[];
  private readonly header: readonly string[];

  constructor(header: readonly string[]) {
    this.header = header;
    this.macs = header.flatMap((name, at) => {
      const column = COLUMN.exec(name);
      return column === null ? [] : [{ at, macAddress: macOfColumn(Number(column[1])) }];
    });
  }

  /**
   * Reads a row.
   * @returns undefined for a scan in which nothing was heard
   * @throws Error whose message is the end of a sentence, without a full stop
   */
  read(row: readonly string[]): FoundScan | undefined {
    if (row.length !== this.header.length)
      throw new Error(`it has ${row.length} fields, and the header has ${this.header.length}`);
    const wifiAccessPoints: object[] = [];
    for (const { at, macAddress } of this.macs) {
      const signalStrength = readInteger(row[at]);
      if (Number.isNaN(signalStrength)) throw new Error(`${this.header[at]} is "${row[at]}", which is no whole number`);
      if (signalStrength !== NOT_HEARD) wifiAccessPoints.push({ macAddress, signalStrength });
    }
    const position = fromWebMercator(this.number(row, 'LONGITUDE'), this.number(row, 'LATITUDE'));
    const [floor, buildingId] = [this.whole(row, 'FLOOR', FLOOR_INDEX_MIN), this.whole(row, 'BUILDINGID', 0)];
    if (wifiAccessPoints.length === 0) return undefined;
    return {
      floor,
      building: undefined,
      otherwise: { modelId: undefined, buildingId, name: `UJIIndoorLoc ${buildingId}` },
      draft: {
        ...position,
        accuracyMetres: ACCURACY_METRES,
        timeMs: this.number(row, 'TIMESTAMP') * 1_000,
        wifiAccessPoints,
      },
    };
  }

  private whole(row: readonly string[], column: string, least: number): number {
    const number = this.number(row, column);
    if (!Number.isSafeInteger(number) || number < least)
      throw new Error(`${column} is "${number}", which is no whole number from ${least}`);
    return number;
  }

  private number(row: readonly string[], column: string): number {
    const number = readDecimal(row[this.header.indexOf(column)] ?? '');
    if (Number.isNaN(number)) throw new Error(`${column} is "${row[this.header.indexOf(column)]}", which is no number`);
    return number;
  }
}
