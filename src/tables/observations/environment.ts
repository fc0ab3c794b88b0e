// Opens the LMDB environment of the observation log, or refuses it.

import { mkdirSync } from 'node:fs';
import type { Database, RootDatabase } from 'lmdb';
import { BINARY, checkEnvironmentFile, existing } from '../environment/environment_file.ts';
import { openEnvironment } from '../environment/open_environment.ts';

const FORMAT = 1;
const TABLE = 'observation log';
const FORMAT_KEY = Buffer.from('format');
/** Key in `meta`: sequence of the next report, f64. */
export const NEXT_KEY = Buffer.from('next');
/** Key in `meta`: highest sequence that retention has dropped, f64. */
export const DROPPED_KEY = Buffer.from('dropped');

type Rows = Database<Buffer, Buffer>;

/** The tables of the environment; observation_log.ts says what is in them. */
export type ObservationTables = Record<'meta' | 'reports' | 'identities' | 'retired', Rows>;

/**
 * Opens or creates the environment.
 * @param path its folder
 * @throws Error when the folder holds something else, a newer format or a damaged file
 */
export function openObservationEnvironment(path: string): { root: RootDatabase<Buffer, Buffer>; tables: ObservationTables } {
  let root: RootDatabase<Buffer, Buffer> | undefined;
  try {
    mkdirSync(path, { recursive: true });
    checkEnvironmentFile(path);
    root = openEnvironment(path, { maxDbs: 8 });
    const tables = root.getKeysCount({ limit: 1 }) === 0 ? createTables(root) : openTables(root, false);
    checkMeta(tables);
    return { root, tables };
  } catch (error) {
    void root?.close();
    throw new Error(
      `The observation log ${path} cannot be used: ${(error as Error).message}. Restore it from a backup, or start the version that wrote it.`,
      { cause: error },
    );
  }
}

/** @param create makes those that are missing; otherwise nothing is written, and a missing one is an error */
function openTables(root: RootDatabase<Buffer, Buffer>, create: boolean): ObservationTables {
  const openRows = (name: string): Rows => existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create } }), TABLE);
  return { meta: openRows('meta'), reports: openRows('reports'), identities: openRows('identities'), retired: openRows('retired') };
}

/** Makes the tables of an empty environment, all or none. */
function createTables(root: RootDatabase<Buffer, Buffer>): ObservationTables {
  return root.transactionSync(() => {
    const tables = openTables(root, true);
    tables.meta.putSync(FORMAT_KEY, numbers(FORMAT));
    tables.meta.putSync(NEXT_KEY, numbers(1));
    tables.meta.putSync(DROPPED_KEY, numbers(0));
    return tables;
  });
}

function checkMeta({ meta, reports }: ObservationTables): void {
  const format = metaNumber(meta, FORMAT_KEY);
  if (format === undefined) throw new Error(`it is no ${TABLE}`);
  if (format !== FORMAT) throw new Error(`it has format ${format}, and this version reads format ${FORMAT}`);
  const next = metaNumber(meta, NEXT_KEY);
  const dropped = metaNumber(meta, DROPPED_KEY);
  const kept = [...reports.getKeys({ limit: 1 }), ...reports.getKeys({ limit: 1, reverse: true })].map(readSequence);
  const [first, last] = kept.length === 0 ? [next, 0] : kept;
  if (!(next! >= 1 && dropped! < first! && last! < next!)) {
    throw new Error(`its counters (next ${next}, dropped through ${dropped}) contradict its reports (${first} to ${last})`);
  }
}

function metaNumber(meta: Rows, key: Buffer): number | undefined {
  const value = meta.getBinary(key);
  return value?.length === 8 ? value.readDoubleLE(0) : undefined;
}

/** Numbers as a value, 8 bytes each, little-endian. */
export function numbers(...values: number[]): Buffer {
  const value = Buffer.allocUnsafe(8 * values.length);
  for (const [i, number] of values.entries()) value.writeDoubleLE(number, 8 * i);
  return value;
}

/** Eight bytes, big-endian, so that LMDB orders sequences 0..2^53-1 by value. */
export function sequenceKey(sequence: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(Math.floor(sequence / 4_294_967_296), 0);
  key.writeUInt32BE(sequence % 4_294_967_296, 4);
  return key;
}

/** The inverse of `sequenceKey`. */
export function readSequence(key: Buffer): number {
  return key.readUInt32BE(0) * 4_294_967_296 + key.readUInt32BE(4);
}
