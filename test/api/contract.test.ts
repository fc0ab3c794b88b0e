// Every row of the specification's field tables over a real socket: a valid value, the edges, and values outside. What
// can be observed: the position found, the members answered, 404, and 400 with its reason and the field's name.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, expectError, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';
import {
  ACCESS_POINTS,
  BEACON_UUID,
  baseCell,
  CELL_TABLE,
  edgeCells,
  fillContractWorld,
  I_BEACONS,
  IDENTITY_FIELDS,
  identityOf,
  neighbourCell,
  RADIO_TYPES,
} from './contract_world.ts';

const base = folderOfFile();
let service: ServiceProcess;
let key: string;

beforeAll(async () => {
  const folder = join(base, 'var');
  await fillContractWorld(base, folder);
  service = await ServiceProcess.start(folder, '--http-threads', '1');
  ({ key } = await service.key({ name: 'contract' }));
});

afterAll(async () => {
  const ended = await service?.stop();
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.stderr).not.toContain('"level":50');
});

/** What the answer says, without what differs between equal requests. */
async function answerTo(body: unknown, query = ''): Promise<unknown> {
  const { status, json } = await service.post(key, body, query);
  const { logId, ...rest } = json;
  expect(Number.isSafeInteger(logId)).toBe(true);
  return { status, ...rest };
}

async function expectAt(
  body: unknown,
  { lat, lng }: { lat: number; lng: number },
  toleranceDegrees = 1e-6,
): Promise<Answer> {
  const answer = await service.post(key, body);
  expect(answer.json, JSON.stringify(body).slice(0, 300)).toMatchObject({ location: expect.anything() });
  const { location, accuracy } = answer.json;
  expect(answer.status).toBe(200);
  expect(Math.abs(location.lat - lat), JSON.stringify([body, answer.json])).toBeLessThanOrEqual(toleranceDegrees);
  expect(Math.abs(location.lng - lng)).toBeLessThanOrEqual(toleranceDegrees);
  expect(Number.isInteger(accuracy) && accuracy >= 1).toBe(true);
  return answer;
}

async function expectNotFound(body: unknown): Promise<void> {
  expectError(await service.post(key, body), 404, 'notFound', 'geolocation', 'Not found');
}

/** The value counts: with it the answer is another than without. */
async function expectCounts(body: (value: unknown) => unknown, value: unknown): Promise<void> {
  expect(await answerTo(body(value)), `${value} counts`).not.toEqual(await answerTo(body(undefined)));
}

/** The value is as if it had not been sent, and so is the request answered. */
async function expectDropped(body: (value: unknown) => unknown, ...values: unknown[]): Promise<void> {
  const without = await answerTo(body(undefined));
  for (const value of values)
    expect(await answerTo(body(value)), `${JSON.stringify(value)} is dropped`).toEqual(without);
}

const GARBAGE = ['x', '', {}, [1], null, 1e300];

