import { expect, test } from 'vitest';
import {
  bucketNanoseconds,
  type Histogram,
  median,
  medianRatio,
  mergeHistograms,
  percentileMicroseconds,
} from '../../bench/statistics.ts';

test('the median is the middle value, or the mean of the two in the middle', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(() => median([])).toThrow('no values');
});

test('a ratio is paired within its round, so a drift that hits both leaves it alone', () => {
  expect(medianRatio([50, 100, 200], [100, 200, 400])).toBe(0.5);
  expect(() => medianRatio([1], [1, 2])).toThrow('cannot be paired');
});

test('buckets rise without a gap and their middle is within 1.6 % of every value in them', () => {
  // The generator's own formula, in its words: 64 buckets to a power of two.
  const bucketOf = (ns: number) => {
    if (ns < 64) return ns;
    const power = Math.floor(Math.log2(ns));
    return (power - 5) * 64 + (Math.floor(ns / 2 ** (power - 6)) & 63);
  };
  for (const ns of [0, 1, 63, 64, 65, 127, 128, 1000, 4095, 4096, 123_456, 7_000_000, 2_000_000_000]) {
    expect(Math.abs(bucketNanoseconds(bucketOf(ns)) - ns)).toBeLessThanOrEqual(Math.max(ns / 64, 0.5));
  }
  for (let bucket = 1; bucket < 2000; bucket++)
    expect(bucketNanoseconds(bucket)).toBeGreaterThan(bucketNanoseconds(bucket - 1));
});

test('a percentile is the bucket that holds it', () => {
  const histogram: Histogram = [
    [10, 98],
    [20, 1],
    [30, 1],
  ];
  expect(percentileMicroseconds(histogram, 0.5)).toBe(0.01);
  expect(percentileMicroseconds(histogram, 0.98)).toBe(0.01);
  expect(percentileMicroseconds(histogram, 0.99)).toBe(0.02);
  expect(percentileMicroseconds(histogram, 1)).toBe(0.03);
  expect(() => percentileMicroseconds([], 0.5)).toThrow('no latencies');
});

test('merged histograms count what each counts', () => {
  expect(
    mergeHistograms([
      [
        [5, 1],
        [9, 2],
      ],
      [
        [1, 1],
        [5, 4],
      ],
    ]),
  ).toEqual([
    [1, 1],
    [5, 5],
    [9, 2],
  ]);
});
