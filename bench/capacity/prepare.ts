// Makes what a capacity run measures: a data folder of its own with stations, places and a key, and the scenarios that
// fit it. Either all is drawn from a seed, or it is a copy of an operator's folder with an operator's requests.

import { constants, cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { currentGeneration, generationPath } from '../../src/tables/stations/generation.ts';
import { cacheMegabytes } from '../comparison.ts';
import { createKey, prepareWorld, type WorldData } from '../data_folders.ts';
import { createWorld, SECTORS, type World } from '../world.ts';
import { writeLand } from './drawn_land.ts';
import { ownScenario } from './own_requests.ts';
import { drawScenarios, type Scenario } from './scenarios.ts';

const SCRATCH = fileURLToPath(new URL('../../var/capacity-scratch', import.meta.url));
/** The small world, beside which memory for a million stations is measured, has one station in so many. */
const SMALL_PART = 10;
/** Bytes of a station in the cache and on disk, about: from the size of a table follows the cache that holds it. */
const CACHE_TO_DISK = 33 / 43;
const LEAST_CACHE_MEGABYTES = 16;
/** Files of an owner, which a copy must not have. */
const OWNED = /\/owner\.(lock|sock)$/;

/** A data folder with what a service of it needs. */
export interface ServedFolder {
  folder: string;
  cacheMegabytes: number;
  probe: Probe;
}

/** A world of stations in a folder. */
export interface StationWorld extends ServedFolder {
  millions: number;
  tableBytes: number;
}

/** A request that the service of a folder can answer. */
export interface Probe {
  path: string;
  body: string;
}

/** All that a run needs. Call `remove` at the end. */
export interface Prepared extends ServedFolder {
  /** Folder for scratch files. */
  scratch: string;
  scenarios: Scenario[];
  /** Two folders that differ in their stations only, the larger one first; missing with an operator's own data. */
  worlds?: [StationWorld, StationWorld];
  remove(): void;
}

/** Draws stations and places. @param requests text of an operator's file of requests, a further scenario */
export async function prepareDrawn(stations: number, seed: number, requests: string | undefined): Promise<Prepared> {
  const world = createWorld(stations, seed);
  const smallWorld = createWorld(Math.max(1000, Math.round(stations / SMALL_PART)), seed);
  const data = await prepareWorld(world);
  const smallData = await prepareWorld(smallWorld);
  const scratch = makeScratch();
  try {
    const folder = copyFolder(data.folder, join(scratch, 'data'));
    const small = copyFolder(smallData.folder, join(scratch, 'small'));
    const extract = join(scratch, 'land.osm.pbf');
    writeLand(extract, world);
    const owned = takeFolder(folder, false)!;
    await importExtracts({ folder, files: [extract], onProgress: () => {} });
    owned.release();
    cpSync(join(folder, 'places'), join(small, 'places'), { recursive: true });
    const key = createKey(folder, '--contributor');
    const scenarios = [...drawScenarios(world, key), ...(requests === undefined ? [] : [ownScenario(requests, key)])];
    return {
      scratch,
      folder,
      cacheMegabytes: cacheMegabytes(world),
      probe: probeOf(data.key),
      scenarios,
      worlds: [describeWorld(folder, world, data), describeWorld(small, smallWorld, smallData)],
      remove: () => rmSync(scratch, { recursive: true }),
    };
  } catch (error) {
    rmSync(scratch, { recursive: true });
    throw error;
  }
}

/**
 * Copies an operator's folder.
 * @throws Error when a service uses the folder, or it is none
 */
export function prepareOwn(data: string, requests: string): Prepared {
  const scratch = makeScratch();
  try {
    const owned = takeFolder(resolve(data), false);
    if (owned === undefined) throw new Error(`A service uses ${data}; stop it, or measure a copy of the folder.`);
    let folder: string;
    try {
      folder = copyFolder(owned.path, join(scratch, 'data'));
    } finally {
      owned.release();
    }
    const key = createKey(folder, '--contributor');
    const tableBytes = tableBytesOf(folder);
    return {
      scratch,
      folder,
      cacheMegabytes: Math.max(LEAST_CACHE_MEGABYTES, Math.ceil((tableBytes * CACHE_TO_DISK) / 2 ** 20)),
      probe: probeOf(key),
      scenarios: [ownScenario(requests, key)],
      remove: () => rmSync(scratch, { recursive: true }),
    };
  } catch (error) {
    rmSync(scratch, { recursive: true });
    throw error;
  }
}

/** An empty folder. One that an interrupted run left is replaced. */
function makeScratch(): string {
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(SCRATCH, { recursive: true });
  return SCRATCH;
}

/** Copies a data folder that no service uses. */
export function copyFolder(from: string, to: string): string {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: path => !OWNED.test(path) });
  return to;
}

function probeOf(key: string): Probe {
  return { path: `/?key=${key}`, body: '{}' };
}

function describeWorld(folder: string, world: World, { key, tableBytes }: WorldData): StationWorld {
  const millions = (world.accessPoints + world.sites * SECTORS) / 1e6;
  return { folder, millions, cacheMegabytes: cacheMegabytes(world), tableBytes, probe: probeOf(key) };
}

/** Bytes of the station tables; 0 in a folder without stations. */
function tableBytesOf(folder: string): number {
  const generation = currentGeneration(folder);
  return generation === undefined ? 0 : statSync(join(generationPath(folder, generation), 'data.mdb')).size;
}
