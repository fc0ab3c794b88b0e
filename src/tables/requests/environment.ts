// Opens the LMDB environment of the request log, or refuses it.

import type { Database, RootDatabase } from 'lmdb';
import { BINARY, ownTable } from '../environment/environment_file.ts';
import { openOrRefuse, requireFormat } from '../environment/open_environment.ts';
import { f64, Row } from '../environment/row.ts';

const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');
/**
 * The tables of the environment: chunks of requests and their index by time (request_log.ts), the usage of keys
 * (usage.ts), wrong guesses (guess_table.ts).
 */
const LOG_TABLES = ['chunks', 'by time', 'usage', 'usage devices', 'guesses'] as const;

const REMEDY =
  'Put back a copy of that folder, or move it away: then only the log, the usage of keys and their wrong guesses of ' +
  'this week are lost, and log ids begin again.';

/**
 * Opens or creates the environment in `folder`.
 * @throws Error when the folder holds something else, another format or a damaged file
 */
export function openLogEnvironment(folder: string): RootDatabase<Buffer, Buffer> {
  return openOrRefuse({ path: folder, name: `The request log in ${folder}`, remedy: REMEDY, create: true }, root => {
    if (root.getKeysCount({ limit: 1 }) === 0) createTables(root);
    const format = root.getBinary(FORMAT_KEY);
    requireFormat(format?.length === 1 ? format[0] : undefined, [FORMAT], 'request log');
    for (const name of LOG_TABLES) logTable(root, name);
    return root;
  });
}

/** Makes the tables of an empty environment, all or none. */
function createTables(root: RootDatabase<Buffer, Buffer>): void {
  root.transactionSync(() => {
    for (const name of LOG_TABLES) root.openDB(name, BINARY);
    root.putSync(FORMAT_KEY, Buffer.from([FORMAT]));
  });
}

/** A table of the environment. @throws Error when it has none of this name */
export function logTable(
  root: RootDatabase<Buffer, Buffer>,
  name: (typeof LOG_TABLES)[number],
): Database<Buffer, Buffer> {
  return ownTable(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create: false } }), name);
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
  void root.put(CLOCK_KEY, CLOCK.encode(clock));
}
