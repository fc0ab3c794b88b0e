// Tasks: what workers do besides answering queries. A table names them, each a function of the worker's own answerer and of an input; the types of input
// and output are read off these functions, so that both sides of the hop agree.

import type { Answerer } from './answerer.ts';

/** A table of tasks by name. Inputs and outputs are copied from thread to thread. */
export type Tasks = Readonly<Record<string, (answerer: Answerer, input: never) => unknown>>;

/** What a task is given. */
export type TaskInput<T extends Tasks, N extends keyof T> = Parameters<T[N]>[1];

/** What a task comes to. */
export type TaskOutput<T extends Tasks, N extends keyof T> = Awaited<ReturnType<T[N]>>;

/** A file whose default export is a worker (`workerOf`) that knows these tasks. */
export interface WorkerFile<T extends Tasks> extends URL {
  /** Never there: it carries the type. */
  readonly tasks?: T;
}
