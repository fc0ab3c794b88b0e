// Checks an LMDB file before LMDB opens it. The library maps any file into memory, so a file that is no database, or
// has lost its end, would crash the process. So the meta pages at the start of the file are read as plain bytes first
// (page_layout.ts). After a restart of the machine LMDB goes back to the last transaction that was flushed if the
// latest was not, and only then may the file be shorter than the latest says.

import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  BOOT_AT,
  DATA_VERSION,
  FLAGS_AT,
  IS_BRANCH,
  IS_LEAF,
  IS_META,
  LAST_PAGE_AT,
  MAGIC,
  MAGIC_AT,
  META_BYTES,
  META_FLAGS_AT,
  NO_ROOT,
  NOT_FLUSHED,
  PAGE_HEADER_BYTES,
  PAGE_NUMBER_AT,
  PAGE_SIZE_AT,
  TRANSACTION_AT,
  TREE_DEPTH_AT,
  TREE_ROOT_AT,
  TREES_AT,
  VERSION_AT,
} from './page_layout.ts';

/** Name of LMDB's file in the folder of an environment. */
export const DATA_FILE = 'data.mdb';
/** Keys and values are plain bytes. */
export const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;

const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** Pages at the end that a transaction freed before it wrote them may be missing in the file. */
const UNWRITTEN_PAGES_MAX = 64;

/** A tree of pages. */
export interface Tree {
  /** Number of its root page; all ones where it is empty. */
  root: bigint;
  /** Levels of pages. */
  depth: number;
}

/** Contents of a meta record. */
interface Meta {
  pageBytes: number;
  flushed: boolean;
  trees: Tree[];
  lastPage: number;
  transaction: number;
  boot: bigint;
}

/**
 * Checks the LMDB file in a folder. If the file is writable, pages at the end that were never written are appended as
 * zeros. None of them is in use; if one were, LMDB would find an empty page and say so.
 * @returns false when there is none yet: no file, or an empty one left by a kill
 * @throws Error with the reason, without a full stop, when LMDB must not open it; the file is then unchanged
 */
export function checkEnvironmentFile(folder: string): boolean {
  const path = join(folder, DATA_FILE);
  if (!existsSync(path)) return false;
  const { file, canWrite } = openToAppend(path);
  try {
    if (!fstatSync(file).isFile()) throw new Error('its data file is no file');
    if (fstatSync(file).size === 0) return false;
    const meta = liveMeta(file);
    const wanted = (meta.lastPage + 1) * meta.pageBytes;
    const missing = wanted - fstatSync(file).size;
    if (missing > UNWRITTEN_PAGES_MAX * meta.pageBytes)
      throw new Error(`its data file has lost its end (${wanted - missing} bytes of about ${wanted})`);
    for (const { root } of meta.trees) checkRoot(file, meta, root);
    if (missing > 0 && canWrite) writeSync(file, Buffer.alloc(missing));
    return true;
  } finally {
    closeSync(file);
  }
}

/**
 * Opens an LMDB file beside LMDB. Appends, because another thread may be writing to the file: it must not become
 * shorter, and nothing in it may change.
 * @throws Error when it cannot be opened at all
 */
