// What the learner hears of the others now and then, and what it mends then: objects that the manifest names and that
// are gone or damaged. The tables of the learner are what they held, so it publishes them anew.

import type { ClusterConnection } from './connection.ts';
import type { LogCheck } from './log_check.ts';
import { hashesOf, type ReadManifest, SHARED_GROUPS } from './manifest.ts';
import { isWhole, type Objects } from './objects.ts';
import type { Publisher } from './publisher.ts';
import type { SharedGroups } from './shared_groups.ts';
import { readNodes } from './status.ts';
import type { ClusterStores } from './stores.ts';

/** Between two looks at what the others say. */
const HEAR_MILLISECONDS = 10_000;

/** What is open while the servers answer. */
interface Open {
  connection: ClusterConnection;
  stores: ClusterStores;
  publisher: Publisher;
}

/** See above. */
export class Mending {
  private readonly logs: LogCheck;
  private readonly shared: SharedGroups;
  private hearAtMs = 0;

  constructor(logs: LogCheck, shared: SharedGroups) {
    this.logs = logs;
    this.shared = shared;
  }

  /**
   * Hears what the others say, if it is time, and mends what they do not find, in the turn of the node.
   * @returns the manifest that is in force now @throws Error where this node has to take over the manifest's tables, or
   *   something could not be mended
   */
  async hear({ connection, stores, publisher }: Open, read: ReadManifest): Promise<ReadManifest> {
    if (performance.now() < this.hearAtMs) return read;
    this.hearAtMs = performance.now() + HEAR_MILLISECONDS;
    const { objects } = stores;
    const nodes = await readNodes(connection, stores);
    await this.logs.requireAll(read.manifest, nodes);
    const lost = await lostOf(
      objects,
      read,
      nodes.flatMap(({ lost = [] }) => lost),
    );
    if (lost.size === 0) return read;
    for (const hash of lost) await objects.forget(hash);
    for (const group of SHARED_GROUPS)
      for (const { hash } of Object.values(read.manifest.shared?.[group]?.files ?? {}))
        if (lost.delete(hash)) this.shared.storeAnew(group);
    return lost.size === 0 ? read : publisher.republish(read);
  }
}

/** Which objects the manifest needs and the store does not have, if it lacks one of some. @throws Error of NATS */
async function lostOf(objects: Objects, { manifest }: ReadManifest, hashes: readonly string[]): Promise<Set<string>> {
  const lost = new Set<string>();
  const named = new Set([...hashes, ...objects.lost]);
  if (named.size === 0) return lost;
  const needed = hashesOf(manifest);
  for (const hash of named) if (needed.has(hash) && !(await isWhole(objects, hash))) lost.add(hash);
  if (lost.size === 0) return lost;
  const listed = new Set((await objects.list()).map(({ name }) => name));
  return new Set([...lost, ...[...needed].filter(hash => !listed.has(hash))]);
}
