// The frame of every check of a table. A check only reads, and another process may write the tables meanwhile. So a
// table is read in slices, each in its own read transaction, because a long transaction would keep freed pages from
// being used again. Tables of one environment that are compared are read in the same slice, and so in the same
// snapshot. A comparison across slices must allow for writes between them; each says how.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database, RootDatabase } from 'lmdb';
import { BINARY, existing } from './environment_file.ts';

type FindingKind =
  /** The file below the tables: LMDB cannot read it. */
  | 'file'
  /** A key that no record can have. */
  | 'key'
  /** A record that is damaged or holds impossible values. */
  | 'record'
  /** Two tables that contradict each other. */
  | 'index'
  /** A counter that contradicts the rows. */
  | 'counter'
  /** Derived data that does not follow from its source. */
  | 'derived';

/** One fault that a check has found. */
export interface Finding {
  kind: FindingKind;
  table: string;
  /** The record, in words for people. */
  key: string;
  /** What is wrong, as the end of the error message. */
  what: string;
  /** What the operator can do, as the end of the error message. */
  remedy: string;
}

/** Progress of a check. */
export type CheckNews =
  /** A part begins that has so many records in all of its tables. */
  | { part: string; records: number }
  /** Records of this table are read next. */
  | { table: string }
  /** So many more records of this table were read. */
  | { table: string; walked: number }
  | { finding: Finding };

/** Most findings reported of one table: damage to every record would fill the terminal and the memory. */
const FINDINGS_OF_TABLE = 1_000;
/** Records of one slice: a few milliseconds. */
const SLICE = 2_000;

/** Key of a finding that is about no single record. */
export const WHOLE = 'the whole table';
/** The usual remedy. */
export const RESTORE = 'restore the data folder from a backup';
/** The remedy when the observations are sound. */
export const REBUILD = 'run "sextant aggregate --rebuild"';

/** One table of plain bytes. */
export type Rows = Database<Buffer, Buffer>;
/** The environment of a table. */
export type Root = RootDatabase<Buffer, Buffer>;

/** One part of a check: the tables of one environment. */
export class Check {
  /**
   * Leaves out what has to be computed again: identities, published records, areas, copies of addresses, the texts of
   * logged requests.
   */
  readonly isQuick: boolean;
  private readonly tell: (news: CheckNews) => void;
  private readonly tables = new Map<string, TableCheck>();

  constructor(isQuick: boolean, tell: (news: CheckNews) => void) {
    this.isQuick = isQuick;
    this.tell = tell;
  }

  /** Begins with the part. @param rows its tables */
  begin(part: string, rows: readonly Rows[]): void {
    this.tell({ part, records: rows.reduce((sum, table) => sum + countRows(table), 0) });
  }

  /**
   * The check of one table, the same for the same name.
   * @param remedy what helps unless a finding says otherwise
   */
  table(name: string, remedy: string): TableCheck {
    let table = this.tables.get(name);
    if (table === undefined) {
      table = new TableCheck(name, remedy, this.tell);
      this.tables.set(name, table);
    }
    return table;
  }

  /** Ends the part: says how many findings were left out. */
  end(): void {
    for (const table of this.tables.values()) table.end();
  }
}

/** Reports the findings of one table. */
export class TableCheck {
  readonly name: string;
  private readonly remedy: string;
  private readonly tell: (news: CheckNews) => void;
  private found = 0;

  constructor(name: string, remedy: string, tell: (news: CheckNews) => void) {
    this.name = name;
    this.remedy = remedy;
    this.tell = tell;
  }

  /** Says that records of this table are read next, in case that ends the process. */
  reading(): void {
    this.tell({ table: this.name });
  }

  walked(records: number): void {
    this.tell({ table: this.name, walked: records });
  }

  find(kind: FindingKind, key: string, what: string, remedy = this.remedy): void {
    this.found++;
    if (this.found <= FINDINGS_OF_TABLE) this.tell({ finding: { kind, table: this.name, key, what, remedy } });
  }

  /** Reports a finding if there is one. */
  findSome(kind: FindingKind, key: string, what: string | undefined): void {
    if (what !== undefined) this.find(kind, key, what);
  }

  end(): void {
    const { found, name, remedy } = this;
    if (found <= FINDINGS_OF_TABLE) return;
    const what = `${found - FINDINGS_OF_TABLE} more findings are not told`;
    this.tell({ finding: { kind: 'record', table: name, key: WHOLE, what, remedy } });
  }
}

/** Copies of up to `limit` rows after a key, in the open read transaction. @throws Error when LMDB finds damage */
export function readRows(rows: Rows, after: Buffer | undefined, limit: number): { key: Buffer; value: Buffer }[] {
  const range = after === undefined ? { limit } : { start: after, limit, exclusiveStart: true };
  const read: { key: Buffer; value: Buffer }[] = [];
  let last = after;
  for (const { key, value } of rows.getRange(range)) {
    const own = Buffer.from(key);
    // A damaged page that leads back to an earlier one would be read for ever.
    if (last !== undefined && Buffer.compare(own, last) <= 0)
      throw new Error(`the key ${own.toString('hex')} stands out of order`);
    last = own;
    read.push({ key: own, value: Buffer.from(value) });
  }
  return read;
}

