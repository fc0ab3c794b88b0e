// GET /lookup and GET /status over the drawn extract, and names and shapes on request, through a real socket.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { HOUSE, importDrawnExtract } from '../kits/places/extracts.ts';
import { KEY, type ServedParts, serveParts } from '../kits/served_parts.ts';
import { type Answer, expectError } from '../kits/service_process.ts';

const VADUZ = 'R3';
const SCHAAN = 'r4';
const STREET = 'W1';

describe('computed in a worker', () => {
  let served: ServedParts;
  beforeAll(async () => {
    served = await serveParts({ mode: 'pool', workers: 2, ringBytes: RING_BYTES }, importDrawnExtract);
  });
  afterAll(() => served.close());

  const get = (path: string, query: string): Promise<Answer> =>
    served.get(`${path}?key=${encodeURIComponent(KEY)}&${query}`);
  async function paid(query: string): Promise<[credits: number, answer: Answer]> {
    const before = served.accountWriter.get(1)!.credits!;
    const answer = await get('/lookup', query);
    return [before - served.accountWriter.get(1)!.credits!, answer];
  }

  test('objects are found in their order, once each, without those that are not there, for one credit', async () => {
    const [credits, answer] = await paid(`osm_ids=${SCHAAN},N999999,${STREET},${VADUZ},${VADUZ}&format=jsonv2`);
    expect(answer.json.map(({ osm_type, osm_id, name }: Record<string, unknown>) => [osm_type, osm_id, name])).toEqual([
      ['relation', 4, 'Schaan'],
      ['way', 1, 'Äulestrasse'],
      ['relation', 3, 'Vaduz'],
    ]);
    expect(answer.json[0]).toMatchObject({
      addresstype: 'town',
      address: { town: 'Schaan', county: 'Oberland', country_code: 'li' },
    });
    expect(credits).toBe(1);
  });

  test('objects that are not there are an empty list, for nothing', async () => {
    const [credits, answer] = await paid('osm_ids=N999999,W3000000000');
    expect(answer).toMatchObject({ status: 200, text: '[]' });
    expect(credits).toBe(0);
  });

  test('the status is known without a key', async () => {
    for (const path of ['/status', '/status/', '/k/any/status', '/status?key=wrong']) {
      const answer = await served.get(path);
      expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
        200,
        'OK',
        'text/plain; charset=utf-8',
      ]);
    }
    const { json, headers } = await served.get('/status?format=json');
    expect(json).toEqual({
      status: 0,
      message: 'OK',
      data_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      software_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    expectError(
      await served.get('/status?format=xml'),
      400,
      'parseError',
      'global',
      'format must be one of text, json.',
    );
  });

  test('names and shapes come on request', async () => {
    const query = 'format=json&namedetails=1&polygon_geojson=1';
    const [town] = (await get('/lookup', `osm_ids=${VADUZ}&${query}`)).json;
    expect(town.namedetails).toEqual({ name: 'Vaduz', 'name:ru': 'Вадуц' });
    expect(town.geojson.type).toBe('Polygon');
    expect(town.geojson.coordinates[0]).toHaveLength(5);
    expect(town.geojson.coordinates[0]).toContainEqual([9.49, 47.11]);
    const [street] = (await get('/search', `q=%C3%84ulestrasse,+Vaduz&limit=1&${query}`)).json;
    expect(street.geojson).toMatchObject({ type: 'LineString', coordinates: expect.arrayContaining([[9.505, 47.14]]) });
    const house = (await get('/reverse', `lat=${HOUSE.lat}&lon=${HOUSE.lon}&${query}`)).json;
    expect(house).toMatchObject({ namedetails: {}, geojson: { type: 'Point', coordinates: [HOUSE.lon, HOUSE.lat] } });
    const [feature] = (await get('/lookup', `osm_ids=${VADUZ}&polygon_geojson=1&format=geojson`)).json.features;
    expect(feature.geometry.type).toBe('Polygon');
  });
});
