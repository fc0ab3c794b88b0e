// Explained positions through a real socket.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const ACCESS_POINTS = [
  { macAddress: '02:00:5e:00:00:d3', signalStrength: -50, age: 1000 },
  { macAddress: '02:00:5e:00:00:d4', signalStrength: 70 },
  { macAddress: 'none' },
];

let service: ServiceProcess;
let key: string;
let plainKey: string;

beforeAll(async () => {
  service = await ServiceProcess.start(join(folderOfFile(), 'var'), '--http-threads', '1');
  ({ key } = await service.key({ explain: true }));
  ({ key: plainKey } = await service.key());
});
afterAll(async () => void (await service.stop()));

const ask = (body: object, query = '', by = key) => service.request({ path: `/?key=${by}${query}`, body });

test('an explanation says what was sent, and what of it was left out', async () => {
  const { json } = await ask({ wifiAccessPoints: ACCESS_POINTS, explain: 1 });
  expect(json.explain.sent).toEqual({
    wifiAccessPoints: 3,
    bluetoothBeacons: 0,
    cellTowers: 0,
    leftOut: [{ list: 'wifiAccessPoints', entry: 2, why: 'noAddress' }],
    ignored: [{ list: 'wifiAccessPoints', entry: 1, member: 'signalStrength' }],
  });
});

test.each([
  ['read', { latitude: 1.25, longitude: -2.5, age: 5 }],
  ['leftOut', { latitude: 1.25, longitude: -2.5, age: 700 }],
  ['leftOut', { latitude: 0, longitude: 0 }],
])('a fix is %s: %j', async (read, gps) => {
  expect((await ask({ gps, wifiAccessPoints: ACCESS_POINTS, explain: 1 })).json.explain.sent.gps).toBe(read);
});

test.each([
  ['the member', { explain: 1 }, '', true],
  ['the parameter', {}, '&explain=1', true],
  ['the member wins over the parameter', { explain: 0 }, '&explain=1', false],
  ['another value', { explain: 'please' }, '', false],
])('%s asks for it', async (_, member, query, isExplained) => {
  const { json } = await ask({ wifiAccessPoints: ACCESS_POINTS, ...member }, query);
  expect('explain' in json).toBe(isExplained);
});

test('of a fallback it says what it came to, and not by which cells', async () => {
  const cellTowers = [{ mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 256010 }];
  const { json } = await ask({ radioType: 'lte', fallbacks: { all: 1 }, cellTowers, explain: 1 });
  expect(json.explain.fallbacks).toEqual([
    { fallback: 'w4f', result: 'noGuess' },
    { fallback: 'nbcidf', result: 'answered' },
  ]);
});

test('the explained answer is the answer', async () => {
  const [explained, plain] = [
    await ask({ wifiAccessPoints: ACCESS_POINTS, explain: 1 }),
    await ask({ wifiAccessPoints: ACCESS_POINTS }),
  ];
  const { explain, logId, ...rest } = explained.json;
  expect({ ...rest, logId: plain.json.logId }).toEqual(plain.json);
});

describe('for a key without the setting', () => {
  test('it has no effect', async () => {
    const { json } = await ask({ wifiAccessPoints: ACCESS_POINTS, explain: 1 }, '&explain=1', plainKey);
    expect(Object.keys(json)).toEqual(['location', 'accuracy', 'logId']);
  });
});

test('a large body is explained by its member and by the parameter', async () => {
  const wifiAccessPoints = [
    ...ACCESS_POINTS,
    ...Array.from({ length: 9000 }, () => ({ macAddress: 'none of these', signalStrength: -1 })),
  ];
  const { sent } = (await ask({ wifiAccessPoints, explain: 1 })).json.explain;
  expect(sent.wifiAccessPoints).toBe(9003);
  expect([sent.leftOut.length, sent.more]).toEqual([1000, { leftOut: 8001, ignored: 0, stations: 0 }]);
  expect((await ask({ wifiAccessPoints }, '&explain=1')).json.explain.sent.wifiAccessPoints).toBe(9003);
});

test('each position of a batch is explained that asks for it, or does not refuse what the batch asks for', async () => {
  const batch = [{ wifiAccessPoints: ACCESS_POINTS }, { wifiAccessPoints: ACCESS_POINTS, explain: 0 }];
  const { json } = await service.request({ path: `/v1/geolocate/batch?key=${key}&explain=1`, body: batch });
  expect(json.map((answer: object) => 'explain' in answer)).toEqual([true, false]);
});

test('a fix that contributes is explained as well', async () => {
  const gps = { latitude: 1.25, longitude: -2.5, accuracy: 5, age: 0 };
  expect((await ask({ gps, wifiAccessPoints: ACCESS_POINTS, explain: 1 })).json.explain.sent.wifiAccessPoints).toBe(3);
});
