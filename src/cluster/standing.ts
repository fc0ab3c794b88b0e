// Whether the servers still have what this node has stored of them. Servers that come back with an earlier copy of
// their disk, or after a power failure without what they had not flushed, take reports under positions that this node
// has behind it, and sell credits that are spent. So a node looks when it connects, and every second or so; until it
// has looked, and where they lag behind it, reports and changes of accounts are refused.
//
// A log knows the last batch that it has stored. A stream that has another one at that position, or none, or that was
// made at another time, is not the one that this log was read from. Such a node says so to the others for some seconds,
// which would go on otherwise from what is there. Only a cluster that was adopted (adopting.ts) leads on: its manifest
// has a later epoch, and brings a log.

import { JetStreamApiError } from '@nats-io/jetstream';
import { hashOfBatch } from '../tables/observations/stream_mark.ts';
import type { ClusterConnection } from './connection.ts';
import { type Manifest, type ReadManifest, readManifest } from './manifest.ts';
import type { NodeParts } from './node_parts.ts';
import { ServerClock } from './server_clock.ts';
import { ACCOUNT_STREAMS, type ClusterStores, REPORTS_STREAM } from './stores.ts';

const REMEDY =
  'Reports and prepaid requests wait. Bring back the servers with what they had, or run "sextant cluster adopt" at ' +
  'the node that has the most';
/** Key beside the lease: the last node that has more than the servers, which says so again and again. */
const AHEAD_KEY = 'ahead';
/** Of JetStream. */
const NO_STREAM = 10_059;
const UNSURE = 'this node looks whether its cluster has what it had';

/** What the servers are asked over. */
interface Open {
  connection: ClusterConnection;
  stores: ClusterStores;
}

/** What a node says that has more than the servers. */
interface Ahead {
  node: string;
  /** Of its log. A cluster of a later one has gone on without it. */
  epoch: number;
}

/** See above. */
export class Standing {
  private readonly parts: Pick<NodeParts, 'observations' | 'stations'>;
  private readonly node: string;
  /** Highest number of a change of the accounts that this node has seen. */
  private readonly lastChange: () => number;
  /** Of the servers. */
  readonly clock = new ServerClock();
  private open: Open | undefined;
  private created = '';
  private isSure = false;
  /** Counts lost connections: what was asked before one does not hold behind it. */
  private turn = 0;
  private looking: Promise<void> | undefined;
  /** What their streams lack, what their manifest does, and what others say of them, as sentences. */
  private ofStreams: string | undefined;
  private ofManifest: string | undefined;
  private ofOthers: string | undefined;
  /** Epoch under which this node leads its cluster on, if it does. */
  private leads = 0;
  /** The log of this node is one of the stream that was there when it was looked at. */
  private isReadable = false;
  /** Position of the last batch of the stream when it was looked at. */
  last = 0;
  /** The stream is another one than when this node joined, which has to join again. */
  isReplaced = false;

  /** @param node its name @param lastChange number of the last change of accounts that it has seen, or 0 */
  constructor(parts: Pick<NodeParts, 'observations' | 'stations'>, node: string, lastChange: () => number) {
    this.parts = parts;
    this.node = node;
    this.lastChange = lastChange;
  }

  /** What the servers lack of what this node has, as a sentence. */
  get problem(): string | undefined {
    return this.ofStreams ?? this.ofManifest ?? this.ofOthers;
  }

  /** True while the stream that is there leads on from the log of this node for certain. */
  get mayRead(): boolean {
    return this.isSure && this.isReadable;
  }

  /** True for a node that has itself what the servers lack. */
  get isAhead(): boolean {
    return (this.ofStreams ?? this.ofManifest) !== undefined;
  }

  /** Why reports and changes of accounts are refused now; undefined where they are not. */
  get refusal(): string | undefined {
    return this.problem?.slice(0, -1) ?? (this.isSure ? undefined : UNSURE);
  }

  /**
   * Looks over a new connection, and again whenever it was lost. @param leads epoch under which this node leads its
   * cluster on @throws Error of NATS
   */
  async join(open: Open, leads = 0): Promise<void> {
    this.open = open;
    this.leads = leads;
    this.ofManifest = undefined;
    this.isReplaced = false;
    this.lose();
    this.created = (await open.connection.manager.streams.info(REPORTS_STREAM)).created;
    void this.follow(open).catch(() => this.lose());
    await this.look();
  }

  private async follow(open: Open): Promise<void> {
    for await (const { type } of open.connection.nats.status()) {
      if (this.open !== open) return;
      if (type === 'disconnect') this.lose();
      // Where nobody answers yet, the next beat looks again.
      if (type === 'reconnect') this.look().catch(() => this.lose());
    }
  }

  private lose(): void {
    this.isSure = false;
    this.turn++;
  }

  /** Looks again. @throws Error of NATS, when nobody answers; then it is not known */
  look(): Promise<void> {
    this.looking ??= this.lookNow().finally(() => {
      this.looking = undefined;
    });
    return this.looking;
  }

