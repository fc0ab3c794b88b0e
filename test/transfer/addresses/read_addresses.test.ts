// Addresses of registers, each form by an invented table of one or two rows.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { GivenAddress } from '../../../src/geocoding/import/houses/address_file.ts';
import { readAddresses } from '../../../src/transfer/addresses/read_addresses.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { zipOf } from '../formats/zip_of.ts';

function file(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function read(paths: string[], options: Partial<Parameters<typeof readAddresses>[0]> = {}) {
  const rows: GivenAddress[] = [];
  const reading = await readAddresses({
    ...{ paths, isPostcodes: false, take: (row: GivenAddress) => void rows.push(row), onProgress: () => {} },
    ...{ scratchFolder: temporaryFolder(), ...options },
  });
  return { rows, reading };
}

const HOUSE = { number: '12', street: 'Lindenweg', city: 'Aheim', postcode: '9999', latitude: 47.1, longitude: 9.5 };
const OPEN_ADDRESSES =
  'LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n9.5,47.1,12,Lindenweg,3,Aheim,,,9999,,\n';

test.each([
  ['OpenAddresses', OPEN_ADDRESSES, HOUSE],
  [
    'BAN, whose x and y are no degrees',
    'id;numero;rep;nom_voie;code_postal;nom_commune;x;y;lon;lat\n1;12;bis;Rue des Tilleuls;01000;Aville;870000;6570000;5.2;46.2\n',
    { number: '12bis', street: 'Rue des Tilleuls', city: 'Aville', postcode: '01000', latitude: 46.2, longitude: 5.2 },
  ],
  [
    'BAG',
    'openbareruimte;huisnummer;huisletter;huisnummertoevoeging;postcode;woonplaats;lon;lat\nLindelaan;12;A;2;1000AB;Adorp;5;52\n',
    { number: '12A-2', street: 'Lindelaan', city: 'Adorp', postcode: '1000AB', latitude: 52, longitude: 5 },
  ],
  [
    'G-NAF Core',
    'NUMBER_FIRST|NUMBER_LAST|STREET_NAME|STREET_TYPE|STREET_SUFFIX|LOCALITY_NAME|POSTCODE|LONGITUDE|LATITUDE\n12|14|LIME|STREET|NORTH|ATOWN|2999|149|-35\n',
    { number: '12-14', street: 'LIME STREET NORTH', city: 'ATOWN', postcode: '2999', latitude: -35, longitude: 149 },
  ],
  [
    'the directory of buildings of Switzerland, in metres of its grid',
    'STN_LABEL;ADR_NUMBER;ZIP_LABEL;COM_NAME;ADR_EASTING;ADR_NORTHING\nLindenweg;12;9999 Aheim;Bstadt;2600000;1200000\n',
    { ...HOUSE, latitude: 46.951, longitude: 7.4386 },
  ],
  ['GeoJSON lines', `${feature({ number: '12', street: 'Lindenweg', city: 'Aheim', postcode: '9999' })}\n`, HOUSE],
  [
    'GeoJSON with a comma behind each line, and numbers as such',
    `${feature({ postcode: 9999, house_number: 12, Street: 'Lindenweg', City: 'Aheim', note: null })},\n`,
    HOUSE,
  ],
])('%s', async (_, content, expected) => {
  const { rows, reading } = await read([file('table.txt', content)]);
  expect(rows).toHaveLength(1);
  const { latitude, longitude, ...texts } = rows[0];
  const at = { latitude: expect.closeTo(expected.latitude, 3), longitude: expect.closeTo(expected.longitude, 3) };
  expect({ latitude, longitude, ...texts }).toEqual({ ...expected, ...at });
  expect(reading).toMatchObject({ accepted: 1, refused: 0, leftOut: [] });
});

function feature(properties: object): string {
  return JSON.stringify({ type: 'Feature', properties, geometry: { type: 'Point', coordinates: [9.5, 47.1] } });
}

test('columns of any name are read where they are said', async () => {
  const path = file('own.csv', 'Nr,Zusatz,Weg,Breite,Länge\n12,a,Lindenweg,47.1,9.5\n');
  const columns = { number: ['Nr', 'Zusatz'], street: ['Weg'], latitude: ['Breite'], longitude: ['Länge'] };
  const { rows } = await read([path], { columns });
  expect(rows).toEqual([{ ...HOUSE, number: '12 a', city: '', postcode: '' }]);
  await expect(read([path], { columns: { ...columns, street: ['Gasse'] } })).rejects.toThrow(
    'The table has no column "Gasse" for street; it has Nr, Zusatz, Weg, Breite, Länge.',
  );
});

test('a table without the columns is named with what it has', async () => {
  const path = file('own.csv', 'Nr,Weg\n12,Lindenweg\n');
  await expect(read([path])).rejects.toThrow(
    `${path} is no table of addresses: it has no column for latitude, longitude, number, street, and has Nr, Weg; ` +
      'name them with --number and the like.',
  );
});

test('rows are refused by what is wrong with them, and lines are named', async () => {
  const lines = [
    'lon,lat,number,street,city',
    '9.5,47.1,12,Lindenweg,Aheim',
    '9.5,147.1,12,Lindenweg,Aheim',
    ',,12,Lindenweg,Aheim',
    '0,0,12,Lindenweg,Aheim',
    '9.5,47.1,,Lindenweg,Aheim',
    '9.5,47.1,12,,',
    '-33.9,18.4,12,Lindenweg,Aheim',
    '9.5,47.1,12,Lindenweg,Aheim,more',
    `9.5,47.1,12,${'L'.repeat(201)},Aheim`,
  ];
  const path = file('poor.csv', lines.join('\n'));
  const { rows, reading } = await read([path], { country: 'LI' });
  expect(rows).toHaveLength(1);
  expect(reading.refusedByRule).toEqual({ position: 3, number: 1, street: 1, country: 1, cells: 1, length: 1 });
  expect(reading.refusedLines[0]).toEqual({ file: path, line: 3, why: '"147.1", "9.5" is no position' });
  expect(reading.refusedLines).toHaveLength(5);
  expect(reading.mostlyRefused).toMatchObject([{ file: path, rows: 9, taken: 1 }]);
});

test('lines that are no features are refused', async () => {
  const noPoint = JSON.stringify({ type: 'Feature', properties: { number: '1', street: 'A' }, geometry: null });
  const path = file('poor.geojson', [feature({ number: '12', city: 'Aheim' }), '{"type":', noPoint].join('\n'));
  const { rows, reading } = await read([path]);
  expect(rows).toEqual([{ ...HOUSE, street: '', postcode: '' }]);
  expect(reading.refusedByRule).toEqual({ json: 2 });
  expect(reading.refusedLines.map(({ line }) => line)).toEqual([2, 3]);
});

test('compressed tables, all of an archive and of a folder are read; others there are left out', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'north'));
  writeFileSync(join(folder, 'north', 'a.csv.gz'), gzipSync(OPEN_ADDRESSES));
  writeFileSync(join(folder, 'readme.txt'), 'Nothing to see\n');
  writeFileSync(join(folder, 'picture.png'), '');
  const archive = zipOf(
    { name: 'south/b.csv', content: OPEN_ADDRESSES },
    { name: 'LICENSE.md', content: 'free' },
    { name: '__MACOSX/b.csv', content: 'x' },
  );
  writeFileSync(join(folder, 'south.zip'), archive);
  const { rows, reading } = await read([folder]);
  expect(rows).toEqual([HOUSE, HOUSE]);
  expect(reading).toMatchObject({ accepted: 2, leftOut: [join(folder, 'readme.txt')] });
});

