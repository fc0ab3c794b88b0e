// Where a device was: `state`, `lastLocation`, `speedLimit` and `calculatedSpeed` over real sockets. The positions are
// fixes of the devices' own, so that each test places them as it likes; what is said of them holds for every position,
// because the filter sees only the answer.

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeySettings } from '../../src/jobs/job.ts';
import { type Answer, expectError, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** 2023-11-14T22:13:20Z, in seconds. */
const START = 1_700_000_000;
/** Degrees of a kilometre to the north. */
const KILOMETRE = 1000 / 111_195.08;
const DAY = 86_400;

const base = folderOfFile();
let folder: string;
let service: ServiceProcess;
/** No settings; a filter of 30 m/s; a filter without a limit; indoor positioning. */
let plain: string;
let slow: string;
let filtered: string;
let indoor: string;

beforeAll(async () => {
  folder = join(base, 'var');
  service = await ServiceProcess.start(folder, '--http-threads', '1', '--workers', '1');
  const make = async (settings: KeySettings) => (await service.key(settings)).key;
  plain = await make({});
  slow = await make({ speedFilter: true, speedLimit: 30 });
  filtered = await make({ speedFilter: true });
  indoor = await make({ indoor: true });
});

afterAll(async () => {
  const ended = await service?.stop();
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.stderr).not.toContain('"level":50');
});

interface Asked {
  /** Kilometres north of the first place. */
  km?: number;
  /** Seconds after the first request. */
  at?: number;
  state?: unknown;
  /** Kilometres and seconds of a last location. */
  last?: { km: number; at: number; accuracy?: number } | undefined;
  speedLimit?: unknown;
  accuracy?: number;
  id?: string;
  path?: string;
  more?: Record<string, unknown>;
}

/** Asks with a fix. */
function ask(
  key: string,
  { km = 0, at = 0, state, last, speedLimit, accuracy = 1, id, path = '/', more }: Asked = {},
): Promise<Answer> {
  return service.request({
    path: `${path}?key=${key}${id === undefined ? '' : `&id=${encodeURIComponent(id)}`}`,
    body: {
      gps: { latitude: 48 + km * KILOMETRE, longitude: 11, accuracy },
      timestamp: START + at,
      state,
      speedLimit,
      lastLocation: last && {
        lat: 48 + last.km * KILOMETRE,
        lng: 11,
        accuracy: last.accuracy ?? 0,
        timestamp: START + last.at,
      },
      ...more,
    },
  });
}

/** The state that a device has after one request. */
async function stateOf(key: string, asked: Asked = {}): Promise<string> {
  const { status, json } = await ask(key, { id: 'device', ...asked });
  expect([status, typeof json.state]).toEqual([200, 'string']);
  return json.state;
}

/** The speed answered; undefined without one. */
async function speedOf(answer: Promise<Answer>): Promise<number | undefined> {
  const { status, json } = await answer;
  expect(status).toBe(200);
  return json.calculatedSpeed;
}

const expectRefused = async (answer: Promise<Answer>) =>
  expectError(await answer, 404, 'notFound', 'geolocation', 'Not found');
const expectForeign = async (answer: Promise<Answer>) =>
  expectError(
    await answer,
    400,
    'settingsKeyInvalid',
    'usageLimits',
    'The settings of the key or the state do not fit this key.',
  );

