// Batches of measurements over HTTP, in the test's own process: each dialect, bad items, what is stored of them, what
// they cost, and what happens where there is no room. Large ones stand in tasks/pack_reports.test.ts, what needs a whole
// service in test/service/contribution.test.ts.

import { once } from 'node:events';
import { connect } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { storageBytesOf } from '../../src/accounts/directory.ts';
import { hashKey } from '../../src/accounts/key.ts';
import type { Account } from '../../src/tables/accounts/account_record.ts';
import { type Report, trackOf } from '../../src/tables/observations/report.ts';
import {
  cellTowers,
  expectStored,
  heardIn,
  item,
  itemAt,
  position,
  timestamp,
  wifiAccessPoints,
} from '../kits/radio/contributed.ts';
import { BALANCE, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

const MEGABYTE = 1_048_576;
const hex = (byte: number) => byte.toString(16).padStart(2, '0');

let served: ServedParts;
beforeEach(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 });
});
afterEach(async () => {
  await served.close();
  expect(served.errors).toEqual([]);
});

const stored = (): Report[] => served.observations.read(1, 100_000).map(({ report }) => report);

const ROUTES = ['/v2/geosubmit', '/v1/geosubmit', '/v1/submit'];

describe.each(ROUTES)('%s', route => {
  const submit = (body: unknown, headers: Record<string, string> = {}) => served.post(body, route, { headers });

  test.each([
    ['geosubmit v2', item],
    ['geosubmit v1', { ...position, timestamp, wifiAccessPoints, cellTowers }],
    [
      'submit v1',
      {
        lat: position.latitude,
        lon: position.longitude,
        accuracy: position.accuracy,
        age: position.age,
        altitude: position.altitude,
        heading: position.heading,
        speed: position.speed,
        time: new Date(timestamp).toISOString(),
        radioType: 'lte',
        wifi: [
          { key: '0014bfaabb01', signal: -60, channel: 11, age: 900 },
          { key: '0014bfaabb02', signal: -67, frequency: 5180 },
        ],
        cell: [{ radio: 'lte', mcc: 262, mnc: 1, lac: 5001, cid: 26_000_001, signal: -99 }],
      },
    ],
  ])('stores an item of %s', async (_, body) => {
    expectStored(await submit({ items: [body] }), route);
    const [report, ...others] = stored();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      timeMs: timestamp,
      isTimed: true,
      latitude: 49.87,
      longitude: 8.65,
      accuracyMetres: 4.3,
      positionAgeMs: 1200,
      altitude: 140.5,
      heading: 15.6,
      speed: 3.4,
      contributor: 1,
      isTrusted: false,
    });
    const heard = heardIn(report);
    expect(heard).toHaveLength(3);
    for (const address of ['00:14:bf:aa:bb:01', '00:14:bf:aa:bb:02']) expect(heard.join()).toContain(address);
    expect(heard.join()).toContain('26000001');
  });

  test('inflates what is compressed', async () => {
    const json = JSON.stringify({ items: [item] });
    for (const [encoding, body] of [
      ['gzip', gzipSync(json)],
      ['x-gzip', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', brotliCompressSync(json)],
      ['identity', Buffer.from(json)],
    ] as const) {
      expectStored(await submit(body, { 'content-encoding': encoding, 'content-type': 'text/plain' }), route);
    }
    expect(stored()).toHaveLength(1);
    expect(served.tally.toJSON()).toMatchObject({ reports: 6, accepted: 6, duplicates: 5 });
  });

  test('refuses what is no batch and names the field', async () => {
    for (const [body, message] of [
      ['[]', 'The body must be an object.'],
      ['7', 'The body must be an object.'],
      ['', 'items is missing.'],
      ['{}', 'items is missing.'],
      ['{"items":null}', 'items must be an array.'],
      ['{"items":{}}', 'items must be an array.'],
      ['{"items":', /^The body is not JSON/],
      ['{"items":[{"__proto__":1}]}', 'The key __proto__ is not allowed.'],
    ] as const) {
      expectError(await submit(body), 400, 'parseError', 'global', message);
    }
    expect(served.tally.toJSON().reports).toBe(0);
  });

  test('answers other methods with those it has, and lets any page send', async () => {
    const other = await served.post(undefined, route, { method: 'GET' });
    expectError(other, 405, 'methodNotAllowed', 'global');
    expect(other.headers.allow).toBe('OPTIONS, POST');
    for (const answer of [await submit({ items: [] }), await submit('['), await submit({ items: [item] })])
      expect(answer.headers['access-control-allow-origin']).toBe('*');
  });
});

