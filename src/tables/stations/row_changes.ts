// Which rows of a generation have changed, and the same as bytes. The learner of a cluster notes the keys that it
// writes, and sends the rows of these keys as they are a moment later. Rows are whole values, so it does no harm to
// write some twice, and it does not matter how they came about: every table of a generation travels the same way.
//
//   row     table u8, bytes of the key u16, bytes of the value u32 or NO_VALUE for a row that is gone, key, value

import type { Generation } from './generation.ts';

/** The tables of a generation by the numbers that rows have; never change one. */
const TABLES = ['stations', 'areas', 'learned', 'codes', 'tracks', 'stale', 'calibration'] as const;
/** Number of `meta`, whose keys are text and whose values are JSON. */
const META_TABLE = 255;
/** Rows of `meta` that belong to one copy of the tables. */
const OWN_META = ['cluster', 'generation'];
const HEAD_BYTES = 7;
const NO_VALUE = 0xffffffff;
const KEY_BYTES_MAX = 2_000;

/** A row as it is now; without `value` it is gone. */
export interface ChangedRow {
  table: number;
  key: Buffer;
  value: Buffer | undefined;
}

/** Notes the keys of rows that are written. */
export class RowChanges {
  /** Nothing is noted unless it is on. */
  isOn = false;
  /** Called in the open transaction with the first row after `take`. */
  onFirst: () => void = () => undefined;
  private keys = new Map<number, Set<string>>();

  /** Rows that have changed. */
  get size(): number {
    return [...this.keys.values()].reduce((sum, keys) => sum + keys.size, 0);
  }

  /** Notes what is written to a generation, in this thread, from here on. */
  watch(generation: Generation): void {
    for (const [number, name] of TABLES.entries())
      this.watchTable(number, generation[name], key => (key as Buffer).toString('latin1'));
    this.watchTable(META_TABLE, generation.meta, String);
  }

  private watchTable(number: number, table: object, textOf: (key: unknown) => string): void {
    const writes = table as Record<'put' | 'remove', (...words: unknown[]) => Promise<boolean>>;
    // Every way to write a row of lmdb-js ends in one of these two.
    for (const method of ['put', 'remove'] as const) {
      const write = writes[method].bind(table);
      writes[method] = (key, ...rest) => {
        if (this.isOn) this.add(number, textOf(key));
        return write(key, ...rest);
      };
    }
  }

  private add(table: number, key: string): void {
    if (table === META_TABLE && OWN_META.includes(key)) return;
    if (this.keys.size === 0) this.onFirst();
    const keys = this.keys.get(table);
    if (keys === undefined) this.keys.set(table, new Set([key]));
    else keys.add(key);
  }

  /** Takes the keys, so that none is noted any more. */
  take(): [table: number, key: string][] {
    const taken = [...this.keys].flatMap(([table, keys]) => [...keys].map(key => [table, key] as [number, string]));
    this.keys = new Map();
    return taken;
  }

  /** Notes rows again that could not be sent. */
  giveBack(rows: readonly (readonly [table: number, key: string])[]): void {
    for (const [table, key] of rows) this.keys.set(table, (this.keys.get(table) ?? new Set()).add(key));
  }
}

/** The rows of some keys as they are in the read transaction of this moment. */
export function rowsNow(generation: Generation, keys: readonly (readonly [number, string])[]): ChangedRow[] {
  return keys.map(([table, text]) => {
    if (table === META_TABLE) {
      const value = generation.meta.get(text);
      return { table, key: Buffer.from(text), value: value === undefined ? value : Buffer.from(JSON.stringify(value)) };
    }
    const key = Buffer.from(text, 'latin1');
    return { table, key, value: generation[TABLES[table]].getBinary(key) };
  });
}

/** Writes rows, in the open transaction. */
export function writeRows(generation: Generation, rows: readonly ChangedRow[]): void {
  for (const { table, key, value } of rows) {
    if (table === META_TABLE) {
      if (value === undefined) generation.meta.removeSync(key.toString());
      else generation.meta.putSync(key.toString(), JSON.parse(value.toString()));
      continue;
    }
    if (value === undefined) generation[TABLES[table]].removeSync(key);
    else generation[TABLES[table]].putSync(key, value);
  }
}

/** True for a row of the published stations, which the cache holds. */
export function isStationRow({ table }: ChangedRow): boolean {
  return TABLES[table] === 'stations';
}

/** True for a row of what the service measured of itself. */
export function isCalibrationRow({ table }: ChangedRow): boolean {
  return TABLES[table] === 'calibration';
}

/** Rows as bytes. */
export function packRows(rows: readonly ChangedRow[]): Buffer {
  return Buffer.concat(
    rows.flatMap(({ table, key, value }) => {
      const head = Buffer.alloc(HEAD_BYTES);
      head.writeUInt8(table);
      head.writeUInt16LE(key.length, 1);
      head.writeUInt32LE(value?.length ?? NO_VALUE, 3);
      return value === undefined ? [head, key] : [head, key, value];
    }),
  );
}

/** The same back. @throws Error when the bytes are damaged, or name a table that this version does not know */
export function unpackRows(bytes: Buffer): ChangedRow[] {
  const rows: ChangedRow[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + HEAD_BYTES > bytes.length) throw damaged(at, bytes);
    const table = bytes.readUInt8(at);
    const keyBytes = bytes.readUInt16LE(at + 1);
    const valueBytes = bytes.readUInt32LE(at + 3);
    const isGone = valueBytes === NO_VALUE;
    const key = at + HEAD_BYTES;
    const value = key + keyBytes;
    const end = value + (isGone ? 0 : valueBytes);
    const isKnown = table < TABLES.length || table === META_TABLE;
    if (!isKnown || keyBytes === 0 || keyBytes > KEY_BYTES_MAX || end > bytes.length) throw damaged(at, bytes);
    rows.push({ table, key: bytes.subarray(key, value), value: isGone ? undefined : bytes.subarray(value, end) });
    at = end;
  }
  return rows;
}

/** Several lists of rows as one: of each row, the last. */
export function mergeRows(lists: readonly (readonly ChangedRow[])[]): ChangedRow[] {
  const merged = new Map<string, ChangedRow>();
  for (const rows of lists) for (const row of rows) merged.set(`${row.table} ${row.key.toString('latin1')}`, row);
  return [...merged.values()];
}

function damaged(at: number, bytes: Buffer): Error {
  return new Error(`The changes of the tables are damaged at byte ${at} of ${bytes.length}.`);
}
