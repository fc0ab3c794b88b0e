// Transactions on an LMDB environment, and a sentence where one fails, as on a full disk. What lmdb-js does then would end or stop the process:
//
//   - the reason is a promise beside the error, and rejects whether anybody waits for it or not; with batches by turns of events there is another
//     promise that rejects and that nobody holds,
//   - the promise of the flush never resolves, and `close` waits for it, until another transaction has been committed,
//   - where LMDB has given the environment up, a further transaction is never answered, unless it is synchronous.
//
// So every asynchronous write of this room and every close go through here, and every environment is opened with `ENVIRONMENT`.

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
 * Runs an action in a write transaction, together with others that are waiting.
 * @param what the tables, for the sentence
 * @param flush wait for the disk as well
 * @returns what the action returns, after the commit
 * @throws what the action throws; Error with a sentence when LMDB could not write, and then nothing was changed
 */
export async function commit<T>(root: Root, what: string, action: () => T, flush = false): Promise<T> {
  try {
    await recover(root);
    const result = root.transaction(action);
    // Taken now, it is that of this transaction; it never resolves when that fails.
    const flushed = flush ? Promise.resolve(root.flushed) : undefined;
    const value = await result;
    await flushed;
    return value;
  } catch (error) {
    const cause = await causeOf(error as Error);
    if (cause === undefined) throw error;
    failed.add(root);
    const hint = cause.code === EIO || cause.code === ENOSPC ? ' (the disk is full or failing)' : '';
    throw new Error(`${what} could not be written: ${cause.message}${hint}. Nothing was changed.`, { cause });
  }
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

function nextTurn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve));
}
