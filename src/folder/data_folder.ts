// The data folder holds everything that Sextant keeps. The file `FORMAT` marks it as ours and names the version of its
// layout. It is written last when a folder is created, so a folder without it is empty, half created by a killed
// process, or not ours. A folder that is foreign, of another format or damaged is refused before anything is written
// into it.

import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRegularFile } from '../config/regular_file.ts';
import { freeBytes } from '../tables/environment/commit.ts';
import { replaceFile } from '../tables/environment/durable_file.ts';
import { LOCK_FILE, readOwnerPid, tryOwnerLock } from './owner_lock.ts';

/** Version of the folder's layout; raised when its files move or change their meaning. */
const FOLDER_FORMAT = 1;
/**
 * Space for a new folder: a first start writes 230 KB, and the library of the tables ends the process where there is
 * none.
 */
const NEW_FOLDER_BYTES = 4 * 1_048_576;
/** Marks a data folder as complete, and as ours. */
export const FORMAT_FILE = 'FORMAT';
/** The token of the admin interface, and one that only reads. They are no data: no backup holds them. */
export const TOKEN_FILE = 'admin.token';
export const READ_TOKEN_FILE = 'admin_read.token';
/** By what the nodes of a cluster know a folder (cluster/request_log.ts). No backup holds it: a copy is another one. */
export const NODE_FILE = 'node';
/** What such a node has forgotten of its request log (cluster/forgotten.ts). A copy of the log begins anew. */
export const FORGOTTEN_FILE = 'forgotten';
/** What the service did in the last week (metrics/figure_file.ts). No backup holds it. */
export const FIGURES_FILE = 'figures';
const FORMAT_BYTES_MAX = 4_096;
/** Standard input of commands waits here for the owner (src/jobs/submit_job.ts). */
const SPOOL_FOLDER = 'spool';
/**
 * Files allowed in a folder before it is created: leftovers of a kill, and what a new file system puts into its root.
 */
const UNMADE = [LOCK_FILE, `${FORMAT_FILE}.new`, 'lost+found'];

/** A data folder that this process owns. */
export interface OwnedFolder {
  /** Absolute path. */
  path: string;
  /** It was created just now and is empty. */
  isNew: boolean;
  /** Gives up ownership, as the end of the process does. */
  release(): void;
  /** Removes what a failed first start has put into a new folder, so that the next start finds it empty. */
  discard(): void;
}

/**
 * Opens a data folder as its owner.
 * @param path absolute
 * @param create creates a missing folder; otherwise a missing folder is an error
 * @param warn takes a sentence for the operator
 * @returns `undefined` if another process owns it
 * @throws Error when the folder is foreign, damaged, of another format, missing or not accessible; then nothing in it
 *   was changed
 */
