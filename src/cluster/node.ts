// A node of a cluster: what the owner of a data folder does there beside its own work. It follows the manifest, and
// takes the lease of the learner where that is free. One loop does one thing after the other; only the lease is renewed
// beside it. Whatever fails is tried again a second later, for as long as the service runs, and meanwhile lookups are
// answered from the tables of this node.

import { setTimeout as delay } from 'node:timers/promises';
import { LEARNED_GROUPS } from '../features.ts';
import type { Adopted } from '../jobs/job.ts';
import { RowChanges } from '../tables/stations/row_changes.ts';
import { adopt, beginAnew, beginStream } from './adopting.ts';
import { Commons } from './commons.ts';
import { Unreachable } from './connection.ts';
import { type FetchProgress, healthOf, isCutOff, LEAVING, type NodeHealth } from './health.ts';
import { type Joined, joinCluster, requireOwnTables } from './joined.ts';
import { prepareLeaving } from './leaving.ts';
import { LogCheck } from './log_check.ts';
import { type ReadManifest, readManifest } from './manifest.ts';
import { Mending } from './mending.ts';
import type { NodeParts, NodeSettings } from './node_parts.ts';
import { sendReports } from './reports.ts';
import { type Change, SharedGroups } from './shared_groups.ts';
import { Standing } from './standing.ts';
import { changeStations } from './station_changes.ts';
import { type NodeStatus, showFigures, statusOf } from './status.ts';
import { nodeKey, removeNode } from './stores.ts';

/** Time between two deltas, and between two attempts at anything that failed. */
const ROUND_MILLISECONDS = 1_000;
/** How often the lease is renewed, and a node says how it is. */
const BEAT_MILLISECONDS = 1_500;
/** A stop waits this long for the last delta. */
const CLOSE_MILLISECONDS = 5_000;

/** See above. */
export class ClusterNode {
  readonly parts: NodeParts;
  readonly settings: NodeSettings;
  private readonly changes = new RowChanges();
  readonly commons: Commons;
  /** Whether the servers have what this node has. */
  readonly standing: Standing;
  readonly logs: LogCheck;
  private readonly mending: Mending;
  /** Places, and the tables of features. */
  readonly shared = new SharedGroups(this);
  joined: Joined | undefined;
  /** The manifest, as this node last read or wrote it. */
  read: ReadManifest | undefined;
  isLearner = false;
  /** The tables of this node were those of the cluster at some time. */
  private hasTables: boolean;
  private failure: string | undefined;
  private answeredMs = performance.now();
  isClosing = false;
  /** It takes no reports any more, and never learns again. */
  private isLeaving = false;
  private readonly closing = new AbortController();
  private wake = new AbortController();
  private turn: Promise<unknown> = Promise.resolve();
  private loops: Promise<void>[] = [];

  /**
   * Makes the node. Servers that do not answer are no reason not to serve; those that cannot be used are.
   * @throws Error for the operator
   */
  static async start(parts: NodeParts, settings: NodeSettings): Promise<ClusterNode> {
    const node = new ClusterNode(parts, settings);
    await parts.aggregator.hold();
    parts.stations.watch(node.changes);
    node.changes.onFirst = () => {
      const { knowledge } = parts.stations;
      const mark = knowledge.clusterMark;
      if (mark !== undefined && !mark.isAhead) knowledge.setClusterMark({ ...mark, isAhead: true });
    };
    try {
      await node.join();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      parts.onWarning(`${error.message} This node goes on trying, and answers from its own tables.`);
    }
    return node;
  }

  /** Begins to follow the cluster. Until then nothing has changed. */
  begin(): void {
    this.loops = [this.run(), this.beat()];
  }

  private constructor(parts: NodeParts, settings: NodeSettings) {
    this.parts = parts;
    this.settings = settings;
    const { stations } = parts;
    const mark = stations.knowledge.clusterMark;
    this.hasTables = !settings.isNew && (mark === undefined ? stations.count() > 0 : mark.base !== '');
    this.logs = new LogCheck(parts);
    this.mending = new Mending(this.logs, this.shared);
    this.standing = new Standing(parts, settings.node, () => this.commons.accounts.lastChange);
    this.commons = new Commons(parts, settings.node, this.fail, this.standing);
    showFigures(this);
  }

  /** Connects, and looks whether this folder may take part. @throws Unreachable; Error for the operator */
  private async join(): Promise<void> {
    const { parts, settings, changes, commons, standing } = this;
    this.joined = await joinCluster(parts, settings, changes, standing, {
      checkStop: () => {
        this.checkStop();
        standing.requireNone();
      },
      onError: error => this.fail(error),
      onManifest: () => this.wake.abort(),
      onOpen: async ({ connection, stores }) => {
        this.read = await readManifest(stores);
        requireOwnTables(parts, settings, this.read?.manifest);
        if (this.read === undefined && commons.isCopy) await beginAnew(parts);
        await standing.join({ connection, stores });
        if (standing.refusal === undefined) await commons.attach(connection, stores);
      },
    });
    if (parts.observations.position !== undefined) this.joined.reader.start();
    this.answeredMs = performance.now();
    showFigures(this);
  }

