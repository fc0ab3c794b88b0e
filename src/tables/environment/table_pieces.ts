// Tables as pieces of about a megabyte, each known by the SHA-256 of its bytes. Where a piece ends is decided by its
// last row alone, so equal rows make equal pieces whatever stands elsewhere: who has most of the rows of another
// folder needs only the pieces that it lacks. Tables are equal, row by row, if the hashes of their pieces are.
//
//   piece     rows of one table, one after the other, in the order of their keys
//   row       table u8, by its place in the list of tables; bytes of the key u16, of the value u32; key, value
//
// Source of the idea: A. Muthitacharoen, B. Chen, D. Mazières, "A low-bandwidth network file system", SOSP 2001.

import { hash as hashOf } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Transaction } from 'lmdb';
import { commitInBulk } from './commit.ts';
import type { NamedTables } from './named_tables.ts';
import { Row, u8, u16Key, u32 } from './row.ts';

/** Bytes of a piece on average: some milliseconds of reading and hashing. */
const PIECE_BYTES = 1_048_576;
const HEADER = new Row({ table: u8, keyBytes: u16Key, valueBytes: u32 });

interface TablePiece {
  /** SHA-256 of its bytes, hexadecimal. */
  hash: string;
  bytes: Buffer;
}

/** Keys of the rows of a piece, and their table. */
interface PieceKeys {
  table: Database<Buffer, Buffer>;
  keys: Buffer[];
}

type Tables = NamedTables<string>;

/** Cuts tables into pieces, in order. @param transaction under which they are read; undefined = that of this moment */
export function* piecesOf(tables: Tables, transaction?: Transaction): Generator<TablePiece & PieceKeys> {
  for (const [number, table] of databasesOf(tables).entries()) {
    let parts: Buffer[] = [];
    let keys: Buffer[] = [];
    for (const { key, value } of table.getRange(transaction === undefined ? {} : { transaction })) {
      parts.push(HEADER.encode({ table: number, keyBytes: key.length, valueBytes: value.length }), key, value);
      keys.push(Buffer.from(key));
      if (!isLast(key, HEADER.bytes + key.length + value.length)) continue;
      yield pieceOf(parts, table, keys);
      [parts, keys] = [[], []];
    }
    if (keys.length > 0) yield pieceOf(parts, table, keys);
  }
}

/**
 * Makes tables those of some pieces, in one transaction.
 * @param hashes of all pieces, in order
 * @param from folder with those that the tables lack, as files with their hashes as names
 * @throws Error when the rows would have other hashes afterwards, or cannot be written; the tables are then as before
 */
export function takePieces(tables: Tables, what: string, hashes: readonly string[], from: string): void {
  const wanted = new Set(hashes);
  const databases = databasesOf(tables);
  commitInBulk(tables.root, what, () => {
    const others: PieceKeys[] = [];
    for (const { hash, table, keys } of piecesOf(tables)) if (!wanted.delete(hash)) others.push({ table, keys });
    for (const { table, keys } of others) for (const key of keys) table.removeSync(key);
    for (const hash of wanted) putPiece(databases, readFileSync(join(from, hash)));
    const now = Array.from(piecesOf(tables), ({ hash }) => hash);
    if (now.join() !== hashes.join()) throw new Error(`${what} that came do not have the hashes that they should.`);
  });
}

function putPiece(databases: readonly Database<Buffer, Buffer>[], piece: Buffer): void {
  for (let at = 0; at < piece.length; ) {
    const { table, keyBytes, valueBytes } = HEADER.read(piece, at);
    const valueAt = at + HEADER.bytes + keyBytes;
    databases[table].putSync(piece.subarray(at + HEADER.bytes, valueAt), piece.subarray(valueAt, valueAt + valueBytes));
    at = valueAt + valueBytes;
  }
}

function pieceOf(parts: readonly Buffer[], table: PieceKeys['table'], keys: Buffer[]): TablePiece & PieceKeys {
  const bytes = Buffer.concat(parts);
  return { hash: hashOf('sha256', bytes), bytes, table, keys };
}

/** The tables in the order in which they are listed. */
function databasesOf({ root: _, ...tables }: Tables): Database<Buffer, Buffer>[] {
  return Object.values(tables);
}

/** True for the last row of a piece: so many of all are that pieces have their bytes on average. */
function isLast(key: Buffer, rowBytes: number): boolean {
  let mixed = 0x811c9dc5;
  for (const byte of key) mixed = Math.imul(mixed ^ byte, 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32 < rowBytes / PIECE_BYTES;
}
