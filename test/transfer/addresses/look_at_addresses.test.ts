// What is seen of tables of addresses by their first bytes, each form by an invented table.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LOOK_BYTES, lookAtAddresses } from '../../../src/transfer/addresses/look_at_addresses.ts';
import { zipOf } from '../formats/zip_of.ts';

const HEADER = 'LON,LAT,NUMBER,STREET,CITY,POSTCODE\n';
const ROW = '9.5,47.1,12,Lindenweg,Aheim,9999\n';
const HOUSE = { number: '12', street: 'Lindenweg', city: 'Aheim', postcode: '9999', latitude: 47.1, longitude: 9.5 };

const look = (content: string | Buffer, options = {}) =>
  lookAtAddresses(Buffer.from(content as string), { isPostcodes: false, ...options });

test('columns are told with the value of the first row, and rows as they are read', async () => {
  const seen = await look(`${HEADER}${ROW}9.5,,13,Lindenweg,Aheim,9999\n${ROW.repeat(8)}${ROW.trimEnd()},more`);
  expect(seen).toEqual({
    format: 'table',
    encoding: 'utf-8',
    columns: [
      { name: 'LON', example: '9.5' },
      { name: 'LAT', example: '47.1' },
      { name: 'NUMBER', example: '12' },
      { name: 'STREET', example: 'Lindenweg' },
      { name: 'CITY', example: 'Aheim' },
      { name: 'POSTCODE', example: '9999' },
    ],
    recognised: {
      ...{ number: ['NUMBER'], street: ['STREET'], city: ['CITY'], postcode: ['POSTCODE'] },
      ...{ longitude: ['LON'], latitude: ['LAT'] },
    },
    missing: [],
    rows: [2, 4, 5, 6, 7].map(line => ({ line, ...HOUSE })),
    ...{ accepted: 9, refused: 2, refusedByRule: { position: 1, cells: 1 }, isCut: false },
    refusedLines: [
      { line: 3, why: '"", "9.5" is no position' },
      { line: 12, why: expect.stringContaining('cells') },
    ],
  });
});

test('what has no column is missing, until somebody names it; of street and city one is enough', async () => {
  const table = 'Nr,Zusatz,Weg,lat,lon\n12,a,Lindenweg,47.1,9.5\n';
  expect(await look(table)).toMatchObject({
    ...{ missing: ['number', 'street'], rows: [], accepted: 0, recognised: { latitude: ['lat'], longitude: ['lon'] } },
    columns: [{ name: 'Nr' }, { name: 'Zusatz' }, { name: 'Weg', example: 'Lindenweg' }, {}, {}],
  });
  const columns = { number: ['Nr', 'Zusatz'], street: ['Weg'] };
  expect(await look(table, { columns })).toMatchObject({
    ...{ missing: [], recognised: columns, rows: [{ number: '12 a', street: 'Lindenweg', city: '' }] },
  });
  expect(await look(table, { columns, country: 'AU' })).toMatchObject({ accepted: 0, refusedByRule: { country: 1 } });
  await expect(look(table, { columns: { number: ['Haus'] } })).rejects.toThrow('no column "Haus" for number');
});

test('of a file that is cut only whole lines are read: plain, compressed, and in an archive', async () => {
  // No line repeats, so that little of it is compressed away.
  const text = Buffer.from(
    HEADER + Array.from({ length: 60_000 }, (_, i) => ROW.replace('12', `${i * 7919}`)).join(''),
  );
  const archive = zipOf(
    { name: 'readme.txt', content: 'Nothing to see\n' },
    { name: 'picture.png', content: 'no table' },
    { name: 'south/houses.csv', content: text.toString() },
  );
  for (const [packed, table] of [
    [text, undefined],
    [gzipSync(text), undefined],
    [archive, 'south/houses.csv'],
  ] as const) {
    expect(packed.length).toBeGreaterThan(LOOK_BYTES);
    const seen = await lookAtAddresses(packed.subarray(0, LOOK_BYTES), { isPostcodes: false });
    expect(seen).toMatchObject({
      refused: 0,
      missing: [],
      isCut: true,
      rows: [{ ...HOUSE, number: '0' }, {}, {}, {}, {}],
    });
    expect(seen.accepted).toBeGreaterThan(1_000);
    expect(seen.table).toBe(table);
  }
  await expect(look('x'.repeat(LOOK_BYTES))).rejects.toThrow('The file has no whole line in its first 256 KiB.');
});

