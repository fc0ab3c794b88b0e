// What an operator asks of a cluster and tells it, over a connection of their own: how its nodes are, and that the
// tables before are to be in force again.

import { JetStreamApiError } from '@nats-io/jetstream';
import { VERSION } from '../config/version.ts';
import { NotWritten } from '../tables/environment/commit.ts';
import type { StreamMark } from '../tables/observations/environment.ts';
import { asUnreachable, type ClusterAddress, type ClusterConnection, connectToCluster } from './connection.ts';
import { isCutOff, type NodeHealth } from './health.ts';
import { Lease } from './lease.ts';
import {
  deltasAfter,
  lastNumber,
  type PublishedTables,
  type ReadManifest,
  readManifest,
  tablesOf,
  writeManifest,
} from './manifest.ts';
import { FIGURE, type NodeParts, type NodeSettings } from './node_parts.ts';
import { ServerClock } from './server_clock.ts';
import { lastOf, type Standing } from './standing.ts';
import { type ClusterStores, LEASE_MILLISECONDS, nodeKeys, openStores, REPORTS_STREAM } from './stores.ts';

/** Nodes say every second or two how they are. One that has not for so long is not known to be ready. */
const SILENT_MILLISECONDS = LEASE_MILLISECONDS;
/** Objects that a node names at once as lost. */
const LOST_MAX = 16;

/** What a node says of its log. */
export interface SaidLog {
  epoch: number | undefined;
  mark: StreamMark | undefined;
  /** Hash of the copy that it has taken over because its log was another one. */
  taken: string | undefined;
}

/** How a node is, as it says so to the others. */
export interface NodeStatus {
  node: string;
  version: string;
  role: NodeSettings['role'];
  isLearner: boolean;
  /** Position of its log in the stream. */
  position: number | undefined;
  /** Base and number of its tables. */
  base: string | undefined;
  applied: number;
  /** What keeps it from being ready. */
  problem: string | undefined;
  /** What else an operator should know. */
  note: string | undefined;
  /** It has more than the servers. */
  isAhead: boolean;
  /** Undefined until it has joined. */
  log?: SaidLog;
  /** Objects that it needed and did not find. */
  lost?: string[];
  /** Milliseconds since 1970. */
  saidMs: number;
}

/** How a cluster is. */
interface ClusterStatus {
  cluster: string;
  /** Name of the node that learns; undefined while there is none. */
  learner: string | undefined;
  term: number;
  /** The tables in force: when they were written, ISO 8601, UTC, the number of the last delta, and bytes of all. */
  tables: { writtenAt: string; number: number; deltas: number; bytes: number };
  /** Whether `rollback` has tables to go back to. */
  hasPrevious: boolean;
  /** Position of the last batch of reports in the stream. */
  position: number;
  nodes: (Omit<NodeStatus, 'base' | 'applied' | 'saidMs' | 'position' | 'isAhead' | 'log' | 'lost'> & {
    /** Batches of reports that it has not stored. */
    batchesBehind: number | undefined;
    /** Deltas that it has not written; undefined where its tables begin with another base. */
    deltasBehind: number | undefined;
    /** Since it last said so. */
    ageSeconds: number;
  })[];
}

/** What a node has said, and when that was stored, in milliseconds of the servers. */
type StoredStatus = NodeStatus & { storedMs: number };

/** What nodes have said within half a minute. @throws Error of NATS */
export async function readNodes(connection: ClusterConnection, stores: ClusterStores): Promise<StoredStatus[]> {
  const nodes: StoredStatus[] = [];
  for (const key of await nodeKeys(connection)) {
    const entry = await stores.nodes.get(key);
    if (entry?.operation === 'PUT') nodes.push({ ...entry.json<NodeStatus>(), storedMs: entry.created.getTime() });
  }
  return nodes;
}

/** Asks how the cluster is. @throws Error for the operator */
export function readClusterStatus(address: ClusterAddress): Promise<ClusterStatus> {
  return inCluster(address, async (connection, stores, { manifest }) => {
    const nodes = await readNodes(connection, stores);
    // Both times are those of the servers: clocks of nodes may be wrong.
    const clock = new ServerClock();
    const info = await connection.manager.streams.info(REPORTS_STREAM);
    clock.note(info);
    const { state } = info;
    const number = lastNumber(manifest);
    const learner = await new Lease(stores.lease, '').holder();
    return {
      cluster: manifest.cluster,
      learner,
      term: manifest.term,
      tables: {
        writtenAt: new Date(manifest.writtenMs).toISOString(),
        number,
        deltas: manifest.deltas.length,
        bytes: bytesOf(manifest),
      },
      hasPrevious: manifest.previous !== undefined,
      position: state.last_seq,
      nodes: nodes
        .sort((a, b) => (a.node < b.node ? -1 : 1))
        .map(
          ({
            base,
            applied,
            saidMs: _saidMs,
            storedMs,
            position,
            isAhead: _isAhead,
            log: _log,
            lost: _lost,
            ...said
          }) => ({
            ...said,
            problem: silenceOf(clock.nowMs! - storedMs) ?? said.problem,
            // One that was killed has not said that it learns no more.
            isLearner: said.node === learner,
            batchesBehind: position === undefined ? undefined : Math.max(0, state.last_seq - position),
            deltasBehind: base === manifest.base ? Math.max(0, number - applied) : undefined,
            ageSeconds: secondsOf(clock.nowMs! - storedMs),
          }),
        ),
    };
  });
}

