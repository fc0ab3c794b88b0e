// Who may write to a data folder. Whoever may could put another secret, other keys or another lock into it, so nobody
// but its user may. Root may always; what it wrote, a service that runs as somebody else could not open again. So root
// goes on as the user to whom the folder belongs.

import { chmodSync, chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Permissions of the group and of all others to write. */
const WRITE_OF_GROUP = 0o020;
const WRITE_OF_OTHERS = 0o002;
const PRIVATE = 0o700;

/**
 * Closes a folder to which other users may write. A folder that belongs to somebody else cannot be closed; where it is
 * lent by a group of this user, as volumes of Kubernetes are, it is used as it is.
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
      `Other users of the machine may write to the data folder ${path}, which belongs to user ${uid}; have ` +
        `that user chmod 700 it, or name a new folder in it with --data.`,
    );
  }
}

/**
 * Has a process of root go on as the user who made a folder, for good. An empty folder belongs to whoever it was given
 * to.
 * @param path of the folder, which is there
 * @param mark a file in it, whose writer has made the folder; an empty folder has none
 * @param warn takes a sentence when it does
 * @throws Error when it may not
 */
export function becomeOwner(path: string, mark: string, warn: (message: string) => void): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(existsSync(mark) ? mark : path);
  if (uid === 0) return;
  try {
    process.setgroups!([gid]);
    process.setgid!(gid);
    process.setuid!(uid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data folder ${path} belongs to user ${uid}, and this process may not become that user (${code}); ` +
        `run it as that user.`,
    );
  }
  warn(`The data folder ${path} belongs to user ${uid}: this process goes on as that user, not as root.`);
}

/** Gives everything in a folder that root has filled to the user to whom the folder belongs. */
export function giveToOwner(path: string): void {
  const { uid, gid } = statSync(path);
  if (process.geteuid?.() !== 0 || uid === 0) return;
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) chownSync(join(path, name), uid, gid);
}
