// A node's side: brings the tables of the manifest into its own. Deltas are written like what a learner learns, in
// transactions of few rows. A base becomes a generation, and is swapped in like an import. The log comes with it only
// where this node's own does not lead to it.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { removeCheckpoint } from '../learning/rebuild.ts';
import { requireRoom } from '../tables/environment/commit.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { startIn } from '../tables/environment/generation_folder.ts';
import { readSources, removeUnusedSources, sourcePath } from '../tables/sources/sources.ts';
import {
  dropGeneration,
  GENERATION_FORMAT,
  makeScratchFolder,
  publishGeneration,
  removeGeneration,
} from '../tables/stations/generation.ts';
import type { ClusterMark } from '../tables/stations/knowledge.ts';
import { unpackRows } from '../tables/stations/row_changes.ts';
import type { FetchProgress } from './health.ts';
import { deltasAfter, type Manifest, OPTED_OUT_FILE, otherFormat, SOURCES_FOLDER, STATIONS_FILE } from './manifest.ts';
import type { NodeParts } from './node_parts.ts';
import { fetchBytes, fetchFile, hashOfFile, type StoredFile } from './objects.ts';
import type { ReportReader } from './reports.ts';
import type { ClusterStores } from './stores.ts';

/** How often it is looked whether the log has come far enough. */
const LOOK_MILLISECONDS = 10;

/** Brings published tables into force on this node. */
export class Follower {
  private readonly parts: NodeParts;
  private readonly stores: ClusterStores;
  private readonly reader: ReportReader;
  private readonly checkStop: () => void;
  /** While a base is fetched. */
  progress: FetchProgress | undefined;

  /** @param checkStop throws when the node closes */
  constructor(parts: NodeParts, stores: ClusterStores, reader: ReportReader, checkStop: () => void) {
    this.parts = parts;
    this.stores = stores;
    this.reader = reader;
    this.checkStop = checkStop;
  }

  /**
   * Makes the tables of this node those of the manifest. The aggregation must be held.
   * @throws Error when it cannot; what was done stays, and the next try goes on from there
   */
  async follow(manifest: Manifest): Promise<void> {
    if (manifest.tablesFormat !== GENERATION_FORMAT)
      throw otherFormat(
        `The station table of the cluster, of version ${manifest.version},`,
        manifest.tablesFormat,
        GENERATION_FORMAT,
      );
    const { stations } = this.parts;
    if (!leadsTo(stations.knowledge.clusterMark, manifest)) await this.takeBase(manifest);
    const { cluster, base, log } = manifest;
    for (const delta of deltasAfter(manifest, stations.knowledge.clusterMark!.applied)) {
      const rows = unpackRows(await fetchBytes(this.stores.objects, delta));
      await this.logReaches(delta.position);
      const mark: ClusterMark = { cluster, base, applied: delta.to, epoch: log.epoch, isAhead: false };
      await stations.takeRows(rows, knowledge => knowledge.setClusterMark(mark));
    }
  }

  /** Waits until the log of this node has all reports up to a position of the stream. */
  async logReaches(position: number): Promise<void> {
    while ((this.parts.observations.position ?? -1) < position) {
      this.checkStop();
      this.reader.requireRunning();
      await delay(LOOK_MILLISECONDS);
    }
  }

