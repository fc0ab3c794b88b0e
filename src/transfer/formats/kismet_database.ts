// Reads Kismet's log, a SQLite database. `packets` has each packet with the level and the position at which it was
// received, `data` what was heard without packets, `devices` what each device is. Only access points and devices of
// Bluetooth are read. Where no packet was kept with a position, each device counts once, where it was on average.
//
// Before version 5 of the log, coordinates are whole numbers of 1/100,000 degree. Frequencies are kHz.
//
// Source: kismetwireless/kismet-docs, devel/log_kismet.md; kismetwireless/kismet, log_tools/kismetdb_to_wiglecsv.cc.

import { capped, quoted, type SqliteFile } from '../files/sqlite_file.ts';
import { type Query, type Row, type RowTable, stated } from './row_table.ts';

const FIXED_POINT_VERSION_MAX = 4;
/** Devices have some kilobytes of JSON; longer ones have no name. */
const DEVICE_BYTES_MAX = 1024 * 1024;

const TABLE: RowTable = {
  what: 'a log of Kismet',
  hasHeader: () => false,
  required: [],
  time: ['ts_sec'],
  readRow(row: Row) {
    const [latitude, longitude, altitude] = [row.number('lat'), row.number('lon'), row.number('alt')];
    const signal = row.number('signal');
    const entry = { macAddress: row.text('mac'), ...stated({ signalStrength: signal === 0 ? Number.NaN : signal }) };
    const isWifi = row.text('phyname') === 'IEEE802.11';
    const frequency = Math.round(row.number('frequency') / 1000);
    return {
      report: `${latitude} ${longitude}`,
      begin: () => ({ latitude, longitude, ...stated({ altitude: altitude === 0 ? Number.NaN : altitude }) }),
      list: isWifi ? 'wifiAccessPoints' : 'bluetoothBeacons',
      entry: isWifi ? { ...entry, ssid: row.text('ssid'), ...stated({ frequency }) } : entry,
    };
  },
};

/** The queries for its reports; undefined if the database is none of Kismet. */
export function kismetQueries(database: SqliteFile): Query[] | undefined {
  const kismet = database.tables.get('kismet');
  const devices = database.tables.get('devices');
  if (kismet === undefined || devices === undefined) return undefined;
  const version = Number(database.value(kismet, `SELECT db_version FROM ${quoted(kismet)}`));
  const scale = version <= FIXED_POINT_VERSION_MAX ? ' / 100000.0' : '';
  const heard = ['packets', 'data'].flatMap(name => {
    const table = database.tables.get(name);
    if (table === undefined) return [];
    const columns = new Set(database.namesOf(table, `SELECT * FROM ${quoted(table)}`));
    const optional = ['alt', 'signal', 'frequency'].filter(column => columns.has(column));
    const mac = name === 'packets' ? 'sourcemac' : 'devmac';
    const from = `FROM ${quoted(table)} h JOIN ${quoted(devices)} d ON d.phyname = h.phyname AND d.devmac = h.${mac}
      WHERE h.lat <> 0 AND h.lon <> 0 AND ${IS_STATION}`;
    if (database.value(table, `SELECT 1 ${from} LIMIT 1`) === undefined) return [];
    const values = ['ts_sec', 'phyname', ...optional].map(column => capped(`h.${column}`, column));
    const position = ['lat', 'lon'].map(column => capped(`h.${column}${scale}`, column));
    const sql = `SELECT ${[...values, ...position, capped(`h.${mac}`, 'mac'), NAME].join(', ')} ${from}`;
    return [{ name: table, sql, table: TABLE }];
  });
  if (heard.length > 0) return heard;
  const values = [
    capped('d.last_time', 'ts_sec'),
    capped(`d.avg_lat${scale}`, 'lat'),
    capped(`d.avg_lon${scale}`, 'lon'),
    capped('d.phyname', 'phyname'),
    capped('d.devmac', 'mac'),
    NAME,
  ];
  const sql = `SELECT ${values.join(', ')} FROM ${quoted(devices)} d WHERE d.avg_lat <> 0 AND ${IS_STATION}`;
  return [{ name: devices, sql, table: TABLE }];
}

/** Clients of networks move about, and are nobody's business. */
const IS_STATION = `((d.phyname = 'IEEE802.11' AND d.type LIKE '%AP') OR d.phyname IN ('Bluetooth', 'BTLE'))`;

const DEVICE = `CASE WHEN octet_length(d.device) <= ${DEVICE_BYTES_MAX} AND json_valid(d.device) THEN d.device END`;
const LAST_NAME = '$."dot11.device"."dot11.device.last_beaconed_ssid"';
const LAST_RECORD = '$."dot11.device"."dot11.device.last_beaconed_ssid_record"."dot11.advertisedssid.ssid"';
/** The name of a network, by which its owner may opt out. */
const NAME = capped(
  `CASE d.phyname WHEN 'IEEE802.11' THEN coalesce(json_extract(${DEVICE}, '${LAST_NAME}'),
  json_extract(${DEVICE}, '${LAST_RECORD}')) END`,
  'ssid',
);
