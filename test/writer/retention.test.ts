// What retention drops where the clock of the machine is wrong, on a real request log and a real observation log. The
// tests set both clocks: that of the machine, and that which counts how long the process has run.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../src/tables/requests/ring.ts';
import { Retention } from '../../src/writer/retention.ts';
import { numberedReport } from '../kits/radio/reports.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.parse('2026-03-01T12:00:00Z');

let folder: string;
let requests: RequestLog;
let observations: ObservationLog;
let retention: Retention;
let warnings: string[];
/** The clock of the machine, and how long the process has run. */
let now: number;
let ran: number;
let logId: number;

const fail = (error: Error): never => {
  throw error;
};
const begin = (): void => {
  requests = RequestLog.open(folder, 64, fail);
  observations = new ObservationLog(folder, 'commit');
  ran = 0;
  const progress = () => observations.lastSequence;
  const onWarning = (message: string) => warnings.push(message);
  const clocks = { now: () => now, ran: () => ran };
  retention = new Retention(
    { requests, observations, keepObservations: 30, progress, onError: fail, onWarning },
    clocks,
  );
};
const end = async (): Promise<void> => {
  await retention.close();
  await requests.close();
  await observations.close();
};
beforeEach(() => {
  folder = temporaryFolder();
  warnings = [];
  now = NOON;
  logId = LOG_BLOCK_IDS;
  begin();
});
afterEach(end);

/** The service stops, and starts again when the clock says something else. */
async function restart(nowMs: number): Promise<void> {
  await end();
  now = nowMs;
  begin();
  await retention.dropOld();
}

/** Runs on for some time, and drops what is old four times an hour, as the service does. */
async function run(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= HOUR / 4) {
    now += HOUR / 4;
    ran += HOUR / 4;
    await retention.dropOld();
  }
}

/** A request and a report arrive. @returns number of the request */
async function arrive(): Promise<number> {
  const ring = createLogRing(65_536);
  const id = logId++;
  const head = {
    logId: id,
    timeMs: now,
    latencyUs: 300,
    status: 200,
    route: 1,
    accountId: 1,
    nr: 1,
    deviceId: 'd',
    credits: 1,
  };
  new LogProducer(ring).push({ ...head, query: '', request: Buffer.from('{}'), response: '{}' });
  await requests.append(new LogConsumer(ring).drain()!);
  await observations.append(packReports([numberedReport(id - LOG_BLOCK_IDS)]), now);
  return id;
}

const isLogged = (id: number, atMs: number): boolean => requests.get(id, atMs) !== undefined;
const days = (): string[] => requests.usage.between('1970-01-01', '2099-01-01', undefined, 1000).map(({ day }) => day);
const kept = () => [isLogged(LOG_BLOCK_IDS, NOON), days(), observations.count];
const ALL = [true, ['2026-03-01'], 1];

test.each([8, 416])(
  'a start %i days ahead drops nothing, warns, and neither does the next start when the clock is right',
  async jump => {
    await arrive();
    await retention.dropOld();
    await restart(NOON + jump * DAY);
    expect(kept()).toEqual(ALL);
    expect(warnings).toEqual([
      `The clock is ${jump} days ahead of the time by which old records are dropped: it says ` +
        `${new Date(now).toISOString()}, that ${new Date(NOON).toISOString()}. ` +
        'If the clock is wrong, set it soon: a week of records is dropped by it for each day that the service ' +
        'runs, and after a week it is believed. If it is right, nothing need be done.',
    ]);
    await restart(NOON + HOUR);
    expect(kept()).toEqual(ALL);
    expect(warnings).toHaveLength(1);
  },
);

test('a request under the wrong clock does not make it the right one at the next start', async () => {
  await arrive();
  await retention.dropOld();
  for (const jump of [416, 417]) {
    await restart(NOON + jump * DAY);
    await arrive();
  }
  await restart(NOON + HOUR);
  expect([isLogged(LOG_BLOCK_IDS, NOON), days()]).toEqual([true, ['2026-03-01', '2027-04-21', '2027-04-22']]);
});

