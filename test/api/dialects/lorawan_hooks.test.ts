// Webhooks of ChirpStack 3 and 4 and The Things Stack 3: uplinks with a WiFi scan in the forms of several decoders,
// what is answered, and what the operator's own address gets.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wifiScanIn } from '../../../src/protocol/dialects/wifi_scan.ts';
import { FEW_THREADS } from '../../kits/served_service.ts';
import { ServiceProcess } from '../../kits/service_process.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';
import { type ServedDialects, SPENT, serveDialects } from './served_dialects.ts';
import { ACCESS_POINTS, BETWEEN } from './stations.ts';

const [FIRST, SECOND] = ACCESS_POINTS;
const chirpStack = (object: unknown) => ({
  deduplicationId: '3ac7e3c4-4401-4b8d-9386-a5c902f9202d',
  time: '2026-05-04T08:00:00.433Z',
  deviceInfo: { tenantName: 'x', devEui: '0102030405060708', deviceName: 'bike', tags: { key: 'value' } },
  fPort: 1,
  data: 'qg==',
  object,
  rxInfo: [{ gatewayId: '0016c001f153a14c', rssi: -36, snr: 10.5, location: { latitude: 1, longitude: 2 } }],
});
const thingsStack = (payload: unknown) => ({
  end_device_ids: { device_id: 'bike', dev_eui: '0102030405060708', application_ids: { application_id: 'x' } },
  received_at: '2026-05-04T08:00:00.000000000Z',
  uplink_message: {
    f_port: 1,
    frm_payload: 'qg==',
    decoded_payload: payload,
    rx_metadata: [{ gateway_ids: { gateway_id: 'x', eui: '0016C001F153A14C' }, rssi: -36 }],
  },
});
const SCAN = [
  { mac: FIRST, rssi: -60 },
  { mac: SECOND, rssi: -70 },
];

describe('an uplink', () => {
  let served: ServedDialects;
  beforeAll(async () => {
    served = await serveDialects();
  });
  afterAll(() => served.parts.close());

  test.each([
    ['ChirpStack', '/hooks/chirpstack?event=up', chirpStack({ wifi: SCAN, battery: 3.6 })],
    ['ChirpStack without an event', '/hooks/chirpstack', chirpStack({ wifi: SCAN })],
    [
      'ChirpStack 3',
      '/hooks/chirpstack?event=up',
      {
        devEUI: '0102030405060708',
        deviceName: 'bike',
        publishedAt: '2026-05-04T08:00:00Z',
        objectJSON: JSON.stringify({ wifi: SCAN }),
      },
    ],
    ['The Things Stack', '/hooks/tts', thingsStack({ access_points: SCAN })],
  ])('of %s with a scan has the position of its device', async (_, path, body) => {
    const { status, json } = await served.ask(path, { body });
    expect([status, json.device, json.devEui]).toEqual([200, 'bike', '0102030405060708']);
    expect(Math.abs(json.location.lat - BETWEEN.latitude)).toBeLessThan(0.01);
    expect(json.accuracy).toBeGreaterThan(0);
    expect(json.time).toContain('2026-05-04T08:00:00');
  });

  test.each([
    ['another event', '/hooks/chirpstack?event=join', chirpStack({ wifi: SCAN })],
    ['nothing decoded', '/hooks/chirpstack?event=up', chirpStack(undefined)],
    ['no scan', '/hooks/chirpstack?event=up', chirpStack({ battery: 3.6, list: [1, { mac: FIRST }] })],
    ['another message', '/hooks/tts', { end_device_ids: { device_id: 'bike' }, join_accept: {} }],
  ])('with %s is answered with nothing, for nothing', async (_, path, body) => {
    expect(await served.ask(path, { body, key: SPENT })).toMatchObject({ status: 200, text: '{}' });
  });

  test('that cannot be located is no failure of the webhook; a bad key is', async () => {
    const unknown = chirpStack({ wifi: ['02:00:5e:99:99:01', '02:00:5e:99:99:02'].map(mac => ({ mac })) });
    const ask = (body: unknown, options = {}) => served.ask('/hooks/chirpstack', { body, ...options });
    expect(await ask(unknown)).toMatchObject({ status: 200, json: { error: 'Not found' } });
    expect(await ask(chirpStack({ wifi: SCAN }), { key: 'wrong' })).toMatchObject({ status: 401 });
    expect(await ask(chirpStack({ wifi: SCAN }), { key: SPENT })).toMatchObject({ status: 403 });
    expect(await ask('[]')).toMatchObject({ status: 400 });
  });
});

