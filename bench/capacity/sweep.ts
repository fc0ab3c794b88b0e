// Sweeps arrival rates: in rounds, so that a drift of the machine meets all rates and scenarios alike, and in each round upwards until the service has fallen
// behind twice. A slice of load is a short open loop (service.ts).

import { writeRequests } from '../requests.ts';
import { median, mergeHistograms, percentileMicroseconds } from '../statistics.ts';
import { findKnee, isOverKnee, lowestMedian } from './knee.ts';
import type { MeasuredKnee, RateFigures } from './report.ts';
import type { Scenario } from './scenarios.ts';
import type { MeasuredSlice, Service, SliceFigures } from './service.ts';

/** Requests of a learned scenario that are drawn beyond the expected number of arrivals. */
const SPARE = 1.2;
/** Rates over the knee that end a sweep: one may be an accident. */
const OVER_ENOUGH = 2;

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
export async function measureRate({ service, scenario, requestFile, sliceSeconds }: Sweep, rate: number): Promise<MeasuredSlice> {
  if (scenario.isLearned) writeRequests(requestFile, scenario.requests(Math.ceil(SPARE * rate * (sliceSeconds + 1))));
  return service.measure(requestFile, rate, sliceSeconds, scenario.isLearned);
}

/** Requests a second in a closed loop, roughly. The first such load also lets the service compile its hot functions. */
export async function estimateCapacity({ service, scenario, requestFile, sliceSeconds }: Sweep): Promise<number> {
  if (scenario.isLearned) writeRequests(requestFile, scenario.requests(20_000));
  return service.measureCapacity(requestFile, sliceSeconds);
}

/**
 * One round: the rates in rising order until the service has fallen behind.
 * @param measure one slice at a rate
 */
export async function sweepUpwards(measure: (rate: number) => Promise<MeasuredSlice>, rates: readonly number[]): Promise<MeasuredSlice[]> {
  const slices: MeasuredSlice[] = [];
  let over = 0;
  for (const rate of [...new Set(rates)].sort((a, b) => a - b)) {
    slices.push(await measure(rate));
    over = isOverKnee(slices[slices.length - 1], lowestMedian(slices)) ? over + 1 : 0;
    if (over === OVER_ENOUGH) break;
  }
  return slices;
}

/** The rounds of a scenario as figures for each rate, in rising order. */
export function figuresByRate(rounds: readonly (readonly MeasuredSlice[])[]): RateFigures[] {
  const rates = [...new Set(rounds.flat().map(({ rate }) => rate))].sort((a, b) => a - b);
  return rates.map(rate => figuresOf(rounds.flat().filter(slice => slice.rate === rate)));
}

/** The rates at which a service kept pace. */
export function belowKnee(rates: readonly RateFigures[]): RateFigures[] {
  const lowest = lowestMedian(rates);
  return rates.filter(figures => !isOverKnee(figures, lowest));
}

/** The knee of each round that reached it. */
export function kneesOf(rounds: readonly (readonly SliceFigures[])[]): MeasuredKnee {
  const knees = rounds.flatMap(round => findKnee(round) ?? []);
  return knees.length === 0 ? { rounds: [] } : { rounds: knees, rate: median(knees) };
}

/** The slices of one rate together. */
function figuresOf(slices: readonly MeasuredSlice[]): RateFigures {
  const middle = (field: Exclude<keyof SliceFigures, 'rate' | 'samples'>) => median(slices.map(slice => slice[field]));
  const all = mergeHistograms(slices.map(({ latency }) => latency));
  return {
    rate: slices[0].rate,
    samples: slices.reduce((sum, { samples }) => sum + samples, 0),
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