test('little that unpacks to much is looked at up to the same length', async () => {
  const packed = gzipSync(HEADER + ROW.repeat(1_000_000));
  expect(packed.length).toBeLessThan(LOOK_BYTES);
  const seen = await lookAtAddresses(packed, { isPostcodes: false });
  expect(seen.accepted).toBe(Math.floor((LOOK_BYTES - HEADER.length) / ROW.length));
  expect(seen.isCut).toBe(true);
});

test('GeoJSON is told by the members of its first feature', async () => {
  const properties = { hnr: 12, street: 'Lindenweg', lat: null };
  const line = JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [9.5, 47.1] } });
  expect(await look(`${line}\n{"type":\n`)).toMatchObject({
    ...{ format: 'GeoJSON', missing: ['number'], recognised: { street: ['street'] } },
    columns: [
      { name: 'hnr', example: '12' },
      { name: 'street', example: 'Lindenweg' },
      { name: 'lat', example: 'null' },
    ],
  });
  const columns = { number: ['hnr'] };
  expect(await look(`${line}\n{"type":\n`, { columns })).toMatchObject({ missing: [], accepted: 1, refused: 1 });
});

test('postcodes without a header are told by whose they are', async () => {
  const geonames = 'LI\t9490\tVaduz\t\t\t\t\t\t\t47.14\t9.52\t6\n';
  const codePoint = '"AB10 1AA",10,394235,806529,"S92000003","","S08000020","","S12000033","S13002842"\n';
  for (const [format, text, postcode] of [
    ['GeoNames', geonames, '9490'],
    ['Code-Point Open', codePoint, 'AB10 1AA'],
  ])
    expect(await look(text, { isPostcodes: true })).toMatchObject({
      ...{ format, columns: [], missing: [], accepted: 1, rows: [{ line: 1, postcode }] },
    });
});

test('texts in other encodings are read to their last whole line', async () => {
  const rows = HEADER + ROW.replace('Lindenweg', 'Straße').repeat(20_000);
  const utf16 = Buffer.from(`\ufeff${rows}`, 'utf16le');
  expect(await lookAtAddresses(utf16.subarray(0, LOOK_BYTES), { isPostcodes: false })).toMatchObject({
    ...{ encoding: 'utf-16le', refused: 0, isCut: true, rows: [{ street: 'Straße' }, {}, {}, {}, {}] },
  });
  expect(await look(Buffer.from(rows, 'utf8').subarray(0, LOOK_BYTES))).toMatchObject({
    encoding: 'utf-8',
    refused: 0,
  });
  expect(await look(Buffer.from(rows, 'latin1').subarray(0, LOOK_BYTES), { encoding: 'windows-1252' })).toMatchObject({
    ...{ encoding: 'windows-1252', rows: [{ street: 'Straße' }, {}, {}, {}, {}] },
  });
});

test('what is no table is an error that says so', async () => {
  const damaged = gzipSync(HEADER + ROW);
  damaged[12] ^= 255;
  const cases: [string | Buffer, string][] = [
    ['', 'The file is empty.'],
    ['PAR1....', 'A Parquet file says at its end what it holds; it can be imported without a look.'],
    [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'The file is no table: it holds binary data.'],
    [damaged, 'The file is damaged: '],
    [zipOf({ name: 'a.png', content: 'x' }), 'The file begins with no table.'],
    [zipOf({ name: 'a.png', content: 'x' }).subarray(0, 20), 'The file begins with no table.'],
  ];
  for (const [content, error] of cases) await expect(look(content)).rejects.toThrow(error);
});
