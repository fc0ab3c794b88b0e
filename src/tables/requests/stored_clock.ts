// What retention knew of the time when the service last ran (src/writer/retention_clock.ts). It lies beside what it
// protects.

import type { RootDatabase } from 'lmdb';

const KEY = Buffer.from('retention clock');
const BYTES = 24;

/** The time as retention knows it. */
export interface StoredClock {
  /** Up to which old records were dropped, milliseconds since 1970. */
  trustedMs: number;
  /** Latest that the clock of the machine has shown, at least `trustedMs`. */
  latestMs: number;
  /** For how long it has differed from either, milliseconds. */
  differsMs: number;
}

/** Reads it; undefined where it was never stored. @throws Error when it is damaged */
export function readClock(root: RootDatabase<Buffer, Buffer>): StoredClock | undefined {
  const stored = root.getBinary(KEY);
  if (stored === undefined) return undefined;
  const [trustedMs, latestMs, differsMs] = [0, 8, 16].map(at =>
    stored.length === BYTES ? stored.readDoubleLE(at) : Number.NaN,
  );
  if (!(Number.isFinite(latestMs) && latestMs >= trustedMs && differsMs >= 0))
    throw new Error(`The clock of retention is damaged: ${stored.toString('hex')}.`);
  return { trustedMs, latestMs, differsMs };
}

/** Stores it, in the caller's write transaction. */
export function writeClock(root: RootDatabase<Buffer, Buffer>, { trustedMs, latestMs, differsMs }: StoredClock): void {
  const bytes = Buffer.alloc(BYTES);
  [trustedMs, latestMs, differsMs].forEach((number, i) => void bytes.writeDoubleLE(number, 8 * i));
  root.put(KEY, bytes);
}