test('doubled slashes and a slash at the end are no other path', async () => {
  for (const path of ['//v2/geosubmit', '/v2//geosubmit', '/v2/geosubmit/'])
    expectStored(await served.post({ items: [] }, path));
});

describe('a batch', () => {
  const submit = (items: unknown[], query = '') =>
    served.post(undefined, '', { path: `/v2/geosubmit?key=a%20key${query}`, body: { items } });

  test('of a thousand with bad items among them is stored but for those', async () => {
    const bad = [
      null,
      7,
      'x',
      [],
      {},
      { position: null },
      { ...item, position: { longitude: 8 } },
      { ...item, position: { latitude: 95, longitude: 8 } },
      { timestamp, position },
      { timestamp, position, wifiAccessPoints: {}, cellTowers: [null, 7, {}], bluetoothBeacons: 'x' },
    ];
    const good = Array.from({ length: 1000 }, (_, i) => itemAt(i));
    const items: unknown[] = good.flatMap((one, i) => (i % 10 === 3 ? [one, bad[((i / 10) % bad.length) | 0]] : [one]));
    expectStored(await submit(items));
    expect(stored().map(({ timeMs }) => timeMs)).toEqual(good.map(one => one.timestamp));
    expect(served.tally.toJSON()).toMatchObject({ reports: 1100, accepted: 1000, refused: 100, duplicates: 0 });
  });

  test('that is sent again counts once, whole and in part', async () => {
    const items = Array.from({ length: 20 }, (_, i) => itemAt(i));
    expectStored(await submit(items));
    expectStored(await submit(items));
    expectStored(await submit([...items, itemAt(20)]));
    expect(stored()).toHaveLength(21);
    expect(served.tally.toJSON()).toMatchObject({ accepted: 61, duplicates: 40 });
  });

  test('is the track of the device that is named, or one of its own', async () => {
    await submit([itemAt(0), itemAt(1)], '&id=device');
    await submit([itemAt(2), itemAt(3)]);
    await submit([itemAt(4)]);
    const tracks = stored().map(({ track }) => track);
    const device = trackOf(1, 'device');
    expect(tracks.slice(0, 2)).toEqual([device, device]);
    expect(tracks[2]).toBe(tracks[3]);
    expect(new Set(tracks).size).toBe(3);
    expect(Math.min(...tracks)).toBeGreaterThan(0);
  });

  test('without times is taken as of its arrival', async () => {
    const before = Date.now();
    await submit([{ ...item, timestamp: null }]);
    const [{ timeMs, isTimed }] = stored();
    expect(isTimed).toBe(false);
    expect(timeMs).toBeGreaterThanOrEqual(before);
    expect(timeMs).toBeLessThanOrEqual(Date.now());
  });

  test('costs nothing, and needs no credits', async () => {
    await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0, trusted: true });
    expectStored(await submit([item]));
    expectStored(await served.post(undefined, '', { path: '/v2/geosubmit?key=broke', body: { items: [item] } }));
    expect(stored().map(({ contributor, isTrusted }) => [contributor, isTrusted])).toEqual([
      [1, false],
      [2, true],
    ]);
    expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE });
  });

  test('is held to the rate and the devices of its key', async () => {
    await served.accountWriter.create({ keyHash: hashKey('slow'), createdMs: 0, ratePerSecond: 0.01 });
    await served.accountWriter.create({ keyHash: hashKey('one'), createdMs: 0, devices: 1 });
    const send = (query: string) =>
      served.post(undefined, '', { path: `/v2/geosubmit?${query}`, body: { items: [item] } });
    expectStored(await send('key=slow'));
    expectError(await send('key=slow'), 429, 'userRateLimitExceeded', 'usageLimits');
    expectStored(await send('key=one&id=a'));
    expectError(await send('key=one&id=b'), 403, 'deviceLimitExceeded', 'usageLimits');
    expectError(await send('key=one&id=123456789012345678901'), 400, 'parseError', 'global', /^id /);
    expectError(await send('key=nobody'), 400, 'keyInvalid', 'usageLimits');
    expectError(await send('id=a'), 400, 'keyInvalid', 'usageLimits');
    expect(stored()).toHaveLength(2);
  });
});

