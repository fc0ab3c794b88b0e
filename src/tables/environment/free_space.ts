// How much room tables take, and how much a disk has left. Tables are not written, folders not made and the service not
// called ready where there is too little.

import { statfsSync } from 'node:fs';
import type { Database } from 'lmdb';

const MEGABYTE = 1_048_576;

/** With less than this, commits of a busy service may fail within minutes, so it is not called ready. */
export const READY_BYTES = 256 * MEGABYTE;

/** Bytes that this user may still write to the disk of a path. @throws Error when there is no such path */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/**
 * Requires room for work that can wait, of which a busy service needs a part meanwhile.
 * @param bytes that the work will write
 * @param what the work, the beginning of a sentence
 * @throws Error when it would leave less than `READY_BYTES`
 */
export function requireRoom(path: string, bytes: number, what: string): void {
  const free = freeBytes(path);
  if (free >= bytes + READY_BYTES) return;
  const [needed, left] = [Math.ceil((bytes + READY_BYTES) / MEGABYTE), Math.floor(free / MEGABYTE)];
  throw new Error(`${what} needs ${needed} MB of free disk, and ${left} MB are left.`);
}

/** Bytes of the pages that a table takes. */
export function pagesBytes(table: Database<Buffer, Buffer>): number {
  const pages = table.getStats() as {
    pageSize: number;
    treeBranchPageCount: number;
    treeLeafPageCount: number;
    overflowPages: number;
  };
  return (pages.treeBranchPageCount + pages.treeLeafPageCount + pages.overflowPages) * pages.pageSize;
}
