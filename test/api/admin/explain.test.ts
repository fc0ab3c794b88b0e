// Explained positions over the admin interface: with what the threads of the service know.

import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { Answer } from '../../kits/service_process.ts';
import { administered, sharedAdministered } from './administered.ts';

const NEAR = ['d3', 'd4', 'e7'].map((octet, i) => ({ macAddress: `02:00:5e:00:00:${octet}`, signalStrength: -50 - i }));
const AWAY = { macAddress: '02:00:5e:00:00:01', signalStrength: -60 };

const served = sharedAdministered();

test('a position is explained with the positions of its stations', async () => {
  const { ask } = await served();
  const { status, json } = await ask('POST', '/explain', { wifiAccessPoints: NEAR });
  expect(status).toBe(200);
  expect(json.stations[0]).toMatchObject({
    taken: 'used',
    strategy: 'wifi',
    known: { latitude: 1.2502487, longitude: -2.4997969 },
  });
  expect(json.estimates).toMatchObject([{ strategy: 'wifi', stations: 3, joined: true }]);
  expect(json.answer.radius.parts).toHaveProperty('geometry');

  // A fallback says which cells it went by.
  const cellTowers = [{ mobileCountryCode: 1, mobileNetworkCode: 1, locationAreaCode: 1, cellId: 256010 }];
  const guessed = (await ask('POST', '/explain', { radioType: 'lte', fallbacks: { all: 1 }, cellTowers })).json;
  expect(guessed.fallbacks[0]).toEqual({ fallback: 'w4f', result: 'noGuess' });
  expect(guessed.fallbacks[1]).toMatchObject({ fallback: 'nbcidf', result: 'answered' });
  const [{ latitude, longitude, typicalMetres }] = guessed.fallbacks[1].guesses;
  expect(latitude).toBeCloseTo(guessed.answer.latitude, 1);
  expect(longitude).toBeCloseTo(guessed.answer.longitude, 1);
  expect(typicalMetres).toBeGreaterThan(0);
  const words = guessed.sections.find(({ title }: { title: string }) => title === 'Fallbacks');
  expect(words.items.map(({ about }: { about?: string }) => about)).toEqual([undefined, 'fallback:1']);
});

test('a body that is no position is refused with the reason, and the next one is answered', async () => {
  const { ask } = await served();
  const refused = await ask('POST', '/explain', { wifiAccessPoints: 5 });
  expect([refused.status, refused.json]).toEqual([400, { error: 'wifiAccessPoints must be an array.' }]);
  expect((await ask('POST', '/explain', {})).json.estimates).toEqual([]);
});

test('what a key may guess no more is still explained to the operator', async () => {
  const { service, ask } = await administered();
  const { key } = await service.key();
  const taken = async () =>
    (await ask('POST', '/explain', { wifiAccessPoints: [...NEAR, AWAY] })).json.stations[3].taken;
  expect(await taken()).toBe('apart');
  // It is sent beside others, where it is not.
  for (const group of [
    ['00:d3', '00:d4', '00:d5'],
    ['00:14', '00:13', '00:12'],
    ['01:7d', '01:7e', '01:7f'],
  ]) {
    const wifiAccessPoints = group.map(octets => ({ macAddress: `02:00:5e:00:${octets}`, signalStrength: -50 }));
    expect((await service.post(key, { wifiAccessPoints: [...wifiAccessPoints, AWAY] })).status).toBe(200);
  }
  expect(await taken()).toBe('apart');
});

test('an explanation has its words, what would be answered, and the circles around it', async () => {
  const { ask } = await served();
  const { json } = await ask('POST', '/explain', { wifiAccessPoints: NEAR, confidence: 68, geoname: 1 });
  expect(json.sections[0]).toEqual({ title: 'Sent: access points 3, beacons 0, cells 0', items: [] });
  const stations = json.sections.find(({ title }: { title: string }) => title === 'Stations');
  expect(stations.items.map(({ about }: { about: string }) => about)).toEqual(['station:0', 'station:1', 'station:2']);
  expect(stations.items[0].lines[0]).toBe('02:00:5e:00:00:d3 (wifiAccessPoints[0], -50 dBm)');
  expect(Object.keys(json.response).sort()).toEqual(['accuracy', 'location']);
  expect(json.response.location.lat).toBeCloseTo(json.answer.latitude, 6);
  expect(json.circles.map(({ confidence }: { confidence: number }) => confidence)).toEqual([50, 68, 95]);
  expect(Math.round(json.circles[1].metres)).toBe(json.response.accuracy);
  expect(json.circles[0].metres).toBeCloseTo(json.answer.radius.r50Metres, 0);
});

