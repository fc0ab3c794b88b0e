// The steps of each range against what was counted, with a clock of the test.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { readFigureFile } from '../../src/metrics/figure_file.ts';
import { FIGURE_RANGES, STEP_SECONDS } from '../../src/metrics/figure_steps.ts';
import { RecentFigures } from '../../src/metrics/recent_figures.ts';
import { createRequestCounts, LATENCY_SECONDS, RequestCounts } from '../../src/metrics/request_counts.ts';
import { createThreadLoad } from '../../src/metrics/thread_load.ts';
import { ERRORS } from '../../src/protocol/errors.ts';
import { LOG_ROUTES } from '../../src/tables/requests/record.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const START = Date.parse('2026-11-26T12:00:00Z');
const STEPS_KEPT = FIGURE_RANGES.hour.steps;
const STEP_MS = STEP_SECONDS * 1000;
const POSITION = LOG_ROUTES.indexOf('position');
const SEARCH = LOG_ROUTES.indexOf('search');

/** Two HTTP threads count; the figures are asked for the first time at `START`. */
async function counted(workers: { http?: Worker[]; query?: Worker[] } = {}, folder = temporaryFolder(), atMs = START) {
  const requests = [0, 1].map(() => new RequestCounts(createRequestCounts()));
  const figures = new RecentFigures({
    folder,
    requests,
    threads: () => (workers.http ?? []).map((worker, n) => ({ name: `http ${n}`, worker, load: createThreadLoad() })),
    queryWorkers: () => workers.query ?? [],
  });
  await figures.step(atMs);
  return { figures, requests };
}

test('a step holds what both threads counted within it, and nothing of before', async () => {
  const { figures, requests } = await counted();
  const [first, second] = requests;
  expect(figures.since('hour', 0).times).toEqual([]);
  for (let i = 0; i < 30; i++) first.countAnswer(POSITION, 200, 300);
  for (let i = 0; i < 10; i++) second.countAnswer(POSITION, 200, 300);
  second.countCredits(7);
  second.countRefusal(ERRORS.keyInvalid);
  await figures.step(START + STEP_MS);
  for (let i = 0; i < 5; i++) second.countAnswer(SEARCH, 200, 20_000);
  first.countCredits(2);
  await figures.step(START + 2 * STEP_MS);
  const found = figures.since('hour', 0);
  expect(found).toMatchObject({
    stepSeconds: 10,
    times: ['2026-11-26T12:00:10.000Z', '2026-11-26T12:00:20.000Z'],
    routes: { position: { perSecond: [4, 0], p50Ms: [expect.any(Number), null] }, search: { perSecond: [0, 0.5] } },
    errors: { keyInvalid: [1, 0] },
    creditsSpent: [7, 2],
    backlog: [0, 0],
  });
  expect(Object.keys(found.routes)).toEqual(['position', 'search']);
  expect(Object.keys(found.errors)).toEqual(['keyInvalid']);
  expect(figures.since('hour', START + STEP_MS)).toMatchObject({
    times: ['2026-11-26T12:00:20.000Z'],
    creditsSpent: [2],
  });
});

test('percentiles lie in the bucket in which the latency at their rank was counted', async () => {
  const { figures, requests } = await counted();
  // 98 of 100 take 0.3 ms, one 7 ms, one two minutes: more than the last bound.
  for (let i = 0; i < 98; i++) requests[i % 2].countAnswer(POSITION, 200, 300);
  requests[0].countAnswer(POSITION, 200, 7_000);
  requests[1].countAnswer(POSITION, 200, 120e6);
  await figures.step(START + STEP_MS);
  const { p50Ms, p99Ms } = figures.since('hour', 0).routes.position;
  expect(p50Ms[0]).toBeCloseTo(0.25 + (50 / 98) * 0.25, 4);
  expect(p99Ms[0]).toBeCloseTo(10, 9);
  for (let i = 0; i < 10; i++) requests[0].countAnswer(POSITION, 200, 120e6);
  await figures.step(START + 2 * STEP_MS);
  expect(figures.since('hour', START + STEP_MS).routes.position.p50Ms).toEqual([1000 * LATENCY_SECONDS.at(-1)!]);
});

test('a late step counts by the time that it took, and one at the same moment or before is none', async () => {
  const { figures, requests } = await counted();
  for (let i = 0; i < 60; i++) requests[0].countAnswer(POSITION, 200, 300);
  await figures.step(START + 3 * STEP_MS);
  expect(figures.since('hour', 0).routes.position.perSecond).toEqual([2]);
  await figures.step(START + 3 * STEP_MS);
  await figures.step(START);
  expect(figures.since('hour', 0).times).toHaveLength(1);
});

