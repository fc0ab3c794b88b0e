// What a table with one row for each station heard is, and how it is told from others: by the names of its columns,
// which stand in one of its first lines, or by the form of its first row where it has no header. Columns may be
// separated by commas, semicolons or tabs.

import type { ReportDraft } from '../../intake/draft.ts';
import { numberOf } from '../../radio/read_value.ts';
import { rowsOf } from '../files/csv_file.ts';
import type { Refusal } from '../files/refused_lines.ts';

/** A header stands below a line that names the recorder, or some lines of comments. */
const HEADER_LINE_MAX = 10;
const DELIMITERS = [',', ';', '\t'];

/** The lists of a draft. */
export type StationList = 'wifiAccessPoints' | 'bluetoothBeacons' | 'cellTowers';

/** How the rows of a table are read. Columns are named in lower case. */
export interface RowTable {
  /** What the table is, for messages: `a WiGLE file`. */
  what: string;
  /** Whether a line with these columns is its header. */
  hasHeader(columns: ReadonlySet<string>): boolean;
  /** The columns of a table that begins with this row instead of a header; undefined = it is none. */
  columnsOf?(row: readonly string[]): readonly string[] | undefined;
  /** Columns that must be there, each under one of its names. */
  required: readonly (readonly string[])[];
  /** Names of the column of the time. A row without one is refused: what a file holds was not measured now. */
  time: readonly string[];
  /** Rows of a table without such a column have the time of the file. */
  isOfFileTime?: boolean;
  /** Rows may have fewer columns than the header. */
  isRagged?: boolean;
  /** The station of a row with its report, or why it is refused. */
  readRow(row: Row): RowStation | Refusal;
}

/** One row's station, and the report that it belongs to. */
export interface RowStation {
  /** Position as written, and what else tells reports of one time apart. */
  report: string;
  /** The report without its time and its stations. */
  begin(): ReportDraft;
  list: StationList;
  /** An entry with the members of the HTTP interface. */
  entry: Record<string, unknown>;
}

/** A query of a database, and how its rows are read. Their order is that of the reports. */
export interface Query {
  /** Of the table that it reads, as in messages. */
  name: string;
  sql: string;
  table: RowTable;
}

/** Where a table has which columns. */
export interface TableLayout {
  table: RowTable;
  delimiter: string;
  /** Line of the header, from 1; 0 where there is none. */
  headerLine: number;
  columns: readonly string[];
}

/** The values of one row by the names of their columns, in lower case. */
export class Row {
  private readonly columns: ReadonlyMap<string, number>;
  private readonly values: readonly string[];

  constructor(columns: ReadonlyMap<string, number>, values: readonly string[]) {
    this.columns = columns;
    this.values = values;
  }

  /** The first value that is not empty of these columns; undefined when there is none. */
  text(...names: string[]): string | undefined {
    for (const name of names) {
      const value = this.values[this.columns.get(name) ?? -1]?.trim();
      if (value !== undefined && value !== '') return value;
    }
    return undefined;
  }

  /** The same as a number; NaN where it is none. */
  number(...names: string[]): number {
    return numberOf(this.text(...names));
  }

  /** Whether the table has the column. */
  has(name: string): boolean {
    return this.columns.has(name);
  }
}

/** Whether the rows have the time of the file. */
export function isOfFileTime({ table, columns }: TableLayout): boolean {
  return table.isOfFileTime === true && !table.time.some(name => columns.includes(name));
}

/** Those of the numbers that were stated. */
export function stated<T extends string>(numbers: Record<T, number>): Partial<Record<T, number>> {
  return Object.fromEntries(Object.entries(numbers).filter(([, number]) => !Number.isNaN(number))) as Partial<
    Record<T, number>
  >;
}

/**
 * Finds the table of which these are the first lines.
 * @returns undefined if it is none of the tables
 * @throws Error naming the columns that are missing
 */
export function findLayout(
  name: string,
  lines: readonly string[],
  tables: readonly RowTable[],
): TableLayout | undefined {
  const head = lines.slice(0, HEADER_LINE_MAX);
  for (const [i, line] of head.entries()) {
    for (const delimiter of DELIMITERS) {
      if (!line.includes(delimiter)) continue;
      const header = rowsOf([line], delimiter)[0] ?? [];
      const columns = new Set(header.map(plain));
      const table = tables.find(({ hasHeader }) => hasHeader(columns));
      if (table !== undefined) return { ...layoutOf(name, header, table), delimiter, headerLine: i + 1 };
    }
  }
  for (const delimiter of DELIMITERS) {
    const row = rowsOf(head.slice(0, 1), delimiter)[0] ?? [];
    for (const table of tables) {
      const columns = table.columnsOf?.(row);
      if (columns !== undefined) return { table, delimiter, headerLine: 0, columns };
    }
  }
  return undefined;
}

/**
 * The layout of a table that begins with its header and is separated by commas.
 * @throws Error naming the columns that are missing
 */
export function layoutOf(name: string, header: readonly string[], table: RowTable): TableLayout {
  const columns = header.map(plain);
  const missing = table.required.filter(names => !names.some(column => columns.includes(column)));
  if (missing.length === 0) return { table, delimiter: ',', headerLine: 1, columns };
  throw new Error(
    `${name} is not ${table.what}: its header names no column ${missing.map(names => names[0]).join(', ')}.`,
  );
}

function plain(column: string): string {
  return column.trim().toLowerCase();
}
