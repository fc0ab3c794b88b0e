// Statistics of interleaved runs. Machines drift, so two programs are compared only within a round, as a ratio; the
// figure is the median of the ratios of all rounds. Latencies are counts in logarithmic buckets, 64 for each power of
// two of nanoseconds, which is exact to 1.6 %.

import { quantile } from '../lab/evaluation/quantile.ts';

const BUCKETS_A_POWER = 64;

/** Counts of latencies: pairs of bucket number and count, in rising order. */
export type Histogram = [bucket: number, count: number][];

/** The median; for an even number of values the mean of the middle two. @throws Error without values */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('There is no median of no values.');
  return quantile(values, 0.5);
}

/** Median of value / base over the rounds. @throws Error when the rounds differ in number */
export function medianRatio(values: readonly number[], bases: readonly number[]): number {
  if (values.length !== bases.length) throw new Error(`${values.length} rounds cannot be paired with ${bases.length}.`);
  return median(values.map((value, round) => value / bases[round]));
}

/** Middle of a bucket in nanoseconds. */
export function bucketNanoseconds(bucket: number): number {
  if (bucket < BUCKETS_A_POWER) return bucket;
  const width = 2 ** (Math.floor(bucket / BUCKETS_A_POWER) - 1);
  return (BUCKETS_A_POWER + (bucket % BUCKETS_A_POWER)) * width + width / 2;
}

/** The latency in microseconds below which this fraction of the counts lies. @throws Error without counts */
export function percentileMicroseconds(histogram: Histogram, fraction: number): number {
  const total = countOf(histogram);
  if (total === 0) throw new Error('There is no percentile of no latencies.');
  let below = 0;
  for (const [bucket, count] of histogram) {
    below += count;
    if (below >= fraction * total) return bucketNanoseconds(bucket) / 1000;
  }
  return bucketNanoseconds(histogram[histogram.length - 1][0]) / 1000;
}

/** Number of latencies counted. */
export function countOf(histogram: Histogram): number {
  return histogram.reduce((sum, [, count]) => sum + count, 0);
}

/** Sum of several histograms. */
export function mergeHistograms(histograms: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const histogram of histograms)
    for (const [bucket, count] of histogram) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  return [...counts].sort((a, b) => a[0] - b[0]);
}
