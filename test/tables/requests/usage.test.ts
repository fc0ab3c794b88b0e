import { join } from 'node:path';
import { open } from 'lmdb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOG_ROUTES, type LogEntry } from '../../../src/tables/requests/record.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { type Usage, usageOf } from '../../../src/tables/requests/usage.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const DAY = 86_400_000;
const NOON = Date.parse('2026-03-01T12:00:00Z');
const POSITION = LOG_ROUTES.indexOf('position');
const SEARCH = LOG_ROUTES.indexOf('search');

let folder: string;
let errors: string[];
let log: RequestLog;
let lastId = LOG_BLOCK_IDS;

beforeEach(() => {
  folder = temporaryFolder();
  errors = [];
  reopen();
});
afterEach(async () => {
  await log.close();
  expect(errors).toEqual([]);
});

function reopen(): void {
  log = RequestLog.open(folder, 64, error => errors.push(error.message));
}

/** Logs requests as the writer does. */
function append(...entries: Partial<LogEntry>[]): Promise<void> {
  const ring = createLogRing(1_048_576);
  const producer = new LogProducer(ring);
  for (const entry of entries)
    producer.push({
      logId: lastId++,
      timeMs: NOON,
      latencyUs: 1,
      status: 200,
      route: POSITION,
      accountId: 1,
      nr: undefined,
      deviceId: undefined,
      query: '',
      request: undefined,
      response: '{}',
      ...entry,
    });
  return log.append(new LogConsumer(ring).drain()!);
}

const all = (limit = 1000, after?: Usage) => log.usage.between('1970-01-01', '2100-01-01', after, limit);

test('requests, answers and credits are counted by day, key and route, and survive', async () => {
  await append(
    { credits: 2 },
    { status: 404 },
    { route: SEARCH, credits: 1 },
    { accountId: 2, credits: 65_535, timeMs: NOON + 5 },
  );
  await log.close();
  reopen();
  await append(
    { credits: 1, timeMs: NOON + 7 },
    { timeMs: NOON + DAY, credits: 10_000 },
    { accountId: 0, status: 400 },
  );
  const row = { day: '2026-03-01', route: 'position', devices: 0, lastMs: NOON };
  const expected = [
    { ...row, account: 1, requests: 3, answered: 2, credits: 3, lastMs: NOON + 7 },
    { ...row, account: 1, route: 'search', requests: 1, answered: 1, credits: 1 },
    { ...row, account: 2, requests: 1, answered: 1, credits: 65_535, lastMs: NOON + 5 },
    { ...row, day: '2026-03-02', account: 1, requests: 1, answered: 1, credits: 10_000, lastMs: NOON + DAY },
  ];
  expect(all()).toEqual(expected);
  expect(log.usage.between('2026-03-01', '2026-03-01', undefined, 1000)).toEqual(expected.slice(0, 3));
  expect(log.usage.between('2026-03-02', '2026-03-02', undefined, 1000)).toEqual(expected.slice(3));
  expect(log.usage.of(1, NOON + 3 * DAY)).toEqual([expected[0], expected[1], expected[3]]);
  // In pieces it is the same.
  const pieces: Usage[] = [];
  for (let piece = all(1); piece.length > 0; piece = all(1, pieces.at(-1))) pieces.push(...piece);
  expect(pieces).toEqual(expected);
});

test('devices are counted once a day and route, also after a restart', async () => {
  await append(
    { deviceId: 'a' },
    { deviceId: 'b' },
    { deviceId: 'a' },
    { deviceId: '' },
    { route: SEARCH, deviceId: 'a' },
  );
  await append({ deviceId: 'b' }, { deviceId: 'c' });
  await log.close();
  reopen();
  await append({ deviceId: 'c' }, { deviceId: 'd' }, { timeMs: NOON + DAY, deviceId: 'a' });
  expect(all().map(({ day, route, devices }) => [day, route, devices])).toEqual([
    ['2026-03-01', 'position', 5],
    ['2026-03-01', 'search', 1],
    ['2026-03-02', 'position', 1],
  ]);
});

test('devices go once their day is over, and usage after 400 days', async () => {
  await append({ deviceId: 'a' }, { deviceId: 'b', timeMs: NOON + DAY });
  const devices = async () => {
    await log.close();
    const root = open<Buffer, Buffer>({
      path: join(folder, 'requests'),
      noSubdir: false,
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    const count = root.openDB('usage devices', { encoding: 'binary', keyEncoding: 'binary' }).getKeysCount();
    await root.close();
    reopen();
    return count;
  };
  await log.usage.prune(NOON + DAY);
  expect(await devices()).toBe(2);
  await log.usage.prune(NOON + 2 * DAY);
  expect(await devices()).toBe(1);
  await log.usage.prune(NOON + 400 * DAY);
  expect(all()).toHaveLength(2);
  await log.usage.prune(NOON + 401 * DAY);
  expect(all().map(({ day }) => day)).toEqual(['2026-03-02']);
});

test('a row that cannot be one is refused', () => {
  const value = (...numbers: number[]) => Buffer.from(new Float64Array(numbers).buffer);
  const key = Buffer.from('000050110000000101', 'hex');
  expect(usageOf(key, value(3, 2, 5, 1, NOON))).toMatchObject({ account: 1, route: 'position', requests: 3 });
  for (const wrong of [
    value(3, 2, 5, 1),
    value(3, 4, 5, 1, NOON),
    value(3, 2, 5, 4, NOON),
    value(Number.NaN, 0, 0, 0, 0),
    value(-1, 0, 0, 0, 0),
  ])
    expect(() => usageOf(key, wrong)).toThrow('A row of the usage of keys is damaged: it holds ');
  for (const wrong of ['0000501100000001', '0000501100000001ff'])
    expect(() => usageOf(Buffer.from(wrong, 'hex'), value(1, 1, 1, 1, 1))).toThrow('its key is ');
});
