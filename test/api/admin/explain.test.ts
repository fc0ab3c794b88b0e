// Explained positions over the admin interface: with what the threads of the service know.

import { expect, test } from 'vitest';
import { administered } from './administered.ts';

const NEAR = ['d3', 'd4', 'e7'].map((octet, i) => ({ macAddress: `02:00:5e:00:00:${octet}`, signalStrength: -50 - i }));
const AWAY = { macAddress: '02:00:5e:00:00:01', signalStrength: -60 };

test('a position is explained with the positions of its stations', async () => {
  const { ask } = await administered();
  const { status, json } = await ask('POST', '/explain', { wifiAccessPoints: NEAR });
  expect(status).toBe(200);
  expect(json.stations[0]).toMatchObject({
    taken: 'used',
    strategy: 'wifi',
    known: { latitude: 1.2502487, longitude: -2.4997969 },
  });
  expect(json.estimates).toMatchObject([{ strategy: 'wifi', stations: 3, joined: true }]);
  expect(json.answer.radius.parts).toHaveProperty('geometry');
});

test('a body that is no position is refused with the reason, and the next one is answered', async () => {
  const { ask } = await administered();
  const refused = await ask('POST', '/explain', { wifiAccessPoints: 5 });
  expect([refused.status, refused.json]).toEqual([400, { error: 'wifiAccessPoints must be an array.' }]);
  expect((await ask('POST', '/explain', {})).json.estimates).toEqual([]);
});

test('it knows which stations are left out of look-ups now', async () => {
  const { service, ask } = await administered();
  const { key } = await service.key();
  const taken = async () =>
    (await ask('POST', '/explain', { wifiAccessPoints: [...NEAR, AWAY] })).json.stations[3].taken;
  expect(await taken()).toBe('apart');
  // It is sent beside others of three places of the town.
  for (const group of [
    ['00:d3', '00:d4', '00:d5'],
    ['00:14', '00:13', '00:12'],
    ['01:7d', '01:7e', '01:7f'],
  ]) {
    const wifiAccessPoints = group.map(octets => ({ macAddress: `02:00:5e:00:${octets}`, signalStrength: -50 }));
    await service.post(key, { wifiAccessPoints: [...wifiAccessPoints, AWAY] });
  }
  expect(await taken()).toBe('stray');
});
