import { expect, test } from 'vitest';
import { wallsOf } from '../../src/pool/building_walls.ts';
import { openOrCreateBuildings } from '../../src/tables/buildings/building_tables.ts';
import { putSource } from '../../src/tables/buildings/change_source.ts';
import { BuildingReader } from '../../src/tables/buildings/reader.ts';
import { drawnFloor, drawnModel, type Metres, ORIGIN, unitsAt } from '../kits/buildings/drawn.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HALL = { modelId: undefined, buildingId: 3, name: 'Hall' };
const segment = (from: Metres, to: Metres) => Int32Array.from([...unitsAt(from), ...unitsAt(to)]);

test('walls and doors of the model are those of the plane of the fingerprints', async () => {
  const folder = temporaryFolder();
  const tables = await openOrCreateBuildings(folder);
  const first = drawnFloor(1, { walls: segment([10, 0], [10, 30]), doors: segment([10, 20], [10, 22]) });
  putSource(tables, 'drawn', [drawnModel({ name: 'Other' }), drawnModel(HALL, [drawnFloor(0), first])], () => {});
  await tables.root.close();
  const reader = new BuildingReader(folder);

  const walls = wallsOf(reader, { ...HALL, ...ORIGIN })!;
  expect(walls.within(0, 0, 0, 40, 30)).toBeUndefined();
  const near = walls.within(1, 0, 0, 20, 30)!;
  expect([near.block(5, 10, 15, 10), near.block(5, 21, 15, 21), near.block(5, 10, 9.9, 10)]).toEqual([true, false, false]);
  expect(wallsOf(reader, { ...HALL, ...ORIGIN })).toBe(walls);

  expect(wallsOf(reader, { ...HALL, name: 'Other', buildingId: undefined, ...ORIGIN })).toBeUndefined();
  expect(wallsOf(reader, { ...HALL, buildingId: 4, ...ORIGIN })).toBeUndefined();
  expect(wallsOf(reader, { ...HALL, ...ORIGIN, latitude: 12 })).toBeUndefined();
  await reader.close();
});
