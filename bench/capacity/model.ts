// Predicts latency and knee of a service from fitted scenarios (fit.ts): for rates that were not measured, for mixes of
// scenarios, for more threads and cores. The knee is where one resource is full: the HTTP threads, the workers, the
// writer, which is a single thread, or the cores: all threads of the service together, and the load generator if it
// runs on the same machine, need some processor time for a request, whatever each thread could do.
//
// The simulated queue knows what is common to all services. How far it is from the measured percentiles of a scenario
// depends on the load, smoothly, so its prediction is corrected by that (regression kriging: the queue is the trend,
// the misfit is interpolated).

import { type FittedKind, latencyAt, type MeasuredRate, scaled } from './fit.ts';
import { type Pauses, simulateQueue } from './queue.ts';

/** Enough for a hundred pauses at high rates. */
const ARRIVALS = 100_000;
const SEED = 2;
/** Weight of a measured misfit against its neighbours' when it is smoothed; each has noise of its own. */
const OWN_WEIGHT = 2;

/** Scenarios with their shares of the arrivals, which sum to 1. */
export type Mix = readonly { share: number; kind: CorrectedKind }[];

/** The service and machine of a prediction. */
export interface Target {
  cores: number;
  httpThreads: number;
  workers: number;
  /** Cost of a request in multiples of that with one HTTP thread, for each doubling of HTTP threads. */
  doublingCost: number;
  /** The load comes from a generator on the same machine. */
  hasGenerator: boolean;
  pauses: Pauses;
  sliceSeconds: number;
}

/** Microseconds. */
export interface Latencies {
  p50: number;
  p99: number;
  p999: number;
}

/** A predicted knee, and what it is that is full. */
export interface PredictedKnee {
  /** Arrivals a second. */
  rate: number;
  limit: 'HTTP threads' | 'workers' | 'cores' | 'writer';
}

/**
 * A fitted scenario that knows its misfit: logarithms of measured to simulated percentiles, by load (rate to knee) in
 * rising order.
 */
export interface CorrectedKind extends FittedKind {
  misfit: ({ load: number } & Latencies)[];
}

/**
 * Measures the misfit of a fitted scenario. @param rates below the knee, in rising order @param target as it was
 * measured
 */
export function correctKind(kind: FittedKind, rates: readonly MeasuredRate[], target: Target): CorrectedKind {
  const mix: Mix = [{ share: 1, kind: { ...kind, misfit: [] } }];
  const { rate: knee } = predictKnee(mix, target);
  const raw = rates.map(measured => {
    const simulated = simulate(mix, measured.rate, target);
    return { load: measured.rate / knee, ...mapLatencies(field => Math.log(measured[field] / simulated[field])) };
  });
  const misfit = raw.map((own, i) => {
    const near = [own, ...raw.slice(Math.max(0, i - 1), i), ...raw.slice(i + 1, i + 2)];
    const weight = OWN_WEIGHT + near.length - 1;
    const smoothed = (field: keyof Latencies) =>
      near.reduce((sum, each) => sum + each[field], (OWN_WEIGHT - 1) * own[field]) / weight;
    return { load: own.load, ...mapLatencies(smoothed) };
  });
  return { ...kind, misfit };
}

/** Latencies at a rate. */
export function predictLatencies(mix: Mix, rate: number, target: Target): Latencies {
  const simulated = simulate(mix, rate, target);
  const load = rate / predictKnee(mix, target).rate;
  return mapLatencies(field => simulated[field] * Math.exp(meanOf(mix, ({ misfit }) => misfitAt(misfit, load, field))));
}

/** The knee of a mix. */
export function predictKnee(mix: Mix, target: Target): PredictedKnee {
  const { cores, httpThreads, workers, hasGenerator } = target;
  const cost = costOf(target);
  const knee = (limit: PredictedKnee['limit'], count: number, microseconds: number): PredictedKnee => {
    return { rate: (1e6 * count) / Math.max(microseconds, Number.EPSILON), limit };
  };
  return [
    knee('HTTP threads', httpThreads, meanOf(mix, ({ full }) => full.http) * cost),
    knee(
      'workers',
      workers,
      meanOf(mix, ({ full }) => full.worker),
    ),
    knee('cores', cores, meanOf(mix, ({ process, generator }) => process + (hasGenerator ? generator : 0)) * cost),
    knee(
      'writer',
      1,
      meanOf(mix, ({ writer }) => writer),
    ),
  ].reduce((least, each) => (each.rate < least.rate ? each : least));
}

function simulate(mix: Mix, rate: number, target: Target): Latencies {
  const cost = costOf(target);
  const slowed = ({ busy, wake }: FittedKind['http']) => ({ busy: busy * cost, wake: wake * cost });
  const kinds = mix.map(({ share, kind }) => ({ share, kind: { ...kind, http: slowed(kind.http) } }));
  const { httpThreads, workers, sliceSeconds } = target;
  const load = { rate, httpThreads, workers, arrivals: ARRIVALS, sliceSeconds, seed: SEED };
  const pauseScale = meanOf(mix, kind => kind.pauseScale);
  const latencies = simulateQueue(kinds, scaled(target.pauses, pauseScale), load);
  return { p50: latencyAt(latencies, 0.5), p99: latencyAt(latencies, 0.99), p999: latencyAt(latencies, 0.999) };
}

/** Between measured loads on a straight line, beyond them as at the last one. */
function misfitAt(misfit: CorrectedKind['misfit'], load: number, field: keyof Latencies): number {
  const above = misfit.findIndex(each => each.load >= load);
  if (above === 0 || misfit.length === 0) return misfit.at(0)?.[field] ?? 0;
  if (above < 0) return misfit[misfit.length - 1][field];
  const [from, to] = [misfit[above - 1], misfit[above]];
  return from[field] + ((load - from.load) / (to.load - from.load)) * (to[field] - from[field]);
}

function mapLatencies(value: (field: keyof Latencies) => number): Latencies {
  return { p50: value('p50'), p99: value('p99'), p999: value('p999') };
}

function costOf({ httpThreads, doublingCost }: Target): number {
  return doublingCost ** Math.log2(httpThreads);
}

function meanOf(mix: Mix, value: (kind: CorrectedKind) => number): number {
  return mix.reduce((sum, { share, kind }) => sum + share * value(kind), 0);
}
