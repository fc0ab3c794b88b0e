import { expect, test } from 'vitest';
import { limitsOfPathCost, measurePathCost } from '../../bench/path_cost.ts';

/** One measurement may meet a bad minute; a path that has become dearer is so in all of them. */
const TRIES = 4;

test('the whole path of a position takes at most 3 % more of the floor than recorded', async context => {
  const limits = limitsOfPathCost();
  if (limits === undefined) return context.skip('Nothing is recorded for this processor: npm run bench -- cost');
  const ratios: number[] = [];
  for (let tries = 0; tries < TRIES && !ratios.some(ratio => ratio <= limits.ratio); tries++) {
    const cost = await measurePathCost(limits.floorMicroseconds);
    if (cost !== undefined) ratios.push(cost.ratio);
  }
  if (ratios.length === 0) return context.skip('The machine is too busy: the floor itself takes more than recorded.');
  expect(Math.min(...ratios), `of ${ratios.map(ratio => ratio.toFixed(3))}`).toBeLessThanOrEqual(limits.ratio);
}, 1_200_000);
