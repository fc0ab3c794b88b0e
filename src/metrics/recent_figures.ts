// What the service did in the last hour, in steps of ten seconds: for whoever opens the console, and for services that
// no Prometheus watches. Nothing is counted here: threads count in shared memory anyway (request_counts.ts), and a step
// is the difference between two looks at these counts. The steps are kept in memory, an hour of them.
//
// Percentiles come from the buckets of the histograms of latency. Within a bucket latencies are taken to be spread
// evenly, as Prometheus does, so a percentile is as exact as its bucket is narrow.

import type { Worker } from 'node:worker_threads';
import { readBacklog } from './folder_figures.ts';
import { type HistogramFigures, LATENCY_SECONDS } from './request_counts.ts';
import type { MetricSources } from './sources.ts';

/** Length of a step. */
export const STEP_SECONDS = 10;
/** Steps that are kept: an hour. */
export const STEPS_KEPT = 360;
const MICROSECONDS = 1e6;

/** One value for each step; `null` where there is none. */
type Column = (number | null)[];

/** What the service did, by step. All columns are as long as `times`. */
interface Figures {
  stepSeconds: number;
  /** Ends of the steps, ISO 8601. */
  times: string[];
  /** By route, those that were asked. */
  routes: Record<string, { perSecond: Column; p50Ms: Column; p99Ms: Column }>;
  /** Refused requests by reason, those that there were. */
  errors: Record<string, Column>;
  creditsSpent: Column;
  /** Reports that are stored and not learned. */
  backlog: Column;
  /** Bytes: those of the process in memory (`service`), and the heap of each thread. */
  memory: Record<string, Column>;
  /** Processor time of the process and of each thread, in cores. */
  processor: Record<string, Column>;
  /** Query workers, and how many of them were at work, on average. */
  workers: { count: Column; busy: Column };
}

/** What has been counted since the start. */
interface Totals {
  atMs: number;
  latencies: Map<string, HistogramFigures>;
  refusals: Map<string, number>;
  credits: number;
  processorSeconds: Map<string, number>;
}

interface Step {
  endMs: number;
  routes: Map<string, { perSecond: number; p50Ms: number; p99Ms: number }>;
  errors: Map<string, number>;
  creditsSpent: number;
  backlog: number;
  memory: Map<string, number>;
  processor: Map<string, number>;
  workers: { count: number; busy: number };
}

/** What the figures are taken from. */
type FigureSources = Pick<MetricSources, 'folder' | 'requests' | 'threads' | 'queryWorkers'>;

/** A thread with its name. */
type Thread = { name: string; worker: Worker };

/** Keeps what the service did. */
export class RecentFigures {
  private readonly sources: FigureSources;
  private readonly steps: Step[] = [];
  private before: Totals | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(sources: FigureSources) {
    this.sources = sources;
  }

