// GET /reverse and GET /search over the drawn extract, through a real socket.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashKey } from '../../src/accounts/key.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { HOUSE, importDrawnExtract, RESTAURANT, SEA } from '../kits/places/extracts.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { type Answer, expectError, type RequestOptions } from '../kits/service_process.ts';

const ADDRESS = {
  house_number: '3',
  road: 'Äulestrasse',
  town: 'Vaduz',
  county: 'Oberland',
  postcode: '9490',
  country: 'Liechtenstein',
  country_code: 'li',
};
const SPEC_MEMBERS = [
  'boundingbox',
  'category',
  'display_name',
  'importance',
  'lat',
  'licence',
  'lon',
  'osm_id',
  'osm_type',
  'place_id',
  'place_rank',
  'type',
];
const ENCODED_KEY = encodeURIComponent(KEY);

const at = ({ lat, lon }: { lat: number; lon: number }): string => `lat=${lat}&lon=${lon}`;
const serve = (mode: 'inline' | 'auto' | 'pool'): Promise<ServedParts> =>
  serveParts({ mode, workers: 2, ringBytes: RING_BYTES }, importDrawnExtract);

describe('computed in a worker', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serve('pool');
  });
  afterAll(() => served.close());

  const get = (path: string, query: string): Promise<Answer> => served.get(`${path}?key=${ENCODED_KEY}&${query}`);
  /** What the key pays for a request, and the answer. */
  async function paid(path: string, query: string): Promise<[credits: number, answer: Answer]> {
    const before = served.accountWriter.get(1)!.credits!;
    const answer = await get(path, query);
    return [before - served.accountWriter.get(1)!.credits!, answer];
  }

  test('a point has its address, for one credit', async () => {
    const [credits, answer] = await paid('/reverse', at(HOUSE));
    expect(answer).toMatchObject({ status: 200, json: { address: ADDRESS } });
    expect(answer.json).toEqual({ address: ADDRESS });
    expect(credits).toBe(1);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
  });

  test('the open sea has none, for nothing', async () => {
    const [credits, answer] = await paid('/reverse', at(SEA));
    expectError(answer, 404, 'notFound', 'geolocation', 'Not found');
    expect(credits).toBe(0);
    const [formCredits, formAnswer] = await paid('/reverse', `${at(SEA)}&format=jsonv2`);
    expect(formAnswer).toMatchObject({ status: 200, text: '{"error":"Unable to geocode"}' });
    expect(formCredits).toBe(0);
  });

  test('words have results of the twelve members, for one credit', async () => {
    const [credits, answer] = await paid('/search', 'q=%C3%84ulestrasse+3,+9490+Vaduz');
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json[0]).sort()).toEqual(SPEC_MEMBERS);
    expect(answer.json[0]).toMatchObject({
      lat: '47.1402000',
      lon: '9.5150000',
      osm_type: 'node',
      category: 'building',
      type: 'house',
    });
    expect(credits).toBe(1);
  });

  test('words that mean nothing have an empty list, for nothing', async () => {
    const [credits, answer] = await paid('/search', 'q=xyzzyqwk');
    expect(answer).toMatchObject({ status: 200, text: '[]' });
    expect(credits).toBe(0);
  });

  test('many at once have each its own answer', async () => {
    const numbers = Array.from({ length: 60 }, (_, i) => String(1 + (i % 9)));
    const answers = await Promise.all(
      numbers.map((number, i) => {
        const lon = (9.512 + Number(number) / 1000).toFixed(3);
        return i % 2 === 0
          ? get('/reverse', `lat=47.1402&lon=${lon}`)
          : get('/search', `q=Vaduz+%C3%84ulestrasse+${number}`);
      }),
    );
    expect(answers.map(({ json }) => json.address?.house_number ?? json[0].display_name.match(/\d+/)[0])).toEqual(
      numbers,
    );
    expect(served.errors).toEqual([]);
  });
});

