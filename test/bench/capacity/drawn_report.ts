// A drawn capacity report, for tests of what is made of one.

import type { CorrectedKind } from '../../../bench/capacity/model.ts';
import {
  type CapacityReport,
  type RateFigures,
  REPORT_VERSION,
  type ScenarioReport,
} from '../../../bench/capacity/report.ts';
import type { SliceFigures } from '../../../bench/capacity/service.ts';

export const NAMES = ['trackers', 'phones', 'cells', 'addresses', 'reverse', 'search', 'contributions'];

const MODEL: CorrectedKind = {
  full: { http: 125, worker: 0 },
  http: { busy: 90, wake: 30 },
  worker: { busy: 0, wake: 0 },
  delay: 60,
  spread: 0.3,
  stallsPerRequest: 0.001,
  stallMicroseconds: 2000,
  pauseScale: 1,
  writer: 20,
  process: 130,
  generator: 8,
  residual: 0.05,
  misfit: [],
};

/** One slice at a rate; every time is the given multiple of a usual one. */
export function drawSlice(rate: number, factor = 1): SliceFigures {
  const times = { p50: 200, p99: 900, p999: 4000, http: 100, workers: 0, writer: 20, process: 140, generator: 8 };
  const scaled = Object.fromEntries(
    Object.entries(times).map(([field, value]) => [field, value * factor]),
  ) as typeof times;
  return { rate, samples: 3000, answers: rate, answeredShare: 1, ...scaled };
}

/** Rounds at a rate, each with its factor. */
export function drawRate(rate: number, factors: readonly number[]): RateFigures {
  return { ...drawSlice(rate, factors[0]), rounds: factors.map(factor => drawSlice(rate, factor)) };
}

/** A scenario whose rounds were slower by these factors. */
export function drawScenario(name: string, factors: readonly number[] = [1, 1.02, 0.98]): ScenarioReport {
  const rates = [1000, 2000, 4000].map(rate => drawRate(rate, factors));
  const predicted = { p50: 210, p99: 950, p999: 4200 };
  return {
    name,
    about: `what ${name} ask`,
    rates,
    knee: { rounds: factors.map(factor => 8000 / factor), rate: 8000 / factors[0] },
    model: MODEL,
    curve: [1000, 4000, 8000].map(rate => ({ rate, ...predicted })),
    second: {
      rates: [2000, 4000, 6000].map(rate => ({ ...drawRate(rate, factors), predicted })),
      knee: { rounds: [8000, 8100], rate: 8050 },
      predictedKnee: { rate: 8400, limit: 'HTTP threads' },
    },
    stages: [
      { stage: 'parse', microseconds: 20 },
      { stage: 'position', microseconds: 40 },
      { stage: 'writer', microseconds: 18 },
    ],
    target: { rate: 2000, p99Milliseconds: 2 },
  };
}

/** A whole report. */
export function drawReport(scenarios: ScenarioReport[] = NAMES.map(name => drawScenario(name))): CapacityReport {
  return {
    version: REPORT_VERSION,
    date: '2030-01-02T03:04:05.000Z',
    machine: {
      processor: 'A <processor>',
      cores: 2,
      memoryGigabytes: 4,
      system: 'linux',
      node: 'v24.0.0',
      packages: {},
    },
    settings: { minutes: 10, stations: 100_000, seed: 1, rounds: 3, sliceSeconds: 1 },
    pauses: { perSecond: 30, lostShare: 0.03, longestMilliseconds: 9 },
    scenarios,
    cores: scenarios.map(({ name }) => ({
      name,
      knees: [2, 4, 8, 16].map(cores => ({
        cores,
        httpThreads: Math.min(8, cores - 1),
        rate: 8000 * cores,
        limit: 'HTTP threads' as const,
      })),
    })),
    threads: {
      scenario: 'phones',
      httpThreads: [1, 2],
      memory: [
        { own: 700, files: 100 },
        { own: 790, files: 105 },
      ],
      rate: 4000,
      http: [100, 110],
      process: [140, 155],
      knees: [
        { rounds: [8000, 8100, 8200], rate: 8100 },
        { rounds: [12_000], rate: 12_000 },
      ],
      doublingCost: 1.1,
      predictedKnee: { rate: 12_500, limit: 'cores' },
    },
    perMillionStations: { memory: { own: 35, files: 44 }, diskMegabytes: 43 },
    verdicts: [
      { promise: 'phones: p99 at 2000/s at most 2 ms', figure: '0.90 ms', met: true },
      { promise: 'search: p99 at 200/s at most 10 ms', figure: '12.00 ms', met: false },
    ],
  };
}