describe('the items of a key with a rate', () => {
  const send = (key: string, from: number, count: number) =>
    served.post(undefined, '', {
      path: `/v2/geosubmit?key=${key}`,
      body: { items: Array.from({ length: count }, (_, i) => ({ ...itemAt(from + i), cellTowers: undefined })) },
    });

  test.each([
    ['small', 200],
    ['large', 3000],
  ])('beyond it are refused as a whole, a %s batch of them, until there is time for all', async (_, count) => {
    // 10,800 at once.
    await served.accountWriter.create({ keyHash: hashKey('three'), createdMs: 0, ratePerSecond: 3 });
    expectStored(await send('three', 0, 10_790));
    const refused = await send('three', 20_000, count);
    expectError(refused, 429, 'userRateLimitExceeded', 'usageLimits');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeLessThanOrEqual(Math.ceil((count - 10) / 3));
    expect(wait).toBeGreaterThan((count - 10) / 3 - 60);
    expect(stored()).toHaveLength(10_790);
    expect(served.tally.toJSON()).toMatchObject({ reports: 10_790 });
    // Nothing of it was counted, and requests have their own.
    expectStored(await send('three', 20_000, 10));
    expect(stored()).toHaveLength(10_800);
  });

  test('that are more than an hour of it, and a thousand, can never be sent at once', async () => {
    await served.accountWriter.create({ keyHash: hashKey('slow'), createdMs: 0, ratePerSecond: 0.25 });
    expectError(
      await send('slow', 0, 1001),
      413,
      'bodyTooLarge',
      'global',
      'A batch of this key must have at most 1000 items at its rate; send smaller ones.',
    );
    expect(stored()).toEqual([]);
    await served.accountWriter.create({ keyHash: hashKey('slow too'), createdMs: 0, ratePerSecond: 0.25 });
    expectStored(await send('slow%20too', 0, 1000));
    expectStored(await served.post({ items: Array.from({ length: 2000 }, (_, i) => itemAt(i)) }, '/v2/geosubmit'));
    expect(stored()).toHaveLength(3000);
  });
});

describe('a key whose reports take all the disk that they may', () => {
  const gps = { latitude: 49.87, longitude: 8.65, accuracy: 5, age: 0 };
  const MESSAGE = 'The reports of this key take all the storage that they may.';
  const send = (key: string, items: unknown[]) =>
    served.post(undefined, '', { path: `/v2/geosubmit?key=${key}`, body: { items } });

  test('is refused further ones, and told so, but not what it has sent before', async () => {
    await served.accountWriter.create({ keyHash: hashKey('small'), createdMs: 0, storageMegabytes: 1 });
    // A report of 1,000 access points takes some 25 KB.
    const large = (n: number) => ({
      ...itemAt(n),
      wifiAccessPoints: Array.from({ length: 999 }, (_, i) => ({
        macAddress: `00:14:bf:${hex(n)}:${hex(i >> 8)}:${hex(i & 255)}`,
        signalStrength: -60,
      })),
    });
    let taken = 0;
    let answer = await send('small', [large(taken)]);
    for (; answer.status === 200 && taken < 100; answer = await send('small', [large(taken)])) taken++;
    expectError(answer, 403, 'storageExceeded', 'usageLimits', MESSAGE);
    expect(stored()).toHaveLength(taken);
    const bytes = served.observations.storedBytes(2);
    expect(bytes).toBeLessThanOrEqual(MEGABYTE);
    expect(bytes).toBeGreaterThan(MEGABYTE * 0.95);
    expectStored(await send('small', [large(0), large(taken - 1)]));
    // Nothing of a batch that does not fit is taken.
    expectError(await send('small', [large(taken), item]), 403, 'storageExceeded', 'usageLimits');
    expect(stored()).toHaveLength(taken);
    // Other keys have room of their own.
    expectStored(await served.post({ items: [large(taken)] }, '/v2/geosubmit'));
  });

  test('has positions as ever, for their price', async () => {
    await served.accountWriter.create({ keyHash: hashKey('none'), createdMs: 0, storageMegabytes: 0, credits: 1 });
    const ask = () => served.post(undefined, '', { path: '/?key=none', body: { gps, cellTowers, timestamp } });
    expect(await ask()).toMatchObject({ status: 200, json: { location: { lat: gps.latitude, lng: gps.longitude } } });
    expect(served.accountWriter.get(2)).toMatchObject({ credits: 0 });
    expectError(await ask(), 403, 'creditsExceeded', 'usageLimits');
    expect(stored()).toEqual([]);
  });

  test('has a gigabyte without a setting of its own, and no limit where it is trusted', () => {
    const key: Account = { id: 1, keyHash: '', createdMs: 0, revoked: false };
    expect(storageBytesOf(key)).toBe(1024 * MEGABYTE);
    expect(storageBytesOf({ ...key, trusted: true })).toBeUndefined();
    expect(storageBytesOf({ ...key, trusted: true, storageMegabytes: 3 })).toBe(3 * MEGABYTE);
    expect(storageBytesOf({ ...key, storageMegabytes: 0 })).toBe(0);
  });
});

