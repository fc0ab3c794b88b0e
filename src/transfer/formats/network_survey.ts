// Reads what Network Survey logs as CSV: files of one kind of station each.
//
//   deviceTime,latitude,longitude,altitude,speed,accuracy,…,mcc,mnc,tac,eci,earfcn,pci,rsrp,rsrq,ta,servingCell,…
//
// The kind of a CSV file shows in the name of its identity: nci nr, eci lte, ci gsm, cid umts, bsid cdma, bssid access
// points, sourceAddress Bluetooth. Levels are those of the reference signal where there is one. Its GeoPackages have
// other names for some columns (network_survey_package.ts).
//
// Source: christianrowlands/android-network-survey, constants and logging, CSV version 0.5.0.

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
const LEVELS = ['ssrsrp', 'ss_rsrp', 'rsrp', 'rscp', 'signalstrength', 'signal strength'];

/** The table of a CSV file. */
export const SURVEY_TABLE: RowTable = {
  what: 'a table of cells, access points or beacons of Network Survey',
  hasHeader: columns => columns.has('devicetime') && columns.has('latitude'),
  required: [['devicetime'], ['latitude'], ['longitude'], Object.keys(IDENTITIES)],
  time: ['devicetime'],
  readRow(row: Row) {
    const [, kind] = Object.entries(IDENTITIES).find(([name]) => row.has(name))!;
    return surveyStation(row, kind, row.number('latitude'), row.number('longitude'));
  },
};

/** The station of a row, whatever its columns are called. @param kind a radio type, `wifi` or `ble` */
export function surveyStation(row: Row, kind: string, latitude: number, longitude: number): RowStation {
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
