// Places, and the tables of features, on all nodes. Only the learner changes them: an import runs there, and its tables
// are then published under the manifest's condition; if they are not, the learner takes back those that are in force.
// What it has learned into some beside other work is published soon after. Every node compares what it has with the
// manifest, and fetches the files that it lacks.
//
// A group is locked while anything is done to it. Who holds the turn of the node (rounds, station jobs) waits for no
// lock; who holds a lock may wait for the turn.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { featureTables, LEARNED_GROUPS } from '../features.ts';
import { requireRoom } from '../tables/environment/commit.ts';
import {
  notePlaceList,
  placeFiles,
  readPlaceList,
  removeOtherExtracts,
  replacePlaces,
} from '../tables/places/place_files.ts';
import { makeScratchFolder } from '../tables/stations/generation.ts';
import type { FetchProgress } from './health.ts';
import type { Joined } from './joined.ts';
import {
  type Manifest,
  type ReadManifest,
  readManifest,
  SHARED_GROUPS,
  type SharedGroup,
  type SharedTables,
} from './manifest.ts';
import type { NodeParts } from './node_parts.ts';
import { fetchFile, storeFile } from './objects.ts';
import { filesOfTables } from './table_files.ts';

type Files = SharedTables['files'];
/** What these tables need of their node. */
interface NodeView {
  readonly parts: Pick<NodeParts, 'folder' | 'observations' | 'shared' | 'onError'>;
  readonly isClosing: boolean;
  /** Undefined while it has not joined. */
  readonly joined: Joined | undefined;
  readonly isLearner: boolean;
  /** The manifest as the node last read or wrote it. */
  read: ReadManifest | undefined;
  /** Runs work in the turn of the node. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** @throws Error where another node learns */
  requireLearner(): void;
  /** @throws Error when the node closes */
  checkStop(): void;
}

/**
 * What work changes: rows of the station tables, or they are new, maybe because something was forgotten, with all that
 * is learned; or one group of other tables.
 */
export type Change = 'rows' | 'tables' | 'forgotten' | { group: SharedGroup; isForgetting: boolean };

/** See above. */
export class SharedGroups {
  private readonly node: NodeView;
  /** What this node has; absent where that is not known. */
  private readonly own = new Map<SharedGroup, Files>();
  /** Groups that were changed here and are to be published. */
  private readonly changed = new Set<SharedGroup>();
  /** Groups of which the object store lacks something. */
  private readonly lost = new Set<SharedGroup>();
  private readonly locks = new Map<SharedGroup, Promise<void>>();
  /** Groups to be learned once this node is the learner, and nothing else is done to them. */
  private readonly awaited = new Set<SharedGroup>();
  /** While the node is brought into line. */
  underWay: Promise<void> | undefined;
  /** Why it could not be. */
  failure: string | undefined;
  /** While files are fetched. */
  progress: FetchProgress | undefined;

  constructor(node: NodeView) {
    this.node = node;
  }

  /** True if this node has all that a manifest says. */
  isInLine({ shared }: Manifest): boolean {
    return SHARED_GROUPS.every(group => this.own.has(group) && isSame(this.own.get(group), shared?.[group]?.files));
  }

  /** Begins to bring this node into line, which may take longer than its turns, unless that is under way. */
  begin(): Promise<void> {
    this.underWay ??= this.step()
      .then(() => {
        this.failure = undefined;
      })
      .catch((error: Error) => {
        // Told once, until there is another one.
        if (this.failure !== error.message && !this.node.isClosing) this.node.parts.onError(error);
        this.failure = error.message;
      })
      .finally(() => {
        this.underWay = undefined;
      });
    return this.underWay;
  }

  /** Publishes what was changed here, and fetches what was changed elsewhere, but for what is being changed. */
  private async step(): Promise<void> {
    for (const group of SHARED_GROUPS) if (!this.locks.has(group)) await this.locked(group, () => this.stepOf(group));
  }

