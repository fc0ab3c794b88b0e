// Generations of the station tables. A large import never changes the tables that are being read. It builds a new LMDB
// environment and then makes it the live one by replacing one small file. So at any moment, even after a kill or a
// power cut, the tables are either the old ones or the new ones.
//
//   stations/7/ the live generation: databases `stations`, `areas`, `learned`, `codes`, `tracks`, `stale`,
//   `calibration`, `meta`
//   stations/8.partial/    one being built
//   stations/CURRENT       "7", replaced by rename
//   import-4711-x7Gq2a/    scratch files of an import by process 4711
//
// Keys of `stations` and `learned` are station keys cut to their length (src/radio/station_key.ts), keys of `areas` are
// area keys (src/tables/stations/areas.ts); values of `stations` and `areas` are station records. `learned`, `codes`,
// `tracks`, `stale` and `calibration` come from observations (src/tables/stations/knowledge.ts). `meta` holds JSON.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { CalibrationTables, type RadiusFactors } from '../calibration/calibration_tables.ts';
import {
  BINARY,
  checkEnvironmentFile,
  DATA_FILE,
  existing,
  OtherFormat,
  ownTable,
} from '../environment/environment_file.ts';
import {
  currentIn,
  dropIn,
  generationIn,
  namesIn,
  publishIn,
  removeIn,
  removeLeftoversIn,
  startIn,
} from '../environment/generation_folder.ts';
import { openEnvironment, requireFormat } from '../environment/open_environment.ts';
import type { StationCache } from './cache.ts';

/** Version of the layout of a generation. */
export const GENERATION_FORMAT = 3;
/** Key in `meta`: the generation's description. */
export const META_KEY = 'generation';
const DATABASES = 8;
const SCRATCH_PREFIX = 'import-';
const TABLE = 'station table';

/** Description of a generation. */
export interface GenerationMeta {
  /** Version of the layout; another one is refused. */
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
  /** By station key: learned records (learned_record.ts). */
  learned: Database<Buffer, Buffer>;
  /** By code and tile: learned cells (src/tables/stations/codes.ts). */
  codes: Database<Buffer, Buffer>;
  /** By pseudonym: the last position of a device. */
  tracks: Database<Buffer, Buffer>;
  /** By network (first four bytes of its cells' keys): its areas are older than its cells. */
  stale: Database<Buffer, Buffer>;
  /** What the service measured of itself (calibration/calibration_tables.ts). */
  calibration: Database<Buffer, Buffer>;
  /** Description of the generation, and the last report in its knowledge. */
  meta: Database<unknown, string>;
}

/** Folder of generation `n`. */
export function generationPath(folder: string, n: number): string {
  return generationIn(stationsFolder(folder), n);
}

/**
 * Number of the live generation; undefined when nothing was ever imported.
 * @throws Error when `CURRENT` is damaged or names a generation that is missing
 */
export function currentGeneration(folder: string): number | undefined {
  return currentIn(stationsFolder(folder));
}

/**
 * Opens a generation, also where other threads and processes have it open. Never as read-only: the threads of a process
 * share one handle of LMDB, and the first to open it would take the right to write from all.
 * @throws Error when the folder is no station table, is damaged, or has another format
 */
export function openGeneration(path: string): Generation {
  try {
    if (!checkEnvironmentFile(path)) throw new Error('it has no data file');
    return openDatabases(path, false);
  } catch (error) {
    const remedy =
      error instanceof OtherFormat ? OtherFormat.remedy : 'Restore them from a backup, or use another data folder.';
    throw new Error(`The station tables in ${path} cannot be used: ${(error as Error).message}. ${remedy}`, {
      cause: error,
    });
  }
}

/**
 * Opens the live tables; undefined when there were never any. A replacement may remove them between finding and
 * opening.
 * @throws Error when they cannot be used
 */
export function openLiveGeneration(folder: string): Generation | undefined {
  for (;;) {
    const live = currentGeneration(folder);
    if (live === undefined) return undefined;
    try {
      return openGeneration(generationPath(folder, live));
    } catch (error) {
      if (currentGeneration(folder) === live) throw error;
    }
  }
}

/** Starts an empty generation. `publishGeneration` makes it the live one. @returns its number and databases */
export function startGeneration(folder: string): { n: number; generation: Generation } {
  const { n, path } = startIn(stationsFolder(folder));
  return { n, generation: openDatabases(path, true) };
}

/** Writes the generation's description, in the open transaction. */
export function describeGeneration(generation: Generation, count: number): void {
  generation.meta.putSync(META_KEY, { format: GENERATION_FORMAT, builtAt: new Date().toISOString(), count });
}

/** When the generation was built or last imported into, ISO 8601. */
export function buildTime(generation: Generation): string {
  return (generation.meta.get(META_KEY) as GenerationMeta).builtAt;
}

/** Stations in a generation, as the open transaction sees it. */
export function countStations(generation: Generation): number {
  return (generation.stations.getStats() as { entryCount: number }).entryCount;
}

