// Opens files of measurements of any format. The format is recognised by the content, because a file's name proves
// nothing.

import type { Readable } from 'node:stream';
import { STDIN } from '../../tables/sources/source_name.ts';
import { csvOf } from '../files/csv_file.ts';
import { openText, type TextFile } from '../files/text_file.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { readJsonLines } from './json_lines.ts';
import { openNeostumbler } from './neostumbler.ts';
import { type RowTable, readTable } from './row_reports.ts';
import { TOWER_MARK, TOWER_TABLE } from './tower_collector.ts';
import { WIGLE_MARK, WIGLE_TABLE } from './wigle.ts';

/** Formats by their names on the command line. */
export const OBSERVATION_FORMATS = ['wigle', 'neostumbler', 'towercollector', 'geosubmit', 'scans'] as const;
export type ObservationFormat = (typeof OBSERVATION_FORMATS)[number];

/** A file of measurements being read. */
export interface ObservationFile {
  /** As in messages. */
  name: string;
  format: ObservationFormat;
  /** The beginning of its content: equal for the same file under any name. */
  mark: string;
  /**
   * The measurements, some at a time; read once.
   * @throws Error when the file is damaged or has the wrong columns, naming the file and the last line that was read
   */
  drafts(refuse: Refuse): AsyncGenerator<FoundDraft[]>;
  /** Bytes read from disk so far. */
  bytesRead(): number;
  /** Closes the file; needed when `drafts` is not read to its end. */
  close(): void;
}

/** Lines by which a file is recognised again: a header or two, and the first row. */
const MARK_LINES = 3;

/**
 * Opens a file and recognises it.
 * @param path a path, or `-` for `stdin`
 * @param format refuses the file when it is written in another
 * @throws Error when the file is missing, empty, or none of the formats
 */
export async function openObservations(
  path: string,
  stdin: Readable,
  format?: ObservationFormat,
): Promise<ObservationFile> {
  const text = await openText(path, stdin);
  try {
    const recognised = recognise(text);
    if (format !== undefined && format !== recognised)
      throw new Error(`${text.name} is not ${format}, but ${recognised}.`);
    return recognised === 'neostumbler' ? await openExport(path, text) : openLines(text, recognised);
  } catch (error) {
    text.close();
    throw error;
  }
}

function recognise(text: TextFile): ObservationFormat {
  if (text.head.subarray(0, 2).toString('latin1') === 'PK') return 'neostumbler';
  const [first = ''] = text.headLines;
  if (first.startsWith(WIGLE_MARK)) return 'wigle';
  if (first.toLowerCase().split(',').includes(TOWER_MARK)) return 'towercollector';
  const start = text.head.toString('utf8').trimStart();
  if (start.startsWith('{')) return recogniseJson(text.name, start);
  throw new Error(
    `${text.name} is not a file of measurements that Sextant knows: WiGLE CSV, an export of NeoStumbler (ZIP), ` +
      `TowerCollector CSV, or JSON lines.`,
  );
}

/**
 * By the first of the members that only one of the formats has; a first line that is no JSON is that line's own matter.
 */
function recogniseJson(name: string, start: string): ObservationFormat {
  const line = start.slice(0, start.indexOf('\n') + 1 || undefined);
  const member =
    /"(items|position|latitude|timestamp|wifiAccessPoints|cellTowers|bluetoothBeacons|wifi|cell|cells|aps|wp)"\s*:/.exec(
      line,
    )?.[1];
  if (member === 'wp' || (member === 'wifi' && /"wp"\s*:/.test(line))) {
    throw new Error(
      `${name} holds indoor walks in metres of a floor plan; without the plan they have no latitude and longitude.`,
    );
  }
  return member === 'cells' || member === 'aps' ? 'scans' : 'geosubmit';
}

async function openExport(path: string, text: TextFile): Promise<ObservationFile> {
  if (path === STDIN)
    throw new Error('A ZIP archive ends with its directory, so it cannot be read from standard input; name the file.');
  const mark = text.head.toString('latin1');
  text.close();
  return { name: text.name, format: 'neostumbler', mark, ...(await openNeostumbler(path)) };
}

const TABLES: Partial<Record<ObservationFormat, RowTable>> = { wigle: WIGLE_TABLE, towercollector: TOWER_TABLE };

function openLines(text: TextFile, format: ObservationFormat): ObservationFile {
  const { name, bytesRead, close } = text;
  const table = TABLES[format];
  return {
    name,
    format,
    mark: text.headLines.slice(0, MARK_LINES).join('\n'),
    drafts: refuse => (table === undefined ? readJsonLines(text, refuse) : readTable(csvOf(text), table, refuse)),
    bytesRead,
    close,
  };
}
