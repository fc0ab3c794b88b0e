// The machine a figure was measured on, and how much of its processor time it took away. A virtual machine loses processor time in bursts that its own
// counters do not show; a thread that does nothing but look at the clock sees them as gaps. Measured with one core busy and with all of them,
// because the loss grows with the load.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** A clock that jumps further than this was not running: far above one look at it, far below a scheduler's time slice. */
const GAP_MILLISECONDS = 0.1;
const PROBE_MILLISECONDS = 1000;
const PACKAGES = ['ajv', 'assemblyscript', 'fastify', 'lmdb', 'piscina', 'tinybench'];

export interface Machine {
  processor: string;
  cores: number;
  memoryGigabytes: number;
  system: string;
  node: string;
  /** Installed version of each package that a figure depends on. */
  packages: Record<string, string>;
}

/** Processor time lost while a number of threads did nothing but look at the clock. */
export interface StealTime {
  threads: number;
  /** Share of their time, 0..1. */
  lostShare: number;
  gaps: number;
  longestGapMilliseconds: number;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  const versionOf = (name: string) => {
    const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
  };
  return {
    processor: cpus()[0].model.trim(),
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    packages: Object.fromEntries(PACKAGES.map(name => [name, versionOf(name)])),
  };
}

/** Watches the clock for a second with one thread, then with one a core. */
export async function probeStealTime(): Promise<StealTime[]> {
  const losses = [await watchWith(1)];
  if (availableParallelism() > 1) losses.push(await watchWith(availableParallelism()));
  return losses;
}

/** One sentence for a table's foot. */
export function describeStealTime(losses: readonly StealTime[]): string {
  const parts = losses.map(
    loss =>
      `${loss.threads === 1 ? 'one core' : `${loss.threads} cores`} busy ${(loss.lostShare * 100).toFixed(1)} % ` +
      `(${loss.gaps} gaps, longest ${loss.longestGapMilliseconds.toFixed(1)} ms)`,
  );
  return `Steal time: ${parts.join('; ')}.`;
}

async function watchWith(threads: number): Promise<StealTime> {
  const watched = await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<number[]>((resolve, reject) => {
          new Worker(new URL(import.meta.url), { workerData: PROBE_MILLISECONDS }).once('message', resolve).once('error', reject);
        }),
    ),
  );
  const gaps = watched.flat();
  return {
    threads,
    lostShare: gaps.reduce((sum, gap) => sum + gap, 0) / (threads * PROBE_MILLISECONDS),
    gaps: gaps.length,
    longestGapMilliseconds: Math.max(0, ...gaps),
  };
}

function watchTheClock(milliseconds: number): number[] {
  const gaps: number[] = [];
  const end = performance.now() + milliseconds;
  for (let before = performance.now(); before < end; ) {
    const now = performance.now();
    if (now - before > GAP_MILLISECONDS) gaps.push(now - before);
    before = now;
  }
  return gaps;
}

if (!isMainThread && parentPort !== null && typeof workerData === 'number') parentPort.postMessage(watchTheClock(workerData));
