// How a command gets its job done. If nobody owns the data folder, it takes the lock and runs the job itself. Otherwise
// it sends the job to the owner over the folder's socket and passes on the answers.

import { createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { folderInUse, spoolFolder, takeFolder } from '../folder/data_folder.ts';
import { ReplacementRefused, STDIN } from '../tables/sources/source_name.ts';
import type { Job, Progress, RunJob } from './job.ts';
import { findSocketAddress, lineOf, onLines, PROTOCOL } from './socket_messages.ts';

const REPLY_CHARACTERS_MAX = 268_435_456; // a list of a million keys

/** The command's side of a job. */
export interface JobCaller {
  onProgress(progress: Progress): void;
  /** Read when a file is named `-`. */
  stdin: Readable;
}

/**
 * Gets a job done and resolves with its result.
 * @param run executes the job in this process, when it can own the folder
 * @throws ReplacementRefused when the job would be done with `replace`; Error when it fails, the folder cannot be used,
 *   or the owner cannot be asked
 */
export async function submitJob(
  config: Pick<Config, 'dataFolder' | 'sync'>,
  job: Job,
  run: RunJob,
  caller: JobCaller,
): Promise<unknown> {
  // The gazetteer belongs to the program, not to a folder. Only a running service must hear about it.
  if (isGazetteer(job) && !existsSync(config.dataFolder))
    return run(job, { folder: config.dataFolder, sync: config.sync, onProgress: caller.onProgress });
  const folder = takeFolder(config.dataFolder, makesFolder(job));
  if (folder === undefined) return handOver(config.dataFolder, job, caller);
  try {
    return await run(job, {
      folder: folder.path,
      sync: config.sync,
      onProgress: progress => caller.onProgress(progress),
    });
  } finally {
    folder.release();
  }
}

/** Only jobs that add data create a folder: a wrong --data must not leave one behind. */
function makesFolder(job: Job): boolean {
  return job.verb === 'import' || (job.verb === 'keys' && job.action === 'create');
}

function isGazetteer(job: Job): boolean {
  return job.verb === 'import' && job.kind === 'places';
}

async function handOver(folder: string, job: Job, caller: JobCaller): Promise<unknown> {
  if (job.verb !== 'import' || !job.files.includes(STDIN)) return askOwner(folder, job, caller.onProgress);
  // The owner cannot read our standard input, only a file in the folder. If it listens, the copy is not wasted.
  (await connectToOwner(folder)).destroy();
  const spooled = join(spoolFolder(folder), `${process.pid}-${Date.now()}`);
  try {
    await pipeline(caller.stdin, createWriteStream(spooled, { flags: 'wx', mode: 0o600 }));
    const files = job.files.map(file => (file === STDIN ? spooled : file));
    return await askOwner(folder, { ...job, files }, caller.onProgress);
  } finally {
    await rm(spooled, { force: true });
  }
}

/**
 * Has the owner of a data folder do a job that reads no standard input.
 * @param cancelled asks an import to end early
 * @param isPassed it comes from another node of the cluster
 * @throws Error when the job fails or the owner cannot be asked
 */
export async function askOwner(
  folder: string,
  job: Job,
  onProgress: JobCaller['onProgress'],
  cancelled?: AbortSignal,
  isPassed = false,
): Promise<unknown> {
  const socket = await connectToOwner(folder);
  const answer = ask(socket, { job, ...(isPassed && { isPassed }) }, { onProgress });
  const cancel = (): boolean => socket.writable && socket.write(lineOf({ cancel: true }));
  if (cancelled?.aborted) cancel();
  cancelled?.addEventListener('abort', cancel);
  return answer.finally(() => cancelled?.removeEventListener('abort', cancel));
}

function connectToOwner(folder: string): Promise<Socket> {
  const address = findSocketAddress(folder);
  const refusal =
    `${folderInUse(folder).message.slice(0, -1)}, which takes no jobs: it is starting, stopping, or a command ` +
    `itself; try again when it is done.`;
  if (address === undefined) return Promise.reject(new Error(refusal));
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const refuse = (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
          ? new Error(refusal)
          : new Error(`The owner of the data folder cannot be asked: ${error.message}.`),
      );
    };
    socket.once('error', refuse);
    socket.once('connect', () => {
      socket.off('error', refuse);
      resolve(socket);
    });
  });
}

function ask(
  socket: Socket,
  message: { job: Job; isPassed?: true },
  caller: Pick<JobCaller, 'onProgress'>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    onLines(socket, REPLY_CHARACTERS_MAX, message => {
      if (typeof message.progress === 'object') caller.onProgress(message.progress as Progress);
      else if (typeof message.error === 'string')
        reject(message.mayReplace ? new ReplacementRefused(message.error) : new Error(message.error));
      else if ('result' in message) resolve(message.result);
    });
    socket.once('error', error =>
      reject(new Error(`The connection to the owner of the data folder broke: ${error.message}.`)),
    );
    // After a reply this changes nothing.
    socket.once('close', () =>
      reject(new Error('The owner of the data folder ended before the job did; start the job again.')),
    );
    socket.write(lineOf({ protocol: PROTOCOL, ...message }));
  });
}
