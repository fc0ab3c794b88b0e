// Checks the tables of buildings: records, the grid in both directions, floors and rooms without a building or floor,
// and what the sources say. Each comparison is made in the snapshot of one slice, so an import meanwhile does not
// matter.

import { type Box, boxOf } from '../../../geo/box.ts';
import {
  type Check,
  problemIn,
  RESTORE,
  type TableCheck,
  walkRecords,
  walkRows,
} from '../../../tables/environment/check_walk.ts';
import { BUILDING, FLOOR, ROOM } from './building.ts';
import {
  type BuildingSource,
  type BuildingTables,
  buildingKey,
  cellsOf,
  decodeEntries,
  FLOOR_KEY,
  ROOM_KEY,
  readNext,
  readSources,
} from './building_tables.ts';

const ID_BYTES = 4;
const REMEDY = `import the buildings again with "sextant import buildings", or ${RESTORE}`;

/** Walks through the tables. */
export async function checkBuildings(tables: BuildingTables, check: Check): Promise<void> {
  const { root, buildings, floors, rooms, grid, sources } = tables;
  check.begin('buildings', [buildings, floors, rooms, grid, sources]);
  const table = (name: string): TableCheck => check.table(name, REMEDY);
  await walkRecords(root, buildings, table('buildings'), ID_BYTES, (key, value) =>
    problemWithBuilding(tables, key.readUInt32BE(), value),
  );
  await walkRecords(root, floors, table('floors'), FLOOR_KEY.bytes, (key, value) => {
    FLOOR.decode(value);
    return buildings.doesExist(key.subarray(0, ID_BYTES)) ? undefined : 'its building is missing';
  });
  await walkRecords(root, rooms, table('rooms'), ROOM_KEY.bytes, (key, value) => {
    ROOM.decode(value);
    return floors.doesExist(key.subarray(0, FLOOR_KEY.bytes)) ? undefined : 'its floor is missing';
  });
  const cells = table('building grid');
  await walkRows(root, grid, cells, (key, value) =>
    cells.findSome(
      'index',
      `cell ${key.toString('hex')}`,
      problemIn(() => problemWithCell(tables, key, value)),
    ),
  );
  const named = table('building sources');
  await walkRows(root, sources, named, key =>
    named.findSome(
      'counter',
      `source "${key.toString()}"`,
      problemIn(() => problemWithSource(tables, key.toString())),
    ),
  );
}

function problemWithBuilding(tables: BuildingTables, id: number, value: Buffer): string | undefined {
  const box = boxOf(BUILDING.decode(value).outline);
  if (id >= readNext(tables)) return `its number will be given again: the next one is ${readNext(tables)}`;
  const isListed = cellsOf(box).every(cell => {
    const entries = tables.grid.getBinary(cell);
    return entries !== undefined && decodeEntries(entries).some(entry => entry.id === id);
  });
  return isListed ? undefined : 'the grid does not list it, so nobody finds it';
}

function problemWithCell({ buildings }: BuildingTables, key: Buffer, value: Buffer): string | undefined {
  for (const { id, ...box } of decodeEntries(value)) {
    const record = buildings.getBinary(buildingKey(id));
    if (record === undefined) return `it lists building ${id}, which is not there`;
    const real = boxIn(record);
    // A damaged record is told where the buildings are walked through.
    if (real === undefined) continue;
    const isReal =
      box.west === real.west && box.south === real.south && box.east === real.east && box.north === real.north;
    if (!isReal || !cellsOf(real).some(cell => cell.equals(key))) return `it lists building ${id} with another box`;
  }
  return undefined;
}

function boxIn(record: Buffer): Box | undefined {
  try {
    return boxOf(BUILDING.decode(record).outline);
  } catch {
    return undefined;
  }
}

function problemWithSource(tables: BuildingTables, name: string): string | undefined {
  const source = readSources(tables).find(other => other.name === name) as BuildingSource;
  const { firstId, buildings } = source;
  const there = tables.buildings.getKeysCount({ start: buildingKey(firstId), end: buildingKey(firstId + buildings) });
  return there === buildings ? undefined : `${buildings} buildings are counted, and ${there} are there`;
}
