// Opens an LMDB environment. Every environment is opened here.
//
// Processes that have an environment open share mutexes in the file `lock.mdb`. The last one that closes it destroys
// them. Another process that opens it at that very moment waits for the lock on the file only, and then finds mutexes
// that are no longer valid: LMDB says "Invalid argument", and so does every further try of the process (a fault of
// liblmdb, ITS#10095, that lmdb-js still has). A service that starts while `check` or `export` ends would meet it.
//
// So whoever opens or closes an environment takes a turn: a lock of the operating system on one byte far behind the end
// of `data.mdb`, where LMDB itself locks nothing. The lock ends with its process. Nobody waits for it longer than two
// seconds, because a process that was stopped, or whose disk is full, may keep it.

import { chownSync, closeSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from 'fs-native-extensions';
import { open, type RootDatabase } from 'lmdb';
import { BINARY, checkEnvironmentFile, DATA_FILE, OtherFormat, openToAppend } from './environment_file.ts';

const LOCK_FILE = 'lock.mdb';
const TURN_AT = 2 ** 52; // the byte that is locked; no table grows that large
const TRIES = 400;
const PAUSE_MILLISECONDS = 5;

/** Event turns do not batch transactions: `commit.ts` says why. */
const OPTIONS = { ...BINARY, noSubdir: false, eventTurnBatching: false } as const;

/** The right to open or close the environment, once `taken` says so. */
interface Turn {
  taken(): boolean;
  /** May be said twice. */
  end(): void;
}

/** There is nothing to wait for: the environment is new, or the file may only be read. */
const FREE: Turn = { taken: () => true, end: () => undefined };

/**
 * Opens or creates an environment. While another process opens or closes it, the thread waits.
 * @param path its folder
 * @param options most named databases in it, whether it is only read, and whether its commits need not wait for the
 *   disk, as of tables that somebody else makes live
 * @throws Error of LMDB when it cannot be opened
 */
export function openEnvironment(
  path: string,
  options: { maxDbs?: number; readOnly?: boolean; noSync?: boolean } = {},
): RootDatabase<Buffer, Buffer> {
  const turn = turnOf(path);
  try {
    for (let tries = 1; !turn.taken() && tries < TRIES; tries++) sleep(PAUSE_MILLISECONDS);
    const root = open<Buffer, Buffer>({ path, ...OPTIONS, ...options });
    giveLockToOwner(path);
    root.close = closeInTurn(path, root.close.bind(root));
    return root;
  } finally {
    turn.end();
  }
}

/** An environment that the operator must hear about if it cannot be used. */
interface NamedEnvironment {
  path: string;
  /** Subject of the error message: `The account table /path`. */
  name: string;
  /** What the operator can do where it is damaged: one sentence. */
  remedy: string;
  /** Makes it where it is missing; otherwise that is an error. */
  create: boolean;
  maxDbs?: number;
  readOnly?: boolean;
}

/**
 * Opens an environment, or says why it cannot be used and what the operator can do.
 * @param read opens its tables; what it throws is the reason why the environment cannot be used
 * @returns what `read` does
 * @throws Error when the files are damaged, or `read` refuses them
 */
export function openOrRefuse<T>(
  { path, name, remedy, create, ...options }: NamedEnvironment,
  read: (root: RootDatabase<Buffer, Buffer>) => T,
): T {
  let root: RootDatabase<Buffer, Buffer> | undefined;
  try {
    if (create) mkdirSync(path, { recursive: true });
    if (!checkEnvironmentFile(path) && !create)
      throw new Error(existsSync(join(path, DATA_FILE)) ? 'its data file is empty' : 'it has no data file');
    root = openEnvironment(path, options);
    return read(root);
  } catch (error) {
    void root?.close();
    const help = error instanceof OtherFormat ? OtherFormat.remedy : remedy;
    throw new Error(`${name} cannot be used: ${(error as Error).message}. ${help}`, { cause: error });
  }
}

/**
 * Refuses an environment of another format.
 * @param found its format; undefined where it has none
 * @param known formats that this version reads
 * @param what `account table`
 * @throws OtherFormat when it has another; Error when it has none
 */
export function requireFormat(found: number | undefined, known: readonly number[], what: string): void {
  if (found === undefined) throw new Error(`it is no ${what}`);
  if (known.includes(found)) return;
  const formats = `format${known.length === 1 ? '' : 's'} ${known.join(' and ')}`;
  throw new OtherFormat(`it has format ${found}, and this version reads ${formats}`);
}

/**
 * The file of mutexes is made by whoever opens the environment first. Where root only reads that of somebody else, it
 * is not to be root's.
 */
function giveLockToOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(join(path, DATA_FILE));
  if (uid !== 0) chownSync(join(path, LOCK_FILE), uid, gid);
}

function closeInTurn(path: string, close: (whenClosed: () => void) => Promise<void>): () => Promise<void> {
  return async () => {
    const turn = turnOf(path);
    try {
      for (let tries = 1; !turn.taken() && tries < TRIES; tries++) await delay(PAUSE_MILLISECONDS);
      // The turn ends at once, not when this function goes on: a thread that opens meanwhile what it just closed would
      // block itself until it stopped waiting.
      await close(() => turn.end());
    } finally {
      turn.end();
    }
  };
}

function turnOf(path: string): Turn {
  const data = join(path, DATA_FILE);
  if (!existsSync(data)) return FREE;
  const { file, canWrite } = openToAppend(data);
  let isOver = false;
  const end = (): void => {
    if (!isOver) closeSync(file);
    isOver = true;
  };
  return { taken: () => !canWrite || tryLock(file, TURN_AT, 1), end };
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

// Copies an LMDB environment while others read and write it. LMDB makes the copy itself, in a thread of its pool, from
// one read transaction: it holds what was committed when that began, and nothing later. The copy is compacted. It also
// begins with fresh meta pages, so it reads the same on any machine: the pages of a live file may say that the last
// commit is only good until the next boot.

const LOOK_MILLISECONDS = 1;

/** A copy that is being made. */
export interface EnvironmentCopy {
  /** From now on, commits are not part of the copy. */
  begun: Promise<void>;
  /** The file is complete. */
  done: Promise<void>;
}

/**
 * Begins a copy.
 * @param folder gets the file; created if missing, must not have one
 * @returns promises; both reject when the copy fails, and leave what was written
 */
export function copyEnvironment(root: RootDatabase<Buffer, Buffer>, folder: string): EnvironmentCopy {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let isOver = false;
  const done = root.backup(folder, true).finally(() => {
    isOver = true;
  });
  return { begun: hasBegun(join(folder, DATA_FILE), done, () => isOver), done };
}

/** LMDB takes its read transaction before it writes the first byte (`mdb_env_copyfd1`), and does not say when. */
async function hasBegun(file: string, done: Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    await delay(LOOK_MILLISECONDS);
  }
  await done;
}
