import { expect, test } from 'vitest';
import { fitKind, fitServiceTime, latencyAt, type MeasuredRate, scaled } from '../../../bench/capacity/fit.ts';
import { findKnee } from '../../../bench/capacity/knee.ts';
import { type Mix, predictKnee, predictLatencies, type Target } from '../../../bench/capacity/model.ts';
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
  const percentiles = { p50: latencyAt(latencies, 0.5), p99: latencyAt(latencies, 0.99), p999: latencyAt(latencies, 0.999) };
  return { rate, samples: latencies.length, ...percentiles, http, workers: 0, writer: 15, process: http + 40, generator: 8 };
}

test('a fitted service is predicted at rates, and up to a knee, that the fit has not seen', () => {
  const fitted = fitKind(
    [1500, 3000, 5000, 7000, 8500].map((rate, i) => measure(rate, 10 + i)),
    THREADS,
    PAUSES,
  );
  const mix: Mix = [{ share: 1, kind: fitted }];
  for (const rate of [2500, 4000, 6000]) {
    const { p50, p99 } = measure(rate, 20);
    const predicted = predictLatencies(mix, rate, TARGET);
    expect(Math.abs(predicted.p50 / p50 - 1), `p50 at ${rate}/s`).toBeLessThan(0.1);
    expect(Math.abs(predicted.p99 / p99 - 1), `p99 at ${rate}/s`).toBeLessThan(0.25);
  }
  const sweep = [1500, 3000, 6000, 9000, 9500, 10_000, 10_500, 11_000, 11_500, 12_000, 12_500, 13_000].map((rate, i) => {
    return { ...measure(rate, 30 + i), answeredShare: 1 };
  });
  const knee = predictKnee(mix, TARGET);
  expect(knee.limit).toBe('threads');
  expect(Math.abs(knee.rate / findKnee(sweep)! - 1)).toBeLessThan(0.1);
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
  expect(() => fitKind([measure(1000, 1)], THREADS, PAUSES)).toThrow('needs two rates below its knee');
});

test('pauses are multiplied, but leave time to work', () => {
  expect(scaled(PAUSES, 2).perSecond).toBe(40);
  const { perSecond, lengths } = scaled(PAUSES, 1e9);
  expect((perSecond * lengths.reduce((sum, length) => sum + length, 0)) / lengths.length / 1e6).toBeCloseTo(0.7, 9);
  expect(scaled({ perSecond: 0, lengths: [] }, 5).perSecond).toBe(0);
});