describe('a state', () => {
  test('is answered to a device with an id, where the key has indoor positioning or a speed filter', async () => {
    for (const [key, isGiven] of [
      [plain, false],
      [slow, true],
      [filtered, true],
      [indoor, true],
    ] as const) {
      expect('state' in (await ask(key, { id: 'device' })).json).toBe(isGiven);
      expect((await ask(key)).json).not.toHaveProperty('state');
      expect((await ask(key, { id: '' })).json).not.toHaveProperty('state');
    }
    const limited = (await service.key({ speedLimit: 30 })).key;
    expect((await ask(limited, { id: 'device' })).json).not.toHaveProperty('state');
  });

  test('is text of the URL alphabet, each time another, and tells nothing of the place', async () => {
    const [a, b] = [await stateOf(slow), await stateOf(slow)];
    expect(a).not.toBe(b);
    expect(a).toMatch(/^[A-Za-z0-9_-]{84,200}$/);
    expect(Buffer.from(a, 'base64url').includes('device')).toBe(false);
  });

  test('of the answer before tells the speed', async () => {
    for (const key of [slow, filtered, indoor]) {
      const state = await stateOf(key);
      expect(await speedOf(ask(key, { id: 'device', km: 1, at: 50, state }))).toBe(20);
      expect(await speedOf(ask(key, { id: 'device', km: 0, at: 50, state }))).toBe(0);
    }
  });

  test('goes on from answer to answer', async () => {
    let state = await stateOf(slow);
    for (let step = 1; step <= 5; step++) {
      const { status, json } = await ask(slow, { id: 'device', km: step, at: step * 50, state });
      expect([status, json.calculatedSpeed]).toEqual([200, 20]);
      state = json.state;
    }
  });

  test('survives a position that was refused, which answers none', async () => {
    const state = await stateOf(slow);
    await expectRefused(ask(slow, { id: 'device', km: 100, at: 10, state }));
    expect(await speedOf(ask(slow, { id: 'device', km: 1, at: 50, state }))).toBe(20);
  });

  test('is ignored a day later, or of a time to come', async () => {
    const state = await stateOf(slow);
    expect(await speedOf(ask(slow, { id: 'device', at: DAY, state }))).toBe(0);
    expect(await speedOf(ask(slow, { id: 'device', km: 1000, at: DAY + 1, state }))).toBeUndefined();
    expect(await speedOf(ask(slow, { id: 'device', km: 1000, at: -1, state }))).toBeUndefined();
  });

  test('of another key, another device or none is refused, whatever else is asked', async () => {
    const state = await stateOf(slow);
    await expectForeign(ask(filtered, { id: 'device', state }));
    await expectForeign(ask(plain, { id: 'device', state }));
    await expectForeign(ask(slow, { id: 'other', state }));
    await expectForeign(ask(slow, { id: 'Device', state }));
    await expectForeign(ask(slow, { state }));
    await expectForeign(ask(slow, { id: 'other', state, more: { gps: null } }));
    // Over its time it is nobody's.
    expect(await speedOf(ask(slow, { id: 'other', at: DAY + 1, state }))).toBeUndefined();
  });

  test('belongs to ids of any script', async () => {
    for (const id of ['x'.repeat(20), '設備'.repeat(10), '📡'.repeat(20), 'a b&c=d']) {
      const state = await stateOf(slow, { id });
      expect(await speedOf(ask(slow, { id, at: 5, state }))).toBe(0);
      await expectForeign(ask(slow, { id: `${id}`.slice(0, -2) || 'y', at: 5, state }));
    }
  });

  test('that does not open is ignored', async () => {
    const state = await stateOf(slow);
    const nothing = { id: 'device', km: 100, at: 10 };
    for (const token of [
      '',
      'x',
      'no token',
      '🛰',
      `${state}${state}`,
      'A'.repeat(4096),
      'A'.repeat(4097),
      'A'.repeat(200_000),
      null,
    ]) {
      expect(await speedOf(ask(slow, { ...nothing, state: token }))).toBeUndefined();
    }
  });

  test('that is damaged anywhere is ignored', async () => {
    const bytes = Buffer.from(await stateOf(slow), 'base64url');
    const bit = fc.nat(bytes.length * 8 - 1);
    await fc.assert(
      fc.asyncProperty(bit, fc.nat(bytes.length - 1), fc.boolean(), async (at, length, isCut) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, length) : bytes);
        if (!isCut) damaged[at >> 3] ^= 1 << (at & 7);
        const answer = ask(slow, { id: 'device', km: 100, at: 10, state: damaged.toString('base64url') });
        expect(await speedOf(answer)).toBeUndefined();
      }),
      { numRuns: 100 },
    );
  });

  test('of any text never fails a request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 300 }), async state => {
        expect(await speedOf(ask(slow, { id: 'device', state }))).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });

  test('stays valid over a restart, in the pool too, until the secret is deleted', async () => {
    const state = await stateOf(slow);
    const next = { id: 'device', km: 1, at: 50, state };
    await service.stop();
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    service = await ServiceProcess.start(folder, '--http-threads', '1', '--workers', '1', '--compute', 'pool');
    expect(await speedOf(ask(slow, next))).toBe(20);
    await expectForeign(ask(filtered, next));
    await expectRefused(ask(slow, { ...next, at: 10 }));
    await service.stop();
    rmSync(join(folder, 'secret'));
    service = await ServiceProcess.start(folder, '--http-threads', '1', '--workers', '1');
    expect(await speedOf(ask(slow, next))).toBeUndefined();
    expect(await speedOf(ask(slow, { ...next, state: await stateOf(slow) }))).toBe(20);
  });
});

