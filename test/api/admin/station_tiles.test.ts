// Tiles of stations over the admin interface.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, test } from 'vitest';
import { administered, BYTES, CELLS, ended } from './administered.ts';

/** The cell of `CELLS` lies in this tile of zoom 14. */
const BERLIN = '14/8796/5373';

async function opened() {
  const { service, url, ask } = await administered();
  const authorization = `Bearer ${readFileSync(join(service.folder, 'admin.token'), 'utf8').trim()}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${path}`, { headers: { authorization, ...headers } });
  return { service, ask, get };
}

/** Attributes of the features of each layer. */
async function layersIn(answer: Response): Promise<Record<string, Record<string, unknown>[]>> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
  const { layers } = new VectorTile(new PbfReader(await answer.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(layers).map(([name, layer]) => [
      name,
      Array.from({ length: layer.length }, (_, i) => layer.feature(i).properties),
    ]),
  );
}

test('the town is squares from afar and points near by, and an import shows once the index is made again', async () => {
  const { ask, get } = await opened();
  const all = await layersIn(await get('/tiles/stations/0/0/0'));
  const { json: first } = await ask('GET', '/stations');
  expect(all).toEqual({ density: [{ stations: first.total }] });
  expect(first).toMatchObject({ isReady: true, sources: [], madeAt: expect.any(String) });
  expect(Object.values<number>(first.kinds).reduce((sum, count) => sum + count)).toBe(first.total);
  expect(first.focus).toMatchObject({ latitude: expect.closeTo(1.25, 1), longitude: expect.closeTo(-2.5, 1) });
  expect(first.focus.zoom).toBeGreaterThan(9);
  const tag = (await get(`/tiles/stations/${BERLIN}`)).headers.get('etag')!;
  expect((await get(`/tiles/stations/${BERLIN}`, { 'if-none-match': tag })).status).toBe(304);
  await ask('POST', '/imports?kind=cells&source=<own>', CELLS, BYTES);
  await ended(ask, '/imports', 1);
  let { json: second } = await ask('GET', '/stations');
  while (second.total === first.total) ({ json: second } = await ask('GET', '/stations'));
  expect(second).toMatchObject({ total: first.total + 1, sources: ['<own>'], kinds: { lte: first.kinds.lte + 1 } });
  const after = await get(`/tiles/stations/${BERLIN}`, { 'if-none-match': tag });
  const cell = { name: 'lte-262-2-801-86355', kind: 'lte', samples: 4, used: 1, learned: 0, lastSeen: '2017-03-01' };
  expect(await layersIn(after)).toEqual({ stations: [{ ...cell, source: '<own>' }] });
  const found = { stations: [{ ...cell, source: '<own>' }] };
  for (const [query, layers] of [
    ['kind=lte', found],
    ['kind=cell&source=%3Cown%3E', found],
    ['seenAfter=2017-03-01', found],
    ['seenAfter=2017-03-02', {}],
    ['kind=nr', {}],
    ['kind=wifi', {}],
    ['learned=true', {}],
    ['source=other', {}],
  ] as const)
    expect(await layersIn(await get(`/tiles/stations/${BERLIN}?${query}`)), query).toEqual(layers);
});

test('what is no tile, no kind and no day is refused', async () => {
  const { ask } = await opened();
  for (const path of ['0/0/1', '19/0/0', '0/0/0?kind=router', '0/0/0?seenAfter=today', '0/0/0?learned=no', '0/0/0?x=1'])
    expect((await ask('GET', `/tiles/stations/${path}`)).status, path).toBe(400);
});
