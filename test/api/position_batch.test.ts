// POST /v1/geolocate/batch over the demo town, through a real socket.

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { demoAccessPoints } from '../../src/folder/demo_town.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { formatMac } from '../../src/radio/mac.ts';
import type { AccountSettings } from '../../src/tables/accounts/key_settings.ts';
import { cellTowers, heardIn } from '../kits/radio/contributed.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError, ServiceProcess, send } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const PATH = '/v1/geolocate/batch';
const MEGABYTE = 1_048_576;
const TOWN = demoAccessPoints();
/** Access points of the demo town. */
const scan = (i: number) => ({
  wifiAccessPoints: Array.from({ length: 4 }, (_, k) => ({
    macAddress: formatMac(TOWN[20 * (i % 19) + (i % 16) + k].mac),
    signalStrength: -50 - k,
  })),
});
const fix = { gps: { latitude: 49.87, longitude: 8.65, accuracy: 5, age: 0 }, cellTowers };
const alone = { wifiAccessPoints: scan(0).wifiAccessPoints.slice(0, 1) };
/** An answer without its number. */
const withoutLogId = ({ logId, ...rest }: { logId: number }) => {
  expect(logId).toBeGreaterThan(0);
  return rest;
};
const reasonOf = (item: { error?: { errors: { reason: string }[] } }): string =>
  item.error?.errors[0].reason ?? 'found';

/** Makes an account. @returns what asks and tells with its key */
async function accountOf(served: ServedParts, settings: AccountSettings) {
  const key = `key ${Math.random()}`;
  const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ...settings });
  const ask = (path: string, body: unknown, more = '') =>
    served.post(body, '', { path: `${path}?key=${encodeURIComponent(key)}${more}` });
  return {
    id,
    batch: async (bodies: unknown, more = '') => (await ask(PATH, bodies, more)).json,
    single: async (body: unknown, more = '') => (await ask('/', body, more)).json,
    credits: () => served.accountWriter.get(id)!.credits,
  };
}

/** Ten thousand come back in order, while others are answered. */
async function expectInOrder(served: ServedParts): Promise<void> {
  const { batch, single, credits } = await accountOf(served, { credits: 1_000_000 });
  const bodies = Array.from({ length: 10_000 }, (_, i) => (i % 10 === 9 ? alone : scan(i % 100)));
  const expected: object[] = [];
  for (let i = 0; i < 100; i++) expected.push(withoutLogId(await single(bodies[i])));
  const before = credits()!;
  const answering = batch(bodies);
  expect((await single(scan(1))).location).toBeDefined();
  const items = await answering;
  expect(items).toHaveLength(10_000);
  expect(items.map(withoutLogId)).toEqual(bodies.map((_, i) => expected[i % 100]));
  expect(before - credits()!).toBe(9_001);
}

