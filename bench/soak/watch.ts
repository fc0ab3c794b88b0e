// What a soak looks at while it loads a service: memory, descriptors and threads every five seconds, which make minutes
// with their latency and processor time; heaps every five minutes.

import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../lab/evaluation/quantile.ts';
import type { ServiceProcess } from '../../test/kits/service_process.ts';
import { memoryOf } from '../footprint/resident.ts';
import { RunProgress } from '../run_progress.ts';
import type { Heaps, ThreadHeap } from './heaps.ts';
import type { SoakLoad } from './load.ts';
import { type ProcessorUse, processorTime, usedBetween } from './processor.ts';

/** What one minute showed. */
export interface Minute {
  /** Since the beginning of the warm-up. */
  hours: number;
  /** Least memory of its own, MB: what is left when garbage is collected. */
  memory: number;
  /** Most pages of files, MB; the system takes them back when it needs them. */
  files: number;
  descriptors: number;
  threads: number;
  requests: number;
  contributions: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  processor: ProcessorUse;
}

/** What a few minutes together showed, after the warm-up. */
export interface Part {
  /** When the part was over, since the end of the warm-up. */
  minutes: number;
  memory: number;
  files: number;
  descriptors: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Processor milliseconds of the service for a request. */
  cost: number;
  /** Share of the machine's processor time that others had in the minute in which it was most, 0..1. */
  others: number;
  heaps: ThreadHeap[];
}

/** All that a soak saw. */
export interface Watched {
  minutes: Minute[];
  parts: Part[];
  /** Heaps after their garbage was collected: in the middle of the warm-up, and at the end. */
  collected: { before: ThreadHeap[]; after: ThreadHeap[] };
  faults: string[];
}

const SAMPLE_SECONDS = 5;
const SAMPLES_A_MINUTE = 60 / SAMPLE_SECONDS;
const MINUTES_A_PART = 5;

/** Looks at a service until the time is over. @param warmUp minutes that do not count @param minutes that do */
export async function watch(
  service: ServiceProcess,
  load: SoakLoad,
  heaps: Heaps,
  warmUp: number,
  minutes: number,
): Promise<Watched> {
  const progress = new RunProgress(process.stderr, Math.ceil(warmUp + minutes));
  const watched: Watched = { minutes: [], parts: [], collected: { before: [], after: [] }, faults: [] };
  const begunMs = performance.now();
  let latencies: number[] = [];
  let before = processorTime(service.pid);
  progress.begin('soak');
  for (let minute = 0; minute < warmUp + minutes; minute++) {
    const sampled = await sampleMinute(service.pid);
    const measured = load.take();
    const after = processorTime(service.pid);
    const processor = usedBetween(before, after);
    before = after;
    watched.faults.push(...measured.faults);
    progress.step();
    // Collected later, the beginning would be lower than the service is by itself, and memory would seem to rise.
    if (minute === Math.floor(warmUp / 2)) watched.collected.before = await heaps.ask(true);
    if (minute < warmUp) continue;
    watched.minutes.push({
      hours: (performance.now() - begunMs) / 3_600_000,
      ...sampled,
      requests: measured.requests,
      contributions: measured.contributions,
      p50: quantile(measured.latencies, 0.5),
      p99: quantile(measured.latencies, 0.99),
      processor,
    });
    for (const latency of measured.latencies) latencies.push(latency);
    if (watched.minutes.length % MINUTES_A_PART > 0) continue;
    watched.parts.push(partOf(watched.minutes, latencies, await heaps.ask(false)));
    latencies = [];
  }
  watched.collected.after = await heaps.ask(true);
  progress.end();
  return watched;
}

/** Processor milliseconds of the service for a request. */
export function costOf(minutes: readonly Minute[]): number {
  const seconds = minutes.reduce((sum, { processor }) => sum + processor.service, 0);
  return (1000 * seconds) / minutes.reduce((sum, { requests }) => sum + requests, 0);
}

async function sampleMinute(pid: number): Promise<Pick<Minute, 'memory' | 'files' | 'descriptors' | 'threads'>> {
  const samples: { own: number; files: number; descriptors: number; threads: number }[] = [];
  const count = (folder: string): number => readdirSync(`/proc/${pid}/${folder}`).length;
  for (let i = 0; i < SAMPLES_A_MINUTE; i++) {
    await delay(SAMPLE_SECONDS * 1000);
    samples.push({ ...memoryOf(pid), descriptors: count('fd'), threads: count('task') });
  }
  return {
    memory: Math.min(...samples.map(({ own }) => own)),
    files: Math.max(...samples.map(({ files }) => files)),
    descriptors: Math.max(...samples.map(({ descriptors }) => descriptors)),
    threads: Math.max(...samples.map(({ threads }) => threads)),
  };
}

function partOf(all: readonly Minute[], latencies: readonly number[], heaps: ThreadHeap[]): Part {
  const minutes = all.slice(-MINUTES_A_PART);
  return {
    minutes: all.length,
    memory: Math.min(...minutes.map(({ memory }) => memory)),
    files: Math.max(...minutes.map(({ files }) => files)),
    descriptors: Math.max(...minutes.map(({ descriptors }) => descriptors)),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cost: costOf(minutes),
    others: Math.max(...minutes.map(({ processor }) => processor.others)),
    heaps,
  };
}
