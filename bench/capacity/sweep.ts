// Measures a scenario in slices of load, which are short open loops (service.ts), and puts the slices of all rounds
// together.

import { writeRequests } from '../requests.ts';
import { median, mergeHistograms, percentileMicroseconds } from '../statistics.ts';
import { isFlooded } from './knee.ts';
import type { RateFigures } from './report.ts';
import type { Scenario } from './scenarios.ts';
import type { MeasuredSlice, Service, SliceFigures } from './service.ts';

/** Requests of a learned scenario that are drawn beyond the expected number of arrivals. */
const SPARE = 1.2;

/** A service, the scenario that asks it, and where its requests are stored for the generator. */
export interface Sweep {
  service: Service;
  scenario: Scenario;
  requestFile: string;
  sliceSeconds: number;
}

/** Writes the requests of a scenario that stay the same. */
export function storeRequests(scenario: Scenario, requestFile: string): void {
  if (!scenario.isLearned) writeRequests(requestFile, scenario.requests(1));
}

/** One slice. */
export async function measureRate(
  { service, scenario, requestFile, sliceSeconds }: Sweep,
  rate: number,
): Promise<MeasuredSlice> {
  if (scenario.isLearned) writeRequests(requestFile, scenario.requests(Math.ceil(SPARE * rate * (sliceSeconds + 1))));
  return service.measure(requestFile, rate, sliceSeconds, scenario.isLearned);
}

/** Requests a second in a closed loop, roughly. The first such load also lets the service compile its hot functions. */
export async function estimateCapacity({ service, scenario, requestFile, sliceSeconds }: Sweep): Promise<number> {
  if (scenario.isLearned) writeRequests(requestFile, scenario.requests(20_000));
  return service.measureCapacity(requestFile, sliceSeconds);
}

/** The rounds of a scenario as figures for each rate, in rising order. */
export function figuresByRate(rounds: readonly (readonly MeasuredSlice[])[]): RateFigures[] {
  const rates = [...new Set(rounds.flat().map(({ rate }) => rate))].sort((a, b) => a - b);
  return rates.map(rate => figuresOf(rounds.flat().filter(slice => slice.rate === rate)));
}

/** The rates at which a service kept pace. */
export function belowKnee(rates: readonly RateFigures[]): RateFigures[] {
  return rates.filter(figures => !isFlooded(figures));
}

/** The slices of one rate together. @throws Error without slices */
export function figuresOf(slices: readonly MeasuredSlice[]): RateFigures {
  const middle = (field: Exclude<keyof SliceFigures, 'rate' | 'samples'>) => median(slices.map(slice => slice[field]));
  const all = mergeHistograms(slices.map(({ latency }) => latency));
  return {
    rate: slices[0].rate,
    samples: slices.reduce((sum, { samples }) => sum + samples, 0),
    answers: middle('answers'),
    answeredShare: middle('answeredShare'),
    p50: middle('p50'),
    p99: middle('p99'),
    p999: all.length === 0 ? middle('p999') : percentileMicroseconds(all, 0.999),
    http: middle('http'),
    workers: middle('workers'),
    writer: middle('writer'),
    process: middle('process'),
    generator: middle('generator'),
    rounds: slices.map(({ latency: _, from: _from, to: _to, taken: _taken, ...figures }) => figures),
  };
}
