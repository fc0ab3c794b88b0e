// The search of the request log against a plain filter over what was logged.

import { expect, test } from 'vitest';
import { LOG_ROUTES, type LogEntry } from '../../../src/tables/requests/record.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { type PageEnd, type RequestFilter, RequestSearch } from '../../../src/tables/requests/search.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const NOW = Date.parse('2025-11-10T12:00:00Z');
const HOUR = 3_600_000;
const STATUSES = [200, 204, 400, 404, 503];
/** Requests that are stored at once: those of an hour. */
const CHUNK = 20;
const IGNORED = (): void => {};

async function store(log: RequestLog, entries: LogEntry[]): Promise<void> {
  const ring = createLogRing(8 * 1_048_576);
  const producer = new LogProducer(ring);
  for (const entry of entries) expect(producer.push(entry)).toBeGreaterThan(0);
  await log.append(new LogConsumer(ring).drain()!);
}

/** Requests of a week, some of which took long; in the order in which they were answered. */
function drawEntries(count: number, seed: number): LogEntry[] {
  const random = uniform(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)];
  return Array.from({ length: count }, (_, i) => ({
    logId: LOG_BLOCK_IDS + i,
    timeMs: NOW - 6 * 24 * HOUR + (i * 6 * 24 * HOUR) / count - (random() < 0.05 ? random() * HOUR : 0),
    latencyUs: 100,
    status: pick(STATUSES),
    route: Math.floor(random() * LOG_ROUTES.length),
    accountId: Math.floor(random() * 4),
    nr: undefined,
    deviceId: pick([undefined, 'tracker-1', 'tracker-2', 'träcker']),
    query: '/',
    request: Buffer.from(`{"n":${i}}`),
    response: '{}',
  }));
}

const fits = (
  entry: LogEntry,
  { account, device, status, route, fromMs = 0, toMs = Number.POSITIVE_INFINITY }: RequestFilter,
): boolean =>
  (account === undefined || entry.accountId === account) &&
  (device === undefined || entry.deviceId === device) &&
  (status === undefined || (entry.status >= status[0] && entry.status <= status[1])) &&
  (route === undefined || LOG_ROUTES[entry.route] === route) &&
  entry.timeMs >= fromMs &&
  entry.timeMs < toMs;

test('what fits is found, in order of arrival, whatever is asked', async () => {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 64, error => expect.unreachable(error.message));
  const entries = drawEntries(3_000, 1);
  for (let at = 0; at < entries.length; at += CHUNK) await store(log, entries.slice(at, at + CHUNK));
  const search = RequestSearch.open(folder)!;
  const filters: RequestFilter[] = [
    {},
    { account: 2 },
    { device: 'träcker' },
    { status: [404, 404] },
    { status: [500, 599] },
    { route: 'search' },
    { fromMs: NOW - 30 * HOUR },
    { toMs: NOW - 100 * HOUR },
    { fromMs: NOW - 60 * HOUR, toMs: NOW - 40 * HOUR, status: [200, 299], device: 'tracker-1' },
    { account: 3, route: 'nothing' },
  ];
  for (const filter of filters) {
    const wanted = entries.filter(entry => fits(entry, filter)).sort((a, b) => a.timeMs - b.timeMs);
    const found = search.latest(filter, 10_000, NOW, IGNORED);
    expect(found.map(({ logId }) => logId)).toEqual(wanted.map(({ logId }) => logId));
  }
  const [found] = search.latest({ status: [503, 503] }, 1, NOW, IGNORED);
  const all = entries.filter(({ status }) => status === 503);
  // The last chunk decides, in which the latest arrival may have been answered before others.
  expect(all.slice(-CHUNK).map(({ logId }) => logId)).toContain(found.logId);
  expect(search.latest({}, 7, NOW, IGNORED)).toHaveLength(7);
  await search.close();
  await log.close();
});

const ALL = (): boolean => true;
const PLENTY = { bytes: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY };

