// The learner's side: brings what it has learned into force on all nodes. Every second it sends the rows that have
// changed, as a delta. Whole tables are sent when a cluster begins, and after imports and other jobs that write tables
// anew. Learning pauses while a delta is sent, so the tables of the learner are those of the manifest, or it knows that
// they are ahead: then a kill costs it its tables, which it fetches again, and the next learner learns the same
// reports.

import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VERSION } from '../config/version.ts';
import { DATA_FILE } from '../tables/environment/environment_file.ts';
import { copyEnvironment, type EnvironmentCopy } from '../tables/environment/open_environment.ts';
import { readSources, sourcePath } from '../tables/sources/sources.ts';
import { GENERATION_FORMAT, makeScratchFolder } from '../tables/stations/generation.ts';
import type { ClusterMark } from '../tables/stations/knowledge.ts';
import {
  type ChangedRow,
  mergeRows,
  packRows,
  type RowChanges,
  rowsNow,
  unpackRows,
} from '../tables/stations/row_changes.ts';
import type { ClusterConnection } from './connection.ts';
import {
  type Delta,
  hashesOf,
  lastNumber,
  type Manifest,
  NO_EPOCH,
  OPTED_OUT_FILE,
  type PublishedLog,
  type ReadManifest,
  readManifest,
  type SharedGroup,
  type SharedTables,
  SOURCES_FOLDER,
  STATIONS_FILE,
  tablesOf,
  writeManifest,
} from './manifest.ts';
import type { NodeParts } from './node_parts.ts';
import { fetchBytes, removeOthers, storeBytes, storeFile } from './objects.ts';
import { type ClusterStores, REPORTS_STREAM } from './stores.ts';

/** Rows read in one slice: a few milliseconds, since charges wait for the same thread. */
const SLICE_ROWS = 1_000;
/** More changed rows than this are sent as a base. */
const DELTA_ROWS_MAX = 400_000;
/** So many deltas become one. */
const DELTAS_MAX = 64;
/** Deltas become a base once they have half of its bytes, and more than these. */
const DELTAS_BYTES_MIN = 32 * 1_048_576;
/** The copy of the log is made anew once the stream has so many more batches; then older ones leave the stream. */
const LOG_BATCHES_MAX = 200_000;

/** Pause before objects that are too young to be removed are looked at again. */
const CLEAR_MILLISECONDS = 120_000;

/** Sends what this node has learned. */
export class Publisher {
  private readonly parts: NodeParts;
  private readonly connection: ClusterConnection;
  private readonly stores: ClusterStores;
  private readonly node: string;
  /** Keys of the rows that have changed since they were last sent. */
  readonly changes: RowChanges;
  /** How often objects are being stored now that no manifest names yet. */
  storing = 0;
  /** When it is to be looked for objects that no node needs, such as those of the learner before; `performance.now`. */
  private clearAtMs = 0;
  /** The failure to remove them that was told last. */
  private told: string | undefined;

  /** @param changes watches the tables of this node */
  constructor(
    parts: NodeParts,
    connection: ClusterConnection,
    stores: ClusterStores,
    node: string,
    changes: RowChanges,
  ) {
    this.parts = parts;
    this.connection = connection;
    this.stores = stores;
    this.node = node;
    this.changes = changes;
  }

  /**
   * Makes the tables of this node those of a new cluster.
   * @param heir of the cluster that it goes on from, and the revision of its manifest
   * @throws Error when it has begun meanwhile
   */
  async found(heir?: Pick<Manifest, 'cluster' | 'term'> & { epoch: number; revision: number }): Promise<ReadManifest> {
    const { stations } = this.parts;
    const { cluster, term, epoch, revision } = heir ?? { cluster: randomUUID(), term: 1, epoch: 0, revision: 0 };
    await stations.note(knowledge =>
      knowledge.setClusterMark({ cluster, base: '', applied: 0, epoch: 0, isAhead: true }),
    );
    return this.writeBase({ cluster, term, revision }, undefined, epoch);
  }

  /**
   * Becomes the learner of the next term: from here on no earlier one can publish. @param read what this node's tables
   * are exactly @throws Error when another node was faster
   */
  async claim({ manifest, revision }: ReadManifest): Promise<ReadManifest> {
    return this.write({ ...manifest, term: manifest.term + 1 }, revision);
  }

