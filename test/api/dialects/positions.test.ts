// Positions as HERE, nRF Cloud, Unwired Labs, LoRa Cloud, AWS IoT, Mozilla's first interface and Mylnikov: the requests
// that the nRF Connect SDK, Traccar, The Things Stack, ChirpStack 3, AWS' SDKs and older firmware make, and what they
// read of the answers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedDialects, SLOW, SPENT, serveDialects } from './served_dialects.ts';
import { ACCESS_POINTS, BETWEEN, CELL } from './stations.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

const near = (latitude: number, longitude: number) => {
  expect(Math.abs(latitude - BETWEEN.latitude)).toBeLessThan(0.02);
  expect(Math.abs(longitude - BETWEEN.longitude)).toBeLessThan(0.02);
};
const UNKNOWN = ['02:00:5e:99:99:01', '02:00:5e:99:99:02'];

describe('HERE', () => {
  const locate = (body: unknown, query = '', options = {}) => served.ask(`/v2/locate${query}`, { body, ...options });
  const wlan = ACCESS_POINTS.map(mac => ({ mac: mac.toUpperCase(), rss: -60 }));

  test('a cell with neighbours, as the nRF Connect SDK writes it; the accuracy is inside of the location', async () => {
    const serving = { mcc: CELL.mcc, mnc: CELL.mnc, cid: CELL.id, tac: CELL.area, rsrp: -90, rsrq: -7.5, ta: 0 };
    const nmr = [{ earfcn: 6400, pci: 99, rsrp: -99, rsrq: -9.0 }];
    for (const cell of [serving, { ...serving, nmr }]) {
      const { status, json } = await locate({ lte: [cell] });
      expect([status, Object.keys(json)]).toEqual([200, ['location']]);
      near(json.location.lat, json.location.lng);
      expect(json.location.accuracy).toBeGreaterThan(0);
    }
    const { json } = await locate({ lte: [serving], wlan });
    near(json.location.lat, json.location.lng);
  });

  test('a neighbour is in the network of the cell, and places a device that is in an unknown one', async () => {
    const serving = { mcc: CELL.mcc, mnc: CELL.mnc, cid: 77, tac: CELL.area };
    const nmr = [{ globalIdentity: { lac: CELL.area, cid: CELL.id }, rsrp: -99 }];
    expect((await locate({ lte: [serving] })).status).toBe(404);
    const { json } = await locate({ lte: [{ ...serving, nmr }] });
    near(json.location.lat, json.location.lng);
  });

  test('the confidence makes the radius', async () => {
    const radius = async (query: string) => (await locate({ wlan }, query)).json.location.accuracy;
    const [half, some, most] = [await radius('?confidence=50'), await radius(''), await radius('?confidence=95')];
    expect(half < some && some < most).toBe(true);
    expect([await radius('?confidence=0'), (await radius('?confidence=100')) >= most]).toEqual([half, true]);
  });

  test('guesses are asked for', async () => {
    const lte = [{ mcc: CELL.mcc, mnc: CELL.mnc, cid: CELL.id, tac: CELL.area + 1 }];
    for (const query of ['', '?fallback=area', '?fallback=singleWifi'])
      expect((await locate({ lte }, query)).status).toBe(404);
    expect((await locate({ lte }, '?fallback=area,any')).status).toBe(200);
  });

  test('errors', async () => {
    expect(await locate({ wlan: UNKNOWN.map(mac => ({ mac })) })).toMatchObject({
      status: 404,
      json: { title: 'Position not found', status: 404 },
    });
    expect(await locate({ wlan }, '', { key: 'wrong' })).toMatchObject({ status: 401, json: { status: 401 } });
    expect(await locate({ wlan }, '', { key: SPENT })).toMatchObject({ status: 403 });
    expect(await locate('[')).toMatchObject({ status: 400 });
    expect(await locate([])).toMatchObject({ status: 400, json: { cause: 'The body must be an object.' } });
    expect(await locate({ wlan, x: 'x'.repeat(300_000) })).toMatchObject({ status: 413, json: { status: 413 } });
    expect(await locate(Buffer.from('{}'), '', { headers: { 'content-encoding': 'x' } })).toMatchObject({
      status: 415,
      json: { status: 415 },
    });
  });
});

