// The front of the soak. HELP below says what it does.

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../src/evaluation/quantile.ts';
import { buildWorld, serveCopy } from '../../test/corpus/world.ts';
import { RequestSource } from '../../test/fuzz/draw_request.ts';
import type { ServiceProcess } from '../../test/kits/service_process.ts';
import { RunProgress } from '../capacity/progress.ts';
import { readArguments, readNumber } from '../command_line.ts';
import { memoryOf } from '../footprint/resident.ts';
import { SoakLoad } from './load.ts';
import { type Trend, trendOf } from './trend.ts';

const HELP = `npm run soak -- [options]

Loads a service with requests for all routes and with contributions, at half of what it carries, and watches it: memory of its own, descriptors, threads and
latency, each minute. Exits with 1 when memory rises by more than 1 % an hour after the warm-up, descriptors become more, the latency of the last half is over
1.5 of that before, or a request gets no answer or a fault. Memory rises only where the whole 95 % interval of its slope lies above the limit. Needs Linux.

  --minutes N    minutes of load that count, after the warm-up, 5..10000 (60)
  --warm-up N    minutes before them, 0.5..600 (10)
  --seed N       seed of the requests, 0..1000000 (1)
  --json FILE    also writes every sample to a file

Example:
  npm run soak -- --minutes 30 --warm-up 5`;

/** The knee is what is answered when more is asked; first the caches fill. */
const KNEE_SETTLE_SECONDS = 5;
const KNEE_SECONDS = 15;
const SAMPLE_SECONDS = 5;
const SAMPLES_A_MINUTE = 60 / SAMPLE_SECONDS;
const SLOPE_MAX = 0.01;
const LATENCY_RATIO_MAX = 1.5;
const FAULTS_SHOWN = 5;

/** What one minute showed. */
interface Minute {
  hours: number;
  /** Least memory of its own, MB: what is left when garbage is collected. */
  memory: number;
  descriptors: number;
  threads: number;
  requests: number;
  p50: number;
  p99: number;
}

const { values } = readArguments(HELP, {
  options: {
    minutes: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
});
const minutes = readNumber('minutes', values.minutes, 5, 10_000);
const warmUp = readNumber('warm-up', values['warm-up'], 0.5, 600);
const seed = readNumber('seed', values.seed, 0, 1_000_000);

const base = mkdtempSync(join(tmpdir(), 'soak-'));
const faults: string[] = [];
try {
  const world = await buildWorld(base);
  const service = await serveCopy(world, join(base, 'data'), 'auto', '--log-mb', '64');
  try {
    const fill = (text: string) => text.replace(/\{\{\w+:(\w+)\}\}/g, (_, name: string) => world.keys.get(name) ?? name);
    const load = new SoakLoad(service, new RequestSource(seed, fill));
    const knee = await measureKnee(load);
    await load.start(seed + 1, knee / 2);
    const sampled = await watch(service, load);
    await load.stop();
    report(knee, sampled);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ knee, minutes: sampled })}\n`);
  } finally {
    const { code, stderr } = await service.stop();
    if (code !== 0 || /"level":[56]0/.test(stderr)) faults.push(`The service ended with ${code} and said: ${stderr.slice(0, 2_000)}`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(fault);
if (faults.length > 0) process.exitCode = 1;

async function measureKnee(load: SoakLoad): Promise<number> {
  await load.start(seed);
  await delay(KNEE_SETTLE_SECONDS * 1000);
  load.take();
  const begun = performance.now();
  await delay(KNEE_SECONDS * 1000);
  const { requests } = load.take();
  const knee = (requests / (performance.now() - begun)) * 1000;
  await load.stop();
  load.take();
  return knee;
}

/** Takes samples until the time is over. @returns the minutes after the warm-up */
async function watch(service: ServiceProcess, load: SoakLoad): Promise<Minute[]> {
  const progress = new RunProgress(process.stderr, Math.ceil(warmUp + minutes));
  const sampled: Minute[] = [];
  const begunMs = performance.now();
  progress.begin('soak');
  for (let minute = 0; minute < warmUp + minutes; minute++) {
    const samples: { own: number; descriptors: number; threads: number }[] = [];
    for (let i = 0; i < SAMPLES_A_MINUTE; i++) {
      await delay(SAMPLE_SECONDS * 1000);
      const count = (folder: string) => readdirSync(`/proc/${service.pid}/${folder}`).length;
      samples.push({ own: memoryOf(service.pid).own, descriptors: count('fd'), threads: count('task') });
    }
    const { requests, latencies, faults: found } = load.take();
    faults.push(...found);
    progress.step();
    if (minute < warmUp) continue;
    sampled.push({
      hours: (performance.now() - begunMs) / 3_600_000,
      memory: Math.min(...samples.map(({ own }) => own)),
      descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
      threads: Math.max(...samples.map(({ threads }) => threads)),
      requests,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
    });
  }
  progress.end();
  return sampled;
}

function report(knee: number, sampled: readonly Minute[]): void {
  const requests = sampled.reduce((sum, minute) => sum + minute.requests, 0);
  const memory = trendOf(sampled.map(({ hours, memory }) => ({ hours, value: memory })));
  const half = Math.floor(sampled.length / 2);
  const [before, after] = [sampled.slice(0, half), sampled.slice(half)];
  const most = (part: readonly Minute[], name: 'descriptors' | 'threads'): number => Math.max(...part.map(minute => minute[name]));
  const middle = (part: readonly Minute[], name: 'p50' | 'p99'): number =>
    quantile(
      part.map(minute => minute[name]),
      0.5,
    );
  console.log(
    `${sampled.length} minutes after ${warmUp} of warm-up, Node ${process.version}, ${availableParallelism()} cores, seed ${seed}`,
  );
  console.log(`load         ${requests} requests, ${(knee / 2).toFixed(0)} a second due, half of ${knee.toFixed(0)}`);
  console.log(`memory       ${describeTrend(memory)}`);
  for (const name of ['descriptors', 'threads'] as const)
    console.log(`${name.padEnd(12)} at most ${most(before, name)}, then ${most(after, name)}`);
  for (const name of ['p50', 'p99'] as const)
    console.log(
      `${name.padEnd(12)} ${middle(before, name).toFixed(2)} ms, then ${middle(after, name).toFixed(2)} ms (medians of the minutes of both halves)`,
    );
  if (memory.from > SLOPE_MAX) faults.push(`Memory rises by ${(100 * memory.slope).toFixed(1)} % an hour.`);
  if (most(after, 'descriptors') > most(before, 'descriptors')) faults.push('Descriptors become more.');
  if (middle(after, 'p50') > LATENCY_RATIO_MAX * middle(before, 'p50')) faults.push('Requests take longer in the last half.');
}

function describeTrend({ median, slope, from, to }: Trend): string {
  const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(2)} %`;
  return `${median.toFixed(0)} MB, ${percent(slope)} an hour (95 %: ${percent(from)} to ${percent(to)})`;
}
