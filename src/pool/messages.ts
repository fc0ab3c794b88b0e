// What a compute worker is given at its start, and the messages to it: the number of a query worker, which then answers
// queries until it is told to end, or the name and input of a task. Queries themselves travel through shared memory
// (run_queue.ts).

import type { Answerer } from '../answer/answerer.ts';
import type { CacheMemory } from '../core/cache_memory.ts';
import type { QueryMemory } from '../radio/query/memory.ts';
import type { QueryWriter } from '../radio/query/writer.ts';
import type { LayerShareState } from '../tables/places/layer_share.ts';
import type { Slices } from './slices.ts';

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
  /** Of all workers (query_pool.ts). */
  progress: SharedArrayBuffer;
}

/** Given to a worker at its start. */
export interface WorkerSetup {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: CacheMemory;
  /** Says when tables of features have changed. */
  revision: SharedArrayBuffer;
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

/** A query under way, wherever it is computed. It is written once, and its answer is read once. */
export interface Query<T> {
  /** Upper bound of its observations. */
  readonly observations: number;
  /** WANTS_* bits: which texts to add to the position. */
  readonly wants: number;
  /** Writes the query at `offset`. */
  write(writer: QueryWriter, offset: number): void;
  /** Reads the answer from the struct at `offset` of `memory`, which is valid only during the call. */
  read(memory: QueryMemory, offset: number): T;
}

/**
 * A table of tasks by name: what workers do besides answering queries. Each is a function of the worker's answerer, an
 * input and the slices into which it may cut its work (slices.ts). Inputs and outputs are copied between threads. Their
 * types come from these functions, so both sides of the hop agree.
 */
export type Tasks = Readonly<Record<string, (answerer: Answerer, input: never, slices: Slices) => unknown>>;

/** The input of a task. */
export type TaskInput<T extends Tasks, N extends keyof T> = Parameters<T[N]>[1];

/** The output of a task. */
export type TaskOutput<T extends Tasks, N extends keyof T> = Awaited<ReturnType<T[N]>>;

/** A file whose default export is a worker (`workerOf`) that knows these tasks. */
export interface WorkerFile<T extends Tasks> extends URL {
  /** Never set; it carries the type. */
  readonly tasks?: T;
}
