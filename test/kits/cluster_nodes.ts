// Nodes of a cluster in the process of a test: whole data folders with their owners, without HTTP.

import { join } from 'node:path';
import { ClusterNode } from '../../src/cluster/node.ts';
import type { NodeParts, NodeSettings } from '../../src/cluster/node_parts.ts';
import type { Job } from '../../src/jobs/job.ts';
import { runTableJob } from '../../src/jobs/table_jobs.ts';
import { Owner } from '../../src/writer/owner.ts';
import { createSharedState } from '../../src/writer/shared_memory.ts';

/** A node. */
export class NodeInProcess {
  readonly folder: string;
  readonly owner: Owner;
  readonly node: ClusterNode;
  /** What it has told the operator. */
  readonly errors: string[];

  private constructor(folder: string, owner: Owner, node: ClusterNode, errors: string[]) {
    this.folder = folder;
    this.owner = owner;
    this.node = node;
    this.errors = errors;
  }

  /** Starts one in a new folder, or in that which it had. @param name also of its folder */
  static async start(
    base: string,
    name: string,
    url: string,
    role: NodeSettings['role'] = 'all',
  ): Promise<NodeInProcess> {
    const folder = join(base, name);
    const errors: string[] = [];
    const settings = { servers: [url], node: name, role, aloneSeconds: undefined, isNew: true };
    let node!: ClusterNode;
    const joinCluster = async (parts: NodeParts) => {
      node = await ClusterNode.start(parts, { ...settings, credentialsFile: undefined, caFile: undefined });
      return node;
    };
    const owner = await Owner.open(
      {
        folder,
        sync: 'commit',
        logMegabytes: 1,
        keepObservations: 'forever',
        onError: error => errors.push(error.message),
        runTableJob,
        joinCluster,
      },
      createSharedState(1, 0),
    );
    owner.startServing();
    return new NodeInProcess(folder, owner, node, errors);
  }

  /** The reports of its log. Nobody else of this process may open its tables. */
  get reports(): string[] {
    return this.node.parts.observations
      .read(1, 1_000_000)
      .map(({ sequence, receivedMs, report }) => `${sequence} ${receivedMs} ${report.observations.join()}`);
  }

  /** The rows of its stations. */
  get stations(): string[] {
    const { generation } = this.node.parts.stations.knowledge;
    generation.root.resetReadTxn();
    const rows = [...generation.stations.getRange()];
    return rows.map(({ key, value }) => `${key.toString('hex')} ${value.toString('hex')}`);
  }

  /** Runs a job, as a command does. */
  run(job: Job): Promise<unknown> {
    return this.owner.run(job, { folder: this.folder, sync: 'commit', onProgress: () => {} });
  }
}