test('the devices of a plan are those of the month that a right clock shows', async () => {
  await retention.dropOld();
  await restart(NOON + 416 * DAY);
  expect(new Date(retention.earliestMs).toISOString()).toBe('2026-03-01T12:00:00.000Z');
});

test('a jump while the service runs drops a week for each day that it lasts', async () => {
  for (let n = 0; n < 6; n++) {
    await arrive();
    await run(DAY);
  }
  now += 30 * DAY;
  await retention.dropOld();
  const logged = () => [0, 1, 2, 3, 4, 5].filter(n => isLogged(LOG_BLOCK_IDS + n, NOON));
  expect(logged()).toEqual([0, 1, 2, 3, 4, 5]);
  // Requests go in their last hour. The first of them is six days old, so two hours of running are enough for it, and
  // seven more for the next two.
  await run(2 * HOUR);
  expect(logged()).toEqual([0, 1, 2, 3, 4, 5]);
  await run(HOUR * 1.5);
  expect(logged()).toEqual([1, 2, 3, 4, 5]);
  await run(7 * HOUR);
  expect(logged()).toEqual([3, 4, 5]);
  await run(DAY);
  expect(logged()).toEqual([]);
  expect(observations.count).toBe(6);
});

test('what was past its time after a long pause goes within a day', async () => {
  await arrive();
  await retention.dropOld();
  await restart(NOON + 200 * DAY);
  await arrive();
  await run(DAY);
  expect([isLogged(LOG_BLOCK_IDS, NOON), isLogged(LOG_BLOCK_IDS + 1, now), days()]).toEqual([
    false,
    true,
    ['2026-03-01', '2026-09-17'],
  ]);
});

test('a clock far behind drops nothing and warns', async () => {
  await arrive();
  await retention.dropOld();
  await restart(Date.parse('1970-01-01T00:01:00Z'));
  await run(2 * HOUR);
  expect(kept()).toEqual(ALL);
  expect(warnings[0]).toMatch(/^The clock is 20513 days behind the time/);
  await restart(NOON + HOUR);
  expect(kept()).toEqual(ALL);
});

test('a request that came while the clock was ahead is kept for a week after that', async () => {
  await retention.dropOld();
  now += 20 * DAY;
  await arrive();
  await retention.dropOld();
  await restart(NOON);
  await run(7 * DAY - HOUR);
  expect(isLogged(LOG_BLOCK_IDS, NOON)).toBe(true);
  await run(HOUR);
  expect(isLogged(LOG_BLOCK_IDS, NOON)).toBe(false);
});

test.each([
  ['ahead', NOON + 400 * DAY],
  ['behind', Date.parse('1970-01-01T00:01:00Z')],
])('a clock that was %s from the beginning is believed a week after it is set right', async (_, wrongMs) => {
  await restart(wrongMs);
  await run(DAY);
  await restart(NOON);
  const first = await arrive();
  await run(7 * DAY - 2 * HOUR);
  expect(isLogged(first, now)).toBe(true);
  await run(2 * HOUR);
  expect([isLogged(first, now - HOUR), warnings.length]).toEqual([false, 1]);
  now += 2 * DAY;
  const second = await arrive();
  await retention.dropOld();
  expect(warnings).toHaveLength(2);
  await run(7 * DAY);
  expect(isLogged(second, now - DAY)).toBe(false);
});

test('a report that came while the clock was ahead is kept as long as those after it', async () => {
  await retention.dropOld();
  now += 1000 * DAY;
  await arrive();
  now -= 1000 * DAY;
  await arrive();
  await run(30 * DAY - HOUR);
  expect(observations.count).toBe(2);
  await run(HOUR);
  expect(observations.count).toBe(0);
});
