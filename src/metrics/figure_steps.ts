// What the service did, in steps, and how steps become one that is longer. A step keeps counts and not what is computed
// of them: latencies stay in the buckets of their histograms, so the percentiles of half an hour are those of all its
// requests, and not means of percentiles.
//
// Within a bucket latencies are taken to be spread evenly, as Prometheus does, so a percentile is as exact as its
// bucket is narrow.

import { LATENCY_SECONDS } from './request_counts.ts';

/** Length of the steps of an hour, which are joined to those of the other ranges. */
export const STEP_SECONDS = 10;
/** What is kept: each range in so many steps. */
export const FIGURE_RANGES = {
  hour: { stepSeconds: STEP_SECONDS, steps: 360 },
  day: { stepSeconds: 300, steps: 288 },
  week: { stepSeconds: 1_800, steps: 336 },
} as const;

/** A range, by name. */
export type FigureRange = keyof typeof FIGURE_RANGES;

/** By name: of a route, a reason or a thread. */
type ByName<T> = Record<string, T>;

/** A stretch of time. */
export interface Step {
  endMs: number;
  /** How long the service was watched. */
  seconds: number;
  /** By route: how many requests took at most each bound, and last how many there were. */
  latencies: ByName<number[]>;
  /** Refused requests by reason. */
  errors: ByName<number>;
  creditsSpent: number;
  /** Reports that were stored and not learned, at most. */
  backlog: number;
  /** Bytes, at most. */
  memory: ByName<number>;
  /** Processor time in cores, on average. */
  processor: ByName<number>;
  workers: { count: number; busy: number };
}

/** One value for each step; `null` where there is none. */
type Column = (number | null)[];

/** What the service did, by step. All columns are as long as `times`. */
export interface Figures {
  stepSeconds: number;
  /** Ends of the steps, ISO 8601. */
  times: string[];
  /** Of all requests of these steps. */
  total: { requests: number; p50Ms: number | null; p99Ms: number | null };
  /** By route, those that were asked. */
  routes: ByName<{ perSecond: Column; p50Ms: Column; p99Ms: Column }>;
  errors: ByName<Column>;
  creditsSpent: Column;
  backlog: Column;
  memory: ByName<Column>;
  processor: ByName<Column>;
  workers: { count: Column; busy: Column };
}

/** The steps of a range: a new one takes the place of the oldest. */
export class StepRing {
  readonly stepSeconds: number;
  private readonly rangeMs: number;
  private steps: Step[];

  /** @param steps from `toJSON` of an earlier one */
  constructor({ stepSeconds, steps: count }: { stepSeconds: number; steps: number }, steps: Step[] = []) {
    this.stepSeconds = stepSeconds;
    this.rangeMs = 1000 * stepSeconds * count;
    this.steps = steps;
  }

  /** Adds a step of STEP_SECONDS: it is joined with those of the same multiple of the ring's length. */
  add(step: Step): void {
    this.steps = this.steps.filter(({ endMs }) => endMs < step.endMs && endMs > step.endMs - this.rangeMs);
    const last = this.steps.at(-1);
    const placeOf = ({ endMs }: Step): number => Math.ceil(endMs / (1000 * this.stepSeconds));
    // Short steps are never joined: the clock that ends them is not that exact.
    const isJoined = this.stepSeconds > STEP_SECONDS && last !== undefined && placeOf(last) === placeOf(step);
    if (isJoined) this.steps[this.steps.length - 1] = joined(last, step);
    else this.steps.push(step);
  }

  /** Forgets what is of the future, which is so where a clock was set back, and what is older than the range. */
  keepUntil(nowMs: number): void {
    this.steps = this.steps.filter(({ endMs }) => endMs <= nowMs && endMs > nowMs - this.rangeMs);
  }

  /** The steps that ended after a moment; `undefined` stands for the time at which the service did not run. */
  after(afterMs: number): { endMs: number; step: Step | undefined }[] {
    const stepMs = 1000 * this.stepSeconds;
    const found: { endMs: number; step: Step | undefined }[] = [];
    for (const step of this.steps) {
      const before = found.at(-1)?.endMs;
      if (step.endMs <= afterMs) continue;
      if (before !== undefined && step.endMs - before > 2 * stepMs)
        found.push({ endMs: before + stepMs, step: undefined });
      found.push({ endMs: step.endMs, step });
    }
    return found;
  }

