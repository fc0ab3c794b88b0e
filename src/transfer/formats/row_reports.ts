// Reads tables with one row for each station heard. The rows of one report follow one another and repeat its time and
// position, so consecutive rows that agree in both become one report again.

import type { ReportDraft } from '../../intake/draft.ts';
import { numberOf } from '../../radio/read_value.ts';
import type { CsvFile } from '../files/csv_file.ts';
import { type DateOrder, dateOrderOf, readFileTime } from '../files/file_time.ts';
import type { Refusal } from '../files/refused_lines.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';

/** More stations than any device hears at once: longer series of rows are split into several reports. */
const ROWS_MAX = 10_000;
const UNREADABLE: Refusal = { rule: 'columns', why: 'the line is not CSV: a quote is not closed' };

/** The lists of a draft. */
export type StationList = 'wifiAccessPoints' | 'bluetoothBeacons' | 'cellTowers';

/** How the rows of a table are read. */
export interface RowTable {
  /** What the table is, for messages: `a WiGLE file`. */
  what: string;
  /** Line of the header, from 1. What stands above it is left out. */
  headerLine: number;
  /** Columns that must be there, in lower case. */
  required: readonly string[];
  /** The column of the time. A row without one is refused: what a file holds was not measured now. */
  time: string;
  /** The station of a row with its report, or why it is refused. */
  readRow(row: Row): RowStation | Refusal;
}

/** One row's station, and the report that it belongs to. */
export interface RowStation {
  /** Time and position as written: equal for the rows of one report. */
  report: string;
  /** The report without its time and its stations. */
  begin(): ReportDraft;
  list: StationList;
  /** An entry with the members of the HTTP interface. */
  entry: Record<string, unknown>;
}

/** The values of one row by the names of their columns, in lower case. */
export class Row {
  private readonly columns: ReadonlyMap<string, number>;
  private readonly values: readonly string[];

  constructor(columns: ReadonlyMap<string, number>, values: readonly string[]) {
    this.columns = columns;
    this.values = values;
  }

  /**
   * The value of the first of these columns that the table has; undefined when it has none of them, or the value is
   * empty.
   */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      const at = this.columns.get(name);
      if (at !== undefined) return this.values[at] === '' ? undefined : this.values[at];
    }
    return undefined;
  }

  /** The same as a number; NaN where it is none. */
  number(...names: string[]): number {
    return numberOf(this.text(...names));
  }
}

/** Those of the numbers that were stated. */
export function stated<T extends string>(numbers: Record<T, number>): Partial<Record<T, number>> {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => !Number.isNaN(number))) as Partial<
    Record<T, number>
  >;
}

/**
 * Reads a table as drafts, some at a time.
 * @throws Error naming the file, and the column that is missing
 */
export async function* readTable(file: CsvFile, table: RowTable, refuse: Refuse): AsyncGenerator<FoundDraft[]> {
  let columns: ReadonlyMap<string, number> | undefined;
  let order: DateOrder = 'day';
  const reports = new OpenReport(file.name);
  for await (const { firstLine, rows } of file.blocks()) {
    for (let i = 0; i < rows.length; i++) {
      const line = firstLine + i;
      const values = rows[i];
      if (line < table.headerLine || (values?.length === 1 && values[0] === '')) continue;
      if (line === table.headerLine) {
        columns = readHeader(file.name, table, values ?? []);
        order = dateOrderOf(file.headRows.slice(table.headerLine).map(row => row[columns!.get(table.time)!] ?? ''));
      } else if (values === undefined) refuse(file.name, line, UNREADABLE);
      else if (values.length !== columns!.size) refuse(file.name, line, wrongCount(values.length, columns!.size));
      else {
        const row = new Row(columns!, values);
        const station = table.readRow(row);
        const time = row.text(table.time);
        const timeMs = readFileTime(time, order);
        if ('why' in station) refuse(file.name, line, station);
        else if (Number.isNaN(timeMs)) refuse(file.name, line, withoutTime(time));
        else reports.add(line, station, timeMs);
      }
    }
    yield reports.takeFinished();
  }
  if (columns === undefined) throw new Error(`${file.name} is not ${table.what}: it ends before its header.`);
  yield reports.end();
}

function readHeader(
  name: string,
  { what, required }: RowTable,
  values: readonly string[],
): ReadonlyMap<string, number> {
  const columns = new Map(values.map((column, i) => [column.trim().toLowerCase(), i]));
  const missing = required.filter(column => !columns.has(column));
  if (missing.length > 0) throw new Error(`${name} is not ${what}: its header names no column ${missing.join(', ')}.`);
  return columns;
}

function withoutTime(text: string | undefined): Refusal {
  return { rule: 'time', why: text === undefined ? 'it states no time' : `"${text}" is no time` };
}

function wrongCount(count: number, expected: number): Refusal {
  return { rule: 'columns', why: `there are ${count} columns instead of ${expected}` };
}

/** Joins rows into reports. */
class OpenReport {
  private readonly file: string;
  private finished: FoundDraft[] = [];
  private open: FoundDraft | undefined;
  private report = '';
  private rows = 0;
  private lists: Partial<Record<StationList, unknown[]>> = {};

  constructor(file: string) {
    this.file = file;
  }

  add(line: number, { report, begin, list, entry }: RowStation, timeMs: number): void {
    if (this.open === undefined || report !== this.report || this.rows === ROWS_MAX) {
      this.finish();
      this.report = report;
      this.rows = 0;
      this.lists = {};
      this.open = { draft: { ...begin(), timeMs }, file: this.file, line };
    }
    this.rows++;
    this.lists[list] ??= [];
    this.lists[list].push(entry);
  }

  takeFinished(): FoundDraft[] {
    const { finished } = this;
    this.finished = [];
    return finished;
  }

  end(): FoundDraft[] {
    this.finish();
    return this.takeFinished();
  }

  private finish(): void {
    if (this.open === undefined) return;
    Object.assign(this.open.draft, this.lists);
    this.open.rows = this.rows;
    this.finished.push(this.open);
    this.open = undefined;
  }
}
