// Reads GeoPackages of Network Survey: SQLite databases with a table for each kind of station, the position as a
// geometry, and the time in milliseconds.
//
// Source: christianrowlands/android-network-survey, constants and logging; OGC 12-128r19, 2.1.3.

import { quoted, type SqliteFile } from '../files/sqlite_file.ts';
import { surveyStation } from './network_survey.ts';
import type { Query, RowTable } from './row_table.ts';

/** Tables of a GeoPackage, and their kinds. */
const SURVEY_TABLES = {
  nr_message: 'nr',
  lte_message: 'lte',
  gsm_message: 'gsm',
  umts_message: 'wcdma',
  cdma_message: 'cdma',
  '80211_beacon_message': 'wifi',
  bluetooth_message: 'ble',
};

/** The queries for the reports of a GeoPackage; undefined if it is none of Network Survey. */
export function surveyQueries(database: SqliteFile): Query[] | undefined {
  const queries = Object.entries(SURVEY_TABLES).flatMap(([name, kind]) => {
    const table = database.tables.get(name);
    if (table === undefined) return [];
    return [
      { name: table, sql: `SELECT ${database.columns(table, 't')} FROM ${quoted(table)} t`, table: tableOf(kind) },
    ];
  });
  return queries.length === 0 ? undefined : queries;
}

function tableOf(kind: string): RowTable {
  return {
    what: 'a table of Network Survey',
    hasHeader: () => false,
    required: [],
    time: ['time'],
    readRow: row => {
      const [longitude, latitude] = pointOf(row.text('geom', 'geometry') ?? '');
      return surveyStation(row, kind, latitude, longitude);
    },
  };
}

/** Bytes of the envelope between header and point, by bits 1 to 3 of the flags. */
const ENVELOPE_BYTES = [0, 32, 48, 48, 64];
const HEADER_BYTES = 8;

/** Longitude and latitude of a point as a GeoPackage stores it; NaN for anything else. @param hex the blob */
export function pointOf(hex: string): [longitude: number, latitude: number] {
  const blob = Buffer.from(hex, 'hex');
  const at = HEADER_BYTES + (ENVELOPE_BYTES[(blob[3] >> 1) & 7] ?? Number.NaN);
  if (blob.toString('latin1', 0, 2) !== 'GP' || !(blob.length >= at + 21)) return [Number.NaN, Number.NaN];
  const isLittle = blob[at] === 1;
  const type = isLittle ? blob.readUInt32LE(at + 1) : blob.readUInt32BE(at + 1);
  // A point, or one with height, measure or both.
  if (type % 1000 !== 1) return [Number.NaN, Number.NaN];
  const number = (from: number) => (isLittle ? blob.readDoubleLE(from) : blob.readDoubleBE(from));
  return [number(at + 5), number(at + 13)];
}