describe.each(RADIO_TYPES)('cells of %s', radioType => {
  const limits = CELL_TABLE[radioType];
  const cell = identityOf(baseCell(radioType));
  const neighbour = identityOf(neighbourCell(radioType));
  const withCell = (field: string) => (value: unknown) => ({ cellTowers: [{ ...cell, [field]: value }] });

  test('are found by their identity, at the edges of every field too', async () => {
    await expectAt({ cellTowers: [cell] }, baseCell(radioType));
    for (const edge of edgeCells(radioType)) await expectAt({ cellTowers: [identityOf(edge)] }, edge);
    await expectAt({ radioType, cellTowers: [{ ...cell, radioType: undefined }] }, baseCell(radioType));
    await expectAt({ cellTowers: [{ ...cell, cellId: `${cell.cellId}` }] }, baseCell(radioType));
  });

  test.each(IDENTITY_FIELDS)('are not found by a %s outside its range', async field => {
    const [least, greatest] = limits[field]!;
    const outside = [
      least - 1,
      field === 'locationAreaCode' && radioType === 'nr' ? 16777214 : greatest + 1,
      1000.5,
      'x',
      {},
      null,
    ];
    // For cdma the country is no part of the identity, and an area code is only recommended but for gsm.
    const isOptional =
      (field === 'mobileCountryCode' && radioType === 'cdma') || (field === 'locationAreaCode' && radioType !== 'gsm');
    if (isOptional) await expectDropped(withCell(field), ...outside);
    else for (const value of [...outside, undefined]) await expectNotFound(withCell(field)(value));
  });

  test('weigh by a signal strength within its range', async () => {
    const pair = (value: unknown) => ({ cellTowers: [{ ...cell, signalStrength: value }, neighbour] });
    const [least, greatest] = limits.signalStrength!;
    await expectCounts(pair, least);
    await expectCounts(pair, greatest);
    expect(await answerTo(pair(`${least}`))).toEqual(await answerTo(pair(least)));
    await expectDropped(pair, least - 1, greatest + 1, ...GARBAGE);
  });

  test.each(['primaryScramblingCode', 'timingAdvance', 'psc', 'age', 'unknownField'])(
    'are found with any %s',
    async field => {
      const range = field in limits ? limits[field as 'timingAdvance'] : [0, 511];
      const [least, greatest] = range ?? [0, 1];
      await expectDropped(withCell(field), least, greatest, least - 1, greatest + 1, ...GARBAGE);
    },
  );

  test('are anchored by the first one, or by the one that is serving', async () => {
    const far = edgeCells(radioType)[3];
    const both = (serving: unknown) => ({ cellTowers: [cell, { ...identityOf(far), serving }] });
    await expectAt(both(undefined), baseCell(radioType));
    await expectAt(both(0), baseCell(radioType));
    for (const serving of [1, true, '1']) await expectAt(both(serving), far);
    await expectDropped(both, 2, -1, ...GARBAGE);
  });
});

describe('cells', () => {
  test('of nr go by newRadioCellId too', async () => {
    const { cellId, ...rest } = identityOf(baseCell('nr'));
    await expectAt({ cellTowers: [{ ...rest, newRadioCellId: cellId }] }, baseCell('nr'));
    await expectAt(
      { cellTowers: [{ ...rest, newRadioCellId: 68719476735 }] },
      edgeCells('nr').find(cell => cell.value === 68719476735)!,
    );
    await expectNotFound({ cellTowers: [{ ...rest, newRadioCellId: 68719476736 }] });
  });

  test('without an area code are found where one network has their id in one place', async () => {
    for (const radioType of RADIO_TYPES) {
      const { locationAreaCode: _, ...cell } = identityOf(neighbourCell(radioType));
      if (radioType === 'gsm') await expectNotFound({ cellTowers: [cell] });
      else await expectAt({ cellTowers: [cell] }, neighbourCell(radioType));
      // The base's id stands in several areas far apart.
      await expectNotFound({ cellTowers: [{ ...cell, cellId: baseCell(radioType).cellId }] });
    }
  });

  test('without cellId neither fail nor carry a request', async () => {
    const lte = identityOf(baseCell('lte'));
    const neighbour = { ...lte, cellId: undefined, primaryScramblingCode: 7 };
    await expectAt({ cellTowers: [neighbour, lte] }, baseCell('lte'));
    await expectNotFound({ cellTowers: [neighbour] });
  });

  test('of an unknown radio type are looked up by what their ids fit', async () => {
    await expectAt(
      { cellTowers: [{ ...identityOf(edgeCells('wcdma').find(cell => cell.value === 268435455)!), radioType: 'x' }] },
      edgeCells('wcdma').find(cell => cell.value === 268435455)!,
    );
    await expectAt({ cellTowers: [{ ...identityOf(baseCell('gsm')), radioType: undefined }] }, baseCell('gsm'));
  });

  test('that are no objects are skipped', async () => {
    await expectAt({ cellTowers: [null, 1, 'x', [], {}, identityOf(baseCell('lte'))] }, baseCell('lte'));
  });
});