  private async takeBase(manifest: Manifest): Promise<void> {
    const { folder, stations, observations } = this.parts;
    const { cluster, base, log } = manifest;
    const mark = stations.knowledge.clusterMark;
    const isSameLog = mark?.cluster === cluster && mark.epoch === log.epoch;
    const needsLog = !isSameLog || (observations.position ?? -1) < log.position;
    const { [STATIONS_FILE]: tables, ...rest } = manifest.files;
    const lacking = await this.lackingOf(rest);
    const files = [tables, ...Object.values(lacking), ...(needsLog ? [log] : [])];
    const progress = { doneBytes: 0, totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
    this.progress = progress;
    requireRoom(folder, progress.totalBytes, 'Taking over the tables of the cluster');
    const scratch = makeScratchFolder(folder);
    const { n, path } = startIn(join(folder, 'stations'));
    try {
      await this.note({ cluster, base: '', applied: 0, epoch: mark?.epoch ?? -1, isAhead: true });
      const fetch = (file: StoredFile, to: string) =>
        fetchFile(this.stores.objects, file, to, bytes => {
          this.checkStop();
          progress.doneBytes += bytes;
        });
      await fetch(tables, join(path, DATA_FILE));
      for (const [name, file] of Object.entries(lacking)) {
        const to = join(scratch, name);
        mkdirSync(dirname(to), { recursive: true });
        await fetch(file, to);
      }
      // The list of stations whose owners object holds for what is read behind the copy of the log.
      this.placeFiles(lacking, scratch);
      this.takeOut(rest);
      if (needsLog) await this.takeLog(log, scratch, fetch);
      await this.logReaches(manifest.position);
      const before = stations.live;
      publishGeneration(folder, n);
      await stations.adopt(n, undefined);
      await this.note({ cluster, base, applied: 0, epoch: log.epoch, isAhead: false });
      removeGeneration(folder, before);
      removeUnusedSources(folder, readSources(stations.knowledge.generation));
      stations.warm().catch(this.parts.onError);
    } finally {
      if (stations.live !== n) dropGeneration(folder, n);
      rmSync(scratch, { recursive: true, force: true });
      this.progress = undefined;
    }
  }

  private async note(mark: ClusterMark): Promise<void> {
    await this.parts.stations.note(knowledge => knowledge.setClusterMark(mark));
  }

  private async takeLog(
    log: StoredFile,
    scratch: string,
    fetch: (file: StoredFile, to: string) => Promise<void>,
  ): Promise<void> {
    const { folder, observations, holdLog } = this.parts;
    const path = join(scratch, 'observations');
    mkdirSync(path, { mode: 0o700 });
    await fetch(log, join(path, DATA_FILE));
    // It counts reports of the log that goes, and may hold what was forgotten since.
    removeCheckpoint(folder);
    await this.reader.stop();
    await holdLog(() => observations.replaceBy(path, join(scratch, 'before')));
    this.reader.start();
  }

  /** The small files of a base that the data folder does not have. */
  private async lackingOf(files: Record<string, StoredFile>): Promise<Record<string, StoredFile>> {
    const lacking: Record<string, StoredFile> = {};
    for (const [name, file] of Object.entries(files)) {
      const path = this.pathOf(name);
      if (!existsSync(path) || (await hashOfFile(path)) !== file.hash) lacking[name] = file;
    }
    return lacking;
  }

  /** Where a small file of a base lies in the data folder. @throws Error when this version does not know it */
  private pathOf(name: string): string {
    const { folder } = this.parts;
    if (name === OPTED_OUT_FILE) return join(folder, OPTED_OUT_FILE);
    const number = new RegExp(`^${SOURCES_FOLDER}/(\\d{1,9})$`).exec(name)?.[1];
    if (number === undefined)
      throw new Error(`The manifest of the cluster names a file "${name}", which this version does not know.`);
    return sourcePath(folder, Number(number));
  }

  private placeFiles(files: Record<string, StoredFile>, scratch: string): void {
    for (const name of Object.keys(files)) {
      const to = this.pathOf(name);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      renameSync(join(scratch, name), to);
    }
  }

  /** Takes the list of stations whose owners object out of the data folder, where a base does not have it. */
  private takeOut(files: Record<string, StoredFile>): void {
    const optedOut = join(this.parts.folder, OPTED_OUT_FILE);
    if (files[OPTED_OUT_FILE] === undefined && existsSync(optedOut)) rmSync(optedOut);
    this.parts.readOptedOut();
  }
}

/** True if the deltas of a manifest lead from the tables of a node to those of the manifest. */
function leadsTo(mark: ClusterMark | undefined, { cluster, base, deltas }: Manifest): boolean {
  if (mark === undefined || mark.cluster !== cluster || mark.base !== base || mark.isAhead) return false;
  const [next] = deltasAfter({ deltas }, mark.applied);
  return next === undefined ? mark.applied === (deltas.at(-1)?.to ?? 0) : next.from <= mark.applied;
}
