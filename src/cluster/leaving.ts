// What a node does before it leaves its cluster for good: it gets all that the cluster has, and gives back what it
// holds.

import { isCutOff } from './health.ts';
import type { Joined } from './joined.ts';
import { nodeKeys, REPORTS_STREAM } from './stores.ts';

/** The node that leaves. */
interface LeavingNode {
  joined: Joined | undefined;
  aloneMs: number;
  alone<T>(work: () => Promise<T>): Promise<T>;
  round(): Promise<void>;
}

/** @returns how many nodes go on @throws Error when the servers do not answer; then nothing has changed */
export async function prepareLeaving(node: LeavingNode, giveBack: () => Promise<void>): Promise<number> {
  if (node.joined === undefined || isCutOff(node.aloneMs))
    throw new Error('This node does not reach its cluster, which it cannot leave now. Nothing was changed.');
  const { connection, follower } = node.joined;
  const { state } = await connection.manager.streams.info(REPORTS_STREAM);
  await follower.logReaches(state.last_seq);
  await node.alone(() => node.round());
  const nodes = (await nodeKeys(connection)).length;
  await giveBack();
  return Math.max(0, nodes - 1);
}