describe('access points', () => {
  const [first, second, third, ...others] = ACCESS_POINTS.map(({ macAddress }) => ({
    macAddress,
    signalStrength: -60,
  }));
  const varied = (field: string) => (value: unknown) => ({
    wifiAccessPoints: [{ ...first, [field]: value }, second, third, ...others],
  });

  test('place the device among them', async () => {
    await expectAt({ wifiAccessPoints: [first, second] }, { lat: 40.00045, lng: 20 }, 0.0003);
    await expectAt({ wifiAccessPoints: [first, second, third, ...others] }, { lat: 40.0007, lng: 20.0005 }, 0.001);
  });

  test('count from a signal strength within -100..-20', async () => {
    const weigh = varied('signalStrength');
    for (const value of [-100, -20]) await expectCounts(weigh, value);
    expect(await answerTo(weigh('-99.7'))).toEqual(await answerTo(weigh(-100)));
    await expectDropped(weigh, -101, -19, 0, ...GARBAGE);
  });

  test.each(['ssid', 'ssidHex', 'channel', 'frequency'])('are found with any %s', async field => {
    await expectDropped(varied(field), -1, 65536, 'x', {}, [1], null);
    await expect(
      answerTo(varied(field)(field === 'ssid' ? 'Café' : field === 'ssidHex' ? '436166c3a9' : 36)),
    ).resolves.toMatchObject({ status: 200 });
  });

  test('count by their age, as text or number', async () => {
    const aged = varied('age');
    expect(await answerTo(aged('20000'))).toEqual(await answerTo(aged(20000)));
    await expectCounts(aged, '20000');
    await expectDropped(aged, '0', 0, -1, 'x', {}, null, 1e300);
    await expectNotFound({ wifiAccessPoints: [first, { ...second, age: '3600000' }] });
  });

  test('need an address', async () => {
    for (const macAddress of [
      undefined,
      null,
      '',
      'x',
      '06:20:00:00:20',
      '06:20:00:00:20:02:03',
      '00:00:00:00:00:00',
      'ff:ff:ff:ff:ff:ff',
      66,
    ]) {
      await expectNotFound({ wifiAccessPoints: [first, { ...second, macAddress }] });
    }
  });

  test('whose owner opts out are not used', async () => {
    for (const name of [
      { ssid: 'home_nomap' },
      { ssid: 'x_optout_y' },
      { ssidHex: Buffer.from('home_nomap').toString('hex') },
    ]) {
      await expectNotFound({ wifiAccessPoints: [first, { ...second, ...name }] });
    }
  });
});

describe('beacons', () => {
  const beacon = (major: unknown, minor: unknown) => ({ bluetoothBeacons: [{ uuid: BEACON_UUID, major, minor }] });

  test('are found by uuid, major and minor, at the edges too', async () => {
    for (const { major, minor, lat } of I_BEACONS) {
      await expectAt(beacon(major, minor), { lat, lng: 20 }, 1e-5);
      await expectAt(
        { bluetoothBeacons: [{ beaconType: 533, id1: BEACON_UUID.toUpperCase(), id2: `${major}`, id3: `${minor}` }] },
        { lat, lng: 20 },
        1e-5,
      );
    }
  });

  test('are not found outside of the ranges', async () => {
    for (const value of [-1, 65536, 0.5, 'x', null, undefined]) {
      await expectNotFound(beacon(value, 0));
      await expectNotFound(beacon(0, value));
    }
    await expectNotFound({ bluetoothBeacons: [{ uuid: `${BEACON_UUID}0`, major: 0, minor: 0 }] });
    await expectNotFound({ bluetoothBeacons: [{}, null, 1, { macAddress: 'x' }, { macAddress: 'ff:ff:ff:ff:ff:ff' }] });
  });

  test.each(['signalStrength', 'age', 'name', 'macAddress'])('are found with any %s', async field => {
    const [{ major, minor }] = I_BEACONS;
    await expectDropped(
      value => ({ bluetoothBeacons: [{ uuid: BEACON_UUID, major, minor, [field]: value }] }),
      -101,
      -19,
      ...GARBAGE,
    );
    expect(
      await answerTo({
        bluetoothBeacons: [
          {
            uuid: BEACON_UUID,
            major,
            minor,
            signalStrength: -100,
            age: '5000',
            name: 'door',
            macAddress: '06:00:00:00:99:01',
          },
        ],
      }),
    ).toMatchObject({ status: 200 });
  });
});

