// What a soak finds fault with: memory that surely rises, descriptors that become more, and latency that grows.

import { expect, test } from 'vitest';
import type { ThreadHeap } from '../../../bench/soak/heaps.ts';
import { reportOf } from '../../../bench/soak/report.ts';
import type { Minute, Watched } from '../../../bench/soak/watch.ts';
import { normal, uniform } from '../../kits/random.ts';

const MINUTES = 60;
const RUN = { warmUp: 10, seed: 1, rate: 100, knee: undefined };

const heap = (used: number): ThreadHeap => ({
  thread: 3,
  name: 'http 0',
  used,
  committed: 90_000_000,
  external: 2_048,
  arrayBuffers: 0,
  malloced: 0,
});

function watched(change: (minute: number) => Partial<Minute>): Watched {
  const noise = normal(uniform(7));
  const minutes = Array.from({ length: MINUTES }, (_, i) => ({
    hours: (RUN.warmUp + i) / 60,
    memory: 500 + noise(),
    files: 120,
    descriptors: 80 + (i % 3),
    threads: 16,
    requests: 6_000,
    contributions: 300,
    p50: 1,
    p99: 5,
    processor: { service: 3, others: 0.02 },
    ...change(i),
  }));
  const { memory, files, descriptors, p50, p99 } = minutes[4];
  return {
    minutes,
    parts: [{ minutes: 5, memory, files, descriptors, p50, p99, cost: 0.5, others: 0.02, heaps: [heap(1_024_000)] }],
    collected: { before: [heap(1_024_000)], after: [heap(2_048_000), { ...heap(1), thread: 9 }] },
    faults: [],
  };
}

test('nothing is found where all stays as it is', () => {
  const [lines, found] = reportOf(
    RUN,
    watched(() => ({})),
  );
  expect(found).toEqual([]);
  expect(lines).toContain('load         360000 requests and 18000 contributions, 100 requests a second due');
});

test('a rise within the limit is none, and one above it is named', () => {
  const risen = (percentAnHour: number): string[] =>
    reportOf(
      RUN,
      watched(i => ({ memory: 500 * (1 + (percentAnHour / 100) * (i / 60)) })),
    )[1];
  expect(risen(0.9)).toEqual([]);
  expect(risen(1.2)).toEqual(['Memory rises by 1.2 % an hour.']);
});

test('descriptors that become more, and a latency of more than half as much again, are named', () => {
  expect(
    reportOf(
      RUN,
      watched(i => ({ descriptors: 80 + Math.floor(i / 30) })),
    )[1],
  ).toEqual(['Descriptors become more.']);
  expect(
    reportOf(
      RUN,
      watched(i => ({ p50: i < 30 ? 1 : 1.5 })),
    )[1],
  ).toEqual([]);
  expect(
    reportOf(
      RUN,
      watched(i => ({ p50: i < 30 ? 1 : 1.6 })),
    )[1],
  ).toEqual(['Requests take longer in the last half.']);
});

test('minutes in which others had the processors, and those right after, say nothing of latency', () => {
  const heard = (othersFrom: number, othersUntil: number): [string[], string[]] =>
    reportOf(
      RUN,
      watched(i => ({
        p50: i >= othersFrom && i <= othersUntil ? 900 : 1,
        processor: { service: 3, others: i >= othersFrom && i < othersUntil ? 0.4 : 0.02 },
      })),
    );
  const [lines, found] = heard(35, 54);
  expect(found).toEqual([]);
  expect(lines).toContain('p50          1.00 ms, then 900.00 ms (medians of the minutes of both halves)');
  expect(lines).toContain(
    'their own    30 minutes with 1.00 ms, then 10 minutes with 1.00 ms (p50 where others had little of the ' +
      'processors)',
  );
  expect(heard(35, 60)[1]).toEqual([]);
  expect(heard(34, 60)[1]).toEqual(['Others had so much of the processors that nothing can be said of latency.']);
});

test('requests that cost more processor time are named, whoever had the rest', () => {
  const cost = (ratio: number): string[] =>
    reportOf(
      RUN,
      watched(i => ({ processor: { service: i < 30 ? 3 : 3 * ratio, others: 0.02 } })),
    )[1];
  expect(cost(1.24)).toEqual([]);
  expect(cost(1.26)).toEqual(['Requests cost more processor time in the last half.']);
});

test('what was found on the way stays, and heaps show only threads that answered both times', () => {
  const [lines, found] = reportOf(
    { ...RUN, knee: 200 },
    { ...watched(() => ({})), faults: ['GET /x was answered 500.'] },
  );
  expect(found).toEqual(['GET /x was answered 500.']);
  expect(lines[1]).toContain('half of 200');
  expect(lines.at(-1)).toBe('  3 http 0     used 1000, 2000   external 2, 2');
});
