import { describe, expect, test } from 'vitest';
import { readLookup, readReverse, readSearch, readStatus } from '../../../src/protocol/requests/place_question.ts';

const reverseOf = (query: string, header?: string) => readReverse(`/reverse?${query}`, header);
const searchOf = (query: string, header?: string) => readSearch(`/search?${query}`, header);
const HERE = 'lat=47.1&lon=9.5';

describe('lat and lon', () => {
  test.each([
    ['lat=47.1402&lon=9.515', 47.1402, 9.515],
    ['lat=-90&lon=-180', -90, -180],
    ['lat=90&lon=180', 90, 180],
    ['lat=%2B1.5&lon=1e1', 1.5, 10],
    ['lat=0&lon=-0', 0, -0],
    ['lat=+5&lon=5', 5, 5],
  ])('%s', (query, latitude, longitude) => {
    expect(reverseOf(query).question).toMatchObject({ latitude, longitude });
  });

  test.each([
    ['lon=9.5', 'lat is missing.'],
    ['lat=&lon=9.5', 'lat is missing.'],
    ['lat=47.1', 'lon is missing.'],
    ...[
      '90.0000001',
      '-91',
      'NaN',
      'Infinity',
      '-Infinity',
      '1e999',
      '47,1',
      'north',
      '0x10',
      '47.1.2',
      '%20',
      'null',
      `0.${'1'.repeat(40)}`,
    ].map(value => [`lat=${value}&lon=9.5`, 'lat must be a number from -90 to 90.']),
    ...['180.5', '-181', 'NaN', '9,5', '9.5deg'].map(value => [
      `lat=47.1&lon=${value}`,
      'lon must be a number from -180 to 180.',
    ]),
  ])('%s is refused: %s', (query, message) => {
    expect(() => reverseOf(query)).toThrow(message);
  });
});

describe('zoom', () => {
  test.each([
    ['', 18],
    ['zoom=', 18],
    ['zoom=0', 0],
    ['zoom=10', 10],
    ['zoom=18', 18],
    // Maps are finer than that.
    ['zoom=19&format=json', 18],
    ['zoom=22&format=geojson', 18],
  ])('%s is %i', (zoom, value) => {
    expect(reverseOf(`${HERE}&${zoom}`).question.zoom).toBe(value);
  });

  test.each([
    'zoom=19',
    'zoom=-1',
    'zoom=-1&format=json',
    'zoom=1.5',
    'zoom=18.5&format=json',
    'zoom=x',
    'zoom=NaN',
    'zoom=1e999&format=json',
  ])('%s is refused', zoom => {
    expect(() => reverseOf(`${HERE}&${zoom}`)).toThrow('zoom must be a whole number from 0 to 18.');
  });
});

describe('q', () => {
  test.each([
    ['q=Vaduz', 'Vaduz'],
    ['q=+Vaduz%0a', 'Vaduz'],
    ['q=%E6%9D%B1%E4%BA%AC', '東京'],
    ['q=%00', '\0'],
    [`q=${'x'.repeat(1000)}`, 'x'.repeat(1000)],
  ])('%s', (query, text) => {
    expect(searchOf(query).question).toMatchObject({ text, parts: undefined });
  });

  test.each(['', 'q', 'q=', 'q=+', 'q=%20%09%0a', 'street=', 'limit=5'])('without text it is refused: %j', query => {
    expect(() => searchOf(query)).toThrow('q is missing.');
  });

  test.each(['q', 'street', 'postalcode'])('%s of more than 1,000 characters is refused', name => {
    for (const length of [1001, 10_000]) {
      expect(() => searchOf(`${name}=${'x'.repeat(length)}`)).toThrow(`${name} must have at most 1000 characters.`);
    }
  });
});

test('the parts of a structured question are read, unless q says it all', () => {
  const names = ['amenity', 'street', 'city', 'county', 'state', 'country', 'postalcode'];
  const query = names.map(name => `${name}=${name}+1`).join('&');
  const parts = Object.fromEntries(names.map(name => [name, `${name} 1`]));
  expect(searchOf(query).question).toMatchObject({ text: '', parts });
  expect(searchOf('city=Vaduz&street=').question.parts).toEqual({ city: 'Vaduz' });
  expect(searchOf(`${query}&q=Schaan`).question).toMatchObject({ text: 'Schaan', parts: undefined });
});

