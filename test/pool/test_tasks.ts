// Tasks for the pool's workers. Each leaves a mark in the file `met` of the data folder when it begins.

import { appendFileSync, existsSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import type { Answerer } from '../../src/pool/answerer.ts';
import type { Slices } from '../../src/pool/slices.ts';
import { SLOW_MILLISECONDS } from './poison.ts';

interface Input {
  folder: string;
  answer: number;
}

const meet = (folder: string): void => appendFileSync(join(folder, 'met'), '+');

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

/** Uses no processor time for longer than a hang may use, then returns `answer`. */
function starved(_: Answerer, { folder, answer }: Input): number {
  meet(folder);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7_000);
  return answer;
}

/** Throws. */
function failing(_: Answerer, { folder }: Input): never {
  meet(folder);
  throw new Error('The table is damaged.');
}

/** The priority of the worker's thread. */
const priority = (_: Answerer, _input: undefined): number => getPriority();

/** What the poisoned worker knows besides queries. */
export const TEST_TASKS = { slow, waiting, hanging, starved, failing, priority };