/** Makes a started generation the live one, also on disk. Its databases must be closed. */
export function publishGeneration(folder: string, n: number): void {
  publishIn(stationsFolder(folder), n, [DATA_FILE]);
}

/** Gives up a started generation. Its databases must be closed. */
export function dropGeneration(folder: string, n: number): void {
  dropIn(stationsFolder(folder), n);
}

/** Removes a generation that is no longer live. Threads that still have it open keep what they have. */
export function removeGeneration(folder: string, n: number): void {
  removeIn(stationsFolder(folder), n);
}

/**
 * A new empty folder for the scratch files of an import; the caller removes it, and `removeLeftovers` does so after a
 * kill.
 */
export function makeScratchFolder(folder: string): string {
  mkdirSync(folder, { recursive: true });
  return mkdtempSync(join(folder, `${SCRATCH_PREFIX}${process.pid}-`));
}

/**
 * Removes what a kill or an import has left: scratch folders, unfinished generations and generations that are no longer
 * live. For the owner of the data folder, while no import runs and before any generation is open. Without `CURRENT`
 * whole generations stay: they may be all that an accident left.
 * @throws Error when `CURRENT` is damaged
 */
export function removeLeftovers(folder: string): void {
  removeLeftoversIn(stationsFolder(folder));
  const scratch = namesIn(folder).filter(name => name.startsWith(SCRATCH_PREFIX));
  for (const name of scratch) rmSync(join(folder, name), { recursive: true });
}

function stationsFolder(folder: string): string {
  return join(folder, 'stations');
}

/**
 * Opens the databases of a generation.
 * @param create creates missing databases; otherwise nothing is written, and a missing database or another format is an
 *   error
 */
function openDatabases(path: string, create: boolean): Generation {
  const root = openEnvironment(path, { maxDbs: DATABASES });
  const binary = { ...BINARY, create };
  const json = { encoding: 'json', keyEncoding: 'ordered-binary', create } as const;
  const openBinary = (name: string) => ownTable(root.openDB<Buffer, Buffer>(name, binary), name);
  try {
    const meta = existing(root.openDB<unknown, string>('meta', json), TABLE);
    // The format comes first: another one may have other databases.
    if (!create) requireFormat((meta.get(META_KEY) as GenerationMeta | undefined)?.format, [GENERATION_FORMAT], TABLE);
    return {
      root,
      stations: openBinary('stations'),
      areas: openBinary('areas'),
      learned: openBinary('learned'),
      codes: openBinary('codes'),
      tracks: openBinary('tracks'),
      stale: openBinary('stale'),
      calibration: openBinary('calibration'),
      meta,
    };
  } catch (error) {
    void root.close();
    throw error;
  }
}

// The live station tables, as one thread reads them. The cache's header names the live generation; a thread opens a new
// one when it begins its next read transaction.

/** The generation that is open in this thread, and its read transaction. */
export class LiveTables {
  private readonly folder: string;
  private readonly cache: StationCache;
  private opened: Generation | undefined;
  private number = -1;
  private factors: RadiusFactors = new Map();
  private calibrationVersion = -1;
  private calibrationGeneration = -1;

  /**
   * Opens the live tables if the writer has named some. Must not be interrupted: ending a thread while it opens LMDB
   * would end the process.
   * @param folder data folder
   * @param cache this thread's view of the cache
   * @throws Error when the tables cannot be used
   */
  constructor(folder: string, cache: StationCache) {
    this.folder = folder;
    this.cache = cache;
    if (cache.generation !== 0) this.openLive();
  }

  /** Number of the generation that is open, -1 = none. */
  get generation(): number {
    return this.number;
  }

  /** Begins a fresh read transaction, in the tables that are live now. @throws Error when they cannot be used */
  begin(): Generation {
    const opened = this.openLive();
    opened.root.resetReadTxn();
    return opened;
  }

  /** The factors of radii. They are read again only when they have changed. @throws Error when one is damaged */
  radiusFactors(): RadiusFactors {
    const { generation, calibrationVersion } = this.cache;
    if (calibrationVersion === this.calibrationVersion && generation === this.calibrationGeneration)
      return this.factors;
    if (generation !== 0) this.factors = new CalibrationTables(this.begin().calibration).published();
    this.calibrationVersion = calibrationVersion;
    this.calibrationGeneration = generation;
    return this.factors;
  }

  /** Ends the read transaction, so that no old page is kept while the thread waits. */
  release(): void {
    this.opened?.root.resetReadTxn();
  }

  close(): Promise<void> {
    return this.opened?.root.close() ?? Promise.resolve();
  }

  /** Opens the live generation when it is another one than before. */
  private openLive(): Generation {
    while (this.cache.generation !== this.number) {
      const live = this.cache.generation;
      try {
        const tables = openGeneration(generationPath(this.folder, live));
        void this.opened?.root.close();
        this.opened = tables;
        this.number = live;
      } catch (error) {
        // An import may have replaced and removed it between the two lines above; then there is a newer one to open.
        if (this.cache.generation === live) throw error;
      }
    }
    return this.opened!;
  }
}
