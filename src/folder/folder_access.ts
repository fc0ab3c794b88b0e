// Who may write to a data folder. Whoever may could put another secret, other keys or another lock into it, so nobody but its user may.

import { chmodSync, statSync } from 'node:fs';

/** Permissions of the group and of all others to write. */
const WRITE_OF_GROUP = 0o020;
const WRITE_OF_OTHERS = 0o002;
const PRIVATE = 0o700;

/**
 * Closes a folder to which other users may write. A folder that belongs to somebody else cannot be closed; where it is lent by a group of this user, as volumes of
 * Kubernetes are, it is used as it is.
 * @param path of the folder, which is there
 * @param warn takes a sentence when it was closed
 * @throws Error when others may write to it and it belongs to somebody else
 */
export function closeToOthers(path: string, warn: (message: string) => void): void {
  const { mode, uid, gid } = statSync(path);
  const user = process.geteuid?.();
  // Windows knows no such permissions.
  if (user === undefined || (mode & (WRITE_OF_GROUP | WRITE_OF_OTHERS)) === 0) return;
  if (uid === user) {
    chmodSync(path, PRIVATE);
    warn(`Other users of the machine could write to the data folder ${path}; now only its user may enter it.`);
  } else if ((mode & WRITE_OF_OTHERS) !== 0 || !process.getgroups!().includes(gid)) {
    throw new Error(
      `Other users of the machine may write to the data folder ${path}, which belongs to user ${uid}; have that user chmod 700 it, or name a new folder in it with --data.`,
    );
  }
}
