// Reads CSV of the WiGLE app, versions 1.4 and 1.6, and of the many recorders that write the like.
//
//   WigleWifi-1.6,appRelease=2.78,model=...
//   MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,AccuracyMeters,RCOIs,MfgrId,Type
//
// 1.4 lacks Frequency, RCOIs and MfgrId. Some recorders leave out the first line, or both, name the position Latitude
// and Longitude, or write the type as WiFi. The column MAC also holds the identity of cells: `310260_7033_17811` for
// network, area and cell id, cdma `4139_12_3611` for system, network and base station id. FirstSeen is UTC.
//
// Source: api.wigle.net/csvFormat.html; wiglenet/wigle-wifi-wardriving.

import type { ReportDraft } from '../../intake/draft.ts';
import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { radioOfKind } from '../../radio/kind.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { type Row, type RowStation, type RowTable, stated } from './row_table.ts';

/** The first line begins with this. */
export const WIGLE_MARK = 'WigleWifi-';

const CELL = /^(\d+)_(\d+)_(\d+)$/;
const MCC_DIGITS = 3;
const ADDRESS = ['mac', 'bssid', 'netid'];
const LATITUDE = ['currentlatitude', 'latitude', 'lat'];
const LONGITUDE = ['currentlongitude', 'longitude', 'lon'];
const COLUMNS_4 =
  'mac,ssid,authmode,firstseen,channel,rssi,currentlatitude,currentlongitude,altitudemeters,accuracymeters,type';
const COLUMNS_6 = `${COLUMNS_4.replace('rssi', 'frequency,rssi').replace(',type', '')},rcois,mfgrid,type`;
const HEADERLESS = [COLUMNS_4, COLUMNS_6].map(columns => columns.split(','));

/** The table below the line that names the recorder. */
export const WIGLE_TABLE: RowTable = {
  what: 'a WiGLE file',
  hasHeader: columns => ADDRESS.some(name => columns.has(name)) && (columns.has('rssi') || columns.has('firstseen')),
  columnsOf: row =>
    row.length > 3 && stationOf(row[0].trim(), row.at(-1)!.trim()) !== undefined
      ? HEADERLESS.find(columns => columns.length === row.length)
      : undefined,
  time: ['firstseen'],
  required: [ADDRESS, ['firstseen'], ['rssi'], LATITUDE, LONGITUDE, ['type']],
  readRow(row: Row): RowStation | Refusal {
    const station = readStation(row);
    if ('why' in station) return station;
    return { ...station, report: `${row.text(...LATITUDE)} ${row.text(...LONGITUDE)}`, begin: () => beginReport(row) };
  },
};

function beginReport(row: Row): ReportDraft {
  const accuracy = row.number('accuracymeters', 'accuracy');
  const altitude = row.number('altitudemeters', 'altitude');
  return {
    latitude: row.number(...LATITUDE),
    longitude: row.number(...LONGITUDE),
    // Recorders write 0 for what they do not know.
    ...stated({ accuracyMetres: accuracy > 0 ? accuracy : Number.NaN, altitude }),
  };
}

function readStation(row: Row): Pick<RowStation, 'list' | 'entry'> | Refusal {
  const type = row.text('type') ?? '';
  const address = row.text(...ADDRESS) ?? '';
  const signalStrength = row.number('rssi');
  const station = stationOf(address, type);
  if (station?.list === 'wifiAccessPoints') {
    const [ssid, channel, frequency] = [row.text('ssid'), row.number('channel'), row.number('frequency')];
    return { list: station.list, entry: { ...station.entry, ssid, signalStrength, channel, frequency } };
  }
  if (station !== undefined) return { list: station.list, entry: { ...station.entry, signalStrength } };
  return kindOfNetworkType(type) === 0
    ? { rule: 'type', why: `the type "${type}" is unknown` }
    : { rule: 'cell', why: `"${address}" is not network, area and cell id joined by "_"` };
}

/**
 * The identity of a station as WiGLE writes it.
 * @param key an address, or `310260_7033_17811` of a cell
 * @param type `WIFI`, `BT`, `BLE`, or the name of a network
 * @returns undefined where the type is unknown, or the key is none of a cell
 */
export function stationOf(key: string, type: string): Pick<RowStation, 'list' | 'entry'> | undefined {
  const name = type.toUpperCase().replaceAll(/[\s_-]/g, '');
  if (name === 'WIFI') return { list: 'wifiAccessPoints', entry: { macAddress: key } };
  if (name === 'BT' || name === 'BLE') return { list: 'bluetoothBeacons', entry: { macAddress: key } };
  const radioType = radioOfKind(kindOfNetworkType(type));
  const parts = CELL.exec(key);
  if (radioType === undefined || parts === null) return undefined;
  const [, network, locationAreaCode, cellId] = parts;
  const identity =
    radioType === 'cdma'
      ? { mobileNetworkCode: network }
      : { mobileCountryCode: network.slice(0, MCC_DIGITS), mobileNetworkCode: network.slice(MCC_DIGITS) };
  return { list: 'cellTowers', entry: { radioType, ...identity, locationAreaCode, cellId } };
}
