// Copies of the extracts that the places of a data folder were built from, so that one of them can be replaced or
// removed and the places built again from the others:
//
//   extracts/3.osm.pbf      one file of an extract
//   extracts/4.changes      changes of an extract since it was made
//   extracts/5.addresses    addresses or postcodes of a source
//   extracts/6.importance   a table of importance (importance_table.ts)
//   meta of the layer       the lists of extracts and tables, with the numbers of their files
//
// The lists take effect with their layer. A file is written before a list names it, and removed after the list drops
// it.

import { constants, createReadStream, createWriteStream, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '../environment/durable_file.ts';
import { namesIn } from '../environment/generation_folder.ts';
import { currentLayer, placesFolder } from './generations.ts';
import { LayerReader } from './layer.ts';
import type { KeptExtract, LayerMeta } from './layer_meta.ts';

const SUFFIX = '.osm.pbf';
const CHANGES_SUFFIX = '.changes';
const IMPORTANCE_SUFFIX = '.importance';
const ADDRESSES_SUFFIX = '.addresses';
const PARTIAL = '.partial';
const PIECE_BYTES = 1_048_576;

/** Path of a file of an extract. */
export function extractPath(dataFolder: string, file: number): string {
  return join(extractsFolder(dataFolder), `${file}${SUFFIX}`);
}

/** Path of the addresses of a source. */
export function addressesPath(dataFolder: string, file: number): string {
  return join(extractsFolder(dataFolder), `${file}${ADDRESSES_SUFFIX}`);
}

/** Path of the changes of an extract. */
export function changesPath(dataFolder: string, file: number): string {
  return join(extractsFolder(dataFolder), `${file}${CHANGES_SUFFIX}`);
}

/** Path of a table of importance. */
export function importancePath(dataFolder: string, file: number): string {
  return join(extractsFolder(dataFolder), `${file}${IMPORTANCE_SUFFIX}`);
}

/** Paths of all files that a layer was built from. @param meta of the layer; undefined without one */
export function pathsOfPlaces(dataFolder: string, meta: LayerMeta | undefined): string[] {
  const { extracts = [], importance = [] } = meta ?? {};
  const tables = importance.map(({ file }) => importancePath(dataFolder, file));
  return [...extracts.flatMap(extract => pathsOfExtract(dataFolder, extract)), ...tables];
}

/** Paths of all files that an extract is read from. */
export function pathsOfExtract(dataFolder: string, { kind, files, changes }: KeptExtract): string[] {
  const pathOf = kind === undefined ? extractPath : addressesPath;
  const paths = files.map(file => pathOf(dataFolder, file));
  return changes === undefined ? paths : [...paths, changesPath(dataFolder, changes.file)];
}

/**
 * Writes a file beside the copies, on disk when this resolves.
 * @param pathOf path of the kind of file by its number
 * @param write makes the file of a path
 * @returns the number of the file, and its path
 */
export async function keepWritten(
  dataFolder: string,
  pathOf: (dataFolder: string, file: number) => string,
  write: (path: string) => void | Promise<void>,
): Promise<{ file: number; path: string }> {
  const file = nextFile(dataFolder);
  const path = pathOf(dataFolder, file);
  await write(path + PARTIAL);
  await comeIntoForce(path);
  return { file, path };
}

/**
 * Copies a file, on disk when this resolves. File systems that can share blocks between files do.
 * @param onPiece called before each piece; what it throws ends the copy
 * @returns the number of the copy
 */
export async function keepExtractFile(dataFolder: string, path: string, onPiece: () => void): Promise<number> {
  onPiece();
  const file = nextFile(dataFolder);
  const copy = extractPath(dataFolder, file);
  try {
    await copyFile(path, copy + PARTIAL, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    // The blocks cannot be shared; where the file cannot be read, this says so.
    await pipeline(createReadStream(path, { highWaterMark: PIECE_BYTES }), watched, createWriteStream(copy + PARTIAL));
  }
  await comeIntoForce(copy);
  return file;

  async function* watched(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      onPiece();
      yield piece;
    }
  }
}

function nextFile(dataFolder: string): number {
  const folder = extractsFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return 1 + Math.max(0, ...readdirSync(folder).map(name => Number.parseInt(name, 10) || 0));
}

/** Gives a file that is complete its name. */
async function comeIntoForce(path: string): Promise<void> {
  const handle = await open(path + PARTIAL, 'r+');
  await handle
    .chmod(0o600)
    .then(() => handle.sync())
    .finally(() => handle.close());
  renameSync(path + PARTIAL, path);
  syncFolder(dirname(path));
}

/** Names of all copies, also of unfinished ones. */
export function copiesIn(dataFolder: string): string[] {
  return namesIn(extractsFolder(dataFolder));
}

/**
 * Removes copies that the live layer does not name: those of a kill, and those that were replaced. @param others names
 * that stay too
 */
export function removeUnusedExtracts(
  dataFolder: string,
  meta: LayerMeta | undefined,
  others: readonly string[] = [],
): void {
  const paths = pathsOfPlaces(dataFolder, meta);
  const used = new Set(paths.map(path => basename(path)).concat(others));
  for (const name of copiesIn(dataFolder)) if (!used.has(name)) rmSync(join(extractsFolder(dataFolder), name));
}

/**
 * What the live places of a data folder say of themselves; undefined when there are none. @throws Error when they
 * cannot be used
 */
export function livePlaces(dataFolder: string): LayerMeta | undefined {
  const path = currentLayer(placesFolder(dataFolder));
  if (path === undefined) return undefined;
  const reader = new LayerReader(path);
  void reader.close();
  return reader.meta;
}

function extractsFolder(dataFolder: string): string {
  return join(dataFolder, 'extracts');
}
