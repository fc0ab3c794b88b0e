// What a data folder holds: stations by kind, reports and how many of them took effect, places, keys, and the space
// that all of it takes. Everything is read from the tables, also while a service uses them, and nothing is written.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FEATURE_GROUPS, FEATURE_TABLES } from '../features.ts';
import { KIND_BEACON, KIND_BLUETOOTH, KIND_GSM, KIND_WIFI, RADIO_TYPES } from '../radio/kind.ts';
import { AccountTable } from '../tables/accounts/accounts.ts';
import { freeBytes } from '../tables/environment/commit.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { readCounters } from '../tables/observations/check.ts';
import { openObservationEnvironment } from '../tables/observations/environment.ts';
import { currentLayer, placesFolder, WORLD_FOLDER } from '../tables/places/generations.ts';
import { LayerReader } from '../tables/places/layer.ts';
import type { LayerMeta } from '../tables/places/layer_meta.ts';
import { buildTime, countStations, type Generation, openLiveGeneration } from '../tables/stations/generation.ts';
import { KnowledgeTables } from '../tables/stations/knowledge.ts';

/** The parts of a data folder that hold data, each a folder in it. */
const PARTS: readonly string[] = [
  'stations',
  'observations',
  'checkpoint',
  'accounts',
  'requests',
  'places',
  ...FEATURE_GROUPS,
];

/** Kinds of stations by the first byte of their keys. */
const KINDS: readonly (readonly [kind: string, byte: number])[] = [
  ['wifi', KIND_WIFI],
  ['bluetooth', KIND_BLUETOOTH],
  ['beacon', KIND_BEACON],
  ...RADIO_TYPES.map((radio, i) => [radio, KIND_GSM + i] as const),
];

/** Reports of the observation log. */
interface ReportFigures {
  /** That the log holds now. */
  kept: number;
  /** That were ever stored. */
  stored: number;
  /** That took effect. */
  learned: number;
}

/** Of the station tables. */
interface StationFigures {
  total: number;
  /** ISO 8601; undefined where nothing was ever imported or learned. */
  builtAt: string | undefined;
  /** Number of the last report that took effect. */
  learned: number;
}

/** What a data folder holds. */
export interface FolderFigures {
  stations: Omit<StationFigures, 'learned'>;
  reports: ReportFigures;
  /** Places from extracts, and of the embedded gazetteer; undefined where there are none. */
  places: { extract: LayerMeta | undefined; world: LayerMeta | undefined };
  /** Of tables of features that have figures, by their names. */
  features: Readonly<Record<string, object>>;
  /** Keys that were ever made. */
  keys: number;
  /** By part. */
  bytes: Readonly<Record<string, number>>;
  freeBytes: number;
}

/**
 * Reads the figures of a data folder, which takes milliseconds.
 * @throws Error when a table cannot be used
 */
export async function readFolderFigures(folder: string): Promise<FolderFigures> {
  const { total, builtAt, learned } = await withStations<StationFigures>(
    folder,
    { total: 0, builtAt: undefined, learned: 0 },
    generation => ({
      total: countStations(generation),
      builtAt: buildTime(generation),
      learned: new KnowledgeTables(generation).progress,
    }),
  );
  return {
    stations: { total, builtAt },
    reports: { ...(await readReports(folder)), learned },
    places: { extract: await readLayer(placesFolder(folder)), world: await readLayer(WORLD_FOLDER) },
    features: await readFeatures(folder),
    keys: await countKeys(folder),
    bytes: Object.fromEntries(PARTS.map(part => [part, bytesOf(join(folder, part))])),
    freeBytes: freeBytes(folder),
  };
}

/**
 * Counts the stations of each kind, which takes 40 milliseconds a million. Gives way to other work a few hundred times.
 * @throws Error when the tables cannot be used
 */
export function countByKind(folder: string): Promise<Record<string, number>> {
  return withStations(folder, {}, async ({ root, stations }) => {
    const counts: Record<string, number> = {};
    for (const [kind, byte] of KINDS) {
      counts[kind] = 0;
      for (let next = 0; next < 256; next++) {
        const end = next < 255 ? Buffer.of(byte, next + 1) : Buffer.of(byte + 1);
        counts[kind] += stations.getKeysCount({ start: Buffer.of(byte, next), end });
        // A read transaction that stays open while the thread waits keeps old pages.
        root.resetReadTxn();
        await nextTurn();
      }
    }
    return counts;
  });
}

/**
 * Stored reports that have not taken effect, which takes less than a millisecond.
 * @throws Error when a table cannot be used
 */
export async function readBacklog(folder: string): Promise<number> {
  const learned = await withStations(folder, 0, generation => new KnowledgeTables(generation).progress);
  // Read last: what is learned meanwhile must not exceed it.
  const { stored } = await readReports(folder);
  return Math.max(0, stored - learned);
}

async function withStations<T>(folder: string, none: T, read: (generation: Generation) => T | Promise<T>): Promise<T> {
  const generation = openLiveGeneration(folder);
  if (generation === undefined) return none;
  try {
    return await read(generation);
  } finally {
    await generation.root.close();
  }
}

/** How many reports the log of a folder holds and ever held. @throws Error when it cannot be used */
export async function readReports(folder: string): Promise<Omit<ReportFigures, 'learned'>> {
  const path = join(folder, 'observations');
  if (!existsSync(join(path, DATA_FILE))) return { kept: 0, stored: 0 };
  const { root, tables } = openObservationEnvironment(path);
  try {
    const { last } = readCounters(tables.meta);
    return { kept: (tables.reports.getStats() as { entryCount: number }).entryCount, stored: last };
  } finally {
    await root.close();
  }
}

async function readLayer(folder: string): Promise<LayerMeta | undefined> {
  const path = currentLayer(folder);
  if (path === undefined) return undefined;
  const reader = new LayerReader(path);
  const { meta } = reader;
  await reader.close();
  // It keeps tables of importance until an extract comes.
  return meta.count === 0 ? undefined : meta;
}

async function readFeatures(folder: string): Promise<FolderFigures['features']> {
  const features: Record<string, object> = {};
  for (const { name, figures } of FEATURE_TABLES)
    if (figures !== undefined) features[name] = await figures.read(folder);
  return features;
}

async function countKeys(folder: string): Promise<number> {
  if (!existsSync(join(folder, 'accounts', DATA_FILE))) return 0;
  const accounts = new AccountTable(folder, { readOnly: true });
  try {
    return accounts.count;
  } finally {
    await accounts.close();
  }
}

/** Bytes of the files in a folder and the folders in it. A file that is removed meanwhile does not count. */
function bytesOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => statSync(join(folder, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0);
}
