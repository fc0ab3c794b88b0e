// What commands with a job have in common: read the configuration, get the job done by the owner of the folder, as the
// owner, or at the servers of a cluster, show progress on standard error, and print the result on standard output.

import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { ClusterAddress } from '../cluster/connection.ts';
import { readClusterConfig, readFolderConfig } from '../config.ts';
import { isOwned } from '../folder/owner_lock.ts';
import type { Job, RemoteJob, RunJob } from '../jobs/job.ts';
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
  show: (result: unknown) => string | Promise<string> = asJson,
): Promise<void> {
  process.stdout.write(await show(await askForJob(command, job)));
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
 * Runs one job to its end, at the servers of a cluster if the command names them. A variable or a file names them also
 * where a node runs, which then does it.
 * @param command holds the configuration, with that of a cluster
 * @throws Error whose message is for the operator
 */
export async function runSharedJob(
  command: Command,
  job: RemoteJob,
  show: (result: unknown) => string | Promise<string> = asJson,
): Promise<void> {
  process.stdout.write(await show(await askForSharedJob(command, job)));
}

/** The same without printing the result. */
export async function askForSharedJob(command: Command, job: RemoteJob): Promise<unknown> {
  const address = clusterAddress(command);
  const isTyped = command.getOptionValueSource('cluster') === 'cli';
  if (address === undefined || (!isTyped && isOwned(readFolderConfig(command).dataFolder)))
    return askForJob(command, job);
  const { runRemoteJob } = await import('../writer/remote_job.ts');
  const bar = new ProgressBar(process.stderr);
  return runRemoteJob(address, job, { onProgress: progress => bar.show(progress) }).finally(() => bar.end());
}

/** Where the cluster of a command is, and how its servers call this machine; undefined if nothing says so. */
export function clusterAddress(command: Command): ClusterAddress | undefined {
  const { cluster, clusterCredentialsFile, clusterCaFile } = readClusterConfig(command);
  if (cluster === undefined) return undefined;
  return { servers: cluster, credentialsFile: clusterCredentialsFile, caFile: clusterCaFile, name: hostname() };
}

/**
 * One JSON object, on one line unless the output is a terminal. What clients sent may be in it, so it holds no marks
 * that a terminal would obey.
 */
export function asJson(result: unknown): string {
  return `${escapeLines(JSON.stringify(result, null, process.stdout.isTTY ? 2 : 0))}\n`;
}
