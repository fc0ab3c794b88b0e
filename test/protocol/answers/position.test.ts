// `geoname` and `address` on positions, over the drawn extract, through a real socket.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../../src/accounts/key.ts';
import { RING_BYTES } from '../../../src/pool/ring.ts';
import { degreesText } from '../../../src/protocol/answers/position.ts';
import type { AccountSettings } from '../../../src/tables/accounts/key_settings.ts';
import { ABSURD_STREET, HOUSE, importDrawnExtract, SEA } from '../../kits/places/extracts.ts';
import { type ServedParts, serveParts } from '../../kits/served_parts.ts';

const ADDRESS = {
  house_number: '3',
  road: 'Äulestrasse',
  town: 'Vaduz',
  county: 'Oberland',
  postcode: '9490',
  country: 'Liechtenstein',
  country_code: 'li',
};
const GEONAME = { town: 'Vaduz', country: 'Liechtenstein', country_code: 'LI' };
const gpsAt = ({ lat, lon }: { lat: number; lon: number }, age = 5) => ({
  gps: { latitude: lat, longitude: lon, accuracy: 10, age },
});
/** More than 256 KiB. */
const LARGE = { note: 'x'.repeat(300_000) };

describe('computed in a worker', () => {
  let served: ServedParts;
  let keys = 0;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES }, importDrawnExtract);
  });
  afterAll(() => served.close());

  /** Makes a key. @returns what posts with it, and what it has left */
  async function account(settings: AccountSettings) {
    const key = `key ${keys++}`;
    const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ...settings });
    return {
      post: async (body: object, query = '') => {
        const { status, json } = await served.post(body, '/', { path: `/?key=${encodeURIComponent(key)}${query}` });
        return { status, ...json };
      },
      get credits() {
        return served.accountWriter.get(id)!.credits!;
      },
      path: (path: string) => `${path}?key=${encodeURIComponent(key)}`,
    };
  }

  test('neither is there unless it is asked for', async () => {
    const { post } = await account({});
    for (const asked of [
      {},
      { geoname: 0, address: 0 },
      { geoname: 'x', address: 2 },
      { geoname: null, address: null },
    ]) {
      expect(Object.keys(await post({ ...gpsAt(HOUSE), ...asked })).sort()).toEqual([
        'accuracy',
        'location',
        'logId',
        'status',
      ]);
    }
  });

  test('the geoname is free, an address costs as much as the position', async () => {
    const key = await account({ credits: 100 });
    expect(await key.post({ ...gpsAt(HOUSE), geoname: 1 })).toMatchObject({ status: 200, geoname: GEONAME });
    expect(key.credits).toBe(99);
    expect((await key.post({ ...gpsAt(HOUSE), address: 1 })).address).toEqual(ADDRESS);
    expect(key.credits).toBe(97);
    expect(await key.post({ ...gpsAt(HOUSE), geoname: true, address: '1', credits: 1 })).toMatchObject({
      geoname: GEONAME,
      address: ADDRESS,
      credits: 95,
    });
    expect(key.credits).toBe(95);
  });

  test('of a large body as well', async () => {
    const key = await account({ credits: 100 });
    expect(await key.post({ ...gpsAt(HOUSE), ...LARGE, geoname: 1, address: 1 })).toMatchObject({
      geoname: GEONAME,
      address: ADDRESS,
    });
    expect(key.credits).toBe(98);
    expect((await key.post({ ...gpsAt(HOUSE), ...LARGE })).address).toBeUndefined();
    expect(key.credits).toBe(97);
  });

  test('the key says whether there is an address, unless the request does', async () => {
    const key = await account({ credits: 100, address: true });
    expect((await key.post(gpsAt(HOUSE))).address).toEqual(ADDRESS);
    expect((await key.post({ ...gpsAt(HOUSE), ...LARGE })).address).toEqual(ADDRESS);
    expect(key.credits).toBe(96);
    expect((await key.post({ ...gpsAt(HOUSE), address: 0 })).address).toBeUndefined();
    expect(key.credits).toBe(95);
  });

  test('where nothing is known, nothing is answered or paid beside the position', async () => {
    const key = await account({ credits: 100 });
    const answer = await key.post({ ...gpsAt(SEA), geoname: 1, address: 1 });
    expect(Object.keys(answer).sort()).toEqual(['accuracy', 'location', 'logId', 'status']);
    expect(key.credits).toBe(99);
    expect(await key.post({ geoname: 1, address: 1 })).toMatchObject({ status: 404 });
    expect(key.credits).toBe(99);
  });

  test('an address that the balance does not cover is left out', async () => {
    const key = await account({ credits: 3 });
    expect((await key.post({ ...gpsAt(HOUSE), address: 1 })).address).toEqual(ADDRESS);
    expect(await key.post({ ...gpsAt(HOUSE), address: 1, geoname: 1 })).toMatchObject({
      status: 200,
      geoname: GEONAME,
    });
    expect(key.credits).toBe(0);
    expect((await key.post({ ...gpsAt(HOUSE), address: 1 })).status).toBe(403);
  });

  test('names that fill the room for text are left out, and not paid', async () => {
    const key = await account({ credits: 10 });
    expect(
      (await served.get(`${key.path('/reverse')}&lat=${ABSURD_STREET.lat}&lon=${ABSURD_STREET.lon}`)).json.address.road,
    ).toHaveLength(9002);
    expect(key.credits).toBe(9);
    const answer = await key.post({ ...gpsAt(ABSURD_STREET), address: 1, geoname: 1 });
    expect(answer).toMatchObject({ status: 200, geoname: { town: 'Schaan' } });
    expect(answer.address).toBeUndefined();
    expect(key.credits).toBe(8);
  });

  test('requests that race for the last credits are all paid', async () => {
    const key = await account({ credits: 25 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => key.post({ ...gpsAt(HOUSE), address: 1 })));
    const found = answers.filter(({ status }) => status === 200);
    const paid = found.length + found.filter(({ address }) => address !== undefined).length;
    expect(paid).toBe(25);
    expect(key.credits).toBe(0);
    for (const { status } of answers) expect([200, 403]).toContain(status);
  });

  test('a contribution is free, its address is not', async () => {
    const key = await account({ credits: 10 });
    const body = {
      ...gpsAt(HOUSE, 0),
      timestamp: '2026-01-02 03:04:05',
      wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01', signalStrength: -60 }],
    };
    expect((await key.post({ ...body, geoname: 1 })).geoname).toEqual(GEONAME);
    expect(key.credits).toBe(10);
    expect((await key.post({ ...body, address: 1 })).address).toEqual(ADDRESS);
    expect(key.credits).toBe(9);
  });

  test('many at once have each its own', async () => {
    const { post } = await account({});
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => {
        const body = gpsAt({ lat: HOUSE.lat, lon: Number((9.512 + (1 + (i % 9)) / 1000).toFixed(3)) });
        return post({ ...body, ...(i % 2 === 0 && { address: 1 }), ...(i % 3 === 0 && { geoname: 1 }) });
      }),
    );
    expect(answers.map(({ address }) => address?.house_number)).toEqual(
      answers.map((_, i) => (i % 2 === 0 ? String(1 + (i % 9)) : undefined)),
    );
    expect(answers.map(({ geoname }) => geoname?.town)).toEqual(
      answers.map((_, i) => (i % 3 === 0 ? 'Vaduz' : undefined)),
    );
    expect(served.errors).toEqual([]);
  });

  test('the compact line has no room for one, and does not pay for it', async () => {
    const key = await account({ credits: 10, address: true });
    const wifi = '02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60';
    const { text } = await served.get(`${key.path('/')}&wifi=${encodeURIComponent(wifi)}`);
    expect(text).toMatch(/^status=0;lat=/);
    expect(key.credits).toBe(9);
  });
});

