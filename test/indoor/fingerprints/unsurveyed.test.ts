import { expect, test } from 'vitest';
import { unsurveyedShare, type Visit } from '../../../src/indoor/fingerprints/unsurveyed.ts';
import { uniform } from '../../kits/random.ts';

const nothing = (): void => {};
const at = (eastMetres: number, timeMs: number, floor = 0): Visit => ({ floor, eastMetres, northMetres: 0, timeMs });

test('without fingerprints nothing is estimated', () => {
  expect(unsurveyedShare([], nothing)).toBe(0);
});

test('what another visit has seen within 4 m is not alone', () => {
  expect(unsurveyedShare([at(0, 0), at(4, 60_000)], nothing)).toBe(0);
  expect(unsurveyedShare([at(0, 0), at(4.01, 60_000)], nothing)).toBe(1);
  expect(unsurveyedShare([at(0, 0), at(4, 60_000), at(100, 0)], nothing)).toBeCloseTo(1 / 3, 12);
});

test('the same visit is within 30 s, another floor another place', () => {
  expect(unsurveyedShare([at(0, 0), at(1, 30_000)], nothing)).toBe(1);
  expect(unsurveyedShare([at(0, 0), at(1, 30_001)], nothing)).toBe(0);
  expect(unsurveyedShare([at(0, 0), at(1, 60_000, 1)], nothing)).toBe(1);
});

test('fingerprints without a time are visits of their own', () => {
  expect(unsurveyedShare([at(0, Number.NaN), at(1, Number.NaN)], nothing)).toBe(0);
  expect(unsurveyedShare([at(0, Number.NaN), at(1, 0)], nothing)).toBe(0);
  expect(unsurveyedShare([{ floor: 0, eastMetres: 0, northMetres: 0 }], nothing)).toBe(1);
});

test('the estimate is the share of later walks that is new', () => {
  let difference = 0;
  for (let seed = 1; seed <= 16; seed++) {
    const random = uniform(seed);
    // Walks of 20 m, each along one of 120 corridors, of which some are liked better than others.
    const walk = (day: number): Visit[] => {
      const northMetres = 10 * Math.floor(120 * random() ** 2);
      return Array.from({ length: 10 }, (_, i) => ({
        floor: 0,
        eastMetres: 2 * i,
        northMetres,
        timeMs: 86_400_000 * day + 2_000 * i,
      }));
    };
    const surveyed = Array.from({ length: 150 }, (_, day) => walk(day)).flat();
    const corridors = new Set(surveyed.map(({ northMetres }) => northMetres));
    const later = Array.from({ length: 1_000 }, (_, day) => walk(day)).flat();
    const share = later.filter(({ northMetres }) => !corridors.has(northMetres)).length / later.length;
    expect(share).toBeGreaterThan(0.1);
    difference += (unsurveyedShare(surveyed, nothing) - share) / 16;
  }
  // One walk more or less that is alone is 0.007 of all, and a standard deviation some 0.06.
  expect(Math.abs(difference)).toBeLessThan(0.04);
});

test('of many fingerprints some are looked at', () => {
  let steps = 0;
  const many = Array.from({ length: 25_000 }, (_, i) => at((i % 100) * 10, i * 60_000));
  expect(unsurveyedShare(many, () => steps++)).toBe(0);
  expect(steps).toBeLessThanOrEqual(10_000);
});
