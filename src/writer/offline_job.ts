// Runs a job while no service runs: the command, which owns the data folder, opens the tables, runs its job and closes
// them.

import type { NodeParts, NodeSettings } from '../cluster/node_parts.ts';
import { featureTables, LEARNED_GROUPS } from '../features.ts';
import type { Job, JobContext, RunJob } from '../jobs/job.ts';
import { runTableJob } from '../jobs/table_jobs.ts';
import { STDIN } from '../tables/sources/source_name.ts';
import { importInThread } from './import_in_thread.ts';
import { Owner } from './owner.ts';
import type { OwnerOptions } from './owner_options.ts';
import { createSharedState } from './shared_memory.ts';

/** The log keeps everything; only the service drops requests by size. */
const LOG_MEGABYTES = 1_048_576;

/** Nobody stops an import but by ending the process. */
const inThread = importInThread(new Set());

/** Executes one job in a folder that this process owns. @throws Error whose message is for the operator */
export const runOfflineJob: RunJob = async (job, context: JobContext) => {
  // The gazetteer is not part of the folder, which may not even exist.
  if (job.verb === 'import' && job.kind === 'places') return runTableJob('places', job, context);
  const owner = await Owner.open(optionsOf(context));
  try {
    // Either may number the log anew. What was paid for right before a kill is learned by its present numbers first, so
    // that it is not paid for again.
    if (job.verb === 'forget' || job.verb === 'sources') await owner.run({ verb: 'aggregate', action: 'all' }, context);
    const result = await owner.run(job, context);
    // The service aggregates by itself; here nobody would until it starts.
    if (job.verb === 'import' && job.kind === 'observations')
      await owner.run({ verb: 'aggregate', action: 'all' }, context);
    const ofFeature = featureTables(job.verb === 'import' ? job.kind : job.verb);
    if (ofFeature !== undefined && !ofFeature.isLearned)
      for (const verb of LEARNED_GROUPS) await owner.run({ verb, action: 'learn' }, context);
    return result;
  } finally {
    await owner.close();
  }
};

/**
 * Makes a folder one of a cluster, with the tables of that, before a service starts in it.
 * @throws Error for the operator
 */
export async function joinOffline(context: JobContext, settings: NodeSettings): Promise<void> {
  const [{ ClusterNode }, { requireCluster }] = await Promise.all([
    import('../cluster/node.ts'),
    import('../cluster/status.ts'),
  ]);
  await requireCluster({ ...settings, name: settings.node });
  const { promise: failed, reject: onError } = Promise.withResolvers<never>();
  const joinCluster = (parts: NodeParts) => ClusterNode.start(parts, settings);
  const owner = await Owner.open({ ...optionsOf(context), onError, joinCluster }, createSharedState(1, 0));
  try {
    await Promise.race([owner.takeOver(context), failed]);
  } finally {
    await owner.close();
  }
}

function optionsOf({ folder, sync }: JobContext): OwnerOptions {
  return {
    folder,
    sync,
    logMegabytes: LOG_MEGABYTES,
    keepObservations: 'forever',
    onError: error => {
      throw error;
    },
    runTableJob: (group, job, ...call) =>
      (group === 'places' && !readsStdin(job) ? inThread : runTableJob)(group, job, ...call),
  };
}

/** A thread has no standard input. */
function readsStdin(job: Job): boolean {
  return job.verb === 'import' && 'files' in job && job.files.includes(STDIN);
}
