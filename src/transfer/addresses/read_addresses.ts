// Reads tables of addresses: CSV or Parquet by the names of columns, or lines of GeoJSON. A row that is no address is
// counted by what is wrong with it. Postcodes may stand in tables without a header, which are told by the form of their
// first row.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GivenAddress } from '../../geocoding/import/houses/address_file.ts';
import { openParquet } from '../files/parquet_table.ts';
import type { MostlyRefused, Refusal, RefusedLine } from '../files/refused_lines.ts';
import { Refusals, RowTally } from '../files/refused_lines.ts';
import { openTableOf } from '../files/table_file.ts';
import { type TableSource, tableSources } from '../files/table_source.ts';
import {
  type AddressLayout,
  type AddressRole,
  addressLayout,
  type NamedAddressColumns,
  textOf,
} from './address_columns.ts';
import { FeatureReader, type RowRules, readRow } from './address_row.ts';
import { type GnafState, gnafStates, joinState } from './gnaf_tables.ts';
import { headerlessLayout } from './postcode_files.ts';

/** What is read. */
interface ReadAddresses {
  /** Files, archives and folders. */
  paths: readonly string[];
  columns?: NamedAddressColumns | undefined;
  /** How tables are written; without, their bytes tell. */
  encoding?: string | undefined;
  country?: string | undefined;
  isPostcodes: boolean;
  /** Where tables are joined; existing. */
  scratchFolder: string;
  take(row: GivenAddress): void;
  /** Called often; what it throws ends the reading. */
  onProgress(progress: { rows: number; bytesDone: number; bytesTotal: number }): void;
}

/** What was read. */
export interface AddressReading {
  accepted: number;
  refused: number;
  refusedByRule: Record<string, number>;
  refusedLines: RefusedLine[];
  mostlyRefused: MostlyRefused[];
  /** Names of files of archives and folders that are no tables of addresses. */
  leftOut: string[];
}

/** A table being read. */
interface AddressTable {
  header: string[];
  /** Its rows are lines of GeoJSON. */
  isJson: boolean;
  /** Number of the line below the header. */
  firstLine: number;
  /** @param wanted places of columns in the header; cells of others may be left out */
  rows(wanted: readonly number[]): AsyncGenerator<AddressRow>;
  bytesDone(): number;
}

interface AddressRow {
  /** Of a text the line on which it begins, otherwise its number; from 1. */
  line: number;
  cells: readonly unknown[];
  /** What is wrong with the row; undefined where it can be read. */
  fault: Refusal | string | undefined;
}

/** How the rows of a table are read. */
interface RowReader {
  /** Its header is one, and no row. */
  hasHeader: boolean;
  /** Places of the columns that are read. */
  wanted: readonly number[];
  row(cells: readonly unknown[]): ReturnType<FeatureReader['read']>;
}

const ROWS_PER_UPDATE = 5_000;

/**
 * Reads tables.
 * @throws Error naming a file that cannot be read, or that is the only one and no table of addresses
 */
export async function readAddresses(options: ReadAddresses): Promise<AddressReading> {
  const { sources: files, close } = await tableSources(options.paths);
  const { states, others } = gnafStates(files);
  const sources = [...states, ...others];
  const refusals = new Refusals();
  const reading = { accepted: 0, mostlyRefused: [] as MostlyRefused[], leftOut: [] as string[] };
  const bytesTotal = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesBefore = 0;
  let firstMissing: string | undefined;
  try {
    if (sources.length === 0) throw new Error(`${options.paths.join(', ')} holds no table.`);
    for (const source of sources) {
      const onProgress = (rows: number, bytes: number) =>
        options.onProgress({ rows: reading.accepted + rows, bytesDone: bytesBefore + bytes, bytesTotal });
      const read = await readSource(source, options, refusals, onProgress);
      if (typeof read === 'string') {
        firstMissing ??= read;
        reading.leftOut.push(source.name);
      } else {
        reading.accepted += read.accepted;
        if (read.mostlyRefused !== undefined) reading.mostlyRefused.push(read.mostlyRefused);
      }
      bytesBefore += source.bytes;
    }
  } finally {
    close();
  }
  if (reading.leftOut.length === sources.length) throw new Error(firstMissing);
  return {
    ...reading,
    refused: refusals.total,
    refusedByRule: refusals.byRule,
    refusedLines: refusals.firstLines,
  };
}

