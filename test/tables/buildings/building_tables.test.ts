import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { beforeEach, expect, test } from 'vitest';
import { openBuildings, openOrCreateBuildings } from '../../../src/tables/buildings/building_tables.ts';
import { BuildingReader } from '../../../src/tables/buildings/reader.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

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
