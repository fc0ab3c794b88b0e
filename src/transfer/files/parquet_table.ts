// Reads a table of the format Parquet (parquet.apache.org), such as the addresses of Overture Maps
// (docs.overturemaps.org/schema/reference/addresses/address). The points of a column of geometry (GeoParquet,
// Well-Known Binary) become two columns before the others, `longitude` and `latitude`.
//
// Row groups are read one after the other. Of each, the wanted columns are held as they are on disk. Before a page is
// unpacked, all are checked: what they state bounds the memory. Then some rows at a time are unpacked; a column of
// lists only as a whole, and of each list one text stays.

import { closeSync, readSync } from 'node:fs';
import { brotliDecompressSync, crc32, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, ColumnMetaData, Compressors, FileMetaData, KeyValue, SchemaTree } from 'hyparquet';
import { openRegularFile } from '../../config/regular_file.ts';

type Library = Awaited<ReturnType<typeof load>>;
type Decompress = NonNullable<Compressors[keyof Compressors]>;

/** A Parquet file being read. */
interface ParquetTable {
  /** Names of its columns. */
  header: string[];
  isJson: false;
  firstLine: 1;
  /** @param wanted places of columns in the header; others are empty @throws Error when the file is damaged */
  rows(wanted: readonly number[]): AsyncGenerator<ParquetRow>;
  bytesDone(): number;
  /** Its own columns, without those of points. */
  columns: readonly SchemaTree[];
  /** The name of the one with the positions. */
  geometry: string | undefined;
  /** What the file says of it. */
  geo: KeyValue[] | undefined;
}

interface ParquetRow {
  /** Its number, from 1. */
  line: number;
  cells: readonly unknown[];
  fault: undefined;
}

interface RowGroup {
  /** Number of its first row, from 0. */
  start: number;
  rows: number;
  chunks: ColumnMetaData[];
}

const ROWS_AT_ONCE = 65_536;
/** Writers make groups of a million rows or fewer, and pages of some megabytes. */
const GROUP_ROWS_MAX = 2 ** 21;
const GROUP_BYTES_MAX = 512 * 1024 ** 2;
const PAGE_BYTES_MAX = 128 * 1024 ** 2;
const FOOTER_BYTES_MAX = 64 * 1024 ** 2;
/** Of a column in a group, those in lists too. */
const VALUES_MAX = 2 ** 23;
/** The length of the footer and the mark stand at the end. */
const TAIL_BYTES = 8;
const GEOMETRY = 'geometry';
const POINT_COLUMNS = ['longitude', 'latitude'];
const WKB_POINT = 1;
const WKB_POINT_BYTES = 21;
/** PostGIS has flags above the kind, of which one says that four bytes follow. ISO counts dimensions in thousands. */
const WKB_HAS_SYSTEM = 0x20000000;
const WKB_KIND = 0x0fffffff;
const WKB_DIMENSIONS = 1000;

const CODECS: Readonly<Record<string, (library: Library) => Decompress>> = {
  UNCOMPRESSED: () => page => page,
  SNAPPY: library => (page, bytes) => {
    const out = new Uint8Array(bytes);
    library.snappyUncompress(page, out);
    return out;
  },
  GZIP: () => (page, maxOutputLength) => gunzipSync(page, { maxOutputLength }),
  BROTLI: () => (page, maxOutputLength) => brotliDecompressSync(page, { maxOutputLength }),
  ZSTD: () => (page, maxOutputLength) => zstdDecompressSync(page, { maxOutputLength }),
};
const asIs = (bytes: Uint8Array) => bytes;
const same = <T>(value: T) => value;
/** Times stay the numbers that they are: a date of JavaScript has no microseconds. */
const PARSERS = {
  geometryFromBytes: asIs,
  geographyFromBytes: asIs,
  jsonFromBytes: asIs,
  dateFromDays: same,
  timestampFromMilliseconds: same,
  timestampFromMicroseconds: same,
  timestampFromNanoseconds: same,
};

/**
 * Opens a file. @param ofList what stays of a value of a column of lists or structures
 * @throws Error naming the file when it is no Parquet file or a damaged one, or states more than the bounds
 */
