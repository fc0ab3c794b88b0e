// Opens files of measurements of any format. The format is recognised by the content, because a file's name proves
// nothing.

import type { Readable } from 'node:stream';
import { STDIN } from '../../tables/sources/source_name.ts';
import { csvOf } from '../files/csv_file.ts';
import { timeOfFile } from '../files/file_time.ts';
import { openText, type TextFile } from '../files/text_file.ts';
import { cellListOf } from './cell_lists.ts';
import { CELL_MAPPER_TABLE } from './cell_mapper.ts';
import { type FoundDraft, OBSERVATION_FORMATS, type ObservationFormat, type Refuse } from './found_draft.ts';
import { G_NET_TRACK_TABLE } from './g_net_track.ts';
import { readJson } from './json_lines.ts';
import { NETXML_MARK, readNetxml } from './kismet_netxml.ts';
import { EXPORT_TABLES, openNeostumbler } from './neostumbler.ts';
import { SURVEY_TABLE } from './network_survey.ts';
import { readTable } from './row_reports.ts';
import { findLayout, isOfFileTime, type RowTable } from './row_table.ts';
import { TOWER_TABLE } from './tower_collector.ts';
import { WIGLE_MARK, WIGLE_TABLE } from './wigle.ts';

/** Tables by their formats. A file is the first of which it has the header, or the form of the first row. */
const TABLES: readonly (readonly [ObservationFormat, RowTable])[] = [
  ['wigle', WIGLE_TABLE],
  ['towercollector', TOWER_TABLE],
  ['networksurvey', SURVEY_TABLE],
  ['gnettrack', G_NET_TRACK_TABLE],
  ['cellmapper', CELL_MAPPER_TABLE],
  ...EXPORT_TABLES.map(table => ['neostumbler', table] as const),
];

/** A file of measurements being read. */
export interface ObservationFile {
  /** As in messages. */
  name: string;
  format: ObservationFormat;
  /** The beginning of its content: equal for the same file under any name. */
  mark: string;
  /**
   * The measurements, some at a time; read once.
   * @throws Error when the file is damaged, naming the file and the last line that was read
   */
  drafts(refuse: Refuse): AsyncGenerator<FoundDraft[]>;
  /** What is in a file in which nothing was found, in words, before it is closed; absent where every line counts. */
  seen?(): string | undefined;
  /** Bytes read from disk so far. */
  bytesRead(): number;
  /** Closes the file; needed when `drafts` is not read to its end. */
  close(): void;
}

const JSON_MEMBER =
  /"(items|results|trilat|position|latitude|timestamp|wifiAccessPoints|cellTowers|bluetoothBeacons|wifi|cell|cells|aps|wp)"\s*:/;
/** A list or an object of JSON, and no line in brackets above a table. */
const JSON_START = /^(?:\{|\[\s*(?:[[{\]\d"]|$))/;
/** A SQLite database begins with this. */
const SQLITE_MARK = 'SQLite format 3\0';
/** Lines by which a file is recognised again: a header or two, and the first row. */
const MARK_LINES = 3;

/**
 * Opens a file and recognises it.
 * @param path a path, or `-` for `stdin`
 * @param format refuses the file when it is written in another
 * @throws Error when the file is missing, empty, or none of the formats, or has the wrong columns
 */
export async function openObservations(
  path: string,
  stdin: Readable,
  format?: ObservationFormat,
): Promise<ObservationFile> {
  const text = await openText(path, stdin);
  try {
    const file = await recognise(path, text);
    if (format !== undefined && format !== file.format) {
      file.close();
      throw new Error(`${text.name} is not ${format}, but ${file.format}.`);
    }
    return file;
  } catch (error) {
    text.close();
    throw error;
  }
}

async function recognise(path: string, text: TextFile): Promise<ObservationFile> {
  const { name, headLines, bytesRead, close } = text;
  const magic = text.head.toString('latin1', 0, SQLITE_MARK.length);
  if (magic.startsWith('PK')) return openExport(path, text);
  if (magic === SQLITE_MARK) return openDatabase(path, text);
  const mark = headLines.slice(0, MARK_LINES).join('\n');
  const start = text.head.toString('utf8').trimStart();
  if (JSON_START.test(start)) {
    const format = recogniseJson(name, start);
    return { name, format, mark, drafts: refuse => readJson(text, refuse), bytesRead, close };
  }
  if (start.startsWith('<')) {
    requireNetxml(name, start);
    return { name, format: 'kismet', mark, drafts: refuse => readNetxml(text, refuse), bytesRead, close };
  }
  const layout = findLayout(
    name,
    headLines,
    TABLES.map(([, table]) => table),
  );
  if (layout !== undefined) {
    const [format] = TABLES.find(([, table]) => table === layout.table)!;
    if (isOfFileTime(layout) && path === STDIN)
      throw new Error(`${name} states no times, which would be those of the file; name the file.`);
    const fileTimeMs = isOfFileTime(layout) ? timeOfFile(path) : undefined;
    const drafts = (refuse: Refuse) => readTable(csvOf(text, layout.delimiter), layout, refuse, fileTimeMs);
    return { name, format, mark, drafts, bytesRead, close };
  }
  if (start.startsWith(WIGLE_MARK)) throw new Error(`${name} is not ${WIGLE_TABLE.what}: it ends before its header.`);
  const list = cellListOf(headLines)?.name;
  if (list !== undefined)
    throw new Error(`${name} is a list of cells with their places (${list}), not of measurements: use import cells.`);
  throw new Error(
    `${name} is not a file of measurements that Sextant knows: ${OBSERVATION_FORMATS.join(', ')}, as ` +
      `docs/importing.md describes them.`,
  );
}

function requireNetxml(name: string, start: string): void {
  if (start.includes(NETXML_MARK)) return;
  const map = /<(kml|gpx)[\s>]/i.exec(start)?.[1].toUpperCase();
  throw new Error(
    map === undefined
      ? `${name} is XML of none of the formats that Sextant knows; of XML it reads Kismet's netxml.`
      : `${name} is ${map}: it shows places and tracks on a map, but no radio measurements. Export another format.`,
  );
}

/**
 * By the first of the members that only one of the formats has; a file without any has items that are refused one by
 * one.
 */
function recogniseJson(name: string, start: string): ObservationFormat {
  const [first] = start.split('\n', 1);
  const member = JSON_MEMBER.exec(first)?.[1] ?? JSON_MEMBER.exec(start)?.[1];
  if (member === 'wp' || (member === 'wifi' && /"wp"\s*:/.test(first))) {
    throw new Error(
      `${name} holds indoor walks in metres of a floor plan; without the plan they have no latitude and longitude.`,
    );
  }
  if (member === 'trilat' || member === 'results') return 'wigle';
  return member === 'cells' || member === 'aps' ? 'scans' : 'geosubmit';
}

async function openExport(path: string, text: TextFile): Promise<ObservationFile> {
  if (path === STDIN)
    throw new Error('A ZIP archive ends with its directory, so it cannot be read from standard input; name the file.');
  const mark = text.head.toString('latin1');
  text.close();
  return { name: text.name, format: 'neostumbler', mark, ...(await openNeostumbler(path)) };
}

async function openDatabase(path: string, text: TextFile): Promise<ObservationFile> {
  if (path === STDIN)
    throw new Error('A SQLite database is not read in order, so it cannot come from standard input; name the file.');
  const { name } = text;
  text.close();
  // Most runs of the program read none, and on some versions Node warns of its SQLite where it is loaded.
  const { openReports } = await import('./database_reports.ts');
  return { name, mark: text.head.toString('latin1'), ...openReports(path) };
}
