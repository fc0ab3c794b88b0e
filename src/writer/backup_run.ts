// Makes a backup while the service goes on. The environments are copied one after another, because a copy keeps one of
// the few threads that LMDB and the compression share. So they are of different moments, and agree all the same:
//
//   stations first. What they hold of the log is in the log that is copied later, as long as no report is dropped from
//   it meanwhile. The restored
//                  service learns the rest.
//   observations of one moment with the accounts, at which no contribution is between its report and its reward, and no
//   credits are out in a block: so each
//   accounts       acknowledged report is there once, with its reward, and each balance is exact.
//   the others     depend on nothing.
//
// Imports and rebuilds wait until the backup is done.

import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { AccountWriter } from '../accounts/account_writer.ts';
import { FEATURE_GROUPS, FEATURE_TABLES } from '../features.ts';
import { BackupDraft, LAST_BACKUP_FILE, noteBackup, writerName } from '../folder/backup_folder.ts';
import {
  FIGURES_FILE,
  FORGOTTEN_FILE,
  FORMAT_FILE,
  NODE_FILE,
  READ_TOKEN_FILE,
  readFormat,
  TOKEN_FILE,
} from '../folder/data_folder.ts';
import { LOCK_FILE } from '../folder/owner_lock.ts';
import type { JobContext } from '../jobs/job.ts';
import { openCheckpoint } from '../learning/rebuild.ts';
import type { AccountTable } from '../tables/accounts/accounts.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { nameCurrent } from '../tables/environment/generation_folder.ts';
import type { NamedTables } from '../tables/environment/named_tables.ts';
import { copyEnvironment, type EnvironmentCopy } from '../tables/environment/open_environment.ts';
import type { ObservationLog } from '../tables/observations/observation_log.ts';
import { livePlaces, pathsOfPlaces } from '../tables/places/extract_files.ts';
import { currentLayer, placesFolder } from '../tables/places/generations.ts';
import { LAYER_FILES } from '../tables/places/layer.ts';
import type { RequestLog } from '../tables/requests/request_log.ts';
import { readSources, sourcePath } from '../tables/sources/sources.ts';
import type { StationWriter } from '../tables/stations/writer.ts';
import type { CommitBoundary } from './commit_boundary.ts';

/** Tables that need not be there. */
type OptionalTables = Pick<NamedTables<string>, 'root'> | undefined;

const PROGRESS_MILLISECONDS = 250;
const MEGABYTE = 1_048_576;

/** What a backup is made of. */
interface BackupParts {
  /** Absolute path of the data folder. */
  folder: string;
  stations: StationWriter;
  observations: ObservationLog;
  accounts: AccountTable;
  accountWriter: AccountWriter;
  requests: RequestLog;
  boundary: CommitBoundary;
  /** @throws Error when the owner closes */
  checkStop: () => void;
}

/** The result of a backup. */
export interface BackupSummary {
  /** Where it is. */
  path: string;
  bytes: number;
  /** Bytes of these that were taken over from the backup before. */
  unchangedBytes: number;
  /** Who has written it. */
  writer: string;
}

/** One backup. */
export class BackupRun {
  private readonly parts: BackupParts;
  private readonly draft: BackupDraft;
  private readonly target: string;
  private readonly onProgress: JobContext['onProgress'];
  private readonly bytesTotal: number;
  private bytesDone = 0;
  private unchangedBytes = 0;

  /**
   * @param target absolute path; a backup that stands there is replaced
   * @throws Error when something else stands there
   */
  constructor(parts: BackupParts, target: string, onProgress: JobContext['onProgress']) {
    this.parts = parts;
    this.target = target;
    this.onProgress = onProgress;
    this.draft = new BackupDraft(target, parts.folder);
    this.bytesTotal = this.sources().reduce((sum, path) => sum + sizeOf(path), 0);
  }

  /**
   * Makes the backup. No report may be dropped and no table replaced meanwhile. @throws Error when it fails; then
   * nothing of it is left
   */
  async run(): Promise<BackupSummary> {
    const { folder, requests } = this.parts;
    let bytes: number;
    try {
      await this.copyStations();
      await this.copySources();
      // Before the log, which those that learn must not be ahead of.
      for (const { name, open } of FEATURE_TABLES) await this.copyOptional(name, open);
      await this.copyAccountsAndObservations();
      await this.follow('requests', to => requests.copyTo(to));
      await this.copyOptional('checkpoint', openCheckpoint);
      await this.copyPlaces();
      for (const name of filesOf(folder)) await this.copyFile(name);
      bytes = await this.draft.finish(readFormat(folder));
    } catch (error) {
      this.draft.discard();
      throw new Error(
        `The backup was not made: ${(error as Error).message.replace(/\.?$/, '.')} What stood in ` +
          `${this.target} is still there.`,
        { cause: error },
      );
    }
    noteBackup(folder, Date.now());
    return { path: this.target, bytes, unchangedBytes: this.unchangedBytes, writer: writerName() };
  }

