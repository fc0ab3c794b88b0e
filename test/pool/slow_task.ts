// A task of another kind for the pool's workers: leaves a mark in the file `met` of the data folder, then takes its time.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { SLOW_MILLISECONDS } from './poison.ts';

export default function work({ folder, answer }: { folder: string; answer: number }): number {
  appendFileSync(join(folder, 'met'), '+');
  const end = performance.now() + SLOW_MILLISECONDS;
  while (performance.now() < end);
  return answer;
}
