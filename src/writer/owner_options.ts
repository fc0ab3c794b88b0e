// What the owner of a data folder is told at its start: settings, and who runs imports for it.

import { hostname } from 'node:os';
import type { RewardTerms } from '../accounts/account_writer.ts';
import type { ClusterNode } from '../cluster/node.ts';
import type { NodeParts, NodeSettings } from '../cluster/node_parts.ts';
import type { Retention } from '../config/values.ts';
import type { Config, Durability } from '../config.ts';
import type { RunTableJob } from '../jobs/table_jobs.ts';
import type { AgingFiles } from '../metrics/ages.ts';
import type { LogKeeping } from '../tables/requests/request_log.ts';

/** Settings that can change while the owner runs. */
export interface OwnerLimits {
  logMegabytes: number;
  /** What the request log keeps; undefined = all. */
  logRequests?: LogKeeping | undefined;
  /** How long raw observations are kept while serving. */
  keepObservations: Retention;
  /** What prepaid contributors earn; undefined = as under the last service. */
  rewards?: RewardTerms | undefined;
}

/** The part of the configuration that can change while the owner runs. */
export function limitsOf({
  logMegabytes,
  logRequests,
  keepObservations,
  contributionCredits,
  maxContributionCredits,
}: Config): OwnerLimits {
  return {
    logMegabytes,
    logRequests,
    keepObservations,
    rewards: { credits: contributionCredits, mostADay: maxContributionCredits },
  };
}

/** The node of a cluster that a service is; undefined without `--cluster`. Its name is that of its machine and port. */
export function nodeOf(config: Config): Omit<NodeSettings, 'isNew'> | undefined {
  if (config.cluster === undefined) return undefined;
  return {
    servers: config.cluster,
    credentialsFile: config.clusterCredentialsFile,
    caFile: config.clusterCaFile,
    node: `${hostname()}:${config.port}`,
    role: config.role,
    aloneSeconds: config.clusterAloneSeconds,
  };
}

/** See `Owner`. */
export interface OwnerOptions extends OwnerLimits {
  /** Absolute path of the data folder, which this process owns. */
  folder: string;
  /** When a write counts as done. */
  sync: Durability;
  /** Of the service, for its status. */
  files?: AgingFiles;
  /** Reports are tested before they are learned; undefined = if they were before, or none was learned yet. */
  calibrates?: boolean | undefined;
  /** Called for failures that fail no request, such as those of the request log. */
  onError: (error: Error) => void;
  /** Called with a sentence about what the operator should look at; commands, which serve nobody, have none. */
  onWarning?: (message: string) => void;
  /** Starts the node of a cluster that this is, once the tables are open; undefined without one. */
  joinCluster?: ((parts: NodeParts) => Promise<ClusterNode>) | undefined;
  /** Runs imports and removals: while serving, and those of places always, in a thread of their own. */
  runTableJob: RunTableJob;
}