describe('limit', () => {
  test.each([
    ['', 10],
    ['limit=', 10],
    ['limit=1', 1],
    ['limit=50', 50],
    ['limit=51', 50],
    ['limit=1000000', 50],
    ['limit=0', 1],
    ['limit=-5', 1],
  ])('%s is %i', (limit, value) => {
    expect(searchOf(`q=a&${limit}`).question.limit).toBe(value);
  });

  test.each(['x', '1.5', 'NaN', 'Infinity', '1e999'])('%s is refused', limit => {
    expect(() => searchOf(`q=a&limit=${limit}`)).toThrow('limit must be a whole number.');
  });
});

describe('viewbox', () => {
  test.each([
    ['', undefined],
    ['viewbox=', undefined],
    ['viewbox=9.4,47.0,9.6,47.3', { west: 9.4, south: 47, east: 9.6, north: 47.3 }],
    // Any two opposite corners.
    ['viewbox=9.6,47.0,9.4,47.3', { west: 9.4, south: 47, east: 9.6, north: 47.3 }],
    ['viewbox=9.4,47.3,9.6,47.0', { west: 9.4, south: 47, east: 9.6, north: 47.3 }],
    ['viewbox=-200,-100,200,100', { west: -180, south: -90, east: 180, north: 90 }],
    ['viewbox=179.5,-18,-179.5,-16', { west: 179.5, south: -18, east: -179.5, north: -16 }],
    ['viewbox=179.5,-16,-179.5,-18', { west: 179.5, south: -18, east: -179.5, north: -16 }],
    ['viewbox=-179.5,-18,179.5,-16', { west: -179.5, south: -18, east: 179.5, north: -16 }],
    ['viewbox=179.5,-18,180.5,-16', { west: 179.5, south: -18, east: -179.5, north: -16 }],
    ['viewbox=-180.5,-18,-179.5,-16', { west: 179.5, south: -18, east: -179.5, north: -16 }],
    ['viewbox=540,-18,541,-16', { west: -180, south: -18, east: -179, north: -16 }],
    ['viewbox=-180,-90,180,90', { west: -180, south: -90, east: 180, north: 90 }],
    ['viewbox=180,-90,-180,90', { west: -180, south: -90, east: 180, north: 90 }],
    ['viewbox=1,2,1,2', { west: 1, south: 2, east: 1, north: 2 }],
  ])('%s', (viewbox, box) => {
    expect(searchOf(`q=a&${viewbox}`).question.viewbox).toEqual(box);
  });

  test.each(['1,2,3', '1,2,3,4,5', '1,2,3,x', '1,2,,4', 'NaN,0,1,1', '0,0,1e999,1'])('%s is refused', viewbox => {
    expect(() => searchOf(`q=a&viewbox=${viewbox}`)).toThrow(
      'viewbox must be four numbers: longitude and latitude of two opposite corners.',
    );
  });
});

test('country codes are read in either case, and what is none is passed over', () => {
  expect(searchOf('q=a').question.countryCodes).toEqual([]);
  expect(searchOf('q=a&countrycodes=li').question.countryCodes).toEqual(['li']);
  expect(searchOf('q=a&countrycodes=LI,%20ch,xyz,,1a').question.countryCodes).toEqual(['li', 'ch']);
});

test.each(['bounded', 'autocomplete', 'addressdetails'])('%s is on with 1 and off with 0', name => {
  const flagOf = (query: string) => {
    const { question, form } = searchOf(`q=a&${query}`);
    return { bounded: question.isBounded, autocomplete: question.isAutocomplete, addressdetails: form.hasAddress }[
      name
    ];
  };
  expect(['', `${name}=`, `${name}=0`, `${name}=false`].map(flagOf)).toEqual([false, false, false, false]);
  expect([`${name}=1`, `${name}=true`].map(flagOf)).toEqual([true, true]);
});

test('reverse has the address unless it is told not to', () => {
  expect(reverseOf(HERE).form.hasAddress).toBe(true);
  expect(reverseOf(`${HERE}&addressdetails=0`).form.hasAddress).toBe(false);
});

