// What a node has open while it takes part in its cluster, and whether its folder may take part.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FEATURE_GROUPS } from '../features.ts';
import { placesFolder } from '../tables/places/generations.ts';
import type { RowChanges } from '../tables/stations/row_changes.ts';
import { asUnreachable, type ClusterConnection, connectToCluster } from './connection.ts';
import { Follower } from './follower.ts';
import { Lease } from './lease.ts';
import { type Manifest, watchManifest } from './manifest.ts';
import type { NodeParts, NodeSettings } from './node_parts.ts';
import { Publisher } from './publisher.ts';
import { ReportReader } from './reports.ts';
import type { Standing } from './standing.ts';
import { type ClusterStores, openStores } from './stores.ts';

/** What is open while the servers answered once. */
export interface Joined {
  connection: ClusterConnection;
  stores: ClusterStores;
  lease: Lease;
  reader: ReportReader;
  follower: Follower;
  publisher: Publisher;
  endWatch: () => void;
}

/** What happens in a node. */
interface NodeEvents {
  /** @throws Error when the node closes */
  checkStop(): void;
  /** Called for failures that are tried again. */
  onError(error: Error): void;
  /** Called when the manifest may have changed. */
  onManifest(): void;
  /** Called before anything is read. @throws Error when this node may not take part */
  onOpen(open: Pick<Joined, 'connection' | 'stores'>): Promise<void>;
}

/**
 * Connects. @param changes of the station tables @param standing of this
 * node @throws Unreachable; Error for the
 * operator
 */
export async function joinCluster(
  parts: NodeParts,
  settings: NodeSettings,
  changes: RowChanges,
  standing: Standing,
  { checkStop, onError, onManifest, onOpen }: NodeEvents,
): Promise<Joined> {
  const connection = await connectToCluster({ ...settings, name: settings.node });
  try {
    const stores = await openStores(connection);
    const reader = new ReportReader(connection, parts.observations, standing, parts.store, onError);
    const follower = new Follower(parts, stores, reader, checkStop);
    const publisher = new Publisher(parts, connection, stores, settings.node, changes);
    await onOpen({ connection, stores });
    const endWatch = await watchManifest(stores.keys, onManifest);
    const lease = new Lease(stores.lease, settings.node);
    return { connection, stores, lease, reader, follower, publisher, endWatch };
  } catch (error) {
    await connection.nats.close();
    throw asUnreachable(error);
  }
}

/** @throws Error when a folder holds tables that the cluster does not, and would lose them */
export function requireOwnTables(
  { folder, stations, observations }: NodeParts,
  { isNew }: NodeSettings,
  manifest: Manifest | undefined,
): void {
  const mark = stations.knowledge.clusterMark;
  if (manifest === undefined || mark?.cluster === manifest.cluster || isNew) return;
  const others = [placesFolder(folder), ...FEATURE_GROUPS.map(name => join(folder, name))];
  const isEmpty = stations.count() === 0 && observations.lastSequence === 0 && !others.some(path => existsSync(path));
  if (mark === undefined && isEmpty) return;
  // An import was killed: its tables have no mark yet, and the log has its position.
  if (mark === undefined && observations.position !== undefined) return;
  throw new Error(
    `The data folder ${folder} holds tables of its own${mark === undefined ? '' : ', of another cluster'}, which ` +
      `the tables of this cluster would replace. Join with a new folder, named by --data.`,
  );
}
