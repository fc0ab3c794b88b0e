// A compute worker. A task is a number: where in the ring a run of queries begins and how many there are. The answers go into the same structs.
// What a task returns is the text of errors for the log, or nothing.

import { workerData } from 'node:worker_threads';
import { LOCATE_FAILED, REQUEST_LENGTH, RESULT_STATUS } from '../../wasm/layout.ts';
import { Locator } from '../positioning/locate.ts';
import { QueryMemory } from '../positioning/query.ts';

/** What a worker is given at its start. */
export interface WorkerSetup {
  /** Data folder. */
  folder: string;
  /** Memory of the station cache. */
  cache: SharedArrayBuffer;
  /** Memory of the ring of the HTTP thread that this worker belongs to. */
  ring: SharedArrayBuffer;
}

/** A run of queries in the ring as one number (`encodeRun`), or a query too large for it in memory of its own. */
export type Task = number | SharedArrayBuffer;

/** Queries of one run: the count takes the lowest ten bits of the number. */
export const RUN_LIMIT = 1023;

/** Packs a run: `offset` in bytes, a multiple of 8; `count` 1..RUN_LIMIT. */
export function encodeRun(offset: number, count: number): number {
  return (offset / 8) * 1024 + count;
}

const setup: WorkerSetup = workerData;
const ring = new QueryMemory(setup.ring);
const locator = new Locator(setup.folder, setup.cache);

/** Answers one task. Errors of a single query fail that query only. */
export default function run(task: Task): string | undefined {
  let errors: string | undefined;
  const memory = typeof task === 'number' ? ring : new QueryMemory(task);
  let offset = typeof task === 'number' ? Math.floor(task / 1024) * 8 : 0;
  const count = typeof task === 'number' ? task % 1024 : 1;
  for (let i = 0; i < count; i++) {
    try {
      locator.locate(memory, offset);
    } catch (error) {
      memory.i32[(offset + RESULT_STATUS) >> 2] = LOCATE_FAILED;
      errors = `${errors === undefined ? '' : errors + '\n'}${(error as Error).stack ?? error}`;
    }
    offset += memory.u32[(offset + REQUEST_LENGTH) >> 2];
  }
  locator.release();
  return errors;
}
