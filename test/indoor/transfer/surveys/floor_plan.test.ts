import { expect, test } from 'vitest';
import { floorIndexOf } from '../../../../src/indoor/transfer/surveys/floor_plan.ts';

test.each([
  ['B2', -2],
  ['b1', -1],
  ['G', 0],
  ['GF', 0],
  ['F1', 0],
  ['L1', 0],
  ['F4', 3],
  ['l12', 11],
  ['0', 0],
  ['-3', -3],
  ['200', 200],
])('%s is floor %i', (name, index) => {
  expect(floorIndexOf(name)).toBe(index);
});

test.each(['', 'B0', 'F0', 'roof', 'M1', '1.5', 'F1a', '1000'])('"%s" says nothing of an index', name => {
  expect(floorIndexOf(name)).toBeUndefined();
});
