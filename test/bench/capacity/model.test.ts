import { expect, test } from 'vitest';
import type { MeasuredRate } from '../../../bench/capacity/fit.ts';
import {
  type CorrectedKind,
  correctKind,
  predictKnee,
  predictLatencies,
  type Target,
} from '../../../bench/capacity/model.ts';

const KIND: CorrectedKind = {
  full: { http: 100, worker: 0 },
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
  misfit: [],
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

function kneeOf(kind: Partial<CorrectedKind> = {}, target: Partial<Target> = {}) {
  return predictKnee([{ share: 1, kind: { ...KIND, ...kind } }], { ...TARGET, ...target });
}

test('a thread that takes 100 us for a request by the clock has its knee at 10,000 a second', () => {
  expect(kneeOf()).toEqual({ rate: 10_000, limit: 'HTTP threads' });
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
  expect(kneeOf({ full: { http: 100, worker: 1000 } })).toEqual({ rate: 1000, limit: 'workers' });
});

test('a mix lies between its parts', () => {
  const slow = { ...KIND, full: { http: 300, worker: 0 }, http: { busy: 300, wake: 0 } };
  const mix = [
    { share: 0.5, kind: KIND },
    { share: 0.5, kind: slow },
  ];
  const { rate } = predictKnee(mix, TARGET);
  expect(rate).toBeCloseTo(5000, 9);
  const { p50, p99 } = predictLatencies(mix, 10, TARGET);
  expect(p50).toBeGreaterThanOrEqual(100);
  expect(p50).toBeLessThanOrEqual(300);
  expect(p99).toBeCloseTo(300, 0);
});

/** A thread of 100 us whose p99 has another cause the more, the higher the load. */
const RATES = [1000, 3000, 5000, 7000, 9000];

function measured(rate: number, factor: number): MeasuredRate {
  const { p50, p99, p999 } = predictLatencies([{ share: 1, kind: KIND }], rate, TARGET);
  return {
    rate,
    samples: 1000,
    p50,
    p99: p99 * factor,
    p999,
    http: 100,
    workers: 0,
    writer: 10,
    process: 150,
    generator: 10,
  };
}

test('where the queue is off by a factor that follows the load, the prediction is not', () => {
  const factor = (rate: number) => 1 + rate / 5000;
  const kind = correctKind(
    KIND,
    RATES.map(rate => measured(rate, factor(rate))),
    TARGET,
  );
  for (const rate of [2000, 4000, 6000, 8000]) {
    const predicted = predictLatencies([{ share: 1, kind }], rate, TARGET);
    const truth = measured(rate, factor(rate));
    expect(Math.abs(predicted.p99 / truth.p99 - 1), `p99 at ${rate}/s`).toBeLessThan(0.05);
    expect(predicted.p50).toBeCloseTo(truth.p50, 6);
  }
});

test('beyond the measured loads the factor stays, and one accident among them counts for half', () => {
  const steady = correctKind(
    KIND,
    RATES.map(rate => measured(rate, 2)),
    TARGET,
  );
  for (const rate of [100, 9500]) {
    const ratio = predictLatencies([{ share: 1, kind: steady }], rate, TARGET).p99 / measured(rate, 1).p99;
    expect(ratio).toBeCloseTo(2, 6);
  }
  const accident = correctKind(
    KIND,
    RATES.map(rate => measured(rate, rate === 5000 ? 4 : 1)),
    TARGET,
  );
  expect(predictLatencies([{ share: 1, kind: accident }], 5000, TARGET).p99 / measured(5000, 1).p99).toBeCloseTo(2, 6);
});

test('a mix is corrected by the misfit of its parts', () => {
  const corrected = (factor: number) => correctKind(KIND, [measured(1000, factor), measured(9000, factor)], TARGET);
  const mix = [
    { share: 0.5, kind: corrected(4) },
    { share: 0.5, kind: corrected(1) },
  ];
  expect(predictLatencies(mix, 5000, TARGET).p99 / measured(5000, 1).p99).toBeCloseTo(2, 6);
});
