// Transactions on an LMDB environment, and a sentence where one fails, as on a full disk. What lmdb-js does then would end or stop the process:
//
//   - the reason is a promise beside the error, and rejects whether anybody waits for it or not; with batches by turns of events there is another
//     promise that rejects and that nobody holds,
//   - the promise of the flush never resolves, and `close` waits for it, until another transaction has been committed,
//   - where LMDB has given the environment up, a further transaction is never answered, unless it is synchronous.
//
// So every asynchronous write of this room and every close go through here, and every environment is opened with `ENVIRONMENT`.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RootDatabase } from 'lmdb';
import { BINARY } from './environment_file.ts';

/** How every environment is opened. */
export const ENVIRONMENT = { ...BINARY, noSubdir: false, eventTurnBatching: false } as const;

const EIO = 5; // what a write that was cut short is called
const ENOSPC = 28;

type Root = RootDatabase<Buffer, Buffer>;
type LmdbError = Error & { code: number };

/** Environments whose last transaction failed. */
const failed = new WeakSet<Root>();

/**
 * Runs an action in a write transaction, together with others that are waiting, in a thread of LMDB's.
 * @param what the tables, for the sentence
 * @param flush wait for the disk as well
 * @returns what the action returns, after the commit
 * @throws what the action throws; Error when LMDB could not write, and then nothing was changed
 */
export async function commit<T>(root: Root, what: string, action: () => T, flush = false): Promise<T> {
  try {
    await recover(root);
    const committed = root.transaction(action);
    // Asked for at once, it is the flush of this transaction; that of a later one would never come when the later one fails.
    const flushed = flush ? new Promise(resolve => void root.flushed.then(resolve)) : undefined;
    const value = await committed;
    await flushed;
    return value;
  } catch (error) {
    throw await withMessage(root, what, error as Error);
  }
}

/**
 * The same in this thread and at once. A small transaction is over in a fifth of a millisecond; handing it to another thread and back takes as long as
 * a busy machine likes, and for charges requests wait.
 * @param flush wait for the disk as well
 */
export async function commitAtOnce<T>(root: Root, what: string, action: () => T, flush: boolean): Promise<T> {
  try {
    const value = root.transactionSync(action);
    if (flush) await root.flushed;
    return value;
  } catch (error) {
    throw await withMessage(root, what, error as Error);
  }
}

/** The same for an environment that is being built, and that nobody else writes: nothing is waited for. */
export function commitInBulk(root: Root, what: string, action: () => void): void {
  try {
    root.transactionSync(action);
  } catch (error) {
    const cause = error as LmdbError;
    throw typeof cause.code === 'number' ? failureOf(root, what, cause) : error;
  }
}

/** What the action threw as it is; what LMDB could not do as a sentence. */
async function withMessage(root: Root, what: string, error: Error): Promise<Error> {
  const cause = await causeOf(error);
  return cause === undefined ? error : failureOf(root, what, cause);
}

function failureOf(root: Root, what: string, cause: LmdbError): Error {
  failed.add(root);
  const hint = cause.code === EIO || cause.code === ENOSPC ? ' (the disk is full or failing)' : '';
  return new Error(`${what} could not be written: ${cause.message}${hint}. Nothing was changed.`, { cause });
}

/** Closes an environment. @throws Error when LMDB has given it up */
export async function closeEnvironment(root: Root): Promise<void> {
  await recover(root);
  await root.close();
}

/** Leaves a failed transaction behind by empty ones, which take no space; the synchronous one throws where the other would never be answered. */
async function recover(root: Root): Promise<void> {
  if (!failed.has(root)) return;
  root.transactionSync(() => undefined);
  await root.transaction(() => undefined);
  failed.delete(root);
}

/** The error of LMDB behind an error, told by its number; undefined when the action threw. */
async function causeOf(error: Error): Promise<LmdbError | undefined> {
  const { commitError } = error as { commitError?: Promise<never> };
  if (commitError === undefined) return typeof (error as Partial<LmdbError>).code === 'number' ? (error as LmdbError) : undefined;
  const untold = Object.assign(new Error('the commit failed'), { code: 0 });
  return Promise.race([commitError.catch((cause: LmdbError) => cause), nextTurn().then(() => untold)]);
}