describe('the fix of the device', () => {
  const place = { latitude: 60.5, longitude: -30.25 };
  const at = { lat: 60.5, lng: -30.25 };
  const fix = (field: string) => (value: unknown) => ({ gps: { ...place, accuracy: 10, [field]: value } });

  test('is answered at the edges of the world', async () => {
    for (const latitude of [-90, 0, 90]) {
      for (const longitude of [-180, 0, 180]) {
        const { location } = (await service.post(key, { gps: { latitude, longitude, accuracy: 10 } })).json;
        expect(location.lat).toBeCloseTo(latitude, 6);
        expect(Math.abs(location.lng)).toBeCloseTo(Math.abs(longitude), 6);
      }
    }
    await expectAt({ gps: { latitude: '60.5', longitude: '-30.25', accuracy: '10' } }, at);
  });

  test('is refused without a place, or with one outside the world', async () => {
    for (const [field, values] of [
      ['latitude', [90.0001, -90.0001, 'x', '', 'NaN', null, {}, 2 ** 31 - 1]],
      ['longitude', [180.0001, -180.0001, 'x', '', 'NaN', null, {}, 2 ** 31 - 1]],
    ] as const) {
      for (const value of values) {
        expectError(
          await service.post(key, fix(field)(value)),
          400,
          'parseError',
          'global',
          new RegExp(`gps\\.${field}`),
        );
      }
      expectError(
        await service.post(key, fix(field)(undefined)),
        400,
        'parseError',
        'global',
        `gps.${field} is missing.`,
      );
    }
  });

  test('without satellites and accuracy at 0, 0 is none: the cell beside it is answered', async () => {
    const gps = { latitude: 0, longitude: 0, accuracy: 0, age: 0, sat: 0 };
    await expectNotFound({ gps });
    await expectAt({ gps, cellTowers: [identityOf(baseCell('lte'))] }, baseCell('lte'));
  });

  test('has the accuracy that it was sent with', async () => {
    for (const accuracy of [2, 37, 255])
      expect((await expectAt(fix('accuracy')(accuracy), at)).json.accuracy).toBe(accuracy);
    expect((await expectAt(fix('accuracy')(0), at)).json.accuracy).toBeLessThanOrEqual(2);
    // Beyond the range it is still true news: dropping it would make a coarse fix look fine.
    expect((await expectAt(fix('accuracy')(2000), at)).json.accuracy).toBe(2000);
    await expectDropped(fix('accuracy'), -1, 'x', {}, null);
  });

  test('counts up to 600 seconds of age', async () => {
    for (const age of [0, 600, '600', undefined]) await expectAt(fix('age')(age), at);
    for (const age of [601, -1, '601']) await expectNotFound(fix('age')(age));
    const older = await service.post(key, fix('age')(600));
    expect(older.json.accuracy).toBeGreaterThan((await service.post(key, fix('age')(0))).json.accuracy);
  });

  test.each([
    ['heading', 0, 360],
    ['altitude', -1000, 10000],
    ['speed', 0, 100],
  ])('has its %s answered within %d..%d', async (field, least, greatest) => {
    for (const value of [least, greatest, (least + greatest) / 2]) {
      expect((await expectAt(fix(field)(value), at)).json[field]).toBe(value);
      expect((await expectAt(fix(field)(`${value}`), at)).json[field]).toBe(value);
    }
    for (const value of [least - 1, greatest + 1, 'x', null, {}, undefined]) {
      expect((await expectAt(fix(field)(value), at)).json).not.toHaveProperty(field);
    }
  });

  test.each([
    ['sat', 0, 20],
    ['altitudeAccuracy', 0, 100],
  ])('is answered with any %s', async (field, least, greatest) => {
    await expectDropped(fix(field), least, greatest, least - 1, greatest + 1, ...GARBAGE);
  });
});

