// Another service that is asked where nothing is found: for whom, with what, and what happens when it fails.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OtherService } from '../../src/api/other_service.ts';
import type { PositionBody } from '../../src/protocol/requests/schema.ts';
import { upstreamQuestion } from '../../src/protocol/requests/upstream_question.ts';
import { FEW_THREADS } from '../kits/served_service.ts';
import { ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

/** The other service: what it was asked, and how it answers next. */
const asked: { path: string | undefined; headers: IncomingMessage['headers']; body: string }[] = [];
let reply: { status: number; body: string; isLate?: true };
let other: Server;
let url: string;

const FOUND = { status: 200, body: '{"location":{"lat":52.5,"lng":13.4},"accuracy":830.4}' };

beforeAll(async () => {
  other = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push({ path: request.url, headers: request.headers, body });
      if (!reply.isLate) response.writeHead(reply.status).end(reply.body);
    });
  });
  await new Promise<void>(listening => other.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/geolocate?key=OTHER`;
});
beforeEach(() => {
  asked.length = 0;
  reply = FOUND;
});
afterAll(() => {
  other.closeAllConnections();
  other.close();
});

const CELL = {
  radioType: 'lte',
  mobileCountryCode: 262,
  mobileNetworkCode: 1,
  locationAreaCode: 5,
  cellId: 26_000_001,
};
const POINTS = ['00:14:bf:aa:bb:01', '00:14:bf:aa:cc:02'].map(macAddress => ({ macAddress, signalStrength: -60 }));

describe('the service', () => {
  let service: ServiceProcess;
  let key: string;
  beforeAll(async () => {
    service = await ServiceProcess.start(join(folderOfFile(), 'var'), ...FEW_THREADS, '--upstream', url);
    ({ key } = await service.key({ upstream: true, credits: 2 }));
  });
  afterAll(async () => {
    const { code, stdout, stderr } = await service.stop();
    expect([code, stdout.includes('OTHER'), stderr.includes('OTHER')]).toEqual([0, false, false]);
  });

  test('asks for what is not found, for keys that may, and for a credit', async () => {
    const { status, json } = await service.post(
      key,
      { cellTowers: [CELL], wifiAccessPoints: POINTS, credits: 1 },
      '&id=tracker-7',
    );
    expect([status, json]).toEqual([
      200,
      {
        location: { lat: 52.5, lng: 13.4 },
        accuracy: 830,
        fallback: 'upstream',
        credits: 1,
        logId: expect.any(Number),
      },
    ]);
    expect(asked).toHaveLength(1);
    expect(asked[0].path).toBe('/geolocate?key=OTHER');
    expect(JSON.parse(asked[0].body)).toEqual({ considerIp: false, cellTowers: [CELL], wifiAccessPoints: POINTS });
    expect(JSON.stringify(asked)).not.toMatch(new RegExp(`tracker-7|${key}`));
    const { credits } = (await service.logged(json.logId)) as unknown as { credits: number };
    expect([undefined, 1]).toContain(credits);
  });

  test('in other ways, too: the aliases, a dialect, and not in a batch', async () => {
    expect(
      (await service.request({ path: `/k/${key}/v1/geolocate`, body: { cellTowers: [CELL] } })).json.fallback,
    ).toBe('upstream');
    expect(
      (await service.request({ path: `/k/${key}/v1/geolocate/batch`, body: [{ cellTowers: [CELL] }] })).json[0].error
        .code,
    ).toBe(403);
    expect(asked).toHaveLength(1);
    // The balance is spent now.
    expect((await service.post(key, { cellTowers: [CELL] })).status).toBe(403);
    expect(asked).toHaveLength(1);
  });

  test('does not ask for keys that may not, and not where it knows an answer', async () => {
    const { key: plain } = await service.key();
    const { key: rich } = await service.key({ upstream: true });
    expect((await service.post(plain, { cellTowers: [CELL] })).status).toBe(404);
    const known = { wifiAccessPoints: ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'].map(macAddress => ({ macAddress })) };
    expect((await service.post(rich, known)).json.fallback).toBeUndefined();
    expect((await service.post(rich, {})).status).toBe(404);
    expect(asked).toHaveLength(0);
  });

  test('answers as ever where the other has nothing, or nonsense', async () => {
    const { key: rich } = await service.key({ upstream: true });
    for (const next of [
      { status: 404, body: '{}' },
      { status: 200, body: 'no' },
      { status: 200, body: '{"location":{"lat":91,"lng":0},"accuracy":1}' },
      { status: 500, body: '' },
    ]) {
      reply = next;
      expect((await service.post(rich, { cellTowers: [CELL] })).status).toBe(404);
    }
    expect(asked).toHaveLength(4);
  });
});

describe('what is asked', () => {
  const question = (body: PositionBody) => {
    const text = upstreamQuestion(body);
    return text === undefined ? undefined : JSON.parse(text);
  };

  test('has cells and access points, and nothing else', () => {
    const body = {
      radioType: 'lte',
      cellTowers: [{ ...CELL, signalStrength: -90, serving: 1, secret: 'x' }],
      wifiAccessPoints: POINTS.map(point => ({ ...point, ssid: 'home', ssidHex: '00' })),
      bluetoothBeacons: [{ macAddress: '00:14:bf:aa:bb:01' }],
      gps: { latitude: 1, longitude: 2, accuracy: 5, age: 5 },
      id: 'x',
      timestamp: 5,
    };
    expect(question(body)).toEqual({
      considerIp: false,
      radioType: 'lte',
      cellTowers: [{ ...CELL, signalStrength: -90 }],
      wifiAccessPoints: POINTS,
    });
  });

  test('leaves out networks that have opted out, and single access points', () => {
    const [first, second] = POINTS;
    expect(question({ wifiAccessPoints: [first] })).toBeUndefined();
    expect(question({ wifiAccessPoints: [first, { ...second, ssid: 'home_nomap' }] })).toBeUndefined();
    expect(question({ cellTowers: [CELL], wifiAccessPoints: [first] }).wifiAccessPoints).toEqual([]);
  });

  const [own] = POINTS;
  test.each([
    ['the same address', own.macAddress],
    ['it in another form', own.macAddress.replaceAll(':', '').toUpperCase()],
    ['another network of its radio', '02:14:bf:aa:bb:01'],
    ['a neighbour of its address', '00:14:bf:aa:bb:02'],
    ['one a little further, across a carry', '00:14:bf:aa:ba:ff'],
    ['one that differs in an octet in the middle', '00:14:bf:10:bb:01'],
    ['a broadcast address', 'ff:ff:ff:ff:ff:ff'],
    ['a group address', '01:00:5e:00:00:fb'],
    ['the null address', '00:00:00:00:00:00'],
    ['no address', 'x'],
    ['a number', 42],
  ])('no single device: beside it, %s is no second one', (_, macAddress) => {
    const wifiAccessPoints = [own, { macAddress, signalStrength: -50 }];
    expect(question({ wifiAccessPoints })).toBeUndefined();
    expect(question({ cellTowers: [CELL], wifiAccessPoints })?.wifiAccessPoints).toEqual([]);
    const second = { macAddress: '3c:84:6a:10:20:30', signalStrength: -70 };
    expect(question({ wifiAccessPoints: [...wifiAccessPoints, second] })?.wifiAccessPoints).toContainEqual(second);
  });

  test('no single device by addresses of which each is beside another one', () => {
    const addresses = ['00:14:bf:aa:bb:05', '00:14:bf:aa:bb:01', '00:14:bf:aa:bd:01'];
    expect(question({ wifiAccessPoints: addresses.map(macAddress => ({ macAddress })) })).toBeUndefined();
  });

  test('no single device beside entries that are none, or that travel', () => {
    for (const other of [{ signalStrength: -50 }, null, 'x', { macAddress: POINTS[1].macAddress, ssid: 'iPhone' }])
      expect(question({ wifiAccessPoints: [own, other] }), JSON.stringify(other)).toBeUndefined();
    expect(question({ wifiAccessPoints: [{ signalStrength: -50 }, ...POINTS] }).wifiAccessPoints).toEqual(POINTS);
  });

  test('no cell that our own look-ups would leave out', () => {
    expect(question({ cellTowers: [{ signalStrength: -90 }, { mobileCountryCode: 262 }] })).toBeUndefined();
    expect(question({ cellTowers: [{ cellId: 5 }, CELL] }).cellTowers).toEqual([CELL]);
  });

  test.each([
    [{}],
    [{ cellTowers: ['x', null, {}, { serving: 1 }], wifiAccessPoints: null }],
    [{ cellTowers: [CELL], lastLocation: { lat: 1, lng: 2, timestamp: 5 } }],
    [{ cellTowers: [CELL], state: 'x' }],
  ])('nothing of %j', body => {
    expect(question(body)).toBeUndefined();
  });

  test('has at most 64 entries of a kind', () => {
    expect(question({ cellTowers: Array(1_000).fill(CELL) }).cellTowers).toHaveLength(64);
  });
});

describe('the breaker', () => {
  test('rests after some failures in a row, and says so once', async () => {
    const told: string[] = [];
    const upstream = new OtherService('--upstream', url, message => told.push(message), { failures: 3 });
    const fail = async (status: number) => {
      reply = { status, body: '{}' };
      expect(await upstream.post('{}')).toBeUndefined();
    };
    for (const status of [500, 500, 404, 500, 500]) await fail(status);
    expect(told).toEqual([]);
    await fail(429);
    expect(told).toEqual([expect.stringContaining('it answered 429')]);
    expect(told[0]).not.toContain('OTHER');
    reply = FOUND;
    expect([await upstream.post('{}'), asked.length]).toEqual([undefined, 6]);
  });

  test('ends a question that takes too long, and an answer that is too long', async () => {
    const told: string[] = [];
    const waiting = (milliseconds: number) =>
      new OtherService('--upstream', url, message => told.push(message), {
        failures: 1,
        restMilliseconds: 0,
        milliseconds,
      });
    const [hasty, patient] = [waiting(300), waiting(60_000)];
    reply = { ...FOUND, isLate: true };
    expect(await hasty.post('{}')).toBeUndefined();
    reply = { status: 200, body: ' '.repeat(100_000) };
    expect(await patient.post('{}')).toBeUndefined();
    expect(told).toEqual([expect.stringContaining('it took too long'), expect.stringContaining('longer than')]);
    reply = FOUND;
    expect(await patient.post('{}')).toBe(FOUND.body);
    // On a busy machine more questions may take too long.
    await expect.poll(() => hasty.post('{}')).toBe(FOUND.body);
  });

  test('has few questions under way', async () => {
    const upstream = new OtherService('--upstream', url, () => {}, { atOnce: 2 });
    const answers = await Promise.all([1, 2, 3, 4].map(() => upstream.post('{}')));
    expect(answers.filter(answer => answer !== undefined)).toHaveLength(2);
    expect(await upstream.post('{}')).toBeDefined();
  });
});