export async function openParquet(
  { name, bytes }: { name: string; bytes: number },
  ofList: (value: unknown) => unknown,
): Promise<ParquetTable> {
  const library = await load();
  const failed = (why: string) => (error: unknown) => new Error(`${name} ${why}: ${(error as Error).message}.`);
  const { metadata, columns, geometry } = await orThrow(
    () => readFooter(library, name, bytes),
    failed('cannot be read as Parquet'),
  );
  const names = columns.map(({ element }) => element.name);
  const header = geometry === undefined ? names : [...POINT_COLUMNS, ...names];
  const before = header.length - names.length;
  let rowsDone = 0;
  async function* rows(wanted: readonly number[]): AsyncGenerator<ParquetRow> {
    const isPoint = wanted.some(at => at < before);
    const own = columns.filter(
      ({ element: { name: column } }, i) => wanted.includes(before + i) || (isPoint && column === geometry),
    );
    for (const group of groupsOf(metadata)) {
      const damaged = failed(`is damaged in rows ${group.start + 1} to ${group.start + group.rows}`);
      const read = await orThrow(
        () => openGroup(library, { name, bytes, ofList }, metadata, group, own, geometry),
        damaged,
      );
      for (let from = group.start; from < group.start + group.rows; from += ROWS_AT_ONCE) {
        const to = Math.min(group.start + group.rows, from + ROWS_AT_ONCE);
        const values = await orThrow(() => read(from, to), damaged);
        for (let i = 0; i < to - from; i++) {
          const cells: unknown[] = isPoint ? pointIn(values.get(geometry!)![i]) : [];
          for (const [column, { [i]: cell }] of values) cells[before + names.indexOf(column)] = cell;
          yield { line: ++rowsDone, cells, fault: undefined };
        }
      }
    }
  }
  const total = Math.max(1, Number(metadata.num_rows));
  const geo = metadata.key_value_metadata?.filter(({ key }) => key === 'geo');
  const bytesDone = () => Math.round((bytes * rowsDone) / total);
  return { header, isJson: false, firstLine: 1, rows, bytesDone, columns, geometry, geo };
}

async function load() {
  const [all, pages] = await Promise.all([import('hyparquet'), import('hyparquet/src/column.js')]);
  return { ...all, parquetHeader: pages.parquetHeader };
}

async function orThrow<T>(read: () => Promise<T>, failed: (error: unknown) => Error): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw failed(error);
  }
}

async function readFooter(library: Library, path: string, byteLength: number) {
  if (byteLength < TAIL_BYTES) throw new Error('it is too short');
  const length = new DataView(readBytes(path, byteLength - TAIL_BYTES, byteLength)).getUint32(0, true);
  if (length > FOOTER_BYTES_MAX) throw new Error(`its footer would have ${length} bytes`);
  const start = Math.max(0, byteLength - TAIL_BYTES - length);
  const metadata = library.parquetMetadata(readBytes(path, start, byteLength), { geoparquet: false });
  const columns = library.parquetSchema(metadata).children;
  if (columns.some(({ element }) => element.name === undefined)) throw new Error('a column has no name');
  return { metadata, columns, geometry: geometryOf(metadata, columns) };
}

/** The name of the column with the positions. */
function geometryOf({ key_value_metadata = [] }: FileMetaData, columns: readonly SchemaTree[]): string | undefined {
  const geo = key_value_metadata.find(({ key }) => key === 'geo')?.value;
  const primary = geo === undefined ? GEOMETRY : (JSON.parse(geo) as { primary_column?: unknown }).primary_column;
  return columns.find(({ element }) => element.name === primary)?.element.name;
}

function* groupsOf({ row_groups }: FileMetaData): Generator<RowGroup> {
  let start = 0;
  for (const { num_rows, columns } of row_groups) {
    const rows = Number(num_rows);
    yield { start, rows, chunks: columns.flatMap(({ meta_data }) => meta_data ?? []) };
    start += rows;
  }
}

type Values = ReadonlyMap<string, ArrayLike<unknown>>;

/** @returns what reads some rows of it @throws Error without a full stop */
async function openGroup(
  library: Library,
  { name, bytes, ofList }: { name: string; bytes: number; ofList: (value: unknown) => unknown },
  metadata: FileMetaData,
  group: RowGroup,
  columns: readonly SchemaTree[],
  geometry: string | undefined,
): Promise<(rowStart: number, rowEnd: number) => Promise<Values>> {
  const names = columns.map(({ element }) => element.name);
  const chunks = group.chunks.filter(({ path_in_schema: [column] }) => names.includes(column));
  checkGroup(group, chunks);
  const held = chunks.map(chunk => holdChunk(library, name, chunk));
  const file: AsyncBuffer = {
    byteLength: bytes,
    slice(start, end = bytes) {
      const chunk = held.find(each => each.start <= start && end <= each.start + each.bytes.byteLength);
      return chunk === undefined
        ? readBytes(name, start, end)
        : chunk.bytes.slice(start - chunk.start, end - chunk.start);
    },
  };
  const compressors = Object.fromEntries(Object.entries(CODECS).map(([codec, of]) => [codec, of(library)]));
  const open = () =>
    library.parquetScan({ file, metadata, columns: names, compressors, parsers: PARSERS, utf8: false });
  const lists = new Map<string, unknown[]>();
  for (const { element, children } of columns) {
    if (children.length === 0 || element.name === geometry) continue;
    // What reads a column keeps it, so it is left at once.
    const scan = await open();
    const rowEnd = group.start + group.rows;
    const values = await scan.readColumn({ column: element.name, rowStart: group.start, rowEnd });
    if (values.length !== group.rows)
      throw new Error(`its column ${element.name} has ${values.length} rows of ${group.rows}`);
    lists.set(element.name, Array.from(values, ofList));
  }
  const scan = await open();
  return async (rowStart, rowEnd) => {
    const values = new Map<string, ArrayLike<unknown>>();
    for (const column of names) {
      const list = lists.get(column)?.slice(rowStart - group.start, rowEnd - group.start);
      values.set(column, list ?? (await scan.readColumn({ column, rowStart, rowEnd })));
    }
    return values;
  };
}