describe('a scan', () => {
  const point = (macAddress: string, signalStrength?: number) => ({ macAddress, signalStrength });

  test.each([
    [
      'bssid and rssi',
      {
        wifi: {
          aps: [
            { bssid: FIRST, rssi: -60 },
            { bssid: SECOND, rssi: -70 },
          ],
        },
      },
    ],
    [
      'names in capitals',
      {
        MeasureList: [
          { MAC: FIRST, RSSI: -60 },
          { MAC: SECOND, RSSI: -70 },
        ],
      },
    ],
    [
      'addresses without colons',
      [
        { macAddress: '02005E0000D3', signal: -60 },
        { macAddress: '02005E0000D4', signal: -70 },
      ],
    ],
    ['numbered members', { mac_0: FIRST, rssi_0: -60, ssid_0: 'x', mac_1: SECOND, rssi_1: -70, battery: 3.6 }],
    ['numbers within names', { wifi1Bssid: FIRST, wifi1Signal: -60, wifi2Bssid: SECOND, wifi2Signal: -70 }],
    ['levels by their addresses', { wifi: { [FIRST]: -60, [SECOND]: -70 } }],
    ['texts of both', [`${FIRST},-60`, `${SECOND}; -70 dBm`]],
    ['a text of JSON', { objectJSON: JSON.stringify({ wifi: SCAN }) }],
    ['a text of JSON within another', { a: JSON.stringify({ b: JSON.stringify(SCAN) }) }],
    ['a longer list beside a shorter one', { beacons: [{ mac: FIRST, rssi: -1 }], deep: { er: { wifi: SCAN } } }],
  ])('is found by %s', (_, decoded) => {
    const found = wifiScanIn(decoded)!;
    expect(found.map(({ signalStrength }) => signalStrength)).toEqual([-60, -70]);
  });

  test('is one of access points alone, at least two', () => {
    expect(wifiScanIn([{ mac: FIRST }, { mac: SECOND }])).toEqual([point(FIRST), point(SECOND)]);
    for (const none of [
      undefined,
      null,
      5,
      'x',
      {},
      [SCAN[0]],
      [{ mac: 'x' }, { mac: 'y' }],
      { mac: FIRST, rssi: -60 },
      { 202605040800: 5, 202605040801: 6 },
      { mac_0: FIRST, rssi_0: -60, mac_1: 'none', rssi_1: -70 },
      { text: '[not json' },
      [FIRST, SECOND],
    ])
      expect(wifiScanIn(none)).toBeUndefined();
  });

  test('is looked for in so many values and no more', () => {
    expect(wifiScanIn({ a: Array.from({ length: 5_000 }, () => ({})), b: [SCAN] })).toBeUndefined();
    expect(wifiScanIn({ a: [], b: [SCAN] })).toHaveLength(2);
  });
});

describe('the address of --hook-forward', () => {
  const got: { path: string | undefined; body: string }[] = [];
  let other: Server;
  let service: ServiceProcess;
  let received: () => void;

  beforeAll(async () => {
    other = createServer((request, response) => {
      let body = '';
      request.on('data', chunk => {
        body += chunk;
      });
      request.on('end', () => {
        got.push({ path: request.url, body });
        response.end();
        received();
      });
    });
    await new Promise<void>(listening => other.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/positions?token=SECRET`;
    service = await ServiceProcess.start(join(folderOfFile(), 'var'), ...FEW_THREADS, '--hook-forward', url);
  });
  afterAll(async () => {
    const { stdout, stderr } = await service.stop();
    expect(stdout + stderr).not.toContain('SECRET');
    other.close();
  });

  test('gets each position as it is answered, and nothing else', async () => {
    const { key } = await service.key();
    const arriving = new Promise<void>(resolve => {
      received = resolve;
    });
    await service.request({ path: `/k/${key}/hooks/tts`, body: thingsStack({ nothing: 1 }) });
    const { text } = await service.request({ path: `/k/${key}/hooks/tts`, body: thingsStack({ wifi: SCAN }) });
    await arriving;
    expect(got).toEqual([{ path: '/positions?token=SECRET', body: text }]);
    expect(text).toContain('"device":"bike"');
  });
});
