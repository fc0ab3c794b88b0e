// What real clients send beside the specification's letter, each over a real socket: the paths, encodings, types and
// spellings of Firefox, Chromium, GeoClue, microG, NeoStumbler, Traccar and hand users, and the two-access-point rule
// that none of them may get around.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEW_THREADS } from '../kits/served_service.ts';
import { expectError, type RequestOptions, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import {
  ACCESS_POINTS,
  BEACON_UUID,
  fillClientWorld,
  GSM,
  I_BEACON,
  identityOf,
  LARGE_LTE,
  LARGE_WCDMA,
  LTE,
  WCDMA,
} from './client_world.ts';

const base = folderOfFile();
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  const folder = join(base, 'var');
  await fillClientWorld(base, folder);
  service = await ServiceProcess.start(folder, '--http-threads', '1');
  ({ key } = await service.key());
});

afterAll(async () => {
  const ended = await service?.stop();
  expect(ended).toMatchObject({ code: 0 });
  expect(ended.stderr).not.toContain('"level":50');
});

const [FIRST, SECOND] = ACCESS_POINTS;
const points = (...addresses: string[]) => ({
  wifiAccessPoints: addresses.map(macAddress => ({ macAddress, signalStrength: -60 })),
});
const TWO = points(FIRST.macAddress, SECOND.macAddress);

async function place(
  body: unknown,
  options: RequestOptions = {},
): Promise<{ location: { lat: number; lng: number }; accuracy: number }> {
  const { status, json } = await service.request({ path: `/?key=${key}`, body, ...options });
  expect(status, JSON.stringify(json)).toBe(200);
  expect(Object.keys(json)).toEqual(['location', 'accuracy', 'logId']);
  return { location: json.location, accuracy: json.accuracy };
}

async function expectNotFound(body: unknown, options: RequestOptions = {}): Promise<void> {
  expectError(
    await service.request({ path: `/?key=${key}`, body, ...options }),
    404,
    'notFound',
    'geolocation',
    'Not found',
  );
}

