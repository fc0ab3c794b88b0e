import { expect, test } from 'vitest';
import { StairMap } from '../../../src/indoor/tracking/stairs.ts';

// An escalator of ten metres and a lift on floor 1, nothing known of floor 0.
const MAP = new StairMap([
  { floor: 1, stairs: [0, 0, 10, 0, 50, 50, 50, 50] },
  { floor: 0, stairs: [] },
]);

test.each([
  ['beside the escalator', 1, 5, 7.9, 1],
  ['too far from it', 1, 5, 8.1, 0.03],
  ['beyond its end', 1, 17.9, 0, 1],
  ['beside the lift', 1, 50, 42.1, 1],
  ['on a floor of which none are known', 0, 500, 0, 1],
  ['on a floor that is not in the plan', 2, 500, 0, 1],
])('%s', (_, floor, east, north, factor) => {
  expect(MAP.factorAt(floor, east, north, 0, 0)).toBe(factor);
});

test('who has time walks there, and who may be nearer may have been there', () => {
  expect(MAP.factorAt(1, 5, 14.9, 0, 5)).toBe(1);
  expect(MAP.factorAt(1, 5, 15.1, 0, 5)).toBe(0.03);
  expect(MAP.factorAt(1, 5, 15.1, 0.1, 5)).toBe(1);
});
