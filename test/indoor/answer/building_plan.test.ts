import { expect, test } from 'vitest';
import { planOf } from '../../../src/indoor/answer/building_plan.ts';
import { openOrCreateBuildings } from '../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../../src/indoor/tables/buildings/change_source.ts';
import { BuildingReader } from '../../../src/indoor/tables/buildings/reader.ts';
import { drawnFloor, drawnModel, type Metres, ORIGIN, unitsAt } from '../../kits/buildings/drawn.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const HALL = { modelId: undefined, buildingId: 3, name: 'Hall' };
const segment = (from: Metres, to: Metres) => Int32Array.from([...unitsAt(from), ...unitsAt(to)]);

test('walls, doors and stairs of the model are those of the plane of the fingerprints', async () => {
  const folder = temporaryFolder();
  const tables = await openOrCreateBuildings(folder);
  const first = drawnFloor(1, {
    walls: segment([10, 0], [10, 30]),
    doors: segment([10, 20], [10, 22]),
    stairs: segment([30, 5], [30, 5]),
  });
  putSource(tables, 'drawn', [drawnModel({ name: 'Other' }), drawnModel(HALL, [drawnFloor(0), first])], () => {});
  await tables.root.close();
  const reader = new BuildingReader(folder);

  const plan = planOf(reader, { ...HALL, ...ORIGIN });
  const walls = plan.walls!;
  expect([walls.block(0, 5, 10, 15, 10), walls.block(0, 5, 21, 15, 21), walls.block(0, 5, 10, 9.9, 10)]).toEqual([
    false,
    false,
    false,
  ]);
  expect([walls.block(1, 5, 10, 15, 10), walls.block(1, 5, 21, 15, 21), walls.block(1, 5, 10, 9.9, 10)]).toEqual([
    true,
    false,
    false,
  ]);
  const stairs = plan.stairs!;
  expect(stairs.factorAt(1, 30, 12, 0, 0)).toBe(1);
  expect(stairs.factorAt(1, 30, 14, 0, 0)).toBeLessThan(0.1);
  expect(stairs.factorAt(0, 0, 30, 0, 0)).toBe(1);
  expect(planOf(reader, { ...HALL, ...ORIGIN })).toBe(plan);

  for (const other of [
    { ...HALL, name: 'Other', buildingId: undefined, ...ORIGIN },
    { ...HALL, buildingId: 4, ...ORIGIN },
    { ...HALL, ...ORIGIN, latitude: 12 },
  ])
    expect(planOf(reader, other)).toEqual({ walls: undefined, stairs: undefined });
  await reader.close();
});