test.each([
  ['reverse', (query: string, header?: string) => reverseOf(`${HERE}&${query}`, header).question.languages],
  ['search', (query: string, header?: string) => searchOf(`q=a&${query}`, header).question.languages],
])('languages of %s are those of the parameter, else of the header', (_, languagesOf) => {
  expect(languagesOf('')).toEqual([]);
  expect(languagesOf('', 'de,en;q=0.5')).toEqual(['de', 'en']);
  expect(languagesOf('accept-language=fr', 'de')).toEqual(['fr']);
  expect(languagesOf('accept-language=', 'de')).toEqual(['de']);
});

test('the form is one of five, or the specification', () => {
  expect(reverseOf(`${HERE}&format=`).form.format).toBeUndefined();
  for (const format of ['json', 'jsonv2', 'geojson', 'geocodejson', 'xml']) {
    expect(reverseOf(`${HERE}&format=${format}`).form.format).toBe(format);
    expect(searchOf(`q=a&format=${format}`).form.format).toBe(format);
  }
  for (const format of ['html', 'JSON', 'jsonv3', '__proto__', '0']) {
    expect(() => searchOf(`q=a&format=${format}`)).toThrow(
      'format must be one of json, jsonv2, geojson, geocodejson, xml.',
    );
  }
});

test('unknown parameters are passed over', () => {
  expect(searchOf('q=a&email=x&dedupe=0&polygon_geojson=0&osmServer=http%3A%2F%2Fx&namedetails=&q2=%ff')).toEqual(
    searchOf('q=a'),
  );
});

test.each([
  ['namedetails', { hasNames: true }],
  ['extratags', { hasTags: true }],
  ['polygon_geojson', { shapes: ['geojson'] }],
  ['polygon_kml', { shapes: ['geokml'] }],
  ['polygon_svg', { shapes: ['svg'] }],
  ['polygon_text', { shapes: ['geotext'] }],
  ['polygon_threshold', {}],
])('%s asks for more, and is no error in any form', (name, more) => {
  for (const format of [undefined, 'json', 'jsonv2', 'geojson', 'geocodejson']) {
    const form = format === undefined ? '' : `&format=${format}`;
    expect(searchOf(`q=a&${name}=1${form}`).form).toEqual({ format, hasAddress: false, ...more });
    expect(reverseOf(`${HERE}&${name}=True${form}`).form).toEqual({ format, hasAddress: true, ...more });
    expect(readLookup(`/lookup?osm_ids=N1&${name}=1${form}`, undefined).form).toEqual({
      format,
      hasAddress: true,
      ...more,
    });
  }
  for (const value of ['', '0', 'false']) expect(searchOf(`q=a&${name}=${value}`)).toEqual(searchOf('q=a'));
});

test('a threshold counts with a shape, if it is a number above zero', () => {
  const thresholdOf = (value: string, more = '&polygon_kml=1') =>
    searchOf(`q=a&polygon_threshold=${value}${more}`).form.threshold;
  expect([thresholdOf('0.01'), thresholdOf('0.01', '')]).toEqual([0.01, undefined]);
  for (const value of ['', '0', '-1', 'x', 'NaN']) expect(thresholdOf(value)).toBeUndefined();
});

test('objects of OpenStreetMap are a letter and a number each', () => {
  expect(readLookup('/lookup?osm_ids=R1,%20w23,,N456&format=json', 'de')).toEqual({
    objects: [
      { type: 3, id: 1 },
      { type: 2, id: 23 },
      { type: 1, id: 456 },
    ],
    languages: ['de'],
    form: { format: 'json', hasAddress: true },
  });
  const many = (count: number) => () => readLookup(`/lookup?osm_ids=${Array(count).fill('N1').join(',')}`, undefined);
  expect(many(50)().objects).toHaveLength(50);
  expect(many(51)).toThrow('osm_ids must have at most 50 objects.');
  for (const text of ['', '?osm_ids=', '?osm_ids=,'])
    expect(() => readLookup(`/lookup${text}`, undefined)).toThrow('osm_ids is missing.');
  for (const text of ['1', 'N', 'X1', 'N-1', 'N1.5', 'NN1', 'N1;W2', `N${'9'.repeat(16)}`]) {
    expect(() => readLookup(`/lookup?osm_ids=${text}`, undefined)).toThrow('osm_ids must be objects as N1, W2 or R3');
  }
});

test('the status is text or JSON', () => {
  expect(['', '?format=text', '?format=json'].map(query => readStatus(`/status${query}`))).toEqual([
    false,
    false,
    true,
  ]);
  expect(() => readStatus('/status?format=xml')).toThrow('format must be one of text, json.');
});