describe('computed as by default', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serveParts({ mode: 'auto', workers: 1, ringBytes: RING_BYTES });
  });
  afterAll(async () => {
    await served.close();
    expect(served.errors).toEqual([]);
  });

  test('each position has the answer of a request of its own, in its place', async () => {
    const { batch, single, credits } = await accountOf(served, { credits: 100 });
    const bodies = [
      scan(1),
      alone,
      null,
      { gps: { latitude: 100, longitude: 0 } },
      { gps: [] },
      5,
      { ...scan(2), wifiAccessPoints: 5 },
      { ...scan(3), confidence: 95, credits: 0, radioType: 'lte' },
      {
        ...scan(4),
        timestamp: 1_772_359_230,
        lastLocation: { lat: 1.251, lng: -2.5, accuracy: 10, timestamp: 1_772_359_200 },
      },
      { ...scan(5), state: 'x' },
    ];
    const expected: object[] = [];
    for (const body of bodies) expected.push(withoutLogId(await single(JSON.stringify(body))));
    const before = credits()!;
    const items = await batch(bodies);
    expect(items.map(withoutLogId)).toEqual(expected);
    expect(items.map(reasonOf)).toEqual([
      'found',
      'notFound',
      'notFound',
      'notFound',
      'parseError',
      'parseError',
      'parseError',
      'found',
      'found',
      'found',
    ]);
    expect(new Set(items.map(({ logId }: { logId: number }) => logId)).size).toBe(bodies.length);
    expect(before - credits()!).toBe(4);
  });

  test('a position that is no JSON or too large is an error in its place', async () => {
    const { batch } = await accountOf(served, {});
    const text = `[${JSON.stringify(scan(1))},{"a":x},,{"a":"${'x'.repeat(65_536)}"},${JSON.stringify(scan(2))}]`;
    const items = await batch(text);
    expect(items.map(reasonOf)).toEqual(['found', 'parseError', 'parseError', 'bodyTooLarge', 'found']);
    expect(items[1].error.message).toMatch(/^The body is not JSON/);
  });

  test('ids, states and the speed filter belong to each position', async () => {
    const { batch, single } = await accountOf(served, { speedFilter: true });
    const bodies = [1, 2].map(i => ({ ...scan(i), id: `tracker-${i}`, timestamp: 1_772_359_200 }));
    const [first, second] = await batch(bodies);
    const later = { ...scan(1), timestamp: 1_772_359_260 };
    const items = await batch(
      [
        { ...later, id: 'tracker-1', state: first.state },
        { ...later, id: 'tracker-1', state: second.state },
        { ...later, state: first.state },
        { ...later, id: 'x'.repeat(21) },
      ],
      '&id=tracker-1',
    );
    expect(items.map(reasonOf)).toEqual(['found', 'settingsKeyInvalid', 'found', 'parseError']);
    expect(items[0].calculatedSpeed).toBe(
      (await single({ ...later, state: first.state }, '&id=tracker-1')).calculatedSpeed,
    );
  });

  test('ten thousand come back in order, while others are answered', () => expectInOrder(served));

  test('credits that end in the middle pay for the first positions', async () => {
    const { batch, credits } = await accountOf(served, { credits: 50 });
    const items = await batch([...Array.from({ length: 60 }, (_, i) => (i === 10 ? alone : scan(i))), fix]);
    const reasons = items.map(reasonOf);
    expect(reasons.slice(0, 51)).toEqual(Array.from({ length: 51 }, (_, i) => (i === 10 ? 'notFound' : 'found')));
    expect(reasons.slice(51, 60)).toEqual(Array(9).fill('creditsExceeded'));
    // A contribution is free.
    expect(reasons[60]).toBe('found');
    expect(credits()).toBe(0);
  });

  test('the rate may end in the middle', async () => {
    const { batch } = await accountOf(served, { ratePerSecond: 1 });
    const reasons = (await batch(Array.from({ length: 100 }, (_, i) => scan(i)))).map(reasonOf);
    const found = reasons.filter((reason: string) => reason === 'found').length;
    expect(found).toBeGreaterThan(0);
    expect(reasons[0]).toBe('found');
    expect(reasons.filter((reason: string) => reason === 'userRateLimitExceeded')).toHaveLength(100 - found);
    expect(found).toBeLessThan(100);
  });

  test('each device counts for the plan', async () => {
    const { batch, single } = await accountOf(served, { devices: 2 });
    const of = (id: string) => ({ ...scan(1), id });
    const reasons = (await batch([of('a'), of('b'), of('a'), of('c'), scan(1), of('b')])).map(reasonOf);
    expect(reasons).toEqual(['found', 'found', 'found', 'deviceLimitExceeded', 'deviceLimitExceeded', 'found']);
    expect(reasonOf(await single(scan(1), '&id=b'))).toBe('found');
    expect(reasonOf(await single(scan(1), '&id=c'))).toBe('deviceLimitExceeded');
  });

  test('positions with a fresh fix contribute and are free', async () => {
    const { id, batch, credits } = await accountOf(served, { credits: 10 });
    const fixes = [0, 1, 2].map(i => ({
      ...fix,
      id: `d${i}`,
      gps: { ...fix.gps, latitude: 49.87 + i / 1000 },
      timestamp: 1_772_359_200 + i,
    }));
    const items = await batch([scan(1), ...fixes, scan(2)]);
    expect(items.map(reasonOf)).toEqual(Array(5).fill('found'));
    const reports = served.observations.read(1, 1000).filter(({ report }) => report.contributor === id);
    expect(reports.map(({ report }) => report.latitude)).toEqual(fixes.map(({ gps }) => gps.latitude));
    expect(new Set(reports.map(({ report }) => report.track)).size).toBe(3);
    expect(heardIn(reports[0].report).join()).toContain('26000001');
    expect(credits()).toBe(8);
  });

  test('what is wrong with the whole is an error of the whole', async () => {
    const post = (body: unknown, options = {}) => served.post(body, PATH, options);
    const noList = 'The body must be an array of positions.';
    for (const body of [undefined, {}, 'null', '5', '{"a":[1]}'])
      expectError(await post(body), 400, 'parseError', 'global', noList);
    for (const body of ['[{"a":1}', '[1] [2]', '[1]]'])
      expectError(await post(body), 400, 'parseError', 'global', /^The body is not JSON/);
    expectError(
      await post(`[${'{},'.repeat(10_000)}{}]`),
      400,
      'parseError',
      'global',
      'The body has more than 10000 positions.',
    );
    expectError(await served.post([scan(1)], '', { path: `${PATH}?key=wrong` }), 400, 'keyInvalid', 'usageLimits');
    expectError(await served.get(PATH), 405, 'methodNotAllowed', 'global');
    expect((await post([])).text).toBe('[]');
    expect((await post(' [ ] ')).text).toBe('[]');
  });

  test('a body may have 64 MB, sent or inflated, and no more', async () => {
    const { batch } = await accountOf(served, {});
    const padded = (bytes: number) => Buffer.concat([Buffer.from(JSON.stringify([scan(1)])), Buffer.alloc(bytes, ' ')]);
    expect(await batch(padded(20 * MEGABYTE))).toHaveLength(1);
    const headers = { 'content-encoding': 'gzip' };
    expect((await served.post(gzipSync(padded(63 * MEGABYTE)), PATH, { headers })).json).toHaveLength(1);
    const tooLarge = await served.post(gzipSync(padded(64 * MEGABYTE)), PATH, { headers });
    expectError(tooLarge, 413, 'bodyTooLarge', 'global', /inflated/);
  });
});

