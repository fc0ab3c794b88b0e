import { expect, test } from 'vitest';
import { stepsBetween } from '../../../lab/indoors/walked_steps.ts';

const walk = (...steps: [number, number][]) => ({ id: 'walk', scans: [], steps });

test('steps in one direction are as many, with their heading', () => {
  expect(stepsBetween(walk([1, Math.PI / 2], [2, Math.PI / 2], [3, Math.PI / 2]), 0, 3)).toEqual({
    steps: 3,
    heading: 90,
  });
  expect(stepsBetween(walk([1, -Math.PI / 2]), 0, 3)).toEqual({ steps: 1, heading: 270 });
  expect(stepsBetween(walk([1, -0.001], [2, -0.001]), 0, 3)).toEqual({ steps: 2, heading: 0 });
});

test('a way there and back is no step', () => {
  expect(stepsBetween(walk([1, 0], [2, Math.PI]), 0, 3)).toEqual({ steps: 0 });
});

test('only steps after the first time and up to the second count', () => {
  const steps = walk([1, 0], [2, 0], [3, 0], [4, 0]);
  expect(stepsBetween(steps, 1, 3)).toEqual({ steps: 2, heading: 0 });
  expect(stepsBetween(steps, 4, 9)).toEqual({ steps: 0 });
});
