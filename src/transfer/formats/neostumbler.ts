// Reads NeoStumbler's export: a ZIP archive of wifis.csv, cells.csv and beacons.csv, each with one row a station that
// repeats the time and position of its report. The app leaves out a table without rows. Columns have the names of the
// app's own queries (`mcc`, `wifiScanAge`); those of the JSON bodies are accepted too. Times are milliseconds since
// 1970, ages milliseconds.
//
// All three tables are in the order of the reports, so they are read in parallel, and rows with the same time and
// position become one report again. In any other order a report splits into one for each table, and nothing is lost.
//
// Source: mjaakko/NeoStumbler, CsvExporter and ExportDao.

import { basename } from 'node:path';
import type { ReportDraft } from '../../intake/draft.ts';
import { csvOf } from '../files/csv_file.ts';
import { readText } from '../files/text_file.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { type Row, type RowTable, readTable, type StationList, stated } from './row_reports.ts';
import { type ArchiveEntry, openArchive } from './zip_archive.ts';

const TABLES: Record<string, { list: StationList; entryOf: (row: Row) => Record<string, unknown> }> = {
  'wifis.csv': {
    list: 'wifiAccessPoints',
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
  yield* readTable(csvOf(text), tableOf(basename(entry.name)), refuse);
}

function tableOf(name: string): RowTable {
  const { list, entryOf } = TABLES[name];
  return {
    what: `${name} of NeoStumbler`,
    headerLine: 1,
    time: 'timestamp',
    required: ['timestamp', 'latitude', 'longitude'],
    readRow: row => ({
      report: `${row.text('timestamp')} ${row.text('latitude')} ${row.text('longitude')}`,
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

/** Merges tables by time; drafts of one time and position become one. */
async function* joinTables(tables: AsyncGenerator<FoundDraft[]>[]): AsyncGenerator<FoundDraft[]> {
  const cursors = tables.map(table => new Cursor(table));
  try {
    for (;;) {
      const joined: FoundDraft[] = [];
      while (cursors.every(cursor => !cursor.isEmpty)) {
        const heads = cursors.filter(cursor => cursor.head !== undefined);
        if (heads.length === 0) {
          yield joined;
          return;
        }
        joined.push(joinNext(heads));
      }
      yield joined;
      for (const cursor of cursors) await cursor.fill();
    }
  } finally {
    for (const table of tables) await table.return(undefined);
  }
}

function joinNext(cursors: readonly Cursor[]): FoundDraft {
  const first = cursors.reduce((earliest, cursor) => (timeOf(cursor) < timeOf(earliest) ? cursor : earliest));
  const found = first.take();
  for (const cursor of cursors) {
    if (cursor === first || cursor.head === undefined || !isSameReport(cursor.head.draft, found.draft)) continue;
    const { draft, rows } = cursor.take();
    Object.assign(found.draft, draft);
    found.rows = (found.rows ?? 1) + (rows ?? 1);
  }
  return found;
}

function timeOf(cursor: Cursor): number {
  return cursor.head!.draft.timeMs ?? 0;
}

function isSameReport(a: ReportDraft, b: ReportDraft): boolean {
  return a.timeMs !== undefined && a.timeMs === b.timeMs && a.latitude === b.latitude && a.longitude === b.longitude;
}

/** The next draft of one table. */
class Cursor {
  private readonly table: AsyncGenerator<FoundDraft[]>;
  private drafts: FoundDraft[] = [];
  private next = 0;
  private isDone = false;

  constructor(table: AsyncGenerator<FoundDraft[]>) {
    this.table = table;
  }

  /** Undefined when the table is at its end. */
  get head(): FoundDraft | undefined {
    return this.drafts[this.next];
  }

  /** More must be read before the head is known. */
  get isEmpty(): boolean {
    return this.next === this.drafts.length && !this.isDone;
  }

  take(): FoundDraft {
    return this.drafts[this.next++];
  }

  async fill(): Promise<void> {
    while (this.isEmpty) {
      const { done, value } = await this.table.next();
      this.drafts = done ? [] : value;
      this.next = 0;
      this.isDone = done === true;
    }
  }
}
