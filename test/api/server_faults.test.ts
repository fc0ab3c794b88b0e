// Answers to our own faults, 500 and 503, from a server of real parts in this process: its pool has a small ring, or workers that die on demand.

import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Billing } from '../../src/accounts/billing.ts';
import { AccountCounters, allocateCounters } from '../../src/accounts/counters.ts';
import { DevicePlans } from '../../src/accounts/devices.ts';
import { AccountDirectory } from '../../src/accounts/directory.ts';
import { Granter } from '../../src/accounts/granter.ts';
import { hashKey } from '../../src/accounts/key.ts';
import { ReplyBatch } from '../../src/api/replies.ts';
import { createServer } from '../../src/api/server.ts';
import { readConfig } from '../../src/config.ts';
import { Compute, type ComputeOptions } from '../../src/pool/compute.ts';
import { AccountTable } from '../../src/tables/accounts.ts';
import { LogIds } from '../../src/tables/log_ids.ts';
import { createLogRing, LogProducer } from '../../src/tables/log_ring.ts';
import { StationCache } from '../../src/tables/station_cache.ts';
import { makeDemoFolder } from '../pool/demo_queries.ts';
import { POISON } from '../pool/poison.ts';
import { Racer } from '../service/racer.ts';
import { type Answer, expectError, send } from '../service_process.ts';

const KEY = 'a key';
const BALANCE = 10_000;

let folder: string;
let table: AccountTable;
let granter: Granter;
let compute: Compute;
let server: FastifyInstance;
let port: number;
let errors: string[];
let cache: SharedArrayBuffer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faults-'));
  errors = [];
});
afterEach(async () => {
  await server.close();
  await compute.close();
  await table.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves the demo town with one prepaid key. */
async function serve(pool: Pick<ComputeOptions, 'mode' | 'workers' | 'ringBytes' | 'workerFile'>): Promise<void> {
  const onError = (message: string) => void errors.push(message);
  cache = await makeDemoFolder(folder);
  table = new AccountTable(folder, { sync: 'commit' });
  const counters = new AccountCounters(allocateCounters());
  const control = new Int32Array(new SharedArrayBuffer(4));
  granter = new Granter(table, counters, control, 0);
  await granter.create({ keyHash: hashKey(KEY), createdMs: 0, credits: BALANCE });
  compute = new Compute({ ...pool, folder, cache, onError });
  const services = {
    directory: new AccountDirectory(table, control, 0),
    counters,
    billing: new Billing(
      counters,
      (account, credits) => granter.topUp(account, credits),
      account => void granter.topUp(account, 1),
    ),
    devices: new DevicePlans((...device) => granter.registerDevice(...device)),
    compute,
    logIds: await LogIds.start(
      async () => 1_000_000,
      error => onError(error.message),
    ),
    log: new LogProducer(createLogRing(1_048_576)),
    replies: new ReplyBatch(),
    anonymousKey: undefined,
    behindProxy: false,
    signalLog: () => {},
    onError,
  };
  server = createServer(services, readConfig({}, {}), undefined);
  await server.listen({ host: '127.0.0.1', port: 0 });
  port = (server.server.address() as AddressInfo).port;
}

const path = `/?key=${encodeURIComponent(KEY)}`;
const points = (count: number) => ({
  wifiAccessPoints: Array.from({ length: count }, (_, i) => ({ macAddress: (0x02005e000001 + i).toString(16).padStart(12, '0') })),
});
const post = (body: unknown): Promise<Answer> => send(`http://127.0.0.1:${port}`, { path, body });

test('a request that ends its workers is answered 500, others beside it as always', async () => {
  await serve({ mode: 'pool', workers: 2, ringBytes: 65_536, workerFile: new URL('../pool/poisoned_worker.ts', import.meta.url) });
  const others = Array.from({ length: 10 }, () => post(points(20)));
  const poisoned = post({ gps: { latitude: POISON.exit, longitude: 1, accuracy: 1 } });
  expectError(await poisoned, 500, 'internalError', 'global', 'Internal server error.');
  for (const { status } of await Promise.all(others)) expect(status).toBe(200);
  expect(errors.join('\n')).toContain('A request ended two compute workers and is answered 500');
  expect(granter.get(1)).toMatchObject({ credits: BALANCE - 10 });
});

test('a request for which there is no room is answered 503 with Retry-After, and costs nothing', async () => {
  await serve({ mode: 'pool', workers: 1, ringBytes: 8192 });
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(points(40))));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(40);
  for (const answer of refused) {
    expectError(answer, 503, 'backendError', 'global', 'The service is busy; try again shortly.');
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect((await post(points(40))).status).toBe(200);
  expect(granter.get(1)).toMatchObject({ credits: BALANCE - (40 - refused.length) - 1 });
});

test('a table that cannot be read is answered 500, and the operator reads why', async () => {
  await serve({ mode: 'inline', workers: 1, ringBytes: 8192 });
  // The writer names a generation that is not there; of the stations asked for the cache knows nothing.
  new StationCache(cache).startGeneration(99);
  const unknown = { wifiAccessPoints: [{ macAddress: '06:00:00:00:00:01' }, { macAddress: '06:00:00:00:00:02' }] };
  expectError(await post(unknown), 500, 'internalError', 'global', 'Internal server error.');
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('stations');
  expect(errors[0]).not.toContain(KEY);
  expect(granter.get(1)).toMatchObject({ credits: BALANCE });
});

test('a client that leaves before its answer harms nobody', async () => {
  await serve({ mode: 'pool', workers: 1, ringBytes: 65_536 });
  const body = JSON.stringify(points(20));
  await Promise.all(
    Array.from({ length: 20 }, () => {
      const racer = new Racer(port, path, body, () => true);
      racer.leave();
      return racer.closed;
    }),
  );
  expect((await post(points(20))).status).toBe(200);
  expect(errors).toEqual([]);
});