describe('the 17 of the compatibility list', () => {
  test('1: an empty body is a request without observations', async () => {
    for (const type of ['application/json', 'application/json; charset=utf-8', '']) {
      await expectNotFound('', { headers: { 'content-type': type } });
      await expectNotFound(undefined, { headers: { 'content-type': type, 'content-length': '0' } });
    }
    await expectNotFound('', { headers: { 'content-encoding': 'gzip' } });
  });

  test.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'text/plain; charset=latin1',
    'multipart/form-data; boundary=x',
    'nonsense',
    'a/b; c',
    ';',
    '*/*',
  ])('2: JSON of the content type %s', async type => {
    await place(TWO, { headers: { 'content-type': type } });
  });

  test('3: compressed bodies', async () => {
    const json = JSON.stringify(TWO);
    const plain = await place(json);
    for (const [encoding, body] of [
      ['gzip', gzipSync(json)],
      ['GZIP', gzipSync(json)],
      ['x-gzip', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', brotliCompressSync(json)],
      ['identity', Buffer.from(json)],
      ['', Buffer.from(json)],
    ] as const) {
      expect(await place(body, { headers: { 'content-encoding': encoding } }), encoding).toEqual(plain);
    }
    const items = gzipSync('{"items":[]}');
    const submitted = await service.request({
      path: `/v2/geosubmit?key=${key}`,
      headers: { 'content-encoding': 'gzip' },
      body: items,
    });
    expect([submitted.status, submitted.text]).toEqual([200, '{}']);
  });

  test('4: more than a megabyte, and batches of 950', async () => {
    await place(JSON.stringify({ ...TWO, comment: 'x'.repeat(2_000_000) }));
    const item = { position: { latitude: 40.5, longitude: 20.5 }, ...TWO, comment: 'x'.repeat(10_000) };
    expect(
      (await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items: Array(950).fill(item) } })).status,
    ).toBe(200);
  });

  test.each([
    '/v1/geolocate',
    '/geolocation/v1/geolocate',
    '//',
    '//v1//geolocate',
    '/v1/geolocate/',
    '///geolocation/v1/geolocate//',
  ])('5: the path %s', async path => {
    expect(await place(TWO, { path: `${path}?key=${key}` })).toEqual(await place(TWO));
  });

  test('6: addresses with dashes, dots, nothing, in any case', async () => {
    const written = await place(TWO);
    const spellings = [
      (mac: string) => mac.replaceAll(':', '-'),
      (mac: string) => mac.replaceAll(':', ''),
      (mac: string) => mac.replaceAll(':', '').replace(/(.{4})(?=.)/g, '$1.'),
    ];
    for (const spell of spellings) {
      for (const letters of [(mac: string) => mac, (mac: string) => mac.toUpperCase()]) {
        expect(await place(points(letters(spell(FIRST.macAddress)), letters(spell(SECOND.macAddress))))).toEqual(
          written,
        );
      }
    }
  });

  test('7: age as integer, text or fraction, on cells too', async () => {
    const aged = (age: unknown) => place({ wifiAccessPoints: TWO.wifiAccessPoints.map(point => ({ ...point, age })) });
    expect(await aged(5000)).toEqual(await aged('5000'));
    expect(await aged(5000.25)).toEqual(await aged('5000'));
    for (const age of [700, '700', 700.5]) await place({ cellTowers: [{ ...identityOf(LTE), age }] });
  });

  test('8: a radio type at the root, at the cell, and one that the cell id contradicts', async () => {
    const { radioType: _, ...lte } = identityOf(LARGE_LTE);
    const found = await place({ cellTowers: [{ ...lte, radioType: 'lte' }] });
    expect(await place({ radioType: 'gsm', cellTowers: [{ ...lte, radioType: 'lte' }] })).toEqual(found);
    expect(await place({ radioType: 'lte', cellTowers: [lte] })).toEqual(found);
    // Looked up as wcdma first, where the world has a cell of these numbers too.
    const { radioType, ...wcdma } = identityOf(LARGE_WCDMA);
    const inferred = await place({ cellTowers: [{ ...wcdma, radioType }] });
    expect(await place({ radioType: 'gsm', cellTowers: [wcdma] })).toEqual(inferred);
    expect(await place({ cellTowers: [wcdma] })).toEqual(inferred);
    expect(await place({ cellTowers: [{ ...wcdma, radioType: 'GSM' }] })).toEqual(inferred);
  });

  test('9: fallbacks as booleans, and flags that nobody knows', async () => {
    const cellTowers = [identityOf(LTE)];
    expect(await place({ cellTowers, fallbacks: { lacf: false, ipf: true, x: {} } })).toEqual(
      await place({ cellTowers }),
    );
    await expectNotFound({ fallbacks: { ipf: true, all: false } });
  });

  test('a fallback that was used is named, also in a batch of observations and never on a direct match', async () => {
    const unknown = { ...identityOf(LTE), cellId: 1003 };
    await expectNotFound({ cellTowers: [unknown] });
    await expectNotFound({ cellTowers: [unknown], fallbacks: { lacf: 0, mncf: 1 } });
    for (const flags of [{ all: true }, { nbcidf: '1' }, { all: 1, lacf: 0, cidxf: 1 }]) {
      const { status, json } = await service.request({
        path: `/?key=${key}`,
        body: { cellTowers: [unknown], fallbacks: flags },
      });
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['location', 'accuracy', 'fallback', 'logId']);
      expect(json.fallback).toBe('nbcidf');
      expect(Math.abs(json.location.lat - LTE.lat)).toBeLessThan(0.01);
    }
    const cellTowers = [unknown, identityOf(LTE)];
    expect(await place({ cellTowers, fallbacks: { all: 1 } })).toEqual(await place({ cellTowers }));
    const compact = await service.request({
      path: `/v1/geolocate?key=${key}`,
      body: { cellTowers: [unknown], fallbacks: { lacf: true } },
    });
    expect(compact.json.fallback).toBe('lacf');
  });

  test('10: members of other interfaces', async () => {
    const { radioType, ...cell } = identityOf(WCDMA);
    const body = {
      considerIp: true,
      carrier: 'x',
      homeMobileCountryCode: 1,
      homeMobileNetworkCode: 7,
      radioType,
      cellTowers: [{ ...cell, psc: 1, asu: 4, arfcn: 640000, mobileNetworkCodeStr: '07', timingAdvance: 3 }],
    };
    expect(await place(body)).toEqual(await place({ cellTowers: [{ ...cell, radioType }] }));
    const wifi = TWO.wifiAccessPoints.map(point => ({ ...point, radioType: '802.11ax', signalToNoiseRatio: 40 }));
    expect(await place({ wifiAccessPoints: wifi })).toEqual(await place(TWO));
    const { major, minor } = I_BEACON;
    const beacon = { uuid: BEACON_UUID, major, minor };
    const other = { beaconType: 533, id1: BEACON_UUID, id2: `${major}`, id3: `${minor}`, estimatedDistance: 3 };
    expect(await place({ bluetoothBeacons: [other] })).toEqual(await place({ bluetoothBeacons: [beacon] }));
  });

  test('11: a signal strength out of range, a fraction or 0 keeps the station', async () => {
    for (const signalStrength of [0, 99, -113.5, -30.5, '-60', null, -1000]) {
      await place({ cellTowers: [{ ...identityOf(LTE), signalStrength }] });
      await place({ wifiAccessPoints: TWO.wifiAccessPoints.map(point => ({ ...point, signalStrength })) });
    }
  });

  test('12: entries without what identifies them are skipped', async () => {
    const cell = identityOf(LTE);
    const broken = [
      { ...cell, mobileCountryCode: undefined },
      { ...cell, mobileNetworkCode: undefined },
      { radioType: 'lte' },
    ];
    expect(await place({ cellTowers: [...broken, cell] })).toEqual(await place({ cellTowers: [cell] }));
    expect(await place({ wifiAccessPoints: [{}, { ssid: 'x' }, ...TWO.wifiAccessPoints] })).toEqual(await place(TWO));
    await expectNotFound({ cellTowers: broken });
  });

  test('13: no access point or one is not found, never refused', async () => {
    for (const body of [{}, points(), points(FIRST.macAddress)]) await expectNotFound(body);
  });

  test('14: submissions with fractions, and ages and times in milliseconds', async () => {
    const { wifiAccessPoints } = points(FIRST.macAddress, SECOND.macAddress);
    const position = {
      latitude: 40.5,
      longitude: 20.5,
      accuracy: 4.3,
      age: 1200,
      altitude: 17.8,
      heading: 15.6,
      pressure: 1013.25,
      speed: 3.4,
    };
    const item = {
      timestamp: Date.now() - 5000,
      position: { ...position, source: 'gps', altitudeAccuracy: 3.1 },
      wifiAccessPoints,
    };
    const modem = {
      radioType: 'lte',
      cellTowers: [{ ...identityOf(LTE), age: 700, asu: 41, mobileNetworkCodeStr: '07' }],
    };
    for (const path of ['/v2/geosubmit', '//v2/geosubmit', '/v1/geosubmit', '/v1/submit']) {
      const items = [item, { ...item, ...modem }, { ...position, ...modem, timestamp: null, hdop: 2 }];
      const { status, text, headers } = await service.request({
        path: `${path}?key=${key}`,
        headers: { 'x-nickname': 'x' },
        body: { items },
      });
      expect([status, text]).toEqual(path === '/v1/submit' ? [204, ''] : [200, '{}']);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
  });

  test('15: no key, an empty one and null act under the anonymous key where the operator has set one', async () => {
    const folder = join(base, 'anonymous');
    const first = await ServiceProcess.start(folder, ...FEW_THREADS);
    const made = await first.key({ credits: 5 });
    await first.stop();
    const second = await ServiceProcess.start(
      folder,
      ...FEW_THREADS,
      '--anonymous-key',
      made.key,
      '--log-level',
      'trace',
    );
    const demo = points('02:00:5e:00:00:d3', '02:00:5e:00:00:d4');
    for (const query of ['', '?key=', '?key=null', '?id=x'])
      expect((await second.request({ path: `/${query}`, body: demo })).status).toBe(200);
    expect((await second.request({ path: '/v2/geosubmit', body: { items: [] } })).status).toBe(200);
    expectError(
      await second.request({ path: '/v2/geosubmit?key=wrong', body: { items: [] } }),
      400,
      'keyInvalid',
      'usageLimits',
    );
    expectError(await second.request({ path: '/?key=wrong', body: demo }), 400, 'keyInvalid', 'usageLimits');
    expect(await second.job({ verb: 'keys', action: 'show', id: made.id })).toMatchObject({ credits: 1 });
    const { stdout, stderr } = await second.stop();
    expect(stdout + stderr).not.toContain(made.key);
  });

  test('16: query parameters of other interfaces', async () => {
    await place(TWO, {
      path: `/?format=json&email=a%40b&osmServer=x&featuretype&key=${key}&__proto__=1&constructor=2&&=&%`,
    });
  });

  test('17: a key __proto__ is refused, wherever it stands', async () => {
    for (const body of [
      '{"__proto__":{}}',
      '{"gps":{"latitude":1,"longitude":2,"__proto__":[]}}',
      '{"wifiAccessPoints":[{"__proto__":1}]}',
      '{"constructor":{"prototype":{}}}',
    ]) {
      expectError(
        await service.request({ path: `/?key=${key}`, body }),
        400,
        'parseError',
        'global',
        /^The key (__proto__|constructor) is not allowed/,
      );
    }
    await expectNotFound('{"constructor":"x","prototype":1}');
  });
});

