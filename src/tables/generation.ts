// Generations of the station tables. A large import never changes the tables that are being read: it builds a new LMDB environment beside them and
// then, by replacing one small file, makes it the live one. So at any moment, also after a kill or a power cut, the tables are the old ones or the
// new ones.
//
//   stations/7/            the live generation: databases `stations`, `areas`, `meta`
//   stations/8.partial/    one being built
//   stations/CURRENT       "7", replaced by rename
//   import-4711-x7Gq2a/    scratch files of an import by process 4711
//
// Keys of `stations` are station keys cut to their length (src/radio/station_key.ts), keys of `areas` are area keys (src/tables/areas.ts); values of
// both are station records. `meta` holds one JSON object.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { requireEnvironmentFile } from './environment_file.ts';

const GENERATION_FORMAT = 1;
const META_KEY = 'generation';
const DATABASES = ['stations', 'areas', 'meta'];
const PARTIAL = '.partial';
const SCRATCH_PREFIX = 'import-';

/** What a generation says about itself. */
export interface GenerationMeta {
  /** Version of the layout; a newer one is refused. */
  format: number;
  /** ISO 8601, UTC. */
  builtAt: string;
  /** Stations when it was built or last imported into. */
  count: number;
}

/** An open generation. Closing `root` closes all. */
export interface Generation {
  root: RootDatabase<Buffer, Buffer>;
  stations: Database<Buffer, Buffer>;
  areas: Database<Buffer, Buffer>;
  meta: Database<GenerationMeta, string>;
}

/** Folder of generation `n`. */
export function generationPath(folder: string, n: number): string {
  return join(stationsFolder(folder), String(n));
}

/**
 * Number of the live generation; undefined when nothing was ever imported.
 * @throws Error when `CURRENT` is damaged or names a generation that is missing
 */
export function currentGeneration(folder: string): number | undefined {
  const path = join(stationsFolder(folder), 'CURRENT');
  if (!existsSync(path)) return undefined;
  const text = readFileSync(path, 'utf8');
  if (!/^\d{1,15}\n$/.test(text))
    throw new Error(`${path} is damaged: it should hold the number of a generation. Restore the folder from a backup.`);
  const n = Number(text);
  if (!existsSync(generationPath(folder, n)))
    throw new Error(`${path} names generation ${n}, which is missing. Restore the folder from a backup.`);
  return n;
}

/**
 * Opens a generation, also where other threads and processes have it open. Never as read-only: the threads of a process share one handle of LMDB, and
 * the first to open it would take the right to write from all.
 * @throws Error when the folder is no station table, is damaged, or was written by a newer version
 */
export function openGeneration(path: string): Generation {
  try {
    requireEnvironmentFile(path);
    const root = openRoot(path);
    try {
      // Opening a database creates it: whether they are there is asked first, so that nothing is written into what is not ours.
      if (!DATABASES.every(name => root.doesExist(Buffer.from(`${name}\0`)))) throw new Error('it is no station table');
      const generation = openDatabases(root);
      const format = generation.meta.get(META_KEY)?.format;
      if (format !== GENERATION_FORMAT) throw new Error(`it has format ${format}, and this version reads format ${GENERATION_FORMAT}`);
      return generation;
    } catch (error) {
      void root.close();
      throw error;
    }
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`The station tables in ${path} cannot be used: ${reason}. Restore them from a backup, or use another data folder.`);
  }
}

/** Starts an empty generation beside the others. It becomes one of them by `publishGeneration`. @returns its number and databases */
export function startGeneration(folder: string): { n: number; generation: Generation } {
  mkdirSync(stationsFolder(folder), { recursive: true });
  const n = 1 + Math.max(0, ...generationNumbers(folder));
  const path = generationPath(folder, n) + PARTIAL;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path);
  return { n, generation: openDatabases(openRoot(path)) };
}

/** Writes what the generation says about itself, in the transaction that is open. */
export function describeGeneration(generation: Generation, count: number): void {
  generation.meta.putSync(META_KEY, { format: GENERATION_FORMAT, builtAt: new Date().toISOString(), count });
}

/** Stations in a generation, as the open transaction sees it. */
export function countStations(generation: Generation): number {
  return (generation.stations.getStats() as { entryCount: number }).entryCount;
}

/** Makes a started generation the live one, on the disk as well. Its databases must be closed. */
export function publishGeneration(folder: string, n: number): void {
  const path = generationPath(folder, n);
  syncFile(join(path + PARTIAL, 'data.mdb'));
  syncFolder(path + PARTIAL);
  renameSync(path + PARTIAL, path);
  const current = join(stationsFolder(folder), 'CURRENT');
  writeFileSync(current + PARTIAL, `${n}\n`);
  syncFile(current + PARTIAL);
  renameSync(current + PARTIAL, current);
  syncFolder(stationsFolder(folder));
}

/** Gives up a started generation. Its databases must be closed. */
export function dropGeneration(folder: string, n: number): void {
  rmSync(generationPath(folder, n) + PARTIAL, { recursive: true, force: true });
}

/** Removes a generation that is no longer live. Threads that still have it open keep what they have. */
export function removeGeneration(folder: string, n: number): void {
  rmSync(generationPath(folder, n), { recursive: true, force: true });
}

/** A new empty folder for the scratch files of an import; the caller removes it, and `removeLeftovers` does so after a kill. */
export function makeScratchFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return mkdtempSync(join(folder, `${SCRATCH_PREFIX}${process.pid}-`));
}

/**
 * Removes what a kill or an import has left: scratch folders, unfinished generations and generations that are no longer live. For the owner of the data
 * folder, while no import runs and before any generation is open. Without `CURRENT` whole generations stay: they may be all that an accident left.
 * @throws Error when `CURRENT` is damaged
 */
export function removeLeftovers(folder: string): void {
  const current = currentGeneration(folder);
  const scratch = namesIn(folder).filter(name => name.startsWith(SCRATCH_PREFIX));
  const partial = namesIn(stationsFolder(folder)).filter(name => name.endsWith(PARTIAL));
  const replaced = current === undefined ? [] : generationNumbers(folder).filter(n => n !== current);
  for (const name of scratch) rmSync(join(folder, name), { recursive: true });
  for (const name of partial) rmSync(join(stationsFolder(folder), name), { recursive: true });
  for (const n of replaced) rmSync(generationPath(folder, n), { recursive: true });
}

function stationsFolder(folder: string): string {
  return join(folder, 'stations');
}

function namesIn(path: string): string[] {
  return existsSync(path) ? readdirSync(path) : [];
}

function generationNumbers(folder: string): number[] {
  return namesIn(stationsFolder(folder))
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

function openRoot(path: string): RootDatabase<Buffer, Buffer> {
  return open<Buffer, Buffer>({ path, encoding: 'binary', keyEncoding: 'binary', maxDbs: DATABASES.length + 1, noSubdir: false });
}

function openDatabases(root: RootDatabase<Buffer, Buffer>): Generation {
  return {
    root,
    stations: root.openDB('stations', { encoding: 'binary', keyEncoding: 'binary' }),
    areas: root.openDB('areas', { encoding: 'binary', keyEncoding: 'binary' }),
    meta: root.openDB<GenerationMeta, string>('meta', { encoding: 'json', keyEncoding: 'ordered-binary' }),
  };
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

/** Waits until the names in a folder are on the disk. Windows has no such call and does so by itself. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}