/** @returns a sentence where it is no table of addresses */
async function readSource(
  source: TableSource | GnafState,
  options: ReadAddresses,
  refusals: Refusals,
  onProgress: (rows: number, bytes: number) => void,
): Promise<string | { accepted: number; mostlyRefused: MostlyRefused | undefined }> {
  const { take, columns = {}, country, isPostcodes } = options;
  const { name } = source;
  const table = await openSource(source, options, bytes => onProgress(0, bytes));
  const rules: RowRules = { columns, country, isPostcodes };
  const read = readerOf(table, rules);
  if (typeof read === 'string') return `${name} is no table of ${isPostcodes ? 'postcodes' : 'addresses'}: ${read}.`;
  const tally = new RowTally();
  let [rows, accepted] = [0, 0];
  for await (const { line, cells, fault } of allRows(table, read)) {
    const found =
      fault === undefined ? read.row(cells) : [typeof fault === 'string' ? { rule: 'cells', why: fault } : fault];
    for (const each of found) {
      if ('why' in each) {
        refusals.add(name, line, each);
        tally.refuse(each.rule, 1, () => each.why);
      } else {
        take(each);
        accepted++;
        tally.take(1);
      }
    }
    if (++rows % ROWS_PER_UPDATE !== 0) continue;
    onProgress(accepted, table.bytesDone());
    await nextTurn();
  }
  onProgress(accepted, table.bytesDone());
  return { accepted, mostlyRefused: tally.mostlyRefused(name, () => 'there are no rows') };
}

async function openSource(
  source: TableSource | GnafState,
  { encoding, scratchFolder }: ReadAddresses,
  onRead: (bytes: number) => void,
): Promise<AddressTable> {
  if ('tables' in source) return joinState(source, scratchFolder, onRead);
  return source.isParquet ? openParquet(source, textOf) : openTableOf(source, encoding);
}

/** How the rows of a table are read; a clause where it has not what is needed. */
export function readerOf(table: AddressTable, rules: RowRules): string | RowReader {
  if (table.isJson) {
    const features = new FeatureReader(rules);
    return { hasHeader: true, wanted: [0], row: ([line]) => features.read(line as string) };
  }
  const bare = rules.isPostcodes ? headerlessLayout(table.header) : undefined;
  if (bare !== undefined)
    return { hasHeader: false, wanted: [], row: cells => [bare(cells as readonly string[], rules)] };
  const layout = addressLayout(table.header, rules.columns);
  const missing = missingIn(layout, rules);
  const wanted = Object.values(layout).flatMap(({ at }) => at);
  if (missing.length === 0) return { hasHeader: true, wanted, row: cells => [readRow(cells, layout, rules)] };
  const [needed, header] = [missing, table.header].map(names => names.join(', '));
  return `it has no column for ${needed}, and has ${header}; name them with --number and the like`;
}

/** What a table lacks. */
export function missingIn(layout: AddressLayout, { isPostcodes }: Pick<RowRules, 'isPostcodes'>): AddressRole[] {
  const missing: AddressRole[] = (['latitude', 'longitude', isPostcodes ? 'postcode' : 'number'] as const).filter(
    role => layout[role] === undefined,
  );
  if (!isPostcodes && layout.street === undefined && layout.city === undefined) missing.push('street');
  return missing;
}

async function* allRows(table: AddressTable, { hasHeader, wanted }: RowReader): AsyncGenerator<AddressRow> {
  if (!hasHeader) yield { line: table.firstLine - 1, cells: table.header, fault: undefined };
  yield* table.rows(wanted);
}
