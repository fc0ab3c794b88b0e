// Transactions on an LMDB environment that fail with an error message, as on a full disk. By itself lmdb-js would then
// end or stop the process:
//
//   - the reason is a promise attached to the error, which rejects whether anybody waits for it or not; when writes are
//     batched by event turns, another
//     promise rejects that nobody holds,
//   - the promise of the flush never resolves, and `close` waits for it, until another transaction has been committed,
//   - once LMDB has given up the environment, a further transaction is never answered, unless it is synchronous.
//
// On a full disk the library also prints lines of its own on standard error, at each try. So tables that grow with each
// write are not written when hardly any space is left (`requireSpace`), and after a failure an environment is left
// alone for a minute, unless space was freed.
//
// So every asynchronous write and every close of the tables goes through here, and event turns do not batch
// (`open_environment.ts`).

import { statfsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, RootDatabase } from 'lmdb';

const EIO = 5; // error of a write that was cut short
const ENOSPC = 28;
const FULL = 'no space is left (the disk is full or failing)';

type Root = RootDatabase<Buffer, Buffer>;
type LmdbError = Error & { code: number };

/** With less space than this nothing is appended: a transaction of common size might not find room. */
const SPACE_BYTES_MIN = 1_048_576;
/** After a failure, nothing is written for this long unless space was freed. */
const PAUSE_MILLISECONDS = 60_000;

/** The tables could not be written. Nothing was changed; the same may succeed later. */
export class NotWritten extends Error {
  /** @param what name of the tables @param why the end of a sentence */
  constructor(what: string, why: string, options?: ErrorOptions) {
    super(`${what} could not be written: ${why}. Nothing was changed.`, options);
  }
}

/** Environments whose last transaction failed: when and why, and the space that was left. */
const failed = new WeakMap<Root, { atMs: number; why: string; freeBytes: number }>();

/** @throws NotWritten when hardly any space is left for an environment */
export function requireSpace(root: Root, what: string): void {
  if (freeBytesOf(root) < SPACE_BYTES_MIN) throw new NotWritten(what, FULL);
}

/**
 * Runs an action in a write transaction, together with other waiting actions, in a thread of LMDB.
 * @param what name of the tables, for error messages
 * @param flush wait for the disk as well
 * @returns what the action returns, after the commit
 * @throws what the action throws; NotWritten when LMDB could not write
 */
export async function commit<T>(root: Root, what: string, action: () => T, flush = false): Promise<T> {
  requirePauseOver(root, what);
  try {
    await recover(root);
    const committed = root.transaction(action);
    // Asked for now, it is the flush of this transaction. The flush of a later transaction would never come if that one
    // failed.
    const flushed = flush ? new Promise(resolve => void root.flushed.then(resolve)) : undefined;
    const value = await committed;
    await flushed;
    return value;
  } catch (error) {
    throw await withMessage(root, what, error as Error);
  }
}

/**
 * The same, synchronously in this thread. A small transaction takes a fifth of a millisecond; on a busy machine the way
 * to another thread and back may take much longer, and requests wait for charges. LMDB flushes such a transaction in
 * this thread too, which stands still for as long as the disk takes.
 * @param flush wait until LMDB reports the flush as well
 */
export async function commitAtOnce<T>(root: Root, what: string, action: () => T, flush: boolean): Promise<T> {
  requirePauseOver(root, what);
  try {
    const value = root.transactionSync(action);
    if (flush) await root.flushed;
    return value;
  } catch (error) {
    throw await withMessage(root, what, error as Error);
  }
}

/** The same for an environment being built, which nobody else writes; does not wait for the disk. */
export function commitInBulk(root: Root, what: string, action: () => void): void {
  try {
    root.transactionSync(action);
  } catch (error) {
    const cause = error as LmdbError;
    throw typeof cause.code === 'number' ? failureOf(root, what, cause) : error;
  }
}

/** The error of the action as it is; a failure of LMDB with a message of its own. */
async function withMessage(root: Root, what: string, error: Error): Promise<Error> {
  const cause = await causeOf(error);
  return cause === undefined ? error : failureOf(root, what, cause);
}

function failureOf(root: Root, what: string, cause: LmdbError): Error {
  // Its message names pages and buffers.
  const why =
    cause.code === ENOSPC
      ? FULL
      : cause.code === EIO
        ? 'a write was cut short (the disk is full or failing)'
        : cause.message;
  failed.set(root, { atMs: performance.now(), why, freeBytes: freeBytesOf(root) });
  return new NotWritten(what, why, { cause });
}

function requirePauseOver(root: Root, what: string): void {
  const failure = failed.get(root);
  if (failure === undefined || performance.now() - failure.atMs > PAUSE_MILLISECONDS) return;
  if (freeBytesOf(root) <= failure.freeBytes) throw new NotWritten(what, failure.why);
}

/** Space that is left on the disk of an environment. */
function freeBytesOf(root: Root): number {
  return freeBytes((root as Root & { path: string }).path);
}

/** Closes an environment. @throws Error when LMDB has given it up */
export async function closeEnvironment(root: Root): Promise<void> {
  await recover(root);
  await root.close();
}

/**
 * Recovers from a failed transaction by empty ones, which take no space. The synchronous one throws where the
 * asynchronous one would never be answered.
 */
async function recover(root: Root): Promise<void> {
  if (!failed.has(root)) return;
  root.transactionSync(() => undefined);
  await root.transaction(() => undefined);
  failed.delete(root);
}

/** The LMDB error behind an error, recognised by its code; undefined when the action threw. */
async function causeOf(error: Error): Promise<LmdbError | undefined> {
  const { commitError } = error as { commitError?: Promise<never> };
  if (commitError === undefined)
    return typeof (error as Partial<LmdbError>).code === 'number' ? (error as LmdbError) : undefined;
  const untold = Object.assign(new Error('the commit failed'), { code: 0 });
  return Promise.race([commitError.catch((cause: LmdbError) => cause), nextTurn().then(() => untold)]);
}

// How much room tables take, and how much a disk has left. Tables are not written, folders not made and the service not
// called ready where there is too little.

const MEGABYTE = 1_048_576;

/** With less than this, commits of a busy service may fail within minutes, so it is not called ready. */
export const READY_BYTES = 256 * MEGABYTE;

/** Bytes that this user may still write to the disk of a path. @throws Error when there is no such path */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * Requires room for work that can wait, of which a busy service needs a part meanwhile.
 * @param bytes that the work will write
 * @param what the work, the beginning of a sentence
 * @throws Error when it would leave less than `READY_BYTES`
 */
export function requireRoom(path: string, bytes: number, what: string): void {
  const free = freeBytes(path);
  if (free >= bytes + READY_BYTES) return;
  const [needed, left] = [Math.ceil((bytes + READY_BYTES) / MEGABYTE), Math.floor(free / MEGABYTE)];
  throw new Error(`${what} needs ${needed} MB of free disk, and ${left} MB are left.`);
}

/** Bytes of the pages that a table takes. */
export function pagesBytes(table: Database<Buffer, Buffer>): number {
  const pages = table.getStats() as {
    pageSize: number;
    treeBranchPageCount: number;
    treeLeafPageCount: number;
    overflowPages: number;
  };
  return (pages.treeBranchPageCount + pages.treeLeafPageCount + pages.overflowPages) * pages.pageSize;
}