export function openToAppend(path: string): { file: number; canWrite: boolean } {
  try {
    return { file: openSync(path, 'a+'), canWrite: true };
  } catch (error) {
    // A file that is only read may belong to somebody else.
    if (!['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return { file: openSync(path, 'r'), canWrite: false };
  }
}

/** The meta record that LMDB will use. @throws Error with the reason when the file is no database */
export function liveMeta(file: number): Meta {
  const first = readMeta(file, 0);
  requireMeta(first);
  const { pageBytes } = parseMeta(first);
  const second = readMeta(file, pageBytes);
  requireMeta(second);
  const flushed = parseMeta(readMeta(file, pageBytes / 2));
  const boot = currentBoot();
  const latest = pick(parseMeta(first), parseMeta(second), boot);
  return flushed.pageBytes === pageBytes ? pick(latest, flushed, boot) : latest;
}

/** `mdb_pick_meta` as it is at the first opening. */
function pick(a: Meta, b: Meta, boot: bigint): Meta {
  const latest = a.transaction >= b.transaction ? a : b;
  if (b.transaction === 0) return a;
  if (latest.flushed || (boot !== 0n && latest.boot === boot)) return latest;
  return latest === a ? b : a;
}

function readMeta(file: number, at: number): Buffer {
  const meta = Buffer.alloc(META_BYTES); // stays zero beyond the end of the file
  readSync(file, meta, 0, META_BYTES, at);
  return meta;
}

function requireMeta(meta: Buffer): void {
  const { pageBytes } = parseMeta(meta);
  const isPageSize = pageBytes >= PAGE_BYTES_MIN && pageBytes <= PAGE_BYTES_MAX && (pageBytes & (pageBytes - 1)) === 0;
  const isMeta = (meta.readUInt16LE(FLAGS_AT) & IS_META) !== 0;
  if (!isMeta || meta.readUInt32LE(MAGIC_AT) !== MAGIC || !isPageSize)
    throw new Error('its data file is no LMDB database, or is damaged');
  const version = meta.readUInt16LE(VERSION_AT);
  if (version !== DATA_VERSION) throw new Error(`its data file has LMDB version ${version} instead of ${DATA_VERSION}`);
}

function parseMeta(meta: Buffer): Meta {
  return {
    pageBytes: meta.readUInt32LE(PAGE_SIZE_AT),
    flushed: (meta.readUInt16LE(META_FLAGS_AT) & NOT_FLUSHED) === 0,
    trees: TREES_AT.map(at => ({
      depth: meta.readUInt16LE(at + TREE_DEPTH_AT),
      root: meta.readBigUInt64LE(at + TREE_ROOT_AT),
    })),
    lastPage: Number(meta.readBigUInt64LE(LAST_PAGE_AT)),
    transaction: Number(meta.readBigUInt64LE(TRANSACTION_AT)),
    boot: meta.readBigUInt64LE(BOOT_AT),
  };
}

/** The root pages of the two trees in which LMDB finds everything else. */
function checkRoot(file: number, { pageBytes, lastPage }: Meta, root: bigint): void {
  if (root === NO_ROOT) return;
  const page = Buffer.alloc(PAGE_HEADER_BYTES);
  if (root <= lastPage) readSync(file, page, 0, page.length, Number(root) * pageBytes);
  const isTree = (page.readUInt16LE(FLAGS_AT) & (IS_BRANCH | IS_LEAF)) !== 0;
  if (page.readBigUInt64LE(PAGE_NUMBER_AT) !== root || !isTree) throw new Error('its data file is damaged');
}

/** The number by which lmdb-js tells one boot of the machine from the next; 0 when it is unknown, as outside Linux. */
function currentBoot(): bigint {
  const path = '/proc/sys/kernel/random/boot_id';
  return existsSync(path) ? BigInt(`0x${readFileSync(path, 'utf8').slice(0, 8)}`) : 0n;
}

/** What was written by a version with other formats. Its message is the reason, as the end of an error message. */
export class OtherFormat extends Error {
  /** What helps: a sentence. */
  static readonly remedy = 'Run the version that wrote it, or export with that version and import with this one.';
}

/** A table of an environment that is ours. @throws OtherFormat when it has none of this name */
export function ownTable<T>(table: T | undefined, name: string): T {
  if (table === undefined) throw new OtherFormat(`it has no table "${name}", as another version wrote it`);
  return table;
}

/** A database opened with `create: false`. @throws Error with the reason when the environment has none of this name */
export function existing<T>(database: T | undefined, table: string): T {
  if (database === undefined) throw new Error(`it is no ${table}`);
  return database;
}
