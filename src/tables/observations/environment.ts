// Opens the LMDB environment of the observation log, or refuses it.

import { randomUUID } from 'node:crypto';
import type { Database, RootDatabase } from 'lmdb';
import { BINARY, existing, ownTable } from '../environment/environment_file.ts';
import { openOrRefuse, requireFormat } from '../environment/open_environment.ts';
import { f64, Row, readSequence } from '../environment/row.ts';

const FORMAT = 1;
/** Format of an environment that was rewritten: its reports may stand in the second set of tables. */
const FORMAT_REWRITTEN = 2;
const TABLE = 'observation log';
const FORMAT_KEY = Buffer.from('format');
/** Key in `meta`: sequence of the next report, f64. */
export const NEXT_KEY = Buffer.from('next');
/** Key in `meta`: highest sequence that retention has dropped, f64. */
export const DROPPED_KEY = Buffer.from('dropped');
/** Key in `meta`: position in the stream of a cluster through which its reports are in this log, f64; absent = none. */
export const POSITION_KEY = Buffer.from('position');
/** Key in `meta`: which batches of the stream these are (`StreamMark`), as JSON; absent = not known. */
export const STREAM_KEY = Buffer.from('stream');

/**
 * Key in `meta`: how often the log was rewritten, f64; absent = never. Even numbers have the first set of tables, odd
 * ones the second.
 */
const REWRITES_KEY = Buffer.from('rewrites');
/**
 * Key in `meta`: the number of a rewrite that is complete and not in force yet, and the sequence of its next report,
 * two f64.
 */
const COMPLETE_KEY = Buffer.from('complete');
const COMPLETE = new Row({ rewrites: f64, next: f64 });
/** A number in `meta`. */
const NUMBER = new Row({ number: f64 });

type Rows = Database<Buffer, Buffer>;
type Root = RootDatabase<Buffer, Buffer>;

/** The tables of which there are two sets. */
const REPORT_TABLES = ['reports', 'identities', 'retired', 'stored'] as const;
/** Those of the sources of imported reports (report_sources.ts). */
const SOURCE_TABLES = ['sources', 'sourced'] as const;

/** Reports and what belongs to them. */
export type ReportTables = Record<(typeof REPORT_TABLES)[number], Rows>;

/** The tables of the environment; observation_log.ts says what is in them. */
export type ObservationTables = ReportTables & Record<(typeof SOURCE_TABLES)[number] | 'meta', Rows>;

/**
 * Opens or creates the environment.
 * @param path its folder
 * @throws Error when the folder holds something else, another format or a damaged file
 */
export function openObservationEnvironment(path: string): { root: Root; tables: ObservationTables } {
  const remedy = 'Restore it from a backup.';
  return openOrRefuse({ path, name: `The ${TABLE} ${path}`, remedy, create: true, maxDbs: 16 }, root => {
    const tables = root.getKeysCount({ limit: 1 }) === 0 ? createTables(root) : openTables(root, false);
    checkMeta(tables);
    return { root, tables };
  });
}

/**
 * Opens the tables in force. @param create makes those that are missing; otherwise nothing is written, and a missing
 * one is an error
 */
function openTables(root: Root, create: boolean): ObservationTables {
  const open = (name: string): Rows | undefined => root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } });
  const meta = existing(open('meta'), TABLE);
  if (!create) requireFormat(metaNumber(meta, FORMAT_KEY), [FORMAT, FORMAT_REWRITTEN], TABLE);
  const [sources, sourced] = SOURCE_TABLES.map(name => ownTable(open(name), name));
  return { meta, sources, sourced, ...openReportTables(root, readRewrites(meta), create) };
}

/** The tables of a number of rewrites. @param create makes those that are missing, which otherwise are an error */
export function openReportTables(root: Root, rewrites: number, create: boolean): ReportTables {
  const [reports, identities, retired, stored] = REPORT_TABLES.map(name =>
    ownTable(openRowsOf(root, name, rewrites, create), name),
  );
  return { reports, identities, retired, stored };
}

function openRowsOf(root: Root, name: string, rewrites: number, create: boolean): Rows | undefined {
  return root.openDB<Buffer, Buffer>(rewrites % 2 === 0 ? name : `${name} 2`, { ...BINARY, ...{ create } });
}

/**
 * Gives up a rewrite that is not in force, and empties the set of tables that is not.
 * @returns the action for a transaction; undefined when there is nothing to do
 */