test('pages hold all that fits once, chunk by chunk from the latest back', async () => {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 64, error => expect.unreachable(error.message));
  const entries = drawEntries(3_000, 4);
  for (let at = 0; at < entries.length; at += CHUNK) await store(log, entries.slice(at, at + CHUNK));
  const search = RequestSearch.open(folder)!;
  const filters: RequestFilter[] = [{}, { status: [404, 404] }, { fromMs: NOW - 60 * HOUR, toMs: NOW - 40 * HOUR }];
  for (const filter of filters) {
    for (const requests of [7, 200, 3_000]) {
      const found: number[] = [];
      let before: PageEnd | undefined;
      do {
        const page = await search.page(filter, ALL, { ...PLENTY, requests }, NOW, before);
        expect(page.requests.length).toBeLessThanOrEqual(requests);
        found.push(...page.requests.map(({ logId }) => logId));
        before = page.end;
      } while (before !== undefined);
      const wanted = entries.filter(entry => fits(entry, filter)).map(({ logId }) => logId);
      expect(found.toSorted((a, b) => a - b)).toEqual(wanted);
      // A chunk is found by its oldest request, so it stands where that belongs.
      const chunks = found.map(logId => Math.floor((logId - LOG_BLOCK_IDS) / CHUNK));
      const oldest = (chunk: number) =>
        Math.min(...entries.slice(chunk * CHUNK, (chunk + 1) * CHUNK).map(({ timeMs }) => timeMs));
      expect(chunks.map(oldest)).toEqual(chunks.map(oldest).toSorted((a, b) => b - a));
    }
  }
  await search.close();
  await log.close();
});

test('a page ends when it has cost enough, and the next one goes on there', async () => {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 64, error => expect.unreachable(error.message));
  const entries = drawEntries(100, 5);
  for (let at = 0; at < entries.length; at += CHUNK) await store(log, entries.slice(at, at + CHUNK));
  const search = RequestSearch.open(folder)!;
  for (const cost of [{ bytes: 1 }, { milliseconds: 0 }]) {
    const limits = { ...PLENTY, requests: 1_000, ...cost };
    let pages = 0;
    let found = 0;
    let before: PageEnd | undefined;
    do {
      const page = await search.page({}, ({ status }) => status === 404, limits, NOW, before);
      found += page.requests.length;
      before = page.end;
      pages++;
    } while (before !== undefined);
    expect(found).toBe(entries.filter(({ status }) => status === 404).length);
    expect(pages).toBe(entries.length / CHUNK + 1);
  }
  await search.close();
  await log.close();
});

test('nothing is found that is older than seven days', async () => {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 64, error => expect.unreachable(error.message));
  await store(log, drawEntries(10, 2));
  const search = RequestSearch.open(folder)!;
  expect(search.latest({}, 100, NOW, IGNORED)).toHaveLength(10);
  expect(search.latest({}, 100, NOW + 8 * 24 * HOUR, IGNORED)).toEqual([]);
  await search.close();
  await log.close();
});

test('what is stored after a search is found once, and what stood there is not', async () => {
  const folder = temporaryFolder();
  const log = RequestLog.open(folder, 64, error => expect.unreachable(error.message));
  const now = (i: number): LogEntry => ({
    ...drawEntries(100, 3)[i],
    timeMs: NOW + i,
    status: i % 2 === 0 ? 200 : 404,
  });
  await store(log, [now(0), now(1)]);
  const search = RequestSearch.open(folder)!;
  const filter: RequestFilter = { status: [200, 200] };
  const ids = (requests: { logId: number }[]) => requests.map(({ logId }) => logId - LOG_BLOCK_IDS);
  expect(ids(search.latest(filter, 1, NOW, IGNORED))).toEqual([0]);
  expect(search.added(filter, NOW)).toEqual([]);
  await store(log, [now(2), now(3)]);
  // It took an hour, so its chunk begins in the past.
  await store(log, [{ ...now(4), timeMs: NOW - HOUR + 1 }, now(6)]);
  expect(ids(search.added(filter, NOW + 10))).toEqual([4, 2, 6]);
  expect(search.added(filter, NOW + 20)).toEqual([]);
  await search.close();
  await log.close();
});

test('a folder without a log has none to search, and gets none', () => {
  const folder = temporaryFolder();
  expect(RequestSearch.open(folder)).toBeUndefined();
  expect(RequestSearch.open(folder)).toBeUndefined();
});
