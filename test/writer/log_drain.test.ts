import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogEntry } from '../../src/tables/requests/record.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LOG_STORED, LogProducer } from '../../src/tables/requests/ring.ts';
import { LogDrain } from '../../src/writer/log_drain.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const NOW = Date.now();
const RING_BYTES = 65_536;
/** Where the ids of each thread begin. */
const [FIRST, SECOND] = [LOG_BLOCK_IDS, 2 * LOG_BLOCK_IDS];

let errors: string[];
let log: RequestLog;
let threads: LogProducer[];
let drain: LogDrain;

beforeEach(() => {
  errors = [];
  log = RequestLog.open(temporaryFolder(), 64, error => errors.push(error.message));
  const rings = [createLogRing(RING_BYTES), createLogRing(RING_BYTES)];
  threads = rings.map(ring => new LogProducer(ring));
  drain = new LogDrain(log, rings);
});
afterEach(async () => {
  await log.close();
  expect(errors).toEqual([]);
});

function entry(logId: number, bytes = 100): LogEntry {
  const request = Buffer.alloc(bytes, logId % 256);
  return {
    logId,
    timeMs: NOW,
    latencyUs: 300,
    status: 200,
    route: 1,
    accountId: 1,
    nr: 1,
    deviceId: 'd',
    query: '',
    request,
    response: '{}',
  };
}

const stored = (...ids: number[]) => ids.filter(id => log.get(id, NOW) !== undefined);

test('what all threads have logged is stored in one go', async () => {
  for (const id of [0, 1, 2]) {
    threads[0].push(entry(FIRST + id));
    threads[1].push(entry(SECOND + id));
  }
  await drain.drain();
  expect(stored(FIRST, FIRST + 1, FIRST + 2, SECOND, SECOND + 1, SECOND + 2)).toHaveLength(6);
});

test('what is logged during a drain waits for the next one', async () => {
  threads[0].push(entry(FIRST));
  const draining = drain.drain();
  threads[0].push(entry(FIRST + 1));
  threads[1].push(entry(SECOND));
  expect(drain.drain()).toBe(draining);
  await draining;
  expect(stored(FIRST, FIRST + 1, SECOND)).toEqual([FIRST]);
  await drain.drain();
  expect(stored(FIRST, FIRST + 1, SECOND)).toEqual([FIRST, FIRST + 1, SECOND]);
});

test('a ring that became half full during a drain is taken by the same one', async () => {
  threads[0].push(entry(FIRST));
  const draining = drain.drain();
  const ids = Array.from({ length: 40 }, (_, i) => SECOND + i);
  let halves = 0;
  for (const id of ids) if (threads[1].push(entry(id, 1_000)) !== LOG_STORED) halves++;
  expect(halves).toBe(1);
  await draining;
  expect(stored(FIRST, ...ids)).toEqual([FIRST, ...ids]);
});

test('all that was logged before a stop is stored, also during a drain', async () => {
  threads[0].push(entry(FIRST));
  void drain.drain();
  threads[0].push(entry(FIRST + 1));
  threads[1].push(entry(SECOND));
  await drain.drainAll();
  expect(stored(FIRST, FIRST + 1, SECOND)).toEqual([FIRST, FIRST + 1, SECOND]);
});

test('a request is found as soon as it is logged, also during a drain', async () => {
  threads[0].push(entry(FIRST));
  void drain.drain();
  threads[0].push(entry(FIRST + 1));
  expect(await drain.find(FIRST + 1)).toMatchObject({ logId: FIRST + 1 });
});
