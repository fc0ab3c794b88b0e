// The messages of an HTTP thread to its compute workers: the shared memory at their start, then one number for each run of queries, or the name and input of a
// task.

import type { LayerShareState } from '../tables/places/layer_share.ts';

/** Given to a worker at its start. */
export interface WorkerSetup {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: SharedArrayBuffer;
  /** Leads to the layers of places. */
  layers: LayerShareState;
  /** Memory of the ring of the HTTP thread that this worker belongs to. */
  ring: SharedArrayBuffer;
  /** A byte for each thread number modulo OPENED_BYTES: 1 once that worker is loaded and has opened its tables. */
  opened: SharedArrayBuffer;
}

/** Length of `opened`. A process starts fewer threads than this before the first of them have ended. */
export const OPENED_BYTES = 1024;

/** A message to a worker. */
export type Message = Run | Call;

/** A run of queries in the ring, as one number (`encodeRun`), or the memory of one query that is too large for the ring. */
export type Run = number | SharedArrayBuffer;

/** A call of a task. */
export interface Call {
  task: string;
  input: unknown;
}

/** Most queries in a run: the count takes the lowest ten bits of the number. */
export const RUN_LIMIT = 1023;

/** Packs a run: `offset` in bytes, a multiple of 8; `count` 1..RUN_LIMIT. */
export function encodeRun(offset: number, count: number): number {
  return (offset / 8) * (RUN_LIMIT + 1) + count;
}

/** Where a run begins in its memory, and how many queries it has. */
export function decodeRun(run: Run): { offset: number; count: number } {
  if (typeof run !== 'number') return { offset: 0, count: 1 };
  return { offset: Math.floor(run / (RUN_LIMIT + 1)) * 8, count: run % (RUN_LIMIT + 1) };
}
