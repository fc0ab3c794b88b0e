// Bodies of other services that are sent to our own path: those whose stations are clear are answered, the others are
// told where they belong.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectError } from '../kits/service_process.ts';
import { type ServedDialects, serveDialects } from './dialects/served_dialects.ts';
import { CELL } from './dialects/stations.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

const post = (body: object, path = '/') => served.ask(path, { body });
const POINTS = ['02:00:5e:00:00:d3', '02:00:5e:00:00:d4'];
const { mcc, mnc, area, id } = CELL;

test.each([
  ['Unwired Labs: access points', { wifi: POINTS.map(bssid => ({ bssid, signal: -50 })) }],
  ['Unwired Labs: a cell', { radio: 'lte', mcc, mnc, cells: [{ lac: area, cid: id }] }],
  ['HERE: access points', { wlan: POINTS.map(mac => ({ mac, rss: -50 })) }],
  ['HERE: a cell', { lte: [{ mcc, mnc, tac: area, cid: id }] }],
  ['nRF Cloud: access points', { wifi: { accessPoints: POINTS.map(macAddress => ({ macAddress })) } }],
  ['nRF Cloud: a cell', { lte: [{ mcc, mnc, tac: area, eci: id }] }],
])('a body of another service is answered as our own: %s', async (_, body) => {
  const { status, json } = await post(body);
  expect([status, json]).toMatchObject([200, { location: expect.anything(), accuracy: expect.any(Number) }]);
  expect((await post({ ...body, confidence: 95 })).json.accuracy).toBeGreaterThan(json.accuracy);
});

test('one whose stations are not known is not found', async () => {
  expectError(await post({ cells: [{ mcc: 1, mnc: 1, lac: 9, cid: 9 }] }), 404, 'notFound', 'geolocation');
});

test.each([
  [{ cells: 'none' }, 'cells is a member of Unwired Labs', '/v2/process'],
  [{ wlan: [] }, 'wlan is a member of HERE', '/v2/locate'],
  [{ wifi: { accessPoints: 3 } }, 'wifi.accessPoints is a member of nRF Cloud', '/v1/location/ground-fix'],
  [{ items: [] }, 'items is a member of submissions', '/v2/geosubmit'],
  [{ wifi_access_points: [] }, 'wifi_access_points is not known', 'wifiAccessPoints'],
  [{ celltowers: [] }, 'celltowers is not known', 'cellTowers'],
])('one that cannot be understood is told where it belongs: %j', async (body, says, where) => {
  const answer = await post(body);
  expectError(answer, 400, 'parseError', 'global');
  expect(answer.json.error.message).toContain(says);
  expect(answer.json.error.message).toContain(where);
});

test('a body with a member of ours is one of ours, and one without any is not found', async () => {
  const unknown = { macAddress: '02:ff:5e:00:00:d3' };
  for (const body of [
    { wifiAccessPoints: [unknown], cells: [] },
    { gps: { latitude: 91 }, wlan: [] },
    {},
    { radio: 'lte' },
  ])
    expectError(await post(body), 404, 'notFound', 'geolocation');
});

test('in a batch, each position for itself', async () => {
  const { json } = await post([{ wlan: POINTS.map(mac => ({ mac })) }, { cells: 1 }], '/v1/geolocate/batch');
  expect(json).toMatchObject([
    { location: expect.anything(), accuracy: expect.any(Number) },
    expect.objectContaining({ error: expect.objectContaining({ code: 400 }) }),
  ]);
});
