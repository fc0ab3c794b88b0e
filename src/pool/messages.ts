// What a compute worker is given at its start, and the messages to it: the number of a query worker, which then answers
// queries until it is told to end, or the name and input of a task. Queries themselves travel through shared memory
// (run_queue.ts).

import type { CacheMemory } from '../core/cache_memory.ts';
import type { LayerShareState } from '../tables/places/layer_share.ts';

/** Memory by which one HTTP thread reaches the query workers. */
export interface QueryChannel {
  /** Its ring, in which the queries lie. */
  ring: SharedArrayBuffer;
  /** Its runs (run_queue.ts). */
  runs: SharedArrayBuffer;
  /** The doorbell of the workers. */
  bell: SharedArrayBuffer;
}

/** Memory that the query workers work in. */
export interface QueryMemories {
  /** Of each HTTP thread. */
  channels: readonly QueryChannel[];
  bell: SharedArrayBuffer;
  /** Of all workers (progress.ts). */
  progress: SharedArrayBuffer;
}

/** Given to a worker at its start. */
export interface WorkerSetup {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: CacheMemory;
  /** Says when the maps of buildings have changed. */
  maps: SharedArrayBuffer;
  /** Leads to the layers of places. */
  layers: LayerShareState;
  /** For a query worker. */
  queries: QueryMemories | undefined;
  /** A byte for each thread number modulo OPENED_BYTES: 1 once that worker is loaded and has opened its tables. */
  opened: SharedArrayBuffer;
  /** The worker lets others of the machine go first. */
  isBackground: boolean;
}

/** Length of `opened`. A process starts fewer threads than this before the first of them have ended. */
export const OPENED_BYTES = 1024;

/** A message to a worker: its number as a query worker, from 0, or a task. */
export type Message = number | Call;

/** A call of a task. */
export interface Call {
  task: string;
  input: unknown;
  /** Memory that the input takes. */
  bytes: number;
  /** Memory of its state (slices.ts). */
  state: SharedArrayBuffer;
}