test('a client that leaves in the middle of its batch harms nobody', async () => {
  const head = 'POST /v2/geosubmit?key=a%20key HTTP/1.1\r\nhost: x\r\ncontent-length: 100000\r\n\r\n{"items":[';
  for (let i = 0; i < 5; i++) {
    const socket = connect(served.port, '127.0.0.1');
    socket.write(head);
    await once(socket, 'connect');
    expectStored(await served.post({ items: [itemAt(i)] }, '/v2/geosubmit'));
    socket.destroy();
    await once(socket, 'close');
  }
  expectStored(await served.post({ items: [itemAt(5)] }, '/v2/geosubmit'));
  expect(stored()).toHaveLength(6);
});

describe('without room for more', () => {
  const ROOM_BYTES = 64 * MEGABYTE;

  test('a batch is answered 503 with Retry-After, and taken later', async () => {
    expect(served.gate.reserve(ROOM_BYTES)).toBe(true);
    const refused = await served.post({ items: [item] }, '/v2/geosubmit');
    expectError(refused, 503, 'backendError', 'global', 'The service is busy; try again shortly.');
    expect(refused.headers['retry-after']).toBe('1');
    expect(stored()).toEqual([]);
    // What has nothing to store needs no room.
    expectStored(await served.post({ items: [{}] }, '/v2/geosubmit'));
    served.gate.release(ROOM_BYTES);
    expectStored(await served.post({ items: [item] }, '/v2/geosubmit'));
    expect(stored()).toHaveLength(1);
    // All that was taken was given back.
    expect(served.gate.reserve(ROOM_BYTES)).toBe(true);
    expect(served.gate.reserve(8)).toBe(false);
  });

  test('a position request that contributes is answered 503, any other as always', async () => {
    const gps = { latitude: 49.87, longitude: 8.65, accuracy: 5 };
    expect(served.gate.reserve(ROOM_BYTES)).toBe(true);
    const refused = await served.post({ gps: { ...gps, age: 0 }, cellTowers });
    expectError(refused, 503, 'backendError', 'global');
    expect(refused.headers['retry-after']).toBe('1');
    expect((await served.post({ gps, cellTowers })).status).toBe(200);
    served.gate.release(ROOM_BYTES);
    expect((await served.post({ gps: { ...gps, age: 0 }, cellTowers })).status).toBe(200);
    expect(stored()).toHaveLength(1);
    expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE - 1 });
  });
});