/** A node that was killed has not said so. */
function silenceOf(ageMs: number): string | undefined {
  if (ageMs < SILENT_MILLISECONDS) return undefined;
  return `This node has said nothing for ${secondsOf(ageMs)} s: it has ended, hangs, or is cut off.`;
}

function secondsOf(ageMs: number): number {
  return Math.max(0, Math.round(ageMs / 1000));
}

/**
 * Puts the tables before the last base or import in force again, and keeps those of now as the ones before. The
 * learner notices and begins anew; reports since then are learned again.
 * @returns when the tables were those of the cluster's position
 * @throws Error for the operator, also when the learner wrote at the same moment
 */
export function rollBack(address: ClusterAddress): Promise<{ position: number }> {
  return inCluster(address, async (_connection, stores, { manifest, revision }) => {
    const { previous } = manifest;
    if (previous === undefined) throw new Error('The cluster has no tables before these; nothing was changed.');
    const next = { ...manifest, ...previous, previous: tablesOf(manifest), term: manifest.term + 1, learner: '' };
    try {
      await writeManifest(stores, { ...next, writtenMs: Date.now() }, revision);
    } catch (error) {
      if (!(error instanceof JetStreamApiError)) throw error;
      throw new Error('The learner published at the same moment; nothing was changed. Start this again.', {
        cause: error,
      });
    }
    return { position: previous.position };
  });
}

/** Looks whether there is a cluster that a node could join. @throws Error for the operator */
export function requireCluster(address: ClusterAddress): Promise<void> {
  return inCluster(address, async () => {});
}

/** Does something over a connection of its own. @throws Error for the operator, also when there is no cluster */
export async function inCluster<T>(
  address: ClusterAddress,
  work: (connection: ClusterConnection, stores: ClusterStores, read: ReadManifest) => Promise<T>,
): Promise<T> {
  const connection = await connectToCluster(address);
  try {
    const none = new Error('There is no cluster at these servers yet: start a node with --cluster.');
    if ((await lastOf(connection, REPORTS_STREAM)) === undefined) throw none;
    const stores = await openStores(connection);
    const read = await readManifest(stores);
    if (read === undefined) throw none;
    return await work(connection, stores, read);
  } catch (error) {
    throw error instanceof NotWritten ? error : asUnreachable(error);
  } finally {
    await connection.nats.close();
  }
}

function bytesOf({ files, deltas, shared = {} }: PublishedTables): number {
  const others = Object.values(shared).flatMap(group => Object.values(group.files));
  return [...Object.values(files), ...deltas, ...others].reduce((sum, { bytes }) => sum + bytes, 0);
}

/** How a node is. */
export function statusOf({
  parts,
  settings: { node, role },
  isLearner,
  health,
  standing,
  logs,
  joined,
}: {
  parts: NodeParts;
  settings: NodeSettings;
  isLearner: boolean;
  health: NodeHealth;
  standing: Standing;
  logs: { said: SaidLog };
  joined: { stores: ClusterStores } | undefined;
}): NodeStatus {
  const mark = parts.stations.knowledge.clusterMark;
  return {
    node,
    version: VERSION,
    role,
    isLearner,
    position: parts.observations.position,
    base: mark?.base,
    applied: mark?.applied ?? 0,
    ...health,
    isAhead: standing.isAhead,
    log: logs.said,
    lost: [...(joined?.stores.objects.lost ?? [])].slice(0, LOST_MAX),
    saidMs: Date.now(),
  };
}

/** Shows how a node is to the other threads. */
export function showFigures({
  parts: { figures, observations, stations },
  read,
  standing,
  isLearner,
  aloneMs,
  commons,
}: {
  parts: NodeParts;
  commons: { accounts: { isAttached: boolean } };
  read: ReadManifest | undefined;
  standing: Standing;
  isLearner: boolean;
  aloneMs: number;
}): void {
  const nowMs = Date.now();
  figures[FIGURE.clockAheadMs] = nowMs - (standing.clock.nowMs ?? nowMs);
  figures[FIGURE.isNode] = 1;
  figures[FIGURE.lacksKeys] = Number(!commons.accounts.isAttached || isCutOff(aloneMs));
  figures[FIGURE.aloneSeconds] = aloneMs / 1000;
  figures[FIGURE.isLearner] = Number(isLearner);
  figures[FIGURE.position] = observations.position ?? 0;
  figures[FIGURE.behind] =
    read === undefined ? 0 : deltasAfter(read.manifest, stations.knowledge.clusterMark?.applied ?? 0).length;
}