  /** What `/ready` says. */
  get health(): NodeHealth {
    if (this.isLeaving) return LEAVING;
    const { settings, aloneMs, hasTables, failure, shared } = this;
    const progress = this.joined?.follower.progress ?? shared.progress;
    const why = this.standing.problem ?? failure ?? this.logs.problem ?? shared.failure;
    if (!hasTables && this.standing.problem !== undefined) return { problem: why, note: undefined };
    return healthOf({ ...settings, aloneMs, hasTables, failure: why, progress });
  }

  get aloneMs(): number {
    return performance.now() - this.answeredMs;
  }

  /** How this node is. */
  get status(): NodeStatus {
    return statusOf(this);
  }

  /** True if the cluster has no keys, so that this node may make the first one. */
  get isWithoutKeys(): boolean {
    return this.commons.accounts.isAttached && this.parts.accounts.table.count === 0;
  }

  /** Sends reports to all nodes. @throws NotWritten when the cluster does not acknowledge them */
  send(reports: Uint8Array, source: string | undefined): Promise<boolean> {
    const open = this.isLeaving || isCutOff(this.aloneMs) ? undefined : this.joined;
    return sendReports(open, this.standing, reports, source);
  }

  /**
   * Runs work that changes tables in another way than by learning, and brings it into force on all nodes.
   * @throws Error when another node learns, or the work fails, or it has not come into force
   */
  async change<T>(work: () => Promise<T>, as: Change): Promise<T> {
    this.requireLearner();
    if (typeof as === 'object') return this.shared.change(as.group, work, as.isForgetting);
    if (as !== 'forgotten') return changeStations(this, work, as);
    return this.shared.changeWith(LEARNED_GROUPS, store => changeStations(this, work, as, store));
  }

  /** @throws Error where another node learns */
  requireLearner(): void {
    if (this.isLearner) return;
    const { learnerNow } = this;
    const who = learnerNow === '' ? 'No node' : `Another node (${learnerNow})`;
    throw new Error(`${who} of the cluster learns and writes its tables now; start this again.`);
  }

  /** Name of the node that learns, or did last; empty where none has yet. */
  get learner(): string {
    return this.read?.manifest.learner ?? '';
  }

  /** The same, but empty where this node did and does not any more. */
  get learnerNow(): string {
    return this.isLearner || this.learner !== this.settings.node ? this.learner : '';
  }

  /** One after the other: rounds, and the work of jobs. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async run(): Promise<void> {
    while (!this.isClosing) {
      try {
        await this.alone(() => this.round());
        this.failure = undefined;
      } catch (error) {
        if (!this.isClosing) this.fail(error as Error);
      }
      // A learner wakes itself with each delta, and is to wait for more.
      const { signal } = this.isLearner ? this.closing : this.wake;
      await delay(ROUND_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      if (this.wake.signal.aborted && !this.isClosing) this.wake = new AbortController();
    }
  }

  /** Follows, or learns, once. */
  async round(): Promise<void> {
    const { joined, standing } = this;
    if (joined?.connection.nats.isClosed() || (standing.isReplaced && !standing.problem)) await this.part(joined!);
    if (this.joined === undefined) await this.join();
    const { lease, stores, follower, reader } = this.joined!;
    if (standing.problem !== undefined) await this.stepDown();
    standing.requireNone();
    if (this.isLearner) {
      await this.learnerRound();
      return;
    }
    const read = await readManifest(stores);
    this.answeredMs = performance.now();
    standing.compare(read);
    this.read = read;
    if (read !== undefined) {
      requireOwnTables(this.parts, this.settings, read.manifest);
      await follower.follow(read.manifest);
      reader.start();
      await this.logs.requireSame(read.manifest);
      void this.shared.begin().then(() => {
        this.hasTables ||= this.shared.isInLine(this.read!.manifest);
      });
    }
    if (this.settings.role === 'serve' || this.isClosing || this.isLeaving || !(await lease.take())) return;
    await this.becomeLearner();
  }

  /** Gives up a connection that the servers have ended for good, or that led to other streams. */
  private async part({ connection, reader, endWatch }: Joined): Promise<void> {
    endWatch();
    await this.stepDown();
    await reader.stop();
    this.commons.detach();
    await connection.nats.close();
    this.joined = undefined;
  }

  private async becomeLearner(): Promise<void> {
    const { lease, stores, publisher, reader, follower, connection } = this.joined!;
    try {
      // The one before may have published since.
      const latest = await readManifest(stores);
      if (latest === undefined) {
        await beginStream(this.parts, connection);
        this.read = await publisher.found();
        reader.start();
        this.hasTables = true;
      } else {
        await follower.follow(latest.manifest);
        this.read = await publisher.claim(latest);
      }
    } catch (error) {
      await lease.end();
      throw error;
    }
    this.changes.isOn = true;
    this.isLearner = true;
    this.parts.aggregator.release();
  }

