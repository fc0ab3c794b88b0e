// What crosses from an HTTP thread to its compute workers: at their start the shared memory, then one number for a run of queries, or the name and the
// input of a task.

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

/** What a worker is sent. */
export type Message = Run | Call;

/** A run of queries in the ring as one number (`encodeRun`), or a query too large for it in memory of its own. */
export type Run = number | SharedArrayBuffer;

/** A task by its name. */
export interface Call {
  task: string;
  input: unknown;
}

/** Queries of one run: the count takes the lowest ten bits of the number. */
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
