// Where devices were last, from the request log.

import { expect, test } from 'vitest';
import { send } from '../../kits/service_process.ts';
import { type Administered, administered, ended, sharedAdministered } from './administered.ts';

const WIFI = {
  wifiAccessPoints: ['d3', 'd4'].map(octet => ({ macAddress: `02:00:5e:00:00:${octet}`, signalStrength: -60 })),
};

interface Device {
  device: string;
  account: number;
  last: { logId: number; time: string; status: number };
  position?: { logId: number; time: string };
}

const served = sharedAdministered();

/** Asks until the log has so many devices: the writer stores requests a moment later. */
async function devicesOf(ask: Administered['ask'], query: string, count: number): Promise<Device[]> {
  const read = async () => (await ask('GET', `/devices${query}`)).json.devices as Device[];
  await expect.poll(async () => (await read()).length, { interval: 20, timeout: 20_000 }).toBe(count);
  return read();
}

test('a device has its last position, also when its last request found nothing', async () => {
  const { service, ask } = await served();
  const { key, id } = await service.key();
  await service.post(key, WIFI, '&id=van');
  const placed = await service.post(key, WIFI, '&id=van');
  await service.post(key, {}, '&id=van');
  await service.post(key, {}, '&id=never');
  const devices = await devicesOf(ask, `?key=${id}`, 2);
  expect(devices).toMatchObject([
    { device: 'never', account: id, last: { route: 'position', status: 404 } },
    {
      device: 'van',
      account: id,
      last: { status: 404 },
      position: {
        logId: placed.json.logId,
        latitude: placed.json.location.lat,
        longitude: placed.json.location.lng,
        accuracy: placed.json.accuracy,
      },
    },
  ]);
  expect(devices[0]).not.toHaveProperty('position');
  expect(Date.parse(devices[1].last.time)).toBeGreaterThanOrEqual(Date.parse(devices[1].position!.time));
});

test('the same id under two keys is two devices, and a search names one', async () => {
  const { service, ask } = await served();
  const [one, other] = [await service.key(), await service.key()];
  await service.post(one.key, WIFI, '&id=same');
  await service.post(other.key, WIFI, '&id=same');
  await service.post(other.key, WIFI, '&id=another');
  const devices = await devicesOf(ask, '?device=same', 2);
  expect(devices.map(({ account }) => account)).toEqual([other.id, one.id]);
  expect(await devicesOf(ask, `?device=same&key=${one.id}`, 1)).toMatchObject([{ account: one.id }]);
  expect((await ask('GET', '/devices?device=nobody')).json).toEqual({ devices: [] });
  for (const query of ['key=x', 'device=', 'before=1', 'limit=1'])
    expect((await ask('GET', `/devices?${query}`)).status, query).toBe(400);
});

test('a device that is forgotten is no longer there', async () => {
  const { service, ask } = await administered();
  const { key, id } = await service.key();
  for (const device of ['stays', 'goes']) await service.post(key, WIFI, `&id=${device}`);
  await devicesOf(ask, `?key=${id}`, 2);
  const job = (await ask('POST', '/forget', { device: 'goes' })).json.id;
  expect(await ended(ask, '/jobs', job)).toMatchObject({ state: 'done' });
  expect((await ask('GET', '/devices')).json.devices).toMatchObject([{ device: 'stays' }]);
});

test('a log that keeps no answers and hashes ids tells no position, and finds a device by its id', async () => {
  const { service, ask } = await administered('--log-requests', 'reduced');
  const { key } = await service.key();
  await service.post(key, WIFI, '&id=van');
  const [device] = await devicesOf(ask, '?device=van', 1);
  expect(device.device).toMatch(/^#[0-9a-f]{16}$/);
  expect(device).not.toHaveProperty('position');
});

test('a tenant sees the devices of its own keys, one key at a time', async () => {
  const { service, url, ask } = await served();
  const { token } = (await ask('POST', '/tenants', { tag: 'fleet' })).json;
  const as = (query: string) =>
    send(url, { method: 'GET', path: `/devices${query}`, headers: { authorization: `Bearer ${token}` } });
  const own = await service.key({ tags: ['fleet'] });
  const others = await service.key();
  await service.post(own.key, WIFI, '&id=ours');
  await service.post(others.key, WIFI, '&id=theirs');
  await devicesOf(ask, `?key=${others.id}`, 1);
  await devicesOf(ask, `?key=${own.id}`, 1);
  expect((await as(`?key=${own.id}`)).json.devices).toMatchObject([{ device: 'ours', account: own.id }]);
  expect(await as(`?key=${others.id}`)).toMatchObject({ status: 404 });
  expect(await as('')).toMatchObject({ status: 400, json: { parameter: 'key' } });
  expect((await as('?device=theirs')).status).toBe(400);
});
