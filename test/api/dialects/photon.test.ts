// Photon: the requests that geopy 2.5, leaflet-control-geocoder 4.0 and Traccar's form of an address make, and what
// they read of the answers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUSE, RESTAURANT, SEA } from '../../kits/places/extracts.ts';
import { expectError } from '../../kits/service_process.ts';
import { KEY, type ServedDialects, SLOW, SPENT, serveDialects } from './served_dialects.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

const at = `lat=${HOUSE.lat}&lon=${HOUSE.lon}`;
const VADUZ = {
  osm_key: 'boundary',
  osm_value: 'administrative',
  osm_type: 'R',
  name: 'Vaduz',
  type: 'city',
  country: 'Liechtenstein',
  countrycode: 'LI',
};

describe('a search', () => {
  test('of geopy: a feature with a point and the parts of its address', async () => {
    const { json } = await served.ask('/api?q=Vaduz&limit=1');
    expect(json.features).toHaveLength(1);
    expect(json.features[0].geometry).toEqual({ type: 'Point', coordinates: [9.52, 47.141] });
    expect(json.features[0].properties).toMatchObject(VADUZ);
    expect(json.features[0].properties.city).toBeUndefined();
  });

  test('while typing, with a trailing slash and the middle of a map, as leaflet-control-geocoder', async () => {
    const { json } = await served.ask('/api/?q=Vadu&lat=47.14&lng=9.52&lon=9.52&zoom=13');
    expect(json.features[0].properties).toMatchObject(VADUZ);
    const house = (await served.ask('/photon/api/?q=%C3%84ulestrasse+3+Vaduz')).json.features[0];
    expect(house.properties).toMatchObject({ housenumber: '3', street: 'Äulestrasse', city: 'Vaduz', type: 'house' });
  });

  test('the extent is west, north, east, south', async () => {
    const { json } = await served.ask('/api?q=Oberland&layer=county&layer=state');
    const [west, north, east, south] = json.features[0].properties.extent;
    expect([west < 9.52, north > 47.155, east > 9.52, south < 47.155]).toEqual([true, true, true, true]);
  });

  test('the point of a search brings near places first', async () => {
    const first = async (lat: number) =>
      (await served.ask(`/api?q=%C3%84ulestrasse+3&lat=${lat}&lon=9.515&zoom=16`)).json.features[0].properties.city;
    expect([await first(47.2), await first(47.14)]).toEqual(['Schaan', 'Vaduz']);
  });

  test.each([
    ['osm_tag=boundary', 'boundary'],
    ['osm_tag=boundary:administrative', 'boundary'],
    ['osm_tag=:administrative', 'boundary'],
    ['osm_tag=!building&osm_tag=boundary:!hedge', 'boundary'],
    ['layer=city', undefined],
    ['bbox=9.4,47.1,9.6,47.3&countrycode=LI', undefined],
  ])('%s filters', async (filter, osmKey) => {
    const { features } = (await served.ask(`/api?q=Vaduz&${filter}`)).json;
    expect(features.length).toBeGreaterThan(0);
    if (osmKey !== undefined) for (const { properties } of features) expect(properties.osm_key).toBe(osmKey);
  });

  test('several tags are joined by OR, and each that is excluded is gone', async () => {
    const found = async (filter: string) => {
      const { features } = (await served.ask(`/api?q=%C3%84ulestrasse&limit=50&${filter}`)).json;
      return new Set(features.map(({ properties }: { properties: { osm_key: string } }) => properties.osm_key));
    };
    expect(await found('osm_tag=highway&osm_tag=building')).toEqual(new Set(['highway']));
    expect(await found('osm_tag=highway&osm_tag=building&osm_tag=!highway')).toEqual(new Set());
    expect(await found('osm_tag=!highway')).not.toContain('highway');
  });

  test('a key with a value that is excluded is the key with another value', async () => {
    const found = async (filter: string) => (await served.ask(`/api?q=Vaduz&${filter}`)).json.features.length;
    expect(await found('osm_tag=boundary:!administrative')).toBe(0);
    expect(await found('osm_tag=boundary:!hedge')).toBe(await found('osm_tag=boundary'));
    for (const none of ['osm_tag=:!administrative', 'osm_tag=!:administrative', 'osm_tag=!boundary:administrative'])
      expect((await served.ask(`/api?q=Vaduz&${none}`)).json.features, none).not.toContainEqual(
        expect.objectContaining({ properties: expect.objectContaining({ osm_value: 'administrative' }) }),
      );
  });

  test('what is filtered out is not there', async () => {
    for (const filter of [
      'osm_tag=highway',
      'osm_tag=!boundary&osm_tag=!building&osm_tag=!highway&osm_tag=!amenity',
      'layer=house',
      'bbox=0,0,1,1',
      'countrycode=ch',
    ])
      expect((await served.ask(`/api?q=Vaduz&${filter}`)).json, filter).toEqual({
        type: 'FeatureCollection',
        features: [],
      });
  });

  test('in parts', async () => {
    const { json } = await served.ask('/structured?housenumber=3&street=%C3%84ulestrasse&city=Schaan&countrycode=LI');
    expect(json.features[0].properties).toMatchObject({ housenumber: '3', city: 'Schaan', postcode: '9494' });
    expect((await served.ask('/structured?countrycode=LI')).json.features[0].properties.type).toBe('country');
    expect(await served.ask('/structured')).toMatchObject({ status: 400 });
  });

  test('names are in the language that is asked for', async () => {
    const name = async (query: string, headers = {}) =>
      (await served.ask(`/api?q=Vaduz&limit=1${query}`, { headers })).json.features[0].properties.name;
    expect(await name('&lang=ru')).toBe('Вадуц');
    expect(await name('', { 'accept-language': 'ru' })).toBe('Вадуц');
    expect(await name('&lang=default', { 'accept-language': 'ru' })).toBe('Vaduz');
  });
});

