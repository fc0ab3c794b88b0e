// Files that a command, or the setting `--import`, names by their addresses in the web. They are fetched into the data
// folder, and go once the job that they are for is done:
//
//   downloads/HASH/   of one address, with a lock while a process fetches into it (transfer/web/download.ts)
//
// What a command has fetched stays when its job fails, for the next try. If nobody tries again within a week, it goes.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { readFolderConfig } from '../config.ts';
import { takeFolder } from '../folder/data_folder.ts';
import { tryOwnerLock } from '../folder/owner_lock.ts';
import { isAddress } from '../transfer/web/ask.ts';
import { download } from '../transfer/web/download.ts';
import { ProgressBar } from './progress.ts';

const DOWNLOADS = 'downloads';
const MEGABYTE = 1_000_000;
const HASH_CHARACTERS = 16;
const WEEK_MS = 7 * 86_400_000;

/** Does something with files, after those that are addresses were fetched. If it fails, what was fetched stays. */
export async function withFetched(
  command: Command,
  files: readonly string[],
  work: (paths: string[]) => Promise<void>,
): Promise<void> {
  if (!files.some(isAddress)) return work([...files]);
  const { dataFolder } = readFolderConfig(command);
  const folders: FetchFolder[] = [];
  const paths: string[] = [];
  try {
    for (const file of files) {
      if (isAddress(file) && !files.slice(0, paths.length).includes(file)) {
        const folder = openFetchFolder(dataFolder, file, true);
        folders.push(folder);
        paths.push(await fetchShown(file, folder.path));
      } else paths.push(isAddress(file) ? paths[files.indexOf(file)] : file);
    }
    await work(paths);
    for (const folder of folders) folder.remove();
  } finally {
    for (const folder of folders) folder.release();
  }
}

/** A folder into which this process alone fetches. */
interface FetchFolder {
  path: string;
  /** Lets others fetch into it; may be called twice. */
  release(): void;
  remove(): void;
}

/**
 * Opens the folder of an address.
 * @param makes also makes the data folder
 * @throws Error when another process fetches into it
 */
export function openFetchFolder(dataFolder: string, address: string, makes: boolean): FetchFolder {
  // What a command of root puts into it must belong to its user.
  takeFolder(dataFolder, makes)?.release();
  removeOldDownloads(dataFolder, Date.now());
  return lockFetchFolder(dataFolder, address);
}

/** The same for the owner of the data folder. @throws Error when another process fetches into it */
export function lockFetchFolder(dataFolder: string, address: string): FetchFolder {
  const name = createHash('sha256').update(address).digest('hex').slice(0, HASH_CHARACTERS);
  const path = join(dataFolder, DOWNLOADS, name);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = tryOwnerLock(path);
  if (lock === undefined) throw new Error(`Another process is fetching ${address} into ${dataFolder}.`);
  return {
    path,
    release: () => lock.release(),
    remove() {
      lock.release();
      rmSync(path, { recursive: true, force: true });
      removeEmpty(dirname(path));
    },
  };
}

/** Removes what nobody has begun to fetch, or gone on with, for a week. */
export function removeOldDownloads(dataFolder: string, nowMs: number): void {
  const all = join(dataFolder, DOWNLOADS);
  if (!existsSync(all)) return;
  for (const name of readdirSync(all)) {
    const path = join(all, name);
    const begunMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    const lock = nowMs - begunMs < WEEK_MS ? undefined : tryOwnerLock(path);
    if (lock !== undefined) rmSync(path, { recursive: true, force: true });
    lock?.release();
  }
  removeEmpty(all);
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // Another command has one of its own there.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
  }
}

/** Fetches a file with a bar. @returns its path */
async function fetchShown(url: string, folder: string): Promise<string> {
  const bar = new ProgressBar(process.stderr);
  const began = performance.now();
  let first: number | undefined;
  const onProgress = (bytesDone: number, bytesTotal: number): void => {
    first ??= bytesDone;
    const share = (bytesDone - first) / (bytesTotal - first);
    bar.show({
      ...{ phase: 'downloading', rows: Math.floor(bytesDone / MEGABYTE), bytesDone, bytesTotal },
      ...(share > 0 && { secondsLeft: ((performance.now() - began) / 1_000) * (1 / share - 1) }),
    });
  };
  try {
    return await download({ url, folder, onProgress });
  } finally {
    bar.end();
  }
}