test('an hour is kept', async () => {
  const { figures, requests } = await counted();
  for (let n = 1; n <= STEPS_KEPT + 5; n++) {
    requests[0].countCredits(n);
    await figures.step(START + n * STEP_MS);
  }
  const { times, creditsSpent, backlog } = figures.since('hour', 0);
  expect([times.length, creditsSpent.length, backlog.length]).toEqual([STEPS_KEPT, STEPS_KEPT, STEPS_KEPT]);
  expect([creditsSpent[0], creditsSpent.at(-1)]).toEqual([6, STEPS_KEPT + 5]);
});

test('threads say what memory and processor time they take, and one that has ended says nothing', async () => {
  const idle = new Worker('setInterval(() => {}, 1000)', { eval: true });
  const gone = new Worker('', { eval: true });
  // A thread that is starting says nothing yet.
  await Promise.all([once(idle, 'online'), once(gone, 'exit')]);
  onTestFinished(async () => void (await idle.terminate()));
  const { figures } = await counted({ http: [idle, gone], query: [idle] });
  await figures.step(Date.now() + STEP_MS);
  const { memory, processor, workers } = figures.since('hour', 0);
  expect(Object.keys(memory)).toEqual(['service', 'main', 'http 0', 'query 0']);
  expect(memory['http 0'][0]).toBeGreaterThan(100_000);
  expect(Object.keys(processor)).toEqual(['service', 'http 0', 'query 0']);
  expect(workers).toMatchObject({ count: [1], busy: processor['query 0'] });
});

test('a day and a week have longer steps, whose percentiles are those of all their requests', async () => {
  const { figures, requests } = await counted();
  // In each tenth of the steps all is slow, so that the slow requests are a twentieth of all.
  for (let n = 1; n <= 180; n++) {
    for (let i = 0; i < 19; i++) if (n % 10 !== 0) requests[0].countAnswer(POSITION, 200, 300);
    for (let i = 0; i < 9; i++) if (n % 10 === 0) requests[0].countAnswer(POSITION, 200, 7_000);
    requests[0].countCredits(1);
    requests[0].countRefusal(ERRORS.creditsExceeded);
    await figures.step(START + n * STEP_MS);
  }
  const day = figures.since('day', 0);
  expect(day.stepSeconds).toBe(300);
  expect(day.times).toEqual(
    [5, 10, 15, 20, 25, 30].map(minutes => `2026-11-26T12:${String(minutes).padStart(2, '0')}:00.000Z`),
  );
  expect(day.creditsSpent).toEqual(Array(6).fill(30));
  expect(day.errors).toEqual({ creditsExceeded: Array(6).fill(30) });
  expect(day.routes.position.perSecond).toEqual(Array(6).fill((27 * 19 + 3 * 9) / 300));
  const week = figures.since('week', 0);
  expect([week.stepSeconds, week.times]).toEqual([1_800, ['2026-11-26T12:30:00.000Z']]);
  const slow = 18 * 9;
  const share = (0.99 * (162 * 19 + slow) - 162 * 19) / slow;
  for (const { total, routes } of [week, figures.since('hour', 0)]) {
    expect(total.requests).toBe(162 * 19 + slow);
    expect(total.p99Ms).toBeCloseTo(5 + 5 * share, 2);
    if (routes.position.p99Ms.length === 1) expect(routes.position.p99Ms).toEqual([total.p99Ms]);
  }
});

test('what was kept goes on after a restart, with a gap where the service did not run', async () => {
  const folder = temporaryFolder();
  const first = await counted({}, folder);
  first.requests[0].countCredits(3);
  await first.figures.step(START + STEP_MS);
  await first.figures.stop(raise);
  const later = START + 3 * 3_600_000;
  const second = await counted({}, folder, later);
  second.figures.read(later);
  second.requests[0].countCredits(4);
  await second.figures.step(later + STEP_MS);
  const { times, creditsSpent, workers } = second.figures.since('day', 0);
  expect(times.map(time => time.slice(11, 19))).toEqual(['12:00:10', '12:05:10', '15:00:10']);
  expect([creditsSpent, workers.count]).toEqual([
    [3, null, 4],
    [0, null, 0],
  ]);
  expect(second.figures.since('hour', 0).creditsSpent).toEqual([4]);
  // A clock that was set back has steps of the future.
  second.figures.read(START);
  expect(second.figures.since('week', 0).times).toEqual([]);
});

test('a file that cannot be read is told of and begun anew', async () => {
  const folder = temporaryFolder();
  const first = await counted({}, folder);
  await first.figures.step(START + STEP_MS);
  await first.figures.stop(raise);
  const path = join(folder, 'figures');
  writeFileSync(path, readFileSync(path).subarray(0, -3));
  const { figures } = await counted({}, folder);
  const told: string[] = [];
  figures.start(message => told.push(message));
  await figures.stop(raise);
  expect(told).toEqual([expect.stringMatching(/^The figures of the last week cannot be read and begin anew: .+\.$/)]);
  expect(readFigureFile(folder).week.toJSON()).toEqual([]);
});

function raise(message: string): never {
  throw new Error(message);
}
