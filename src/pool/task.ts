// What crosses from an HTTP thread to its compute workers: at their start the shared memory, then one number a task.

import type { LayerShareState } from '../tables/places/layer_share.ts';

/** What a worker is given at its start. */
export interface WorkerSetup {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: SharedArrayBuffer;
  /** How it comes to the layers of places. */
  layers: LayerShareState;
  /** Memory of the ring of the HTTP thread that this worker belongs to. */
  ring: SharedArrayBuffer;
  /** A byte for each thread number, modulo OPENED_BYTES: 1 when that worker is loaded and has opened its tables. */
  opened: SharedArrayBuffer;
}

/** Length of `opened`: more threads than a process starts before the first of them have ended. */
export const OPENED_BYTES = 1024;

/** A run of queries in the ring as one number (`encodeRun`), or a query too large for it in memory of its own. */
export type Task = number | SharedArrayBuffer;

/** Queries of one run: the count takes the lowest ten bits of the number. */
export const RUN_LIMIT = 1023;

/** Packs a run: `offset` in bytes, a multiple of 8; `count` 1..RUN_LIMIT. */
export function encodeRun(offset: number, count: number): number {
  return (offset / 8) * 1024 + count;
}