describe('the speed filter', () => {
  test('refuses what is over the limit of the key', async () => {
    const state = await stateOf(slow);
    // The accuracies take two metres off.
    expect(await speedOf(ask(slow, { id: 'device', km: 3.001, at: 100, state }))).toBe(30);
    await expectRefused(ask(slow, { id: 'device', km: 3.004, at: 100, state }));
  });

  test('has a limit of 100 m/s where the key has none', async () => {
    const state = await stateOf(filtered);
    expect(await speedOf(ask(filtered, { id: 'device', km: 10.001, at: 100, state }))).toBe(100);
    await expectRefused(ask(filtered, { id: 'device', km: 10.004, at: 100, state }));
  });

  test('refuses nothing of a key that is indoor only', async () => {
    const state = await stateOf(indoor);
    expect(await speedOf(ask(indoor, { id: 'device', km: 1000, at: 10, state }))).toBe(100_000);
  });

  test('obeys the limit of the request over that of the key, and 0 is none', async () => {
    const state = await stateOf(slow);
    const at20 = { id: 'device', km: 1, at: 50, state };
    const at200 = { id: 'device', km: 10, at: 50, state };
    await expectRefused(ask(slow, { ...at20, speedLimit: 19.9 }));
    await expectRefused(ask(slow, { ...at20, speedLimit: '19.9' }));
    expect(await speedOf(ask(slow, { ...at20, speedLimit: 20 }))).toBe(20);
    expect(await speedOf(ask(slow, { ...at200, speedLimit: 201 }))).toBe(200);
    expect(await speedOf(ask(slow, { ...at200, speedLimit: 0 }))).toBe(200);
    for (const speedLimit of [-1, 8001, 'x', {}, null]) await expectRefused(ask(slow, { ...at200, speedLimit }));
  });

  test('is on for a request that names a limit, without a filter of the key', async () => {
    const fast = { km: 10, at: 50, last: { km: 0, at: 0 } };
    for (const key of [plain, indoor]) {
      expect(await speedOf(ask(key, fast))).toBe(200);
      expect(await speedOf(ask(key, { ...fast, speedLimit: 200 }))).toBe(200);
      await expectRefused(ask(key, { ...fast, speedLimit: 199 }));
    }
  });

  test('is on for a last location too where the key has it, id or not', async () => {
    const fast = { km: 10, at: 50, last: { km: 0, at: 0 } };
    await expectRefused(ask(slow, fast));
    await expectRefused(ask(slow, { ...fast, id: 'device' }));
    expect(await speedOf(ask(slow, { ...fast, km: 1 }))).toBe(20);
  });

  test('takes the limit of a key only while its filter is on', async () => {
    const { id, key } = await service.key({ speedLimit: 30 });
    const fast = { km: 10, at: 50, last: { km: 0, at: 0 } };
    expect(await speedOf(ask(key, fast))).toBe(200);
    await service.job({ verb: 'keys', action: 'update', id, settings: { speedFilter: true } });
    await expectRefused(ask(key, fast));
    await service.job({ verb: 'keys', action: 'update', id, settings: { speedFilter: null } });
    expect(await speedOf(ask(key, fast))).toBe(200);
  });

  test('costs nothing where it refuses, and nor does a foreign state', async () => {
    const { key } = await service.key({ credits: 10, speedFilter: true, speedLimit: 30 });
    const balance = async () => (await ask(key, { more: { credits: 1 } })).json.credits;
    expect(await balance()).toBe(9);
    await expectRefused(ask(key, { km: 10, at: 50, last: { km: 0, at: 0 } }));
    const foreign = await stateOf(slow);
    await expectForeign(ask(key, { id: 'device', state: foreign }));
    expect(await balance()).toBe(8);
  });

  test('holds for positions by access points', async () => {
    const wifiAccessPoints = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4', '02:00:5e:00:00:e7'].map(macAddress => ({
      macAddress,
      signalStrength: -60,
    }));
    const lastLocation = { lat: 1.25, lng: -2.4, accuracy: 10, timestamp: START };
    const body = (seconds: number, speedLimit: number) => ({
      wifiAccessPoints,
      lastLocation,
      speedLimit,
      timestamp: START + seconds,
    });
    const { json } = await service.post(plain, body(100, 0));
    const { location, accuracy } = json;
    const metres = (location.lng - -2.4) * -111_195.08 * Math.cos((1.25 * Math.PI) / 180) - accuracy - 10;
    expect(Math.abs(json.calculatedSpeed - metres / 100)).toBeLessThanOrEqual(0.6);
    expectError(await service.post(plain, body(100, 50)), 404, 'notFound', 'geolocation', 'Not found');
    expect((await service.post(plain, body(1000, 50))).json.calculatedSpeed).toBe(11);
  });
});

