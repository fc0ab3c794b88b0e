// Makes a data folder from a backup. `FORMAT` comes last, as in a new folder, so one that was broken off is no data
// folder, and may be restored into again: the file `RESTORING` says that everything in it came from here.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { syncFolder } from '../tables/environment/generation_folder.ts';
import { flushFile, readBackup } from './backup_folder.ts';
import { FORMAT_FILE, folderInUse } from './data_folder.ts';
import { giveToOwner } from './folder_access.ts';
import { LOCK_FILE, tryOwnerLock } from './owner_lock.ts';

const MARK_FILE = 'RESTORING';
/** What an empty folder may hold: a lock that was left, and what a new file system puts into its root. */
const EMPTY = [LOCK_FILE, 'lost+found'];

/** What was restored. */
interface Restored {
  bytes: number;
  /** When the backup was made, ISO 8601, UTC. */
  createdAt: string;
  /** Gives the folder free for a service. */
  release(): void;
}

/**
 * Copies a backup into a folder that is new or empty, and owns it.
 * @param backup absolute path
 * @param folder absolute path
 * @throws Error when the backup is not complete or the folder holds anything
 */
export async function restoreBackup(
  backup: string,
  folder: string,
  onProgress: (done: number, total: number) => void,
): Promise<Restored> {
  const { files, createdAt } = readBackup(backup);
  const names = Object.keys(files);
  const outside = names.find(name => name.startsWith('..') || normalize(name) !== name);
  if (outside !== undefined)
    throw new Error(`The backup ${backup} is damaged: it lists ${outside}, which is no file of it.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = tryOwnerLock(folder);
  if (lock === undefined) throw folderInUse(folder);
  try {
    empty(folder);
    if (statSync(folder).uid === process.getuid?.()) chmodSync(folder, 0o700);
    writeFileSync(join(folder, MARK_FILE), '');
    const total = Object.values(files).reduce((sum, { bytes }) => sum + bytes, 0);
    let done = 0;
    for (const name of names) {
      await copyOne(join(backup, name), join(folder, name));
      done += files[name].bytes;
      onProgress(done, total);
    }
    for (const name of names) syncFolder(dirname(join(folder, name)));
    await copyOne(join(backup, FORMAT_FILE), join(folder, FORMAT_FILE));
    rmSync(join(folder, MARK_FILE));
    giveToOwner(folder);
    syncFolder(folder);
    return { bytes: total, createdAt, release: () => lock.release() };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Removes what an earlier restore has left. @throws Error when the folder holds anything else */
function empty(folder: string): void {
  const names = readdirSync(folder).filter(name => !EMPTY.includes(name));
  const isLeft = names.includes(MARK_FILE) && !existsSync(join(folder, FORMAT_FILE));
  if (names.length > 0 && !isLeft)
    throw new Error(
      `${folder} is not empty: it holds "${names[0]}". Restore into a new or an empty folder, named by --data.`,
    );
  for (const name of names) rmSync(join(folder, name), { recursive: true });
}

/** Copies a file, readable only by its user, and waits until it is on disk. */
async function copyOne(from: string, to: string): Promise<void> {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  await copyFile(from, to);
  chmodSync(to, 0o600);
  await flushFile(to);
}