  /** Takes steps from here on. @param onError called for a step that could not be taken */
  start(onError: (message: string) => void): void {
    const take = (): void =>
      void this.step(Date.now()).catch(error => onError(`The figures could not be read: ${(error as Error).message}`));
    take();
    this.timer = setInterval(take, STEP_SECONDS * 1000).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Ends a step. The first call only begins one. @throws Error when a table cannot be used */
  async step(nowMs: number): Promise<void> {
    const threads = this.threads();
    const totals = await readTotals(this.sources, threads, nowMs);
    const { before } = this;
    this.before = totals;
    if (before === undefined || nowMs <= before.atMs) return;
    const seconds = (nowMs - before.atMs) / 1000;
    const processor = new Map(
      [...totals.processorSeconds].flatMap(([name, total]) => {
        const used = total - (before.processorSeconds.get(name) ?? Number.NaN);
        // A thread that replaces another begins at 0.
        return used >= 0 ? [[name, rounded(used / seconds)] as const] : [];
      }),
    );
    const isWorker = (name: string): boolean => name.startsWith('query ');
    const busy = [...processor].reduce((sum, [name, cores]) => sum + (isWorker(name) ? cores : 0), 0);
    this.steps.push({
      endMs: nowMs,
      routes: routesBetween(before, totals, seconds),
      errors: new Map(
        [...totals.refusals].flatMap(([reason, count]) => {
          const more = count - (before.refusals.get(reason) ?? 0);
          return more > 0 ? [[reason, more] as const] : [];
        }),
      ),
      creditsSpent: totals.credits - before.credits,
      backlog: await readBacklog(this.sources.folder),
      memory: await readMemory(threads),
      processor,
      workers: { count: threads.filter(({ name }) => isWorker(name)).length, busy: rounded(busy) },
    });
    if (this.steps.length > STEPS_KEPT) this.steps.shift();
  }

  /** The steps that ended after a moment. @param afterMs milliseconds since 1970 */
  since(afterMs: number): Figures {
    const steps = this.steps.filter(({ endMs }) => endMs > afterMs);
    const byName = (read: (step: Step) => Map<string, number>, absent: number | null): Record<string, Column> =>
      Object.fromEntries(namesIn(steps, read).map(name => [name, steps.map(step => read(step).get(name) ?? absent)]));
    const ofRoute = (route: string): Figures['routes'][string] => ({
      perSecond: steps.map(({ routes }) => routes.get(route)?.perSecond ?? 0),
      p50Ms: steps.map(({ routes }) => routes.get(route)?.p50Ms ?? null),
      p99Ms: steps.map(({ routes }) => routes.get(route)?.p99Ms ?? null),
    });
    return {
      stepSeconds: STEP_SECONDS,
      times: steps.map(({ endMs }) => new Date(endMs).toISOString()),
      routes: Object.fromEntries(namesIn(steps, ({ routes }) => routes).map(route => [route, ofRoute(route)])),
      errors: byName(({ errors }) => errors, 0),
      creditsSpent: steps.map(({ creditsSpent }) => creditsSpent),
      backlog: steps.map(({ backlog }) => backlog),
      memory: byName(({ memory }) => memory, null),
      processor: byName(({ processor }) => processor, null),
      workers: {
        count: steps.map(({ workers }) => workers.count),
        busy: steps.map(({ workers }) => workers.busy),
      },
    };
  }

  private threads(): Thread[] {
    const { threads, queryWorkers } = this.sources;
    return [...threads(), ...queryWorkers().map((worker, n) => ({ name: `query ${n}`, worker }))];
  }
}

function namesIn(steps: readonly Step[], read: (step: Step) => Map<string, unknown>): string[] {
  return [...new Set(steps.flatMap(step => [...read(step).keys()]))];
}

async function readTotals({ requests }: FigureSources, threads: readonly Thread[], atMs: number): Promise<Totals> {
  const latencies = new Map<string, HistogramFigures>();
  const refusals = new Map<string, number>();
  for (const counts of requests) {
    for (const { route, figures } of counts.latencyByRoute()) {
      const { atMost } = latencies.get(route) ?? figures;
      const isFirst = !latencies.has(route);
      latencies.set(route, isFirst ? figures : { ...figures, atMost: figures.atMost.map((n, i) => n + atMost[i]) });
    }
    for (const { reason, count } of counts.refusals()) refusals.set(reason, (refusals.get(reason) ?? 0) + count);
  }
  const { user, system } = process.cpuUsage();
  const processorSeconds = new Map([['service', (user + system) / MICROSECONDS]]);
  for (const { name, worker } of threads) {
    const used = await ofThread(worker.cpuUsage());
    if (used !== undefined) processorSeconds.set(name, (used.user + used.system) / MICROSECONDS);
  }
  const credits = requests.reduce((sum, each) => sum + each.credits, 0);
  return { atMs, latencies, refusals, credits, processorSeconds };
}

async function readMemory(threads: readonly Thread[]): Promise<Map<string, number>> {
  const { rss, heapUsed } = process.memoryUsage();
  const bytes = new Map([
    ['service', rss],
    ['main', heapUsed],
  ]);
  for (const { name, worker } of threads) {
    const heap = await ofThread(worker.getHeapStatistics());
    if (heap !== undefined) bytes.set(name, heap.used_heap_size);
  }
  return bytes;
}

/** What a thread says of itself; undefined when it has ended. */
async function ofThread<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_NOT_RUNNING') return undefined;
    throw error;
  }
}

function routesBetween(before: Totals, { latencies }: Totals, seconds: number): Step['routes'] {
  const routes: Step['routes'] = new Map();
  for (const [route, { atMost }] of latencies) {
    const earlier = before.latencies.get(route)?.atMost;
    const counts = atMost.map((count, i) => count - (earlier?.[i] ?? 0));
    const all = counts.at(-1)!;
    if (all === 0) continue;
    routes.set(route, {
      perSecond: rounded(all / seconds),
      p50Ms: rounded(1000 * percentile(counts, 0.5)),
      p99Ms: rounded(1000 * percentile(counts, 0.99)),
    });
  }
  return routes;
}

/** With four digits, which is more than the buckets tell. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

/**
 * The latency that a share of the requests did not exceed, seconds.
 * @param atMost how many lie at or below each bound, and last how many there are, at least 1
 */
function percentile(atMost: readonly number[], share: number): number {
  const rank = share * atMost.at(-1)!;
  const bucket = atMost.findIndex(count => count >= rank);
  // Beyond the last bound nothing is known but that.
  if (bucket >= LATENCY_SECONDS.length) return LATENCY_SECONDS.at(-1)!;
  const [below, from] = bucket === 0 ? [0, 0] : [atMost[bucket - 1], LATENCY_SECONDS[bucket - 1]];
  return from + ((rank - below) / (atMost[bucket] - below)) * (LATENCY_SECONDS[bucket] - from);
}
