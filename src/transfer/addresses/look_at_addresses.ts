// Looks at a table of addresses before it is imported, by its first bytes: which columns would be read as what, and
// what becomes of the first rows. Nothing is written.

import type { GivenAddress } from '../../geocoding/import/houses/address_file.ts';
import { type Beginning, beginningsOf } from '../files/first_bytes.ts';
import { Refusals, type RefusedLine } from '../files/refused_lines.ts';
import { openTableOf } from '../files/table_file.ts';
import type { TableRow } from '../files/table_rows.ts';
import { PARQUET_MARK } from '../files/table_source.ts';
import { ADDRESS_ROLES, type AddressRole, addressLayout, type NamedAddressColumns } from './address_columns.ts';
import { propertiesOf, type RowRules } from './address_row.ts';
import { headerlessForm } from './postcode_files.ts';
import { missingIn, readerOf } from './read_addresses.ts';

/** Bytes of a file that are looked at, at most: some thousand rows. */
export const LOOK_BYTES = 262_144;
const ROWS_SHOWN = 5;
const EXAMPLE_CHARACTERS = 60;
const NAME = 'The file';

/** How the table is to be read. */
interface LookOptions {
  columns?: NamedAddressColumns | undefined;
  country?: string | undefined;
  encoding?: string | undefined;
  isPostcodes: boolean;
}

type Row = Pick<TableRow, 'line' | 'cells' | 'fault'>;

/** What is seen. */
export interface AddressLook {
  /** How it is written: a table with a header, lines of GeoJSON, or a list without a header that is known. */
  format: 'table' | 'GeoJSON' | NonNullable<ReturnType<typeof headerlessForm>>;
  /** Of an archive: the table in it. */
  table?: string;
  encoding: string;
  /** Columns, each with its value in the first row. */
  columns: { name: string; example: string }[];
  /** Columns by what is read of them. */
  recognised: { [role in AddressRole]?: string[] };
  /** What has no column and must have one; then no row is read. Of street and city, one is enough. */
  missing: AddressRole[];
  /** The first rows that can be imported. */
  rows: (GivenAddress & { line: number })[];
  /** Of all rows that were looked at. */
  accepted: number;
  refused: number;
  refusedByRule: Record<string, number>;
  refusedLines: Omit<RefusedLine, 'file'>[];
  /** More rows follow. */
  isCut: boolean;
}

/**
 * Looks at a table; of those of an archive at the first that could be imported.
 * @param first bytes of the file, of which more may follow only where it has as many as are looked at
 * @throws Error when they hold no table
 */
export async function lookAtAddresses(first: Buffer, options: LookOptions): Promise<AddressLook> {
  if (first.subarray(0, PARQUET_MARK.length).equals(PARQUET_MARK))
    throw new Error('A Parquet file says at its end what it holds; it can be imported without a look.');
  let [seen, fault]: [AddressLook?, Error?] = [];
  for (const beginning of await beginningsOf(first, first.length >= LOOK_BYTES, NAME)) {
    try {
      const look = await lookAt(beginning, options);
      if (look.missing.length === 0) return look;
      seen ??= look;
    } catch (error) {
      fault ??= error as Error;
    }
  }
  if (seen !== undefined) return seen;
  throw fault ?? new Error(`${NAME} begins with no table.`);
}

async function lookAt(beginning: Beginning, options: LookOptions): Promise<AddressLook> {
  const { columns: named = {}, country, encoding, isPostcodes } = options;
  const { name, isCut, bytes } = beginning;
  if (isCut && bytes === 0) throw new Error(`${name} has no whole line in its first ${LOOK_BYTES / 1024} KiB.`);
  const table = await openTableOf(beginning, encoding);
  const rules: RowRules = { columns: named, country, isPostcodes };
  const bare = isPostcodes && !table.isJson ? headerlessForm(table.header) : undefined;
  const rows: Row[] = bare === undefined ? [] : [{ line: 1, cells: table.header, fault: undefined }];
  for await (const row of table.rows()) rows.push(row);
  const properties = table.isJson ? propertiesOf(rows[0]?.cells[0] ?? '') : undefined;
  const header = properties === undefined ? table.header : Object.keys(properties);
  const example = properties === undefined ? (rows[0]?.cells ?? []) : Object.values(properties);
  const layout = bare === undefined ? addressLayout(header, named) : {};
  // Of GeoJSON the geometry says where it is.
  const roles = ADDRESS_ROLES.filter(role => !table.isJson || (role !== 'latitude' && role !== 'longitude'));
  const missing = bare === undefined ? missingIn(layout, rules) : [];
  return {
    format: table.isJson ? 'GeoJSON' : (bare ?? 'table'),
    ...(name !== NAME && { table: name.slice(NAME.length + 1) }),
    encoding: table.encoding.name,
    columns: bare === undefined ? header.map((each, i) => ({ name: each, example: shown(example[i]) })) : [],
    recognised: Object.fromEntries(
      roles.flatMap(role => (layout[role] ? [[role, layout[role].at.map(at => header[at])]] : [])),
    ),
    missing: missing.filter(role => roles.includes(role)),
    ...readRows(rows, readerOf(table, rules)),
    isCut,
  };
}

/** @param reader a sentence where the table cannot be read */
function readRows(
  rows: readonly Row[],
  reader: ReturnType<typeof readerOf>,
): Pick<AddressLook, 'rows' | 'accepted' | 'refused' | 'refusedByRule' | 'refusedLines'> {
  const refusals = new Refusals();
  const read: AddressLook['rows'] = [];
  let accepted = 0;
  for (const { line, cells, fault } of typeof reader === 'string' ? [] : rows) {
    const found = fault === undefined ? (reader as Exclude<typeof reader, string>).row(cells) : undefined;
    for (const each of found ?? [{ rule: 'cells', why: fault! }]) {
      if ('why' in each) refusals.add(NAME, line, each);
      else if (++accepted <= ROWS_SHOWN) read.push({ line, ...each });
    }
  }
  const refusedLines = refusals.firstLines.map(({ line, why }) => ({ line, why }));
  return { rows: read, accepted, refused: refusals.total, refusedByRule: refusals.byRule, refusedLines };
}

function shown(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, EXAMPLE_CHARACTERS);
}