  /**
   * Sends what has changed, if anything has. @returns the manifest that is in force now
   * @throws Error when it may not have come into force; it is sent again
   */
  async publishDelta(read: ReadManifest): Promise<ReadManifest> {
    if (this.changes.size === 0) return read;
    if (this.changes.size > DELTA_ROWS_MAX) return this.publishBase(read, false);
    const { aggregator, stations, observations } = this.parts;
    await aggregator.hold();
    try {
      const keys = this.changes.take();
      try {
        const stored = await storeBytes(this.stores.objects, packRows(await this.rowsOf(keys)));
        const from = lastNumber(read.manifest);
        const delta: Delta = { ...stored, from, to: from + 1, position: observations.position! };
        const deltas = [...read.manifest.deltas, delta];
        const written = await this.write({ ...read.manifest, deltas }, read.revision);
        await stations.note(knowledge => knowledge.setClusterMark(markOf(written.manifest)));
        return written;
      } catch (error) {
        this.changes.giveBack(keys);
        throw error;
      }
    } finally {
      aggregator.release();
    }
  }

  private async rowsOf(keys: readonly (readonly [number, string])[]): Promise<ChangedRow[]> {
    const { generation } = this.parts.stations.knowledge;
    const rows: ChangedRow[] = [];
    for (let at = 0; at < keys.length; at += SLICE_ROWS) {
      generation.root.resetReadTxn();
      rows.push(...rowsNow(generation, keys.slice(at, at + SLICE_ROWS)));
      await nextTurn();
    }
    return rows;
  }

  /**
   * Runs work that leaves the tables as they were if it fails. After a kill, it is not known whether it has.
   * @param isForgetting the log changes too: until that is published, it is none of the cluster, and would be fetched
   */
  async ahead<T>(work: () => Promise<T>, isForgetting: boolean): Promise<T> {
    const { stations, observations } = this.parts;
    const mark = stations.knowledge.clusterMark!;
    const { rewrites } = observations;
    const during = { ...mark, isAhead: true, epoch: isForgetting ? NO_EPOCH : mark.epoch };
    await stations.note(knowledge => knowledge.setClusterMark(during));
    try {
      return await work();
    } catch (error) {
      if (observations.rewrites !== rewrites || stations.knowledge.log !== rewrites) throw error;
      const isAhead = mark.isAhead || this.changes.size > 0;
      if (isForgetting) await stations.note(knowledge => knowledge.setClusterMark({ ...mark, isAhead }));
      else if (this.changes.size === 0) await stations.note(knowledge => knowledge.setClusterMark(mark));
      throw error;
    }
  }

  /** Joins deltas once there are many, or makes a base of them. @returns the manifest that is in force now */
  async compact(read: ReadManifest): Promise<ReadManifest> {
    const { deltas, files } = read.manifest;
    if (deltas.length < DELTAS_MAX) return performance.now() < this.clearAtMs ? read : this.clear(read);
    const bytes = deltas.reduce((sum, delta) => sum + delta.bytes, 0);
    if (bytes > Math.max(DELTAS_BYTES_MIN, files[STATIONS_FILE].bytes / 2)) return this.publishBase(read, false);
    const { objects } = this.stores;
    const lists: ChangedRow[][] = [];
    for (const delta of deltas) lists.push(unpackRows(await fetchBytes(objects, delta)));
    const stored = await storeBytes(objects, packRows(mergeRows(lists)));
    const last = deltas.at(-1)!;
    const joined: Delta = { ...stored, from: 0, to: last.to, position: last.position };
    return this.clear(await this.write({ ...read.manifest, deltas: [joined] }, read.revision));
  }

  /**
   * Sends the tables of this node whole.
   * @param isForgetting nothing from before may come back
   * @param others tables that come into force with them
   * @throws Error when they have not come into force
   */
  async publishBase(
    { manifest, revision }: ReadManifest,
    isForgetting: boolean,
    others?: Manifest['shared'],
  ): Promise<ReadManifest> {
    const { cluster, log } = manifest;
    const epoch = isForgetting ? NO_EPOCH : log.epoch;
    const mark: ClusterMark = { cluster, base: '', applied: 0, epoch, isAhead: true };
    await this.parts.stations.note(knowledge => knowledge.setClusterMark(mark));
    const shared = { ...manifest.shared, ...others };
    return this.writeBase({ ...manifest, shared, revision }, manifest, log.epoch + Number(isForgetting));
  }

  /** Sends everything anew, where objects that the manifest names are gone; then there is nothing to go back to. */
  async republish({ manifest, revision }: ReadManifest): Promise<ReadManifest> {
    const { cluster, log } = manifest;
    const mark: ClusterMark = { cluster, base: '', applied: 0, epoch: log.epoch, isAhead: true };
    await this.parts.stations.note(knowledge => knowledge.setClusterMark(mark));
    return this.writeBase({ ...manifest, revision }, undefined, log.epoch);
  }

  /** Brings stored tables beside those of stations into force. @throws Error when they may not have come into force */
  publishShared(
    { manifest, revision }: ReadManifest,
    group: SharedGroup,
    tables: SharedTables,
    as: 'import' | 'forgotten' | 'learned',
  ): Promise<ReadManifest> {
    const { previous, ...now } = manifest;
    const kept = as === 'import' ? tablesOf(manifest) : as === 'learned' ? previous : undefined;
    const next = { ...now, shared: { ...manifest.shared, [group]: tables } };
    return this.write({ ...next, ...(kept !== undefined && { previous: kept }) }, revision);
  }

