// Intervals of repeated measurements. Ratios matter, not differences, and rounds are few, so an interval is Student's
// on the logarithms: where the true value lies with 95 % certainty, if the rounds are independent.

import type { MeasuredKnee } from './report.ts';

/** 97.5 % quantiles of Student's distribution for 1 to 30 degrees of freedom. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const NORMAL = 1.96;

/** A ratio, and where it lies with 95 % certainty. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** Geometric mean of positive values with its interval; undefined for fewer than two. */
export function intervalOf(values: readonly number[]): Interval | undefined {
  if (values.length < 2) return undefined;
  const { mean, variance } = momentsOf(values);
  return intervalAbout(mean, variance / values.length, values.length - 1);
}

/**
 * Ratio of two groups of positive values, later to earlier, with its interval (Welch 1947); undefined if one has fewer
 * than two.
 */
export function ratioInterval(later: readonly number[], earlier: readonly number[]): Interval | undefined {
  if (later.length < 2 || earlier.length < 2) return undefined;
  const [a, b] = [momentsOf(later), momentsOf(earlier)];
  const [fromA, fromB] = [a.variance / later.length, b.variance / earlier.length];
  const freedom =
    fromA + fromB === 0
      ? 1
      : (fromA + fromB) ** 2 / (fromA ** 2 / (later.length - 1) + fromB ** 2 / (earlier.length - 1));
  return intervalAbout(a.mean - b.mean, fromA + fromB, freedom);
}

/** A knee for people, with its interval if it was measured more than once. */
export function describeRate({ rate, rounds }: MeasuredKnee): string {
  if (rate === undefined) return '-';
  const interval = intervalOf(rounds);
  const readable = (number: number) => Math.round(number).toLocaleString('en');
  return interval === undefined
    ? readable(rate)
    : `${readable(rate)} (${readable(interval.low)} to ${readable(interval.high)})`;
}

/** Of logarithms. */
function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const logarithms = values.map(Math.log);
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, variance: logarithms.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1) };
}

/** @param variance of the mean */
function intervalAbout(mean: number, variance: number, freedom: number): Interval {
  const quantile = STUDENT[Math.max(1, Math.floor(freedom)) - 1] ?? NORMAL;
  const half = quantile * Math.sqrt(variance);
  return { value: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}
