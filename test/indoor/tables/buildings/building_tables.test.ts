import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { open } from 'lmdb';
import { beforeEach, expect, test } from 'vitest';
import {
  cellAt,
  cellsOf,
  decodeEntries,
  encodeEntries,
  openBuildings,
  openOrCreateBuildings,
} from '../../../../src/indoor/tables/buildings/building_tables.ts';
import { BuildingReader } from '../../../../src/indoor/tables/buildings/reader.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'buildings', 'data.mdb');
});

test('a folder without buildings has no tables, and reading makes none', async () => {
  expect(openBuildings(folder)).toBeUndefined();
  const reader = new BuildingReader(folder);
  expect(reader.around(0, 0)).toEqual([]);
  reader.release();
  await reader.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('what a kill has left of new tables is no obstacle', async () => {
  mkdirSync(join(folder, 'buildings.new'));
  writeFileSync(join(folder, 'buildings.new', 'data.mdb'), 'half');
  mkdirSync(join(folder, 'buildings'));
  await (await openOrCreateBuildings(folder)).root.close();
  expect(readdirSync(folder)).toEqual(['buildings']);
});

test('tables that are cut, foreign or of another format are refused with what to do', async () => {
  await (await openOrCreateBuildings(folder)).root.close();
  const remedy = `remove the folder ${join(folder, 'buildings')} and import the buildings again.`;
  const root = open<Buffer, Buffer>({
    path: join(folder, 'buildings'),
    encoding: 'binary',
    keyEncoding: 'binary',
    noSubdir: false,
    maxDbs: 8,
  });
  root
    .openDB<Buffer, Buffer>('meta', { encoding: 'binary', keyEncoding: 'binary' })
    .putSync(Buffer.from('format'), Buffer.of(0, 0, 0, 9));
  await root.close();
  expect(() => openBuildings(folder)).toThrow('it has format 9, and this version reads format 1');
  truncateSync(file, 5_000);
  expect(() => openBuildings(folder)).toThrow(remedy);
  writeFileSync(file, 'something else');
  expect(() => openBuildings(folder)).toThrow('is no LMDB database, or is damaged');
  truncateSync(file, 0);
  expect(() => openBuildings(folder)).toThrow('its data file is empty');
});

const longitude = fc.integer({ min: -1_800_000_000, max: 1_800_000_000 });
const latitude = fc.integer({ min: -900_000_000, max: 900_000_000 });

test('the cells of a box are those of its points', () => {
  fc.assert(
    fc.property(
      longitude,
      latitude,
      fc.nat(200_000),
      fc.nat(200_000),
      fc.nat(1_000),
      fc.nat(1_000),
      (west, south, width, height, a, b) => {
        const box = {
          west,
          south,
          east: Math.min(1_800_000_000, west + width),
          north: Math.min(900_000_000, south + height),
        };
        const x = Math.round(west + ((box.east - west) * a) / 1_000);
        const y = Math.round(south + ((box.north - south) * b) / 1_000);
        const cells = cellsOf(box).map(key => key.toString('hex'));
        expect(cells).toContain(cellAt(x, y).toString('hex'));
        expect(new Set(cells).size).toBe(cells.length);
      },
    ),
  );
});

test('no two places of the globe share a cell by mistake', () => {
  const keys = new Set<string>();
  let places = 0;
  for (let x = -1_800_000_000; x <= 1_800_000_000; x += 97 * 65_536) {
    for (let y = -900_000_000; y <= 900_000_000; y += 101 * 65_536) {
      keys.add(cellAt(x, y).toString('hex'));
      places++;
    }
  }
  expect(keys.size).toBe(places);
});

test('a list comes back, and one that is cut is refused', () => {
  const entries = [
    { id: 1, west: -1_800_000_000, south: -900_000_000, east: 1_800_000_000, north: 900_000_000 },
    { id: 4_294_967_295, west: 0, south: 1, east: 2, north: 3 },
  ];
  expect(decodeEntries(encodeEntries(entries))).toEqual(entries);
  for (const length of [0, 1, 19, 21, 39])
    expect(() => decodeEntries(encodeEntries(entries).subarray(0, length))).toThrow('is damaged');
});