  private async learnerRound(): Promise<void> {
    const { lease, stores, publisher } = this.joined!;
    try {
      if (!lease.isHeld) throw new Error('This node could not renew its lease, and learns no more.');
      const latest = await readManifest(stores);
      // A command has rolled the tables back, which this node takes over before it learns again.
      if (latest?.manifest.learner === '') return await this.stepDown();
      if (latest?.revision !== this.read!.revision) throw new Error('The manifest of the cluster is another one.');
      this.answeredMs = performance.now();
      this.read = await publisher.compact(await publisher.publishDelta(this.read!));
      this.read = await this.mending.hear(this.joined!, this.read);
      void this.shared.begin();
    } catch (error) {
      const mine = this.read!.manifest;
      // The answer may have been lost, or another node may learn: the manifest tells.
      const latest = lease.isHeld ? await readManifest(stores).catch(() => undefined) : undefined;
      const isMine = latest?.manifest.term === mine.term && latest.manifest.learner === mine.learner;
      // Where whole tables were not published, what has changed before is noted nowhere.
      if (isMine && this.parts.stations.knowledge.clusterMark!.base !== '') this.read = latest;
      else await this.stepDown();
      throw error;
    }
  }

  /** Learns no more. What was not published is learned again, by the next learner. */
  async stepDown(): Promise<void> {
    if (!this.isLearner) return;
    this.isLearner = false;
    await this.parts.aggregator.hold();
    this.changes.isOn = false;
    this.changes.take();
    await this.joined!.lease.end();
  }

  /** Renews the lease, and says how this node is. */
  private async beat(): Promise<void> {
    const { signal } = this.closing;
    while (!this.isClosing) {
      await delay(BEAT_MILLISECONDS, undefined, { signal }).catch(() => undefined);
      try {
        showFigures(this);
        if (this.isClosing || this.joined === undefined) continue;
        const { connection, lease, reader, stores } = this.joined;
        await lease.renew();
        await this.standing.look();
        reader.renew(this.standing.last);
        await stores.nodes.put(nodeKey(this.settings.node), JSON.stringify(this.status));
        if (this.standing.refusal === undefined) await this.commons.refresh(connection, stores);
        this.answeredMs = performance.now();
      } catch (error) {
        this.failure = (error as Error).message;
      }
    }
  }

  /** Tells of a failure once, until there is another one. */
  private readonly fail = (error: Error): void => {
    if (this.failure === error.message) return;
    this.failure = error.message;
    this.parts.onError(error);
  };

  /** @throws Error when the node closes */
  checkStop(): void {
    if (this.isClosing) throw new Error('The service is stopping.');
  }

  /** Joins, and waits until the tables are those of the cluster. @param onProgress bytes that it has taken over */
  async takeOver(onProgress: (progress: FetchProgress) => void): Promise<void> {
    this.begin();
    while (!this.hasTables) {
      const progress = this.joined?.follower.progress ?? this.shared.progress;
      if (progress !== undefined) onProgress(progress);
      await delay(ROUND_MILLISECONDS / 4);
    }
  }

  /** Makes this node the one from which its cluster goes on. @throws Error for the operator */
  adopt(): Promise<Adopted> {
    return this.alone(() => adopt(this));
  }

  /**
   * Leaves the cluster for good: has all reports and tables by then, gives back what it holds, and publishes what it
   * has learned. @param giveBack returns credits, and detaches from accounts before others are taken
   * @returns how many nodes go on @throws Error when the servers do not answer; then nothing has changed
   */
  async leave(giveBack: (detach: () => void) => Promise<void>): Promise<number> {
    this.isLeaving = true;
    const others = await prepareLeaving(this, () => giveBack(() => this.commons.detach())).catch(error => {
      this.isLeaving = false;
      throw error;
    });
    await this.close();
    this.parts.figures.fill(0);
    return others;
  }

  /** Publishes what it has learned, if the servers answer, and leaves. Learning is held afterwards. */
  async close(): Promise<void> {
    this.isClosing = true;
    this.closing.abort();
    this.wake.abort();
    await Promise.all([...this.loops, this.shared.underWay]);
    const { joined, read } = this;
    if (joined === undefined) return;
    const { reader, publisher, endWatch, connection } = joined;
    endWatch();
    this.commons.detach();
    if (this.isLearner && read !== undefined) {
      const published = publisher.publishDelta(read).catch(this.parts.onError);
      await Promise.race([published, delay(CLOSE_MILLISECONDS, undefined, { ref: false })]);
      await this.stepDown();
    }
    await reader.stop();
    await removeNode(connection, this.settings.node).catch(() => undefined);
    await connection.nats.close();
    this.joined = undefined;
  }
}
