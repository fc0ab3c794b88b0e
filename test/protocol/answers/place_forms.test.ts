import { describe, expect, test } from 'vitest';
import type { FoundPlace } from '../../../src/geocoding/found_place.ts';
import { reverseText, searchText, statusText } from '../../../src/protocol/answers/place_forms.ts';

const LICENCE = 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright';

const RING = Int32Array.of(0, 0, 40, 0, 40, 40, 0, 40, 0, 0);
const HOLE = Int32Array.of(10, 10, 20, 10, 20, 20, 10, 20, 10, 10);

const HOUSE: FoundPlace = {
  placeId: 42,
  osmType: 'way',
  osmId: 294942378,
  latitude: 47.15999431,
  longitude: 9.5,
  south: 47.1599,
  north: 47.16,
  west: 9.4,
  east: 9.6,
  category: 'building',
  type: 'yes',
  placeRank: 30,
  importance: 0.00000999999999995449,
  addressType: 'building',
  name: '',
  displayName: '29, Tanzplatz, Schaan, 9494, Liechtenstein',
  names: { old_name: 'Torkel' },
  tags: { wikidata: 'Q42' },
  geometry: () => ({ kind: 'area', rings: [RING, HOLE] }),
  licence: LICENCE,
  address: [
    { key: 'house_number', value: '29' },
    { key: 'road', value: 'Tanzplatz' },
    { key: 'village', value: 'Schaan' },
    { key: 'ISO3166-2-lvl8', value: 'LI-07' },
    { key: 'postcode', value: '9494' },
    { key: 'country', value: 'Liechtenstein' },
    { key: 'country_code', value: 'li' },
  ],
};
/** A bare country, as the world's borders give it. */
const COUNTRY: FoundPlace = {
  ...HOUSE,
  placeId: undefined,
  osmType: undefined,
  osmId: undefined,
  category: 'place',
  type: 'country',
  placeRank: 4,
  addressType: 'country',
  name: 'Austria',
  displayName: 'Austria',
  licence: 'Data © GeoNames',
  address: [
    { key: 'country', value: 'Austria' },
    { key: 'country_code', value: 'at' },
  ],
};
const ROWS = Object.fromEntries(HOUSE.address.map(({ key, value }) => [key, value]));

const reversed = (place: FoundPlace, format?: 'json' | 'jsonv2' | 'geojson' | 'geocodejson', hasAddress = true) =>
  JSON.parse(reverseText(place, { format, hasAddress }));
const searched = (places: FoundPlace[], format?: 'json' | 'jsonv2' | 'geojson' | 'geocodejson', hasAddress = false) =>
  JSON.parse(searchText(places, { format, hasAddress }, 'Tanzplatz 29'));

describe('on request', () => {
  const form = {
    hasAddress: false,
    hasNames: true,
    hasTags: true,
    shapes: ['geojson', 'geotext', 'svg', 'geokml'],
  } as const;
  // Edges run counter-clockwise and holes clockwise.
  const shape = {
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [4e-6, 0],
        [4e-6, 4e-6],
        [0, 4e-6],
        [0, 0],
      ],
      [
        [1e-6, 1e-6],
        [1e-6, 2e-6],
        [2e-6, 2e-6],
        [2e-6, 1e-6],
        [1e-6, 1e-6],
      ],
    ],
  };

  test('a place has its names and its shape', () => {
    for (const format of ['json', 'jsonv2'] as const) {
      const body = JSON.parse(reverseText(HOUSE, { ...form, format }));
      expect(body).toMatchObject({
        namedetails: { old_name: 'Torkel' },
        extratags: { wikidata: 'Q42' },
        geojson: shape,
      });
      expect(body.geotext).toMatch(/^POLYGON\(\(0 0,/);
      expect(body.svg).toMatch(/^M 0 0 L /);
      expect(body.geokml).toMatch(/^<Polygon>/);
    }
    const [feature] = JSON.parse(searchText([HOUSE], { ...form, format: 'geojson' }, 'x')).features;
    expect(feature).toMatchObject({
      properties: { namedetails: { old_name: 'Torkel' }, extratags: { wikidata: 'Q42' } },
      geometry: shape,
    });
    expect(Object.keys(feature.properties).filter(name => /^geo|svg/.test(name))).toEqual([]);
    const [shared] = JSON.parse(searchText([HOUSE], { ...form, format: 'geocodejson' }, 'x')).features;
    expect(shared).toMatchObject({ geometry: shape, properties: { geocoding: { extra: { wikidata: 'Q42' } } } });
    expect(searched([HOUSE], 'geocodejson').features[0].properties.geocoding).not.toHaveProperty('extra');
  });

  test('the form of the specification has nothing of it', () => {
    expect(searchText([HOUSE], { ...form, format: undefined }, 'x')).toBe(
      searchText([HOUSE], { format: undefined, hasAddress: false }, 'x'),
    );
    expect(reverseText(HOUSE, { ...form, format: undefined })).toBe(
      reverseText(HOUSE, { format: undefined, hasAddress: true }),
    );
  });

  test('otherwise it has neither', () => {
    const body = JSON.parse(reverseText(HOUSE, { format: 'json', hasAddress: false }));
    for (const name of ['namedetails', 'extratags', 'geojson', 'geotext', 'svg', 'geokml'])
      expect(body).not.toHaveProperty(name);
  });

  test('the status is a word, or says when the places were built', () => {
    expect(statusText(false, '2026-02-01T12:00:00.000Z', '1.0.0')).toBe('OK');
    expect(JSON.parse(statusText(true, '2026-02-01T12:00:00.000Z', '1.0.0'))).toEqual({
      status: 0,
      message: 'OK',
      data_updated: '2026-02-01T12:00:00+00:00',
      software_version: '1.0.0',
    });
    expect(statusText(false, undefined, '1.0.0')).toBe('ERROR: No database');
    expect(JSON.parse(statusText(true, undefined, '1.0.0'))).toEqual({ status: 700, message: 'No database' });
  });
});

