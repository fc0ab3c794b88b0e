// Changes of the station tables by the learner that do not come from reports.

import type { Joined } from './joined.ts';
import type { Manifest, ReadManifest } from './manifest.ts';

/** The learner. */
interface ChangingNode {
  readonly joined: Joined | undefined;
  read: ReadManifest | undefined;
  alone<T>(work: () => Promise<T>): Promise<T>;
  requireLearner(): void;
  stepDown(): Promise<void>;
}

/**
 * Runs work in the turn of the node, and brings it into force on all nodes.
 * @param as what it changes: rows, or the tables are new, maybe because something was forgotten
 * @param others stores the tables that come into force with them
 * @throws Error when another node learns, or the work fails, or it has not come into force
 */
export function changeStations<T>(
  node: ChangingNode,
  work: () => Promise<T>,
  as: 'rows' | 'tables' | 'forgotten',
  others?: () => Promise<Manifest['shared']>,
): Promise<T> {
  return node.alone(async () => {
    node.requireLearner();
    if (node.joined === undefined || node.read === undefined) throw new Error('This node has not joined its cluster.');
    const { publisher } = node.joined;
    if (as === 'rows') {
      const result = await work();
      node.read = await publisher.publishDelta(node.read);
      return result;
    }
    const result = await publisher.ahead(work, as === 'forgotten');
    try {
      node.read = await publisher.publishBase(node.read, as === 'forgotten', await others?.());
      return result;
    } catch (error) {
      // The next learner does not have it either.
      await node.stepDown();
      throw new Error(`Nothing of it is in force, because it was not published: ${(error as Error).message}`, {
        cause: error,
      });
    }
  });
}
