// Reads what Network Survey logs: CSV files of one kind of station each, and GeoPackages with a table of each kind.
//
//   deviceTime,latitude,longitude,altitude,speed,accuracy,…,mcc,mnc,tac,eci,earfcn,pci,rsrp,rsrq,ta,servingCell,…
//
// The kind of a CSV file shows in the name of its identity: nci nr, eci lte, ci gsm, cid umts, bsid cdma, bssid access
// points, sourceAddress Bluetooth. Tables of a GeoPackage have names of their own for the columns, the position as a
// geometry, and their time in milliseconds. Levels are those of the reference signal where there is one.
//
// Source: christianrowlands/android-network-survey, constants and logging (CSV version 0.5.0); OGC 12-128r19, 2.1.3.

import { quoted, type SqliteFile } from '../files/sqlite_file.ts';
import type { Query } from './database_reports.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

/** Identities in CSV files, and the kinds that they tell. */
const IDENTITIES = {
  nci: 'nr',
  eci: 'lte',
  ci: 'gsm',
  cid: 'wcdma',
  bsid: 'cdma',
  bssid: 'wifi',
  sourceaddress: 'ble',
};
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
const LEVELS = ['ssrsrp', 'ss_rsrp', 'rsrp', 'rscp', 'signalstrength', 'signal strength'];

/** The table of a CSV file. */
export const SURVEY_TABLE: RowTable = {
  what: 'a table of cells, access points or beacons of Network Survey',
  hasHeader: columns => columns.has('devicetime') && columns.has('latitude'),
  required: [['devicetime'], ['latitude'], ['longitude'], Object.keys(IDENTITIES)],
  time: ['devicetime'],
  readRow(row: Row) {
    const [, kind] = Object.entries(IDENTITIES).find(([name]) => row.has(name))!;
    return stationOf(row, kind, row.number('latitude'), row.number('longitude'));
  },
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
      return stationOf(row, kind, latitude, longitude);
    },
  };
}

function stationOf(row: Row, kind: string, latitude: number, longitude: number): RowStation {
  const accuracy = row.number('accuracy');
  const numbers = { accuracyMetres: accuracy > 0 ? accuracy : Number.NaN, altitude: row.number('altitude') };
  const report = {
    report: `${latitude} ${longitude}`,
    begin: () => ({ latitude, longitude, ...stated({ ...numbers, speed: row.number('speed') }) }),
  };
  const signalStrength = row.text(...LEVELS);
  if (kind === 'ble') {
    const macAddress = row.text('sourceaddress', 'source address');
    return { ...report, list: 'bluetoothBeacons', entry: { macAddress, signalStrength } };
  }
  if (kind === 'wifi') {
    const entry = {
      macAddress: row.text('bssid'),
      ssid: row.text('ssid'),
      signalStrength,
      channel: row.text('channel'),
      frequency: row.text('frequencymhz', 'frequency'),
    };
    return { ...report, list: 'wifiAccessPoints', entry };
  }
  const entry = {
    radioType: kind,
    mobileCountryCode: row.text('mcc'),
    mobileNetworkCode: row.text('mnc', 'sid'),
    locationAreaCode: row.text('tac', 'lac', 'nid'),
    cellId: row.text('nci', 'eci', 'ci', 'cid', 'cell id', 'bsid'),
    primaryScramblingCode: row.text('pci', 'psc', 'phys_cell_id'),
    signalStrength,
    timingAdvance: row.text('ta'),
    serving: row.text('servingcell', 'serving cell'),
  };
  return { ...report, list: 'cellTowers', entry };
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