  /**
   * Runs work that changes a group, and brings it into force on all nodes. @param isForgetting nothing from before may
   * come back @throws Error when another node learns, the work fails, or it has not come into force
   */
  change<T>(group: SharedGroup, work: () => Promise<T>, isForgetting: boolean): Promise<T> {
    return this.locked(group, async () => {
      const before = await this.prepare(group);
      const result = await work();
      try {
        await this.publish(group, before, isForgetting ? 'forgotten' : 'import');
        return result;
      } catch (error) {
        throw new Error(`Nothing of it is in force, because it was not published: ${(error as Error).message}`, {
          cause: error,
        });
      }
    });
  }

  /**
   * Runs work that changes groups and is published with other tables. @param work is given what stores the groups, to
   * be called in the turn of the node
   */
  changeWith<T>(
    [group, ...others]: readonly SharedGroup[],
    work: (store: () => Promise<Manifest['shared']>) => Promise<T>,
  ): Promise<T> {
    if (group === undefined) return work(async () => ({}));
    return this.locked(group, async () => {
      await this.prepare(group);
      const store = async (): Promise<SharedTables> => ({
        files: await this.store(group),
        position: this.node.parts.observations.position!,
      });
      return this.changeWith(others, rest => work(async () => ({ ...(await rest()), [group]: await store() })));
    });
  }

  /** Learns into a group, if this node is to; it is published later. @returns undefined if it is not */
  async learn<T>(group: SharedGroup, work: () => Promise<T>): Promise<T | undefined> {
    const own = this.own.get(group);
    const isMine = own !== undefined && isSame(own, this.node.read?.manifest.shared?.[group]?.files);
    if (!this.node.isLearner || this.locks.has(group) || !(isMine || this.changed.has(group))) {
      this.awaited.add(group);
      return undefined;
    }
    this.awaited.delete(group);
    return this.locked(group, () => {
      this.own.delete(group);
      this.changed.add(group);
      return work();
    });
  }

  /** Has a group stored again when it is next brought into line, where objects of it are gone. */
  storeAnew(group: SharedGroup): void {
    this.own.delete(group);
    this.changed.add(group);
    this.lost.add(group);
  }

  private async locked<T>(group: SharedGroup, work: () => Promise<T>): Promise<T> {
    while (this.locks.has(group)) await this.locks.get(group);
    const done = Promise.withResolvers<void>();
    this.locks.set(group, done.promise);
    try {
      return await work();
    } finally {
      this.locks.delete(group);
      done.resolve();
    }
  }

  /** Brings a group into line before it is changed. @returns what is in force */
  private async prepare(group: SharedGroup): Promise<Files> {
    this.node.requireLearner();
    await this.stepOf(group);
    this.node.requireLearner();
    const before = this.own.get(group)!;
    this.own.delete(group);
    return before;
  }

  private async stepOf(group: SharedGroup): Promise<void> {
    const { node } = this;
    if (node.joined === undefined || node.read === undefined) return;
    const wanted = node.read.manifest.shared?.[group];
    if (!node.isLearner) this.changed.delete(group);
    if (node.isLearner && (wanted === undefined || this.changed.has(group)))
      await this.publish(group, wanted?.files, 'learned');
    else {
      const own = this.own.get(group) ?? (await this.look(group));
      if (wanted !== undefined && !isSame(own, wanted.files)) await this.take(group, own, wanted);
    }
    this.changed.delete(group);
    if (node.isLearner && this.awaited.delete(group)) node.parts.shared.learn();
  }

  /** Looks what this node has. */
  private async look(group: SharedGroup): Promise<Files> {
    const { folder } = this.node.parts;
    const files =
      group === 'places'
        ? (readPlaceList(folder) as Files | undefined)
        : await filesOfTables(folder, featureTables(group)!);
    // Places without a list are not those of the cluster, or nobody knows it.
    const own = files ?? { unknown: { hash: '', bytes: 0 } };
    this.own.set(group, own);
    return own;
  }

