import { beforeEach, expect, test } from 'vitest';
import { buildingAt } from '../../src/indoor/building_at.ts';
import { openOrCreateBuildings } from '../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../src/indoor/tables/buildings/change_source.ts';
import { BuildingReader } from '../../src/indoor/tables/buildings/reader.ts';
import { degreesAt, drawnModel, type Metres, rectangle } from '../kits/buildings/drawn.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

let reader: BuildingReader;
beforeEach(async () => {
  const folder = temporaryFolder();
  const tables = await openOrCreateBuildings(folder);
  const house = drawnModel({ name: 'House', modelId: 4, buildingId: 5, outline: [rectangle([0, 0], [40, 30])] });
  const shop = drawnModel({ name: 'Shop', outline: [rectangle([30, 0], [60, 30])] });
  const unnamed = drawnModel({ name: '', outline: [rectangle([0, 0], [10, 10])] });
  putSource(tables, 'models', [house, shop, unnamed], () => {});
  await tables.root.close();
  reader = new BuildingReader(folder);
  return () => reader.close();
});

const nameAt = (point: Metres): string | undefined => {
  const [longitude, latitude] = degreesAt(point);
  return buildingAt(reader, latitude, longitude)?.name;
};

test('it is the one whose footprint contains the point, and of several the one imported last', () => {
  expect([nameAt([20, 20]), nameAt([35, 20]), nameAt([5, 5]), nameAt([-1, 5]), nameAt([500, 5])]).toEqual([
    'House',
    'Shop',
    'House',
    undefined,
    undefined,
  ]);
  const [longitude, latitude] = degreesAt([20, 20]);
  expect(buildingAt(reader, latitude, longitude)).toEqual({ modelId: 4, buildingId: 5, name: 'House' });
});
