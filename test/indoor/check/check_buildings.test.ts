// Planted damage of the buildings: each kind is written into a copy of a sound folder, and the check must find that and
// nothing else.

import { cpSync, mkdtempSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { checkFolder } from '../../../src/check/check_folder.ts';
import { takeFolder } from '../../../src/folder/data_folder.ts';
import { BUILDING } from '../../../src/indoor/tables/buildings/building.ts';
import {
  type BuildingTables,
  buildingKey,
  cellAt,
  floorKey,
  openBuildings,
  openOrCreateBuildings,
  roomKey,
  writeNext,
} from '../../../src/indoor/tables/buildings/building_tables.ts';
import { putSource } from '../../../src/indoor/tables/buildings/change_source.ts';
import { drawnBuilding, drawnFloor, drawnModel, rectangle, unitsAt } from '../../kits/buildings/drawn.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const BUILDINGS = 20;

const base = folderOfFile();
let sound: string;

beforeAll(async () => {
  sound = join(base, 'sound');
  takeFolder(sound, true)!.release();
  const tables = await openOrCreateBuildings(sound);
  const rooms = ['a', 'b'].map(name => ({ name, outline: [rectangle([100, 100], [105, 105])] }));
  const models = Array.from({ length: BUILDINGS }, (_, i) =>
    drawnModel({ buildingId: i, outline: [rectangle([100, 100], [140, 130])] }, [
      drawnFloor(0, { rooms }),
      drawnFloor(1),
    ]),
  );
  putSource(tables, 'one', models.slice(1), () => {});
  putSource(tables, 'two', models.slice(0, 1), () => {});
  await tables.root.close();
});

async function findingsIn(folder: string): Promise<string[]> {
  const { findings } = await checkFolder(folder, false, () => {});
  return findings.map(({ kind, table, key, what }) => `${kind}: ${table}, ${key}: ${what}`);
}

test('sound buildings have no findings, and every table is walked through', async () => {
  const { tables, findings } = await checkFolder(sound, false, () => {});
  expect(findings).toEqual([]);
  expect(tables).toMatchObject({
    buildings: { records: BUILDINGS },
    floors: { records: 2 * BUILDINGS },
    rooms: { records: 2 * BUILDINGS },
    'building sources': { records: 2 },
  });
  expect(tables['building grid'].records).toBeGreaterThan(0);
});

const CELL = cellAt(...unitsAt([101, 101]));
const KEY = '00000005';

test.each<[string, (tables: BuildingTables) => void, ...string[]]>([
  [
    'a building that is cut',
    t => t.buildings.putSync(buildingKey(5), Buffer.from(BUILDING.encode(drawnBuilding()).subarray(0, 40))),
    `record: buildings, key ${KEY}: it is damaged: it ends after 40 bytes`,
  ],
  [
    'a key that is none',
    t => t.floors.putSync(Buffer.of(1), Buffer.alloc(1)),
    'key: floors, key 01: it has 1 bytes instead of 6',
  ],
  [
    'a floor of no building',
    t => t.floors.putSync(floorKey(99, 0), t.floors.getBinary(floorKey(5, 0))!),
    'record: floors, key 000000638000: its building is missing',
  ],
  [
    'a room of no floor',
    t => t.rooms.putSync(roomKey(5, 7, 0), t.rooms.getBinary(roomKey(5, 0, 0))!),
    'record: rooms, key 0000000580070000: its floor is missing',
  ],
  [
    'a room that is none',
    t => t.rooms.putSync(roomKey(5, 0, 1), Buffer.from('no room')),
    'record: rooms, key 0000000580000001: it is damaged: it ends after 7 bytes',
  ],
  [
    'a number that will be given again',
    t => writeNext(t, BUILDINGS),
    'record: buildings, key 00000014: its number will be given again: the next one is 20',
  ],
  [
    'a building elsewhere',
    t =>
      t.buildings.putSync(
        buildingKey(5),
        Buffer.from(BUILDING.encode(drawnBuilding({ outline: [rectangle([100, 100], [139, 130])] }))),
      ),
    `index: building grid, cell ${CELL.toString('hex')}: it lists building 5 with another box`,
  ],
  [
    'a cell that is cut',
    t => t.grid.putSync(CELL, t.grid.getBinary(CELL)!.subarray(0, -1)),
    ...Array.from(
      { length: BUILDINGS },
      (_, i) => `record: buildings, key ${(i + 1).toString(16).padStart(8, '0')}: it is damaged: it has 399 bytes`,
    ),
    `index: building grid, cell ${CELL.toString('hex')}: it is damaged: it has 399 bytes`,
  ],
  [
    'a source with too many',
    t => t.sources.putSync(Buffer.from('two'), Buffer.from('{"firstId":20,"buildings":3}')),
    'counter: building sources, source "two": 3 buildings are counted, and 1 are there',
  ],
  [
    'a source that is none',
    t => t.sources.putSync(Buffer.from('two'), Buffer.from('{')),
    'counter: building sources, source "one": it is damaged: The source of buildings "two" is damaged',
    'counter: building sources, source "two": it is damaged: The source of buildings "two" is damaged',
  ],
])('%s', async (_, write, ...found) => {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  const tables = openBuildings(folder)!;
  tables.root.transactionSync(() => write(tables));
  await tables.root.close();
  expect(await findingsIn(folder)).toEqual(found);
});

test('a data file that has lost its end is told', async () => {
  const folder = mkdtempSync(join(base, 'damaged-'));
  cpSync(sound, folder, { recursive: true });
  truncateSync(join(folder, 'buildings', 'data.mdb'), 4_096);
  const { findings } = await checkFolder(folder, false, () => {});
  expect(findings).toMatchObject([{ kind: 'file', table: 'buildings' }]);
});