  /** Brings what this node has into force. @param before what must be in force until then */
  private async publish(
    group: SharedGroup,
    before: Files | undefined,
    as: 'import' | 'forgotten' | 'learned',
  ): Promise<void> {
    const { node } = this;
    const { publisher, stores } = node.joined!;
    const term = node.read!.manifest.term;
    // Objects that no manifest names yet are not removed from here on.
    await node.alone(async () => void publisher.storing++);
    try {
      const position = node.parts.observations.position!;
      const files = await this.store(group);
      const isNew = before === undefined || !isSame(files, before);
      const bringIntoForce = async () => {
        node.requireLearner();
        const { manifest } = node.read!;
        if (manifest.term !== term || !isSame(before, manifest.shared?.[group]?.files))
          throw new Error('Another node of the cluster has published meanwhile.');
        try {
          node.read = await publisher.publishShared(node.read!, group, { files, position }, as);
        } catch (error) {
          // The answer may have been lost.
          const latest = await readManifest(stores);
          if (latest?.manifest.term !== term || !isSame(files, latest.manifest.shared?.[group]?.files)) throw error;
          node.read = latest;
        }
      };
      if (isNew) await node.alone(bringIntoForce);
      this.own.set(group, files);
      this.lost.delete(group);
      if (group === 'places') notePlaceList(node.parts.folder, files);
    } finally {
      publisher.storing--;
    }
    if (as !== 'learned') await node.alone(async () => void (await publisher.clear(node.read!)));
  }

  /** Stores the files of a group that the store does not have. */
  private async store(group: SharedGroup): Promise<Files> {
    const { parts, joined, read } = this.node;
    const { folder } = parts;
    const { objects } = joined!.stores;
    const stored = this.lost.has(group) ? {} : read!.manifest.shared?.[group]?.files;
    if (group !== 'places') return filesOfTables(folder, featureTables(group)!, objects, stored);
    const files: Files = {};
    for (const [name, path] of placeFiles(folder)) files[name] = await storeFile(objects, path);
    return files;
  }

  /** Fetches what this node lacks, and puts it into force here. */
  private async take(group: SharedGroup, own: Files, { files, position }: SharedTables): Promise<void> {
    const { node } = this;
    const { folder, shared } = node.parts;
    const has = new Set(Object.values(own).map(({ hash }) => hash));
    const isKept = (name: string): boolean => own[name]?.hash === files[name].hash;
    const lacking = Object.entries(files).filter(([name, { hash }]) =>
      group === 'places' ? !isKept(name) : !has.has(hash),
    );
    const progress = { doneBytes: 0, totalBytes: lacking.reduce((sum, [, { bytes }]) => sum + bytes, 0) };
    requireRoom(folder, progress.totalBytes, `Taking over the ${group} of the cluster`);
    const { objects } = node.joined!.stores;
    const fetch = (name: string, to: string): Promise<void> =>
      fetchFile(objects, files[name], to, bytes => {
        node.checkStop();
        progress.doneBytes += bytes;
      });
    this.own.delete(group);
    this.progress = progress;
    const scratch = makeScratchFolder(folder);
    try {
      if (group === 'places') {
        const names = Object.keys(files);
        await replacePlaces({ folder: folder, scratch, list: files }, names, new Set(names.filter(isKept)), fetch);
        shared.adoptPlaces();
        removeOtherExtracts(folder);
      } else {
        const from = join(scratch, group);
        mkdirSync(from);
        for (const [name, { hash }] of lacking) await fetch(name, join(from, hash));
        await node.joined!.follower.logReaches(position);
        await shared.take({ verb: group, action: 'take', from, hashes: Object.values(files).map(({ hash }) => hash) });
      }
      this.own.set(group, files);
      // What was taken over may lack what has come here since.
      for (const learned of LEARNED_GROUPS) this.awaited.add(learned);
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      this.progress = undefined;
    }
  }
}

function isSame(one: Files | undefined, other: Files | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every(name => one[name].hash === other[name]?.hash);
}
