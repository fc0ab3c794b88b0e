// A cluster whose servers have lost what its nodes have goes on from one node. That takes what the servers have
// beside it, makes the streams anew in which the servers lag behind, and publishes its tables and its log under the
// next epoch: so all other nodes take them over, also those that read the streams as they were.

import type { Adopted } from '../jobs/job.ts';
import type { Commons } from './commons.ts';
import type { ClusterConnection } from './connection.ts';
import type { Joined } from './joined.ts';
import { type ReadManifest, readManifest } from './manifest.ts';
import type { NodeParts, NodeSettings } from './node_parts.ts';
import { batchOf } from './reports.ts';
import type { Standing } from './standing.ts';
import { readNodes } from './status.ts';
import { storedMessages } from './stored_messages.ts';
import { ACCOUNT_STREAMS, openStores, REPORTS_STREAM, REPORTS_SUBJECT } from './stores.ts';

/** The node that is to lead. */
interface LeadingNode {
  parts: NodeParts;
  settings: NodeSettings;
  commons: Commons;
  standing: Standing;
  joined: Joined | undefined;
  read: ReadManifest | undefined;
}

/**
 * Makes this node's tables, log, keys and secrets those of its cluster, in the turn of the node. After a failure it can
 * be done again. @throws Error for the operator
 */
export async function adopt(node: LeadingNode): Promise<Adopted> {
  const { parts, settings, commons, standing, joined } = node;
  if (joined === undefined) throw new Error('This node does not reach its cluster. Nothing was changed.');
  const { connection, stores, lease, reader, publisher } = joined;
  const mark = parts.stations.knowledge.clusterMark;
  const { position } = parts.observations;
  if (!standing.isAhead || mark === undefined || position === undefined)
    throw new Error('The servers of the cluster have all that this node has. Nothing was changed.');
  for (const other of await readNodes(connection, stores)) {
    if (other.isAhead && other.node !== settings.node && (other.position ?? 0) > position)
      throw new Error(
        `Node ${other.node} has batches of reports up to ${other.position}, and this one up to ${position}: run this ` +
          'there. Nothing was changed.',
      );
  }
  await lease.seize();
  await reader.stop();
  const batches = await takeRest(parts, connection);
  const read = await readManifest(stores);
  for (const name of [REPORTS_STREAM, ...ACCOUNT_STREAMS])
    if (await connection.manager.streams.info(name).catch(() => undefined))
      await connection.manager.streams.delete(name);
  await openStores(connection);
  await beginStream(parts, connection);
  commons.detach();
  commons.accounts.forgetStore();
  await commons.secrets.impose(stores.keys);
  const epoch = Math.max(mark.epoch, read?.manifest.log.epoch ?? 0) + 1;
  await standing.join({ connection, stores }, epoch);
  await commons.attach(connection, stores);
  const term = (read?.manifest.term ?? 0) + 1;
  const heir = { cluster: mark.cluster, term, epoch, revision: read?.revision ?? 0 };
  node.read = await publisher.found(heir);
  reader.start();
  await lease.end();
  return { position, batches };
}

/** Adds to the log what the stream has and it has not. @returns how many batches were read */
async function takeRest({ store }: NodeParts, { jetstream, manager }: ClusterConnection): Promise<number> {
  const { created } = await manager.streams.info(REPORTS_STREAM);
  let batches = 0;
  for await (const message of storedMessages(jetstream, REPORTS_STREAM, REPORTS_SUBJECT, 'The stream of reports')) {
    await store({ ...batchOf(message, created), streamed: undefined });
    batches++;
  }
  return batches;
}

/** Notes that the log has all before the first batch of the stream. */
export async function beginStream({ observations }: NodeParts, { manager }: ClusterConnection): Promise<void> {
  const { created, state } = await manager.streams.info(REPORTS_STREAM);
  await observations.setPosition(Math.max(0, state.first_seq - 1), created);
}

/** A folder that was copied from a node of a cluster begins another one. */
export async function beginAnew({ observations, stations }: NodeParts): Promise<void> {
  if (observations.position === undefined) return;
  await stations.note(knowledge => knowledge.setClusterMark(undefined));
  await observations.setPosition(undefined);
}
