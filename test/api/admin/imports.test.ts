// Imports of addresses over the admin interface: what a request says of a table besides its name.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeImportList } from '../../../src/folder/import_list.ts';
import { exportPlaces } from '../../../src/geocoding/import/finished_places.ts';
import { BYTES, ended, sharedAdministered } from './administered.ts';

const OWN = 'Nr,Zusatz,Weg,Breite,Länge\n12,a,Lindenweg,47.1,9.5\n13,,Lindenweg,52.5,13.4\n';
const COLUMNS = { number: ['Nr', 'Zusatz'], street: 'Weg', latitude: 'Breite', longitude: 'Länge' };

const served = sharedAdministered();

/** A query of parameters, of which some are repeated. */
function queryOf(parameters: Record<string, string | string[]>): string {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map(value => [name, value] as [string, string]),
    ),
  ).toString();
}

test('addresses and postcodes are imported with licence, country and columns, and again as finished places', async () => {
  const { service, ask } = await served();
  const said = { kind: 'addresses', source: 'register', licence: 'CC BY 4.0', country: 'li', encoding: 'utf-8' };
  const begun = await ask('POST', `/imports?${queryOf({ ...said, ...COLUMNS })}`, OWN, BYTES);
  expect(begun).toMatchObject({
    status: 202,
    json: {
      ...{ ...said, country: 'LI' },
      columns: { ...COLUMNS, street: ['Weg'], latitude: ['Breite'], longitude: ['Länge'] },
    },
  });
  expect(await ended(ask, '/imports', begun.json.id)).toMatchObject({
    state: 'done',
    result: { accepted: 1, refusedByRule: { country: 1 } },
  });
  const postcodes = queryOf({ kind: 'postcodes', source: 'codes', licence: 'CC0', postcode: 'code' });
  const { id } = (await ask('POST', `/imports?${postcodes}`, 'code,lat,lon\n9999,47.1,9.5\n', BYTES)).json;
  expect(await ended(ask, '/imports', id)).toMatchObject({ state: 'done', result: { accepted: 1 } });
  expect((await ask('GET', '/sources')).json.sources).toMatchObject([
    { name: 'register', kind: 'addresses', licence: 'CC BY 4.0' },
    { name: 'codes', kind: 'postcodes', licence: 'CC0' },
  ]);

  const pieces: Buffer[] = [];
  const cut = { scratchFolder: join(service.folder, 'cut'), onCut: () => {} };
  for await (const { bytes } of exportPlaces(service.folder, cut)) pieces.push(bytes);
  for (const name of ['register', 'codes'])
    await ended(ask, '/jobs', (await ask('POST', '/sources/remove', { name })).json.id);
  const finished = await ask('POST', '/imports?kind=places&source=town', Buffer.concat(pieces), BYTES);
  expect(finished.json).toMatchObject({ kind: 'places', source: 'town' });
  expect(await ended(ask, '/imports', finished.json.id)).toMatchObject({ state: 'done', result: { places: 3 } });
  expect((await ask('GET', '/sources')).json.sources).toMatchObject([
    {
      name: 'town',
      registers: [
        { name: 'register', licence: 'CC BY 4.0' },
        { name: 'codes', licence: 'CC0' },
      ],
    },
  ]);
});

test('a table is looked at by its first bytes, and nothing of it is kept', async () => {
  const { service, ask } = await served();
  const before = (await ask('GET', '/imports')).json;
  const look = (parameters: Record<string, string | string[]>, body: unknown) =>
    ask('POST', `/imports/look?${queryOf({ kind: 'addresses', ...parameters })}`, body, BYTES);
  expect(await look({}, OWN)).toMatchObject({
    status: 200,
    json: {
      columns: [{ name: 'Nr', example: '12' }, {}, {}, {}, {}],
      missing: ['latitude', 'longitude', 'number', 'street'],
      recognised: {},
    },
  });
  expect((await look({ ...COLUMNS, country: 'LI', licence: 'CC0' }, OWN)).json).toMatchObject({
    ...{ missing: [], accepted: 1, refusedByRule: { country: 1 }, recognised: { number: ['Nr', 'Zusatz'] } },
    rows: [{ line: 2, number: '12 a', street: 'Lindenweg', latitude: 47.1, longitude: 9.5 }],
  });
  const row = '9.5,47.1,12,Lindenweg\n';
  const large = `lon,lat,number,street\n${row.repeat(20_000)}`;
  expect(await look({}, large)).toMatchObject({ status: 413, json: { error: expect.stringContaining('262144') } });
  expect((await look({}, large.slice(0, 262_144))).json).toMatchObject({ refused: 0, isCut: true });
  expect(await look({}, Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toMatchObject({
    ...{ status: 400, json: { error: 'The file is no table: it holds binary data.' } },
  });
  expect(await look({ kind: 'cells' }, OWN)).toMatchObject({ status: 400, json: { parameter: 'kind' } });
  expect(await look({ number: 'Haus' }, OWN)).toMatchObject({
    ...{ status: 400, json: { error: expect.stringContaining('no column "Haus" for number') } },
  });
  expect((await ask('GET', '/imports')).json).toEqual(before);
  expect(readdirSync(join(service.folder, 'spool'))).toEqual([]);
});

test('what cannot be is refused by the name of its parameter', async () => {
  const { ask } = await served();
  const addresses = { kind: 'addresses', source: 'other' };
  const cases: [Record<string, string | string[]>, string, string][] = [
    [{ ...addresses, country: 'Liechtenstein' }, 'country', 'country'],
    [{ ...addresses, licence: 'a\nb' }, 'licence', 'licence'],
    [{ ...addresses, licence: 'x'.repeat(301) }, 'licence', 'licence'],
    [{ ...addresses, number: '' }, 'number', 'number'],
    [{ ...addresses, encoding: 'no such one!' }, 'encoding', 'encoding'],
    [{ ...addresses, source: '' }, 'source', 'source'],
    [{ ...addresses, town: 'Ort' }, 'town', 'There is no town here.'],
    [{ kind: 'addresses' }, 'source', 'Name the source'],
    [{ source: 'other' }, 'kind', 'kind'],
    [{ kind: 'cells', source: 'other', licence: 'CC0' }, 'licence', 'licence goes with addresses and postcodes only.'],
    [{ kind: 'osm', source: 'other', latitude: 'y' }, 'latitude', 'latitude goes with addresses and postcodes only.'],
    [{ ...addresses, format: 'mls' }, 'format', 'Only measurements have a format'],
  ];
  for (const [parameters, parameter, error] of cases) {
    const answer = await ask('POST', `/imports?${queryOf(parameters)}`, OWN, BYTES);
    expect(answer, JSON.stringify(parameters)).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining(error) },
    });
    expect(answer.json.parameter, JSON.stringify(parameters)).toBe(parameter);
  }
  const query = queryOf({ ...addresses, ...COLUMNS, number: 'Hausnummer' });
  const { id } = (await ask('POST', `/imports?${query}`, OWN, BYTES)).json;
  expect(await ended(ask, '/imports', id)).toMatchObject({
    state: 'failed',
    error: expect.stringContaining('no column "Hausnummer" for number'),
  });
});

test('what --import names is listed beside them', async () => {
  const { service, ask } = await served();
  const failed = { id: '1', kind: 'osm', file: 'town.osm.pbf', state: 'failed', error: 'Gone.', failures: 1 } as const;
  writeImportList(service.folder, [failed]);
  expect((await ask('GET', '/imports')).json.bySetting).toEqual([failed]);
  writeImportList(service.folder, []);
  expect((await ask('GET', '/imports')).json.bySetting).toEqual([]);
});
