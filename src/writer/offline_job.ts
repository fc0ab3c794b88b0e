// Runs a job while no service runs: the command, which owns the data folder, opens the tables, runs its job and closes
// them.

import type { JobContext, RunJob } from '../jobs/job.ts';
import { runTableJob } from '../jobs/table_jobs.ts';
import { Owner } from './owner.ts';

/** The log keeps everything; only the service drops requests by size. */
const LOG_MEGABYTES = 1_048_576;

/** Executes one job in a folder that this process owns. @throws Error whose message is for the operator */
export const runOfflineJob: RunJob = async (job, context: JobContext) => {
  // The gazetteer is not part of the folder, which may not even exist.
  if (job.verb === 'import' && job.kind === 'places') return runTableJob('places', job, context);
  const options = {
    folder: context.folder,
    sync: context.sync,
    logMegabytes: LOG_MEGABYTES,
    keepObservations: 'forever' as const,
    onError: (error: Error) => {
      throw error;
    },
    runTableJob,
  };
  const owner = await Owner.open(options);
  try {
    // Either may number the log anew. What was paid for right before a kill is learned by its present numbers first, so
    // that it is not paid for again.
    if (job.verb === 'forget' || job.verb === 'sources') await owner.run({ verb: 'aggregate', action: 'all' }, context);
    const result = await owner.run(job, context);
    // The service aggregates by itself; here nobody would until it starts.
    if (job.verb === 'import' && job.kind === 'observations')
      await owner.run({ verb: 'aggregate', action: 'all' }, context);
    if (job.verb === 'buildings' || (job.verb === 'import' && job.kind === 'buildings'))
      await owner.run({ verb: 'fingerprints', action: 'learn' }, context);
    return result;
  } finally {
    await owner.close();
  }
};
