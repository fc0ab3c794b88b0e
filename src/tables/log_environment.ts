// Opens the LMDB environment of the request log, or refuses it with a sentence. LMDB itself does not survive a foreign or a cut file: it maps
// what is there and the process dies on the first page that is not. So the file's two meta pages are read before LMDB sees them.

import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';

const FORMAT = 1;
const FORMAT_KEY = Buffer.from('format');

/** Keys and values are plain bytes. */
export const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

// A meta page as lmdb-js writes it (MDB_page, MDB_meta of liblmdb 1.0): a header of 24 bytes, then the fields.
const META_BYTES = 160;
const META_MAGIC = 24; // u32
const META_PAGE_BYTES = 48; // u32
const META_LAST_PAGE = 144; // u64
const MAGIC = 0xbeefc0de;
/** A transaction may leave its last pages unwritten where it has freed them again; more than this is a file cut short. */
const UNWRITTEN_PAGES = 64;

const WAY_OUT = 'Put back a copy of that folder, or move it away: then only the log is lost, and log ids begin again.';

/**
 * Opens or creates the environment in `folder`.
 * @throws Error with a sentence when the folder holds something else, a newer format or a damaged file
 */
export function openLogEnvironment(folder: string): RootDatabase<Buffer, Buffer> {
  checkFile(folder);
  let root: RootDatabase<Buffer, Buffer> | undefined;
  let refusal: string | undefined;
  try {
    root = open<Buffer, Buffer>({ path: folder, ...BINARY });
    refusal = claimFormat(root, folder);
  } catch (error) {
    root?.close();
    throw new Error(`The request log in ${folder} cannot be read: ${(error as Error).message}. ${WAY_OUT}`, { cause: error });
  }
  if (refusal === undefined) return root;
  root.close();
  throw new Error(refusal);
}

/** Bytes of the pages that a table takes. */
export function pagesBytes(table: Database<Buffer, Buffer>): number {
  const pages = table.getStats() as { pageSize: number; treeBranchPageCount: number; treeLeafPageCount: number; overflowPages: number };
  return (pages.treeBranchPageCount + pages.treeLeafPageCount + pages.overflowPages) * pages.pageSize;
}

/** Writes the format into an empty environment, or reads it. @returns why this version cannot use the environment. */
function claimFormat(root: RootDatabase<Buffer, Buffer>, folder: string): string | undefined {
  const stored = root.getBinary(FORMAT_KEY);
  if (stored === undefined) {
    if (root.getKeysCount({ limit: 1 }) > 0) return `The LMDB environment in ${folder} is no request log. ${WAY_OUT}`;
    root.putSync(FORMAT_KEY, Buffer.from([FORMAT]));
    return undefined;
  }
  if (stored[0] === FORMAT && stored.length === 1) return undefined;
  return `The request log in ${folder} has format ${stored.toString('hex')}; this version reads format 0${FORMAT}. Use the version that wrote it. ${WAY_OUT}`;
}

/**
 * Refuses a file that LMDB would die of. One that ends in pages never written is filled up with zeros: none of them is in use, and should one be
 * after all, LMDB finds an empty page and says so.
 */
function checkFile(folder: string): void {
  const path = join(folder, 'data.mdb');
  if (!existsSync(path)) return;
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return; // killed before the first commit
    const first = readMeta(file, 0);
    const second = readMeta(file, first.pageBytes);
    if (first.magic !== MAGIC || second.magic !== MAGIC) throw new Error(`The file ${path} is no LMDB file or is damaged. ${WAY_OUT}`);
    const { pageBytes } = first;
    const flushed = readMeta(file, pageBytes / 2); // what LMDB goes back to after a power cut; no magic
    const lastPages = [first.lastPage, second.lastPage, ...(flushed.pageBytes === pageBytes ? [flushed.lastPage] : [])];
    const missing = Math.min(...lastPages) + 1 - Math.floor(size / pageBytes);
    if (missing > UNWRITTEN_PAGES) throw new Error(`The file ${path} is cut short: ${missing} of its pages are missing. ${WAY_OUT}`);
    const whole = (Math.max(...lastPages) + 1) * pageBytes;
    if (size < whole) ftruncateSync(file, whole);
  } finally {
    closeSync(file);
  }
}

function readMeta(file: number, at: number): { magic: number; pageBytes: number; lastPage: number } {
  const meta = Buffer.alloc(META_BYTES); // stays zero beyond the end of the file
  readSync(file, meta, 0, META_BYTES, at);
  return {
    magic: meta.readUInt32LE(META_MAGIC),
    pageBytes: meta.readUInt32LE(META_PAGE_BYTES),
    lastPage: Number(meta.readBigUInt64LE(META_LAST_PAGE)),
  };
}
