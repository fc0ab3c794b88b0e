// What every command but `serve` does: read the configuration, get its job done by the folder's owner or as the owner, show the progress on standard error
// and print the result on standard output as one JSON object.

import type { Command } from 'commander';
import { describeFlags, readConfig } from '../config.ts';
import type { Job, RunJob } from '../writer/job.ts';
import { submitJob } from '../writer/job_client.ts';

/** Declares the configuration's flags that this kind of verb takes. */
export function withConfigFlags(command: Command, verb: 'serve' | 'other'): Command {
  for (const { flags, help } of describeFlags(verb)) command.option(flags, help);
  return command;
}

/**
 * Runs one job to its end.
 * @param flags of the command, for the configuration
 * @param show what to print of the result; by default all of it
 * @throws Error with one sentence
 */
export async function runCommandJob(
  flags: Record<string, unknown>,
  job: Job,
  show: (result: unknown) => unknown = result => result,
): Promise<void> {
  const config = readConfig(flags);
  // Loaded only where this process runs the job: the tables are not needed to hand one over.
  const run: RunJob = async (...call) => (await import('../writer/jobs.ts')).runJob(...call);
  const result = await submitJob(config, job, run, { onProgress: () => {}, stdin: process.stdin });
  process.stdout.write(`${JSON.stringify(show(result), null, process.stdout.isTTY ? 2 : 0)}\n`);
}
