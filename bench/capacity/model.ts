// Predicts latency and knee of a service from fitted scenarios (fit.ts): for rates that were not measured, for mixes of scenarios, for more threads and cores.
// The knee is where the simulated median takes off (knee.ts), or where the cores are full: all threads of the service together, and the load generator if it runs
// on the same machine, need some processor time for a request, whatever each thread could do. The writer is a single thread, so it is a limit of its own.

import { type FittedKind, latencyAt, scaled } from './fit.ts';
import { KNEE_FACTOR } from './knee.ts';
import { type Pauses, simulateQueue } from './queue.ts';

const ARRIVALS = 20_000;
const SEED = 2;
/** Steps of the bisection; the knee is exact to a thousandth. */
const BISECTIONS = 12;
/** The lowest median is looked for at these parts of the highest rate. */
const LIGHT_PARTS = [0.1, 0.3, 0.5];

/** Scenarios with their shares of the arrivals, which sum to 1. */
export type Mix = readonly { share: number; kind: FittedKind }[];

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
  limit: 'threads' | 'cores' | 'writer';
}

/** Latencies at a rate. */
export function predictLatencies(mix: Mix, rate: number, target: Target): Latencies {
  const cost = costOf(target);
  const slowed = ({ busy, wake }: FittedKind['http']) => ({ busy: busy * cost, wake: wake * cost });
  const kinds = mix.map(({ share, kind }) => ({ share, kind: { ...kind, http: slowed(kind.http) } }));
  const { httpThreads, workers, sliceSeconds } = target;
  const load = { rate, httpThreads, workers, arrivals: ARRIVALS, sliceSeconds, seed: SEED };
  const latencies = simulateQueue(
    kinds,
    scaled(
      target.pauses,
      meanOf(mix, ({ pauseScale }) => pauseScale),
    ),
    load,
  );
  return { p50: latencyAt(latencies, 0.5), p99: latencyAt(latencies, 0.99), p999: latencyAt(latencies, 0.999) };
}

/** The knee of a mix. */
export function predictKnee(mix: Mix, target: Target): PredictedKnee {
  const threads = threadKnee(mix, target);
  const all = meanOf(mix, ({ process, generator }) => process + (target.hasGenerator ? generator : 0)) * costOf(target);
  const cores = (1e6 * target.cores) / all;
  const writer =
    1e6 /
    Math.max(
      meanOf(mix, kind => kind.writer),
      Number.EPSILON,
    );
  const rate = Math.min(threads, cores, writer);
  return { rate, limit: rate === threads ? 'threads' : rate === cores ? 'cores' : 'writer' };
}

/** Where the simulated median takes off. */
function threadKnee(mix: Mix, target: Target): number {
  const http = (target.httpThreads * 1e6) / (meanOf(mix, kind => kind.http.busy) * costOf(target));
  const worker =
    (target.workers * 1e6) /
    Math.max(
      meanOf(mix, kind => kind.worker.busy),
      Number.EPSILON,
    );
  const full = Math.min(http, worker);
  const median = (rate: number) => predictLatencies(mix, rate, target).p50;
  const limit = KNEE_FACTOR * Math.min(...LIGHT_PARTS.map(part => median(part * full)));
  // With a share of heavy requests the median stays low while the workers' queue grows without end; then the full workers are the knee.
  if (median(full) <= limit) return full;
  let [below, above] = [0, full];
  for (let step = 0; step < BISECTIONS; step++) {
    const middle = (below + above) / 2;
    if (median(middle) > limit) above = middle;
    else below = middle;
  }
  return below;
}

function costOf({ httpThreads, doublingCost }: Target): number {
  return doublingCost ** Math.log2(httpThreads);
}

function meanOf(mix: Mix, value: (kind: FittedKind) => number): number {
  return mix.reduce((sum, { share, kind }) => sum + share * value(kind), 0);
}
