import { expect, test } from 'vitest';
import { latencyAt } from '../../../bench/capacity/fit.ts';
import { type Load, type Pauses, type RequestKind, simulateQueue } from '../../../bench/capacity/queue.ts';

const NO_PAUSES: Pauses = { perSecond: 0, lengths: [] };
const KIND: RequestKind = {
  http: { busy: 100, wake: 0 },
  worker: { busy: 0, wake: 0 },
  delay: 0,
  spread: 0,
  stallsPerRequest: 0,
  stallMicroseconds: 0,
};
const LOAD: Load = { rate: 5000, httpThreads: 1, workers: 1, arrivals: 400_000, sliceSeconds: 1000, seed: 7 };

function simulate(kind: Partial<RequestKind> = {}, pauses = NO_PAUSES, load: Partial<Load> = {}): Float64Array {
  return simulateQueue([{ share: 1, kind: { ...KIND, ...kind } }], pauses, { ...LOAD, ...load });
}

function mean(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Relative difference. */
function off(value: number, expected: number): number {
  return Math.abs(value / expected - 1);
}

test('fixed service times wait as Pollaczek and Khinchine say', () => {
  // M/D/1: the mean wait is rho / (2 (1 - rho)) services.
  for (const rho of [0.3, 0.5, 0.8]) {
    const expected = 100 * (1 + rho / (2 * (1 - rho)));
    expect(off(mean(simulate({}, NO_PAUSES, { rate: rho * 10_000 })), expected), `load ${rho}`).toBeLessThan(0.03);
  }
});

test('log-normal service times wait by their second moment', () => {
  const spread = 0.8;
  const expected = 100 * (1 + (0.5 * Math.exp(spread ** 2)) / (2 * (1 - 0.5)));
  expect(off(mean(simulate({ spread })), expected)).toBeLessThan(0.03);
});

test('exponential service times have exponential latencies', () => {
  // M/M/1, by stalls of every request and next to no service: latency is exponential with mean 1 / (mu - lambda).
  const latencies = simulate({ http: { busy: 1e-6, wake: 0 }, stallsPerRequest: 1, stallMicroseconds: 100 });
  for (const share of [0.5, 0.9, 0.99])
    expect(off(latencyAt(latencies, share), -200 * Math.log(1 - share)), `${share}`).toBeLessThan(0.05);
});

test('a thread that must be woken serves its first request more slowly', () => {
  // Welch 1964, first service b, others a: the thread is idle for (1 - l a) / (1 - l a + l b) of the arrivals.
  const [a, b, l] = [100, 180, 0.005];
  const idle = (1 - l * a) / (1 - l * a + l * b);
  const wait = (l * a * a) / (2 * (1 - l * a)) + (l * (b * b - a * a)) / (2 * (1 - l * a + l * b));
  const service = a + idle * (b - a);
  expect(off(mean(simulate({ http: { busy: a, wake: b - a } })), wait + service)).toBeLessThan(0.03);
});

test('pauses of an idle service delay the arrivals that meet them', () => {
  // 2 pauses a second of 10 ms: 2 % of the arrivals meet one and wait half of it on average.
  const latencies = simulate({ http: { busy: 1, wake: 0 } }, { perSecond: 2, lengths: [10_000] }, { rate: 500 });
  expect(off(mean(latencies), 1 + (2 * 0.01 ** 2 * 1e6) / 2)).toBeLessThan(0.1);
  expect(latencyAt(latencies, 0.97)).toBeLessThan(50);
  expect(latencyAt(latencies, 0.99)).toBeGreaterThan(4000);
});

test('two threads at twice the rate are two queues', () => {
  const one = mean(simulate({}, NO_PAUSES, { rate: 8000 }));
  expect(off(mean(simulate({}, NO_PAUSES, { rate: 16_000, httpThreads: 2 })), one)).toBeLessThan(0.05);
});

test('heavy work queues for the workers, which share one queue', () => {
  // M/D/2 at load 0.8 waits somewhat more than half as long as M/D/1.
  const kind = { http: { busy: 1e-6, wake: 0 }, worker: { busy: 100, wake: 0 } };
  const one = mean(simulate(kind, NO_PAUSES, { rate: 8000 })) - 100;
  const two = mean(simulate(kind, NO_PAUSES, { rate: 16_000, workers: 2 })) - 100;
  expect(two / one).toBeGreaterThan(0.4);
  expect(two / one).toBeLessThan(0.6);
});

test('above its capacity the queue grows until the slice ends', () => {
  // Twice the capacity for 0.1 s: the last arrival waits for 0.1 s, the median one for half of that.
  const latencies = simulate({}, NO_PAUSES, { rate: 20_000, sliceSeconds: 0.1, arrivals: 40_000 });
  expect(off(latencyAt(latencies, 0.5), 50_000)).toBeLessThan(0.1);
  expect(latencyAt(latencies, 1)).toBeLessThan(120_000);
});

test('the same seed gives the same latencies, and requests are mixed by their shares', () => {
  expect(simulate({ spread: 0.5 })).toEqual(simulate({ spread: 0.5 }));
  const slow = { ...KIND, http: { busy: 1000, wake: 0 } };
  const mixed = simulateQueue(
    [
      { share: 0.9, kind: KIND },
      { share: 0.1, kind: slow },
    ],
    NO_PAUSES,
    { ...LOAD, rate: 1, arrivals: 20_000, sliceSeconds: 1e6 },
  );
  expect(mixed.filter(latency => latency > 500).length / mixed.length).toBeCloseTo(0.1, 1);
});