describe('nRF Cloud', () => {
  const fix = (body: unknown, options = {}) => served.ask('/v1/location/ground-fix', { body, ...options });
  const lte = [
    { mcc: CELL.mcc, mnc: `0${CELL.mnc}`, eci: CELL.id, tac: CELL.area, rsrp: -90, rsrq: -7.5, earfcn: 6400 },
  ];
  const accessPoints = ACCESS_POINTS.map(macAddress => ({
    macAddress,
    ssid: 'x',
    age: 4,
    channel: 1,
    signalStrength: -60,
  }));

  test('a cell whose network is a text, several cells, access points', async () => {
    const { status, json } = await fix({ lte });
    expect([status, json.fulfilledWith]).toEqual([200, 'SCELL']);
    near(json.lat, json.lon);
    const nmr = [{ earfcn: 262_143, pci: 503, rsrp: -116, rsrq: -11.5, timeDiff: 0 }];
    expect((await fix({ lte: [{ ...lte[0], adv: 80, nmr }] })).json.fulfilledWith).toBe('MCELL');
    const byWifi = await fix({ lte, wifi: { accessPoints }, config: { doReply: true, hiConf: false, fallback: true } });
    expect(byWifi.json.fulfilledWith).toBe('WIFI');
    expect((await fix({ wifi: accessPoints })).json).toMatchObject({ fulfilledWith: 'WIFI' });
  });

  test('hiConf makes the radius that of 95 %', async () => {
    const uncertainty = async (config: unknown) => (await fix({ wifi: { accessPoints }, config })).json.uncertainty;
    expect(await uncertainty({ hiConf: true })).toBeGreaterThan(await uncertainty({ hiConf: false }));
  });

  test('errors', async () => {
    expect(await fix({})).toMatchObject({ status: 404, json: { code: 40_400 } });
    expect(await fix({ lte }, { key: 'wrong' })).toMatchObject({ status: 401, json: { code: 40_100 } });
    expect(await fix({ lte }, { key: SPENT })).toMatchObject({ status: 403 });
    await fix({ lte }, { key: SLOW });
    expect(await fix({ lte }, { key: SLOW })).toMatchObject({ status: 429 });
  });
});

describe('Unwired Labs', () => {
  const process = async (body: unknown, options = {}) =>
    (await served.ask('/v2/process.php', { body, ...options })).json;
  const wifi = ACCESS_POINTS.map(bssid => ({ bssid, channel: 11, frequency: 2412, signal: -51 }));
  const cell = { lac: CELL.area, cid: CELL.id };

  test('Traccar names gsm for every network, and leaves out what it does not know', async () => {
    const body = {
      mcc: null,
      mnc: null,
      radio: 'gsm',
      cells: [{ radio: null, mcc: CELL.mcc, mnc: CELL.mnc, ...cell, signal: null }],
      wifi: null,
    };
    const { status, balance, lat, lon, accuracy } = await process(body);
    expect([status, balance > 0, accuracy > 0]).toEqual(['ok', true, true]);
    near(lat, lon);
  });

  test('the network at the root is that of cells without one; the address is a line', async () => {
    const answer = await process({ radio: 'lte', mcc: CELL.mcc, mnc: CELL.mnc, cells: [cell], wifi, address: 1 });
    near(answer.lat, answer.lon);
    expect(answer.status).toBe('ok');
  });

  test.each([[['cidf', 'scf']], [{ cidf: 1 }], [{ all: 1 }]])('fallbacks %j', async fallbacks => {
    const body = { radio: 'lte', mcc: CELL.mcc, mnc: CELL.mnc, cells: [{ lac: CELL.area + 1, cid: CELL.id }] };
    expect((await process(body)).message).toBe('No matches found');
    expect(await process({ ...body, fallbacks })).toMatchObject({ status: 'ok', fallback: expect.any(String) });
  });

  test('errors are 200 with a message and a balance', async () => {
    const error = (message: unknown) => ({ status: 'error', message, balance: 0 });
    expect(await process({ token: 'x', cells: [] })).toEqual(error('No matches found'));
    expect(await process({ token: 'wrong', wifi }, { key: '' })).toEqual(error('Invalid token'));
    expect(await process({ wifi }, { key: SPENT })).toEqual(error('Out of credits'));
    expect(await process('{')).toEqual(error(expect.stringContaining('Invalid request: ')));
    await process({ wifi }, { key: SLOW });
    expect(await process({ wifi }, { key: SLOW })).toEqual(error('Rate limit exceeded'));
  });
});

