// Tasks for the pool's workers. Each leaves a mark in the file `met` of the data folder when it begins.

import { appendFileSync, existsSync } from 'node:fs';
import { Session } from 'node:inspector';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { Answerer } from '../../src/answer/answerer.ts';
import type { Slices } from '../../src/pool/slices.ts';
import { HANG_MILLISECONDS, SLOW_MILLISECONDS } from './poison.ts';

interface Input {
  folder: string;
  answer: number;
}

const meet = (folder: string): void => appendFileSync(join(folder, 'met'), '+');
const rest = (milliseconds: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

/** Blocks its thread until the file `go` exists, then returns `answer`. */
function blocking(_: Answerer, { folder, answer }: Input): number {
  meet(folder);
  while (!existsSync(join(folder, 'go'))) rest(10);
  return answer;
}

/** Returns `answer`, late. */
function slow(_: Answerer, { folder, answer }: Input): number {
  meet(folder);
  const end = performance.now() + SLOW_MILLISECONDS;
  while (performance.now() < end);
  return answer;
}

/** Gives way until the file `go` exists, then returns `answer`. */
async function waiting(_: Answerer, { folder, answer }: Input, slices: Slices): Promise<number> {
  meet(folder);
  while (!existsSync(join(folder, 'go'))) await slices.giveWay();
  return answer;
}

/** Never ends. */
function hanging(_: Answerer, { folder }: Input): never {
  meet(folder);
  for (;;);
}

/** Uses no processor time for twice as long as a hang may use, then returns `answer`. */
function starved(_: Answerer, { folder, answer }: Input): number {
  meet(folder);
  rest(2 * HANG_MILLISECONDS);
  return answer;
}

/** Throws. */
function failing(_: Answerer, { folder }: Input): never {
  meet(folder);
  throw new Error('The table is damaged.');
}

/** The priority of the worker's thread. */
const priority = (_: Answerer, _input: undefined): number => getPriority();

/**
 * How often somebody asked for a collection of this thread's garbage: by the inspector, or by V8's own function, which
 * marks it as forced.
 */
let collections = 0;
const { post } = Session.prototype;
Session.prototype.post = function (this: Session, ...call: Parameters<typeof post>) {
  collections++;
  post.apply(this, call);
} as typeof post;
new PerformanceObserver(list => {
  const flags = list.getEntries().map(entry => (entry as unknown as { detail: { flags: number } }).detail.flags);
  collections += flags.filter(each => each & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED).length;
}).observe({ entryTypes: ['gc'] });

/** Makes so many small buffers and drops them. @returns how often somebody asked for a collection before */
function littering(_: Answerer, buffers: number): number {
  for (let i = 0; i < buffers; i++) new Uint8Array(65_536);
  return collections;
}

/** What the poisoned worker knows besides queries. */
export const TEST_TASKS = { slow, blocking, waiting, hanging, starved, failing, priority, littering };
