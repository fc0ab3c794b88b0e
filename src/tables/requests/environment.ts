// Opens the LMDB environment of the request log, or refuses it.

import type { RootDatabase } from 'lmdb';
import { checkEnvironmentFile } from '../environment/environment_file.ts';
import { openEnvironment } from '../environment/open_environment.ts';
import { f64, Row } from '../environment/row.ts';

const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');

const WAY_OUT =
  'Put back a copy of that folder, or move it away: then only the log and the usage of keys are lost, and log ' +
  'ids begin again.';

/**
 * Opens or creates the environment in `folder`.
 * @throws Error when the folder holds something else, a newer format or a damaged file
 */
export function openLogEnvironment(folder: string): RootDatabase<Buffer, Buffer> {
  let root: RootDatabase<Buffer, Buffer> | undefined;
  try {
    checkEnvironmentFile(folder);
    root = openEnvironment(folder);
    claimFormat(root);
    return root;
  } catch (error) {
    void root?.close();
    throw new Error(`The request log in ${folder} cannot be used: ${(error as Error).message}. ${WAY_OUT}`, {
      cause: error,
    });
  }
}

/**
 * Writes the format into an empty environment, or reads it. @throws Error with the reason why this version cannot use
 * the environment
 */
function claimFormat(root: RootDatabase<Buffer, Buffer>): void {
  const stored = root.getBinary(FORMAT_KEY);
  if (stored === undefined) {
    if (root.getKeysCount({ limit: 1 }) > 0) throw new Error('it is no request log');
    root.putSync(FORMAT_KEY, Buffer.from([FORMAT]));
  } else if (stored.length !== 1 || stored[0] !== FORMAT) {
    throw new Error(`it has format ${stored.toString('hex')}, and this version reads format 0${FORMAT}`);
  }
}

// What retention knew of the time when the service last ran (src/writer/retention.ts). It lies beside what it
// protects.

const CLOCK_KEY = Buffer.from('retention clock');
const CLOCK = new Row({ trustedMs: f64, latestMs: f64, differsMs: f64 });

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
  const stored = root.getBinary(CLOCK_KEY);
  if (stored === undefined) return undefined;
  const clock = CLOCK.readWhole(stored);
  if (
    clock !== undefined &&
    Number.isFinite(clock.latestMs) &&
    clock.latestMs >= clock.trustedMs &&
    clock.differsMs >= 0
  )
    return clock;
  throw new Error(`The clock of retention is damaged: ${stored.toString('hex')}.`);
}

/** Stores it, in the caller's write transaction. */
export function writeClock(root: RootDatabase<Buffer, Buffer>, clock: StoredClock): void {
  root.put(CLOCK_KEY, CLOCK.encode(clock));
}
