// What the service did in the last hour, day and week: for whoever opens the console, and for services that no
// Prometheus watches. Nothing is counted here: threads count in shared memory anyway (request_counts.ts), and a step
// is the difference between two looks at these counts, ten seconds apart. Each range keeps steps of its own length
// (figure_steps.ts), in memory and, every few minutes and at the end, in the data folder (figure_file.ts).

import type { Worker } from 'node:worker_threads';
import { type FigureRings, figureRings, readFigureFile, writeFigureFile } from './figure_file.ts';
import { type FigureRange, type Figures, figuresOf, rounded, STEP_SECONDS, type Step } from './figure_steps.ts';
import { readBacklog } from './folder_figures.ts';
import type { HistogramFigures } from './request_counts.ts';
import type { MetricSources } from './sources.ts';

/** A kill costs the steps of this time. */
const WRITE_MILLISECONDS = 300_000;
const MICROSECONDS = 1e6;

/** What has been counted since the start. */
interface Totals {
  atMs: number;
  latencies: Map<string, HistogramFigures>;
  refusals: Map<string, number>;
  credits: number;
  processorSeconds: Map<string, number>;
}

/** What the figures are taken from. */
type FigureSources = Pick<MetricSources, 'folder' | 'requests' | 'threads' | 'queryWorkers'>;

/** A thread with its name. */
type Thread = { name: string; worker: Worker };

function teller(onError: (message: string) => void) {
  return (what: string) => (error: unknown) => onError(`${what}: ${(error as Error).message}.`);
}

/** Keeps what the service did. */
export class RecentFigures {
  private readonly sources: FigureSources;
  private rings: FigureRings = figureRings();
  private before: Totals | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writtenMs = 0;
  private writing: Promise<void> | undefined;

  constructor(sources: FigureSources) {
    this.sources = sources;
  }

  /**
   * Goes on with what an earlier service has kept, and takes steps from here on.
   * @param onError called for steps that could not be read, taken or kept
   */
  start(onError: (message: string) => void): void {
    const tell = teller(onError);
    try {
      this.read(Date.now());
    } catch (error) {
      tell('The figures of the last week cannot be read and begin anew')(error);
    }
    const take = async (): Promise<void> => {
      const nowMs = Date.now();
      await this.step(nowMs).catch(tell('The figures could not be read'));
      if (nowMs - this.writtenMs >= WRITE_MILLISECONDS)
        await this.write(nowMs).catch(tell('The figures could not be kept'));
    };
    void take();
    this.timer = setInterval(() => void take(), STEP_SECONDS * 1000).unref();
  }

  /** Takes no more steps, and keeps those that there are. @param onError called where they cannot be kept */
  async stop(onError: (message: string) => void): Promise<void> {
    clearInterval(this.timer);
    await this.write(Date.now()).catch(teller(onError)('The figures could not be kept'));
  }

  /** Takes over what is kept in the data folder. @throws Error when it cannot be read; then there is nothing */
  read(nowMs: number): void {
    this.writtenMs = nowMs;
    this.rings = readFigureFile(this.sources.folder);
    for (const ring of Object.values(this.rings)) ring.keepUntil(nowMs);
  }

  private async write(nowMs: number): Promise<void> {
    this.writtenMs = nowMs;
    await this.writing?.catch(() => {}); // whoever began it is told
    this.writing = writeFigureFile(this.sources.folder, this.rings);
    await this.writing;
  }

  /** Ends a step. The first call only begins one. @throws Error when a table cannot be used */
  async step(nowMs: number): Promise<void> {
    const threads = this.threads();
    const totals = await readTotals(this.sources, threads, nowMs);
    const { before } = this;
    this.before = totals;
    if (before === undefined || nowMs <= before.atMs) return;
    const seconds = (nowMs - before.atMs) / 1000;
    const processor = processorBetween(before, totals, seconds);
    const isWorker = (name: string): boolean => name.startsWith('query ');
    const busy = Object.entries(processor).reduce((sum, [name, cores]) => sum + (isWorker(name) ? cores : 0), 0);
    const step: Step = {
      endMs: nowMs,
      seconds,
      latencies: latenciesBetween(before, totals),
      errors: Object.fromEntries(
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
    };
    for (const ring of Object.values(this.rings)) ring.add(step);
  }

  /** The steps of a range that ended after a moment. @param afterMs milliseconds since 1970 */
  since(range: FigureRange, afterMs: number): Figures {
    const ring = this.rings[range];
    return figuresOf(ring.stepSeconds, ring.after(afterMs));
  }

  private threads(): Thread[] {
    const { threads, queryWorkers } = this.sources;
    return [...threads(), ...queryWorkers().map((worker, n) => ({ name: `query ${n}`, worker }))];
  }
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

async function readMemory(threads: readonly Thread[]): Promise<Step['memory']> {
  const { rss, heapUsed } = process.memoryUsage();
  const bytes: Step['memory'] = { service: rss, main: heapUsed };
  for (const { name, worker } of threads) {
    const heap = await ofThread(worker.getHeapStatistics());
    if (heap !== undefined) bytes[name] = heap.used_heap_size;
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

function latenciesBetween(before: Totals, { latencies }: Totals): Step['latencies'] {
  const counted = [...latencies].map(([route, { atMost }]) => {
    const earlier = before.latencies.get(route)?.atMost;
    return [route, atMost.map((count, i) => count - (earlier?.[i] ?? 0))] as const;
  });
  return Object.fromEntries(counted.filter(([, atMost]) => atMost.at(-1)! > 0));
}

function processorBetween(before: Totals, totals: Totals, seconds: number): Step['processor'] {
  return Object.fromEntries(
    [...totals.processorSeconds].flatMap(([name, total]) => {
      const used = total - (before.processorSeconds.get(name) ?? Number.NaN);
      // A thread that replaces another begins at 0.
      return used >= 0 ? [[name, rounded(used / seconds)] as const] : [];
    }),
  );
}