describe('the speed', () => {
  test('is without what the accuracies explain', async () => {
    const away = (accuracy: number, own: number) =>
      speedOf(ask(plain, { km: 1, at: 10, accuracy: own, last: { km: 0, at: 0, accuracy } }));
    // An accuracy of 0 of a fix counts as one metre.
    expect(await away(0, 0)).toBe(100);
    expect(await away(255, 0)).toBe(74);
    expect(await away(255, 255)).toBe(49);
    expect(await away(745, 255)).toBe(0);
    expect(await away(5000, 255)).toBe(0);
  });

  test('counts at least a second', async () => {
    for (const at of [0, 0.5, 1]) expect(await speedOf(ask(plain, { km: 1, at, last: { km: 0, at: 0 } }))).toBe(999);
    expect(await speedOf(ask(plain, { km: 1, at: 2, last: { km: 0, at: 0 } }))).toBe(500);
    expect(await speedOf(ask(plain, { km: 1, at: 0, last: { km: 0, at: 0.9 } }))).toBe(999);
  });

  test('is since the newer of state and last location', async () => {
    const state = await stateOf(filtered, { at: 100 });
    const next = (seconds: number) =>
      speedOf(ask(filtered, { id: 'device', km: 2, at: 200, state, last: { km: 1, at: seconds } }));
    expect(await next(90)).toBe(20); // from the state, 2 km in 100 s
    expect(await next(180)).toBe(50); // from the last location, 1 km in 20 s
    expect(await next(100)).toBe(20); // the state, which is our own
    expect(await next(201)).toBe(20); // a last location to come is none
  });

  test('needs a last location of the day before, at a time', async () => {
    const away = (more: unknown, at = 0) =>
      speedOf(ask(plain, { km: 1, at, more: { lastLocation: { lat: 48, lng: 11, accuracy: 0, timestamp: more } } }));
    expect(await away(START - DAY)).toBe(0);
    for (const timestamp of [START - DAY - 1, START + 1, START + 1000, 0, -5, 'yesterday', '', null, {}]) {
      expect(await away(timestamp)).toBeUndefined();
    }
  });

  test('counts over midnight and time zones, with times of every form', async () => {
    const since = (timestamp: unknown, lastTimestamp: unknown) =>
      speedOf(
        ask(plain, {
          km: 1,
          more: { timestamp, lastLocation: { lat: 48, lng: 11, accuracy: 0, timestamp: lastTimestamp } },
        }),
      );
    for (const [now, last] of [
      ['2026-01-01T00:00:30Z', '2025-12-31T23:59:40Z'],
      ['2026-01-01 00:00:30', '2025-12-31 23:59:40'],
      ['2026-01-01T01:00:30+01:00', '2025-12-31T18:59:40-05:00'],
      ['2026-01-01T00:00:30Z', 1_767_225_580],
      [1_767_225_630, '2026-01-01T05:29:40+05:30'],
      [1_767_225_630_000, '1767225580'],
      ['2024-03-01T00:00:20Z', '2024-02-29T23:59:30Z'],
    ]) {
      expect(await since(now, last), `${now} after ${last}`).toBe(20);
    }
  });

  test('counts from the arrival where no timestamp is sent', async () => {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    const more = { timestamp: undefined, lastLocation: { lat: 49, lng: 11, accuracy: 0, timestamp } };
    const speed = await speedOf(ask(plain, { more }));
    expect(speed).toBeGreaterThanOrEqual(30);
    expect(speed).toBeLessThanOrEqual(31);
    const state = (await ask(filtered, { id: 'device', more: { timestamp: undefined } })).json.state;
    expect(await speedOf(ask(filtered, { id: 'device', state, more: { timestamp: undefined } }))).toBe(0);
  });

  test('is the short way over the antimeridian and the poles', async () => {
    const between = async (from: [number, number], to: [number, number]) =>
      speedOf(
        ask(plain, {
          at: 10,
          more: {
            gps: { latitude: to[0], longitude: to[1], accuracy: 0 },
            lastLocation: { lat: from[0], lng: from[1], accuracy: 0, timestamp: START },
          },
        }),
      );
    expect(await between([0, 179.995], [0, -179.995])).toBe(111);
    expect(await between([0, -179.995], [0, 179.995])).toBe(111);
    expect(await between([0, 180], [0, -180])).toBe(0);
    expect(await between([89.995, 0], [89.995, 180])).toBe(111);
    expect(await between([-90, 0], [-90, 77])).toBe(0);
  });

  test('is not answered to a request that says nothing of the place before', async () => {
    for (const key of [plain, slow, indoor])
      expect((await ask(key, { id: 'device' })).json).not.toHaveProperty('calculatedSpeed');
  });

  test('stands in the answer as the specification has it', async () => {
    const { json } = await ask(slow, { id: 'device', km: 1, at: 50, last: { km: 0, at: 0 } });
    expect(json).toEqual({
      location: { lat: expect.any(Number), lng: 11 },
      accuracy: 1,
      calculatedSpeed: 20,
      state: expect.any(String),
      logId: expect.any(Number),
    });
  });
});

