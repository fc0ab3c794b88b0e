// The memory of guesses on disk and in a cluster. The memory itself lies in shared memory, where all threads change it
// (src/tables/stations/guesses.ts). The writer stores what has changed once a second, and at the start puts it back
// before anybody is answered: so a kill forgets the guesses of a second. What could not be stored is stored later.
//
// A node of a cluster tells the others of what its own threads have changed, and takes over what they tell
// (src/cluster/guesses.ts).

import type { GuessParts } from '../cluster/guesses.ts';
import { guessesProblem } from '../metrics/problems.ts';
import { isOfPair } from '../tables/requests/guess_entry.ts';
import { type GuessTable, unpackGuess } from '../tables/requests/guess_table.ts';
import type { Guesses } from '../tables/stations/guesses.ts';

/** Interval at which the owner stores what has changed. */
export const STORE_MILLISECONDS = 1_000;
/** Entries in one transaction: a few milliseconds of this thread. */
const ENTRIES_AT_ONCE = 4_096;

interface GuessLogParts {
  guesses: Guesses;
  /** In whose environment they are stored. */
  log: { guesses: GuessTable };
  /** Says what time it is at least: rows of earlier weeks go by that, as a clock may jump. */
  retention: { earliestMs: number };
  /** Called when guesses could not be stored; the next time tries again. */
  onError: (error: Error) => void;
  /** Called with a sentence for the operator. */
  onWarning?: (message: string) => void;
}

/** See above. */
export class GuessLog implements GuessParts {
  /** What this node has read of the others, which holds with what is stored by then. */
  read: string;
  private readonly parts: GuessLogParts;
  /** Numbers of entries that are not stored as they are. */
  private readonly unstored = new Set<number>();
  /** Numbers of entries of which other nodes do not know; undefined without a cluster. */
  private untold: Set<number> | undefined;
  /** Keys of rows that are damaged. */
  private damaged: Buffer[] = [];
  private hasWarned = false;
  private storing = Promise.resolve();

  /** Puts back what is stored. */
  constructor(parts: GuessLogParts) {
    this.parts = parts;
    this.read = parts.log.guesses.read;
    this.restore(Date.now());
  }

  private restore(nowMs: number): void {
    const { guesses, log, onWarning } = this.parts;
    try {
      for (const { key, row } of log.guesses.all()) {
        try {
          guesses.restore(unpackGuess(row), nowMs);
        } catch {
          this.damaged.push(key);
        }
      }
    } catch (error) {
      onWarning?.(
        `The memory of guesses cannot be read to its end (${(error as Error).message}), so some may be guessed ` +
          'again. See what "sextant check" advises.',
      );
    }
    if (this.damaged.length > 0)
      onWarning?.(
        `The memory of guesses has damaged rows, which are removed: ${this.damaged.length}. What they held may be ` +
          'guessed again; nothing else is lost.',
      );
  }

  /** Stores what has changed, one transaction after the other. @returns resolves when that is done, or reported */
  store(): Promise<void> {
    this.storing = this.storing.then(() => this.storeAll()).catch(this.parts.onError);
    return this.storing;
  }

  private async storeAll(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const taken = this.collect(ENTRIES_AT_ONCE);
      await this.storeSome();
      isMore = taken >= ENTRIES_AT_ONCE || this.unstored.size > 0;
    }
    this.warn(Date.now());
  }

  private collect(most: number): number {
    const taken = this.parts.guesses.table.takeChanged(most);
    for (const entry of taken) {
      this.unstored.add(entry);
      this.untold?.add(entry);
    }
    return taken.length;
  }

  private async storeSome(): Promise<void> {
    const { guesses, log, retention } = this.parts;
    const { damaged, unstored } = this;
    const some = takeFrom(unstored, ENTRIES_AT_ONCE);
    this.damaged = [];
    try {
      // What was read counts once all of it is stored.
      const read = unstored.size === 0 ? this.read : log.guesses.read;
      await log.guesses.store(wordsOf(guesses, some), damaged, read, retention.earliestMs);
    } catch (error) {
      for (const entry of some) unstored.add(entry);
      this.damaged = damaged;
      throw error;
    }
  }

  /** Warns once when the memory is nearly full. */
  private warn(nowMs: number): void {
    const problem = guessesProblem(this.parts.guesses.usedShare(nowMs), nowMs);
    if (problem !== undefined && !this.hasWarned) this.parts.onWarning?.(`${problem.what} ${problem.remedy}`);
    this.hasWarned = problem !== undefined;
  }

  divideAmong(nodes: number): void {
    this.parts.guesses.divideAmong(nodes);
  }

  tellAll(): void {
    this.untold = new Set(this.parts.guesses.table.all());
  }

  takeUntold(most: number): { entries: number[]; words: Int32Array[] } {
    this.collect(most);
    const entries = takeFrom(this.untold ?? new Set(), most);
    return { entries, words: wordsOf(this.parts.guesses, entries).filter(isOfPair) };
  }

  notTold(entries: readonly number[]): void {
    for (const entry of entries) this.untold?.add(entry);
  }

  merge(words: Int32Array): void {
    const entry = this.parts.guesses.merge(words, Date.now());
    if (entry !== undefined) this.unstored.add(entry);
  }
}

function takeFrom(numbers: Set<number>, most: number): number[] {
  const taken: number[] = [];
  for (const number of numbers) {
    if (taken.length >= most) break;
    taken.push(number);
    numbers.delete(number);
  }
  return taken;
}

function wordsOf(guesses: Guesses, entries: Iterable<number>): Int32Array[] {
  return Array.from(entries, entry => guesses.table.read(entry)).filter(words => words !== undefined);
}
