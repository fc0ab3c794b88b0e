// /v1/country, through a real socket.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { HOUSE, SEA } from '../kits/places/extracts.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

const LIECHTENSTEIN = { country_code: 'LI', country_name: 'Liechtenstein' };
const gpsAt = ({ lat, lon }: { lat: number; lon: number }) => ({
  gps: { latitude: lat, longitude: lon, accuracy: 10, age: 0 },
});
const cellsOf = (...mccs: unknown[]) => ({ cellTowers: mccs.map(mobileCountryCode => ({ mobileCountryCode })) });

describe('computed in a worker', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES });
  });
  afterAll(() => served.close());

  const ask = async (body: unknown) => (await served.post(body, '/v1/country')).json;

  test('the country is where the device is', async () => {
    expect(await ask(gpsAt(HOUSE))).toEqual(LIECHTENSTEIN);
    expect(
      await ask({ ...gpsAt(HOUSE), ...cellsOf(262), wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01' }] }),
    ).toEqual(LIECHTENSTEIN);
    // Nothing is learned by the way.
    expect(served.observations.count).toBe(0);
  });

  test('without a position, networks of one country say it', async () => {
    expect(await ask(cellsOf(295))).toEqual(LIECHTENSTEIN);
    expect(await ask(cellsOf(262, '262', null, 'x', 1000, -1))).toEqual({
      country_code: 'DE',
      country_name: 'Germany',
    });
    expect(await ask({ ...gpsAt(SEA), ...cellsOf(295) })).toEqual(LIECHTENSTEIN);
  });

  test('networks of several countries, or of none, say nothing', async () => {
    // 340 is of Guadeloupe, Martinique and others; 1 and 901 of nobody.
    for (const body of [
      cellsOf(262, 232),
      cellsOf(340),
      cellsOf(1),
      cellsOf(901),
      cellsOf(),
      {},
      gpsAt(SEA),
      { cellTowers: [null, 5, 'x'] },
    ]) {
      expectError(await served.post(body, '/v1/country'), 404, 'notFound', 'geolocation');
    }
    expectError(await served.post(undefined, '/v1/country'), 404, 'notFound', 'geolocation');
    expectError(await served.get(`/v1/country?key=${encodeURIComponent(KEY)}`), 404, 'notFound', 'geolocation');
  });

  test('a large body is answered as well', async () => {
    const note = 'x'.repeat(300_000);
    expect(await ask({ ...cellsOf(295), note })).toEqual(LIECHTENSTEIN);
    expect(await ask({ ...gpsAt(HOUSE), note })).toEqual(LIECHTENSTEIN);
    expectError(
      await served.post({ gps: [], note }, '/v1/country'),
      400,
      'parseError',
      'global',
      'gps must be an object.',
    );
    expectError(await served.post({ gps: {}, note }, '/v1/country'), 404, 'notFound', 'geolocation');
  });

  test('a wrong body is refused', async () => {
    expectError(await served.post([], '/v1/country'), 400, 'parseError', 'global', 'The body must be an object.');
    expectError(
      await served.post({ cellTowers: {} }, '/v1/country'),
      400,
      'parseError',
      'global',
      'cellTowers must be an array.',
    );
  });

  test('an answer costs a credit, no answer nothing', async () => {
    const balance = () => served.accountWriter.get(1)!.credits!;
    const before = balance();
    await ask(cellsOf(295));
    expect(balance()).toBe(before - 1);
    await ask({});
    expect(balance()).toBe(before - 1);
    await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0 });
    expectError(
      await served.post(cellsOf(295), '', { path: '/k/broke/v1/country' }),
      403,
      'creditsExceeded',
      'usageLimits',
    );
    expect(served.errors).toEqual([]);
  });
});
