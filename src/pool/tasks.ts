// Tasks are what workers do besides answering queries. A table names them; each is a function of the worker's answerer,
// an input and the slices into which it may cut its work (slices.ts). The types of input and output come from these
// functions, so both sides of the hop agree.

import type { Answerer } from '../answer/answerer.ts';
import type { Slices } from './slices.ts';

/** A table of tasks by name. Inputs and outputs are copied between threads. */
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
