import { expect, test } from 'vitest';
import { climbsOf, followedPressure, measuredClimb } from '../../../src/indoor/tracking/climb.ts';

test('without pressure nearly everybody stays on the floor, and fewer after a gap', () => {
  const stays = (seconds: number) => climbsOf(0, Number.NaN, Number.NaN, seconds).climbs[0];
  expect(stays(5)).toMatchObject({ floors: 0 });
  expect(stays(5).probability).toBeGreaterThan(0.99);
  expect(stays(60).probability).toBeLessThan(0.95);
  expect(stays(3600)).toMatchObject({ floors: 0 });
});

test('half a hectopascal less is a floor up, and what was climbed before is known', () => {
  expect(climbsOf(0, 999.52, 1000, 10).climbs[0].floors).toBe(1);
  expect(climbsOf(1, 999.52, 1000, 10).climbs[0].floors).toBe(0);
  expect(climbsOf(0, 1004.8, 1000, 10).climbs[0].floors).toBe(-10);
});

test('whole hectopascals are no evidence for one floor, but for four', () => {
  expect(climbsOf(0, 999, 1000, 10).climbs[0].floors).toBe(0);
  expect(climbsOf(0, 998, 1000, 10).climbs[0].floors).toBe(4);
});

test('a component that explains the pressure is likelier than one that does not', () => {
  const likelihood = (climb: number) => climbsOf(climb, 999.52, 1000, 5).likelihood;
  expect(likelihood(1)).toBeGreaterThan(20 * likelihood(0));
});

test('probabilities have the sum 1, but for those that are left out', () => {
  for (const pressure of [Number.NaN, 990, 999, 999.7, 1000, 1010]) {
    const sum = climbsOf(0, pressure, 1000, 60).climbs.reduce((total, { probability }) => total + probability, 0);
    expect(sum).toBeGreaterThan(0.98);
    expect(sum).toBeLessThanOrEqual(1 + 1e-9);
  }
});

test('the pressure of a track begins as measured, follows the weather and not a lift', () => {
  expect(followedPressure(Number.NaN, 1000, 0, 5)).toBe(1000);
  expect(followedPressure(1000, Number.NaN, 0, 5)).toBe(1000);
  expect(followedPressure(1000, 999.52, 1, 5)).toBeCloseTo(1000, 6);
  expect(followedPressure(1000, 999, 0, 5)).toBeCloseTo(999.905, 2);
  expect(followedPressure(1000, 999, 0, 600)).toBeCloseTo(999, 3);
});

test('what a scan suggests has climbed what the pressure says', () => {
  expect(measuredClimb(1000, 999.5)).toBe(1);
  expect(measuredClimb(1000, Number.NaN)).toBe(0);
});