test('a search and a point are explained as by the command, with what would be answered', async () => {
  const { ask } = await served();
  const search = await ask('GET', '/explain/search?q=vadzu&countrycodes=li');
  expect(search.json.candidates[0]).toMatchObject({ words: [{ words: 'vadzu', as: 'vaduz', reading: 'edited' }] });
  expect(search.json.response[0]).toMatchObject({ name: 'Vaduz', address: { country: 'Liechtenstein' } });
  const about = `place:${search.json.response[0].place_id}`;
  const places = search.json.sections.find(({ title }: { title: string }) => title === 'Places');
  expect(places.items[0]).toMatchObject({
    about,
    lines: [expect.stringContaining('1. Vaduz'), expect.any(String), expect.any(String)],
  });
  const point = await ask('GET', '/explain/reverse?lat=47.141&lon=9.521&zoom=4');
  expect(point.json).toMatchObject({ zoom: 4, response: { name: 'Liechtenstein' } });
  expect(await ask('GET', '/explain/reverse?lat=91&lon=9')).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining('lat') },
  });
  expect((await ask('GET', '/explain/reverse?lat=47')).status).toBe(400);
  expect((await ask('GET', '/explain/search')).status).toBe(400);
});

test('a logged request is explained with what was asked', async () => {
  const { service, ask } = await served();
  const body = { wifiAccessPoints: NEAR };
  const { logId } = (await service.post(service.demoKey, body)).json;
  expect((await ask('GET', `/explain/log/${logId}`)).json).toMatchObject({
    logged: { logId, status: 200 },
    asked: { route: 'position', body },
    response: { location: { lat: expect.any(Number) } },
  });
  // Of a device that is followed in a building: where it was before, and the outlines around it.
  await service.job({ verb: 'import', kind: 'buildings', files: [resolve('docs/examples/office.geojson')] });
  await service.job({ verb: 'import', kind: 'fingerprints', files: [resolve('docs/examples/office_survey.csv')] });
  const { key } = await service.key({ tracking: true });
  const walked: Answer['json'][] = [];
  for (const levels of [
    [-53, -87, -80],
    [-58, -80, -78],
    [-64, -75, -76],
  ]) {
    const wifiAccessPoints = levels.map((signalStrength, i) => ({
      macAddress: `02:00:5e:1c:e0:0${i + 1}`,
      signalStrength,
    }));
    walked.push((await service.post(key, { indoor: 1, wifiAccessPoints }, '&id=walker')).json);
  }
  const walk = (await ask('GET', `/explain/log/${walked[2].logId}`)).json;
  expect(
    walk.before.map(({ latitude, longitude }: { latitude: number; longitude: number }) => [latitude, longitude]),
  ).toEqual(walked.slice(0, 2).map(({ location: { lat, lng } }) => [lat, lng]));
  expect(walk.shapes.map(({ about, name }: { about: string; name: string }) => `${about} ${name}`)).toEqual([
    'building Harbour Office',
    'floor G',
    'room Lobby',
  ]);
  for (const { geometry } of walk.shapes) expect(geometry).toMatchObject({ type: 'Polygon' });
  const abouts = walk.sections.flatMap(({ items }: { items: { about?: string }[] }) => items.map(({ about }) => about));
  for (const about of ['building', 'floor', 'room', 'track']) expect(abouts).toContain(about);

  const search = await service.request({ method: 'GET', path: `/search?q=Vaduz&key=${service.demoKey}` });
  const { json } = await ask('GET', `/explain/log/${search.headers['x-log-id']}`);
  expect(json.asked.route).toBe('search');
  expect(JSON.stringify(json)).not.toContain(service.demoKey);
  expect(await ask('GET', '/explain/log/1')).toMatchObject({
    status: 404,
    json: { error: expect.stringContaining('no logged') },
  });
  const refused = await service.request({ path: `/v2/geosubmit?key=${service.demoKey}`, body: { items: [] } });
  expect(await ask('GET', `/explain/log/${refused.headers['x-log-id']}`)).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining('asks for no position and no place') },
  });
});
