// Fits the simulated service (queue.ts) to what was measured. A flood says what one request takes of the thread that is
// full, with all that delays it: 1 / knee. What the scheduler counts is taken as it is: the processor time of the
// threads at each rate gives the time of waking one, and that of threads that are not full. Five figures cannot be read
// anywhere and are sought so that the simulated median, p99 and p99.9 come close to the measured ones at all rates
// below the knee: the delay outside of threads, the spread of service times, how often and how long a request stalls
// its thread, and how many of the measured pauses of the machine a request meets. Stalls and pauses are part of what a
// flood measures, so the more of them, the shorter the rest.

import { minimise } from './minimise.ts';
import { type Pauses, type RequestKind, type ServiceTime, simulateQueue } from './queue.ts';

/**
 * Few, for the search's speed; what the fit learns from the pauses that were drawn is corrected afterwards
 * (`correctKind`).
 */
const ARRIVALS = 8_000;
const EVALUATIONS = 130;
const FIRST_STEP = 0.7;
const SEED = 1;
/** Weights of the squared logarithmic errors. p99.9 is the least certain. */
const WEIGHTS = { p50: 1, p99: 1, p999: 0.2 };
/** Holds figures that the measurement says nothing about near their first guess. */
const LEASH = 0.004;
/** Samples beyond a percentile that make it worth fitting. */
const TAIL_SAMPLES = 5;
const FIRST_SPREAD = 0.3;
/** Guesses of which the best is the start of the search. */
const FIRST_STALLS = [1 / 10_000, 1 / 1000, 1 / 100];
const FIRST_PAUSE_SCALES = [0.01, 0.1, 0.3, 1];
const FIRST_STALL_MICROSECONDS = 2000;
const LEAST_DELAY_MICROSECONDS = 5;
/** A busy thread takes at least this part of the least time measured, or of a full thread's. */
const BUSY_PART_MIN = 0.5;
/** With more pauses than that, work never ends. */
const LOST_SHARE_MAX = 0.7;
/** Workers that take less than this part of the HTTP threads' time have no part in the requests. */
const WORK_PART_MIN = 0.1;

/** What was measured at one rate: latencies in microseconds, processor time for a request in microseconds. */
export interface MeasuredRate {
  /** Arrivals a second. */
  rate: number;
  samples: number;
  p50: number;
  p99: number;
  p999: number;
  /** Of all HTTP threads. */
  http: number;
  workers: number;
  writer: number;
  process: number;
  generator: number;
}

/** What a flood shows: processor time for a request in microseconds. */
export type Flood = Pick<MeasuredRate, 'http' | 'workers' | 'writer' | 'process' | 'generator'> & {
  /** A second. */
  answers: number;
};

/** How the measured service was started. */
export interface MeasuredThreads {
  httpThreads: number;
  workers: number;
  sliceSeconds: number;
}

/** One scenario as the model sees it. */
export interface FittedKind extends RequestKind {
  /** What a full thread takes for a request by the clock, microseconds, pauses and stalls included. */
  full: { http: number; worker: number };
  /** Pauses that a thread meets, in multiples of the measured ones. */
  pauseScale: number;
  /** Processor time for a request when the service is full, microseconds. */
  writer: number;
  process: number;
  generator: number;
  /**
   * How far the model is off at the fitted rates: root of the weighted mean of the squared logarithmic errors of p50,
   * p99 and p99.9.
   */
  residual: number;
}

/**
 * Fits one scenario.
 * @param rates below the knee, at least two
 * @param flood answers a second and processor times of the flooded service
 * @throws Error for fewer
 */
export function fitKind(
  rates: readonly MeasuredRate[],
  flood: Flood,
  threads: MeasuredThreads,
  pauses: Pauses,
): FittedKind {
  if (rates.length < 2) throw new Error(`A scenario needs two rates below its knee to be fitted, not ${rates.length}.`);
  const points = [...rates, { ...flood, rate: flood.answers }];
  const lineOf = (field: 'http' | 'workers', count: number) =>
    fitServiceTime(
      points.map(each => ({
        idle: 1 - Math.min(1, (each.rate * each[field]) / 1e6 / count),
        microseconds: each[field],
      })),
    );
  // Housekeeping of idle workers is no work for requests.
  const isWorkerUsed = flood.workers > WORK_PART_MIN * flood.http;
  const full = fullTimes(isWorkerUsed ? flood : { ...flood, workers: 0 }, threads);
  const measured = {
    full,
    httpWake: lineOf('http', threads.httpThreads).wake,
    workerWake: isWorkerUsed ? lineOf('workers', threads.workers).wake : 0,
  };
  const kindAt = (point: readonly number[]) => kindOf(point, measured, pauses);
  const misfit = (point: readonly number[]) => {
    const { kind, pauseScale } = kindAt(point);
    const errors = rates.map(rate => errorAt(rate, kind, scaled(pauses, pauseScale), threads));
    return errors.reduce((sum, error) => sum + error, 0) / rates.length;
  };
  const guesses = firstGuesses(rates, measured).map(point => ({ point, value: misfit(point) }));
  const first = guesses.reduce((least, guess) => (guess.value < least.value ? guess : least)).point;
  const loss = (point: readonly number[]) =>
    misfit(point) + LEASH * point.reduce((sum, value, i) => sum + (value - first[i]) ** 2, 0);
  const best = minimise(loss, first, FIRST_STEP, EVALUATIONS);
  const { kind, pauseScale } = kindAt(best.point);
  const residual = Math.sqrt(misfit(best.point) / (WEIGHTS.p50 + WEIGHTS.p99 + WEIGHTS.p999));
  const { writer, process, generator } = flood;
  return { ...kind, full, pauseScale, writer, process, generator, residual };
}

