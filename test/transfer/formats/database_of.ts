// Writes a SQLite database of a test's own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

interface Table {
  name: string;
  /** Columns and constraints, as in SQL. */
  columns: string;
  rows: Record<string, SQLInputValue>[];
}

/** @param statements to run after the tables were filled */
export function databaseOf(tables: readonly Table[], ...statements: string[]): Buffer {
  const path = join(temporaryFolder(), 'database');
  const database = new DatabaseSync(path);
  database.exec('BEGIN');
  for (const { name, columns, rows } of tables) {
    database.exec(`CREATE TABLE "${name}" (${columns})`);
    for (const row of rows) {
      const names = Object.keys(row);
      database
        .prepare(
          `INSERT INTO "${name}" (${names.map(each => `"${each}"`).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
        )
        .run(...Object.values(row));
    }
  }
  database.exec('COMMIT');
  for (const statement of statements) database.exec(statement);
  database.close();
  return readFileSync(path);
}
