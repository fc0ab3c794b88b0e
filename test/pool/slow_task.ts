// A task for the pool's workers: leaves a mark in the file `met` of the data folder, then takes its time.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answerer } from '../../src/pool/answerer.ts';
import { SLOW_MILLISECONDS } from './poison.ts';

/** Returns `answer`, late. */
export function slow(_: Answerer, { folder, answer }: { folder: string; answer: number }): number {
  appendFileSync(join(folder, 'met'), '+');
  const end = performance.now() + SLOW_MILLISECONDS;
  while (performance.now() < end);
  return answer;
}