/** JavaScript's own format of the rounded angle. */
function plain(angle: number): string {
  return JSON.stringify(Math.round(angle * 1e7) / 1e7);
}

test.each([
  [0, '0'],
  [-0, '0'],
  [180, '180'],
  [-180, '-180'],
  [47.5, '47.5'],
  [47.05, '47.05'],
  [8.0000001, '8.0000001'],
  [-0.1, '-0.1'],
  [8.541694444, '8.5416944'],
  [-8.54169445, '-8.5416944'],
  [179.99999996, '180'],
  [0.000001, '0.000001'],
  [-0.0000015, '-0.0000015'],
  [0.0000009, '9e-7'],
  [-0.0000001, '-1e-7'],
  [0.00000004, '0'],
  [-0.00000004, '0'],
])('%d is written as %s', (angle, text) => {
  expect(degreesText(angle)).toBe(text);
  expect(plain(angle)).toBe(text);
});

test('every angle has the text that JavaScript gives it', () => {
  const angle = fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map(units => units / 1e7),
    fc.integer({ min: -180_000, max: 180_000 }).map(units => units / 1e3),
    fc.integer({ min: -20_000, max: 20_000 }).map(units => units / 1e10),
  );
  fc.assert(
    fc.property(angle, value => {
      expect(degreesText(value)).toBe(plain(value));
    }),
    { numRuns: 20_000 },
  );
});

test('every number of trailing zeros is left out', () => {
  for (let step = 1; step <= 10_000_000; step *= 10) {
    for (let i = 1; i < 1000; i++) {
      const angle = (i * step) / 1e7;
      if (angle <= 180) expect(degreesText(-angle)).toBe(plain(-angle));
    }
  }
});