  private async lookNow(): Promise<void> {
    const { turn, open } = this;
    if (open === undefined) return;
    const { manager } = open.connection;
    // First: the log goes on meanwhile.
    const { position, streamMark } = this.parts.observations;
    const info = await manager.streams.info(REPORTS_STREAM);
    this.clock.note(info);
    const { created, state } = info;
    const isReplaced = created !== this.created;
    const log = {
      position: streamMark?.position ?? position,
      created: streamMark?.created || this.created,
      streamMark,
    };
    let problem = await lackOf(open.connection, log, created, state);
    const isReadable = problem === undefined && !isReplaced;
    problem ??= await this.lackOfAccounts(open);
    if (problem !== undefined && (await this.isAdopted(open))) problem = undefined;
    const ofOthers = await this.hear(open, problem ?? this.ofManifest);
    if (turn !== this.turn) return;
    this.ofOthers = ofOthers;
    this.last = state.last_seq;
    this.isReplaced = isReplaced;
    this.isReadable = isReadable;
    this.ofStreams = problem;
    this.isSure = true;
  }

  private async lackOfAccounts({ connection }: Open): Promise<string | undefined> {
    const known = this.lastChange();
    if (known === 0) return undefined;
    const last = (await lastOf(connection, ACCOUNT_STREAMS[0])) ?? 0;
    return last >= known
      ? undefined
      : `The accounts of the cluster end at change ${last}, and this node has seen ${known}. ${REMEDY}.`;
  }

  /** Tells the others that this node has more than the servers, or hears whether one of them has. */
  private async hear({ stores }: Open, own: string | undefined): Promise<string | undefined> {
    const epoch = Math.max(this.leads, this.parts.stations.knowledge.clusterMark?.epoch ?? 0);
    if (own !== undefined) {
      await stores.lease.put(AHEAD_KEY, JSON.stringify({ node: this.node, epoch } satisfies Ahead));
      return undefined;
    }
    const other = await nodeAhead(stores, epoch);
    return other === this.node ? undefined : lackOfNode(other);
  }

  /** True if the manifest leads on from another log than that of this node. */
  private async isAdopted({ stores }: Open): Promise<boolean> {
    return this.isLater((await readManifest(stores))?.manifest);
  }

  private isLater(manifest: Manifest | undefined): boolean {
    const mark = this.parts.stations.knowledge.clusterMark;
    return manifest !== undefined && mark?.cluster === manifest.cluster && manifest.log.epoch > mark.epoch;
  }

  /** @throws Error when the manifest is one from before that of this node, or the servers lack something else */
  compare(read: ReadManifest | undefined): void {
    const mark = this.parts.stations.knowledge.clusterMark;
    this.ofManifest = undefined;
    if (mark !== undefined && mark.base !== '') {
      if (read === undefined) this.ofManifest = `The cluster has no manifest any more. ${REMEDY}.`;
      else if (mark.cluster === read.manifest.cluster && read.manifest.log.epoch < mark.epoch)
        this.ofManifest = `The manifest of the cluster is one from before something was forgotten. ${REMEDY}.`;
    }
    this.requireNone();
  }

  /** @throws Error when the servers lack what this node has */
  requireNone(): void {
    if (this.problem !== undefined) throw new Error(this.problem);
  }
}

/** Name of the node that has more than the servers, and says so. @param epoch of the log that counts */
async function nodeAhead({ lease }: Pick<ClusterStores, 'lease'>, epoch: number): Promise<string | undefined> {
  const entry = await lease.get(AHEAD_KEY);
  if (entry === null || entry.operation !== 'PUT') return undefined;
  const { node, epoch: of } = entry.json<Ahead>();
  return of < epoch ? undefined : node;
}

function lackOfNode(node: string | undefined): string | undefined {
  return node === undefined ? undefined : `The servers of the cluster lack what node ${node} has. ${REMEDY}.`;
}

/** @throws Error when a node says that the servers lack what it has: what is changed there now may be lost */
export async function requireWholeServers(stores: Pick<ClusterStores, 'lease'>, epoch: number): Promise<void> {
  const lack = lackOfNode(await nodeAhead(stores, epoch));
  if (lack !== undefined) throw new Error(lack);
}

/** What the stream lacks of the log. */
async function lackOf(
  { manager }: ClusterConnection,
  {
    position,
    created: own,
    streamMark,
  }: Pick<NodeParts['observations'], 'position' | 'streamMark'> & { created: string },
  created: string,
  state: { first_seq: number; last_seq: number },
): Promise<string | undefined> {
  if (position === undefined) return undefined;
  if (own !== created)
    return `The stream of the cluster is another one than this node has read, made at ${created}. ${REMEDY}.`;
  if (position > state.last_seq)
    return (
      `The stream of the cluster ends at batch ${state.last_seq}, and this node has those up to ${position}. ` +
      `${REMEDY}.`
    );
  if (streamMark === undefined || streamMark.last === '' || position < state.first_seq) return undefined;
  const stored = await manager.streams.getMessage(REPORTS_STREAM, { seq: position });
  if (stored !== null && hashOfBatch(stored.data, stored.seq, stored.time.getTime()) === streamMark.last)
    return undefined;
  return `The stream of the cluster has another batch ${position} than this node. ${REMEDY}.`;
}

/** Number of the last message of a stream; undefined where there is no such stream. @throws Error of NATS */
export async function lastOf({ manager }: ClusterConnection, stream: string): Promise<number | undefined> {
  try {
    return (await manager.streams.info(stream)).state.last_seq;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === NO_STREAM) return undefined;
    throw error;
  }
}