describe('a position request with a fix of age 0', () => {
  const gps = { latitude: 49.87, longitude: 8.65, accuracy: 5, age: 0, altitude: 140, heading: 90, speed: 2 };
  const DEMO_POINTS = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'].map(macAddress => ({
    macAddress,
    signalStrength: -60,
  }));

  test('is answered as one that does not contribute, costs nothing, and is stored before', async () => {
    const told = await served.post({ gps: { ...gps, age: 1 }, cellTowers, wifiAccessPoints });
    const answer = await served.post({ gps, cellTowers, wifiAccessPoints, timestamp: Math.floor(timestamp / 1000) });
    expect(answer.status).toBe(200);
    expect({ ...answer.json, logId: 0 }).toEqual({ ...told.json, logId: 0 });
    const [report, ...others] = stored();
    expect(others).toEqual([]);
    expect(report).toMatchObject({
      timeMs: Math.floor(timestamp / 1000) * 1000,
      isTimed: true,
      latitude: 49.87,
      longitude: 8.65,
      accuracyMetres: 5,
      positionAgeMs: 0,
      altitude: 140,
      heading: 90,
      speed: 2,
      contributor: 1,
      track: 0,
    });
    expect(heardIn(report)).toHaveLength(3);
    expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE - 1 });
  });

  test('belongs to the track of its device', async () => {
    await served.post(undefined, '', { path: '/?key=a%20key&id=device', body: { gps, cellTowers } });
    await served.post({ items: [item] }, '/v2/geosubmit');
    await served.post(undefined, '', { path: '/v2/geosubmit?key=a%20key&id=device', body: { items: [itemAt(9)] } });
    const [first, second, third] = stored().map(({ track }) => track);
    expect(first).toBe(trackOf(1, 'device'));
    expect(third).toBe(first);
    expect(second).not.toBe(first);
  });

  test('counts once however often it comes', async () => {
    for (let i = 0; i < 3; i++) expect((await served.post({ gps, cellTowers })).status).toBe(200);
    expect(stored()).toHaveLength(1);
    expect(served.tally.toJSON()).toMatchObject({ accepted: 3, duplicates: 2 });
  });

  test('is refused by the rules without a word, and then costs what any request costs', async () => {
    const lost = await served.post({
      gps: { ...gps, latitude: 0.1, longitude: 0.1, accuracy: 900 },
      wifiAccessPoints: DEMO_POINTS,
    });
    const without = await served.post({ wifiAccessPoints: DEMO_POINTS });
    expect(lost.status).toBe(200);
    expect(without.status).toBe(200);
    expect(stored()).toEqual([]);
    expect(served.tally.toJSON()).toMatchObject({ reports: 1, refused: 1, refusedByRule: { 'null island': 1 } });
    expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE - 2 });
  });

  describe('beside access points that are known', () => {
    // The demo town, from where access points locate to some metres.
    const near = { ...gps, latitude: 1.25024, longitude: -2.49973 };
    const spent = async (bodies: readonly object[]): Promise<number> => {
      const before = served.accountWriter.get(1)!.credits!;
      for (const body of bodies) expect((await served.post(body)).status).toBe(200);
      return before - served.accountWriter.get(1)!.credits!;
    };
    const scan = (n: number, fix: object = {}, more: object = {}) => ({
      gps: { ...near, ...fix },
      wifiAccessPoints: DEMO_POINTS,
      timestamp: Math.floor(timestamp / 1000) + n,
      ...more,
    });

    test('is free while its fix is good and its report new', async () => {
      expect(await spent([scan(1), scan(2, { accuracy: 20 })])).toBe(0);
    });

    test('is charged when the fix is coarse or has no accuracy, however often and whenever it is sent', async () => {
      expect(await spent([1, 2, 3].map(n => scan(n, { accuracy: 200 })))).toBe(3);
      expect(await spent([scan(4, { accuracy: 21 }), scan(5, { accuracy: undefined })])).toBe(2);
    });

    test('is charged when its report is known already', async () => {
      expect(await spent([scan(1), scan(1), scan(1)])).toBe(2);
    });

    test('is charged when the answer contradicts its fix', async () => {
      const cell = {
        radioType: 'lte',
        mobileCountryCode: 1,
        mobileNetworkCode: 1,
        locationAreaCode: 1,
        cellId: 256_001,
        signalStrength: -80,
      };
      const heard = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4', '02:00:5e:00:00:e7'].map(macAddress => ({
        macAddress,
        signalStrength: -60,
      }));
      const lie = scan(
        1,
        { latitude: 1.5 },
        { cellTowers: [cell, { ...cell, cellId: 256_002 }], wifiAccessPoints: heard },
      );
      expect((await served.post(lie)).json.location.lat).toBeCloseTo(1.25, 2);
      expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE - 1 });
    });

    test('is free, again and again, when the answer is its own fix', async () => {
      const alone = (n: number) => scan(n, { accuracy: 200 }, { wifiAccessPoints });
      expect(await spent([alone(1), alone(1), alone(2)])).toBe(0);
    });

    test('is charged where it is coarse and nothing is left to pay', async () => {
      await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0 });
      const send = (body: unknown) => served.post(undefined, '', { path: '/?key=broke', body });
      expectError(await send(scan(1, { accuracy: 200 })), 403, 'creditsExceeded', 'usageLimits');
      expect((await send(scan(2))).status).toBe(200);
      expect(stored()).toHaveLength(2);
    });
  });

  test('contributes without credits, which nothing else can do', async () => {
    await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0 });
    const send = (body: unknown) => served.post(undefined, '', { path: '/?key=broke', body });
    expect((await send({ gps, cellTowers })).status).toBe(200);
    for (const body of [
      { gps: { ...gps, age: 1 }, cellTowers },
      { gps: { ...gps, age: undefined }, cellTowers },
      { gps },
      { gps: { ...gps, latitude: 0.1, longitude: 0.1 }, cellTowers },
      { cellTowers },
      {},
    ]) {
      expectError(await send(body), 403, 'creditsExceeded', 'usageLimits');
    }
    expect(stored()).toHaveLength(1);
  });

  test('and nothing that could be a station contributes nothing', async () => {
    for (const body of [
      { gps },
      { gps, bluetoothBeacons: [{ macAddress: '00:14:bf:aa:bb:07' }] },
      { gps, cellTowers: [{}] },
    ])
      expect((await served.post(body)).status).toBe(200);
    expect(served.tally.toJSON().reports).toBe(0);
    expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE - 3 });
  });
});
