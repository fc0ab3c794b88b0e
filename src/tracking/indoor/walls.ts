// The walls of a building, for devices that move in it: does a straight way cross one that has no door there? Walls are filed by cells of a grid, and each knows
// the doors near to it, so that a way of a few metres is compared with few of them.

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
const NO_WALLS: readonly number[] = [];

interface Filed {
  walls: Float64Array;
  doors: Float64Array;
  /** Walls by cell, by the index of their first number. */
  cells: Map<number, number[]>;
  /** For each wall, the doors that may be in it, by the index of their first number. */
  doorsOf: number[][];
  /** For each wall, the last look at a part of the floor that came past it. */
  seen: Float64Array;
}

/** The walls of all floors of a building. Belongs to one thread. */
export class WallMap {
  private readonly floors = new Map<number, Filed>();
  private looks = 0;

  constructor(floors: Iterable<FloorWalls>) {
    for (const { floor, walls, doors } of floors) {
      const doorCells = fileSegments(doors, DOOR_METRES);
      const doorsOf: number[][] = [];
      for (let i = 0; i + 3 < walls.length; i += 4) {
        const near = new Set<number>();
        forCells(walls[i], walls[i + 1], walls[i + 2], walls[i + 3], 0, cell => {
          for (const door of doorCells.get(cell) ?? []) near.add(door);
        });
        doorsOf.push([...near]);
      }
      const cells = fileSegments(walls, 0);
      this.floors.set(floor, {
        walls: Float64Array.from(walls),
        doors: Float64Array.from(doors),
        doorsOf,
        cells,
        seen: new Float64Array(doorsOf.length),
      });
    }
  }

  /** The walls of a floor that a way within a box may cross. @returns undefined if there is none, or the box is too wide */
  within(floor: number, west: number, south: number, east: number, north: number): NearWalls | undefined {
    const filed = this.floors.get(floor);
    if (filed === undefined) return undefined;
    const [left, right] = [cellOf(west), cellOf(east)];
    const [bottom, top] = [cellOf(south), cellOf(north)];
    if ((right - left + 1) * (top - bottom + 1) > CELLS_MAX) return undefined;
    const { walls, cells, seen } = filed;
    this.looks++;
    const near: number[] = [];
    for (let column = left; column <= right; column++) {
      for (let row = bottom; row <= top; row++) {
        for (const wall of cells.get(cellAt(column, row)) ?? NO_WALLS) {
          if (seen[wall / 4] === this.looks) continue;
          seen[wall / 4] = this.looks;
          if (Math.max(walls[wall], walls[wall + 2]) < west || Math.min(walls[wall], walls[wall + 2]) > east) continue;
          if (Math.max(walls[wall + 1], walls[wall + 3]) < south || Math.min(walls[wall + 1], walls[wall + 3]) > north) continue;
          near.push(wall);
        }
      }
    }
    return near.length === 0 ? undefined : new NearWalls(filed, near);
  }
}

/** Walls in a part of a floor. */
class NearWalls {
  private readonly filed: Filed;
  private readonly near: readonly number[];

  /** @param near walls by the index of their first number */
  constructor(filed: Filed, near: readonly number[]) {
    this.filed = filed;
    this.near = near;
  }

  /** True if the straight way between two points crosses a wall where it has no door. */
  block(fromEast: number, fromNorth: number, toEast: number, toNorth: number): boolean {
    const { filed, near } = this;
    const { walls } = filed;
    const left = Math.min(fromEast, toEast);
    const right = Math.max(fromEast, toEast);
    const bottom = Math.min(fromNorth, toNorth);
    const top = Math.max(fromNorth, toNorth);
    for (let i = 0; i < near.length; i++) {
      const wall = near[i];
      // Most walls are beside the way.
      if (walls[wall] < left && walls[wall + 2] < left) continue;
      if (walls[wall] > right && walls[wall + 2] > right) continue;
      if (walls[wall + 1] < bottom && walls[wall + 3] < bottom) continue;
      if (walls[wall + 1] > top && walls[wall + 3] > top) continue;
      if (isCrossed(filed, wall, fromEast, fromNorth, toEast, toNorth)) return true;
    }
    return false;
  }
}

function isCrossed({ walls, doors, doorsOf }: Filed, wall: number, x: number, y: number, toX: number, toY: number): boolean {
  const wallX = walls[wall];
  const wallY = walls[wall + 1];
  const alongX = walls[wall + 2] - wallX;
  const alongY = walls[wall + 3] - wallY;
  const dx = toX - x;
  const dy = toY - y;
  const turn = dx * alongY - dy * alongX;
  if (turn === 0) return false;
  const share = ((wallX - x) * alongY - (wallY - y) * alongX) / turn;
  if (!(share >= 0 && share <= 1)) return false;
  const along = ((wallX - x) * dy - (wallY - y) * dx) / turn;
  if (!(along >= 0 && along <= 1)) return false;
  const crossX = x + share * dx;
  const crossY = y + share * dy;
  for (const door of doorsOf[wall / 4]) if (distanceTo(doors, door, crossX, crossY) <= DOOR_METRES) return false;
  return true;
}

/** Segments by cell, by the index of their first number. @param margin metres around a segment that count as its own */
function fileSegments(segments: ArrayLike<number>, margin: number): Map<number, number[]> {
  const cells = new Map<number, number[]>();
  for (let i = 0; i + 3 < segments.length; i += 4) {
    forCells(segments[i], segments[i + 1], segments[i + 2], segments[i + 3], margin, cell => {
      const filed = cells.get(cell);
      if (filed === undefined) cells.set(cell, [i]);
      else filed.push(i);
    });
  }
  return cells;
}

/** Calls for each cell of the box around a segment, made larger by a margin. */
function forCells(x: number, y: number, toX: number, toY: number, margin: number, visit: (cell: number) => void): void {
  const right = cellOf(Math.max(x, toX) + margin);
  const top = cellOf(Math.max(y, toY) + margin);
  for (let column = cellOf(Math.min(x, toX) - margin); column <= right; column++) {
    for (let row = cellOf(Math.min(y, toY) - margin); row <= top; row++) visit(cellAt(column, row));
  }
}

function cellAt(column: number, row: number): number {
  return column * 65_536 + row;
}

function cellOf(metres: number): number {
  return Math.floor(metres / CELL_METRES);
}
