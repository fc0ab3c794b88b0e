import { describe, expect, test } from 'vitest';
import {
  type Comparison,
  countComparison,
  decodeComparisons,
  differenceOf,
  encodeComparisons,
  weightOf,
} from '../../../src/tables/calibration/comparisons.ts';
import { TRACK_SETS, TRUSTED } from '../../../src/tables/calibration/votes.ts';

describe('comparisons of variants', () => {
  test('hold by set of tracks how much more one costs than another', () => {
    const comparisons: Comparison[] = [];
    countComparison(comparisons, 9, 2, [1, 3, 0, 1]);
    countComparison(comparisons, 9, 2, [5, 4, 5.5, 5]);
    countComparison(comparisons, 9, 7, [2, 2, 2, 8]);
    const [own] = comparisons;
    expect([own.contributor, own.tests, weightOf(own)]).toEqual([9, 3, 3]);
    expect([...own.weights]).toEqual([0, 0, 2, 0, 0, 0, 0, 1]);
    expect([1, 2, 3].map(variant => differenceOf(own, variant, 0, 2))).toEqual([1, -0.5, 0]);
    expect([differenceOf(own, 1, 2, 2), differenceOf(own, 2, 1, 2), differenceOf(own, 0, 3, 7)]).toEqual([
      1.5, -1.5, -6,
    ]);
  });

  test('of a young map count less than those of the map that it became', () => {
    const comparisons: Comparison[] = [];
    for (let i = 0; i < 300; i++) countComparison(comparisons, TRUSTED, i % TRACK_SETS, [0, 1, 0, 0]);
    for (let i = 0; i < 300; i++) countComparison(comparisons, TRUSTED, i % TRACK_SETS, [0, -1, 0, 0]);
    let sum = 0;
    for (let set = 0; set < TRACK_SETS; set++) sum += differenceOf(comparisons[0], 1, 0, set);
    expect(sum / weightOf(comparisons[0])).toBeLessThan(-0.4);
    for (let i = 0; i < 10_000; i++) countComparison(comparisons, TRUSTED, i % TRACK_SETS, [0, 0, 0, 0]);
    expect(weightOf(comparisons[0])).toBeLessThanOrEqual(1_024);
    expect(comparisons[0].tests).toBe(10_600);
  });

  test('are read as they were written, to the last bit, and damage is found', () => {
    const comparisons: Comparison[] = [];
    for (let contributor = 0; contributor < 30; contributor++) {
      for (let i = 0; i < 100; i++)
        countComparison(comparisons, contributor, i % TRACK_SETS, [0.1, Math.sin(i), i / 3, -1e-9 * contributor]);
    }
    expect(comparisons).toHaveLength(17);
    const row = encodeComparisons(comparisons);
    expect(decodeComparisons(row)).toEqual(comparisons);
    expect(() => decodeComparisons(row.subarray(1))).toThrow('A row of comparisons is damaged');
    expect(() => decodeComparisons(row.fill(0xff))).toThrow('A row of comparisons is damaged');
  });
});
