import { expect, test } from 'vitest';
import { ratesOf, sliceSecondsOf, slicesOf, tellingMinutes } from '../../../bench/capacity/plan.ts';
import { RunProgress } from '../../../bench/capacity/progress.ts';
import type { MeasuredSlice } from '../../../bench/capacity/service.ts';
import { belowKnee, figuresByRate } from '../../../bench/capacity/sweep.ts';
import { drawSlice } from './drawn_report.ts';

function slice(rate: number, p50: number, latency: MeasuredSlice['latency'] = [[640, 100]]): MeasuredSlice {
  const taken = { http: 0, workers: 0, writer: 0, helpers: 0, process: 0 };
  return { ...drawSlice(rate), p50, latency, from: 0, to: 1, taken };
}

test('rounds become medians by rate, and p99.9 is that of all samples', () => {
  const rounds = [
    [slice(1000, 90, [[640, 999]]), { ...slice(2000, 100), answeredShare: 0.6 }],
    [slice(1000, 110, [[640, 999]]), { ...slice(2000, 9000), answeredShare: 0.4 }],
    [
      slice(1000, 100, [
        [640, 990],
        [1280, 9],
      ]),
    ],
  ];
  const [first, second] = figuresByRate(rounds);
  expect([first.rate, first.p50, first.samples, first.rounds.length]).toEqual([1000, 100, 9000, 3]);
  // Nine slow ones among 2,997 are more than one in a thousand.
  expect(first.p999).toBeGreaterThan(500);
  expect([second.rate, second.p50]).toEqual([2000, 4550]);
  expect(belowKnee([first, second]).map(({ rate }) => rate)).toEqual([1000]);
});

test('slices are as long as the minutes allow', () => {
  expect(sliceSecondsOf(1, 7)).toBe(0.3);
  const seconds = sliceSecondsOf(20, 7);
  expect(seconds * slicesOf(7)).toBeLessThan(20 * 60);
  expect(seconds).toBeGreaterThan(sliceSecondsOf(10, 7));
  expect(sliceSecondsOf(10_000, 7)).toBe(10);
  expect(sliceSecondsOf(tellingMinutes(7), 7)).toBeGreaterThanOrEqual(1);
  expect(sliceSecondsOf(tellingMinutes(7) - 1, 7)).toBeLessThan(1);
});

test('rates are parts of one, but none without arrivals', () => {
  expect(ratesOf([0.15, 0.5, 1], 1000, 1)).toEqual([150, 500, 1000]);
  expect(ratesOf([0.15, 0.3, 1], 50, 0.5)).toEqual([40, 50]);
});

test('a rate without answers has no samples to merge', () => {
  const [figures] = figuresByRate([[{ ...slice(1000, 1e6, []), answeredShare: 0 }]]);
  expect([figures.p999, belowKnee([figures])]).toEqual([4000, []]);
});

test('progress is a bar on a terminal, and a line now and then in a log', () => {
  const written: string[] = [];
  const bar = new RunProgress({ isTTY: true, write: text => written.push(text) }, 4);
  bar.begin('first run');
  bar.step(2);
  expect(written.at(-1)).toBe('\r\u001b[2K[###############---------------] 50 %, first run');
  bar.end();
  expect(written.at(-1)).toBe('\r\u001b[2K');
  const lines: string[] = [];
  let now = 0;
  const log = new RunProgress({ write: text => lines.push(text) }, 2, () => now);
  log.begin('first run');
  log.step();
  now = 60_000;
  log.step(5);
  log.end();
  expect(lines).toEqual(['0 %, first run\n', '100 %, first run\n']);
});