describe('the same holds', () => {
  test('for the aliases', async () => {
    for (const path of ['/v1/geolocate', '/geolocation/v1/geolocate']) {
      const state = await stateOf(slow, { path });
      expect(await speedOf(ask(slow, { id: 'device', km: 1, at: 50, state, path }))).toBe(20);
      await expectRefused(ask(slow, { id: 'device', km: 10, at: 50, state, path }));
      await expectForeign(ask(slow, { id: 'other', state, path }));
    }
  });

  test('for large bodies, which a worker parses', async () => {
    const more = { padding: 'x'.repeat(300_000) };
    const state = await stateOf(slow, { more });
    expect(await speedOf(ask(slow, { id: 'device', km: 1, at: 50, state, more }))).toBe(20);
    expect(await speedOf(ask(slow, { id: 'device', km: 1, at: 50, last: { km: 0, at: 0 }, more }))).toBe(20);
    await expectRefused(ask(slow, { id: 'device', km: 10, at: 50, state, more }));
    expect(await speedOf(ask(slow, { id: 'device', km: 10, at: 50, state, more, speedLimit: 0 }))).toBe(200);
    await expectForeign(ask(slow, { id: 'other', state, more }));
    expect(await speedOf(ask(slow, { id: 'device', km: 10, at: 50, state: `x${state}`, more }))).toBeUndefined();
  });

  test('for contributions: what is refused is kept all the same, and costs nothing', async () => {
    const { key } = await service.key({ credits: 10, contributor: true, speedFilter: true, speedLimit: 30 });
    const cellTowers = [
      { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 5001, cellId: 26000001 },
    ];
    const more = { gps: { latitude: 48.1, longitude: 11.5, accuracy: 1, age: 0 }, cellTowers, credits: 1 };
    const at = (seconds: number, km: number) => ({ id: 'device', at: seconds, last: { km, at: seconds - 10 }, more });
    await expectRefused(ask(key, at(10, 1000)));
    // Neither has cost a credit; they earn some when another account confirms them.
    const { status, json } = await ask(key, { ...at(20, 0), last: undefined });
    expect([status, json.credits, typeof json.state]).toEqual([200, 10, 'string']);
  });
});

test('the compact form neither takes nor answers a state', async () => {
  const wifi = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4', '02:00:5e:00:00:e7'].map(mac => `${mac},,-60`).join(';');
  const { status, text } = await service.request({
    method: 'GET',
    path: `/?key=${slow}&id=device&state=x&wifi=${encodeURIComponent(wifi)}`,
  });
  expect(status).toBe(200);
  expect(text).toMatch(/^status=0;lat=[\d.-]+;lon=[\d.-]+;acc=\d+$/);
});