describe('a point', () => {
  test('is answered at the root if only Photon has such a parameter, else as the specification says', async () => {
    const house = { features: [{ properties: { housenumber: '3', street: 'Äulestrasse', osm_key: 'building' } }] };
    for (const path of [
      `/photon/reverse?${at}`,
      `/photon/reverse/?${at}`,
      `/reverse?${at}&limit=1`,
      `/reverse/?${at}&lang=de`,
    ])
      expect((await served.ask(path)).json, path).toMatchObject(house);
    for (const more of ['', '&zoom=18', '&limit=1&zoom=18', '&lang=de&accept-language=de'])
      expect((await served.ask(`/reverse?${at}${more}`)).json, more).toEqual({ address: expect.anything() });
    expect((await served.ask(`/reverse?${at}&limit=1&format=jsonv2`)).json.display_name).toContain('Äulestrasse');
  });

  test('a layer is how fine the answer is', async () => {
    const type = async (layer: string) =>
      (await served.ask(`/photon/reverse?${at}&layer=${layer}`)).json.features[0].properties.type;
    expect([await type('city'), await type('country'), await type('street')]).toEqual(['city', 'country', 'street']);
  });

  test('the open sea has no features, for nothing', async () => {
    const { json } = await served.ask(`/photon/reverse?lat=${SEA.lat}&lon=${SEA.lon}`);
    expect(json.features).toEqual([]);
    expect(
      (await served.ask(`/photon/reverse?lat=${RESTAURANT.lat}&lon=${RESTAURANT.lon}`)).json.features,
    ).toHaveLength(1);
  });
});

test('errors have a message, with the status that tells them apart', async () => {
  expect(await served.ask('/api')).toMatchObject({ status: 400, json: { message: "missing search term 'q'" } });
  expect(await served.ask('/photon/reverse?lat=91&lon=1')).toMatchObject({ status: 400 });
  expect(await served.ask('/api?q=Vaduz', { key: 'wrong' })).toMatchObject({
    status: 400,
    json: { message: 'Missing or invalid API key.' },
  });
  expect(await served.ask('/api?q=Vaduz', { key: SPENT })).toMatchObject({ status: 403 });
  await served.ask('/api?q=Vaduz', { key: SLOW });
  const slow = await served.ask('/api?q=Vaduz', { key: SLOW });
  expect(slow.status).toBe(429);
  expect(Number(slow.headers['retry-after'])).toBeGreaterThan(0);
  expectError(await served.ask('/photon/api', { body: '' }), 405, 'methodNotAllowed', 'global');
});

test('the key may stand behind /photon, and pages of any origin may ask', async () => {
  for (const path of [`/photon/k/${KEY}/api?q=Vaduz`, `/k/${KEY}/photon/api?q=Vaduz`])
    expect((await served.ask(path, { key: '' })).json.features.length, path).toBeGreaterThan(0);
  const { headers } = await served.ask('/api?q=Vaduz');
  expect(headers['access-control-allow-origin']).toBe('*');
  expect((await served.ask('/api', { method: 'OPTIONS' })).headers['access-control-allow-methods']).toBe(
    'GET, OPTIONS',
  );
});

test('the status says when the places were built', async () => {
  expect((await served.ask('/photon/status', { key: '' })).json).toMatchObject({ status: 'Ok' });
});

test('a service without it knows none of its paths', async () => {
  const { port } = (await served.parts.serveBeside(['--dialects', 'none'])).address() as { port: number };
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}/k/${KEY}${path}`);
  for (const path of ['/api?q=Vaduz', '/photon/api?q=Vaduz', '/photon/status'])
    expect((await ask(path)).status).toBe(404);
  expect(await (await ask(`/reverse?${at}&limit=1`)).json()).toEqual({ address: expect.anything() });
});