describe('the body', () => {
  const cellTowers = [identityOf(baseCell('lte'))];

  test.each(['geoname', 'address', 'indoor'])('may ask for %s', async field => {
    for (const value of [0, 1, true, false, '1', 2, -1, ...GARBAGE])
      await expectAt({ cellTowers, [field]: value }, baseCell('lte'));
  });

  test.each(['credits', 'expires', 'timestamp', 'speedLimit', 'radioType', 'considerIp', 'carrier'])(
    'may hold any %s',
    async field => {
      await expectDropped(value => ({ cellTowers, [field]: value }), 0, 1, -1, 2, true, false, '1', ...GARBAGE);
    },
  );

  test('may ask for the radius of another share of the truths than half', async () => {
    const radius = async (confidence: unknown, more: object = {}) => {
      const gps = { latitude: 60.5, longitude: -30.25, accuracy: 100 };
      return (await expectAt({ gps, confidence, ...more }, { lat: 60.5, lng: -30.25 })).json.accuracy;
    };
    expect(await radius(50)).toBe(100);
    const radii = [];
    for (const confidence of [50, 50.5, 68, '80', 95, 98.5, 99]) radii.push(await radius(confidence));
    expect(radii).toEqual(radii.toSorted((a, b) => a - b));
    expect(radii.at(-1)).toBeGreaterThan(250);
    expect(await radius(95, { padding: 'x'.repeat(300_000) })).toBe(radii[4]);
    for (const confidence of [49.9, 99.1, 0, -1, 100, true, ...GARBAGE]) expect(await radius(confidence)).toBe(100);
    // The last location is judged by the radius of one half, whatever is asked for.
    const lastLocation = { lat: 60.5, lng: -30.23, accuracy: 0, timestamp: 1136239445 };
    const speeds = [];
    for (const confidence of [50, 99]) {
      const { json } = await service.post(key, {
        gps: { latitude: 60.5, longitude: -30.25, accuracy: 100 },
        confidence,
        lastLocation,
        timestamp: 1136239545,
      });
      speeds.push(json.calculatedSpeed);
    }
    expect(speeds).toEqual([10, 10]);
  });

  test.each([
    1136239445,
    '1136239445',
    '2006-01-02T15:04:05Z',
    '2006-01-02 15:04:05',
    '2006-01-02T15:04:05+02:00',
    -1,
    'yesterday',
  ])('may be of the time %s', async timestamp => {
    await expectAt({ cellTowers, timestamp }, baseCell('lte'));
    await expectAt({ cellTowers, lastLocation: { lat: 1, lng: 2, accuracy: 3, timestamp } }, baseCell('lte'));
  });

  test('may hold a last location', async () => {
    const last = (field: string) => (value: unknown) => ({
      cellTowers,
      lastLocation: { lat: 14, lng: 20, accuracy: 10, timestamp: 1136239445, [field]: value },
    });
    for (const [field, edge] of [
      ['lat', 90],
      ['lng', 180],
    ] as const) {
      for (const value of [-edge, edge]) await expectAt(last(field)(value), baseCell('lte'));
      for (const value of [-edge - 0.001, edge + 0.001, 'x', null]) {
        expectError(
          await service.post(key, last(field)(value)),
          400,
          'parseError',
          'global',
          new RegExp(`lastLocation\\.${field}`),
        );
      }
      expectError(
        await service.post(key, last(field)(undefined)),
        400,
        'parseError',
        'global',
        `lastLocation.${field} is missing.`,
      );
    }
    for (const accuracy of [0, 255, -1, 256, ...GARBAGE]) await expectAt(last('accuracy')(accuracy), baseCell('lte'));
    for (const timestamp of GARBAGE) await expectAt(last('timestamp')(timestamp), baseCell('lte'));
  });

  test('may hold sensors', async () => {
    const sensor = (field: string) => (value: unknown) => ({ cellTowers, sensors: [{ [field]: value }] });
    for (const field of ['pressure', 'steps', 'heading', 'activity'])
      await expectDropped(sensor(field), 0, 359, 360, -1, 1013, 'WALKING', 'SWIMMING', ...GARBAGE);
    await expectAt(
      { cellTowers, sensors: [null, 1, {}, { pressure: 1013, steps: 4, heading: 90, activity: 'ON_FOOT' }] },
      baseCell('lte'),
    );
  });

  test.each(['all', 'w4f', 'lacf', 'nbcidf', 'rncidf', 'mncf', 'ratf', 'cidf', 'cidxf', 'ipf'])(
    'may set the fallback %s, which a direct match does not need',
    async flag => {
      await expectDropped(value => ({ cellTowers, fallbacks: { [flag]: value } }), 0, 1, 2, true, false, ...GARBAGE);
      expect(await answerTo({ cellTowers, fallbacks: { [flag]: 1 } })).not.toHaveProperty('fallback');
    },
  );

  test.each(['cellTowers', 'wifiAccessPoints', 'bluetoothBeacons', 'sensors'])('has a list as %s', async field => {
    for (const value of [{}, 'x', 1, true]) {
      expectError(
        await service.post(key, { [field]: value }),
        400,
        'parseError',
        'global',
        `${field} must be an array.`,
      );
    }
    for (const value of [null, []]) await expectNotFound({ [field]: value });
  });

  test.each(['gps', 'fallbacks', 'lastLocation'])('has an object as %s', async field => {
    for (const value of [[], 'x', 1, true]) {
      expectError(
        await service.post(key, { [field]: value }),
        400,
        'parseError',
        'global',
        `${field} must be an object.`,
      );
    }
    await expectNotFound({ [field]: null });
  });

  test('has a text as state', async () => {
    for (const state of [1, {}, [], true])
      expectError(await service.post(key, { state }), 400, 'parseError', 'global', 'state must be a string.');
    await expectDropped(state => ({ cellTowers, state }), '', 'no token', null);
  });

  test('is an object', async () => {
    for (const body of ['[]', '1', '"x"', 'true'])
      expectError(await service.post(key, body), 400, 'parseError', 'global', 'The body must be an object.');
    for (const body of ['null', '{}', '', ' \n', undefined]) await expectNotFound(body);
  });

  test('answers a position and nothing that was not asked for', async () => {
    const { json } = await service.post(key, { cellTowers });
    expect(json).toEqual({ location: { lat: 16, lng: 20 }, accuracy: expect.any(Number), logId: json.logId });
    expect(Number.isInteger(json.accuracy)).toBe(true);
  });
});