describe('LoRa Cloud', () => {
  const solve = (body: unknown, options = {}) => served.ask('/api/v1/solve/loraWifi', { body, ...options });
  const wifiAccessPoints = ACCESS_POINTS.map(mac => ({
    // Octets have no leading zeros.
    macAddress: mac
      .split(':')
      .map(octet => Number.parseInt(octet, 16).toString(16))
      .join(':'),
    signalStrength: -60,
  }));

  test('a WiFi scan, with what the gateways heard', async () => {
    const lorawan = [
      {
        gatewayId: '0102030405060708',
        rssi: -50,
        snr: 5,
        toa: 0,
        antennaId: 0,
        antennaLocation: { latitude: 1, longitude: 1, altitude: 1 },
      },
    ];
    const { json } = await solve({ lorawan, wifiAccessPoints });
    near(json.result.latitude, json.result.longitude);
    expect(json).toMatchObject({
      result: { altitude: 0, algorithmType: 'Wifi', numberOfGatewaysReceived: 1, numberOfGatewaysUsed: 0 },
      errors: [],
      warnings: [],
    });
    expect(Number.isInteger(json.result.accuracy)).toBe(true);
  });

  test('nothing found is no error, a bad key is 401', async () => {
    expect(await solve({ wifiAccessPoints: UNKNOWN.map(macAddress => ({ macAddress })) })).toMatchObject({
      status: 200,
      json: { result: null, errors: [], warnings: [] },
    });
    expect(await solve({ wifiAccessPoints }, { key: 'wrong' })).toMatchObject({ status: 401, json: { result: null } });
    expect(await solve('no')).toMatchObject({ status: 200, json: { result: null, errors: [expect.any(String)] } });
  });

  test.each(['tdoa', 'rssi', 'gnss_lr1110_singleframe'])('%s is refused in words', async name => {
    const { status, json } = await served.ask(`/api/v1/solve/${name}`, { body: { lorawan: [] } });
    expect([status, json.result, json.errors.length]).toEqual([200, null, 1]);
    expect(json.errors[0]).toContain('loraWifi');
  });
});