test('a table in another encoding is read by its letters, or by what is said', async () => {
  const text = `LON,LAT,NUMBER,STREET,CITY\n${'9.5,47.1,12,Straße der Bäume,Öhringen\n'.repeat(20)}`;
  const path = file('western.csv', Buffer.from(text, 'latin1'));
  for (const encoding of [undefined, 'windows-1252'])
    expect((await read([path], { encoding })).rows[0]).toMatchObject({ street: 'Straße der Bäume', city: 'Öhringen' });
});

test('a damaged file is named', async () => {
  const broken = file('a.csv.gz', gzipSync(OPEN_ADDRESSES.repeat(50)).subarray(0, -20));
  await expect(read([broken])).rejects.toThrow(`${broken} cannot be read: unexpected end of file.`);
  await expect(read(['/nowhere/a.csv'])).rejects.toThrow('/nowhere/a.csv does not exist.');
  const empty = temporaryFolder();
  await expect(read([empty])).rejects.toThrow(`${empty} holds no table.`);
});

test.each([
  [
    'GeoNames',
    'LI\t9999\tAheim\t\t\t\t\t\t\t47.1\t9.5\t4\nLI\t\tBdorf\t\t\t\t\t\t\t47.2\t9.5\t4\n',
    { postcode: '9999', city: 'Aheim', latitude: 47.1, longitude: 9.5 },
  ],
  [
    'Code-Point Open',
    '"AB1 2CD",10,530000,180000,"E1","","","","",""\n"AB1 2CE",90,0,0,"E1","","","","",""\n',
    { postcode: 'AB1 2CD', city: '', latitude: 51.504, longitude: -0.128 },
  ],
  [
    'any table with a header',
    'postcode,lat,lon\n9999,47.1,9.5\n,47.1,9.5\n',
    { postcode: '9999', city: '', latitude: 47.1, longitude: 9.5 },
  ],
])('postcodes of %s', async (_, content, { latitude, longitude, ...texts }) => {
  const { rows, reading } = await read([file('codes.txt', content)], { isPostcodes: true });
  const at = { latitude: expect.closeTo(latitude, 3), longitude: expect.closeTo(longitude, 3) };
  expect(rows).toEqual([{ number: '', street: '', ...texts, ...at }]);
  expect(reading.refused).toBe(1);
});
