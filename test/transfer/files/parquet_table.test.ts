// Parquet files of addresses: each codec, forms of positions, rows that are none, and damage.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GivenAddress } from '../../../src/geocoding/import/houses/address_file.ts';
import { readAddresses } from '../../../src/transfer/addresses/read_addresses.ts';
import { CODECS, overtureParquet, parquetOf, wkbOf } from '../../kits/parquet.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

function file(content: Buffer, name = 'addresses.parquet'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function read(path: string, options: Partial<Parameters<typeof readAddresses>[0]> = {}) {
  const rows: GivenAddress[] = [];
  const reading = await readAddresses({
    ...{ paths: [path], isPostcodes: false, take: (row: GivenAddress) => void rows.push(row), onProgress: () => {} },
    ...{ scratchFolder: temporaryFolder(), ...options },
  });
  return { rows, reading };
}

const HOUSES = Array.from({ length: 10 }, (_, i) => ({
  number: `${i + 1}`,
  street: i === 4 ? '' : 'Lindenweg',
  city: 'Aheim',
  postcode: '9999',
  latitude: 47.1 + i / 1000,
  longitude: 9.5,
}));

test.each(CODECS)('addresses of Overture Maps, packed by %s', async codec => {
  const { rows, reading } = await read(file(overtureParquet(HOUSES, { codec })));
  expect(rows).toEqual(HOUSES);
  expect(reading).toMatchObject({ accepted: 10, refused: 0, leftOut: [] });
});

test('the last level of an address is its town where the post names none', async () => {
  const { rows } = await read(file(overtureParquet(HOUSES, { inLevels: true })));
  expect(rows).toEqual(HOUSES);
});

test('files are found by their content, or in a folder by their name; rows are told as progress', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'type=address'));
  const content = overtureParquet(HOUSES);
  writeFileSync(join(folder, 'type=address', 'part-0.parquet'), content);
  const told: number[] = [];
  const onProgress = ({ bytesDone }: { bytesDone: number }) => void told.push(bytesDone);
  expect((await read(folder, { onProgress })).rows).toEqual(HOUSES);
  expect(told).toEqual([content.length]);
  expect((await read(file(content, 'download'))).rows).toEqual(HOUSES);
});

const [{ number, street, city, postcode, latitude, longitude }] = HOUSES;
const POINT = { type: 'Point', coordinates: [longitude, latitude] };
const TEXTS = [
  { name: 'number', data: [1n], type: 'INT64' as const },
  { name: 'street', data: [street] },
  { name: 'city', data: [city] },
  { name: 'postcode', data: [9999] },
];

test.each([
  [
    'columns of degrees',
    [
      { name: 'lat', data: [latitude] },
      { name: 'lon', data: [longitude] },
    ],
  ],
  ['a column of geometry', [{ name: 'geometry', data: [POINT], type: 'GEOMETRY' as const }]],
  [
    'big-endian Well-Known Binary with a system and a height',
    [{ name: 'geometry', data: [pointOf('00e0000001000010e6', [longitude, latitude, 400])] }],
  ],
])('any table with positions in %s', async (_, columns) => {
  const { rows } = await read(file(parquetOf([...TEXTS, ...columns])));
  expect(rows).toEqual([{ number, street, city, postcode, latitude, longitude }]);
});

/** @param head in hexadecimal digits */
function pointOf(head: string, numbers: number[]): Uint8Array {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [i, each] of numbers.entries()) bytes.writeDoubleBE(each, i * 8);
  return Buffer.concat([Buffer.from(head, 'hex'), bytes]);
}

test('rows that are no addresses are named by their number', async () => {
  const polygon = Buffer.from(wkbOf(HOUSES[0]));
  polygon.writeUInt32LE(3, 1);
  const path = file(
    parquetOf(
      [
        { name: 'geometry', data: [wkbOf(HOUSES[0]), polygon, wkbOf(HOUSES[0]), Buffer.from([1]), null] },
        { name: 'number', data: ['1', '2', null, '4', '5'] },
        { name: 'street', data: ['A', 'A', 'A', 'A', 'A'] },
      ],
      { rowGroupSize: 2 },
    ),
  );
  const { rows, reading } = await read(path);
  expect(rows).toHaveLength(1);
  expect(reading.refusedByRule).toEqual({ position: 3, number: 1 });
  expect(reading.refusedLines.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
});

test('a table of places, which have no house numbers, is named with what it has', async () => {
  const path = file(
    parquetOf([
      { name: 'geometry', data: [wkbOf(HOUSES[0])] },
      { name: 'id', data: ['a'] },
    ]),
  );
  await expect(read(path)).rejects.toThrow(
    `${path} is no table of addresses: it has no column for number, street, and has longitude, latitude, geometry, id;`,
  );
});

test('a codec that is not read is named', async () => {
  const content = parquetOf([...TEXTS, { name: 'geometry', data: [wkbOf(HOUSES[0])] }], {
    codec: 'LZ4_RAW',
    compressors: { LZ4_RAW: (bytes: Uint8Array) => bytes },
  });
  await expect(read(file(content))).rejects.toThrow('its column number is packed by LZ4_RAW, which is not read.');
});

test('a file that ends early, or states what it cannot hold, is refused', async () => {
  const content = overtureParquet(HOUSES);
  const cut = file(content.subarray(0, -9));
  await expect(read(cut)).rejects.toThrow(`${cut} cannot be read as Parquet: `);
  const short = file(Buffer.from('PAR1'));
  await expect(read(short)).rejects.toThrow(`${short} cannot be read as Parquet: it is too short.`);
  const long = Buffer.from(content);
  long.writeUInt32LE(2 ** 31, long.length - 8);
  await expect(read(file(long))).rejects.toThrow('its footer would have 2147483648 bytes.');
});

test('any damaged byte gives rows or an error that names the file, in bounded time and memory', async () => {
  const content = overtureParquet(HOUSES, { codec: 'SNAPPY' });
  const path = file(content);
  const random = uniform(43);
  for (let i = 0; i < 400; i++) {
    const damaged = Buffer.from(content);
    damaged[4 + Math.floor(random() * (content.length - 8))] ^= 1 + Math.floor(random() * 255);
    writeFileSync(path, damaged);
    const outcome = await read(path).then(
      ({ reading }) => reading.accepted + reading.refused,
      error => (error as Error).message,
    );
    if (typeof outcome === 'string') expect(outcome).toContain(path);
    else expect(outcome).toBeLessThanOrEqual(HOUSES.length);
  }
});

test('the library is loaded for a Parquet file only', () => {
  const program = `import { registerHooks } from 'node:module';
    let loaded = 0;
    registerHooks({ load: (url, context, next) => { loaded += url.includes('/hyparquet/'); return next(url, context); } });
    const { readAddresses } = await import('./src/transfer/addresses/read_addresses.ts');
    const read = paths => readAddresses({ paths, isPostcodes: false, scratchFolder: '.', take() {}, onProgress() {} });
    await read(['docs/examples/addresses.csv']);
    const before = loaded;
    await read([process.argv[1]]);
    console.log(before, loaded > 0);`;
  const path = file(overtureParquet(HOUSES));
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', program, path], { encoding: 'utf8' });
  expect(out.trim()).toBe('0 true');
});
