import { expect, test } from 'vitest';
import type { FittedKind } from '../../../bench/capacity/fit.ts';
import { predictKnee, predictLatencies, type Target } from '../../../bench/capacity/model.ts';

const KIND: FittedKind = {
  http: { busy: 100, wake: 0 },
  worker: { busy: 0, wake: 0 },
  delay: 0,
  spread: 0,
  stallsPerRequest: 0,
  stallMicroseconds: 0,
  pauseScale: 1,
  writer: 10,
  process: 150,
  generator: 10,
  residual: 0,
};
const TARGET: Target = {
  cores: 8,
  httpThreads: 1,
  workers: 1,
  doublingCost: 1,
  hasGenerator: false,
  pauses: { perSecond: 0, lengths: [] },
  sliceSeconds: 1,
};

function kneeOf(kind: Partial<FittedKind> = {}, target: Partial<Target> = {}) {
  return predictKnee([{ share: 1, kind: { ...KIND, ...kind } }], { ...TARGET, ...target });
}

test('a thread of 100 us a request has its knee just below 10,000 a second', () => {
  const { rate, limit } = kneeOf();
  expect(limit).toBe('threads');
  expect(rate).toBeGreaterThan(8500);
  expect(rate).toBeLessThan(10_000);
});

test('as many threads carry as many times the load, less what they cost each other', () => {
  const one = kneeOf().rate;
  expect(kneeOf({}, { httpThreads: 4, cores: 64 }).rate / one).toBeCloseTo(4, 0);
  const costly = kneeOf({}, { httpThreads: 4, cores: 64, doublingCost: 1.1 });
  expect(costly.rate / one).toBeCloseTo(4 / 1.1 ** 2, 1);
});

test('full cores are a knee, and a generator on the same machine takes its part', () => {
  expect(kneeOf({}, { httpThreads: 8, cores: 2 })).toEqual({ rate: 2e6 / 150, limit: 'cores' });
  expect(kneeOf({}, { httpThreads: 8, cores: 2, hasGenerator: true })).toEqual({ rate: 2e6 / 160, limit: 'cores' });
});

test('the writer is one thread', () => {
  expect(kneeOf({ writer: 200 })).toEqual({ rate: 5000, limit: 'writer' });
});

test('workers that are full before the HTTP thread are the knee', () => {
  const { rate } = kneeOf({ worker: { busy: 1000, wake: 0 } });
  expect(rate).toBeGreaterThan(800);
  expect(rate).toBeLessThanOrEqual(1000);
});

test('a mix lies between its parts', () => {
  const slow = { ...KIND, http: { busy: 300, wake: 0 } };
  const mix = [
    { share: 0.5, kind: KIND },
    { share: 0.5, kind: slow },
  ];
  const { rate } = predictKnee(mix, TARGET);
  expect(rate).toBeGreaterThan(4000);
  expect(rate).toBeLessThan(5000);
  const { p50, p99 } = predictLatencies(mix, 10, TARGET);
  expect(p50).toBeGreaterThanOrEqual(100);
  expect(p50).toBeLessThanOrEqual(300);
  expect(p99).toBeCloseTo(300, 0);
});
