// The walls of a building, for devices that move in it: does a straight way cross one that has no door there? Doors are
// cut out of the walls, and what is left of them is filed by cells of a grid, so that a way of a few metres is compared
// with few pieces.

import { MAX_NEAR_WALLS } from '../../../wasm/memory.ts';
import type { TrackedParticles } from '../core/tracked_particles.ts';
import { distanceTo } from './segments.ts';

/**
 * Walls and doors of a floor, segments in metres from the origin of the building's map: four numbers each, east and
 * north of both ends.
 */
export interface FloorWalls {
  floor: number;
  walls: ArrayLike<number>;
  /** A door that is a point begins and ends there. */
  doors: ArrayLike<number>;
}

const CELL_METRES = 8;
/** A way through a wall this near to a door goes through the door: plans and positions are not exact. */
const DOOR_METRES = 1;
/** Cells of the largest box whose walls are looked up: longer moves are assumed to have gone around. */
const CELLS_MAX = 64;

/** Square of the sine of an angle below which a way leads along a wall. */
const PARALLEL = 1e-16;
/** A door's end is found by halving the wall so often, and its middle by as many thirds twice. */
const HALVINGS = 40;
/** Room for walls that are found, at first. */
const WALLS_AT_START = 256;

/** The pieces of the walls of a floor. */
interface Filed {
  /** Four numbers each. */
  pieces: Float64Array;
  /** By cell, by the index of their first number. */
  cells: Map<number, number[]>;
}

/** The walls of all floors of a building. Belongs to one thread. */
export class WallMap {
  private readonly floors = new Map<number, Filed>();
  /** The walls that were found last: one end, and the vector to the other. */
  private near = new Float64Array(4 * WALLS_AT_START);

  constructor(floors: Iterable<FloorWalls>) {
    for (const { floor, walls, doors } of floors) {
      const pieces = Float64Array.from(withoutDoors(walls, doors));
      this.floors.set(floor, { pieces, cells: fileSegments(pieces, 0) });
    }
  }

  /** True if the straight way between two points of a floor crosses a wall where it has no door. */
  block(floor: number, east: number, north: number, toEast: number, toNorth: number): boolean {
    const dx = toEast - east;
    const dy = toNorth - north;
    const count = this.findNear(
      floor,
      Math.min(east, toEast),
      Math.min(north, toNorth),
      Math.max(east, toEast),
      Math.max(north, toNorth),
    );
    const { near } = this;
    for (let i = 0; i < 4 * count; i += 4) {
      const x = near[i] - east;
      const y = near[i + 1] - north;
      const alongX = near[i + 2];
      const alongY = near[i + 3];
      // Both ends of the wall on one side of the way: it is beside.
      const begin = x * dy - y * dx;
      const turn = dx * alongY - dy * alongX;
      if (begin > 0 ? turn < begin : turn > begin) continue;
      const across = x * alongY - y * alongX;
      if (turn > 0 ? across < 0 || across > turn : across > 0 || across < turn) continue;
      if (turn * turn > PARALLEL * (dx * dx + dy * dy) * (alongX * alongX + alongY * alongY)) return true;
    }
    return false;
  }

  /**
   * Takes their weight from particles whose straight way from one point of a floor crosses a wall where it has no door.
   * @param first of the particles, like `count` a multiple of 4
   */
  stop(
    particles: TrackedParticles,
    floor: number,
    first: number,
    count: number,
    fromEast: number,
    fromNorth: number,
  ): void {
    particles.box(first, count);
    const { edges, walls } = particles;
    // As the core has it.
    const east = Math.fround(fromEast);
    const north = Math.fround(fromNorth);
    const found = this.findNear(
      floor,
      Math.min(edges[0], east),
      Math.min(edges[1], north),
      Math.max(edges[2], east),
      Math.max(edges[3], north),
    );
    const { near } = this;
    for (let begin = 0; begin < found; begin += MAX_NEAR_WALLS) {
      const part = Math.min(found - begin, MAX_NEAR_WALLS);
      for (let to = 0, i = 4 * begin; to < 4 * part; to += 4, i += 4) {
        walls[to] = near[i] - east;
        walls[to + 1] = near[i + 1] - north;
        walls[to + 2] = near[i + 2];
        walls[to + 3] = near[i + 3];
      }
      particles.stopAtWalls(first, count, part, fromEast, fromNorth);
    }
  }

