// Reads NeoStumbler's export: a ZIP archive of wifis.csv, cells.csv and beacons.csv, each with one row a station that
// repeats the time and position of its report. The app leaves out a table without rows. Columns have the names of the
// app's own queries (`mcc`, `wifiScanAge`); those of the JSON bodies are accepted too. Times are milliseconds since
// 1970, ages milliseconds.
//
// Source: mjaakko/NeoStumbler, CsvExporter and ExportDao.

import { basename } from 'node:path';
import type { ReportDraft } from '../../intake/draft.ts';
import { csvOf } from '../files/csv_file.ts';
import { readText } from '../files/text_file.ts';
import { type ArchiveEntry, openArchive } from '../files/zip_archive.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { joinTables } from './join_tables.ts';
import { readTable } from './row_reports.ts';
import { layoutOf, type Row, type RowTable, type StationList, stated } from './row_table.ts';

/** Which list the rows of a table belong to, and their entries. */
interface EntryTable {
  list: StationList;
  /** A column that only this table has. */
  mark: string;
  entryOf(row: Row): Record<string, unknown>;
}

const TABLES: Record<string, EntryTable> = {
  'wifis.csv': {
    list: 'wifiAccessPoints',
    mark: 'ssid',
    entryOf: row => ({
      macAddress: row.text('macaddress'),
      ssid: row.text('ssid'),
      signalStrength: row.text('signalstrength'),
      age: row.text('wifiscanage', 'age'),
      channel: row.text('channel'),
      frequency: row.text('frequency'),
    }),
  },
  'cells.csv': {
    list: 'cellTowers',
    mark: 'cellid',
    entryOf: row => ({
      radioType: row.text('radiotype'),
      mobileCountryCode: row.text('mcc', 'mobilecountrycode'),
      mobileNetworkCode: row.text('mnc', 'mobilenetworkcode'),
      locationAreaCode: row.text('lac', 'locationareacode'),
      cellId: row.text('cellid'),
      primaryScramblingCode: row.text('psc', 'primaryscramblingcode'),
      signalStrength: row.text('signalstrength'),
      timingAdvance: row.text('timingadvance'),
      serving: row.text('serving'),
      age: row.text('cellscanage', 'age'),
    }),
  },
  'beacons.csv': {
    list: 'bluetoothBeacons',
    mark: 'id1',
    entryOf: row => ({
      macAddress: row.text('macaddress'),
      beaconType: row.text('beacontype'),
      id1: row.text('id1'),
      id2: row.text('id2'),
      id3: row.text('id3'),
      signalStrength: row.text('signalstrength'),
      age: row.text('bluetoothscanage', 'age'),
    }),
  },
};

/** Tables of which each is in the export a file of its own. */
export const EXPORT_TABLES: readonly RowTable[] = Object.keys(TABLES).map(tableOf);

/** An opened archive. */
interface NeostumblerExport {
  drafts(refuse: Refuse): AsyncGenerator<FoundDraft[]>;
  /** Bytes of the archive, in proportion to what is inflated so far. */
  bytesRead(): number;
  close(): void;
}

/**
 * Opens an export.
 * @throws Error when it is no archive, or one without the tables
 */
export async function openNeostumbler(path: string): Promise<NeostumblerExport> {
  const archive = await openArchive(path);
  try {
    const entries = archive.entries.filter(entry => basename(entry.name) in TABLES);
    if (entries.length === 0)
      throw new Error(`${path} is not an export of NeoStumbler: it holds none of ${Object.keys(TABLES).join(', ')}.`);
    const inflatedBytes = entries.reduce((sum, entry) => sum + entry.inflatedBytes, 0);
    const read: (() => number)[] = [];
    return {
      drafts: refuse => joinTables(entries.map(entry => readEntry(entry, read, refuse))),
      bytesRead: () =>
        Math.floor((read.reduce((sum, bytes) => sum + bytes(), 0) / Math.max(inflatedBytes, 1)) * archive.bytes),
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

async function* readEntry(entry: ArchiveEntry, read: (() => number)[], refuse: Refuse): AsyncGenerator<FoundDraft[]> {
  if (entry.inflatedBytes === 0) return;
  const text = await readText(entry.fullName, await entry.open());
  read.push(text.bytesRead);
  const table = EXPORT_TABLES[Object.keys(TABLES).indexOf(basename(entry.name))];
  const csv = csvOf(text);
  yield* readTable(csv, layoutOf(entry.fullName, csv.headRows[0] ?? [], table), refuse);
}

function tableOf(name: string): RowTable {
  const { list, mark, entryOf } = TABLES[name];
  return {
    what: `${name} of NeoStumbler`,
    hasHeader: columns => columns.has(mark) && columns.has('timestamp') && columns.has('latitude'),
    time: ['timestamp'],
    required: [['timestamp'], ['latitude'], ['longitude']],
    readRow: row => ({
      report: `${row.text('latitude')} ${row.text('longitude')}`,
      begin: () => beginReport(row),
      list,
      entry: entryOf(row),
    }),
  };
}

function beginReport(row: Row): ReportDraft {
  return {
    latitude: row.number('latitude'),
    longitude: row.number('longitude'),
    ...stated({
      accuracyMetres: row.number('locationaccuracy', 'accuracy'),
      positionAgeMs: row.number('locationage'),
      altitude: row.number('altitude'),
      heading: row.number('heading'),
      speed: row.number('speed'),
    }),
  };
}
