// The geocoder as its clients see it: the whole service over the drawn extract, asked by programs that were written for
// OpenStreetMap's geocoder.

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import nodeGeocoder from 'node-geocoder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUSE, SEA, writeDrawnExtract } from '../kits/places/extracts.ts';
import { runSextant, ServiceProcess } from '../kits/service_process.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const WORDS = 'Äulestrasse 3, 9490 Vaduz';
const CLIENT = join(import.meta.dirname, 'geopy_client.py');

const base = folderOfFile();
let service: ServiceProcess;
let key: string;
let id: number;

beforeAll(async () => {
  const folder = join(base, 'var');
  mkdirSync(folder);
  const { code, stderr } = await runSextant(
    'import',
    'osm',
    writeDrawnExtract(join(base, 'drawn.osm.pbf')),
    '--data',
    folder,
  );
  expect([code, stderr]).toEqual([0, expect.anything()]);
  service = await ServiceProcess.start(folder);
  ({ key, id } = await service.key({ credits: 1000, address: true }));
});
afterAll(async () => {
  await service?.stop();
});

const get = (path: string) => service.request({ method: 'GET', path });

const noGeopy = spawnSync('python3', ['-c', 'import geopy']).status !== 0;
if (noGeopy)
  console.log('Left out: geopy, because this machine has no Python with it (pip install geopy, or python3-geopy).');

describe.skipIf(noGeopy)('geopy', () => {
  test('finds words and points with the key in the path', async () => {
    const domain = `127.0.0.1:${service.port}/k/${key}`;
    const { stdout } = await promisify(execFile)('python3', [
      CLIENT,
      domain,
      WORDS,
      String(HOUSE.lat),
      String(HOUSE.lon),
    ]);
    const found = JSON.parse(stdout);
    const house = {
      latitude: HOUSE.lat,
      longitude: HOUSE.lon,
      address: expect.stringContaining('Äulestrasse 3, 9490 Vaduz'),
    };
    expect(found.geocode).toMatchObject(house);
    expect(found.details[0]).toMatchObject({
      ...house,
      raw: { address: { house_number: '3', road: 'Äulestrasse', country_code: 'li' }, extratags: {} },
    });
    expect(found.structured.address).toContain('Vaduz');
    expect(found.bounded).toMatchObject(house);
    expect(found.shape).toMatchObject({
      ...house,
      raw: { extratags: {}, geotext: `POINT(${HOUSE.lon} ${HOUSE.lat})` },
    });
    expect(found.reverse).toMatchObject({ ...house, raw: { address: { postcode: '9490', town: 'Vaduz' } } });
    expect(found.coarse.raw.address).toMatchObject({ town: 'Vaduz', country: 'Liechtenstein' });
    expect([found.nothing, found.sea]).toEqual([null, null]);
  });
});

describe('node-geocoder', () => {
  const client = () => nodeGeocoder({ provider: 'openstreetmap', osmServer: `${service.url}/k/${key}` });
  const house = {
    latitude: HOUSE.lat,
    longitude: HOUSE.lon,
    formattedAddress: expect.stringContaining('Äulestrasse 3, 9490 Vaduz'),
    country: 'Liechtenstein',
    countryCode: 'LI',
    city: 'Vaduz',
    zipcode: '9490',
    streetName: 'Äulestrasse',
    streetNumber: '3',
  };

  test('finds words, also in parts', async () => {
    expect((await client().geocode(WORDS))[0]).toMatchObject(house);
    expect((await client().geocode({ street: 'Äulestrasse 3', city: 'Vaduz', limit: 1 }))[0]).toMatchObject(house);
    expect(await client().geocode('xyzzyqwk')).toHaveLength(0);
  });

  test('finds points, and says that the sea has none', async () => {
    expect((await client().reverse(HOUSE))[0]).toMatchObject(house);
    await expect(client().reverse(SEA)).rejects.toThrow('Unable to geocode');
  });
});

test('leaflet-control-geocoder has what it reads of results', async () => {
  // Nominatim.geocode and .reverse of its version 4 read these members, and put parts of the address into a template.
  const { json } = await get(`/search?key=${key}&q=Vaduz&limit=5&format=json&addressdetails=1`);
  for (const item of json) {
    expect(item.boundingbox.map(Number).every(Number.isFinite)).toBe(true);
    expect([Number(item.lat), Number(item.lon)].every(Number.isFinite)).toBe(true);
    expect(item).toMatchObject({ display_name: expect.any(String), address: { country: 'Liechtenstein' } });
  }
  const { headers, json: found } = await get(
    `/reverse?key=${key}&lat=${HOUSE.lat}&lon=${HOUSE.lon}&zoom=20&addressdetails=1&format=json`,
  );
  expect(found).toMatchObject({
    lat: '47.1402000',
    lon: '9.5150000',
    display_name: expect.any(String),
    address: { road: 'Äulestrasse' },
  });
  expect(headers['access-control-allow-origin']).toBe('*');
});

test('the log holds what was asked and answered, and never a key', async () => {
  const before = (await get(`/k/${key}/reverse?lat=x`)).json.logId;
  await get(`/k/${key}/reverse?lat=${HOUSE.lat}&lon=${HOUSE.lon}`);
  await get(`/k/${key}/search?q=Vaduz`);
  await get(`/search?q=Vaduz&key=${key}&limit=1`);
  await service.request({ path: `/k/${key}/reverse`, body: [HOUSE, SEA] });
  await service.request({ path: `/k/${key}/v1/country`, body: { cellTowers: [{ mobileCountryCode: 295 }] } });
  const last = (await get(`/k/${key}/elsewhere`)).json.logId;
  expect(last).toBe(before + 6);
  const logged = await Promise.all(Array.from({ length: 7 }, (_, i) => service.logged(before + i)));
  expect(logged.map(({ route, status, account, query }) => [route, status, account, query])).toEqual([
    ['reverse', 400, id, '/k//reverse?lat=x'],
    ['reverse', 200, id, `/k//reverse?lat=${HOUSE.lat}&lon=${HOUSE.lon}`],
    ['search', 200, id, '/k//search?q=Vaduz'],
    ['search', 200, id, '/search?q=Vaduz&limit=1'],
    ['reverse', 200, id, '/k//reverse'],
    ['country', 200, id, '/k//v1/country'],
    ['other', 404, undefined, '/k//elsewhere'],
  ]);
  expect(logged[1].response).toMatchObject({ address: { house_number: '3' } });
  expect(logged[4]).toMatchObject({ request: [HOUSE, SEA], response: { items: 2, credits: 1 } });
  expect(logged[5].response).toEqual({ country_code: 'LI', country_name: 'Liechtenstein' });
  expect(JSON.stringify(logged)).not.toContain(key);
  expect(service.printed).not.toContain(key);
});
