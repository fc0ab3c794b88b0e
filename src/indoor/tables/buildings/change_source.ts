// Puts the buildings of an import into the tables, in place of what an import of the same name has brought, or takes
// them out.

import { type Box, boxOf, isInBox } from '../../../geo/box.ts';
import { commitInBulk } from '../../../tables/environment/commit.ts';
import { BUILDING, type BuildingModel, FLOOR, ROOM } from './building.ts';
import {
  type BuildingSource,
  type BuildingTables,
  buildingKey,
  cellAt,
  cellsOf,
  decodeEntries,
  encodeEntries,
  floorKey,
  type GridEntry,
  rangeOf,
  readNext,
  readSources,
  roomKey,
  writeNext,
} from './building_tables.ts';

/** The tables, as messages name them. */
const BUILDINGS = 'The buildings';
/** Ids are 32 bits. */
const ID_MAX = 2 ** 32 - 1;

/** What a change has done. */
export interface SourceChange {
  /** Buildings that were taken out. */
  removed: number;
  /** Buildings in the tables now. */
  buildings: number;
}

/**
 * Puts a source in, in one transaction.
 * @param onBuilding called with the number of buildings written so far; an error that it throws undoes everything
 * @throws Error when the tables cannot be written; they are then as before
 */
export function putSource(
  tables: BuildingTables,
  name: string,
  models: readonly BuildingModel[],
  onBuilding: (done: number) => void,
): SourceChange {
  let change: SourceChange = { removed: 0, buildings: 0 };
  commitInBulk(tables.root, BUILDINGS, () => {
    const removed = takeOut(tables, name);
    const firstId = readNext(tables);
    if (firstId + models.length > ID_MAX) throw new Error('The numbers of buildings are used up.');
    const cells = new Map<string, GridEntry[]>();
    for (const [i, model] of models.entries()) {
      putModel(tables, firstId + i, model);
      const entry = { id: firstId + i, ...boxOf(model.building.outline) };
      for (const key of cellsOf(entry)) addTo(cells, key, entry);
      onBuilding(i + 1);
    }
    for (const [hex, added] of cells) changeCell(tables, Buffer.from(hex, 'hex'), entries => [...entries, ...added]);
    writeNext(tables, firstId + models.length);
    const floors = models.flatMap(model => model.floors);
    const source: Omit<BuildingSource, 'name'> = {
      firstId,
      buildings: models.length,
      floors: floors.length,
      rooms: floors.reduce((sum, { rooms }) => sum + rooms.length, 0),
      importedAt: new Date().toISOString(),
    };
    tables.sources.putSync(Buffer.from(name), Buffer.from(JSON.stringify(source)));
    change = { removed: removed ?? 0, buildings: countBuildings(tables) };
  });
  return change;
}

/** How many buildings a source holds, and how many of them have no building of the models in their place. */
export function countLost(
  tables: BuildingTables,
  name: string,
  models: readonly BuildingModel[],
): { held: number; lost: number } {
  const source = readSources(tables).find(other => other.name === name);
  if (source === undefined) return { held: 0, lost: 0 };
  const boxes = new Map<string, Box[]>();
  for (const { building } of models) {
    const box = boxOf(building.outline);
    for (const key of cellsOf(box)) addTo(boxes, key, box);
  }
  let lost = 0;
  for (const { value } of tables.buildings.getRange(rangeOf(source.firstId, source.firstId + source.buildings))) {
    const { west, south, east, north } = boxOf(BUILDING.decode(value).outline);
    const [x, y] = [Math.round((west + east) / 2), Math.round((south + north) / 2)];
    if (!boxes.get(cellAt(x, y).toString('hex'))?.some(box => isInBox(box, x, y))) lost++;
  }
  return { held: source.buildings, lost };
}

/** Takes a source out, in one transaction. @returns undefined when there is none of this name */
export function removeSource(tables: BuildingTables, name: string): SourceChange | undefined {
  let change: SourceChange | undefined;
  commitInBulk(tables.root, BUILDINGS, () => {
    const removed = takeOut(tables, name);
    // A number is left out, so that whoever has noted the last one sees that the footprints are others.
    if (removed !== undefined) writeNext(tables, readNext(tables) + 1);
    if (removed !== undefined) change = { removed, buildings: countBuildings(tables) };
  });
  return change;
}

/** @returns the number of its buildings; undefined when there is none of this name */
function takeOut(tables: BuildingTables, name: string): number | undefined {
  const source = readSources(tables).find(other => other.name === name);
  if (source === undefined) return undefined;
  const { firstId, buildings } = source;
  const ids = rangeOf(firstId, firstId + buildings);
  const cells = new Set<string>();
  for (const { value } of tables.buildings.getRange(ids)) {
    for (const key of cellsOf(boxOf(BUILDING.decode(value).outline))) cells.add(key.toString('hex'));
  }
  const isOther = ({ id }: GridEntry): boolean => id < firstId || id >= firstId + buildings;
  for (const hex of cells) changeCell(tables, Buffer.from(hex, 'hex'), entries => entries.filter(isOther));
  for (const rows of [tables.buildings, tables.floors, tables.rooms]) {
    // All keys first: the table changes under a walk.
    for (const key of [...rows.getKeys(ids)]) rows.removeSync(key);
  }
  tables.sources.removeSync(Buffer.from(name));
  return buildings;
}

function putModel(tables: BuildingTables, id: number, { building, floors }: BuildingModel): void {
  tables.buildings.putSync(buildingKey(id), Buffer.from(BUILDING.encode(building)));
  for (const floor of floors) {
    tables.floors.putSync(floorKey(id, floor.index), Buffer.from(FLOOR.encode(floor)));
    for (const [number, room] of floor.rooms.entries())
      tables.rooms.putSync(roomKey(id, floor.index, number), Buffer.from(ROOM.encode(room)));
  }
}

function addTo<T>(cells: Map<string, T[]>, key: Buffer, entry: T): void {
  const hex = key.toString('hex');
  const entries = cells.get(hex);
  if (entries === undefined) cells.set(hex, [entry]);
  else entries.push(entry);
}

function changeCell(
  { grid }: BuildingTables,
  key: Buffer,
  change: (entries: readonly GridEntry[]) => readonly GridEntry[],
): void {
  const value = grid.getBinary(key);
  const entries = change(value === undefined ? [] : decodeEntries(value));
  if (entries.length === 0) grid.removeSync(key);
  else grid.putSync(key, encodeEntries(entries));
}

function countBuildings({ buildings }: BuildingTables): number {
  return (buildings.getStats() as { entryCount: number }).entryCount;
}
