// The interface of OpenStreetMap's geocoder as its older clients use it: XML, the names of programs in PHP, flags as
// words, parameters that change nothing, and those that choose among what was found.

import { parser } from 'sax';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUSE, importDrawnExtract, RESTAURANT, SEA } from '../kits/places/extracts.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { expectError } from '../kits/service_process.ts';

let served: ServedParts;
beforeAll(async () => {
  served = await serveParts({ mode: 'inline', workers: 1, ringBytes: 65_536 }, importDrawnExtract);
});
afterAll(() => served.close());

const get = (path: string) => served.get(`/k/${encodeURIComponent(KEY)}${path}`);
const at = `lat=${HOUSE.lat}&lon=${HOUSE.lon}`;

/** The elements of a document: name, attributes, and the text in it. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const reader = parser(true);
  const elements: ReturnType<typeof elementsOf> = [];
  const open: typeof elements = [];
  reader.onerror = error => {
    throw error;
  };
  reader.onopentag = ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  };
  reader.ontext = text => {
    const inside = open.at(-1);
    if (inside !== undefined) inside.text += text;
  };
  reader.onclosetag = () => void open.pop();
  reader.write(xml).close();
  return elements;
}

describe('XML', () => {
  test('of a point has the result and, as GDAL needs it, the parts of its address', async () => {
    const { headers, text } = await get(`/reverse?${at}&format=xml&addressdetails=1`);
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    const elements = elementsOf(text);
    const [root, result, parts, ...rows] = elements;
    expect([root.name, result.name, parts.name]).toEqual(['reversegeocode', 'result', 'addressparts']);
    expect(result.attributes).toMatchObject({ lat: '47.1402000', lon: '9.5150000', place_rank: '30' });
    expect(result.text).toContain('Äulestrasse');
    expect(rows.map(({ name, text: value }) => [name, value])).toContainEqual(['road', 'Äulestrasse']);
    expect(elementsOf((await get(`/reverse?${at}&format=xml&addressdetails=0`)).text)).toHaveLength(2);
  });

  test('of the open sea has an error, and costs nothing', async () => {
    const { status, text, headers } = await get(`/reverse?lat=${SEA.lat}&lon=${SEA.lon}&format=xml`);
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(elementsOf(text).at(-1)).toMatchObject({ name: 'error', text: 'Unable to geocode' });
  });

  test('of words has places, with names, tags and shapes where they are asked for', async () => {
    const { text } = await get(
      '/search?q=Vaduz&format=xml&addressdetails=1&namedetails=1&extratags=1&polygon_kml=1&polygon_text=1&polygon_svg=1&polygon_geojson=1',
    );
    const elements = elementsOf(text);
    const place = elements.find(({ name }) => name === 'place')!;
    expect(elements[0]).toMatchObject({ name: 'searchresults', attributes: { querystring: 'Vaduz' } });
    expect(place.attributes).toMatchObject({ class: 'boundary', type: 'administrative', osm_type: 'relation' });
    expect(place.attributes.boundingbox.split(',').map(Number).every(Number.isFinite)).toBe(true);
    expect(place.attributes.geotext).toMatch(/^POLYGON/);
    expect(JSON.parse(place.attributes.geojson).type).toBe('Polygon');
    const names = elements.map(({ name }) => name);
    for (const name of ['geokml', 'Polygon', 'namedetails', 'name', 'extratags', 'country'])
      expect(names).toContain(name);
  });

  test('escapes what it repeats, of nothing found too', async () => {
    const { text } = await get(`/search?q=${encodeURIComponent('<"&\u0001\uffff>')}&format=xml`);
    const [root, ...places] = elementsOf(text);
    expect([root.attributes.querystring, places]).toEqual(['<"&>', []]);
  });

  test('of objects', async () => {
    const elements = elementsOf((await get('/lookup?osm_ids=R3,R999&format=xml')).text);
    expect(elements.filter(({ name }) => name === 'place')).toHaveLength(1);
  });

  test('errors stay JSON', async () => {
    expectError(await get('/reverse?lat=x&lon=1&format=xml'), 400, 'parseError', 'global');
  });
});

test.each([
  '/search.php?q=Vaduz',
  `/reverse.php?${at}`,
  '/lookup.php?osm_ids=R3',
  '/status.php',
  '//search.php/?q=Vaduz',
])('%s is the same without its ending', async path => {
  const { status, text } = await get(path);
  expect([status, text]).toEqual([200, (await get(path.replace('.php', ''))).text]);
});

test('nothing else ends in .php', async () => {
  for (const path of ['/trail.php', '/search.phpx', '/x/search.php', '/search/.php'])
    expect((await get(`${path}?q=Vaduz`)).status, path).toBe(404);
});

describe('layers at a point', () => {
  const nameAt = async (query: string, lon = 9.5216): Promise<string> => {
    const { json } = await get(`/reverse?lat=${RESTAURANT.lat}&lon=${lon}&format=jsonv2${query}`);
    return json.error ?? (json.name || `${json.address.road} ${json.address.house_number}`);
  };

  test.each([
    ['', 'Adler'],
    ['&layer=poi', 'Adler'],
    ['&layer=unknown,poi', 'Adler'],
    ['&layer=unknown', 'Adler'],
    ['&layer=poi,address', 'Adler'],
    // It has a number of its own, and so is an address.
    ['&layer=address', 'Adler'],
    ['&layer=railway', 'Unable to geocode'],
    ['&layer=natural,manmade', 'Unable to geocode'],
    ['&layer=poi&zoom=10', 'Unable to geocode'],
    ['&layer=address&zoom=10', 'Vaduz'],
    ['&layer=address&zoom=17', 'Äulestrasse'],
    ['&layer=poi&zoom=17', 'Unable to geocode'],
  ])('%s', async (query, name) => {
    expect(await nameAt(query)).toBe(name);
  });

  test('what is nearer in another layer does not answer', async () => {
    expect([await nameAt('', 9.5211), await nameAt('&layer=poi', 9.5211)]).toEqual(['Äulestrasse 9', 'Adler']);
    // Far from all that it may be, and in the gazetteer, which has towns.
    for (const place of ['lat=47.25&lon=9.6', 'lat=48.8566&lon=2.3522'])
      expect((await get(`/reverse?${place}&format=json&layer=poi`)).json).toEqual({ error: 'Unable to geocode' });
  });

  test('count for a list of points, too', async () => {
    const body = [RESTAURANT, { ...RESTAURANT, zoom: 10 }];
    const path = `/k/${encodeURIComponent(KEY)}/reverse?format=jsonv2&layer=poi`;
    const { json } = await served.get(path, { method: 'POST', body });
    expect([json[0].name, json[1].error]).toEqual(['Adler', 'Unable to geocode']);
  });
});

describe('parameters', () => {
  const names = async (query: string): Promise<string[]> =>
    (await get(`/search?q=Vaduz&format=jsonv2&${query}`)).json.map(
      (place: { display_name: string }) => place.display_name,
    );

  test.each([
    'limit=300&addressdetails=1&addressdetails=1',
    'limit=0',
    'dedupe=0&polygon_threshold=0.01&email=a%40b.c&debug=0&osmServer=x&accept-language=',
    'extratags=True&namedetails=true&bounded=0',
    'layer=unknown&featureType=planet&exclude_place_ids=',
  ])('%s make no client fail', async query => {
    expect((await names(query)).length).toBeGreaterThan(0);
  });

  test('shapes are simpler by a threshold, in each form', async () => {
    const shapeOf = async (more: string) => (await get(`/lookup?osm_ids=R3&format=json&polygon_text=1${more}`)).json[0];
    const [whole, simple] = [await shapeOf(''), await shapeOf('&polygon_threshold=0.05')];
    expect(simple.geotext.length).toBeLessThan(whole.geotext.length);
    expect(simple.geotext).toMatch(/^POLYGON\(\(/);
    const xml = (await get('/lookup?osm_ids=R3&format=xml&polygon_text=1&polygon_threshold=0.05')).text;
    expect(elementsOf(xml).find(({ name }) => name === 'place')!.attributes.geotext).toBe(simple.geotext);
  });

  test('places are left out by their number or their object, and others come in their place', async () => {
    const ask = async (more: string) =>
      (await get(`/search?q=${encodeURIComponent('Äulestrasse')}&format=jsonv2&limit=1${more}`)).json;
    const [first] = await ask('');
    const [second] = await ask(`&exclude_place_ids=${first.place_id}`);
    expect(second.place_id).not.toBe(first.place_id);
    const letter = first.osm_type[0].toUpperCase();
    expect(
      (await ask(`&exclude_place_ids=${second.place_id},${letter}${first.osm_id}`)).map(
        (place: { place_id: number }) => place.place_id,
      ),
    ).not.toContain(first.place_id);
  });

  test.each([
    ['q=Adler+Vaduz&layer=poi', 1],
    ['q=Adler+Vaduz&layer=poi,address', 1],
    ['q=Adler+Vaduz&layer=railway', 0],
    ['q=Vaduz&layer=address', 1],
    ['q=Vaduz&featureType=city', 1],
    ['q=Vaduz&featuretype=settlement', 1],
    ['q=Liechtenstein&featureType=country', 1],
    ['q=Liechtenstein&featureType=city', 0],
  ])('%s', async (query, least) => {
    const { json } = await get(`/search?${query}&format=json`);
    if (least === 0) expect(json).toEqual([]);
    else expect(json.length).toBeGreaterThanOrEqual(least);
  });

  test('the layers of a point change nothing', async () => {
    const reverse = `/reverse?lat=${RESTAURANT.lat}&lon=${RESTAURANT.lon}&format=jsonv2`;
    expect((await get(`${reverse}&layer=address`)).text).toBe((await get(reverse)).text);
  });
});
