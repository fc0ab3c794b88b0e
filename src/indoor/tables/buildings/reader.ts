// Reads the tables of buildings in one thread. They are opened when somebody asks for the first time after there are
// any, so a service without buildings pays a look at the file system for a request that asks, and nothing for the
// others. What an import changes is seen with the next read transaction.

import { isInBox } from '../../../geo/box.ts';
import { readNumber } from '../../../tables/environment/named_tables.ts';
import { RecentlyUsed } from '../../../tables/environment/recently_used.ts';
import { BUILDING, type Building, FLOOR, type Floor, ROOM } from './building.ts';
import {
  type BuildingTables,
  buildingKey,
  cellAt,
  decodeEntries,
  floorKey,
  type GridEntry,
  indexOfKey,
  openBuildings,
  rangeOf,
  readNext,
} from './building_tables.ts';

/** Decoded buildings that a reader keeps: a footprint has some tens of corners. */
const KEPT = 1_024;
/** Bytes of the records of which it keeps the floors: the rooms of a mall have some ten thousand corners, 200 KB. */
const FLOORS_BYTES_MAX = 8 * 1_048_576;
/** No id is as high. */
const ID_END = 2 ** 32 - 1;
/** What a building without floors counts for. */
const BUILDING_BYTES = 256;

/** A building and its id. */
interface FoundBuilding {
  id: number;
  building: Building;
}

/** Reads buildings, in one thread. A batch of reads ends with `release`, before the thread waits for anything. */
export class BuildingReader {
  private readonly folder: string;
  private tables: BuildingTables | undefined;
  private isReading = false;
  private readonly taken: Int32Array | undefined;
  private seen = 0;
  /** By id, of which none is given twice in a folder. */
  private readonly kept = new Map<number, Building>();
  private keptFloors = new RecentlyUsed<readonly Floor[]>(FLOORS_BYTES_MAX);

  /**
   * @param folder data folder
   * @param taken memory that changes when tables of another folder have come in place of these (a node of a cluster
   *   takes them over): their ids are others; undefined in readers that do not live that long
   */
  constructor(folder: string, taken?: SharedArrayBuffer) {
    this.folder = folder;
    this.taken = taken && new Int32Array(taken);
  }

  /**
   * The buildings whose boxes contain a point, those imported last at the end.
   * @param x, y units
   * @throws Error when the tables cannot be used
   */
  around(x: number, y: number): FoundBuilding[] {
    const tables = this.open();
    const cell = tables?.grid.getBinary(cellAt(x, y));
    if (cell === undefined) return [];
    const found = decodeEntries(cell).filter(entry => isInBox(entry, x, y));
    return found.map(({ id }: GridEntry) => ({ id, building: this.building(tables!, id) }));
  }

  /** The building of an id; undefined where there is none. @throws Error when a record is damaged */
  find(id: number): Building | undefined {
    const record = id < ID_END ? this.open()?.buildings.getBinary(buildingKey(id)) : undefined;
    return record && BUILDING.decode(record);
  }

  /** Some buildings in the order of their ids, which come after one. @throws Error when a record is damaged */
  after(id: number, limit: number): FoundBuilding[] {
    const rows = this.open()?.buildings.getRange({ ...rangeOf(id + 1, ID_END), limit }) ?? [];
    return [...rows].map(({ key, value }) => ({ id: readNumber(key)!, building: BUILDING.decode(value) }));
  }

  /** How many floors a building has. */
  countFloors(id: number): number {
    return this.open()?.floors.getKeysCount(rangeOf(id, id + 1)) ?? 0;
  }

  /**
   * The floors of a building, from the lowest to the highest.
   * @throws Error when a record is damaged
   */
  floors(id: number): readonly Floor[] {
    const tables = this.open();
    if (tables === undefined) return [];
    const known = this.keptFloors.get(id);
    if (known !== undefined) return known;
    let bytes = BUILDING_BYTES;
    const floors = [...tables.floors.getRange(rangeOf(id, id + 1))].map(({ key, value }) => {
      const index = indexOfKey(key);
      const rooms = [...tables.rooms.getRange({ start: floorKey(id, index), end: floorKey(id, index + 1) })];
      bytes += rooms.reduce((sum, row) => sum + row.value.length, value.length);
      return { index, ...FLOOR.decode(value), rooms: rooms.map(row => ROOM.decode(row.value)) };
    });
    this.keptFloors.set(id, floors, bytes);
    return floors;
  }

  /** The id of the last building that was ever imported; 0 = none was. */
  get lastId(): number {
    const tables = this.open();
    return tables === undefined ? 0 : readNext(tables) - 1;
  }

  /** Ends the read transaction; the next read begins another. */
  release(): void {
    if (this.isReading) this.tables!.root.resetReadTxn();
    this.isReading = false;
  }

  async close(): Promise<void> {
    await this.tables?.root.close();
  }

  private open(): BuildingTables | undefined {
    this.tables ??= openBuildings(this.folder);
    this.isReading = this.tables !== undefined;
    const seen = this.taken === undefined ? 0 : Atomics.load(this.taken, 0);
    if (seen !== this.seen) {
      this.kept.clear();
      this.keptFloors = new RecentlyUsed(FLOORS_BYTES_MAX);
      this.seen = seen;
    }
    return this.tables;
  }

  private building({ buildings }: BuildingTables, id: number): Building {
    const known = this.kept.get(id);
    if (known !== undefined) return known;
    const record = buildings.getBinary(buildingKey(id));
    if (record === undefined) throw new Error(`The grid of buildings names building ${id}, which is not there.`);
    const building = BUILDING.decode(record);
    if (this.kept.size >= KEPT) this.kept.clear();
    this.kept.set(id, building);
    return building;
  }
}
