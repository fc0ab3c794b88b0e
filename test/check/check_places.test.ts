// Planted damage of the places: each kind is written into a copy of a sound folder, and the check must find that and
// nothing else.

import { cpSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { beforeAll, expect, test } from 'vitest';
import { checkFolder } from '../../src/check/check_folder.ts';
import { takeFolder } from '../../src/folder/data_folder.ts';
import { changeImportance } from '../../src/geocoding/import/change_importance.ts';
import { importAddresses } from '../../src/geocoding/import/import_addresses.ts';
import { importExtracts } from '../../src/geocoding/import/import_extracts.ts';
import { buildLayer, placesFolder } from '../../src/tables/places/generations.ts';
import { LayerWriter } from '../../src/tables/places/layer.ts';
import { encodePlace } from '../../src/tables/places/place_record.ts';
import { writeTown } from '../kits/places/extracts.ts';
import { drawnPlace, drawnWorld } from '../kits/places/numbered_houses.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const HOUSES = 4_000;
const TOKENS = 500;

const base = folderOfFile();
let sound: string;

beforeAll(async () => {
  sound = join(base, 'sound');
  takeFolder(sound, true)!.release();
  await buildLayer(placesFolder(sound), async path => {
    const writer = new LayerWriter(path);
    for (const place of drawnWorld(HOUSES)) writer.put(place);
    for (let i = 0; i < TOKENS; i++) writer.append('tokens', Buffer.from(`token ${1_000 + i}`), Buffer.alloc(9, i));
    writer.section('points', Buffer.alloc(5_000, 3));
    await writer.finish({ licence: 'ODbL', sources: ['drawn'] });
  });
});

/** A copy of the sound folder. */
function copy(): string {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  return folder;
}

async function findingsIn(folder: string): Promise<string[]> {
  const { findings } = await checkFolder(folder, false, () => {});
  return findings.map(({ kind, table, key, what }) => `${kind}: ${table}, ${key}: ${what}`);
}

function idKey(id: number): Buffer {
  const key = Buffer.alloc(4);
  key.writeUInt32BE(id);
  return key;
}

test('a sound folder has no findings, and every table is walked through', async () => {
  const { tables, findings } = await checkFolder(sound, false, () => {});
  expect(findings).toEqual([]);
  expect(tables).toMatchObject({
    places: { records: HOUSES + 3 },
    'place tokens': { records: TOKENS },
    'place index': { records: 1 },
  });
  expect(await checkFolder(sound, true, () => {})).toEqual({ tables, findings });
});

test.each<[string, number, Uint8Array | undefined, ...string[]]>([
  [
    'a record that is cut',
    7,
    encodePlace(drawnPlace({})).subarray(0, 30),
    'record: places, place 7: it ends after 30 bytes',
  ],
  ['a record that is none', 7, Buffer.from('no place'), 'record: places, place 7: it ends after 8 bytes'],
  [
    'a parent behind it',
    7,
    encodePlace(drawnPlace({ parent: 9 })),
    'record: places, place 7: it names place 9, which does not stand before it',
  ],
  [
    'itself in its address',
    7,
    encodePlace(drawnPlace({ rows: [3, 7] })),
    'record: places, place 7: it names place 7, which does not stand before it',
  ],
  [
    'nothing in its address',
    7,
    encodePlace(drawnPlace({ rows: [0] })),
    'record: places, place 7: a row of its address is no place',
  ],
  [
    'house numbers that run down',
    7,
    encodePlace(drawnPlace({ houseRange: { start: 9, end: 7, step: 2 } })),
    'record: places, place 7: its house numbers 9 to 7 are no range',
  ],
  ['a place that is lost', 7, undefined, 'key: places, place 8: it follows place 6'],
  [
    'a place too many',
    HOUSES + 4,
    encodePlace(drawnPlace({})),
    `counter: places, the whole table: there should be ${HOUSES + 3} places, and the last is place ${HOUSES + 4}`,
  ],
])('%s', async (_, id, record, ...found) => {
  const folder = copy();
  const root = open({ path: join(placesFolder(folder), '1'), noSubdir: false, maxDbs: 8 });
  const places = root.openDB<Buffer, Buffer>('places', { encoding: 'binary', keyEncoding: 'binary' });
  if (record === undefined) places.removeSync(idKey(id));
  else places.putSync(idKey(id), Buffer.from(record));
  await root.close();
  expect(await findingsIn(folder)).toEqual(found);
});

test('a key that numbers no place', async () => {
  const folder = copy();
  const root = open({ path: join(placesFolder(folder), '1'), noSubdir: false, maxDbs: 8 });
  root
    .openDB<Buffer, Buffer>('places', { encoding: 'binary', keyEncoding: 'binary' })
    .putSync(Buffer.of(1, 2), Buffer.of(1));
  await root.close();
  expect(await findingsIn(folder)).toEqual(['key: places, key 0102: it is no number of a place']);
});

test('an index that is damaged, cut or lost', async () => {
  const folder = copy();
  const path = join(placesFolder(folder), '1', 'index', 'data.mdb');
  const bytes = readFileSync(path);
  bytes[bytes.length - 4_096 + 64] ^= 1;
  writeFileSync(path, bytes);
  expect(await findingsIn(folder)).toEqual(['file: place index, the whole table: its section "points" is damaged']);
  truncateSync(path, 9_000);
  expect(await findingsIn(folder)).toEqual([
    `file: place index, the whole table: it has 9000 bytes where ${bytes.length} were written`,
  ]);
  rmSync(path);
  expect(await findingsIn(folder)).toEqual([expect.stringMatching(/^file: place index, the whole table: ENOENT/)]);
});

test('records whose file has lost its end, or is lost', async () => {
  const folder = copy();
  const path = join(placesFolder(folder), '1', 'data.mdb');
  truncateSync(path, 100_000);
  expect(await findingsIn(folder)).toEqual([
    expect.stringMatching(/^file: places, the whole table: its data file has lost its end/),
  ]);
  rmSync(path);
  expect(await findingsIn(folder)).toEqual(['file: places, the whole table: it has no data file']);
});

test('places of an older format are to be imported again', async () => {
  const folder = copy();
  const root = open({ path: join(placesFolder(folder), '1'), noSubdir: false, maxDbs: 8 });
  await root.openDB('meta', { encoding: 'json', keyEncoding: 'ordered-binary' }).put('layer', { format: 1 });
  await root.close();
  const { findings } = await checkFolder(folder, false, () => {});
  expect(findings).toMatchObject([
    {
      what: 'it has format 1, and this version reads format 4',
      remedy: 'import the extracts again with "sextant import osm"',
    },
  ]);
});

test('CURRENT that names nothing, or is lost', async () => {
  const folder = copy();
  const current = join(placesFolder(folder), 'CURRENT');
  writeFileSync(current, '7\n');
  expect(await findingsIn(folder)).toEqual([
    `file: places, the whole table: ${current} names generation 7, which is missing`,
  ]);
  rmSync(current);
  expect(await findingsIn(folder)).toEqual([
    'file: places, the whole table: no generation is named as the live one, and there is 1',
  ]);
});

test('a copy of an extract that is missing', async () => {
  const folder = join(base, 'kept');
  takeFolder(folder, true)!.release();
  const town = writeTown(join(base, 'town.osm.pbf'), 20);
  await importExtracts({ folder, files: [town], onProgress: () => {} });
  expect(await findingsIn(folder)).toEqual([]);
  rmSync(join(folder, 'extracts', '1.osm.pbf'));
  expect(await findingsIn(folder)).toEqual(['file: extracts, town: its copy is missing']);
});

test('a copy of addresses that is damaged or missing is to be imported again as what it was', async () => {
  const folder = join(base, 'given');
  takeFolder(folder, true)!.release();
  const house = { number: '1', street: 'Lindenweg', city: 'Aheim', postcode: '9999', latitude: 47.1, longitude: 9.5 };
  for (const kind of ['addresses', 'postcodes'] as const)
    await importAddresses({
      ...{ folder, kind, source: `of ${kind}`, onProgress: () => {} },
      read: async take => {
        take(house);
        return {};
      },
    });
  expect(await findingsIn(folder)).toEqual([]);
  const file = join(folder, 'extracts', '1.addresses');
  const bytes = readFileSync(file);
  bytes[bytes.length - 3] ^= 1;
  writeFileSync(file, bytes);
  rmSync(join(folder, 'extracts', '2.addresses'));
  expect((await checkFolder(folder, false, () => {})).findings).toMatchObject([
    {
      ...{ table: 'addresses', key: 'of addresses', what: 'its copy is damaged' },
      remedy: 'import it again with "sextant import addresses"',
    },
    {
      ...{ table: 'postcodes', key: 'of postcodes', what: 'its copy is missing' },
      remedy: 'import it again with "sextant import postcodes"',
    },
  ]);
  expect((await checkFolder(folder, true, () => {})).findings).toHaveLength(1);
});

test('a table of importance that is damaged or missing, also without an extract', async () => {
  const folder = join(base, 'rated');
  takeFolder(folder, true)!.release();
  const items = [[64, 0.5]] as const;
  await changeImportance({ folder, name: 'wiki', items, onWriting: () => {}, onProgress: () => {} });
  expect(await findingsIn(folder)).toEqual([]);
  const file = join(folder, 'extracts', '1.importance');
  const bytes = readFileSync(file);
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(file, bytes);
  expect(await findingsIn(folder)).toEqual(['file: importance, wiki: its table is damaged']);
  rmSync(file);
  expect(await findingsIn(folder)).toEqual(['file: importance, wiki: its table is missing or damaged']);
});