describe('in auto', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serve('auto');
    await served.accountWriter.create({ keyHash: hashKey('broke'), createdMs: 0, credits: 0 });
    await served.accountWriter.create({ keyHash: hashKey('slow'), createdMs: 0, ratePerSecond: 0.01 });
    await served.accountWriter.create({ keyHash: hashKey('other'), createdMs: 0 });
  });
  afterAll(() => served.close());

  const get = (path: string, query: string, options?: RequestOptions): Promise<Answer> =>
    served.get(`${path}?key=${ENCODED_KEY}&${query}`, options);
  const search = async (query: string, options?: RequestOptions) => (await get('/search', query, options)).json;

  test('the zoom says how fine the answer is', async () => {
    const { road, town, county, country, country_code } = ADDRESS;
    const cases: [zoom: number, address: object][] = [
      [3, { country, country_code }],
      [8, { county, country, country_code }],
      [10, { town, county, country, country_code }],
      [16, { road, town, county, country, country_code }],
    ];
    for (const [zoom, address] of cases) {
      const { json } = await get('/reverse', `${at(HOUSE)}&zoom=${zoom}`);
      // The postcode of a region or a road is that of its neighbourhood, if any.
      const { postcode, ...rest } = json.address;
      expect(rest).toEqual(address);
    }
  });

  test('names are in the language of the parameter, else of the header', async () => {
    const townOf = async (query: string, headers: Record<string, string> = {}) =>
      (await get('/reverse', `${at(HOUSE)}${query}`, { headers })).json.address.town;
    expect(await townOf('')).toBe('Vaduz');
    expect(await townOf('&accept-language=ru')).toBe('Вадуц');
    expect(await townOf('', { 'accept-language': 'ru-RU,en;q=0.5' })).toBe('Вадуц');
    expect(await townOf('&accept-language=fr', { 'accept-language': 'ru' })).toBe('Vaduz');
    expect((await search('q=Vaduz&limit=1', { headers: { 'accept-language': 'ru' } }))[0].display_name).toContain(
      'Лихтенштейн',
    );
  });

  test('a place that is no road is the building', async () => {
    expect((await get('/reverse', at(RESTAURANT))).json.address).toMatchObject({
      building: 'Adler',
      house_number: '11',
    });
  });

  test('with a format there are the members that other clients need', async () => {
    const json = (await get('/reverse', `${at(HOUSE)}&format=json`)).json;
    expect(json).toMatchObject({
      lat: '47.1402000',
      lon: '9.5150000',
      class: 'building',
      osm_type: 'node',
      display_name: expect.stringContaining('Äulestrasse 3'),
      address: { house_number: '3', country_code: 'li' },
      boundingbox: expect.objectContaining({ length: 4 }),
    });
    expect((await get('/reverse', `${at(HOUSE)}&format=geojson`)).json.features[0].geometry.coordinates).toEqual([
      9.515, 47.1402,
    ]);
    expect(
      (await get('/reverse', `${at(HOUSE)}&format=geocodejson`)).json.features[0].properties.geocoding.street,
    ).toBe('Äulestrasse');
    expect((await search('q=Vaduz&format=json'))[0].address).toBeUndefined();
    expect((await search('q=Vaduz&format=jsonv2&addressdetails=1'))[0].address).toMatchObject({
      country: 'Liechtenstein',
    });
    expect((await search('q=xyzzyqwk&format=geojson')).features).toEqual([]);
  });

  test('limit, viewbox, bounded and countrycodes choose among the results', async () => {
    const both = await search('q=%C3%84ulestrasse+3');
    expect(both.map(({ lat }: { lat: string }) => lat).sort()).toEqual(['47.1402000', '47.2002000']);
    expect(await search('q=%C3%84ulestrasse+3&limit=1')).toHaveLength(1);
    const schaan = '9.5,47.19,9.54,47.21';
    expect((await search(`q=%C3%84ulestrasse+3&viewbox=${schaan}`))[0].lat).toBe('47.2002000');
    const bounded = await search(`q=%C3%84ulestrasse+3&viewbox=${schaan}&bounded=1`);
    expect(bounded.map(({ lat }: { lat: string }) => lat)).toEqual(['47.2002000']);
    expect(await search('q=%C3%84ulestrasse+3&countrycodes=li')).toHaveLength(2);
    expect(await search('q=%C3%84ulestrasse+3&countrycodes=at,de')).toEqual([]);
  });

  test('a question in parts, an unfinished word and coordinates are answered', async () => {
    expect((await search('street=%C3%84ulestrasse+3&city=Schaan'))[0].lat).toBe('47.2002000');
    expect((await search('q=Vad&autocomplete=1'))[0].display_name).toContain('Vaduz');
    expect((await search('q=47.1402,9.515'))[0].display_name).toContain('Äulestrasse 3');
  });

  test('any text is answered, never 500', async () => {
    for (const text of [
      '%00',
      '%F0%9F%98%80',
      '%E2%80%AE',
      "';--",
      '%5B%5D',
      '%5Bamenity=restaurant%5D',
      ',,,',
      '%25',
      '%EF%BF%BD',
      '9999999999999999999',
      'a'.repeat(1000),
      `${'a+'.repeat(499)}b`,
    ]) {
      const { status, json } = await get('/search', `q=${text}`);
      expect([text, status, Array.isArray(json)]).toEqual([text, 200, true]);
    }
    expect(served.errors).toEqual([]);
  });

  test.each([
    'extratags',
    'namedetails',
    'polygon_geojson',
    'polygon_kml',
    'polygon_svg',
    'polygon_text',
    'polygon_threshold',
  ])('%s, which only asks for more, fails no client', async name => {
    for (const form of ['', '&format=json', '&format=jsonv2', '&format=geojson', '&format=geocodejson']) {
      expect((await get('/reverse', `${at(HOUSE)}&${name}=1${form}`)).status).toBe(200);
      expect((await get('/search', `q=Vaduz&${name}=1${form}`)).status).toBe(200);
    }
    expect((await get('/search', 'q=Vaduz')).text).toBe((await get('/search', `q=Vaduz&${name}=1`)).text);
  });

  test('what is wrong with a question is said, for nothing', async () => {
    const cases: [path: string, query: string, message: string][] = [
      ['/reverse', 'lon=9.5', 'lat is missing.'],
      ['/reverse', 'lat=NaN&lon=9.5', 'lat must be a number from -90 to 90.'],
      ['/reverse', 'lat=47.1&lon=200', 'lon must be a number from -180 to 180.'],
      ['/reverse', `${at(HOUSE)}&zoom=19`, 'zoom must be a whole number from 0 to 18.'],
      ['/search', '', 'q is missing.'],
      ['/search', `q=${'x'.repeat(10_000)}`, 'q must have at most 1000 characters.'],
      ['/search', 'q=M%FCller', 'q is not percent-encoded UTF-8.'],
      ['/search', 'q=a&format=html', 'format must be one of json, jsonv2, geojson, geocodejson, xml.'],
      ['/lookup', 'osm_ids=N1&format=html', 'format must be one of json, jsonv2, geojson, geocodejson, xml.'],
      ['/lookup', '', 'osm_ids is missing.'],
      ['/lookup', 'osm_ids=N1,5', 'osm_ids must be objects as N1, W2 or R3, with commas between them.'],
    ];
    const before = served.accountWriter.get(1)!.credits;
    for (const [path, query, message] of cases) {
      const answer = await get(path, query);
      expectError(answer, 400, 'parseError', 'global', message);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    }
    expect(served.accountWriter.get(1)!.credits).toBe(before);
  });

  test('a key is needed, in the query or in the path', async () => {
    for (const [path, query] of [
      ['/reverse', at(HOUSE)],
      ['/search', 'q=Vaduz'],
      ['/lookup', 'osm_ids=R3'],
    ]) {
      expect((await served.get(`/k/${ENCODED_KEY}${path}?${query}`)).status).toBe(200);
      expect((await served.get(`/k/${ENCODED_KEY}/${path}/?${query}`)).status).toBe(200);
      // The one in the path counts.
      expect((await served.get(`/k/${ENCODED_KEY}${path}?${query}&key=wrong`)).status).toBe(200);
      for (const wrong of [
        `${path}?${query}`,
        `${path}?${query}&key=wrong`,
        `/k/wrong${path}?${query}&key=${ENCODED_KEY}`,
        `/k/${'x'.repeat(3000)}${path}?${query}`,
      ]) {
        expectError(await served.get(wrong), 400, 'keyInvalid', 'usageLimits');
      }
    }
    expectError(await served.get(`/k/${ENCODED_KEY}/elsewhere`), 404, 'notFound', 'global');
    expect((await served.get('/k/reverse')).text).toBe('status=2');
    expectError(await served.get('/k/%ff/reverse'), 400, 'parseError', 'global');
  });

  test('without credits, and over the rate, nothing is answered', async () => {
    for (const path of [`/reverse?${at(HOUSE)}`, '/search?q=Vaduz', '/lookup?osm_ids=R3']) {
      expectError(await served.get(`${path}&key=broke`), 403, 'creditsExceeded', 'usageLimits');
    }
    expect((await served.get(`/reverse?${at(HOUSE)}&key=slow`)).status).toBe(200);
    const refused = await served.get('/search?q=Vaduz&key=slow');
    expectError(refused, 429, 'userRateLimitExceeded', 'usageLimits');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('searches of one connection are not waited for by another key', async () => {
    const many = 200;
    const socket = connect(served.port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    const answered = () => received.split('HTTP/1.1 200 OK').length - 1;
    socket.write(
      `GET /search?q=Vaduz+%C3%84ulestrasse&key=${ENCODED_KEY} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(many),
    );
    await once(served.server, 'request');
    expect((await served.get('/search?q=Vaduz&key=other')).status).toBe(200);
    expect(answered()).toBeLessThan(many / 2);
    while (answered() < many) await once(socket, 'data');
    socket.destroy();
    expect(served.errors).toEqual([]);
  });

  test.each([
    '/reverse',
    '/search',
    '/lookup',
    '/status',
    '/v1/country',
    '/k/any/reverse',
    '/k/any/search',
    '/k/any/v1/country',
  ])('browsers may use %s from any page', async path => {
    const preflight = await served.get(path, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST', origin: 'https://example.org' },
    });
    const methods = /\/(search|lookup|status)$/.test(path) ? 'GET, OPTIONS' : 'GET, OPTIONS, POST';
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': methods,
      'access-control-allow-headers': '*, authorization',
    });
    for (const method of ['PUT', 'DELETE', 'PATCH']) {
      const answer = await served.get(path, { method });
      expectError(answer, 405, 'methodNotAllowed', 'global');
      expect(answer.headers.allow).toBe(methods);
    }
    const head = await served.get(path, { method: 'HEAD' });
    expect([head.status, head.headers.allow, head.text]).toEqual([405, methods, '']);
  });
});
