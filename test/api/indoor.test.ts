// `indoor` on positions, over drawn buildings, through a real socket.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { openBuildings, openOrCreateBuildings } from '../../src/indoor/tables/buildings/building_tables.ts';
import { putSource, removeSource } from '../../src/indoor/tables/buildings/change_source.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import type { AccountSettings } from '../../src/tables/accounts/key_settings.ts';
import { degreesAt, drawnModel, type Metres, rectangle } from '../kits/buildings/drawn.ts';
import { HOUSE, importDrawnExtract } from '../kits/places/extracts.ts';
import { type ServedParts, serveParts } from '../kits/served_parts.ts';

const HALL = { buildingModelId: 7, buildingId: 3, building: 'Hall' };
const INSIDE: Metres = [20, 15];
const OUTSIDE: Metres = [500, 500];
/** More than 256 KiB. */
const LARGE = { note: 'x'.repeat(300_000) };

const gpsAt = (at: Metres, more: object = {}) => {
  const [longitude, latitude] = degreesAt(at);
  return { gps: { latitude, longitude, accuracy: 8, age: 5, ...more } };
};

describe('computed in a worker', () => {
  let served: ServedParts;
  let keys = 0;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES }, importDrawnExtract);
    const tables = await openOrCreateBuildings(served.folder);
    const hall = drawnModel({ modelId: 7, buildingId: 3, name: 'Hall' });
    const atHouse = unitSquare(HOUSE);
    putSource(tables, 'drawn', [hall, drawnModel({ name: 'House', outline: [atHouse] })], () => {});
    await tables.root.close();
  });
  afterAll(() => served.close());

  async function account(settings: AccountSettings) {
    const key = `key ${keys++}`;
    const { id } = await served.accountWriter.create({ keyHash: hashKey(key), createdMs: 0, ...settings });
    const path = (path: string) => `${path}?key=${encodeURIComponent(key)}`;
    return {
      post: async (body: object, query = '') => {
        const { status, json } = await served.post(body, '/', { path: `${path('/')}${query}` });
        return { status, ...json };
      },
      path,
      get credits() {
        return served.accountWriter.get(id)!.credits!;
      },
    };
  }

  test('a building is answered where it is asked for, and costs as much as the position', async () => {
    const key = await account({ credits: 100 });
    for (const asked of [{}, { indoor: 0 }, { indoor: 'x' }, { indoor: null }]) {
      expect(Object.keys(await key.post({ ...gpsAt(INSIDE), ...asked })).sort()).toEqual([
        'accuracy',
        'location',
        'logId',
        'status',
      ]);
    }
    expect(key.credits).toBe(96);
    for (const asked of [{ indoor: 1 }, { indoor: true }, { indoor: '1' }]) {
      expect((await key.post({ ...gpsAt(INSIDE), ...asked })).indoor).toEqual(HALL);
    }
    expect(key.credits).toBe(90);
  });

  test('the key says whether it is answered, unless the request does', async () => {
    const key = await account({ credits: 100, indoor: true });
    expect((await key.post(gpsAt(INSIDE))).indoor).toEqual(HALL);
    expect((await key.post({ ...gpsAt(INSIDE), ...LARGE })).indoor).toEqual(HALL);
    expect(key.credits).toBe(96);
    expect((await key.post({ ...gpsAt(INSIDE), indoor: 0 })).indoor).toBeUndefined();
    expect(key.credits).toBe(95);
  });

  test('outside of buildings nothing is answered or paid beside the position', async () => {
    const key = await account({ credits: 100, indoor: true });
    for (const body of [gpsAt(OUTSIDE), { ...gpsAt(OUTSIDE), indoor: 1 }, gpsAt(INSIDE, { accuracy: 200 })]) {
      expect(Object.keys(await key.post(body)).sort()).toEqual(['accuracy', 'location', 'logId', 'status']);
    }
    expect(key.credits).toBe(97);
    expect(await key.post({ indoor: 1 })).toMatchObject({ status: 404 });
    expect(key.credits).toBe(97);
  });

  test('what the balance does not cover is left out, the building before the address', async () => {
    const [latitude, longitude] = [HOUSE.lat, HOUSE.lon];
    const body = { gps: { latitude, longitude, accuracy: 8, age: 5 }, indoor: 1, address: 1 };
    const key = await account({ credits: 6 });
    const all = await key.post(body);
    expect([all.indoor, all.address?.house_number]).toEqual([{ building: 'House' }, '3']);
    const some = await key.post(body);
    expect([some.indoor, some.address?.house_number, key.credits]).toEqual([{ building: 'House' }, '3', 0]);
    const poor = await account({ credits: 3 });
    const few = [await poor.post({ ...body, address: 0 }), await poor.post(body)];
    expect(few.map(({ indoor, address }) => [indoor, address])).toEqual([
      [{ building: 'House' }, undefined],
      [undefined, undefined],
    ]);
    const two = await account({ credits: 2 });
    const one = await two.post(body);
    expect([one.indoor, one.address?.house_number, two.credits]).toEqual([undefined, '3', 0]);
    expect((await two.post(body)).status).toBe(403);
  });

  test('requests that race for the last credits are all paid', async () => {
    const key = await account({ credits: 25 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => key.post({ ...gpsAt(INSIDE), indoor: 1 })));
    const found = answers.filter(({ status }) => status === 200);
    expect(found.length + found.filter(({ indoor }) => indoor !== undefined).length).toBe(25);
    expect(key.credits).toBe(0);
  });

  test('a contribution is free, its building is not', async () => {
    const key = await account({ credits: 10 });
    const body = {
      ...gpsAt(INSIDE, { age: 0 }),
      timestamp: '2026-01-02 03:04:05',
      wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01', signalStrength: -60 }],
    };
    expect(await key.post(body)).toMatchObject({ status: 200 });
    expect(key.credits).toBe(10);
    expect((await key.post({ ...body, indoor: 1 })).indoor).toEqual(HALL);
    expect(key.credits).toBe(9);
  });

  test('each position of a batch has its own', async () => {
    const key = await account({ credits: 200 });
    const positions = Array.from({ length: 90 }, (_, i) => ({
      ...gpsAt(i % 3 === 0 ? INSIDE : OUTSIDE),
      indoor: i % 2,
    }));
    const { json } = await served.post(positions, '/', { path: key.path('/v1/geolocate/batch') });
    expect(json.map(({ indoor }: { indoor?: object }) => indoor)).toEqual(
      positions.map(({ indoor }, i) => (indoor === 1 && i % 3 === 0 ? HALL : undefined)),
    );
    expect(key.credits).toBe(200 - 90 - 15);
  });

  test('the compact line has no room for it, and does not pay for it', async () => {
    const key = await account({ credits: 10, indoor: true });
    const wifi = '02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60';
    const { text } = await served.get(`${key.path('/')}&wifi=${encodeURIComponent(wifi)}`);
    expect(text).toMatch(/^status=0;lat=/);
    expect(key.credits).toBe(9);
  });

  test('an import takes effect while the service runs, and so does its removal', async () => {
    const key = await account({});
    const there: Metres = [2_020, 15];
    const found = async () => (await key.post({ ...gpsAt(there), indoor: 1 })).indoor;
    expect(await found()).toBeUndefined();
    const tables = openBuildings(served.folder)!;
    putSource(tables, 'new', [drawnModel({ name: 'New', outline: [rectangle([2_000, 0], [2_040, 30])] })], () => {});
    expect(await found()).toEqual({ building: 'New' });
    removeSource(tables, 'new');
    expect(await found()).toBeUndefined();
    await tables.root.close();
    expect(served.errors).toEqual([]);
  });
});

/** A square of about 40 metres around a position. */
function unitSquare({ lat, lon }: { lat: number; lon: number }): Int32Array {
  const [x, y] = [Math.round(lon * 1e7), Math.round(lat * 1e7)];
  const [east, north] = [2_600, 1_800];
  return Int32Array.of(
    x - east,
    y - north,
    x + east,
    y - north,
    x + east,
    y + north,
    x - east,
    y + north,
    x - east,
    y - north,
  );
}
