// Describes the machine of a measurement, and its steal time: processor time that the host takes from a virtual
// machine. It comes in bursts that the machine's own counters do not show, but a thread that only reads the clock sees
// them as gaps. It is measured with one core busy and with all of them, because it grows with the load.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/**
 * A larger step of the clock is a gap: far more than one reading of the clock, far less than a scheduler's time slice.
 */
const GAP_MILLISECONDS = 0.1;
/** Length of a probe. */
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
  /** Of the measured program; results from before November 2026 lack it. */
  version?: string;
  /** The first characters of its commit, and `+changes` where files differ from it; absent outside of a checkout. */
  commit?: string;
}

/** Steal time while a number of threads only read the clock. */
export interface StealTime {
  threads: number;
  /** Lost share of their time, 0..1. */
  lostShare: number;
  gaps: number;
  longestGapMilliseconds: number;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  const versionOf = (name: string) => {
    const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
    return versionIn(manifest);
  };
  const commit = describeCommit();
  return {
    processor: cpus()[0].model.trim(),
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.version,
    packages: Object.fromEntries(PACKAGES.map(name => [name, versionOf(name)])),
    version: versionIn(new URL('../package.json', import.meta.url)),
    ...(commit !== undefined && { commit }),
  };
}

function versionIn(manifest: URL): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Results that a benchmark has appended do not count as changes. */
function describeCommit(): string | undefined {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8' });
  const head = git('rev-parse', '--short=10', 'HEAD');
  if (head.status !== 0) return undefined;
  const changed = git('status', '--porcelain', '--untracked-files=no', '--', ':/', ':(exclude)results').stdout.trim();
  return `${head.stdout.trim()}${changed === '' ? '' : '+changes'}`;
}

/** Version and commit of the program that a result measured, in words. */
export function describeProgram({ version, commit }: Machine): string {
  return version === undefined ? 'commit not recorded' : `version ${version}, commit ${commit ?? 'not recorded'}`;
}

/** Measures steal time for a second with one busy thread, then with one for each core. */
export async function probeStealTime(): Promise<StealTime[]> {
  const losses = [await watchWith(1)];
  if (availableParallelism() > 1) losses.push(await watchWith(availableParallelism()));
  return losses;
}

/** Steal time as a line below a table. */
export function describeStealTime(losses: readonly StealTime[]): string {
  const parts = losses.map(
    loss =>
      `${loss.threads === 1 ? 'one core' : `${loss.threads} cores`} busy ${(loss.lostShare * 100).toFixed(1)} % ` +
      `(${loss.gaps} gaps, longest ${loss.longestGapMilliseconds.toFixed(1)} ms)`,
  );
  return `Steal time: ${parts.join('; ')}.`;
}

async function watchWith(threads: number): Promise<StealTime> {
  const gaps = await probePauses(threads);
  return {
    threads,
    lostShare: gaps.reduce((sum, gap) => sum + gap, 0) / (threads * PROBE_MILLISECONDS),
    gaps: gaps.length,
    longestGapMilliseconds: Math.max(0, ...gaps),
  };
}

/** The pauses of so many busy threads within PROBE_MILLISECONDS of each, in milliseconds. */
async function probePauses(threads: number): Promise<number[]> {
  const watched = await Promise.all(
    Array.from(
      { length: threads },
      () =>
        new Promise<number[]>((resolve, reject) => {
          new Worker(new URL(import.meta.url), { workerData: PROBE_MILLISECONDS })
            .once('message', resolve)
            .once('error', reject);
        }),
    ),
  );
  return watched.flat();
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

if (!isMainThread && parentPort !== null && typeof workerData === 'number')
  parentPort.postMessage(watchTheClock(workerData));
