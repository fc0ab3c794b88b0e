// What the admin interface shows of the world: stations, misses, accuracy, buildings.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readMeasuredAccuracy } from '../../../src/learning/calibration/measured_accuracy.ts';
import { type Administered, administered, BYTES, CELLS, ended, sharedAdministered } from './administered.ts';

const served = sharedAdministered();

/** Imports a file to its end. */
async function imported(ask: Administered['ask'], query: string, body: string): Promise<void> {
  await ended(ask, '/imports', (await ask('POST', `/imports?${query}`, body, BYTES)).json.id);
}

test('a card says what is known of a station, and which sources list it', async () => {
  const { service, ask } = await served();
  await imported(ask, 'kind=cells&source=own', CELLS);
  const cell = await ask('GET', '/stations/lte-262-2-801-86355');
  expect(cell.json.stations).toMatchObject([
    {
      station: 'lte-262-2-801-86355',
      kind: 'lte',
      state: 'imported',
      used: true,
      sources: ['own'],
      record: { latitude: 52.52, longitude: 13.28, samples: 7 },
      places: [],
    },
  ]);
  const demo = await ask('GET', '/stations/02:00:5e:00:00:d5');
  expect(demo.json.stations).toMatchObject([{ kind: 'wifi', used: true, sources: [] }]);
  await service.job({ verb: 'forget', what: 'stations', names: ['02:00:5e:00:00:d5'] });
  expect((await ask('GET', '/stations/02:00:5e:00:00:d5')).json.stations[0]).toEqual({
    station: '02:00:5e:00:00:d5',
    optedOut: true,
  });
});

test('a name may hold strokes; one that is none is refused, and an unknown station is not found', async () => {
  const { ask } = await served();
  const beacon = encodeURIComponent('e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7');
  expect(await ask('GET', `/stations/${beacon}`)).toMatchObject({
    status: 404,
    json: { error: 'Nothing is known of the station e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/7.' },
  });
  for (const name of ['fleet', '..%2F..%2Fetc', 'lte-262-2-801', '<b>'])
    expect((await ask('GET', `/stations/${name}`)).json.error, name).toMatch(/names no (station|cell|beacon)/);
});

test('what the service measured of itself is the table of the command', async () => {
  const { service, ask } = await served();
  expect((await ask('GET', '/accuracy')).json).toEqual({ measured: [] });
  const { key } = await service.key({ contributor: true, trusted: true });
  const wifiAccessPoints = ['d3', 'd4', 'e7'].map(octet => ({
    macAddress: `02:00:5e:00:00:${octet}`,
    signalStrength: -60,
  }));
  const items = [0, 1, 2].map(n => ({
    timestamp: Date.parse('2026-05-01T00:00:00Z') + 3_600_000 * n,
    position: { latitude: 1.25025, longitude: -2.4998, accuracy: 5 },
    wifiAccessPoints,
  }));
  expect((await service.request({ path: `/v2/geosubmit?key=${key}`, body: { items } })).status).toBe(200);
  await service.job({ verb: 'aggregate', action: 'all' });
  const { measured } = (await ask('GET', '/accuracy')).json;
  expect(measured[0]).toMatchObject({ radio: 'wifi', country: 'any', month: 'any', tested: 3 });
  expect(measured).toEqual(await readMeasuredAccuracy(service.folder));
  expect(measured[1]).toMatchObject({ country: '', month: '2026-05', median: measured[0].median });
});