test('a fix that is none leaves the answer to the rest, on each path and in a batch, and alone is not found', async () => {
  const cellTowers = [identityOf(LTE)];
  const alone = await place({ cellTowers });
  const fixes = [
    { latitude: 0, longitude: 0, accuracy: 0, age: 0, sat: 0 },
    { latitude: 90, longitude: 180 },
    { latitude: null, longitude: null },
    { latitude: '', longitude: 'NaN' },
    { latitude: 999_999, longitude: 999_999 },
    { latitude: 214.748_364_7, longitude: 2_147_483_647, age: 0 },
    { age: 0 },
  ];
  for (const gps of fixes) {
    for (const path of ['/', '/v1/geolocate', '/geolocation/v1/geolocate'])
      expect(await place({ cellTowers, gps }, { path: `${path}?key=${key}` })).toEqual(alone);
    await expectNotFound({ gps });
  }
  const body = fixes.map(gps => ({ cellTowers, gps }));
  const batch = await service.request({ path: `/v1/geolocate/batch?key=${key}`, body });
  expect(batch.json).toMatchObject(fixes.map(() => alone));
});

describe('what the answer holds beside the position', () => {
  const cellTowers = [identityOf(LTE)];

  test('is what was asked for and the key has: credits and expires', async () => {
    const prepaid = await service.key({ credits: 10, expires: '2099-12-31' });
    const ask = async (body: object) => (await service.post(prepaid.key, { cellTowers, ...body })).json;
    expect(await ask({})).not.toHaveProperty('credits');
    expect(await ask({ credits: true, expires: '1' })).toMatchObject({ credits: 8, expires: '2099-12-31' });
    const { json } = await service.post(key, { cellTowers, credits: 1, expires: 1 });
    expect(Object.keys(json)).toEqual(['location', 'accuracy', 'logId']);
  });

  test('is of the fix, and the radius of another share of the truths than half, but for the speed', async () => {
    const body = {
      gps: { latitude: 60.5, longitude: -30.25, accuracy: 100, heading: 90, altitude: '12.5' },
      lastLocation: { lat: 60.5, lng: -30.23, accuracy: 0, timestamp: 1136239445 },
      timestamp: 1136239545,
    };
    const ask = async (more: object) => (await service.post(key, { ...body, ...more })).json;
    const [half, most] = [await ask({}), await ask({ confidence: 99 })];
    expect(half).toMatchObject({ accuracy: 100, heading: 90, altitude: 12.5, calculatedSpeed: 10 });
    expect(most.accuracy).toBeGreaterThan(250);
    expect(most.calculatedSpeed).toBe(10);
    const large = await ask({ confidence: 99, padding: 'x'.repeat(300_000) });
    expect(large.accuracy).toBe(most.accuracy);
  });

  test('is logged with the id and the number of the request; a bad number is ignored', async () => {
    const { json } = await service.post(key, { cellTowers }, '&id=tracker%207&nr=2147483647');
    expect(await service.logged(json.logId)).toMatchObject({ device: 'tracker 7', nr: 2147483647 });
    const { status, json: bad } = await service.post(key, { cellTowers }, '&nr=1.5');
    expect(status).toBe(200);
    expect(await service.logged(bad.logId)).not.toHaveProperty('nr');
  });
});

