// One process owns a data folder. The lock is one of the operating system, on an open file (`owner.lock`). It ends with the process, however that ends, so a
// file left behind by a killed owner locks nothing. The file contains the owner's process id, only for messages.

import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock, waitForLock } from 'fs-native-extensions';

/** Name of the lock file in the data folder. */
export const LOCK_FILE = 'owner.lock';

/** A lock, held until `release` or the end of this process. */
interface OwnerLock {
  release(): void;
}

/** Takes the lock of an existing folder; `undefined` if another process has it. @throws Error when the file cannot be opened */
export function tryOwnerLock(folder: string): OwnerLock | undefined {
  const fd = openSync(join(folder, LOCK_FILE), 'a+', 0o600);
  if (tryLock(fd)) return locked(fd);
  closeSync(fd);
  return undefined;
}

/** Takes the lock of an existing folder once no other process has it. @throws Error when the file cannot be opened */
export async function waitForOwnerLock(folder: string): Promise<OwnerLock> {
  const fd = openSync(join(folder, LOCK_FILE), 'a+', 0o600);
  await waitForLock(fd);
  return locked(fd);
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
  const pid = Number.parseInt(readFileSync(join(folder, LOCK_FILE), 'utf8'), 10);
  return pid > 0 ? pid : undefined;
}