  toJSON(): Step[] {
    return this.steps;
  }
}

function joined(a: Step, b: Step): Step {
  const seconds = a.seconds + b.seconds;
  const mean = (x: number, y: number): number => rounded((x * a.seconds + y * b.seconds) / seconds);
  const sum = (x: number, y: number): number => x + y;
  return {
    endMs: b.endMs,
    seconds,
    latencies: byName(a.latencies, b.latencies, (x = [], y = []) =>
      x.length === 0 ? y : x.map((count, i) => count + (y[i] ?? 0)),
    ),
    errors: byName(a.errors, b.errors, (x = 0, y = 0) => sum(x, y)),
    creditsSpent: sum(a.creditsSpent, b.creditsSpent),
    backlog: Math.max(a.backlog, b.backlog),
    memory: byName(a.memory, b.memory, (x = 0, y = 0) => Math.max(x, y)),
    processor: byName(a.processor, b.processor, (x = 0, y = 0) => mean(x, y)),
    workers: { count: b.workers.count, busy: mean(a.workers.busy, b.workers.busy) },
  };
}

/** @param join of two values, one of which may be missing */
function byName<T>(a: ByName<T>, b: ByName<T>, join: (x: T | undefined, y: T | undefined) => T): ByName<T> {
  return Object.fromEntries(Object.keys({ ...a, ...b }).map(name => [name, join(a[name], b[name])]));
}

/** Steps as columns. */
export function figuresOf(stepSeconds: number, kept: ReturnType<StepRing['after']>): Figures {
  const steps = kept.map(({ step }) => step);
  const column = (read: (step: Step) => number | null | undefined): Column =>
    steps.map(step => (step && read(step)) ?? null);
  const columns = (read: (step: Step) => ByName<number>, absent: number | null): ByName<Column> =>
    Object.fromEntries(namesIn(steps, read).map(name => [name, column(step => read(step)[name] ?? absent)]));
  const all = steps.flatMap(step => Object.values(step?.latencies ?? {}));
  const total = LATENCY_SECONDS.concat(0).map((_, i) => all.reduce((sum, counts) => sum + counts[i], 0));
  return {
    stepSeconds,
    times: kept.map(({ endMs }) => new Date(endMs).toISOString()),
    total: { requests: total.at(-1)!, p50Ms: percentile(total, 0.5), p99Ms: percentile(total, 0.99) },
    routes: Object.fromEntries(
      namesIn(steps, ({ latencies }) => latencies).map(route => [
        route,
        {
          perSecond: column(({ latencies, seconds }) => rounded((latencies[route]?.at(-1) ?? 0) / seconds)),
          p50Ms: column(({ latencies }) => percentile(latencies[route], 0.5)),
          p99Ms: column(({ latencies }) => percentile(latencies[route], 0.99)),
        },
      ]),
    ),
    errors: columns(({ errors }) => errors, 0),
    creditsSpent: column(({ creditsSpent }) => creditsSpent),
    backlog: column(({ backlog }) => backlog),
    memory: columns(({ memory }) => memory, null),
    processor: columns(({ processor }) => processor, null),
    workers: { count: column(({ workers }) => workers.count), busy: column(({ workers }) => workers.busy) },
  };
}

function namesIn(steps: readonly (Step | undefined)[], read: (step: Step) => ByName<unknown>): string[] {
  return [...new Set(steps.flatMap(step => (step === undefined ? [] : Object.keys(read(step)))))];
}

/** With four digits, which is more than the buckets tell. */
export function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/**
 * The latency that a share of the requests did not exceed, milliseconds; null if there was none.
 * @param atMost how many lie at or below each bound, and last how many there are
 */
function percentile(atMost: readonly number[] | undefined, share: number): number | null {
  const rank = share * (atMost?.at(-1) ?? 0);
  if (atMost === undefined || rank === 0) return null;
  const bucket = atMost.findIndex(count => count >= rank);
  // Beyond the last bound nothing is known but that.
  if (bucket >= LATENCY_SECONDS.length) return rounded(1000 * LATENCY_SECONDS.at(-1)!);
  const [below, from] = bucket === 0 ? [0, 0] : [atMost[bucket - 1], LATENCY_SECONDS[bucket - 1]];
  const reached = (rank - below) / (atMost[bucket] - below);
  return rounded(1000 * (from + reached * (LATENCY_SECONDS[bucket] - from)));
}
