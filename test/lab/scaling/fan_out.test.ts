import { expect, test } from 'vitest';
import { type FanOut, simulateFanOut } from '../../../lab/scaling/fan_out.ts';

const FAN: FanOut = {
  shards: 1,
  keys: 1,
  copies: 4,
  frontWork: 20,
  shardWork: 20,
  network: 100,
  load: 0.5,
  pausesPerSecond: 0,
  pauseMicroseconds: 0,
  timeout: 50_000,
  hedge: Number.POSITIVE_INFINITY,
  requests: 100_000,
  seed: 1,
};

/** A quantile of the exponential distribution. */
const quantile = (share: number, mean: number) => -Math.log(1 - share) * mean;

test.each([0, 0.5, 0.8])('without shards the time is that of the queue M/M/1, at a load of %f', load => {
  const { p50, p99 } = simulateFanOut({ ...FAN, load });
  // It is exponential with the mean work / (1 - load).
  expect(p50 / quantile(0.5, 20 / (1 - load))).toBeCloseTo(1, 1);
  expect(p99 / quantile(0.99, 20 / (1 - load))).toBeCloseTo(1, 1);
});

test('the slowest of several idle machines takes as long as the largest of so many exponential times', () => {
  // So many keys that each of the eight shards is asked, and hardly any work before.
  const { p50, p99 } = simulateFanOut({ ...FAN, shards: 8, keys: 200, load: 0, frontWork: 1e-6, requests: 20_000 });
  const largest = (share: number) => 2 * 100 + quantile(share ** (1 / 8), 20);
  expect(p50 / largest(0.5)).toBeCloseTo(1, 2);
  expect(p99 / largest(0.99)).toBeCloseTo(1, 1);
});

test('a request meets pauses for their share of the time, and what is left of them', () => {
  // A load of 0.1 by pauses alone: the queue M/M/1 again, of work that takes a millisecond, and none of its own.
  const paused = { ...FAN, frontWork: 1e-6, load: 0, pausesPerSecond: 100, pauseMicroseconds: 1000 };
  // P(wait > t) = 0.1 exp(-0.9 t / 1000)
  expect(simulateFanOut(paused).p99 / ((1000 / 0.9) * Math.log(0.1 / 0.01))).toBeCloseTo(1, 1);
  expect(simulateFanOut(paused).p50).toBeLessThan(0.001);
});

test('a lost machine costs the time-out until it is noticed, and less with a second question', () => {
  const fan = { ...FAN, shards: 4, keys: 16, copies: 2, load: 0.2, requests: 20_000 };
  const whole = simulateFanOut(fan);
  const unnoticed = { ...fan, lost: 'unnoticed' } as const;
  // Nearly all ask the shard of the lost machine, half of them at that machine; one in eight comes to it.
  expect(simulateFanOut(unnoticed).p50).toBeGreaterThan(50_000);
  expect(simulateFanOut(unnoticed).p99).toBeGreaterThan(100_000);
  const hedged = simulateFanOut({ ...unnoticed, hedge: 1000 });
  expect(hedged.p50).toBeGreaterThan(1000);
  expect(hedged.p99).toBeLessThan(2 * 1000 + 2 * whole.p99);
});

test('the other copies carry the load of a lost machine', () => {
  const noticed = { ...FAN, copies: 2, load: 0.4, lost: 'noticed' } as const;
  expect(simulateFanOut(noticed).p99 / quantile(0.99, 20 / (1 - 0.8))).toBeCloseTo(1, 1);
  expect(() => simulateFanOut({ ...noticed, load: 0.5 })).toThrow('do not keep pace');
});

test('the same seed draws the same', () => {
  const fan = { ...FAN, requests: 1000 };
  expect(simulateFanOut(fan)).toEqual(simulateFanOut(fan));
  expect(simulateFanOut({ ...fan, seed: 2 })).not.toEqual(simulateFanOut(fan));
});
