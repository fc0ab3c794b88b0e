// What an HTTP thread counts of its requests: answers by route and status, how long they took, refusals by reason,
// credits, and the tasks that it waits for. Each HTTP thread adds to memory of its own, so counting costs a few
// nanoseconds and no message; whoever shows figures adds the threads up. A thread that replaces another one goes on
// with its numbers.

import { LANES, type Lane } from '../pool/lanes.ts';
import { ERRORS, type ErrorRow } from '../protocol/errors.ts';
import { LOG_ROUTES } from '../tables/requests/record.ts';

/** Bounds of the buckets of latency: from a request in the fast lane to a batch of 64 MB. */
export const LATENCY_SECONDS: readonly number[] = [
  0.0001, 0.000_25, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60,
];
const MICROSECONDS = 1e6;

/** Statuses that are counted by themselves; any other counts as the last. */
const STATUSES: readonly string[] = [...new Set([200, 204, 431, ...Object.values(ERRORS).map(({ status }) => status)])]
  .sort((a, b) => a - b)
  .map(String)
  .concat('other');
const OTHER_STATUS = STATUSES.length - 1;
const REASONS: readonly string[] = [...new Set(Object.values(ERRORS).map(({ reason }) => reason))];

/** Index in STATUSES by status. */
const PLACE_OF_STATUS = new Uint8Array(600).fill(OTHER_STATUS);
for (const [place, status] of STATUSES.entries()) if (place !== OTHER_STATUS) PLACE_OF_STATUS[Number(status)] = place;
const PLACE_OF_REASON: ReadonlyMap<string, number> = new Map(REASONS.map((reason, place) => [reason, place]));

// Indices of the numbers.
const CREDITS = 0;
const TASKS = CREDITS + 1;
const REFUSALS = TASKS + LANES.length;
const ANSWERS = REFUSALS + REASONS.length;
const LATENCIES = ANSWERS + LOG_ROUTES.length * STATUSES.length;
const LENGTH = LATENCIES + LOG_ROUTES.length * histogramLength(LATENCY_SECONDS);

/** Shared memory for the counts of one HTTP thread. */
export function createRequestCounts(): SharedArrayBuffer {
  return new SharedArrayBuffer(LENGTH * Float64Array.BYTES_PER_ELEMENT);
}

/** The counts of one HTTP thread. */
export class RequestCounts {
  private readonly numbers: Float64Array;
  private readonly latencies: readonly SharedHistogram[];

  /** @param memory from `createRequestCounts` */
  constructor(memory: SharedArrayBuffer) {
    const numbers = new Float64Array(memory);
    this.numbers = numbers;
    this.latencies = LOG_ROUTES.map((_, route) => {
      return new SharedHistogram(LATENCY_SECONDS, numbers, LATENCIES + route * histogramLength(LATENCY_SECONDS));
    });
  }

  /** Counts an answer. @param route index in LOG_ROUTES @param latencyUs from arrival to reply */
  countAnswer(route: number, status: number, latencyUs: number): void {
    this.numbers[ANSWERS + route * STATUSES.length + (PLACE_OF_STATUS[status] ?? OTHER_STATUS)] += 1;
    this.latencies[route].add(latencyUs / MICROSECONDS);
  }

  /** Counts why a request, or a position of a batch, was refused. */
  countRefusal({ reason }: ErrorRow): void {
    this.numbers[REFUSALS + PLACE_OF_REASON.get(reason)!] += 1;
  }

  /** Counts credits that were taken from a prepaid key. */
  countCredits(credits: number): void {
    this.numbers[CREDITS] += credits;
  }

  /** Credits that were taken so far. */
  get credits(): number {
    return this.numbers[CREDITS];
  }

  /** Notes how many tasks wait or run in each lane. */
  noteTasks(tasksIn: (lane: Lane) => number): void {
    for (const [place, lane] of LANES.entries()) this.numbers[TASKS + place] = tasksIn(lane);
  }

  /** Tasks by lane, as noted last. */
  *tasks(): Generator<{ lane: Lane; count: number }> {
    for (const [place, lane] of LANES.entries()) yield { lane, count: this.numbers[TASKS + place] };
  }

  /** Answers by route and status, those that were given. */
  *answers(): Generator<{ route: string; status: string; count: number }> {
    for (const [r, route] of LOG_ROUTES.entries()) {
      for (const [s, status] of STATUSES.entries()) {
        const count = this.numbers[ANSWERS + r * STATUSES.length + s];
        if (count > 0) yield { route, status, count };
      }
    }
  }

  /** Refusals by reason, all that there are. */
  *refusals(): Generator<{ reason: string; count: number }> {
    for (const [place, reason] of REASONS.entries()) yield { reason, count: this.numbers[REFUSALS + place] };
  }

  /** Latencies by route, those that were asked. */
  *latencyByRoute(): Generator<{ route: string; figures: HistogramFigures }> {
    for (const [r, route] of LOG_ROUTES.entries()) {
      const figures = this.latencies[r].read();
      if (figures.atMost.at(-1)! > 0) yield { route, figures };
    }
  }
}

/** Numbers that a histogram of so many bounds takes. */
export function histogramLength(bounds: readonly number[]): number {
  return bounds.length + 2;
}

/** What a histogram holds. */
export interface HistogramFigures {
  /** How many values lie at or below each bound, and last how many there are. */
  atMost: number[];
  sum: number;
}

/**
 * A histogram in shared memory, with the buckets of Prometheus. One thread adds to it and others read it, so its
 * numbers are plain: a processor of 64 bits reads and writes an aligned float whole. A reader may see a value counted
 * and not yet summed.
 */
export class SharedHistogram {
  private readonly bounds: readonly number[];
  private readonly numbers: Float64Array;
  private readonly from: number;

  /**
   * @param bounds ascending
   * @param numbers shared memory, zeros at the beginning
   * @param from index of the first of its `histogramLength(bounds)` numbers
   */
  constructor(bounds: readonly number[], numbers: Float64Array, from: number) {
    this.bounds = bounds;
    this.numbers = numbers;
    this.from = from;
  }

  /** Counts a value. */
  add(value: number): void {
    const { bounds, numbers, from } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]) bucket++;
    numbers[from + bucket] += 1;
    numbers[from + bounds.length + 1] += value;
  }

  /** What was counted so far. */
  read(): HistogramFigures {
    const { bounds, numbers, from } = this;
    let sum = 0;
    const atMost = Array.from(numbers.subarray(from, from + bounds.length + 1), count => {
      sum += count;
      return sum;
    });
    return { atMost, sum: numbers[from + bounds.length + 1] };
  }
}
