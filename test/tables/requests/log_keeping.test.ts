// What the request log keeps when the operator wants less of it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  isOfDevice,
  type LogEntry,
  readHead,
  recordLength,
  reduceRecords,
} from '../../../src/tables/requests/record.ts';
import { RequestLog } from '../../../src/tables/requests/request_log.ts';
import { createLogRing, LOG_BLOCK_IDS, LogConsumer, LogProducer } from '../../../src/tables/requests/ring.ts';
import { RequestSearch } from '../../../src/tables/requests/search.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const NOW = Date.parse('2026-11-10T12:00:00Z');

let folder: string;
let log: RequestLog;
beforeEach(() => {
  folder = temporaryFolder();
  log = RequestLog.open(folder, 64, error => {
    throw error;
  });
});
afterEach(() => log.close());

const entry = (n: number, more: Partial<LogEntry> = {}): LogEntry => ({
  logId: LOG_BLOCK_IDS + n,
  timeMs: NOW,
  latencyUs: 300,
  status: 200,
  route: 1,
  accountId: 2,
  nr: 7,
  deviceId: `tracker-${n}`,
  query: '/reverse?lat=47.14&lon=9.52',
  request: Buffer.from(`{"secret":${n}}`),
  response: '{"answer":"secret"}',
  ...more,
});

/** Records as an HTTP thread has put them into its ring. */
function drained(...entries: LogEntry[]): Uint8Array {
  const ring = createLogRing(8 * 1_048_576);
  const producer = new LogProducer(ring);
  for (const one of entries) producer.push(one);
  return new LogConsumer(ring).drain()!;
}

test('a reduced request has path, status, time, key, device and number, and nothing else', async () => {
  log.keeping = 'reduced';
  await log.append(drained(entry(1), entry(2, { query: '/', request: undefined, deviceId: undefined, nr: undefined })));
  expect(log.get(LOG_BLOCK_IDS + 1, NOW)).toEqual({
    logId: LOG_BLOCK_IDS + 1,
    time: new Date(NOW).toISOString(),
    route: 'position',
    status: 200,
    latencyMs: 0.3,
    account: 2,
    device: expect.stringMatching(/^#[0-9a-f]{16}$/),
    nr: 7,
    query: '/reverse',
  });
  expect(log.get(LOG_BLOCK_IDS + 2, NOW)).toMatchObject({ query: '/', status: 200 });
});

test('a hashed device is found by its id under its own key, is forgotten by it, and is not in the records', async () => {
  log.keeping = 'reduced';
  await log.append(drained(entry(1), entry(2), entry(3, { accountId: 3, deviceId: 'tracker-1' })));
  const { device } = log.get(LOG_BLOCK_IDS + 1, NOW)!;
  expect(device).toMatch(/^#[0-9a-f]{16}$/);
  expect(log.get(LOG_BLOCK_IDS + 3, NOW)!.device).not.toBe(device);
  const search = RequestSearch.open(folder)!;
  const found = [];
  for (const id of ['tracker-1', device!])
    found.push(search.latest({ device: id }, 10, NOW, () => {}).map(({ logId }) => logId - LOG_BLOCK_IDS));
  await search.close();
  expect(found).toEqual([[1, 3], [1]]);
  expect(await log.forget(head => isOfDevice(head, 'tracker-1') && head.account === 2)).toBe(1);
  expect([1, 2, 3].map(n => log.get(LOG_BLOCK_IDS + n, NOW) !== undefined)).toEqual([false, true, true]);
});

test('a record that is reduced is whole, whatever its lengths', () => {
  for (let n = 0; n < 40; n++) {
    const run = drained(
      entry(n, { deviceId: 'ä'.repeat(n % 21), query: `/${'x'.repeat(n)}?${'y'.repeat(n)}`, response: 'z'.repeat(n) }),
      entry(n + 1, { deviceId: undefined, request: undefined, response: '' }),
    );
    const reduced = reduceRecords(run);
    const view = new DataView(reduced.buffer, reduced.byteOffset, reduced.byteLength);
    const first = recordLength(view, 0);
    expect(first + recordLength(view, first)).toBe(reduced.byteLength);
    expect(readHead(view, first).device).toBeUndefined();
    expect(isOfDevice(readHead(view, 0), 'ä'.repeat(n % 21))).toBe(true);
  }
});

test('none: nothing is stored, what was there is dropped, and usage is counted', async () => {
  await log.append(drained(entry(1)));
  log.keeping = 'none';
  await log.append(drained(entry(2, { credits: 3 })));
  expect([1, 2].map(n => log.get(LOG_BLOCK_IDS + n, NOW))).toEqual([undefined, undefined]);
  await log.prune(NOW);
  expect(log.usage.of(2, NOW)).toMatchObject([{ requests: 2, credits: 3, devices: 2 }]);
  const search = RequestSearch.open(folder)!;
  expect(search.latest({}, 10, NOW, () => {})).toEqual([]);
  await search.close();
  expect(readFileSync(join(folder, 'requests/data.mdb')).includes('tracker-2')).toBe(false);
});