export function takeFolder(path: string, create: boolean, warn = tellOperator): OwnedFolder | undefined {
  try {
    if (create && !existsSync(path)) requireSpace(path);
    if (create) mkdirSync(path, { recursive: true, mode: 0o700 });
    if (!isMade(path) && !create) throw missingFolder(path);
    becomeOwner(path, join(path, FORMAT_FILE), warn);
    closeToOthers(path, warn);
    const lock = tryOwnerLock(path);
    if (lock === undefined) return undefined;
    try {
      // Checked again under the lock: its last holder may just have created the folder.
      const isNew = !isMade(path);
      if (isNew) {
        requireSpace(path);
        makeFormat(path);
      } else rmSync(join(path, SPOOL_FOLDER), { recursive: true, force: true });
      return { path, isNew, release: () => lock.release(), discard: () => empty(path) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw asOwnError(path, error);
  }
}

/** A command has no log. */
function tellOperator(message: string): void {
  process.stderr.write(`${message}\n`);
}

/**
 * Checks that a data folder can be read, whoever owns it.
 * @param path absolute
 * @throws Error when the folder is missing, foreign, damaged, of another format or not accessible
 */
export function requireFolder(path: string): void {
  try {
    if (!isMade(path)) throw missingFolder(path);
  } catch (error) {
    throw asOwnError(path, error);
  }
}

/** The error of a folder in use; names the owner if known. */
export function folderInUse(path: string): Error {
  const pid = readOwnerPid(path);
  return new Error(`The data folder ${path} is in use by ${pid === undefined ? 'another process' : `process ${pid}`}.`);
}

/** Folder for the standard input of commands; created if missing. */
export function spoolFolder(path: string): string {
  const spool = join(path, SPOOL_FOLDER);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  return spool;
}

/** @throws Error when the disk of a folder to be made has no room for what a first start writes */
function requireSpace(path: string): void {
  let existing = path;
  while (!existsSync(existing)) existing = dirname(existing);
  const free = freeBytes(existing);
  if (free >= NEW_FOLDER_BYTES) return;
  throw new Error(
    `The data folder ${path} cannot be made: its disk has ${Math.floor(free / 1024).toLocaleString('en')} KB ` +
      `left, and at least ${NEW_FOLDER_BYTES / 1024} KB are needed.`,
  );
}

/** Removes everything but the lock. FORMAT goes last: a folder without it must hold nothing else. */
function empty(path: string): void {
  const names = readdirSync(path).filter(name => name !== LOCK_FILE && name !== FORMAT_FILE);
  for (const name of [...names, FORMAT_FILE]) rmSync(join(path, name), { recursive: true, force: true });
}

function missingFolder(path: string): Error {
  return new Error(`There is no data folder ${path}; name another with --data, or make one with npm start.`);
}

/** True if the folder was created before. @throws Error when it contains something that this version must not touch */
function isMade(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isDirectory()) throw new Error(`${path} is a file, not a data folder.`);
  const names = readdirSync(path);
  if (names.includes(FORMAT_FILE)) {
    checkFormat(path, readFormat(path));
    return true;
  }
  const foreign = names.find(name => !UNMADE.includes(name));
  if (foreign !== undefined) {
    throw new Error(
      `${path} is not a data folder of Sextant: it holds "${foreign}" but no ${FORMAT_FILE} file; choose an ` +
        `empty or a new folder with --data.`,
    );
  }
  return false;
}

/** The text of the file FORMAT of a folder. @throws Error when it cannot be read */
export function readFormat(path: string): string {
  const file = join(path, FORMAT_FILE);
  try {
    return readRegularFile(file, FORMAT_BYTES_MAX).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw new Error(`The file ${file} cannot be used: ${(error as Error).message}. Restore it from a backup.`);
  }
}

function checkFormat(path: string, text: string): void {
  const format = formatOf(text);
  if (format === undefined) {
    throw new Error(
      `The file ${join(path, FORMAT_FILE)} is damaged or not Sextant's; restore it from a backup, or choose ` +
        `another folder with --data.`,
    );
  }
  if (format !== FOLDER_FORMAT) {
    throw new Error(
      `The data folder ${path} has format ${format}, and this version reads format ${FOLDER_FORMAT}; run the ` +
        `version that wrote it, or export with that version and import with this one.`,
    );
  }
}

function formatOf(text: string): number | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { application, format } = (value ?? {}) as Record<string, unknown>;
  return application === 'sextant' && Number.isInteger(format) && (format as number) >= 1
    ? (format as number)
    : undefined;
}

/** Writes FORMAT whole or not at all, even after a power failure. */
function makeFormat(path: string): void {
  // An existing folder, such as a mounted one, may be open to other users.
  if (statSync(path).uid === process.getuid?.()) chmodSync(path, 0o700);
  replaceFile(join(path, FORMAT_FILE), `${JSON.stringify({ application: 'sextant', format: FOLDER_FORMAT })}\n`);
}

/** Turns an error of the file system into one whose message says what cannot be used; our own errors pass. */
function asOwnError(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) return error;
  const reasons: Record<string, string> = {
    EACCES: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'it is a file',
  };
  return new Error(`The data folder ${path} cannot be used: ${reasons[code] ?? (error as Error).message}.`);
}

// Who may write to a data folder. Whoever may could put another secret, other keys or another lock into it, so nobody
// but its user may. Root may always; what it wrote, a service that runs as somebody else could not open again. So root
// goes on as the user to whom the folder belongs.

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
function closeToOthers(path: string, warn: (message: string) => void): void {
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
function becomeOwner(path: string, mark: string, warn: (message: string) => void): void {
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
