// The walls of a building, for devices that move in it: does a straight way cross one that has no door there? Walls are filed by cells of a grid, so that a
// way of a few metres is compared with few of them.

import { distanceTo } from './segments.ts';

/** Walls and doors of a floor, segments in metres from the origin of the building's map: four numbers each, east and north of both ends. */
export interface FloorWalls {
  floor: number;
  walls: ArrayLike<number>;
  /** A door that is a point begins and ends there. */
  doors: ArrayLike<number>;
}

const CELL_METRES = 8;
/** A way through a wall this near to a door goes through the door: plans and positions are not exact. */
const DOOR_METRES = 1;
/** Cells of the largest box whose walls are looked up: who comes from farther has gone around. */
const CELLS_MAX = 64;

interface Filed {
  walls: ArrayLike<number>;
  doors: ArrayLike<number>;
  /** Walls by cell, by the index of their first number. */
  cells: Map<number, number[]>;
}

/** The walls of all floors of a building. */
export class WallMap {
  private readonly floors = new Map<number, Filed>();

  constructor(floors: Iterable<FloorWalls>) {
    for (const { floor, walls, doors } of floors) {
      const cells = new Map<number, number[]>();
      for (let i = 0; i + 3 < walls.length; i += 4) {
        forCells(walls[i], walls[i + 1], walls[i + 2], walls[i + 3], cell => {
          const filed = cells.get(cell);
          if (filed === undefined) cells.set(cell, [i]);
          else filed.push(i);
        });
      }
      this.floors.set(floor, { walls, doors, cells });
    }
  }

  /** The walls of a floor that a way within a box may cross. @returns undefined if there is none, or the box is too wide */
  within(floor: number, west: number, south: number, east: number, north: number): NearWalls | undefined {
    const filed = this.floors.get(floor);
    if (filed === undefined) return undefined;
    if ((cellOf(east) - cellOf(west) + 1) * (cellOf(north) - cellOf(south) + 1) > CELLS_MAX) return undefined;
    const near = new Set<number>();
    forCells(west, south, east, north, cell => {
      for (const wall of filed.cells.get(cell) ?? []) near.add(wall);
    });
    return near.size === 0 ? undefined : new NearWalls(filed.walls, filed.doors, [...near]);
  }
}

/** Walls in a part of a floor. */
class NearWalls {
  private readonly walls: ArrayLike<number>;
  private readonly doors: ArrayLike<number>;
  private readonly near: readonly number[];

  /** @param near walls by the index of their first number */
  constructor(walls: ArrayLike<number>, doors: ArrayLike<number>, near: readonly number[]) {
    this.walls = walls;
    this.doors = doors;
    this.near = near;
  }

  /** True if the straight way between two points crosses a wall where it has no door. */
  block(fromEast: number, fromNorth: number, toEast: number, toNorth: number): boolean {
    for (const wall of this.near) {
      if (isCrossed(this.walls, this.doors, wall, fromEast, fromNorth, toEast, toNorth)) return true;
    }
    return false;
  }
}

function isCrossed(
  walls: ArrayLike<number>,
  doors: ArrayLike<number>,
  wall: number,
  x: number,
  y: number,
  toX: number,
  toY: number,
): boolean {
  const wallX = walls[wall];
  const wallY = walls[wall + 1];
  const alongX = walls[wall + 2] - wallX;
  const alongY = walls[wall + 3] - wallY;
  const dx = toX - x;
  const dy = toY - y;
  const turn = dx * alongY - dy * alongX;
  if (turn === 0) return false;
  const share = ((wallX - x) * alongY - (wallY - y) * alongX) / turn;
  const along = ((wallX - x) * dy - (wallY - y) * dx) / turn;
  if (!(share >= 0 && share <= 1 && along >= 0 && along <= 1)) return false;
  const crossX = x + share * dx;
  const crossY = y + share * dy;
  for (let i = 0; i + 3 < doors.length; i += 4) {
    if (distanceTo(doors, i, crossX, crossY) <= DOOR_METRES) return false;
  }
  return true;
}

/** Calls for each cell of the box around a segment. */
function forCells(x: number, y: number, toX: number, toY: number, visit: (cell: number) => void): void {
  const right = cellOf(Math.max(x, toX));
  const top = cellOf(Math.max(y, toY));
  for (let column = cellOf(Math.min(x, toX)); column <= right; column++) {
    for (let row = cellOf(Math.min(y, toY)); row <= top; row++) visit(column * 65_536 + row);
  }
}

function cellOf(metres: number): number {
  return Math.floor(metres / CELL_METRES);
}