describe('AWS IoT', () => {
  const estimate = (body: unknown, options = {}) => served.ask('/position-estimate', { body, ...options });
  const WiFiAccessPoints = ACCESS_POINTS.map(mac => ({ MacAddress: mac.toUpperCase(), Rss: -60 }));
  const lte = { Mcc: CELL.mcc, Mnc: CELL.mnc, EutranCid: CELL.id, Tac: CELL.area, Rsrp: -90, Rsrq: -7.5 };

  test('access points, a cell, a cell with neighbours; the point is GeoJSON', async () => {
    const LteNmr = [{ Earfcn: 6400, EutranCid: 5, Pci: 99, Rsrp: -99 }];
    for (const body of [
      { WiFiAccessPoints, Timestamp: 1_778_000_000 },
      { CellTowers: { Lte: [lte] } },
      { CellTowers: { Lte: [{ ...lte, LteLocalId: { Pci: 7, Earfcn: 6400 }, LteTimingAdvance: 2, LteNmr }] } },
    ]) {
      const { status, json } = await estimate(body);
      expect([status, json.type]).toEqual([200, 'Point']);
      near(json.coordinates[1], json.coordinates[0]);
      expect(json.properties.horizontalAccuracy).toBeGreaterThan(0);
      expect(Date.parse(json.properties.timestamp)).toBeGreaterThan(1_700_000_000_000);
    }
    const { json } = await estimate({ WiFiAccessPoints, Timestamp: 1_778_000_000 });
    expect(json.properties.timestamp).toBe('2026-05-05T16:53:20.000Z');
  });

  test('a neighbour of GSM is named by its global identity', async () => {
    const cell = { Mcc: CELL.mcc, Mnc: CELL.mnc, Lac: CELL.area, GeranCid: 77 };
    const GsmNmr = [{ Bsic: 1, Bcch: 2, RxLevel: -80, GlobalIdentity: { Lac: CELL.area, GeranCid: CELL.id } }];
    expect((await estimate({ CellTowers: { Gsm: [cell] } })).status).toBe(404);
    expect((await estimate({ CellTowers: { Gsm: [{ ...cell, GsmNmr }] } })).status).toBe(200);
  });

  test('errors are exceptions by their names', async () => {
    const error = (__type: string) => ({ __type, message: expect.any(String) });
    const none = { WiFiAccessPoints: UNKNOWN.map(MacAddress => ({ MacAddress, Rss: -60 })) };
    expect(await estimate(none)).toMatchObject({ status: 404, json: error('ResourceNotFoundException') });
    const denied = { status: 403, json: error('AccessDeniedException') };
    expect(await estimate({ WiFiAccessPoints }, { key: 'wrong' })).toMatchObject(denied);
    expect(await estimate({ WiFiAccessPoints }, { key: SPENT })).toMatchObject(denied);
    expect(await estimate('[')).toMatchObject({ status: 400, json: error('ValidationException') });
    await estimate({ WiFiAccessPoints }, { key: SLOW });
    const again = await estimate({ WiFiAccessPoints }, { key: SLOW });
    expect(again).toMatchObject({ status: 429, json: error('ThrottlingException') });
  });
});

describe('interfaces that firmware has compiled in', () => {
  const { mcc, mnc, area, id } = CELL;
  const query = `mcc=${mcc}&mnc=${mnc}&lac=${area}`;

  test("Mozilla's first", async () => {
    const search = (body: unknown, options = {}) => served.ask('/v1/search', { body, ...options });
    const cell = [{ radio: 'lte', mcc, mnc, lac: area, cid: id, signal: -90 }];
    for (const body of [{ cell }, { radio: 'lte', cell: [{ ...cell[0], radio: undefined }] }]) {
      const { json } = await search(body);
      expect(json.status).toBe('ok');
      near(json.lat, json.lon);
    }
    expect(await search({ wifi: UNKNOWN.map(key => ({ key })) })).toMatchObject({
      status: 200,
      json: { status: 'not_found' },
    });
    expect(await search({ cell }, { key: 'wrong' })).toMatchObject({ status: 400, json: { status: 'error' } });
    expect(await search('[]')).toMatchObject({ status: 400, json: { errors: [{ name: 'parseError' }] } });
  });

  test('one cell in a query, as Unwired Labs and Mylnikov', async () => {
    const unwired = await served.ask(`/v2/process.php?radio=lte&${query}&cid=${id}`);
    near(unwired.json.lat, unwired.json.lon);
    expect((await served.ask(`/v2/process?${query}`)).json.message).toBe('No matches found');
    const { json } = await served.ask(`/geolocation/cell?v=1.1&data=open&${query}&cellid=${id}`);
    near(json.data.lat, json.data.lon);
    expect(json).toMatchObject({ result: 200, data: { range: expect.any(Number) } });
    const missing = await served.ask(`/geolocation/cell?${query}&cellid=77`);
    expect([missing.status, missing.json]).toMatchObject([200, { result: 404, data: {} }]);
    const wrong = await served.ask(`/geolocation/cell?${query}&cellid=${id}`, { key: 'wrong' });
    expect([wrong.status, wrong.json.result]).toEqual([200, 400]);
  });
});