  /**
   * Writes the walls of a floor that a way within a box may cross to `near`. @returns how many there are; 0 if the box
   * is too wide
   */
  private findNear(floor: number, west: number, south: number, east: number, north: number): number {
    const filed = this.floors.get(floor);
    if (filed === undefined) return 0;
    const left = cellOf(west);
    const right = cellOf(east);
    const bottom = cellOf(south);
    const top = cellOf(north);
    if ((right - left + 1) * (top - bottom + 1) > CELLS_MAX) return 0;
    const { pieces, cells } = filed;
    let { near } = this;
    let to = 0;
    for (let column = left; column <= right; column++) {
      for (let row = bottom; row <= top; row++) {
        // A piece that is in several cells comes several times: that takes less than to find it out.
        const filedHere = cells.get(cellAt(column, row));
        if (filedHere === undefined) continue;
        if (to + 4 * filedHere.length > near.length) near = this.makeRoom(to + 4 * filedHere.length);
        for (let i = 0; i < filedHere.length; i++) {
          const piece = filedHere[i];
          const x = pieces[piece];
          const y = pieces[piece + 1];
          const toX = pieces[piece + 2];
          const toY = pieces[piece + 3];
          if (
            (x < west && toX < west) ||
            (x > east && toX > east) ||
            (y < south && toY < south) ||
            (y > north && toY > north)
          )
            continue;
          near[to] = x;
          near[to + 1] = y;
          near[to + 2] = toX - x;
          near[to + 3] = toY - y;
          to += 4;
        }
      }
    }
    return to / 4;
  }

  private makeRoom(numbers: number): Float64Array<ArrayBuffer> {
    const before = this.near;
    this.near = new Float64Array(2 * numbers);
    this.near.set(before);
    return this.near;
  }
}

/** What is left of walls where ways through them near to a door are through the door. @returns four numbers each */
function withoutDoors(walls: ArrayLike<number>, doors: ArrayLike<number>): number[] {
  const doorCells = fileSegments(doors, DOOR_METRES);
  const pieces: number[] = [];
  for (let i = 0; i + 3 < walls.length; i += 4) {
    const [x, y, toX, toY] = [walls[i], walls[i + 1], walls[i + 2], walls[i + 3]];
    const nearDoors = new Set<number>();
    forCells(x, y, toX, toY, 0, cell => {
      for (const door of doorCells.get(cell) ?? []) nearDoors.add(door);
    });
    const open = Array.from(nearDoors, door => openPart(walls, i, doors, door))
      .filter(part => part !== undefined)
      .sort((a, b) => a.from - b.from);
    let from = 0;
    for (const { from: begin, to: end } of [...open, { from: 1, to: 1 }]) {
      if (begin > from)
        pieces.push(x + from * (toX - x), y + from * (toY - y), x + begin * (toX - x), y + begin * (toY - y));
      from = Math.max(from, end);
    }
  }
  return pieces;
}

/**
 * The part of a wall that is near to a door, as shares of its length; undefined if there is none. Distance is convex
 * along a wall, so it is one part.
 */
function openPart(
  walls: ArrayLike<number>,
  i: number,
  doors: ArrayLike<number>,
  door: number,
): { from: number; to: number } | undefined {
  const away = (share: number): number =>
    distanceTo(
      doors,
      door,
      walls[i] + share * (walls[i + 2] - walls[i]),
      walls[i + 1] + share * (walls[i + 3] - walls[i + 1]),
    );
  let [low, high] = [0, 1];
  for (let n = 0; n < 2 * HALVINGS; n++) {
    const third = (high - low) / 3;
    if (away(low + third) < away(high - third)) high -= third;
    else low += third;
  }
  const nearest = (low + high) / 2;
  if (away(nearest) > DOOR_METRES) return undefined;
  const edge = (outside: number): number => {
    if (away(outside) <= DOOR_METRES) return outside;
    let [beyond, within] = [outside, nearest];
    for (let n = 0; n < HALVINGS; n++) {
      const middle = (beyond + within) / 2;
      if (away(middle) <= DOOR_METRES) within = middle;
      else beyond = middle;
    }
    return within;
  };
  return { from: edge(0), to: edge(1) };
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