describe('as specified', () => {
  test('reverse is the address alone, in the thirteen members', () => {
    expect(reversed(HOUSE)).toEqual({
      address: {
        house_number: '29',
        road: 'Tanzplatz',
        town: 'Schaan',
        postcode: '9494',
        country: 'Liechtenstein',
        country_code: 'li',
      },
    });
  });

  test('a result has exactly the twelve members', () => {
    const form = {
      boundingbox: ['47.1599000', '47.1600000', '9.4000000', '9.6000000'],
      category: 'building',
      display_name: '29, Tanzplatz, Schaan, 9494, Liechtenstein',
      importance: 0.00001,
      lat: '47.1599943',
      licence: LICENCE,
      lon: '9.5000000',
      osm_id: 294942378,
      osm_type: 'way',
      place_id: 42,
      place_rank: 30,
      type: 'yes',
    };
    expect(searched([HOUSE])).toEqual([form]);
    expect(searched([HOUSE], undefined, true)).toEqual([form]);
    expect(searched([])).toEqual([]);
  });

  test('what a place does not have is left out', () => {
    expect(Object.keys(searched([COUNTRY])[0]).sort()).toEqual(
      ['boundingbox', 'category', 'display_name', 'importance', 'lat', 'licence', 'lon', 'place_rank', 'type'].sort(),
    );
  });
});

describe.each([
  ['json', 'class'],
  ['jsonv2', 'category'],
] as const)('%s', (format, category) => {
  const item = {
    place_id: 42,
    licence: LICENCE,
    osm_type: 'way',
    osm_id: 294942378,
    lat: '47.1599943',
    lon: '9.5000000',
    [category]: 'building',
    type: 'yes',
    place_rank: 30,
    importance: 0.00001,
    addresstype: 'building',
    name: '',
    display_name: '29, Tanzplatz, Schaan, 9494, Liechtenstein',
    boundingbox: ['47.1599000', '47.1600000', '9.4000000', '9.6000000'],
  };

  test('reverse and search have the same members', () => {
    expect(reversed(HOUSE, format)).toEqual({ ...item, address: ROWS });
    expect(reversed(HOUSE, format, false)).toEqual(item);
    expect(searched([HOUSE], format)).toEqual([item]);
    expect(searched([HOUSE, HOUSE], format, true)).toEqual([
      { ...item, address: ROWS },
      { ...item, address: ROWS },
    ]);
    expect(searched([], format)).toEqual([]);
  });
});

test('geojson is a collection of points with boxes, west and south first', () => {
  const feature = {
    type: 'Feature',
    properties: {
      place_id: 42,
      osm_type: 'way',
      osm_id: 294942378,
      category: 'building',
      type: 'yes',
      place_rank: 30,
      importance: 0.00001,
      addresstype: 'building',
      name: '',
      display_name: '29, Tanzplatz, Schaan, 9494, Liechtenstein',
      address: ROWS,
    },
    bbox: [9.4, 47.1599, 9.6, 47.16],
    geometry: { type: 'Point', coordinates: [9.5, 47.1599943] },
  };
  expect(reversed(HOUSE, 'geojson')).toEqual({ type: 'FeatureCollection', licence: LICENCE, features: [feature] });
  expect(searched([HOUSE, COUNTRY], 'geojson', true)).toMatchObject({
    licence: `${LICENCE}; Data © GeoNames`,
    features: [feature, {}],
  });
  expect(searched([], 'geojson')).toMatchObject({ type: 'FeatureCollection', features: [] });
});

test('geocodejson says who answered what, and names the levels of the address in its own terms', () => {
  const geocoding = {
    place_id: 42,
    osm_type: 'way',
    osm_id: 294942378,
    osm_key: 'building',
    osm_value: 'yes',
    type: 'house',
    label: '29, Tanzplatz, Schaan, 9494, Liechtenstein',
    housenumber: '29',
    street: 'Tanzplatz',
    postcode: '9494',
    city: 'Schaan',
    country: 'Liechtenstein',
    country_code: 'li',
  };
  expect(reversed(HOUSE, 'geocodejson')).toEqual({
    type: 'FeatureCollection',
    geocoding: { version: '0.1.0', attribution: LICENCE },
    features: [
      { type: 'Feature', properties: { geocoding }, geometry: { type: 'Point', coordinates: [9.5, 47.1599943] } },
    ],
  });
  expect(searched([COUNTRY], 'geocodejson')).toEqual({
    type: 'FeatureCollection',
    geocoding: { version: '0.1.0', attribution: 'Data © GeoNames', query: 'Tanzplatz 29' },
    features: [
      {
        type: 'Feature',
        properties: {
          geocoding: {
            osm_key: 'place',
            osm_value: 'country',
            type: 'country',
            label: 'Austria',
            name: 'Austria',
            country: 'Austria',
            country_code: 'at',
          },
        },
        geometry: { type: 'Point', coordinates: [9.5, 47.1599943] },
      },
    ],
  });
});

test.each([
  [4, 'country'],
  [8, 'state'],
  [12, 'county'],
  [16, 'city'],
  [19, 'district'],
  [25, 'locality'],
  [26, 'street'],
  [27, 'street'],
  [30, 'house'],
])('in geocodejson a place of rank %i is a %s', (placeRank, type) => {
  expect(reversed({ ...HOUSE, placeRank }, 'geocodejson').features[0].properties.geocoding.type).toBe(type);
});
