// Contributions to a whole service: what is acknowledged is in the log after a kill, who may contribute, what the
// request log says of it, and that nobody waits for a large batch.

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { type Answer, expectError, ServiceProcess, send } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let base: string;
let folder: string;
let service: ServiceProcess;

beforeEach(() => {
  base = temporaryFolder();
  folder = join(base, 'var');
});
afterEach(async () => {
  await service.stop();
});

/** Workers take large batches in. */
const WITH_WORKERS = ['--http-threads', '1', '--workers', '2'];

async function start(...flags: string[]): Promise<void> {
  service = await ServiceProcess.start(folder, ...flags);
}

const START_MS = Date.now() - 86_400_000;
const cellTowers = [
  {
    radioType: 'lte',
    mobileCountryCode: 262,
    mobileNetworkCode: 1,
    locationAreaCode: 5001,
    cellId: 26_000_001,
    signalStrength: -99,
  },
];
const wifiAccessPoints = ['00:14:bf:aa:bb:01', '00:14:bf:aa:bb:02'].map(macAddress => ({
  macAddress,
  signalStrength: -60,
}));
/** No two have the same time. */
const itemOf = (n: number) => ({
  timestamp: START_MS + n * 1000,
  position: { latitude: 49.87, longitude: 8.65, accuracy: 4.3 },
  wifiAccessPoints,
  cellTowers,
});
const DEMO_POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

const submit = (key: string, items: unknown[]): Promise<Answer> =>
  send(service.url, { path: `/v2/geosubmit?key=${key}`, body: { items } });

/** What the log holds, while nobody serves. */
async function stored(): Promise<Report[]> {
  const log = new ObservationLog(folder, 'commit');
  const reports = log.read(1, 1_000_000).map(({ report }) => report);
  await log.close();
  return reports;
}

