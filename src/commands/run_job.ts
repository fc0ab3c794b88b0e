// What every command but `serve` does: read the configuration, get its job done by the folder's owner or as the owner, show the progress on standard error
// and print the result on standard output.

import type { Command } from 'commander';
import { readFolderConfig } from '../config.ts';
import type { Job, RunJob } from '../jobs/job.ts';
import { submitJob } from '../jobs/submit_job.ts';
import { ProgressBar } from './progress.ts';

/**
 * Runs one job to its end.
 * @param command as it was read, for the configuration
 * @param show text to print of the result; by default all of it as one JSON object
 * @throws Error whose message is for the operator
 */
export async function runCommandJob(command: Command, job: Job, show: (result: unknown) => string = asJson): Promise<void> {
  const config = readFolderConfig(command);
  // Loaded only where this process runs the job: the tables are not needed to hand one over.
  const run: RunJob = async (...call) => (await import('../writer/offline_job.ts')).runOfflineJob(...call);
  const bar = new ProgressBar(process.stderr);
  const result = await submitJob(config, job, run, { onProgress: progress => bar.show(progress), stdin: process.stdin }).finally(() =>
    bar.end(),
  );
  process.stdout.write(show(result));
}

/** One JSON object, on one line unless a person reads it. */
export function asJson(result: unknown): string {
  return `${JSON.stringify(result, null, process.stdout.isTTY ? 2 : 0)}\n`;
}
