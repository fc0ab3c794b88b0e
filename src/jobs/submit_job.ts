// How a command gets its job done. If nobody owns the data folder, it takes the lock and runs the job itself. Otherwise
// it sends the job to the owner over the folder's socket and passes on the answers.
//
// The owner opens files by their paths. What it cannot open lies in the folder meanwhile: standard input, and the files
// of root where the service is another user's, which may read less, and by its unit sees neither homes nor /tmp.

import { createReadStream, createWriteStream, existsSync, statSync } from 'node:fs';
import { chown, mkdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config.ts';
import { folderInUse, spoolFolder, takeFolder } from '../folder/data_folder.ts';
import { requireRoom } from '../tables/environment/commit.ts';
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
  if (job.verb !== 'import') return askOwner(folder, job, caller.onProgress);
  const { uid, gid } = statSync(folder);
  const isOfOther = uid !== 0 && process.geteuid?.() === 0;
  const mustCopy = (file: string): boolean =>
    file === STDIN || (isOfOther && statSync(file, { throwIfNoEntry: false })?.isFile() === true);
  if (!job.files.some(mustCopy)) return askOwner(folder, job, caller.onProgress);
  // If the owner listens, the copies are not wasted.
  (await connectToOwner(folder)).destroy();
  const spool = spoolFolder(folder);
  const spooled = join(spool, `${process.pid}-${Date.now()}`);
  const copies = new Map<string, string>();
  const give = async (path: string): Promise<void> => (isOfOther ? chown(path, uid, gid) : undefined);
  const make = async (path: string): Promise<void> => {
    await mkdir(path, { mode: 0o700 });
    await give(path);
  };
  try {
    await give(spool);
    await make(spooled);
    for (const [i, file] of job.files.entries()) {
      if (!mustCopy(file) || copies.has(file)) continue;
      await make(join(spooled, `${i}`));
      // A source is named after its file.
      const copy = join(spooled, `${i}`, basename(file));
      copies.set(file, copy);
      await copyFile(folder, file, copy, caller.stdin);
      await give(copy);
    }
    const files = job.files.map(file => copies.get(file) ?? file);
    return await askOwner(folder, { ...job, files }, caller.onProgress);
  } catch (error) {
    throw withNames(error as Error, copies);
  } finally {
    await rm(spooled, { recursive: true, force: true });
  }
}

/** @throws Error when the disk of the folder has no room for it */
async function copyFile(folder: string, file: string, copy: string, stdin: Readable): Promise<void> {
  if (file !== STDIN) requireRoom(folder, statSync(file).size, `A copy of ${file} for the service`);
  const source = file === STDIN ? stdin : createReadStream(file);
  await pipeline(source, createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
}

/** An error that names files as the caller did. */
function withNames(error: Error, copies: ReadonlyMap<string, string>): Error {
  for (const [file, copy] of copies)
    error.message = error.message.replaceAll(copy, file === STDIN ? 'standard input' : file);
  return error;
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
