// What a soak says at its end: totals, trends, a table of five minutes a line, and what each thread's heap held without
// its garbage at the beginning and the end.

import { availableParallelism } from 'node:os';
import { quantile } from '../../lab/evaluation/quantile.ts';
import type { ThreadHeap } from './heaps.ts';
import { type Trend, trendOf } from './trend.ts';
import { costOf, type Minute, type Part, type Watched } from './watch.ts';

/** How a soak was made. */
export interface SoakRun {
  warmUp: number;
  seed: number;
  /** Requests a second that were due. */
  rate: number;
  /** What the service carried when more was asked; undefined where the rate was given. */
  knee: number | undefined;
}

const SLOPE_MAX = 0.01;
const LATENCY_RATIO_MAX = 1.5;
const COST_RATIO_MAX = 1.25;
/**
 * Share of the machine's processor time. Half of what a service carries takes most of the machine when the load runs
 * beside it; with more in other hands it waits.
 */
const OTHERS_MAX = 0.05;
/** Of each half. With fewer minutes that were the service's own nothing is said of its latency. */
const OWN_MINUTES_MIN = 5;
const MEGABYTE = 1_048_576;

/** The report of a soak. @returns its lines, and a sentence for each thing that must not be */
export function reportOf(
  { warmUp, seed, rate, knee }: SoakRun,
  { minutes, parts, collected, faults }: Watched,
): [string[], string[]] {
  const sum = (name: 'requests' | 'contributions'): number =>
    minutes.reduce((total, minute) => total + minute[name], 0);
  const memory = trendOf(minutes.map(({ hours, memory }) => ({ hours, value: memory })));
  const half = Math.floor(minutes.length / 2);
  const [before, after] = [minutes.slice(0, half), minutes.slice(half)];
  const found = [...faults];
  if (memory.from > SLOPE_MAX) found.push(`Memory rises by ${(100 * memory.slope).toFixed(1)} % an hour.`);
  if (most(after, 'descriptors') > most(before, 'descriptors')) found.push('Descriptors become more.');
  const isOwn = (minute: Minute, i: number): boolean =>
    Math.max(minute.processor.others, minutes[i - 1]?.processor.others ?? 0) <= OTHERS_MAX;
  const own = [before, after].map(part => part.filter(minute => isOwn(minute, minutes.indexOf(minute))));
  if (own.some(({ length }) => length < Math.min(OWN_MINUTES_MIN, half)))
    found.push('Others had so much of the processors that nothing can be said of latency.');
  else if (middle(own[1], 'p50') > LATENCY_RATIO_MAX * middle(own[0], 'p50'))
    found.push('Requests take longer in the last half.');
  if (costOf(after) > COST_RATIO_MAX * costOf(before))
    found.push('Requests cost more processor time in the last half.');
  const lines = [
    `${minutes.length} minutes after ${warmUp} of warm-up, Node ${process.version}, ${availableParallelism()} ` +
      `cores, seed ${seed}`,
    `load         ${sum('requests')} requests and ${sum('contributions')} contributions, ${rate.toFixed(0)} ` +
      `requests a second due${knee === undefined ? '' : `, half of ${knee.toFixed(0)}`}`,
    `memory       ${describeTrend(memory)}`,
    ...(['descriptors', 'threads'] as const).map(
      name => `${name.padEnd(12)} at most ${most(before, name)}, then ${most(after, name)}`,
    ),
    ...(['p50', 'p99'] as const).map(
      name =>
        `${name.padEnd(12)} ${middle(before, name).toFixed(2)} ms, then ${middle(after, name).toFixed(2)} ms ` +
        `(medians of the minutes of both halves)`,
    ),
    `their own    ` +
      `${own.map(part => `${part.length} minutes with ${middle(part, 'p50').toFixed(2)} ms`).join(', then ')} ` +
      `(p50 where others had little of the processors)`,
    `processor    ${costOf(before).toFixed(3)} ms of the service for a request, then ${costOf(after).toFixed(3)}`,
    '',
    'minutes   own MB   heaps MB   files MB   descriptors   p50 ms   p99 ms   ms a request   others had at most',
    ...parts.map(describePart),
    '',
    'heaps without garbage, KB: in the warm-up, at the end',
    ...describeHeaps(collected.before, collected.after),
  ];
  return [lines, found];
}

function most(minutes: readonly Minute[], name: 'descriptors' | 'threads'): number {
  return Math.max(...minutes.map(minute => minute[name]));
}

function middle(minutes: readonly Minute[], name: 'p50' | 'p99'): number {
  return quantile(
    minutes.map(minute => minute[name]),
    0.5,
  );
}

function describeTrend({ median, slope, from, to }: Trend): string {
  const percent = (share: number): string => `${share < 0 ? '' : '+'}${(100 * share).toFixed(2)} %`;
  return `${median.toFixed(0)} MB of its own, ${percent(slope)} an hour (95 %: ${percent(from)} to ${percent(to)})`;
}

function describePart({ minutes, memory, heaps, files, descriptors, p50, p99, cost, others }: Part): string {
  const held = heaps.reduce((total, heap) => total + heap.committed + heap.external, 0) / MEGABYTE;
  const columns: [string, number][] = [
    [minutes.toFixed(0), 7],
    [memory.toFixed(1), 9],
    [held.toFixed(1), 11],
    [files.toFixed(1), 11],
    [descriptors.toFixed(0), 14],
    [p50.toFixed(2), 9],
    [p99.toFixed(2), 9],
    [cost.toFixed(3), 15],
    [`${(100 * others).toFixed(1)} %`, 21],
  ];
  return columns.map(([text, width]) => text.padStart(width)).join('');
}

/** Only threads that answered both times: one that slept holds what it held. */
function describeHeaps(before: readonly ThreadHeap[], after: readonly ThreadHeap[]): string[] {
  return after.flatMap(last => {
    const first = before.find(({ thread }) => thread === last.thread);
    if (first === undefined) return [];
    const change = (name: 'used' | 'external'): string =>
      `${(first[name] / 1024).toFixed(0)}, ${(last[name] / 1024).toFixed(0)}`;
    return [`  ${last.thread} ${last.name.padEnd(10)} used ${change('used')}   external ${change('external')}`];
  });
}