/**
 * Walks through a table, up to where it ended at the beginning: it may grow faster than it is read.
 * @param onRow called with each row, in the read transaction in which it was read; both buffers are its own
 * @param limit rows of one slice
 */
export async function walkRows(
  root: Root,
  rows: Rows,
  check: TableCheck,
  onRow: (key: Buffer, value: Buffer) => void,
  limit = SLICE,
): Promise<void> {
  const count = new CountCheck(root, [{ rows, check }]);
  const end = endOf(root, rows);
  let after: Buffer | undefined;
  let walked = 0;
  for (let more = true; more; ) {
    check.reading();
    const read = inSnapshot(root, check, after, () => {
      const slice = readRows(rows, after, limit);
      for (const { key, value } of slice) onRow(key, value);
      return slice;
    });
    if (read === undefined) return;
    check.walked(read.length);
    count.add(check, read.length);
    walked += read.length;
    after = read.at(-1)?.key;
    more = read.length === limit && (walked < end.records || Buffer.compare(after!, end.last) < 0);
    await nextTurn();
  }
  count.end();
}

/**
 * How many records a table has, and its last key. Where that cannot be read there is no end, because the walk shall
 * come to the damage and tell it.
 */
function endOf(root: Root, rows: Rows): { records: number; last: Buffer } {
  root.resetReadTxn();
  try {
    const [last] = [...rows.getKeys({ reverse: true, limit: 1 })];
    return { records: countRows(rows), last: last === undefined ? Buffer.alloc(0) : Buffer.from(last) };
  } catch {
    return { records: Number.POSITIVE_INFINITY, last: Buffer.alloc(0) };
  }
}

/**
 * Walks through records with keys of this length. @param problemWith what is wrong with a record; may throw when it is
 * damaged
 */
export function walkRecords(
  root: Root,
  rows: Rows,
  check: TableCheck,
  keyBytes: number,
  problemWith: (key: Buffer, value: Buffer) => string | undefined,
): Promise<void> {
  return walkRows(root, rows, check, (key, value) => {
    const name = `key ${key.toString('hex')}`;
    if (key.length !== keyBytes) check.find('key', name, `it has ${key.length} bytes instead of ${keyBytes}`);
    else
      check.findSome(
        'record',
        name,
        problemIn(() => problemWith(key, value)),
      );
  });
}

/** What a look at a record finds, or that the record is damaged. */
export function problemIn(look: () => string | undefined): string | undefined {
  try {
    return look();
  } catch (error) {
    return `it is damaged: ${reasonOf(error).replace(/^.* is damaged: /, '')}`;
  }
}

/**
 * Runs an action in a fresh read transaction. @returns undefined when LMDB could not read on, which is then a finding
 */
export function inSnapshot<T>(
  root: Root,
  check: TableCheck,
  after: Buffer | undefined,
  action: () => T,
): T | undefined {
  root.resetReadTxn();
  try {
    return action();
  } catch (error) {
    const where = after === undefined ? 'from its beginning on' : `behind the key ${after.toString('hex')}`;
    check.find('file', WHOLE, `it cannot be read ${where}: ${(error as Error).message}`, RESTORE);
    return undefined;
  } finally {
    root.resetReadTxn();
  }
}

/** Compares the number of records of a walk with LMDB's count, unless somebody has written meanwhile. */
export class CountCheck {
  private readonly root: Root;
  private readonly tables: { rows: Rows; check: TableCheck; walked: number; expected: number }[];
  private readonly transaction: number;

  constructor(root: Root, tables: readonly { rows: Rows; check: TableCheck }[]) {
    this.root = root;
    root.resetReadTxn();
    this.transaction = lastTransaction(root);
    this.tables = tables.map(table => ({ ...table, walked: 0, expected: countRows(table.rows) }));
  }

  add(check: TableCheck, records: number): void {
    for (const table of this.tables) if (table.check === check) table.walked += records;
  }

  end(): void {
    this.root.resetReadTxn();
    if (lastTransaction(this.root) !== this.transaction) return;
    for (const { rows, check, walked, expected } of this.tables) if (walked !== expected) this.countAgain(rows, check);
  }

  /** Readers may see a commit a moment after its number stands in the file; so the final word is one snapshot's. */
  private countAgain(rows: Rows, check: TableCheck): void {
    inSnapshot(this.root, check, undefined, () => {
      let readable = 0;
      for (const key of rows.getKeys()) readable += Math.sign(key.length);
      const expected = countRows(rows);
      if (readable !== expected)
        check.find('file', WHOLE, `${readable} records can be read, and there should be ${expected}`, RESTORE);
    });
  }
}

/** A table that exists. @throws Error when the environment has none of this name */
export function openRows(root: Root, name: string): Rows {
  return existing(root.openDB<Buffer, Buffer>(name, { ...BINARY, ...{ create: false } }), `table "${name}"`);
}

/** Rows of a table, as the open transaction sees it. */
export function countRows(rows: Rows): number {
  return (rows.getStats() as { entryCount: number }).entryCount;
}

function lastTransaction(root: Root): number {
  return (root.getStats() as { lastTxnId: number }).lastTxnId;
}

/** The message of an error, fit to be part of another message. */
export function reasonOf(error: unknown): string {
  return (error as Error).message.replace(/\.$/, '');
}
