// Tiles over the admin interface: what is asked for, what is refused, and how an import shows.

import { copyFileSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { currentLayer, placesFolder } from '../../../src/tables/places/generations.ts';
import { writeDrawnExtract } from '../../kits/places/extracts.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered, ended } from './administered.ts';

/** Vaduz of the drawn extract, at zoom 14. */
const VADUZ = '/tiles/map/14/8625/5753';

async function opened() {
  const { service, url, ask } = await administered();
  const authorization = `Bearer ${readFileSync(join(service.folder, 'admin.token'), 'utf8').trim()}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { authorization, ...headers } });
  const importPlaces = async () => {
    const file = writeDrawnExtract(join(temporaryFolder(), 'drawn.osm.pbf'));
    const { json } = await ask('POST', '/imports?kind=osm&source=drawn', readFileSync(file), {
      'content-type': 'application/octet-stream',
    });
    expect(await ended(ask, '/imports', json.id)).toMatchObject({ state: 'done' });
  };
  return { service, url, ask, get, importPlaces };
}

/** Names of the layers of a tile. */
async function layersOf(answer: Response): Promise<string[]> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  return Object.keys(new VectorTile(new PbfReader(await answer.arrayBuffer())).layers).sort();
}

test('a tile has a tag, by which a client has it once, until an import shows', async () => {
  const { get, importPlaces } = await opened();
  const first = await get(VADUZ);
  const etag = first.headers.get('etag')!;
  expect(first.headers.get('cache-control')).toBe('private, no-cache');
  expect(await layersOf(first)).not.toContain('road');
  const again = await get(VADUZ, { 'if-none-match': etag });
  expect([again.status, await again.text()]).toEqual([304, '']);
  await importPlaces();
  const after = await get(VADUZ, { 'if-none-match': etag });
  expect(after.headers.get('etag')).not.toBe(etag);
  expect(await layersOf(after)).toContain('road');
  const plain = await get(VADUZ, { 'accept-encoding': 'identity' });
  expect(plain.headers.get('content-encoding')).toBe(null);
  expect(await layersOf(plain)).toContain('road');
});

test('numbers that no tile has are refused with a sentence, and so are other kinds', async () => {
  const { ask, get } = await opened();
  for (const numbers of ['0/0/1', '1/2/0', '19/0/0', '18/262144/0', '-1/0/0', '1.5/0/0', '1/a/0', '9999999/0/0'])
    expect(await ask('GET', `/tiles/map/${numbers}`)).toMatchObject({
      status: 400,
      json: { error: 'A tile has a zoom from 0 to 18, and x and y from 0 to 2 to the power of it, less 1.' },
    });
  for (const kind of ['other', 'constructor', '__proto__'])
    expect((await ask('GET', `/tiles/${kind}/0/0/0`)).status).toBe(404);
  expect(await layersOf(await get('/tiles/map/18/262143/0'))).toEqual(['sea']);
});

test('a flood of tiles is refused, and meanwhile the other routes answer', async () => {
  const { ask, get, importPlaces } = await opened();
  await importPlaces();
  const flood: Promise<Response>[] = [];
  // The worker has not begun to draw. No more connections at once than the interface takes of strangers.
  while (flood.length < 56) {
    for (let i = 0; i < 8; i++) flood.push(get(`/tiles/map/3/${i}/${(flood.length / 8) | 0}`));
    expect((await ask('GET', '/status')).status).toBe(200);
  }
  const answers = await Promise.all(flood);
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  const refused = answers.find(({ status }) => status === 429)!;
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await refused.json()).toEqual({ error: 'Too many tiles are under way; ask again in a moment.' });
  expect((await get('/tiles/map/3/0/0')).status).toBe(200);
});

test('a damaged table of places costs its tiles, not the service', async () => {
  const { service, ask, get, importPlaces } = await opened();
  await importPlaces();
  expect((await get('/tiles/map/0/0/0')).status).toBe(200);
  const data = join(currentLayer(placesFolder(service.folder))!, 'data.mdb');
  copyFileSync(data, `${data}.before`);
  // Every record, but not the pages that lead to them.
  const bytes = readFileSync(data);
  const file = openSync(data, 'r+');
  for (let at = bytes.indexOf('strasse'); at >= 0; at = bytes.indexOf('strasse', at + 1))
    writeSync(file, Buffer.alloc(64, 255), 0, 64, Math.max(0, at - 48));
  expect(statSync(data).size).toBe(bytes.length);
  const { status, json } = await ask('GET', VADUZ);
  expect([status, json.error]).toEqual([500, expect.stringContaining('damaged')]);
  expect((await ask('GET', '/status')).status).toBe(200);
  expect((await get('/tiles/map/0/0/0')).status).toBe(200);
});
