// A simulated service: what latency do requests have that arrive at random at a fixed mean rate? Closed formulas exist
// for one server without pauses; the tail of a real service comes from pauses as much as from the queue, so the queue
// is simulated, seeded, arrival by arrival.
//
//   arrival -> one of the HTTP threads, by its connection -> queue -> HTTP time -> for heavy work: shared queue ->
//   worker time -> answer
//
// A thread that must be woken takes longer than one that is busy (Welch 1964: a queue with an exceptional first
// service). Service times vary log-normally about their mean. A thread stands still in pauses of the machine, at any
// time, and in stalls of its own, such as garbage collection, once in so many requests.
// `delay` passes without occupying anybody: sockets, wake-ups, the way to the generator.

import { normal, uniform } from '../../test/kits/random.ts';

/** Processor time of one kind of threads for a request, microseconds. */
export interface ServiceTime {
  /** While the thread is busy anyway. */
  busy: number;
  /** More, when the thread must be woken. */
  wake: number;
}

/** One kind of request, and what it takes. */
export interface RequestKind {
  http: ServiceTime;
  /** Zero for requests that no worker sees. */
  worker: ServiceTime;
  /** Mean microseconds that pass without occupying a thread. */
  delay: number;
  /** Deviation of the logarithm of service times and of the delay. */
  spread: number;
  /** Stalls a request, and their mean length in microseconds (exponential). */
  stallsPerRequest: number;
  stallMicroseconds: number;
}

/** Pauses of the machine. */
export interface Pauses {
  /** Pauses a second of one busy thread. */
  perSecond: number;
  /** Lengths of measured pauses, microseconds. */
  lengths: readonly number[];
}

/** The threads, the load and how it is observed. */
export interface Load {
  /** Arrivals a second. */
  rate: number;
  httpThreads: number;
  workers: number;
  arrivals: number;
  /** Seconds after which the service begins anew without a queue, as a measurement in slices does. */
  sliceSeconds: number;
  seed: number;
}

/**
 * Latencies of all arrivals in microseconds, in rising order.
 * @param mix kinds of requests with their shares, which sum to 1
 */
export function simulateQueue(
  mix: readonly { share: number; kind: RequestKind }[],
  pauses: Pauses,
  load: Load,
): Float64Array {
  const latencies = new Float64Array(load.arrivals);
  const random = uniform(load.seed);
  const gauss = normal(random);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const gap = 1e6 / load.rate;
  const inSlice = Math.max(1, Math.ceil(load.rate * load.sliceSeconds));
  const isPaused = pauses.perSecond > 0 && pauses.lengths.length > 0;
  const betweenPauses = () => (isPaused ? exponential(1e6 / pauses.perSecond) : Number.POSITIVE_INFINITY);
  const pauseLength = () => pauses.lengths[Math.floor(random() * pauses.lengths.length)];
  const http: Thread[] = [];
  const workers: Thread[] = [];
  /** Serves one request that comes at `at`; its end. */
  const serve = (
    thread: Thread,
    at: number,
    time: ServiceTime,
    { spread, stallsPerRequest, stallMicroseconds }: RequestKind,
  ): number => {
    for (; thread.nextPause <= at; thread.nextPause += betweenPauses()) {
      thread.free = Math.max(thread.free, thread.nextPause) + pauseLength();
    }
    const mean = time.busy + (thread.free <= at ? time.wake : 0);
    let end = Math.max(at, thread.free) + mean * Math.exp(spread * gauss() - (spread * spread) / 2);
    if (random() < stallsPerRequest) end += exponential(stallMicroseconds);
    for (; thread.nextPause < end; thread.nextPause += betweenPauses()) end += pauseLength();
    thread.free = end;
    return end;
  };
  let at = 0;
  for (let i = 0; i < load.arrivals; i++) {
    if (i % inSlice === 0) {
      at = 0;
      http.length = workers.length = 0;
      for (let thread = 0; thread < load.httpThreads; thread++) http.push({ free: 0, nextPause: betweenPauses() });
      for (let worker = 0; worker < load.workers; worker++) workers.push({ free: 0, nextPause: betweenPauses() });
    }
    at += exponential(gap);
    const kind = drawKind(mix, random());
    let end = serve(http[Math.floor(random() * http.length)], at, kind.http, kind);
    if (kind.worker.busy > 0) end = serve(firstFree(workers), end, kind.worker, { ...kind, stallsPerRequest: 0 });
    latencies[i] = end - at + kind.delay * Math.exp(kind.spread * gauss() - (kind.spread * kind.spread) / 2);
  }
  return latencies.sort();
}

interface Thread {
  /** When it has done all that it was given, microseconds. */
  free: number;
  nextPause: number;
}

function drawKind(mix: readonly { share: number; kind: RequestKind }[], drawn: number): RequestKind {
  let left = drawn;
  for (const { share, kind } of mix) {
    if (left < share) return kind;
    left -= share;
  }
  return mix[mix.length - 1].kind;
}

function firstFree(threads: readonly Thread[]): Thread {
  return threads.reduce((first, thread) => (thread.free < first.free ? thread : first));
}
