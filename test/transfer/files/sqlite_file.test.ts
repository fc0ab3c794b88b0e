import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { SqliteFile } from '../../../src/transfer/files/sqlite_file.ts';
import { openObservations } from '../../../src/transfer/formats/observation_file.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { databaseOf } from '../formats/database_of.ts';
import { fileOf, readFile } from '../formats/read_file.ts';

const ROWS = Array.from({ length: 2_500 }, (_, i) => ({
  n: i,
  name: 'x'.repeat(i % 7),
  bytes: new Uint8Array([i & 255]),
}));
const TABLE = { name: 'A table', columns: 'n INTEGER, name TEXT, bytes BLOB', rows: ROWS };

async function rowsOf(database: SqliteFile, query: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const block of database.rows('A table', query)) {
    expect(block.firstRow).toBe(rows.length + 1);
    rows.push(...block.rows);
  }
  database.close();
  return rows;
}

test('rows of a table are read as text, some at a time', async () => {
  const database = new SqliteFile(fileOf(databaseOf([TABLE])));
  expect([...database.tables]).toEqual([['a table', 'A table']]);
  const rows = await rowsOf(database, `SELECT ${database.columns('A table', 't')} FROM "A table" t`);
  expect(rows).toHaveLength(2_500);
  expect(rows[13]).toEqual(['13', 'xxxxxx', '0d']);
});

test('values that are longer than any name are not loaded', async () => {
  const long = {
    ...TABLE,
    rows: [
      { n: 1, name: 'x'.repeat(100_000) },
      { n: 2, name: 'x'.repeat(4096) },
    ],
  };
  const database = new SqliteFile(fileOf(databaseOf([long])));
  const rows = await rowsOf(database, `SELECT ${database.columns('A table', 't')} FROM "A table" t`);
  expect(rows.map(([, name]) => name.length)).toEqual([0, 4096]);
});

test('views and virtual tables are no tables', () => {
  const database = new SqliteFile(
    fileOf(databaseOf([TABLE], 'CREATE VIEW packets AS SELECT 1', 'CREATE VIRTUAL TABLE devices USING fts5(x)')),
  );
  expect(database.tables.has('packets')).toBe(false);
  expect(database.tables.has('devices')).toBe(false);
  database.close();
});

test('the database is not written, nor is anything beside it', () => {
  const database = new SqliteFile(fileOf(databaseOf([TABLE])));
  expect(() => database.value('A table', 'DELETE FROM "A table" RETURNING 1')).toThrow('readonly database');
  database.close();
});

test('what stands in a journal beside the database is read', async () => {
  const path = join(temporaryFolder(), 'journalled');
  const writer = new DatabaseSync(path);
  writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE "A table" (n INTEGER); INSERT INTO "A table" VALUES (7)');
  expect(existsSync(`${path}-wal`)).toBe(true);
  expect(await rowsOf(new SqliteFile(path), 'SELECT n FROM "A table"')).toEqual([['7']]);
  writer.close();
  expect(readdirSync(dirname(path))).toEqual(['journalled']);
  expect(await rowsOf(new SqliteFile(path), 'SELECT n FROM "A table"')).toEqual([['7']]);
  expect(readdirSync(dirname(path))).toEqual(['journalled']);
});

test('a damaged database is read up to the damage', async () => {
  const whole = databaseOf([TABLE]);
  whole.fill(0xff, 6 * 4096, 7 * 4096);
  const database = new SqliteFile(fileOf(whole));
  await expect(rowsOf(database, 'SELECT n FROM "A table"')).rejects.toThrow(
    /\/file\/A table after row [\d,]+ cannot be read as a SQLite database: database disk image is malformed\./,
  );
});

test('databases that are compressed, streamed, or of nothing known are refused', async () => {
  await expect(readFile(gzipSync(databaseOf([TABLE])))).rejects.toThrow('file is a compressed SQLite database');
  await expect(readFile(databaseOf([TABLE]))).rejects.toThrow(
    'file is a SQLite database, but none of Kismet, Network Survey or NeoStumbler.',
  );
  await expect(openObservations('-', Readable.from([databaseOf([TABLE])]))).rejects.toThrow('name the file.');
  const path = fileOf('x');
  writeFileSync(path, `SQLite format 3\0${'x'.repeat(2000)}`);
  await expect(openObservations(path, Readable.from([]))).rejects.toThrow('cannot be read as a SQLite database');
});