describe('the compact form', () => {
  const compact = (wifi: string, query = `key=${key}`) =>
    service.request({ method: 'GET', path: `/?${query}&wifi=${encodeURIComponent(wifi)}` });

  test('answers a line', async () => {
    const { status, headers, text } = await compact(`${FIRST.macAddress},home, sweet,-60;${SECOND.macAddress},,-60`);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    const { location, accuracy } = await place(TWO);
    expect(text).toBe(`status=0;lat=${location.lat.toFixed(7)};lon=${location.lng.toFixed(7)};acc=${accuracy}`);
  });

  test('says in its own words what failed, with the HTTP status of the error', async () => {
    const bare = points(FIRST.macAddress).wifiAccessPoints[0].macAddress;
    for (const [wifi, query, status, text] of [
      [bare, undefined, 404, 'status=1'],
      ['', undefined, 404, 'status=1'],
      [bare, 'key=wrong', 400, 'status=2'],
      [bare, 'x', 400, 'status=2'],
      [bare, `key=${key}&id=${'x'.repeat(21)}`, 400, 'status=4'],
    ] as const) {
      const answer = await compact(wifi, query);
      expect([answer.status, answer.text]).toEqual([status, text]);
    }
    const { key: broke } = await service.key({ credits: 0 });
    expect(await compact(bare, `key=${broke}`)).toMatchObject({ status: 403, text: 'status=3' });
  });

  test('is charged as any position', async () => {
    const made = await service.key({ credits: 2 });
    for (const status of [200, 200, 403])
      expect((await compact(`${FIRST.macAddress};${SECOND.macAddress}`, `key=${made.key}`)).status).toBe(status);
  });
});

