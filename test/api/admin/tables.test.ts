// Tables over the admin interface: sent, answered, read.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Tables } from '../../../src/api/admin/tables.ts';
import { LONE_BEACONS_OF } from '../../../src/radio/query/layout.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { administered, BYTES } from './administered.ts';

type Ask = Awaited<ReturnType<typeof administered>>['ask'];

async function answered(ask: Ask, id: number): Promise<Record<string, unknown>> {
  for (;;) {
    const { json } = await ask('GET', `/tables/${id}`);
    if (json.state === 'done' || json.state === 'failed') return json;
  }
}

test('a table comes back with positions and places in it', async () => {
  const { service, ask } = await administered();
  const send = (query: string, text: string) => ask('POST', `/tables?${query}`, Buffer.from(text), BYTES);
  const table = 'customer,address\n7,"Wien, Österreich"\n8,Zzyzxqqq\n';
  const sent = await send('kind=geocode&column=address&language=de', table);
  expect(sent).toMatchObject({
    status: 202,
    json: { id: 1, kind: 'geocode', columns: { column: 'address' }, languages: ['de'] },
  });
  const positions = await send('kind=reverse', 'lat;lon\n47.14;9.52\n');
  const parts = await send('kind=geocode&column=town&column=country', 'town,country\nWien,Austria\n');
  const scans = await send('kind=locate', 'wifi\n"02:00:5e:00:00:d3,a,-50;02:00:5e:00:00:d4,b,-60"\n');
  expect(await answered(ask, 1)).toMatchObject({ state: 'done', rows: 2, found: 1, percent: 100 });
  const result = await ask('GET', '/tables/1/result');
  expect(result.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(result.text.split('\n')).toEqual([
    'customer,address,latitude,longitude,radius,place,quality',
    expect.stringMatching(/^7,"Wien, Österreich",48\.\d+,16\.\d+,\d+,"Wien, Österreich",city$/),
    '8,Zzyzxqqq,,,,,not found',
    '',
  ]);
  for (const [{ json }, place] of [
    [positions, 'Vaduz, Liechtenstein'],
    [parts, '"Vienna, Austria",city'],
    [scans, ',1.2502446,-2.4997308,15,,wifi'],
  ] as const) {
    expect((await answered(ask, json.id)).state).toBe('done');
    expect((await ask('GET', `/tables/${json.id}/result`)).text).toContain(place);
  }
  expect((await ask('GET', '/tables')).json.tables).toHaveLength(4);
  // A table in another encoding comes back in it.
  const latin = await ask(
    'POST',
    '/tables?kind=geocode&column=Ort',
    Buffer.from('Ort\nZürich\nKöln\n', 'latin1'),
    BYTES,
  );
  expect(await answered(ask, latin.json.id)).toMatchObject({ state: 'done', encoding: 'windows-1252', found: 2 });
  const again = await ask('GET', `/tables/${latin.json.id}/result`);
  expect(again.headers['content-type']).toBe('text/csv; charset=windows-1252');
  // What was sent is not kept.
  expect(readdirSync(join(service.folder, 'spool')).filter(name => name.endsWith('-sent'))).toEqual([]);
});

test('what is no table, or none that there is, is refused with the reason', async () => {
  const { ask } = await administered();
  const { json } = await ask('POST', '/tables?kind=geocode&column=street', Buffer.from('a,b\n1,2\n'), BYTES);
  expect(await answered(ask, json.id)).toMatchObject({
    state: 'failed',
    error: 'The table has no column "street"; it has a, b.',
  });
  expect(await ask('GET', `/tables/${json.id}/result`)).toMatchObject({
    status: 409,
    json: { error: expect.stringContaining('no column "street"') },
  });
  for (const path of ['/tables/9', '/tables/9/result'])
    expect(await ask('GET', path)).toMatchObject({ status: 404, json: { error: 'There is no table 9.' } });
  expect((await ask('POST', '/tables?kind=guess', Buffer.from('a\n'), BYTES)).status).toBe(400);
  expect((await ask('POST', '/tables?kind=reverse', { lat: 1 })).status).toBe(415);
});

test('a table that comes while tables cannot be opened fails, and each later one tries again', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'spool'));
  let tries = 0;
  const open = () => Promise.reject(new Error(`The tables cannot be opened, try ${++tries}.`));
  const tables = new Tables(folder, open, LONE_BEACONS_OF.trusted);
  const send = (text: string) => tables.take({ kind: 'reverse' }, { headers: {}, body: Readable.from([text]) });
  await send('lat,lon\n47.1,9.5\n');
  await send('');
  await send('lat,lon\n47.1,9.5\n');
  await tables.close();
  expect(tables.list()).toMatchObject([
    { state: 'failed', error: 'The tables cannot be opened, try 1.' },
    { state: 'failed', error: 'The file is empty.' },
    { state: 'failed', error: 'The tables cannot be opened, try 2.' },
  ]);
  expect(readdirSync(join(folder, 'spool'))).toEqual([]);
});