/**
 * By the clock, the thread that is busiest in a flood takes 1 / knee for a request; the other takes its processor time.
 */
function fullTimes(flood: Flood, { httpThreads, workers }: MeasuredThreads): FittedKind['full'] {
  const ofHttp = (httpThreads * 1e6) / flood.answers;
  const ofWorkers = (workers * 1e6) / flood.answers;
  return flood.http / ofHttp >= flood.workers / ofWorkers
    ? { http: ofHttp, worker: flood.workers }
    : { http: flood.http, worker: ofWorkers };
}

/**
 * Pauses in a multiple of their number, but never so many that a thread stands still for more than LOST_SHARE_MAX of
 * the time.
 */
export function scaled({ perSecond, lengths }: Pauses, factor: number): Pauses {
  return {
    lengths,
    perSecond: Math.min(perSecond * factor, (1e6 * LOST_SHARE_MAX) / Math.max(meanLength(lengths), Number.EPSILON)),
  };
}

/** Of latencies in rising order, the one below which this share lies. */
export function latencyAt(latencies: Float64Array, share: number): number {
  return latencies[Math.min(latencies.length - 1, Math.floor(share * latencies.length))];
}

/**
 * A thread that is idle for a share of the time is woken by that share of the requests: its time for a request is `busy
 * + wake * idle`, a straight line, fitted by least squares. Waking takes no less than nothing, and a busy thread no
 * less than half of what was ever measured: a line through noisy points must not lead further away than the points
 * themselves.
 */
export function fitServiceTime(points: readonly { idle: number; microseconds: number }[]): ServiceTime {
  const mean = (value: (point: { idle: number; microseconds: number }) => number) =>
    points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [idle, microseconds] = [mean(point => point.idle), mean(point => point.microseconds)];
  const variance = mean(point => (point.idle - idle) ** 2);
  const slope =
    variance === 0 ? 0 : mean(point => (point.idle - idle) * (point.microseconds - microseconds)) / variance;
  const least = BUSY_PART_MIN * Math.min(...points.map(point => point.microseconds));
  const wake = Math.min(Math.max(slope, 0), idle === 0 ? 0 : (microseconds - least) / idle);
  return { busy: microseconds - wake * idle, wake };
}

/** What is known of a scenario before the fit, microseconds. */
interface Known {
  full: FittedKind['full'];
  httpWake: number;
  workerWake: number;
}

/** Logarithms of the figures that are sought. */
function firstGuesses(rates: readonly MeasuredRate[], { full, httpWake, workerWake }: Known): number[][] {
  const lowest = rates.reduce((least, each) => (each.p50 < least.p50 ? each : least));
  const delay = Math.max(LEAST_DELAY_MICROSECONDS, lowest.p50 - full.http - httpWake - full.worker - workerWake);
  return FIRST_PAUSE_SCALES.flatMap(pauseScale =>
    FIRST_STALLS.map(stalls => [delay, FIRST_SPREAD, stalls, FIRST_STALL_MICROSECONDS, pauseScale].map(Math.log)),
  );
}

function kindOf(
  point: readonly number[],
  { full, httpWake, workerWake }: Known,
  pauses: Pauses,
): { kind: RequestKind; pauseScale: number } {
  const [delay, spread, stalls, stallMicroseconds, pauseScale] = point.map(Math.exp);
  const stallsPerRequest = Math.min(stalls, 0.2);
  const { perSecond, lengths } = scaled(pauses, pauseScale);
  const running = 1 - (perSecond * meanLength(lengths)) / 1e6;
  const busy = (time: number, stalled: number) => Math.max(BUSY_PART_MIN * time, running * time - stalled);
  const http = { busy: busy(full.http, stallsPerRequest * stallMicroseconds), wake: httpWake };
  const worker = { busy: busy(full.worker, 0), wake: workerWake };
  return {
    kind: { http, worker, delay, spread: Math.min(spread, 2), stallsPerRequest, stallMicroseconds },
    pauseScale,
  };
}

function meanLength(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
}

function errorAt(measured: MeasuredRate, kind: RequestKind, pauses: Pauses, threads: MeasuredThreads): number {
  const load = { ...threads, rate: measured.rate, arrivals: ARRIVALS, seed: SEED };
  const latencies = simulateQueue([{ share: 1, kind }], pauses, load);
  const squared = (share: number, value: number) => Math.log(latencyAt(latencies, share) / value) ** 2;
  const isCertain = (share: number) => measured.samples * (1 - share) >= TAIL_SAMPLES;
  return (
    WEIGHTS.p50 * squared(0.5, measured.p50) +
    (isCertain(0.99) ? WEIGHTS.p99 * squared(0.99, measured.p99) : 0) +
    (isCertain(0.999) ? WEIGHTS.p999 * squared(0.999, measured.p999) : 0)
  );
}
