// Reads tables with one row for each station heard. The rows of one report follow one another and repeat its time and
// position, so consecutive rows that agree in both become one report again.

import type { CsvFile } from '../files/csv_file.ts';
import { type DateOrder, dateOrderOf, readFileTime } from '../files/file_time.ts';
import type { Refusal } from '../files/refused_lines.ts';
import type { FoundDraft, Refuse } from './found_draft.ts';
import { Row, type RowStation, type RowTable, type StationList, type TableLayout } from './row_table.ts';

/** More stations than any device hears at once: longer series of rows are split into several reports. */
const ROWS_MAX = 10_000;
const UNREADABLE: Refusal = { rule: 'columns', why: 'the line is not CSV: a quote is not closed' };

/**
 * Reads a table as drafts, some at a time.
 * @param fileTimeMs of rows that state no time
 * @throws Error when the file cannot be read to its end
 */
export async function* readTable(
  file: CsvFile,
  layout: TableLayout,
  refuse: Refuse,
  fileTimeMs?: number,
): AsyncGenerator<FoundDraft[]> {
  const { table, columns, headerLine } = layout;
  const at = columns.findIndex(column => table.time.includes(column));
  const order = dateOrderOf(file.headRows.slice(headerLine).map(row => row[at] ?? ''));
  const reader = new RowReader({ name: file.name, table, columns, order, fileTimeMs, refuse });
  for await (const { firstLine, rows } of file.blocks()) {
    for (const [i, values] of rows.entries()) {
      const line = firstLine + i;
      if (line <= headerLine || (values?.length === 1 && values[0].trim() === '')) continue;
      if (values === undefined) refuse(file.name, line, UNREADABLE);
      else reader.add(line, values);
    }
    yield reader.takeFinished();
  }
  yield reader.end();
}

/** A table whose rows are read. */
interface OpenTable {
  /** Of the table, as in messages. */
  name: string;
  table: RowTable;
  columns: readonly string[];
  order: DateOrder;
  /** Of rows that state no time. */
  fileTimeMs?: number | undefined;
  refuse: Refuse;
}

/** Joins rows into reports. */
export class RowReader {
  private readonly of: OpenTable;
  private readonly places: ReadonlyMap<string, number>;
  private finished: FoundDraft[] = [];
  private open: FoundDraft | undefined;
  private report = '';
  private rows = 0;
  private lists: Partial<Record<StationList, unknown[]>> = {};

  constructor(of: OpenTable) {
    this.of = of;
    // Of two columns of one name the first counts.
    this.places = new Map(of.columns.map((column, i) => [column, i] as const).reverse());
  }

  /** Takes one row. @param line from 1 */
  add(line: number, values: readonly string[]): void {
    const { name, table, columns, order, fileTimeMs, refuse } = this.of;
    if (!fits(values, columns.length, table.isRagged === true)) {
      refuse(name, line, wrongCount(values.length, columns.length));
      return;
    }
    const row = new Row(this.places, values);
    const time = row.text(...table.time);
    const timeMs = fileTimeMs ?? readFileTime(time, order);
    const station = table.readRow(row);
    if ('why' in station) refuse(name, line, station);
    else if (Number.isNaN(timeMs)) refuse(name, line, withoutTime(time));
    else this.join(line, station, timeMs, `${time} ${station.report}`);
  }

  /** The reports that are complete. */
  takeFinished(): FoundDraft[] {
    const { finished } = this;
    this.finished = [];
    return finished;
  }

  /** The same after the last row. */
  end(): FoundDraft[] {
    this.finish();
    return this.takeFinished();
  }

  private join(line: number, { begin, list, entry }: RowStation, timeMs: number, report: string): void {
    if (this.open === undefined || report !== this.report || this.rows === ROWS_MAX) {
      this.finish();
      this.report = report;
      this.rows = 0;
      this.lists = {};
      this.open = { draft: { ...begin(), timeMs }, file: this.of.name, line };
    }
    this.rows++;
    this.lists[list] ??= [];
    this.lists[list].push(entry);
  }

  private finish(): void {
    if (this.open === undefined) return;
    Object.assign(this.open.draft, this.lists);
    this.open.rows = this.rows;
    this.finished.push(this.open);
    this.open = undefined;
  }
}

/** Separators behind the last column are no columns. */
function fits(values: readonly string[], expected: number, isRagged: boolean): boolean {
  return values.length < expected ? isRagged : values.slice(expected).every(value => value.trim() === '');
}

function withoutTime(text: string | undefined): Refusal {
  return { rule: 'time', why: text === undefined ? 'it states no time' : `"${text}" is no time` };
}

function wrongCount(count: number, expected: number): Refusal {
  return { rule: 'columns', why: `there are ${count} columns instead of ${expected}` };
}
