import { beforeEach, expect, test } from 'vitest';
import { boxOf, isInBox } from '../../../../src/geo/box.ts';
import type { BuildingModel } from '../../../../src/indoor/tables/buildings/building.ts';
import {
  openBuildings,
  openOrCreateBuildings,
  readSources,
} from '../../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource, removeSource, type SourceChange } from '../../../../src/indoor/tables/buildings/change_source.ts';
import { BuildingReader } from '../../../../src/indoor/tables/buildings/reader.ts';
import { drawnFloor, drawnModel, type Metres, rectangle, unitsAt } from '../../../kits/buildings/drawn.ts';
import { uniform } from '../../../kits/random.ts';
import { temporaryFolder } from '../../../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function put(name: string, ...models: BuildingModel[]): Promise<SourceChange> {
  const tables = await openOrCreateBuildings(folder);
  const change = putSource(tables, name, models, () => {});
  await tables.root.close();
  return change;
}

async function remove(name: string): Promise<SourceChange | undefined> {
  const tables = openBuildings(folder)!;
  const change = removeSource(tables, name);
  await tables.root.close();
  return change;
}

/** Rows of each table. */
async function rowsOfTables(): Promise<Record<string, number>> {
  const { root, buildings, floors, rooms, grid, sources } = openBuildings(folder)!;
  const counts = Object.fromEntries(
    Object.entries({ buildings, floors, rooms, grid, sources }).map(([name, rows]) => [name, rows.getKeysCount()]),
  );
  await root.close();
  return counts;
}

/** Names of the buildings around a point. */
async function namesAt(point: Metres): Promise<string[]> {
  const reader = new BuildingReader(folder);
  const found = reader.around(...unitsAt(point)).map(({ building }) => building.name);
  await reader.close();
  return found;
}

test('a building comes back with its floors from the lowest to the highest, and their rooms', async () => {
  const room = (name: string) => ({ name, outline: [rectangle([1, 1], [9, 9])] });
  const upper = drawnFloor(12, { label: 'XII', rooms: [room('b'), room('a')], outline: [rectangle([0, 0], [20, 30])] });
  const cellar = drawnFloor(-2, { walls: Int32Array.of(1, 2, 3, 4), doors: Int32Array.of(5, 6, 5, 6) });
  const ground = drawnFloor(0, { rooms: [room('hall')] });
  const model = drawnModel({ modelId: 4, buildingId: 5, name: 'House' }, [upper, cellar, ground]);
  await put('one', drawnModel({ name: 'Other' }, [drawnFloor(1, { rooms: [room('other')] })]), model);
  const reader = new BuildingReader(folder);
  const found = reader.around(...unitsAt([5, 5]));
  expect(found.map(({ building }) => building.name)).toEqual(['Other', 'House']);
  expect(found[1].building).toEqual(model.building);
  expect(reader.floors(found[1].id)).toEqual([cellar, ground, upper]);
  await reader.close();
});

test('an import replaces what one of the same name has brought, and nothing else', async () => {
  const rooms = [{ name: 'r', outline: [rectangle([0, 0], [5, 5])] }];
  await put('a', drawnModel({ name: 'A1' }, [drawnFloor(0, { rooms })]), drawnModel({ name: 'A2' }));
  await put('b', drawnModel({ name: 'B' }, [drawnFloor(3)]));
  expect(await put('a', drawnModel({ name: 'A3', outline: [rectangle([3_000, 0], [3_040, 30])] }))).toEqual({
    removed: 2,
    buildings: 2,
  });
  expect([await namesAt([5, 5]), await namesAt([3_010, 5])]).toEqual([['B'], ['A3']]);
  expect(await rowsOfTables()).toMatchObject({ buildings: 2, floors: 1, rooms: 0, sources: 2 });
});

test('what was removed leaves nothing, and numbers are not given again', async () => {
  await put(
    'a',
    drawnModel({ name: 'A' }, [drawnFloor(0, { rooms: [{ name: 'r', outline: [rectangle([0, 0], [5, 5])] }] })]),
  );
  const reader = new BuildingReader(folder);
  const [{ id }] = reader.around(...unitsAt([5, 5]));
  reader.release();
  expect(await remove('a')).toEqual({ removed: 1, buildings: 0 });
  expect(await rowsOfTables()).toEqual({ buildings: 0, floors: 0, rooms: 0, grid: 0, sources: 0 });
  expect(await remove('a')).toBeUndefined();
  await put('a', drawnModel({ name: 'B' }));
  // A reader that has decoded the building before does not confuse it with the new one.
  const [found] = reader.around(...unitsAt([5, 5]));
  expect([found.building.name, found.id > id]).toEqual(['B', true]);
  await reader.close();
});

test('a change that fails leaves everything as it was', async () => {
  await put('a', drawnModel({ name: 'A' }));
  const before = await rowsOfTables();
  const tables = openBuildings(folder)!;
  const fail = () => {
    throw new Error('The service is stopping');
  };
  expect(() => putSource(tables, 'a', [drawnModel({ name: 'B' })], fail)).toThrow('The service is stopping');
  await tables.root.close();
  expect(await rowsOfTables()).toEqual(before);
  expect(await namesAt([5, 5])).toEqual(['A']);
});

test('the sources say what each import has brought', async () => {
  await put('a', drawnModel({}, [drawnFloor(0), drawnFloor(1)]), drawnModel());
  await put('b', drawnModel());
  const tables = openBuildings(folder)!;
  expect(readSources(tables)).toMatchObject([
    { name: 'a', firstId: 1, buildings: 2, floors: 2, rooms: 0 },
    { name: 'b', firstId: 3, buildings: 1, floors: 0, rooms: 0 },
  ]);
  await tables.root.close();
});

test('the buildings around a point are those whose boxes contain it, wherever cells end', async () => {
  const random = uniform(5);
  const between = (low: number, high: number) => low + random() * (high - low);
  const models = Array.from({ length: 300 }, (_, i) => {
    const [east, north] = [between(-2_500, 2_500), between(-2_500, 2_500)];
    return drawnModel({
      buildingId: i,
      outline: [rectangle([east, north], [east + between(5, 900), north + between(5, 900)])],
    });
  });
  await put('a', ...models.slice(0, 150));
  await put('b', ...models.slice(150));
  const reader = new BuildingReader(folder);
  for (let i = 0; i < 500; i++) {
    const [x, y] = unitsAt([between(-3_000, 3_500), between(-3_000, 3_500)]);
    const expected = models
      .filter(({ building }) => isInBox(boxOf(building.outline), x, y))
      .map(({ building }) => building.buildingId);
    expect(reader.around(x, y).map(({ building }) => building.buildingId)).toEqual(expected);
  }
  await reader.close();
});
