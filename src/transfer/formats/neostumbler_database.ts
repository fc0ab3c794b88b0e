// Reads NeoStumbler's database, as the app keeps and exports it: reports with their position, and tables of what each
// of them heard. Up to version 8 of its schema the tables are named without `Entity`.
//
// Source: mjaakko/NeoStumbler, app/data/reports/room/schemas, versions 2 to 11.

import { capped, quoted, type SqliteFile } from '../files/sqlite_file.ts';
import { EXPORT_TABLES } from './neostumbler.ts';
import type { Query } from './row_table.ts';

/** Tables of stations, in the order of those of the export. */
const STATIONS = ['wifiaccesspoint', 'celltower', 'bluetoothbeacon'];

const OF_REPORT = [
  ['r.timestamp', 'timestamp'],
  ['p.accuracy', 'locationaccuracy'],
  ['p.age', 'locationage'],
  ...['latitude', 'longitude', 'altitude', 'heading', 'speed'].map(name => [`p.${name}`, name]),
]
  .map(([expression, name]) => capped(expression, name))
  .join(', ');

/** The queries for its reports; undefined if the database is none of NeoStumbler. */
export function neostumblerQueries(database: SqliteFile): Query[] | undefined {
  const table = (name: string) => database.tables.get(`${name}entity`) ?? database.tables.get(name);
  const [report, position] = [table('report'), table('position')];
  if (report === undefined || position === undefined) return undefined;
  return STATIONS.flatMap((name, i) => {
    const stations = table(name);
    if (stations === undefined) return [];
    const sql = `SELECT ${OF_REPORT}, ${database.columns(stations, 's')}
      FROM ${quoted(report)} r JOIN ${quoted(position)} p ON p.reportId = r.id
      JOIN ${quoted(stations)} s ON s.reportId = r.id ORDER BY r.timestamp, r.id`;
    return [{ name: stations, sql, table: EXPORT_TABLES[i] }];
  });
}