  private async copyStations(): Promise<void> {
    const { stations } = this.parts;
    const { generation } = stations.knowledge;
    await this.follow(join('stations', String(stations.live)), to => copyEnvironment(generation.root, to));
    nameCurrent(join(this.draft.path, 'stations'), stations.live);
  }

  private async copySources(): Promise<void> {
    const { folder, stations } = this.parts;
    for (const { file } of readSources(stations.knowledge.generation))
      await this.copyFile(relative(folder, sourcePath(folder, file)));
  }

  private async copyAccountsAndObservations(): Promise<void> {
    const { accounts, accountWriter, observations, boundary } = this.parts;
    const copies: Promise<void>[] = [];
    await boundary.hold(async () => {
      await accountWriter.returnAll();
      const begun: Promise<void>[] = [];
      const begin = (copy: EnvironmentCopy): EnvironmentCopy => {
        begun.push(copy.begun);
        return copy;
      };
      copies.push(this.follow('accounts', to => begin(accounts.copyTo(to))));
      copies.push(this.follow('observations', to => begin(observations.copyTo(to))));
      // Whoever waits for the copies gets the failure of one.
      await Promise.allSettled(begun);
    });
    await Promise.all(copies);
  }

  /** Copies an environment that need not be there. @param open opens it in the data folder */
  private async copyOptional(
    name: string,
    open: (folder: string) => OptionalTables | Promise<OptionalTables>,
  ): Promise<void> {
    const tables = await open(this.parts.folder);
    if (tables === undefined) return;
    try {
      await this.follow(name, to => copyEnvironment(tables.root, to));
    } finally {
      await tables.root.close();
    }
  }

  /** Nothing ever writes to a layer once it is live. */
  private async copyPlaces(): Promise<void> {
    const { folder } = this.parts;
    const live = currentLayer(placesFolder(folder));
    if (live === undefined) return;
    for (const file of LAYER_FILES) await this.copyFile(relative(folder, join(live, file)));
    for (const path of pathsOfPlaces(folder, livePlaces(folder))) await this.copyFile(relative(folder, path));
    nameCurrent(join(this.draft.path, 'places'), Number(basename(live)));
  }

  /** Copies an environment, unless it is as it was at the backup before. @param name its folder */
  private async follow(name: string, begin: (to: string) => EnvironmentCopy): Promise<void> {
    const file = join(name, DATA_FILE);
    if (this.isTakenOver(file)) return;
    await this.watch(file, begin(join(this.draft.path, name)).done);
  }

  private async copyFile(name: string): Promise<void> {
    if (this.isTakenOver(name)) return;
    await this.watch(name, copyFile(join(this.parts.folder, name), join(this.draft.path, name)));
  }

  private isTakenOver(name: string): boolean {
    this.parts.checkStop();
    const source = join(this.parts.folder, name);
    if (!this.draft.takeOver(name, source)) return false;
    this.bytesDone += sizeOf(source);
    this.unchangedBytes += sizeOf(join(this.draft.path, name));
    return true;
  }

  /** Reports how far a file has come until it is there. */
  private async watch(name: string, done: Promise<void>): Promise<void> {
    const report = () => {
      const bytesDone = this.bytesDone + sizeOf(join(this.draft.path, name));
      this.onProgress({
        phase: 'copying',
        rows: Math.round(bytesDone / MEGABYTE),
        bytesDone,
        bytesTotal: this.bytesTotal,
      });
    };
    const timer = setInterval(report, PROGRESS_MILLISECONDS);
    await done.finally(() => clearInterval(timer));
    this.bytesDone += sizeOf(join(this.parts.folder, name));
    report();
  }

  private sources(): string[] {
    const { folder, stations } = this.parts;
    const live = currentLayer(placesFolder(folder));
    const environments = [
      join('stations', String(stations.live)),
      'accounts',
      'observations',
      'requests',
      'checkpoint',
      ...FEATURE_GROUPS,
    ];
    return [
      ...environments.map(name => join(folder, name, DATA_FILE)),
      ...(live === undefined ? [] : LAYER_FILES.map(file => join(live, file))),
    ];
  }
}

/** Files of a data folder that no backup holds. */
const NO_PARTS = [
  FORMAT_FILE,
  LOCK_FILE,
  TOKEN_FILE,
  READ_TOKEN_FILE,
  NODE_FILE,
  FORGOTTEN_FILE,
  LAST_BACKUP_FILE,
  FIGURES_FILE,
];

/** Files that lie in a data folder itself and belong to it, such as its secret; FORMAT comes last. */
function filesOf(folder: string): string[] {
  const isPart = (name: string): boolean => !NO_PARTS.includes(name) && !/^owner\.|\.(new|partial)$/.test(name);
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isFile() && isPart(entry.name) ? [entry.name] : [],
  );
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}
