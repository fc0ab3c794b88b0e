// One process owns a data folder. The lock is one of the operating system, on an open file (`owner.lock`). It ends with
// the process, however that ends, so a file left behind by a killed owner locks nothing. The file contains the owner's
// process id, only for messages.

import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, waitForLock } from 'fs-native-extensions';
import { notRegular, readRegularFile } from '../config/regular_file.ts';

/** Name of the lock file in the data folder. */
export const LOCK_FILE = 'owner.lock';
const FILE_BYTES_MAX = 4_096;

/** A lock, held until `release` or the end of this process. */
interface OwnerLock {
  release(): void;
}

/**
 * Takes the lock of an existing folder; `undefined` if another process has it. @throws Error when the file cannot be
 * opened
 */
export function tryOwnerLock(folder: string): OwnerLock | undefined {
  const fd = openLock(folder);
  if (tryLock(fd)) return locked(fd);
  closeSync(fd);
  return undefined;
}

/** True while a process owns a folder; false for one that is not there. @throws Error when its lock cannot be opened */
export function isOwned(folder: string): boolean {
  if (!existsSync(join(folder, LOCK_FILE))) return false;
  const lock = tryOwnerLock(folder);
  lock?.release();
  return lock === undefined;
}

/** Takes the lock of an existing folder once no other process has it. @throws Error when the file cannot be opened */
export async function waitForOwnerLock(folder: string): Promise<OwnerLock> {
  const fd = openLock(folder);
  await waitForLock(fd);
  return locked(fd);
}

function openLock(folder: string): number {
  const path = join(folder, LOCK_FILE);
  const fd = openSync(path, 'a+', 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error(`The lock ${path} cannot be used: ${notRegular().message}. Remove it while no service runs.`);
}

function locked(fd: number): OwnerLock {
  ftruncateSync(fd);
  writeSync(fd, `${process.pid}\n`);
  let held = true;
  return {
    release() {
      // A second close would hit another file that has the number by then.
      if (held) closeSync(fd);
      held = false;
    },
  };
}

/** The id of the process that took the lock last, for messages; `undefined` if it has not written it yet. */
export function readOwnerPid(folder: string): number | undefined {
  const pid = Number.parseInt(readRegularFile(join(folder, LOCK_FILE), FILE_BYTES_MAX).toString(), 10);
  return pid > 0 ? pid : undefined;
}
