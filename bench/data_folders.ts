// The data folders of the servers under measurement. A folder with one prepaid key and the stations of a world, loaded
// in bulk, is built once for each size and seed and kept under var/. A data folder has one owner, so each variant gets
// its own, with a link to the large part, which nobody writes.

import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeFolder } from '../src/folder/data_folder.ts';
import { currentGeneration, generationPath } from '../src/tables/stations/generation.ts';
import { loadStations } from '../src/tables/stations/load.ts';
import { KEY_BYTES, SECTORS, stationBatches, type World } from './world.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SEXTANT = join(ROOT, 'src', 'sextant.js');
const KEY_FILE = 'bench-key.json';
/**
 * A prepaid key that no run uses up and whose limits no run reaches, so that charging and limits are part of the
 * measurement.
 */
const KEY_SETTINGS = ['--name', 'bench', '--credits', '2000000000', '--rate', '1000000'];

/** The data folder of a world, and the key of its requests. */
export interface WorldData {
  folder: string;
  key: string;
  /** Bytes of the station tables on disk. */
  tableBytes: number;
  /** Stations loaded a second, if this call loaded them. */
  loadedPerSecond?: number;
}

/** The data folder of a world. It is built if missing, which takes about ten seconds for ten million stations. */
export async function prepareWorld(world: World): Promise<WorldData> {
  const folder = join(ROOT, 'var', `bench-${world.accessPoints}-${world.seed}`);
  let loadedPerSecond: number | undefined;
  if (!existsSync(join(folder, KEY_FILE))) {
    const partial = `${folder}-partial`;
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(join(ROOT, 'var'), { recursive: true });
    loadedPerSecond = await loadWorld(partial, world);
    writeFileSync(join(partial, KEY_FILE), JSON.stringify({ key: createKey(partial) }));
    renameSync(partial, folder);
  }
  const { key } = JSON.parse(readFileSync(join(folder, KEY_FILE), 'utf8')) as { key: string };
  const tableBytes = statSync(join(generationPath(folder, currentGeneration(folder)!), 'data.mdb')).size;
  return { folder, key, tableBytes, ...(loadedPerSecond === undefined ? {} : { loadedPerSecond }) };
}

/**
 * Makes a prepaid key in an existing data folder that no service uses. @param settings more flags of `keys create`
 * @returns the key
 */
export function createKey(folder: string, ...settings: string[]): string {
  const created = execFileSync(process.execPath, [SEXTANT, 'keys', 'create', ...KEY_SETTINGS, ...settings], {
    env: { SEXTANT_DATA: folder },
    encoding: 'utf8',
  });
  return (JSON.parse(created) as { key: string }).key;
}

/**
 * Makes a variant's own data folder, with its own account, lock and request log and shared stations. Replaces an
 * earlier one.
 */
export function prepareFolder(data: WorldData, variant: string): string {
  removeFolder(data, variant);
  const folder = folderOf(data, variant);
  mkdirSync(folder);
  cpSync(join(data.folder, 'FORMAT'), join(folder, 'FORMAT'));
  cpSync(join(data.folder, 'accounts'), join(folder, 'accounts'), { recursive: true });
  symlinkSync(join(data.folder, 'stations'), join(folder, 'stations'));
  return folder;
}

/**
 * Imports an extract into a variant's data folder. @param program of another checkout, which has its own form of places
 */
export function importExtract(folder: string, file: string, program = SEXTANT): void {
  execFileSync(process.execPath, [program, 'import', 'osm', resolve(file)], {
    env: { SEXTANT_DATA: folder },
    stdio: 'ignore',
  });
}

/** Removes a variant's data folder; the shared stations stay. */
export function removeFolder(data: WorldData, variant: string): void {
  rmSync(folderOf(data, variant), { recursive: true, force: true });
}

function folderOf(data: WorldData, variant: string): string {
  return `${data.folder}-${variant}`;
}

/** Makes the folder and loads every station of the world in key order. @returns stations a second */
async function loadWorld(folder: string, world: World): Promise<number> {
  const added = world.accessPoints + world.sites * SECTORS;
  const owned = takeFolder(folder, true);
  if (owned === undefined) throw new Error(`Another process uses ${folder}.`);
  const start = performance.now();
  await loadStations(folder, { keyBytes: KEY_BYTES, added, batches: () => stationBatches(world) }, done => {
    if (process.stderr.isTTY) process.stderr.write(`\rloading stations: ${((100 * done) / added).toFixed(0)} %`);
  });
  const perSecond = added / ((performance.now() - start) / 1000);
  owned.release();
  process.stderr.write(
    `${process.stderr.isTTY ? '\n' : ''}${added} stations loaded, ${Math.round(perSecond)} a second\n`,
  );
  return perSecond;
}

/** Bytes of all files in a folder and below. */
export function bytesIn(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
