// Looks at a table before it is answered, by its first bytes: its columns, what of them is recognised, and what may be
// asked of it. And reads the first rows of an answered one.

import { LOOK_BYTES } from '../transfer/addresses/look_at_addresses.ts';
import { beginningsOf } from '../transfer/files/first_bytes.ts';
import { openTable, openTableOf } from '../transfer/files/table_file.ts';
import { PARQUET_MARK } from '../transfer/files/table_source.ts';
import { columnsOf, type Role, rolesOf, type TableKind } from './table_columns.ts';

const NAME = 'The table';
const EXAMPLE_CHARACTERS = 60;
/** Of an answered table. */
const ROWS_SHOWN = 100;
/** The columns that an answered table has behind its own, and cells of rows that have more. */
const ADDED = 5;

/** What is seen of a table. */
interface TableLook {
  encoding: string;
  /** With the beginning of its value in the first row. */
  columns: { name: string; example: string }[];
  /** What is likely to be asked of it. */
  kind: TableKind;
  /** Columns by their roles. */
  recognised: { [role in Role]?: string };
}

/** The first rows of an answered table. */
interface AnsweredRows {
  columns: string[];
  rows: AnsweredRow[];
}

interface AnsweredRow {
  line: number;
  /** Of the table itself. */
  cells: string[];
  latitude?: number;
  longitude?: number;
  /** Metres. */
  radius?: number;
  place: string;
  quality: string;
}

/** @param first bytes of a table @param encoding as somebody says @throws Error when they hold no table */
export async function lookAtTable(first: Buffer, encoding: string | undefined): Promise<TableLook> {
  if (first.subarray(0, PARQUET_MARK.length).equals(PARQUET_MARK))
    throw new Error('A Parquet file says at its end what it holds; the commands read it.');
  const [beginning] = await beginningsOf(first, first.length >= LOOK_BYTES, NAME);
  if (beginning?.name !== NAME) throw new Error('An archive is no table; take one out of it.');
  const table = await openTableOf(beginning, encoding);
  const { header } = table;
  const [row] = await firstOf(table.rows(), 1);
  const found = (kind: TableKind) => {
    const at = columnsOf(header, kind, {});
    return rolesOf(kind).flatMap(([role]) => (at[role].length > 0 ? [[role, header[at[role][0]]] as const] : []));
  };
  const [scans, points] = [found('locate'), found('reverse')].map(each => Object.fromEntries(each));
  const isScan = ['body', 'wifi', 'cell'].some(role => role in scans);
  const isPoint = 'position' in points || ('latitude' in points && 'longitude' in points);
  return {
    encoding: table.encoding.name,
    columns: header.map((name, i) => ({ name, example: (row?.cells[i] ?? '').slice(0, EXAMPLE_CHARACTERS) })),
    kind: isScan ? 'locate' : isPoint ? 'reverse' : 'geocode',
    recognised: { ...scans, ...points },
  };
}

/** @param path of an answered table @throws Error when it cannot be read */
export async function firstAnsweredRows(path: string, encoding: string | undefined): Promise<AnsweredRows> {
  const table = await openTable(path, encoding);
  const own = table.header.length - ADDED;
  const rows = await firstOf(table.rows(), ROWS_SHOWN);
  return { columns: table.header.slice(0, own), rows: rows.map(({ line, cells }) => answeredRow(line, cells, own)) };
}

async function firstOf<T>(rows: AsyncIterable<T>, count: number): Promise<T[]> {
  const first: T[] = [];
  for await (const row of rows) {
    first.push(row);
    if (first.length === count) break;
  }
  return first;
}

function answeredRow(line: number, cells: readonly string[], own: number): AnsweredRow {
  const [latitude, longitude, radius, place, quality] = cells.slice(own);
  const position = { latitude: Number(latitude), longitude: Number(longitude), radius: Number(radius) };
  return { line, cells: cells.slice(0, own), ...(latitude !== '' && position), place, quality };
}
