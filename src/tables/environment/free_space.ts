// How much room a disk has left. Tables are not written, folders not made and the service not called ready where there is too little.

import { statfsSync } from 'node:fs';

/** With less than this, commits of a busy service may fail within minutes, so it is not called ready. */
export const READY_BYTES = 256 * 1_048_576;

/** Bytes that this user may still write to the disk of a path. @throws Error when there is no such path */
export function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}
