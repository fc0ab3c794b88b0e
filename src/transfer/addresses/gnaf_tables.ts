// Joins the tables of the register of Australia as it is released ("G-NAF Data Product Description",
// geoscape.com.au): a file for each table of each state, with bars between columns.
//
//   NSW_ADDRESS_DETAIL_psv.psv                 numbers of houses, with the ids of street and locality
//   NSW_ADDRESS_DEFAULT_GEOCODE_psv.psv        positions
//   NSW_STREET_LOCALITY_psv.psv, NSW_LOCALITY_psv.psv
//   Authority_Code_STREET_SUFFIX_AUT_psv.psv   what N and the like stand for
//
// Names of streets and localities of a state are held in memory. Addresses and positions have no room there: both go to
// scratch files by a hash of the address's id, and then each pair of files is joined. So five million addresses take
// some hundred megabytes of disk, and of memory what the streets take.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { readRecords } from '../../geocoding/import/osm/records.ts';
import { ByteWriter } from '../../geocoding/index/varint.ts';
import { type ScratchFile, ScratchFiles } from '../../tables/environment/scratch_file.ts';
import type { Refusal } from '../files/refused_lines.ts';
import { openTableOf } from '../files/table_file.ts';
import type { TableSource } from '../files/table_source.ts';

const TABLES = ['ADDRESS_DETAIL', 'ADDRESS_DEFAULT_GEOCODE', 'STREET_LOCALITY', 'LOCALITY'] as const;
type Tables = Record<(typeof TABLES)[number], TableSource>;

/** The tables of a state. */
export interface GnafState extends Pick<TableSource, 'name' | 'bytes'> {
  tables: Tables;
  /** Names of the codes behind streets, where the release has them. */
  suffixes: TableSource | undefined;
}

/** A row of the joined table. */
interface GnafRow {
  /** In the table of addresses. */
  line: number;
  cells: readonly string[];
  fault: Refusal | string | undefined;
}

/** Columns as G-NAF Core has them. */
const HEADER = ['NUMBER_FIRST', 'NUMBER_LAST', 'STREET_NAME', 'LOCALITY_NAME', 'POSTCODE', 'LONGITUDE', 'LATITUDE'];
const NO_POSITION = ['', ''];
const NAME = /^(.*?)([^/_]+)_(ADDRESS_DETAIL|ADDRESS_DEFAULT_GEOCODE|STREET_LOCALITY|LOCALITY)_psv\.psv$/i;
const SUFFIX_NAME = /STREET_SUFFIX_AUT_psv\.psv$/i;
const RELEASED = /_psv\.psv$/i;
const FIRST = ['NUMBER_FIRST_PREFIX', 'NUMBER_FIRST', 'NUMBER_FIRST_SUFFIX'];
const LAST = ['NUMBER_LAST_PREFIX', 'NUMBER_LAST', 'NUMBER_LAST_SUFFIX'];
const ALIAS: Refusal = { rule: 'alias', why: 'it is another name of an address' };
const RETIRED: Refusal = { rule: 'retired', why: 'it is no address any more' };
/** The largest state has some five million addresses: 80,000 in each part. */
const PARTS = 64;
const PART_BYTES = 65_536;
const ROWS_PER_UPDATE = 5_000;

/** Tells the tables of a release. @returns states whose tables are complete, and what is no part of such a release */
export function gnafStates(sources: readonly TableSource[]): { states: GnafState[]; others: TableSource[] } {
  const found = new Map<string, Partial<Tables>>();
  for (const source of sources) {
    const [, folder, state, table] = NAME.exec(source.name) ?? [];
    if (table === undefined) continue;
    const tables = found.get(`${folder}${state}`) ?? {};
    tables[table.toUpperCase() as keyof Tables] = source;
    found.set(`${folder}${state}`, tables);
  }
  const complete = [...found.values()].filter((tables): tables is Tables => TABLES.every(table => table in tables));
  const suffixes = sources.find(({ name }) => SUFFIX_NAME.test(name));
  const states = complete.map(tables => {
    const bytes = TABLES.reduce((sum, table) => sum + tables[table].bytes, 0);
    return { name: tables.ADDRESS_DETAIL.name, bytes, tables, suffixes };
  });
  if (states.length === 0) return { states, others: [...sources] };
  const joined = new Set(complete.flatMap(tables => Object.values(tables)));
  const isOther = (source: TableSource) => (NAME.test(source.name) ? !joined.has(source) : !RELEASED.test(source.name));
  return { states, others: sources.filter(isOther) };
}

/**
 * The addresses of a state as one table.
 * @param scratchFolder existing, on the disk that has room
 * @param onRead called often while tables are read; what it throws ends the reading
 */