test('misses are counted by what is known of where they were', async () => {
  const { service, ask } = await administered();
  await imported(ask, 'kind=cells&source=own', CELLS);
  const { key } = await service.key();
  const unknown = { macAddress: '0a:11:22:33:44:55', signalStrength: -60 };
  const cell = { radioType: 'lte', mobileCountryCode: 262, mobileNetworkCode: 2, locationAreaCode: 801, cellId: 999 };
  const bodies = [
    { wifiAccessPoints: [unknown], lastLocation: { lat: 48.17, lng: -11.55, timestamp: 1 } },
    { wifiAccessPoints: [unknown], gps: { latitude: 48.19, longitude: -11.51, age: 86_400 } },
    { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3', signalStrength: -60 }] },
    { cellTowers: [cell] },
    { cellTowers: [{ ...cell, locationAreaCode: 7 }], bluetoothBeacons: [unknown] },
    { wifiAccessPoints: [unknown] },
  ];
  for (const body of bodies) expect((await service.post(key, body)).status, JSON.stringify(body)).toBe(404);
  const compact = await service.request({ method: 'GET', path: `/?key=${key}&wifi=0a:11:22:33:44:55,,-60` });
  expect(compact.text).toBe('status=1');
  let { json } = await ask('GET', '/coverage/misses?degrees=0.1');
  while (json.misses < 7) ({ json } = await ask('GET', '/coverage/misses?degrees=0.1'));
  const counts = { misses: 1, withWifi: 0, withBeacons: 0, withCells: 0 };
  expect(json).toEqual({
    misses: 7,
    withWifi: 5,
    withBeacons: 1,
    withCells: 2,
    from: expect.any(String),
    to: expect.any(String),
    isCut: false,
    degrees: 0.1,
    squares: [
      { latitude: 48.1, longitude: -11.6, ...counts, misses: 2, withWifi: 2 },
      { latitude: 52.5, longitude: 13.2, ...counts, withCells: 1 },
      { latitude: 1.2, longitude: -2.5, ...counts, withWifi: 1 },
    ].sort((a, b) => json.squares.findIndex(sameSquare(a)) - json.squares.findIndex(sameSquare(b))),
    countries: [{ country: 'DE', ...counts, withCells: 1, withBeacons: 1 }],
    unplaced: { ...counts, misses: 2, withWifi: 2 },
  });
  const whole = (await ask('GET', '/coverage/misses?hours=168')).json;
  expect(whole.squares).toContainEqual({ latitude: 48, longitude: -12, ...counts, misses: 2, withWifi: 2 });
  // Neither who asked nor the addresses that were sent are told.
  for (const text of ['device', 'account', '44:55', '127.0.0.1']) expect(JSON.stringify(json)).not.toContain(text);
  for (const query of ['hours=0', 'hours=169', 'degrees=0.01', 'degrees=2', 'device=a'])
    expect((await ask('GET', `/coverage/misses?${query}`)).status, query).toBe(400);
});

test('a building is shown in the form in which it was imported, with the levels of its fingerprint map', async () => {
  const { ask } = await served();
  expect((await ask('GET', '/buildings/models')).json).toEqual({ buildings: [] });
  for (const id of ['1', '4294967295', '9999999999999999'])
    expect((await ask('GET', `/buildings/${id}`)).status, id).toBe(404);
  const plan = readFileSync('docs/examples/office.geojson', 'utf8');
  await imported(ask, 'kind=buildings&source=office', plan);
  expect((await ask('GET', '/buildings/models')).json.buildings[0].hasMap).toBe(false);
  expect((await ask('GET', '/buildings/1/levels?floor=0')).status).toBe(404);
  const survey = readFileSync('docs/examples/office_survey.csv', 'utf8');
  await imported(ask, 'kind=fingerprints&source=survey', survey);
  expect((await ask('GET', '/buildings/models')).json.buildings).toEqual([
    {
      id: 1,
      name: 'Harbour Office',
      buildingModelId: 7,
      buildingId: 1,
      latitude: 1.25055,
      longitude: -2.50005,
      floors: 2,
      hasMap: true,
    },
  ]);
  expect((await ask('GET', '/buildings/models?after=1')).json).toEqual({ buildings: [] });
  const shown = (await ask('GET', '/buildings/1')).json;
  expect(kindsOf(shown)).toEqual(kindsOf(JSON.parse(plan)));
  // What is shown can be imported again, and is shown as before.
  await imported(ask, 'kind=buildings&source=office', JSON.stringify(shown));
  expect((await ask('GET', '/buildings/2')).json).toEqual(shown);

  const { radios, places } = (await ask('GET', '/buildings/2/levels?floor=0')).json;
  expect(radios[0]).toMatchObject({ kind: 'wifi', radio: expect.stringMatching(/^\*:00:5e:1c:e0:0\d$/) });
  expect(places.some((place: object) => 'levelDbm' in place)).toBe(false);
  const heard = (await ask('GET', '/buildings/2/levels?floor=0&radio=02:00:5e:1c:e0:01')).json;
  expect((await ask('GET', '/buildings/2/levels?floor=0&radio=*:00:5e:1c:e0:01')).json).toEqual(heard);
  const strongest = heard.places.toSorted((a: Level, b: Level) => (b.levelDbm ?? -999) - (a.levelDbm ?? -999))[0];
  expect(strongest.levelDbm).toBeGreaterThan(-60);
  expect(Math.abs(strongest.latitude - 1.250445) + Math.abs(strongest.longitude + 2.500255)).toBeLessThan(1e-5);
  expect((await ask('GET', '/buildings/2/levels?floor=9')).json).toMatchObject({ radios: [], places: [] });
  for (const query of ['', 'floor=x', 'floor=0&radio=router', 'floor=0&radio=a/b/c'])
    expect((await ask('GET', `/buildings/2/levels?${query}`)).status, query).toBe(400);
});

test('positions of a device that follow each other are a walk', async () => {
  const { service, ask } = await served();
  const { key, id } = await service.key({ indoor: true });
  const other = await service.key();
  const wifiAccessPoints = ['d3', 'd4', 'e7'].map(octet => ({
    macAddress: `02:00:5e:00:00:${octet}`,
    signalStrength: -60,
  }));
  for (const name of ['walker', 'other']) await service.post(key, { wifiAccessPoints }, `&id=${name}`);
  await service.post(key, { wifiAccessPoints }, '&id=walker');
  await service.post(key, {}, '&id=walker');
  await service.post(other.key, { wifiAccessPoints }, '&id=walker');
  const stepsOf = async (query: string) =>
    (await ask('GET', `/walks?${query}`)).json.walks.flatMap((each: Walk) => each.steps);
  let steps = await stepsOf('device=walker');
  while (steps.length < 3) steps = await stepsOf('device=walker');
  expect(steps).toHaveLength(3);
  expect(await stepsOf(`device=walker&key=${id}`)).toEqual(steps.slice(0, 2));
  expect(steps[0]).toMatchObject({ latitude: expect.closeTo(1.25, 2), longitude: expect.closeTo(-2.5, 2) });
  expect((await ask('GET', '/walks?device=walker')).json.walks).toMatchObject([
    { from: steps[0].time, to: steps[2].time },
  ]);
  expect((await ask('GET', '/walks?device=nobody')).json).toEqual({ walks: [] });
  expect((await ask('GET', '/walks')).status).toBe(400);
});

interface Level {
  latitude: number;
  longitude: number;
  levelDbm?: number;
}
interface Walk {
  steps: { time: string }[];
}
interface Square {
  latitude: number;
  longitude: number;
}

function sameSquare(square: Square): (each: Square) => boolean {
  return each => each.latitude === square.latitude && each.longitude === square.longitude;
}

/** How many features of each kind there are on each floor. */
function kindsOf({ features }: { features: { properties: Record<string, unknown>; geometry: { type: string } }[] }) {
  const kinds = features.map(({ properties: { floorIndex, room, wall, door, building } }) =>
    [floorIndex, room, wall, door, building].map(String).join(' '),
  );
  return kinds.sort();
}
