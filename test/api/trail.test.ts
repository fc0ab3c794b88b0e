// GET /trail through a real socket, of access points that two accounts and one have reported.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const MOVED = '02:00:5e:70:00:01';
const SEEN_BY_ONE = '02:00:5e:70:00:02';
const FOLLOWED = '02:00:5e:70:00:13';
const IMPORTED = '02:00:5e:70:00:14';
const MARCH_1 = Date.parse('2026-03-01T10:00:00Z');
const DAY_MS = 86_400_000;

const folder = folderOfFile();
let service: ServiceProcess;
let key: string;
let keyId: number;

beforeAll(async () => {
  service = await ServiceProcess.start(join(folder, 'var'), ...FEW_THREADS);
  ({ key, id: keyId } = await service.key({ trail: true, credits: 100 }));
  const [first, second] = [await service.key(), await service.key()];
  const report = (by: { key: string }, days: number, latitude: number, ...macs: string[]) =>
    service.request({
      path: `/v2/geosubmit?key=${by.key}`,
      body: {
        items: [
          {
            timestamp: MARCH_1 + days * DAY_MS,
            position: { latitude, longitude: 8.6512, accuracy: 4 },
            wifiAccessPoints: macs.map(macAddress => ({ macAddress, signalStrength: -60 })),
          },
        ],
      },
    });
  await report(first, 0, 49.8728, MOVED, SEEN_BY_ONE);
  await report(second, 1, 49.8729, MOVED);
  await report(first, 5, 49.9728, MOVED);
  await report(second, 6, 49.9728, MOVED);
  // Known at one place to both; at another, later, to one of them; and imported, and reported by one.
  await report(first, 0, 49.8728, FOLLOWED);
  await report(second, 1, 49.8729, FOLLOWED);
  await report(first, 7, 49.7728, FOLLOWED);
  const file = join(folder, 'wifi.csv');
  writeFileSync(file, `mac,lat,lon,r50,samples\n${IMPORTED},49.8728,8.6512,30,5\n`);
  await service.job({ verb: 'import', kind: 'wifi', files: [file] });
  await report(first, 0, 49.8728, IMPORTED);
  await report(first, 2, 49.6728, IMPORTED);
  await service.job({ verb: 'aggregate', action: 'all' });
});
afterAll(async () => void (await service.stop()));

const trail = (mac: string, by = key) => service.request({ method: 'GET', path: `/trail?key=${by}&mac=${mac}` });

test('a trail tells where an access point was heard, by day', async () => {
  const { status, json } = await trail(MOVED);
  expect(status).toBe(200);
  expect(json.macAddress).toBe(MOVED);
  expect(
    json.trail.map(({ date, location, observations }: Record<string, unknown>) => [date, location, observations]),
  ).toEqual([
    ['2026-03-01', { lat: 49.8728, lng: 8.6512 }, 1],
    ['2026-03-02', { lat: 49.8729, lng: 8.6512 }, 1],
    ['2026-03-06', { lat: 49.9728, lng: 8.6512 }, 1],
    ['2026-03-07', { lat: 49.9728, lng: 8.6512 }, 1],
  ]);
  const logged = await service.logged(json.logId);
  expect(logged).toMatchObject({ route: 'trail', status: 200, account: keyId });
});

test('places that one account alone has reported are not told', async () => {
  const { json } = await trail(FOLLOWED);
  expect(json.trail.map(({ date }: { date: string }) => date)).toEqual(['2026-03-01', '2026-03-02']);
  expect((await trail(IMPORTED)).status).toBe(404);
});

test('it costs a credit, and nothing where there is none', async () => {
  const balance = async () =>
    (await service.job<{ credits: number }>({ verb: 'keys', action: 'show', id: keyId })).credits;
  const before = await balance();
  await trail(SEEN_BY_ONE);
  expect(await balance()).toBe(before);
  await trail(MOVED.toUpperCase().replaceAll(':', '-'));
  expect(await balance()).toBe(before - 1);
});

describe('there is no trail', () => {
  test.each([
    ['of an access point that one account alone has reported', SEEN_BY_ONE],
    ['of one that nobody has reported', '02:00:5e:70:00:03'],
    ['of one that was only imported', '02:00:5e:00:00:d3'],
  ])('%s', async (_, mac) => {
    expect(await trail(mac)).toMatchObject({
      status: 404,
      json: { error: { errors: [{ domain: 'geolocation', reason: 'notFound' }] } },
    });
  });

  test.each([
    ['', 'mac is missing.'],
    ['home', 'mac must be the MAC address of an access point.'],
    ['ff:ff:ff:ff:ff:ff', 'mac must be the MAC address of an access point.'],
    ['%ff', 'mac is not percent-encoded UTF-8.'],
  ])('without a valid address: %s', async (mac, message) => {
    expect(await trail(mac)).toMatchObject({
      status: 400,
      json: { error: { message, errors: [{ reason: 'parseError' }] } },
    });
  });

  test('for keys without the setting, or with one taken away', async () => {
    const plain = await service.key();
    const set = (id: number, trail: boolean) =>
      service.job({ verb: 'keys', action: 'update', id, settings: { trail } });
    const refusal = {
      status: 400,
      json: { error: { message: 'This key may not ask for trails.', errors: [{ reason: 'settingsKeyInvalid' }] } },
    };
    expect(await trail(MOVED, plain.key)).toMatchObject(refusal);
    await set(plain.id, true);
    expect((await trail(MOVED, plain.key)).status).toBe(200);
    await set(plain.id, false);
    expect(await trail(MOVED, plain.key)).toMatchObject(refusal);
    expect((await trail(MOVED, 'nobody')).status).toBe(400);
  });

  test('by another method', async () => {
    const answer = await service.request({ method: 'POST', path: `/trail?key=${key}&mac=${MOVED}` });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET']);
  });

  test('once it was forgotten, as its owner objects', async () => {
    await service.job({ verb: 'forget', what: 'stations', names: [MOVED] });
    expect((await trail(MOVED)).status).toBe(404);
  });
});
