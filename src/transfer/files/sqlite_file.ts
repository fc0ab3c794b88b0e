// Reads tables of a SQLite database (a GeoPackage is one). The file may be anybody's: it is opened to be read only, its
// views, triggers and virtual tables are not used, and values longer than any name of a network are not loaded.

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { firstBytes } from '../../config/regular_file.ts';

/** A database begins with this. */
const SQLITE_MARK = 'SQLite format 3\0';

const TABLES_MAX = 1000;
const VALUE_BYTES_MAX = 4096;
const BATCH_ROWS = 1000;

/** Rows of a query, some at a time. */
interface QueryBlock {
  /** Number of the first row, from 1. */
  firstRow: number;
  /** Values as text, a blob in hexadecimal, empty where there is none. */
  rows: string[][];
}

/** An open database. */
export class SqliteFile {
  /** Names of its tables as they are written, by their names in lower case. */
  readonly tables: ReadonlyMap<string, string>;
  readonly bytes: number;
  private readonly path: string;
  private readonly database: DatabaseSync;

  /** @throws Error when the file is no database, or is compressed */
  constructor(path: string) {
    this.path = path;
    this.bytes = statSync(path).size;
    if (!beginsWithMark(path))
      throw new Error(`${path} is a compressed SQLite database, which is not read in parts; unpack it first.`);
    // Beside a journal the file itself is not the whole truth; otherwise nothing is written beside it.
    const url = `${pathToFileURL(path).href}${existsSync(`${path}-wal`) ? '' : '?immutable=1'}`;
    this.database = this.checked('', () => new DatabaseSync(new URL(url), { readOnly: true, defensive: true }));
    this.tables = this.checked('', () => {
      this.database.exec('PRAGMA trusted_schema = OFF; PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON;');
      const names = this.database
        .prepare(
          `SELECT name FROM sqlite_schema WHERE type = 'table' AND octet_length(name) < 100 AND sql NOT LIKE
          'CREATE VIRTUAL%' LIMIT ${TABLES_MAX}`,
        )
        .all();
      return new Map(names.map(({ name }) => [String(name).toLowerCase(), String(name)]));
    });
  }

  /** A list of columns for a query: those of a table that are stored. @param table as it is written */
  columns(table: string, alias: string): string {
    const columns = this.checked(table, () =>
      this.database.prepare('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0').all(table),
    );
    return columns.map(({ name }) => capped(`${alias}.${quoted(String(name))}`, String(name))).join(', ');
  }

  /** The first value of a query; undefined where there is none. */
  value(table: string, query: string): SQLOutputValue | undefined {
    return this.checked(table, () => Object.values(this.database.prepare(query).get() ?? {})[0]);
  }

  /** Names of the columns of a query, in lower case. @param table for messages */
  namesOf(table: string, query: string): string[] {
    return this.checked(table, () => this.database.prepare(query).columns()).map(({ name }) => name.toLowerCase());
  }

  /**
   * The rows of a query.
   * @param table for messages
   * @throws Error when the database is damaged, naming the table and the last row that was read
   */
  async *rows(table: string, query: string): AsyncGenerator<QueryBlock> {
    let firstRow = 1;
    const where = () => (firstRow === 1 ? table : `${table} after row ${(firstRow - 1).toLocaleString('en')}`);
    const iterator = this.checked(table, () => rowsOf(this.database.prepare(query)));
    for (;;) {
      const rows = this.checked(where(), () => takeRows(iterator));
      if (rows.length === 0) return;
      yield { firstRow, rows };
      firstRow += rows.length;
      // Nothing else gives way to other work: the database is read at once.
      await setImmediate();
    }
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  private checked<T>(where: string, read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw new Error(
        `${this.path}${where && `/${where}`} cannot be read as a SQLite database: ${(error as Error).message}.`,
      );
    }
  }
}

/** A name in a query. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** An expression under a name, without values that are longer than is read. */
export function capped(expression: string, name: string): string {
  return `CASE WHEN octet_length(${expression}) <= ${VALUE_BYTES_MAX} THEN ${expression} END AS ${quoted(name)}`;
}

/** What is inflated on the way here is no file that SQLite could open. */
function beginsWithMark(path: string): boolean {
  return firstBytes(path, SQLITE_MARK.length).toString('latin1') === SQLITE_MARK;
}

function rowsOf(statement: StatementSync): Iterator<unknown> {
  statement.setReturnArrays(true);
  return statement.iterate();
}

function takeRows(iterator: Iterator<unknown>): string[][] {
  const rows: string[][] = [];
  while (rows.length < BATCH_ROWS) {
    const { done, value } = iterator.next();
    if (done) break;
    rows.push((value as SQLOutputValue[]).map(textOf));
  }
  return rows;
}

function textOf(value: SQLOutputValue): string {
  if (value === null) return '';
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