export function joinState(state: GnafState, scratchFolder: string, onRead: (bytesDone: number) => void) {
  const scratch = new ScratchFiles(scratchFolder);
  let bytesDone = 0;
  const follow = (bytes: number): void => onRead(bytesDone + bytes);
  const { tables } = state;
  async function* read(source: TableSource, columns: readonly string[]): ReturnType<typeof readColumns> {
    yield* readColumns(source, columns, follow);
    bytesDone += source.bytes;
  }
  async function* rows(): AsyncGenerator<GnafRow> {
    try {
      const suffixes = new Map<string, string>();
      if (state.suffixes !== undefined)
        for await (const { cells } of readColumns(state.suffixes, ['CODE', 'NAME'], follow))
          suffixes.set(cells[0], cells[1]);
      const streets = new Map<string, string>();
      const named = ['STREET_LOCALITY_PID', 'STREET_NAME', 'STREET_TYPE_CODE', 'STREET_SUFFIX_CODE'];
      for await (const { cells } of read(tables.STREET_LOCALITY, named)) {
        const [id, name, type, suffix] = cells;
        streets.set(id, [name, type, suffixes.get(suffix) ?? suffix].filter(part => part !== '').join(' '));
      }
      const localities = new Map<string, string>();
      for await (const { cells } of read(tables.LOCALITY, ['LOCALITY_PID', 'LOCALITY_NAME']))
        localities.set(cells[0], cells[1]);
      const positions = new Parts(scratch);
      const placed = ['ADDRESS_DETAIL_PID', 'LONGITUDE', 'LATITUDE', 'DATE_RETIRED'];
      for await (const { line, cells } of read(tables.ADDRESS_DEFAULT_GEOCODE, placed))
        if (cells[3] === '') positions.add(line, cells[0], cells.slice(1, 3));
      const addresses = new Parts(scratch);
      const ids = ['ADDRESS_DETAIL_PID', 'STREET_LOCALITY_PID', 'LOCALITY_PID', 'POSTCODE'];
      const detail = [...ids, 'ALIAS_PRINCIPAL', 'DATE_RETIRED', ...FIRST, ...LAST];
      for await (const { line, cells, fault } of read(tables.ADDRESS_DETAIL, detail)) {
        const [id, street, locality, postcode, principal, retired, ...numbers] = cells;
        const reason = fault ?? (retired !== '' ? RETIRED : principal === 'A' ? ALIAS : undefined);
        if (reason !== undefined) yield { line, cells: [], fault: reason };
        else {
          const [first, last] = [numbers.slice(0, FIRST.length), numbers.slice(FIRST.length)].map(each =>
            each.join(''),
          );
          const texts = [first, last, streets.get(street) ?? '', localities.get(locality) ?? '', postcode];
          addresses.add(line, id, texts);
        }
      }
      yield* joined(addresses, positions);
    } finally {
      scratch.close();
    }
  }
  return { header: HEADER, isJson: false, firstLine: 2, rows, bytesDone: () => bytesDone };
}

function* joined(addresses: Parts, positions: Parts): Generator<GnafRow> {
  for (let part = 0; part < PARTS; part++) {
    const places = new Map<string, readonly string[]>();
    for (const { id, texts } of positions.read(part)) if (!places.has(id)) places.set(id, texts);
    for (const { line, id, texts } of addresses.read(part))
      yield { line, cells: [...texts, ...(places.get(id) ?? NO_POSITION)], fault: undefined };
  }
}

/** Some columns of a table. @throws Error naming one that it lacks */
async function* readColumns(
  source: TableSource,
  columns: readonly string[],
  onRead: (bytes: number) => void,
): AsyncGenerator<{ line: number; cells: string[]; fault: string | undefined }> {
  const table = await openTableOf(source);
  const places = columns.map(column => table.header.indexOf(column));
  const lacking = columns.find((_, i) => places[i] < 0);
  if (lacking !== undefined) throw new Error(`${source.name} has no column ${lacking}.`);
  let rows = 0;
  for await (const { line, cells, fault } of table.rows()) {
    yield { line, cells: places.map(place => cells[place]), fault };
    if (++rows % ROWS_PER_UPDATE !== 0) continue;
    onRead(table.bytesDone());
    await nextTurn();
  }
}

/** Records of addresses on disk, those of one id in one part. */
class Parts {
  private readonly parts: { file: ScratchFile; out: ByteWriter }[];
  private readonly record = new ByteWriter();

  constructor(scratch: ScratchFiles) {
    this.parts = Array.from({ length: PARTS }, () => ({ file: scratch.open(), out: new ByteWriter() }));
  }

  add(line: number, id: string, texts: readonly string[]): void {
    const { record } = this;
    record.clear();
    record.unsigned(line);
    record.text(id);
    for (const text of texts) record.text(text);
    const part = crc32(id) % PARTS;
    const { out } = this.parts[part];
    out.unsigned(record.length);
    out.put(record.view());
    if (out.length >= PART_BYTES) this.flush(part);
  }

  *read(part: number): Generator<{ line: number; id: string; texts: string[] }> {
    this.flush(part);
    const { file } = this.parts[part];
    for (const record of readRecords((into, position) => file.read(into, position), 0)) {
      const [line, id, texts] = [record.unsigned(), record.text(), [] as string[]];
      while (record.at < record.end) texts.push(record.text());
      yield { line, id, texts };
    }
  }

  private flush(part: number): void {
    const { file, out } = this.parts[part];
    file.append(out.view());
    out.clear();
  }
}