function checkGroup({ rows }: RowGroup, chunks: readonly ColumnMetaData[]): void {
  if (!(rows >= 0 && rows <= GROUP_ROWS_MAX))
    throw new Error(`a row group has ${rows} rows, and at most ${GROUP_ROWS_MAX} are read`);
  let bytes = 0;
  for (const { codec, path_in_schema: path, total_compressed_size, total_uncompressed_size, num_values } of chunks) {
    if (!(codec in CODECS)) throw new Error(`its column ${path.join('.')} is packed by ${codec}, which is not read`);
    if (num_values > VALUES_MAX)
      throw new Error(`a row group has ${num_values} values of its column ${path.join('.')}`);
    bytes += Math.max(Number(total_compressed_size), Number(total_uncompressed_size));
  }
  if (!(bytes <= GROUP_BYTES_MAX))
    throw new Error(`a row group would take ${bytes} bytes, and at most ${GROUP_BYTES_MAX} are read`);
}

/** Reads a column of a group as it is on disk, and checks its pages. */
function holdChunk(library: Library, path: string, chunk: ColumnMetaData): { start: number; bytes: ArrayBuffer } {
  const { dictionary_page_offset, data_page_offset, total_compressed_size, num_values, path_in_schema } = chunk;
  const start = Number(dictionary_page_offset || data_page_offset);
  const bytes = readBytes(path, start, start + Number(total_compressed_size));
  const reader = { view: new DataView(bytes), offset: 0 };
  let values = 0;
  while (reader.offset < bytes.byteLength) {
    const page = library.parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked, crc } = page;
    const count = (page.data_page_header ?? page.data_page_header_v2)?.num_values ?? 0;
    const entries = page.dictionary_page_header?.num_values ?? 0;
    const isPossible = size >= 0 && size <= bytes.byteLength - reader.offset && unpacked >= 0 && count >= 0;
    if (!isPossible || unpacked > PAGE_BYTES_MAX || entries > unpacked)
      throw new Error(`a page of its column ${path_in_schema.join('.')} states a size that it cannot have`);
    if (crc !== undefined && crc32(new Uint8Array(bytes, reader.offset, size)) !== crc >>> 0)
      throw new Error(`a page of its column ${path_in_schema.join('.')} has another checksum`);
    values += count;
    reader.offset += size;
  }
  if (values !== Number(num_values))
    throw new Error(`its column ${path_in_schema.join('.')} has ${values} values, and states ${num_values}`);
  return { start, bytes };
}

/** @throws Error where there are fewer, or that of the system */
function readBytes(path: string, start: number, end: number): ArrayBuffer {
  const file = openRegularFile(path);
  try {
    const bytes = new Uint8Array(end - start);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, start + length);
    if (length < bytes.length) throw new Error('it ends too early');
    return bytes.buffer;
  } finally {
    closeSync(file);
  }
}

/** Longitude and latitude of a point; empty for what is none. */
function pointIn(cell: unknown): unknown[] {
  if (cell instanceof Uint8Array) {
    if (cell.length < WKB_POINT_BYTES) return [];
    const view = new DataView(cell.buffer, cell.byteOffset, cell.length);
    const isLittle = view.getUint8(0) === 1;
    const kind = view.getUint32(1, isLittle);
    const at = (kind & WKB_HAS_SYSTEM) === 0 ? 5 : 9;
    if ((kind & WKB_KIND) % WKB_DIMENSIONS !== WKB_POINT || cell.length < at + 16) return [];
    return [view.getFloat64(at, isLittle), view.getFloat64(at + 8, isLittle)];
  }
  const { x, y } = (cell ?? {}) as { x?: unknown; y?: unknown };
  return [x, y];
}