export function pendingCleanup(root: Root, meta: Rows): (() => void) | undefined {
  const rewrites = readRewrites(meta) + 1;
  const rest = REPORT_TABLES.flatMap(name => openRowsOf(root, name, rewrites, false) ?? []);
  if (!meta.doesExist(COMPLETE_KEY) && rest.every(table => table.getKeysCount({ limit: 1 }) === 0)) return undefined;
  return () => {
    meta.removeSync(COMPLETE_KEY);
    for (const table of rest) table.clearSync();
  };
}

/** How often the log was rewritten. */
export function readRewrites(meta: Rows): number {
  return metaNumber(meta, REWRITES_KEY) ?? 0;
}

/** The number of a rewrite that is complete and not in force yet, which the station tables may be of already. */
export function readComplete(meta: Rows): number | undefined {
  return COMPLETE.readWhole(meta.getBinary(COMPLETE_KEY))?.rewrites;
}

/** Notes that a rewrite is complete, in the open transaction. */
export function writeComplete(meta: Rows, rewrites: number, next: number): void {
  meta.putSync(COMPLETE_KEY, COMPLETE.encode({ rewrites, next }));
}

/**
 * Puts a complete rewrite in force, in the open transaction. @returns false when that rewrite is not complete; then
 * nothing changes
 */
export function putInForce(meta: Rows, rewrites: number): boolean {
  const complete = COMPLETE.readWhole(meta.getBinary(COMPLETE_KEY));
  if (complete?.rewrites !== rewrites) return false;
  meta.putSync(FORMAT_KEY, encodeNumber(FORMAT_REWRITTEN));
  meta.putSync(REWRITES_KEY, encodeNumber(rewrites));
  meta.putSync(NEXT_KEY, encodeNumber(complete.next));
  meta.removeSync(COMPLETE_KEY);
  const mark = readMark(meta);
  if (mark !== undefined) writeMark(meta, { ...mark, chain: randomUUID() });
  return true;
}

/** The batches of a stream that a log holds. A copy of the log holds the same. */
export interface StreamMark {
  /** When the stream was made, as its servers say. */
  created: string;
  /** The last batch. */
  position: number;
  /** Hash of the last batch as it is in the stream; empty where the log began behind it. */
  last: string;
  /** Grows with each batch and what the log made of it; two logs with the same one at a position are the same. */
  chain: string;
  /** Position at which the chain began. */
  since: number;
}

/** Reads the mark; undefined where the log follows no stream. */
export function readMark(meta: Pick<Rows, 'getBinary'>): StreamMark | undefined {
  const text = meta.getBinary(STREAM_KEY);
  return text && JSON.parse(text.toString());
}

/** Writes it, in the open transaction. */
export function writeMark(meta: Pick<Rows, 'putSync'>, mark: StreamMark): void {
  meta.putSync(STREAM_KEY, Buffer.from(JSON.stringify(mark)));
}

/** Makes the tables of an empty environment, all or none. */
function createTables(root: Root): ObservationTables {
  return root.transactionSync(() => {
    const tables = openTables(root, true);
    tables.meta.putSync(FORMAT_KEY, encodeNumber(FORMAT));
    tables.meta.putSync(NEXT_KEY, encodeNumber(1));
    tables.meta.putSync(DROPPED_KEY, encodeNumber(0));
    return tables;
  });
}

function checkMeta({ meta, reports }: ObservationTables): void {
  const next = metaNumber(meta, NEXT_KEY);
  const dropped = metaNumber(meta, DROPPED_KEY);
  const kept = [...reports.getKeys({ limit: 1 }), ...reports.getKeys({ limit: 1, reverse: true })].map(readSequence);
  const [first, last] = kept.length === 0 ? [next, 0] : kept;
  if (!(next! >= 1 && dropped! < first! && last! < next!)) {
    throw new Error(
      `its counters (next ${next}, dropped through ${dropped}) contradict its reports (${first} to ${last})`,
    );
  }
}

/** Reads a number in `meta`; undefined where there is none. */
export function metaNumber(meta: Pick<Rows, 'getBinary'>, key: Buffer): number | undefined {
  return NUMBER.readWhole(meta.getBinary(key))?.number;
}

/** A number as a value. */
export function encodeNumber(number: number): Buffer {
  return NUMBER.encode({ number });
}
