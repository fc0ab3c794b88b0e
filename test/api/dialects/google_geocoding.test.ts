// Google's Geocoding API: the requests that geopy 2.5, Google's own client 3.4 and leaflet-control-geocoder 4.0 make,
// and what they read of the answers.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnsweredPlace } from '../../../src/protocol/dialects/dialect.ts';
import { GOOGLE_GEOCODING } from '../../../src/protocol/dialects/google_geocoding.ts';
import { HOUSE, RESTAURANT, SEA } from '../../kits/places/extracts.ts';
import { type ServedDialects, SLOW, SPENT, serveDialects } from './served_dialects.ts';

let served: ServedDialects;
beforeAll(async () => {
  served = await serveDialects();
});
afterAll(() => served.parts.close());

const ask = async (query: string, options = {}) => (await served.ask(`/maps/api/geocode/json?${query}`, options)).json;
const component = (type: string, { address_components: components }: { address_components: { types: string[] }[] }) =>
  components.find(({ types }) => types[0] === type);

test('an address has a location, a viewport and its components', async () => {
  const { status, results } = await ask('address=%C3%84ulestrasse+3%2C+Vaduz&sensor=false');
  expect([status, results.length]).toEqual(['OK', 1]);
  const [house] = results;
  expect(house).toMatchObject({
    formatted_address: expect.stringContaining('Äulestrasse'),
    geometry: { location: { lat: 47.1402, lng: 9.515 }, location_type: 'ROOFTOP' },
    types: ['street_address'],
  });
  const { northeast, southwest } = house.geometry.viewport;
  expect([northeast.lat > 47.1402, northeast.lng > 9.515, southwest.lat < 47.1402, southwest.lng < 9.515]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(component('street_number', house)).toMatchObject({ long_name: '3' });
  expect(component('route', house)).toMatchObject({ long_name: 'Äulestrasse' });
  expect(component('locality', house)).toMatchObject({ long_name: 'Vaduz', types: ['locality', 'political'] });
  expect(component('postal_code', house)).toMatchObject({ long_name: '9490' });
  expect(component('country', house)).toMatchObject({ long_name: 'Liechtenstein', short_name: 'LI' });
  expect(house.partial_match).toBeUndefined();
});

test('a house that the map lacks is a partial match on its street', async () => {
  const { results } = await ask('address=%C3%84ulestrasse+77%2C+Vaduz');
  expect(results[0]).toMatchObject({ partial_match: true, types: ['route'] });
});

describe('components', () => {
  // A bare stroke may stand in the query.
  test.each([
    ['components=country:LI|locality:Schaan', 'locality'],
    ['components=country%3ALI%7Clocality%3ASchaan', 'locality'],
    ['address=%C3%84ulestrasse&components=locality:Schaan|country:li', 'route'],
    ['address=Schaan&components=country:Liechtenstein', 'locality'],
    ['components=country:LI', 'country'],
    ['components=country:Liechtenstein', 'country'],
  ])('%s', async (query, type) => {
    const { status, results } = await ask(query);
    expect([status, results[0].types[0]]).toEqual(['OK', type]);
    expect(results[0].formatted_address).toContain(type === 'country' ? 'Liechtenstein' : 'Schaan');
  });

  test('of another country find nothing', async () => {
    expect(await ask('address=Vaduz&components=country:CH')).toEqual({ results: [], status: 'ZERO_RESULTS' });
  });
});

test('bounds bring places first, and language names them', async () => {
  const city = async (bounds: string) =>
    component('locality', (await ask(`address=%C3%84ulestrasse+3&bounds=${bounds}`)).results[0]);
  expect(await city('47.19,9.5|47.21,9.53')).toMatchObject({ long_name: 'Schaan' });
  expect(await city('47.13,9.5|47.15,9.53')).toMatchObject({ long_name: 'Vaduz' });
  expect((await ask('address=Vaduz&language=ru')).results[0].address_components[0].long_name).toBe('Вадуц');
});

describe('a point', () => {
  test('has its place, as fine as is asked', async () => {
    const at = `latlng=${HOUSE.lat},${HOUSE.lon}`;
    const { status, plus_code: plusCode, results } = await ask(at);
    expect([status, results[0].types]).toEqual(['OK', ['street_address']]);
    expect(plusCode.global_code).toMatch(/^8FVF/);
    expect((await ask(`${at}&result_type=locality|country`)).results[0].types[0]).toBe('locality');
    expect((await ask(`${at}&result_type=route`)).results[0].types[0]).toBe('route');
    expect((await ask(`${at}&location_type=APPROXIMATE`)).status).toBe('ZERO_RESULTS');
    const { results: shops } = await ask(`latlng=${RESTAURANT.lat},${RESTAURANT.lon}`);
    expect(shops[0].types).toEqual(['establishment', 'point_of_interest']);
  });

  test('has its house, also where the house has another use', async () => {
    const types = async ({ lat, lon }: typeof HOUSE, asked: string) => {
      const { status, results } = await ask(`latlng=${lat},${lon}&result_type=${asked}`);
      return status === 'OK' ? results[0].types : status;
    };
    expect(await types(HOUSE, 'street_address|premise')).toEqual(['street_address']);
    expect(await types(HOUSE, 'premise')).toEqual(['premise']);
    expect(await types(RESTAURANT, 'street_address|premise')).toEqual(['street_address']);
    expect(await types(RESTAURANT, 'point_of_interest')).toEqual(['establishment', 'point_of_interest']);
  });

  test('in the open sea has none', async () => {
    expect(await ask(`latlng=${SEA.lat},${SEA.lon}`)).toMatchObject({ results: [], status: 'ZERO_RESULTS' });
  });
});

describe('a village in a town', () => {
  const written = (place: Partial<AnsweredPlace>) => {
    const asked = GOOGLE_GEOCODING.routes[0].read({
      url: '/maps/api/geocode/json?latlng=47.14,9.52',
      languages: undefined,
      bytes: Buffer.alloc(0),
    });
    if (!('reverse' in asked)) throw new Error('It asks for no point.');
    const text = asked.write([
      { ...PLACE, ...place, name: '', namedetails: {}, licence: '', importance: 0, type: '' } as AnsweredPlace,
    ]);
    return JSON.parse(text as string).results[0];
  };
  const PLACE = { lat: '47.14', lon: '9.52', display_name: 'x', boundingbox: ['47', '48', '9', '10'] as const };

  test('is its quarter, and the town the locality, whichever is named first', () => {
    const house = written({
      category: 'building',
      place_rank: 30,
      addresstype: 'building',
      address: { house_number: '1', road: 'Gasse', quarter: 'Altstadt', village: 'Ebenholz', town: 'Vaduz' },
    });
    expect(component('locality', house)).toMatchObject({ long_name: 'Vaduz' });
    expect(house.address_components.filter(({ types }: { types: string[] }) => types.includes('sublocality'))).toEqual([
      expect.objectContaining({ long_name: 'Altstadt' }),
      expect.objectContaining({ long_name: 'Ebenholz' }),
    ]);
  });

  test('is a locality where it is no part of a town', () => {
    const village = { category: 'place', place_rank: 19, addresstype: 'village' };
    expect(written({ ...village, address: { village: 'Planken' } }).types).toEqual(['locality', 'political']);
    expect(written({ ...village, address: { village: 'Ebenholz', town: 'Vaduz' } }).types[1]).toBe('sublocality');
    expect(component('locality', written({ ...village, address: { village: 'Planken' } }))).toBeDefined();
  });
});

test('a place is found again by its id', async () => {
  const { results } = await ask('address=Vaduz');
  expect((await ask(`place_id=${results[0].place_id}`)).results[0].formatted_address).toBe(
    results[0].formatted_address,
  );
  for (const unknown of ['P12', 'ChIJ', 'R999999'])
    expect(await ask(`place_id=${unknown}`)).toEqual({ results: [], status: 'NOT_FOUND' });
});

test('errors have HTTP 200, and a status that tells them apart', async () => {
  const status = async (query: string, options = {}) => (await ask(query, options)).status;
  for (const wrong of ['', 'address=', 'latlng=91,0', 'latlng=1', 'latlng=x,y', 'address=%ff'])
    expect(await status(wrong), wrong).toBe('INVALID_REQUEST');
  expect(await status('address=Vaduz', { key: 'AIzaDummy' })).toBe('REQUEST_DENIED');
  expect(await status('address=Vaduz', { key: SPENT })).toBe('OVER_DAILY_LIMIT');
  expect(await status('address=Vaduz', { key: SLOW })).toBe('OK');
  expect(await status('address=Vaduz', { key: SLOW })).toBe('OVER_QUERY_LIMIT');
});
