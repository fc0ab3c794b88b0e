// Looks at an LMDB file before LMDB does. The library maps what it is given into memory: a file that is no database, or that has lost its end, would
// not fail but crash the process. So the two description pages at the start of the file are read as plain bytes first.
//
// Source: `MDB_meta` in liblmdb's mdb.c, data version 2, little-endian: a page header of 24 bytes, then magic u32, version u32, address u64, map size
// u64, page size u32 (all at offsets of 24 and up), ..., last page u64 at 144, transaction u64 at 152.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const MAGIC = 0xbeefc0de;
const DATA_VERSION = 2;
const MAGIC_AT = 24;
const VERSION_AT = 28;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;
/** Pages at the end that were freed before they were ever written need not be in the file. */
const UNWRITTEN_PAGES_MAX = 64;

/**
 * Checks that the folder holds a whole LMDB file.
 * @throws Error with the reason, a sentence without its full stop, when LMDB must not open it
 */
export function requireEnvironmentFile(folder: string): void {
  const file = openSync(join(folder, 'data.mdb'), 'r');
  try {
    const bytes = fstatSync(file).size;
    const first = readMeta(file, 0);
    const second = readMeta(file, first.pageBytes);
    const { lastPage, pageBytes } = first.transaction > second.transaction ? first : second;
    const wanted = (lastPage + 1 - UNWRITTEN_PAGES_MAX) * pageBytes;
    if (bytes < wanted) throw new Error(`its data file has lost its end (${bytes} bytes of about ${(lastPage + 1) * pageBytes})`);
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, at: number): { pageBytes: number; lastPage: number; transaction: number } {
  const page = Buffer.alloc(META_BYTES);
  const read = readSync(file, page, 0, META_BYTES, at);
  if (read < META_BYTES || page.readUInt32LE(MAGIC_AT) !== MAGIC) throw new Error('its data file is no LMDB database');
  const version = page.readUInt16LE(VERSION_AT);
  if (version !== DATA_VERSION) throw new Error(`its data file has LMDB version ${version} instead of ${DATA_VERSION}`);
  return {
    pageBytes: page.readUInt32LE(PAGE_SIZE_AT),
    lastPage: Number(page.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: Number(page.readBigUInt64LE(TRANSACTION_AT)),
  };
}
