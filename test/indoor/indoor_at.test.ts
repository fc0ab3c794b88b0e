import { beforeEach, expect, test } from 'vitest';
import { type Indoor, indoorAt, type Storey } from '../../src/indoor/indoor_at.ts';
import type { BuildingModel } from '../../src/indoor/tables/buildings/building.ts';
import { openOrCreateBuildings } from '../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../src/indoor/tables/buildings/change_source.ts';
import { BuildingReader } from '../../src/indoor/tables/buildings/reader.ts';
import { degreesAt, drawnFloor, drawnModel, type Metres, rectangle, ring } from '../kits/buildings/drawn.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function put(...models: BuildingModel[]): Promise<void> {
  const tables = await openOrCreateBuildings(folder);
  putSource(tables, 'drawn', models, () => {});
  await tables.root.close();
}

/** What is known at a position whose errors are Gaussian. */
async function at(point: Metres, r50: number, storey?: Storey): Promise<Indoor | undefined> {
  const reader = new BuildingReader(folder);
  const [longitude, latitude] = degreesAt(point);
  const found = indoorAt(reader, latitude, longitude, metres => 1 - 2 ** -((metres / r50) ** 2), storey);
  await reader.close();
  return found;
}

const HALL = { modelId: 7, buildingId: 3, name: 'Hall' };

test('nothing is known where nothing was imported', async () => {
  expect(await at([0, 0], 5)).toBeUndefined();
});

test('a position belongs to a building that holds half of it', async () => {
  await put(drawnModel(HALL));
  expect(await at([20, 15], 10)).toEqual({ buildingModelId: 7, buildingId: 3, building: 'Hall' });
  // At the middle of a wall half of the position lies inside at most.
  expect(await at([20, 0.5], 3)).toEqual({ buildingModelId: 7, buildingId: 3, building: 'Hall' });
  expect(await at([20, -0.5], 3)).toBeUndefined();
  expect(await at([20, 15], 50)).toBeUndefined();
  expect(await at([200, 15], 50)).toBeUndefined();
});

test('members that are not known are absent', async () => {
  await put(
    drawnModel({ name: 'West' }),
    drawnModel({ buildingId: 0, outline: [rectangle([100, 0], [140, 30])] }),
    drawnModel({ outline: [rectangle([200, 0], [240, 30])] }),
  );
  expect([await at([20, 15], 5), await at([120, 15], 5), await at([220, 15], 5)]).toEqual([
    { building: 'West' },
    { buildingId: 0 },
    undefined,
  ]);
});

test('the yard of a building is not the building, unless most of the position lies in its wings', async () => {
  const court = [
    rectangle([0, 0], [60, 50]),
    ring([
      [20, 15],
      [20, 35],
      [40, 35],
      [40, 15],
      [20, 15],
    ]),
  ];
  await put(drawnModel({ name: 'Court', outline: court }));
  expect(await at([30, 25], 4)).toBeUndefined();
  expect(await at([30, 25], 18)).toEqual({ building: 'Court' });
});

test('of two buildings the one that holds more is meant', async () => {
  await put(
    drawnModel({ name: 'West', outline: [rectangle([0, 0], [40, 30])] }),
    drawnModel({ name: 'East', outline: [rectangle([40, 0], [80, 30])] }),
    drawnModel({ name: 'Site', outline: [rectangle([-100, -100], [25, 100])] }),
  );
  expect(await at([35, 15], 6)).toEqual({ building: 'West' });
  expect(await at([45, 15], 6)).toEqual({ building: 'East' });
  expect(await at([5, 2], 6)).toEqual({ building: 'Site' });
});

test('a building of which nothing is known hides no other', async () => {
  await put(drawnModel({ outline: [rectangle([0, 0], [80, 60])] }), drawnModel(HALL));
  expect(await at([20, 15], 10)).toEqual({ buildingModelId: 7, buildingId: 3, building: 'Hall' });
});

/** What fingerprints say at the origin of the drawings. */
function storeyOf(building: Storey['building'], floor: number): Storey {
  const [longitude, latitude] = degreesAt([0, 0]);
  const [east, north] = [Float64Array.of(20), Float64Array.of(15)];
  const where = {
    latitude,
    longitude,
    count: 1,
    floors: Int16Array.of(floor),
    east,
    north,
    weights: Float64Array.of(1),
    sigmaMetres: 1,
  };
  return { building, floor, floorProbability: 1, where };
}

test('the floor of one building has not the name of another', async () => {
  const floors = [drawnFloor(0, { label: 'G' }), drawnFloor(1, { label: 'First' })];
  await put(drawnModel({ ...HALL, name: 'Harbour Office' }, floors));
  const unnamed = { modelId: undefined, buildingId: undefined, name: '' };
  const annex = { ...unnamed, name: 'Annex' };
  expect(await at([20, 15], 5, storeyOf(annex, 3))).toEqual({ building: 'Annex', floorIndex: 3 });
  expect(await at([20, 15], 5, storeyOf(annex, 1))).toEqual({ building: 'Annex', floorIndex: 1 });
  const office = { buildingModelId: 7, buildingId: 3, building: 'Harbour Office' };
  expect(await at([20, 15], 5, storeyOf({ ...annex, name: 'Harbour Office' }, 1))).toEqual({
    ...office,
    floorIndex: 1,
    floorLabel: 'First',
  });
  // What its own fingerprints say of a floor that the model lacks is told.
  expect(await at([20, 15], 5, storeyOf({ ...annex, name: 'Harbour Office' }, 3))).toEqual({
    ...office,
    floorIndex: 3,
  });
  expect(await at([20, 15], 5, storeyOf(unnamed, 1))).toEqual({ ...office, floorIndex: 1, floorLabel: 'First' });
  expect(await at([20, 15], 5, storeyOf(unnamed, 3))).toEqual(office);
});
