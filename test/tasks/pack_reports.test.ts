// Bodies that go to a compute worker: stored like small ones, refused with the same error messages.

import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { cellTowers, expectStored, heardIn, item, itemAt, timestamp } from '../kits/radio/contributed.ts';
import { BALANCE, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

const MEGABYTE = 1_048_576;

let served: ServedParts;
beforeEach(async () => {
  served = await serveParts({ mode: 'auto', workers: 2, ringBytes: 65_536 });
});
afterEach(async () => {
  await served.close();
  expect(served.errors).toEqual([]);
});

const stored = (): Report[] => served.observations.read(1, 100_000).map(({ report }) => report);

describe('a large batch', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => itemAt(i));

  test('is stored as a small one', async () => {
    const items = [...many(3000), null, {}];
    const json = JSON.stringify({ items });
    expect(json.length).toBeGreaterThan(MEGABYTE);
    expectStored(await served.post(json, '/v2/geosubmit'));
    expectStored(await served.post(gzipSync(json), '/v2/geosubmit', { headers: { 'content-encoding': 'gzip' } }));
    const reports = stored();
    expect(reports.map(({ timeMs }) => timeMs)).toEqual(many(3000).map(one => one.timestamp));
    expect(new Set(reports.map(({ track }) => track)).size).toBe(1);
    expect(heardIn(reports[2999])).toEqual(heardIn(reports[0]));
    expect(served.tally.toJSON()).toMatchObject({ reports: 6004, accepted: 6000, duplicates: 3000 });
  });

  test('that is none is refused with the error message of a small one', async () => {
    const padding = 'x'.repeat(MEGABYTE);
    expectError(
      await served.post(`{"a":"${padding}"`, '/v2/geosubmit'),
      400,
      'parseError',
      'global',
      /^The body is not JSON/,
    );
    expectError(
      await served.post({ padding, items: {} }, '/v2/geosubmit'),
      400,
      'parseError',
      'global',
      'items must be an array.',
    );
    expectError(await served.post('['.repeat(MEGABYTE), '/v2/geosubmit'), 400, 'parseError', 'global', /nested/);
  });

  test('may be 64 MB, larger than other bodies, and no more, sent or inflated', async () => {
    const padded = (bytes: number) =>
      Buffer.concat([Buffer.from(JSON.stringify({ items: [item] })), Buffer.alloc(bytes, ' ')]);
    expectStored(await served.post(padded(20 * MEGABYTE), '/v2/geosubmit'));
    const headers = { 'content-encoding': 'gzip' };
    expectStored(await served.post(gzipSync(padded(63 * MEGABYTE)), '/v2/geosubmit', { headers }));
    expectError(
      await served.post(gzipSync(padded(64 * MEGABYTE)), '/v2/geosubmit', { headers }),
      413,
      'bodyTooLarge',
      'global',
      /inflated/,
    );
    expectError(
      await served.post(gzipSync(padded(9 * MEGABYTE)), '/', { headers }),
      413,
      'bodyTooLarge',
      'global',
      /inflated/,
    );
    expect(stored()).toHaveLength(1);
  });

  test('of more than a million items and entries is refused', async () => {
    for (const body of [
      `{"items":[${'0,'.repeat(1_000_000)}0]}`,
      `{"items":[${'{},'.repeat(6_000_000)}{}]}`,
      `{"items":[${`{"cellTowers":[${'0,'.repeat(998)}0]},`.repeat(1000)}0]}`,
    ]) {
      expectError(await served.post(body, '/v2/geosubmit'), 413, 'bodyTooLarge', 'global', /at most 1000000 items/);
    }
    expectStored(await served.post(`{"items":[${'0,'.repeat(999_999)}0]}`, '/v2/geosubmit'));
    expect(stored()).toEqual([]);
  });

  test('that does not inflate, or under an unknown encoding, is refused', async () => {
    const damaged = gzipSync(JSON.stringify({ items: [item] }));
    damaged[20] ^= 255;
    const send = (encoding: string, body: Buffer) =>
      served.post(body, '/v2/geosubmit', { headers: { 'content-encoding': encoding } });
    expectError(await send('gzip', damaged), 400, 'parseError', 'global', 'The body does not inflate as gzip.');
    expectError(
      await send('gzip', damaged.subarray(0, 30)),
      400,
      'parseError',
      'global',
      'The body does not inflate as gzip.',
    );
    expectError(await send('zstd', damaged), 415, 'encodingUnsupported', 'global');
    expect(stored()).toEqual([]);
  });
});

test('a large position request contributes as a small one', async () => {
  const gps = { latitude: 49.87, longitude: 8.65, accuracy: 5, age: 0 };
  const answer = await served.post({ gps, cellTowers, padding: 'x'.repeat(MEGABYTE) });
  expect(answer.status).toBe(200);
  expect(stored()).toHaveLength(1);
  expect(heardIn(stored()[0]).join()).toContain('26000001');
  expect(served.accountWriter.get(1)).toMatchObject({ credits: BALANCE });
  await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0 });
  const send = (age: number) =>
    served.post(undefined, '', {
      path: '/?key=broke',
      body: { gps: { ...gps, age }, cellTowers, timestamp, padding: 'x'.repeat(MEGABYTE) },
    });
  expect((await send(0)).status).toBe(200);
  expectError(await send(1), 403, 'creditsExceeded', 'usageLimits');
  expect(stored().map(({ contributor }) => contributor)).toEqual([1, 2]);
});