test('ten thousand come back in order from workers too', async () => {
  const served = await serveParts({ mode: 'pool', workers: 1, ringBytes: RING_BYTES });
  onTestFinished(() => served.close());
  await expectInOrder(served);
  expect(served.errors).toEqual([]);
});

test('the log has a record of each position', async () => {
  const service = await ServiceProcess.start(`${folderOfFile()}/var`, '--http-threads', '1', '--workers', '1');
  const { key } = await service.key();
  const bodies = [{ ...scan(1), id: 'a', nr: 7 }, { ...alone, nr: '8' }, { ...scan(2) }];
  const { json } = await send(service.url, { path: `${PATH}?key=${key}&id=fleet`, body: bodies });
  const logged = await Promise.all(json.map(({ logId }: { logId: number }) => service.logged(logId)));
  expect(logged).toEqual([
    expect.objectContaining({
      status: 200,
      route: 'position',
      device: 'a',
      nr: 7,
      request: bodies[0],
      response: json[0],
    }),
    expect.objectContaining({ status: 404, device: 'fleet', nr: 8, request: bodies[1], response: json[1] }),
    expect.objectContaining({ status: 200, device: 'fleet', request: bodies[2], response: json[2] }),
  ]);
  expect((await service.stop()).code).toBe(0);
});
