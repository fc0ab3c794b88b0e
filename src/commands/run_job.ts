// What commands with a job have in common: read the configuration, get the job done by the owner of the folder or as
// the owner, show progress on standard error, and print the result on standard output.

import type { Command } from 'commander';
import { readFolderConfig } from '../config.ts';
import type { Job, RunJob } from '../jobs/job.ts';
import { submitJob } from '../jobs/submit_job.ts';
import { ProgressBar } from './progress.ts';
import { escapeLines } from './terminal/escape.ts';

/**
 * Runs one job to its end.
 * @param command holds the configuration
 * @param show turns the result into text; by default one JSON object
 * @throws Error whose message is for the operator
 */
export async function runCommandJob(
  command: Command,
  job: Job,
  show: (result: unknown) => string = asJson,
): Promise<void> {
  process.stdout.write(show(await askForJob(command, job)));
}

/** The same without printing the result. */
export async function askForJob(command: Command, job: Job): Promise<unknown> {
  const config = readFolderConfig(command);
  // Loaded only if this process runs the job itself: the tables are not needed to hand it over.
  const run: RunJob = async (...call) => (await import('../writer/offline_job.ts')).runOfflineJob(...call);
  const bar = new ProgressBar(process.stderr);
  return submitJob(config, job, run, { onProgress: progress => bar.show(progress), stdin: process.stdin }).finally(() =>
    bar.end(),
  );
}

/**
 * One JSON object, on one line unless the output is a terminal. What clients sent may be in it, so it holds no marks
 * that a terminal would obey.
 */
export function asJson(result: unknown): string {
  return `${escapeLines(JSON.stringify(result, null, process.stdout.isTTY ? 2 : 0))}\n`;
}