describe('query parameters', () => {
  const cellTowers = [identityOf(baseCell('lte'))];

  test('id has at most 20 characters', async () => {
    for (const id of ['a', 'a'.repeat(20), '%F0%9F%98%80'.repeat(20), ''])
      expect(await answerTo({ cellTowers }, `&id=${id}`)).toMatchObject({ status: 200 });
    for (const id of ['a'.repeat(21), '%C3%A9'.repeat(21), 'a'.repeat(2000)]) {
      expectError(
        await service.post(key, { cellTowers }, `&id=${id}`),
        400,
        'parseError',
        'global',
        /\bid\b.* 20 characters/,
      );
    }
  });

  test('id and nr are logged, and a bad nr is ignored', async () => {
    for (const [nr, logged] of [
      ['1', 1],
      ['0', 0],
      ['2147483647', 2147483647],
    ] as const) {
      const { status, json } = await service.post(key, { cellTowers }, `&id=tracker%207&nr=${nr}`);
      expect(status).toBe(200);
      expect(await service.logged(json.logId)).toMatchObject({ device: 'tracker 7', nr: logged });
    }
    for (const nr of ['', 'x', '-1', '1.5', '1e99', '99999999999999999999']) {
      const { status, json } = await service.post(key, { cellTowers }, `&nr=${nr}`);
      expect(status, nr).toBe(200);
      expect(await service.logged(json.logId), nr).not.toHaveProperty('nr');
    }
  });

  test('credits and expires are answered when asked for and when the key has them', async () => {
    const prepaid = await service.key({ credits: 10, expires: '2099-12-31' });
    const ask = async (body: object) => (await service.post(prepaid.key, { cellTowers, ...body })).json;
    expect(await ask({})).not.toHaveProperty('credits');
    expect(await ask({ credits: 0, expires: 0 })).not.toHaveProperty('expires');
    expect(await ask({ credits: 1 })).toMatchObject({ credits: 7 });
    expect(await ask({ credits: true, expires: '1' })).toMatchObject({ credits: 6, expires: '2099-12-31' });
    expect(await ask({ credits: 2, expires: 'x' })).not.toHaveProperty('credits');
    const { json } = await service.post(key, { cellTowers, credits: 1, expires: 1 });
    expect(Object.keys(json)).toEqual(['location', 'accuracy', 'logId']);
  });
});