describe('one access point', () => {
  const unknown = ['06:ff:00:00:00:01', '06:ff:00:00:00:02', '06:ff:00:00:00:03'];
  const cell = identityOf(LTE);

  test('beside unknown ones is never found', async () => {
    for (const { macAddress } of ACCESS_POINTS) {
      await expectNotFound(points(macAddress));
      await expectNotFound(points(macAddress, ...unknown));
      await expectNotFound(points(...unknown, macAddress));
      await expectNotFound(points(macAddress, macAddress));
      // Another network of the same radio: the first octet differs.
      await expectNotFound(points(macAddress, macAddress.replace(/^../, '0a')));
      await expectNotFound(points(macAddress, macAddress.replace(/^../, '0a'), ...unknown));
    }
  });

  test('beside a cell, a fix or a beacon changes nothing', async () => {
    const { major, minor } = I_BEACON;
    for (const other of [
      { cellTowers: [cell] },
      { gps: { latitude: 40.0005, longitude: 20.0005, accuracy: 50 } },
      { bluetoothBeacons: [{ uuid: BEACON_UUID, major, minor }] },
      { cellTowers: [identityOf(GSM), cell] },
    ]) {
      const alone = await place(other);
      for (const { macAddress } of ACCESS_POINTS) {
        expect(await place({ ...other, ...points(macAddress) })).toEqual(alone);
        expect(await place({ ...other, ...points(macAddress, ...unknown) })).toEqual(alone);
        expect(await place({ ...other, ...points(macAddress, macAddress.replace(/^../, '0a')) })).toEqual(alone);
      }
    }
  });

  test('that shares its place with nothing else found nearby tells nothing', async () => {
    const far = '06:60:00:00:60:06';
    writeFileSync(join(base, 'far.csv'), `bssid,lat,lon\n${far},41,20\n`);
    await service.job({ verb: 'import', kind: 'wifi', files: [join(base, 'far.csv')] });
    for (const { macAddress } of ACCESS_POINTS) await expectNotFound(points(macAddress, far));
    const alone = await place({ cellTowers: [cell] });
    expect(await place({ cellTowers: [cell], ...points(FIRST.macAddress, far) })).toEqual(alone);
  });
});