test('what was acknowledged before a kill is in the log, once', async () => {
  await start(...WITH_WORKERS);
  const { key } = await service.key();
  const sent = new Set<number>();
  const acknowledged = new Set<number>();
  for (const kill of [40, 90]) {
    let next = sent.size;
    let answers = 0;
    const ended: Promise<void>[] = [];
    await new Promise<void>(reached => {
      const client = async (isBatch: boolean): Promise<void> => {
        for (;;) {
          const numbers = Array.from({ length: isBatch ? 50 : 1 }, () => next++);
          for (const n of numbers) sent.add(n);
          const { timestamp, position } = itemOf(numbers[0]);
          const one = { timestamp, gps: { ...position, age: 0 }, cellTowers };
          const answer = isBatch
            ? await submit(key, numbers.map(itemOf))
            : await send(service.url, { path: `/?key=${key}`, body: one });
          expect(answer.status).toBe(200);
          for (const n of numbers) acknowledged.add(n);
          if (++answers === kill) reached();
        }
      };
      const broken = (error: NodeJS.ErrnoException) => expect(error.code).toMatch(/ECONNRE/);
      for (const isBatch of [true, true, false, false]) ended.push(client(isBatch).catch(broken));
    });
    expect(await service.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await Promise.all(ended);
    const found = (await stored()).map(({ timeMs }) => (timeMs - START_MS) / 1000);
    expect(new Set(found).size).toBe(found.length);
    expect([...acknowledged].filter(n => !found.includes(n))).toEqual([]);
    expect(found.filter(n => !sent.has(n))).toEqual([]);
    await start(...WITH_WORKERS);
  }
  expect(acknowledged.size).toBeGreaterThan(500);
});

test('a clean stop answers and stores the batch that is under way', async () => {
  await start(...WITH_WORKERS);
  const { key } = await service.key();
  const large = submit(
    key,
    Array.from({ length: 20_000 }, (_, n) => itemOf(n)),
  );
  // The service has seen the batch begin when it answers a request that was sent after it.
  expect((await service.post(key, DEMO_POINTS)).status).toBe(200);
  const [answer, ended] = await Promise.all([large, service.stop()]);
  expect(ended).toMatchObject({ code: 0 });
  expect(answer).toMatchObject({ status: 200, text: '{}' });
  expect(await stored()).toHaveLength(20_000);
});

test('a key may contribute until it is revoked, the demo key too, and nobody without one', async () => {
  await start(...FEW_THREADS);
  const { id, key } = await service.key({ trusted: true });
  expect((await submit(key, [itemOf(1)])).status).toBe(200);
  expect((await submit(service.demoKey, [itemOf(2)])).status).toBe(200);
  await service.job({ verb: 'keys', action: 'revoke', id });
  for (const refused of [key, 'wrong', '', 'null']) {
    expectError(await submit(refused, [itemOf(3)]), 400, 'keyInvalid', 'usageLimits', 'Missing or invalid API key.');
  }
  await service.stop();
  expect((await stored()).map(({ contributor, isTrusted }) => [contributor, isTrusted])).toEqual([
    [id, true],
    [1, false],
  ]);
});

test('a key whose storage is full is refused, also after a restart, until it is given more', async () => {
  await start(...FEW_THREADS);
  const { id, key } = await service.key({ storageMegabytes: 1 });
  const bytes = async () =>
    (await service.job<{ storedBytes: number }>({ verb: 'keys', action: 'show', id })).storedBytes;
  // Some 5,000 reports fit into a megabyte.
  const thousand = (t: number) => Array.from({ length: 1_000 }, (_, n) => itemOf(1_000 * t + n));
  let t = 0;
  while (t < 10 && (await submit(key, thousand(t))).status === 200) t++;
  expect(t).toBeGreaterThan(2);
  expect(t).toBeLessThan(10);
  const full = await bytes();
  expect(full).toBeLessThanOrEqual(1_048_576);
  expectError(await submit(key, thousand(t)), 403, 'storageExceeded', 'usageLimits');
  await service.stop('SIGKILL');
  await start(...FEW_THREADS);
  expect(await bytes()).toBe(full);
  expectError(await submit(key, thousand(t)), 403, 'storageExceeded', 'usageLimits');
  await service.job({ verb: 'keys', action: 'update', id, settings: { storageMegabytes: null } });
  expect((await submit(key, thousand(t))).status).toBe(200);
  expect(await bytes()).toBeGreaterThan(full);
  await service.job({ verb: 'forget', what: 'contributor', id });
  expect(await service.job({ verb: 'keys', action: 'show', id })).not.toHaveProperty('storedBytes');
});

test('clients without a key contribute where the operator has set an anonymous one', async () => {
  await start(...FEW_THREADS);
  const { id, key } = await service.key();
  await service.stop();
  await start(...FEW_THREADS, '--anonymous-key', key, '--agreement', '1');
  const answer = await send(service.url, {
    path: '//v2/geosubmit',
    headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
    body: gzipSync(JSON.stringify({ items: Array.from({ length: 950 }, (_, n) => itemOf(n)) })),
  });
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  await service.stop();
  const reports = await stored();
  expect(reports).toHaveLength(950);
  // One key suffices: no report needs a second witness.
  for (const { contributor, isTrusted } of reports) expect([contributor, isTrusted]).toEqual([id, true]);
});

test('a batch stands in the request log like any request, without its key', async () => {
  await start(...WITH_WORKERS);
  const { id, key } = await service.key();
  expect((await submit(`${key}&id=device&nr=7`, [itemOf(1)])).status).toBe(200);
  const { json } = await service.post(key, DEMO_POINTS);
  const logged = await service.logged(json.logId - 1);
  expect(logged).toMatchObject({
    route: 'submit',
    status: 200,
    account: id,
    device: 'device',
    nr: 7,
    request: { items: [itemOf(1)] },
    response: {},
  });
  expect(JSON.stringify(logged)).not.toContain(key);
  const large = Array.from({ length: 3000 }, (_, n) => itemOf(n));
  expect((await submit(key, large)).status).toBe(200);
  const after = await service.post(key, DEMO_POINTS);
  expect(await service.logged(after.json.logId - 1)).toMatchObject({
    route: 'submit',
    status: 200,
    requestBytes: JSON.stringify({ items: large }).length,
  });
});

test('small requests are answered while large batches are taken in', async () => {
  await start(...WITH_WORKERS);
  const { key } = await service.key();
  for (let i = 0; i < 300; i++) await service.post(key, DEMO_POINTS);
  const batches = [0, 1].map(n =>
    JSON.stringify({ items: Array.from({ length: 20_000 }, (_, i) => itemOf(n * 20_000 + i)) }),
  );
  let left = batches.length;
  const running = batches.map(body =>
    send(service.url, { path: `/v2/geosubmit?key=${key}`, body }).finally(() => left--),
  );
  let longestMs = 0;
  for (let answered = 0; left > 0 || answered === 0; answered++) {
    const start = performance.now();
    expect((await service.post(key, DEMO_POINTS)).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - start);
  }
  console.log(
    `longest wait of a small request beside two batches of ${(batches[0].length / 1e6).toFixed(1)} MB: ` +
      `${longestMs.toFixed(0)} ms`,
  );
  for (const answer of await Promise.all(running)) expect(answer.status).toBe(200);
  const ended = await service.stop();
  expect(ended.stderr).not.toContain('"level":50');
  expect(await stored()).toHaveLength(40_000);
});