  private async writeBase(
    { cluster, term, revision, shared }: Pick<Manifest, 'cluster' | 'term' | 'shared'> & { revision: number },
    before: Manifest | undefined,
    epoch: number,
  ): Promise<ReadManifest> {
    const { folder, aggregator, stations, observations } = this.parts;
    const { objects } = this.stores;
    const scratch = makeScratchFolder(folder);
    try {
      await aggregator.hold();
      const copy = copyEnvironment(stations.knowledge.generation.root, join(scratch, STATIONS_FILE));
      // Whoever waits for the copy gets its failure.
      await copy.begun.catch(() => undefined).finally(() => this.changes.take());
      const position = observations.position!;
      const sources = readSources(stations.knowledge.generation);
      aggregator.release();
      await copy.done;
      const tables = await storeFile(objects, join(scratch, STATIONS_FILE, DATA_FILE));
      const files: Manifest['files'] = { [STATIONS_FILE]: tables };
      for (const { file } of sources)
        files[`${SOURCES_FOLDER}/${file}`] = await storeFile(objects, sourcePath(folder, file));
      const optedOut = join(folder, OPTED_OUT_FILE);
      if (existsSync(optedOut)) files[OPTED_OUT_FILE] = await storeFile(objects, optedOut);
      const log = await this.logOf(before, position, epoch, scratch);
      const manifest: Manifest = {
        version: VERSION,
        tablesFormat: GENERATION_FORMAT,
        cluster,
        term,
        learner: this.node,
        writtenMs: Date.now(),
        base: randomUUID(),
        files,
        position,
        log,
        deltas: [],
        ...(shared !== undefined && { shared }),
        ...(before?.log.epoch === epoch && { previous: tablesOf(before) }),
      };
      const written = await this.write(manifest, revision);
      await aggregator.hold();
      try {
        const mark = { ...markOf(manifest), isAhead: this.changes.size > 0 };
        await stations.note(knowledge => knowledge.setClusterMark(mark));
      } finally {
        aggregator.release();
      }
      return this.clear(written);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
    }
  }

  /** A copy of the log: the one before, as long as the stream leads from there to here in few steps. */
  private async logOf(
    before: Manifest | undefined,
    position: number,
    epoch: number,
    scratch: string,
  ): Promise<PublishedLog> {
    const { observations, holdLog } = this.parts;
    if (before?.log.epoch === epoch && position - before.log.position < LOG_BATCHES_MAX) return before.log;
    const to = join(scratch, 'observations');
    let copy: EnvironmentCopy | undefined;
    const at = await holdLog(async () => {
      copy = observations.copyTo(to);
      await copy.begun.catch(() => undefined);
      return observations.position!;
    });
    await copy!.done;
    return { ...(await storeFile(this.stores.objects, join(to, DATA_FILE))), epoch, position: at };
  }

  private async write(manifest: Manifest, revision: number): Promise<ReadManifest> {
    const logMark = this.parts.observations.streamMark;
    const next = { ...manifest, version: VERSION, learner: this.node, writtenMs: Date.now(), logMark };
    return { manifest: next, revision: await writeManifest(this.stores, next, revision) };
  }

  /** Removes objects and reports that no node needs any more. A node that fetches one of them begins anew. */
  async clear(read: ReadManifest): Promise<ReadManifest> {
    this.clearAtMs = 0;
    if (this.storing > 0) return read;
    const { manifest } = read;
    const through = Math.min(manifest.log.position, manifest.previous?.log.position ?? manifest.log.position);
    try {
      const { objects } = this.stores;
      const listed = await objects.list();
      // Another node may learn since, and may have stored objects of its own.
      if ((await readManifest(this.stores))?.revision !== read.revision) return read;
      const young = await removeOthers(objects, listed, hashesOf(manifest));
      // The last one stays: nodes compare it with their own.
      await this.connection.manager.streams.purge(REPORTS_STREAM, { seq: Math.max(1, through) });
      this.clearAtMs = young === 0 ? Number.POSITIVE_INFINITY : performance.now() + CLEAR_MILLISECONDS;
    } catch (error) {
      const { message } = error as Error;
      if (message !== this.told) this.parts.onError(error as Error);
      this.told = message;
    }
    return read;
  }
}

/** The tables that a manifest describes. */
function markOf(manifest: Manifest): ClusterMark {
  const { cluster, base, log } = manifest;
  return { cluster, base, applied: lastNumber(manifest), epoch: log.epoch, isAhead: false };
}
