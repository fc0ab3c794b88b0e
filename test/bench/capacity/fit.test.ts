import { expect, test } from 'vitest';
import {
  type Flood,
  fitKind,
  fitServiceTime,
  latencyAt,
  type MeasuredRate,
  scaled,
} from '../../../bench/capacity/fit.ts';
import { correctKind, type Mix, predictKnee, predictLatencies, type Target } from '../../../bench/capacity/model.ts';
import { type Pauses, type RequestKind, simulateQueue } from '../../../bench/capacity/queue.ts';

/** A service whose figures are known: the fit must find out how it behaves. */
const TRUTH: RequestKind = {
  http: { busy: 80, wake: 60 },
  worker: { busy: 0, wake: 0 },
  delay: 50,
  spread: 0.4,
  stallsPerRequest: 1 / 1500,
  stallMicroseconds: 3000,
};
const PAUSES: Pauses = { perSecond: 20, lengths: [300, 600, 1200, 4000] };
const THREADS = { httpThreads: 1, workers: 1, sliceSeconds: 1 };
const TARGET: Target = { ...THREADS, cores: 4, doublingCost: 1, hasGenerator: true, pauses: PAUSES };

/** What a measurement of the truth would find. */
function measure(rate: number, seed: number): MeasuredRate {
  const latencies = simulateQueue([{ share: 1, kind: TRUTH }], PAUSES, { ...THREADS, rate, arrivals: 40_000, seed });
  // Idle for a share i of the arrivals: i = 1 - rate (busy + wake i).
  const idle = Math.max(0, (1 - (rate * TRUTH.http.busy) / 1e6) / (1 + (rate * TRUTH.http.wake) / 1e6));
  const http = TRUTH.http.busy + idle * TRUTH.http.wake;
  const percentiles = {
    p50: latencyAt(latencies, 0.5),
    p99: latencyAt(latencies, 0.99),
    p999: latencyAt(latencies, 0.999),
  };
  return {
    rate,
    samples: latencies.length,
    ...percentiles,
    http,
    workers: 0,
    writer: 15,
    process: http + 40,
    generator: 8,
  };
}

/** By the clock a full thread takes its time, its stalls, and its share of the pauses: 20 a second of 1,500 us. */
const FULL = (80 + 3000 / 1500) / (1 - (20 * 1500) / 1e6);
const FLOOD: Flood = { answers: 1e6 / FULL, http: 82, workers: 0, writer: 15, process: 122, generator: 8 };

test('a fitted service is predicted at rates, and up to a knee, that the fit has not seen', () => {
  const rates = [1500, 3000, 5000, 7000, 8500].map((rate, i) => measure(rate, 10 + i));
  const fitted = fitKind(rates, FLOOD, THREADS, PAUSES);
  const mix: Mix = [{ share: 1, kind: correctKind(fitted, rates, TARGET) }];
  for (const rate of [2500, 4000, 6000]) {
    const { p50, p99 } = measure(rate, 20);
    const predicted = predictLatencies(mix, rate, TARGET);
    expect(Math.abs(predicted.p50 / p50 - 1), `p50 at ${rate}/s`).toBeLessThan(0.1);
    expect(Math.abs(predicted.p99 / p99 - 1), `p99 at ${rate}/s`).toBeLessThan(0.25);
  }
  expect(predictKnee(mix, TARGET)).toEqual({ rate: FLOOD.answers, limit: 'HTTP threads' });
});

test('without pauses and stalls a flood and the scheduler agree about a busy thread', () => {
  const rates = [2000, 6000].map(rate => measure(rate, 40));
  const { full, http, worker } = fitKind(rates, { ...FLOOD, answers: 10_000, http: 95, workers: 5 }, THREADS, {
    perSecond: 0,
    lengths: [],
  });
  expect(full).toEqual({ http: 100, worker: 0 });
  expect(http.busy).toBeLessThanOrEqual(100);
  expect(http.busy).toBeGreaterThan(70);
  expect(worker).toEqual({ busy: 0, wake: 0 });
});

test('the busiest kind of thread is the one that is full', () => {
  const rates = [200, 500].map(rate => ({ ...measure(rate, 41), workers: 700 }));
  const { full } = fitKind(rates, { ...FLOOD, answers: 1000, http: 80, workers: 800 }, THREADS, PAUSES);
  expect(full).toEqual({ http: 80, worker: 1000 });
});

test('the times of a busy and of a woken thread lie on a line', () => {
  const line = [0.9, 0.6, 0.2].map(idle => ({ idle, microseconds: 70 + 50 * idle }));
  const { busy, wake } = fitServiceTime(line);
  expect(busy).toBeCloseTo(70, 9);
  expect(wake).toBeCloseTo(50, 9);
});

test('waking never takes less than nothing, and a busy thread never next to nothing', () => {
  const falling = [0.9, 0.2].map(idle => ({ idle, microseconds: 100 - 20 * idle }));
  expect(fitServiceTime(falling)).toEqual({ busy: 89, wake: 0 });
  const steep = [0.9, 0.8].map(idle => ({ idle, microseconds: 1000 * idle - 700 }));
  expect(fitServiceTime(steep).busy).toBeCloseTo(50, 9);
  expect(fitServiceTime([{ idle: 0.5, microseconds: 40 }])).toEqual({ busy: 40, wake: 0 });
});

test('a scenario needs two rates below its knee', () => {
  expect(() => fitKind([measure(1000, 1)], FLOOD, THREADS, PAUSES)).toThrow('needs two rates below its knee');
});

test('pauses are multiplied, but leave time to work', () => {
  expect(scaled(PAUSES, 2).perSecond).toBe(40);
  const { perSecond, lengths } = scaled(PAUSES, 1e9);
  expect((perSecond * lengths.reduce((sum, length) => sum + length, 0)) / lengths.length / 1e6).toBeCloseTo(0.7, 9);
  expect(scaled({ perSecond: 0, lengths: [] }, 5).perSecond).toBe(0);
});
