// Whether a series of measurements rises. The slope is the median of the slopes between all pairs of points (Theil
// 1950, Sen 1968), which single spikes do not move, and its interval is that of Sen: the pairs' slopes at the ranks
// which Kendall's statistic leaves with 95 % probability. A rise is only said where the whole interval lies above the
// limit, so a short run with noise does not fail by chance, and its wide interval says how little it shows.

import { median } from '../statistics.ts';

/** A measurement. */
export interface Point {
  hours: number;
  value: number;
}

/** How a series changes in an hour, in parts of its median. */
export interface Trend {
  median: number;
  slope: number;
  /** The interval that holds the slope with 95 % probability. */
  from: number;
  to: number;
}

/** Of the normal distribution, for 95 % on two sides. */
const QUANTILE = 1.96;

/** The trend of a series. @param points at least three */
export function trendOf(points: readonly Point[]): Trend {
  const slopes: number[] = [];
  for (const [i, a] of points.entries())
    for (const b of points.slice(i + 1)) slopes.push((b.value - a.value) / (b.hours - a.hours));
  slopes.sort((a, b) => a - b);
  const middle = median(points.map(({ value }) => value));
  const n = points.length;
  const spread = (QUANTILE * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18)) / 2;
  const at = (rank: number): number => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))];
  return {
    median: middle,
    slope: median(slopes) / middle,
    from: at(slopes.length / 2 - spread) / middle,
    to: at(slopes.length / 2 + spread) / middle,
  };
}
