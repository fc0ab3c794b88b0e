// Where a table is read from: a file, plain or gzip, or a file in a ZIP archive. All tables of archives and folders can
// be listed.

import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { firstBytes } from '../../config/regular_file.ts';
import { type ArchiveEntry, openArchive } from './zip_archive.ts';

/** A table that can be read any number of times. */
export interface TableSource {
  /** As in messages. */
  name: string;
  /** As they are counted while it is read. */
  bytes: number;
  /** It is a file of the format Parquet, which is read in any order. */
  isParquet?: boolean;
  /** Its content from the start. @param onBytes receives how many more were read */
  open(onBytes: (bytes: number) => void): Promise<Readable>;
}

/** The sources of some paths. */
interface TableSources {
  sources: TableSource[];
  close(): void;
}

const READ_BYTES = 65_536;
/** Registers of large countries are read as streams; that of Australia has 10 GB. */
const ARCHIVE_BYTES_MAX = 64 * 1024 ** 3;
export const GZIP_MARK = Buffer.from([0x1f, 0x8b]);
export const ZIP_MARK = Buffer.from('PK\x03\x04');
export const PARQUET_MARK = Buffer.from('PAR1');
/** Names of tables beside read-me files, licences and drawings. */
const TABLE_NAME = /\.(csv|tsv|psv|txt|geojson|jsonl|ndjson|geojsonl|json)(\.gz)?$/i;
/** What the Finder adds to archives. */
const FORK = /(^|\/)(__MACOSX\/|\._)/;

/** A file, plain or gzip. */
export function fileSource(path: string): TableSource {
  return {
    name: path,
    bytes: statSync(path).size,
    async open(onBytes) {
      const isGzip = beginsWith(path, GZIP_MARK);
      const read = counted(createReadStream(path, { highWaterMark: READ_BYTES }), onBytes);
      if (!isGzip) return read;
      // A failure of either stream destroys the other and comes out of the result.
      return pipeline(read, createGunzip({ chunkSize: READ_BYTES }), () => {});
    },
  };
}

/**
 * All tables of files, archives and folders.
 * @throws Error naming a path that is missing, or an archive that is damaged
 */
export async function tableSources(paths: readonly string[]): Promise<TableSources> {
  const closes: (() => void)[] = [];
  const close = (): void => {
    for (const each of closes) each();
  };
  const sources: TableSource[] = [];
  try {
    for (const path of paths.flatMap(filesAt)) {
      if (!beginsWith(path, ZIP_MARK)) {
        sources.push({ ...fileSource(path), isParquet: isParquetFile(path) });
        continue;
      }
      const archive = await openArchive(path, ARCHIVE_BYTES_MAX);
      closes.push(archive.close);
      sources.push(...archive.entries.filter(({ name }) => isTable(name)).map(entrySource));
    }
  } catch (error) {
    close();
    throw error;
  }
  return { sources, close };
}

/** A file, or those of a folder that may hold tables. */
function filesAt(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path} does not exist.`);
  if (!stat.isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return names
    .map(entry => join(entry.parentPath, entry.name))
    .filter(name => isTable(name) || /\.(zip|parquet)$/i.test(name))
    .sort();
}

/** Whether a file of an archive may hold a table, by its name. */
export function isTable(name: string): boolean {
  return TABLE_NAME.test(name) && !FORK.test(name);
}

function entrySource({ fullName, inflatedBytes, open }: ArchiveEntry): TableSource {
  return { name: fullName, bytes: inflatedBytes, open: async onBytes => counted(await open(), onBytes) };
}

function counted(stream: Readable, onBytes: (bytes: number) => void): Readable {
  stream.on('data', (chunk: Buffer) => onBytes(chunk.length));
  return stream.pause();
}

/** Whether a file is one of the format Parquet, by its first bytes. */
export function isParquetFile(path: string): boolean {
  return beginsWith(path, PARQUET_MARK);
}

function beginsWith(path: string, mark: Buffer): boolean {
  return firstBytes(path, mark.length).equals(mark);
}
