// Cuts lines and rings to a box, and leaves out points that nobody would see. Lines and rings are flat lists of pairs,
// in units of longitude and latitude or in the coordinates of a tile.

import type { Box } from '../geo/box.ts';
import { keptPoints } from '../geo/line.ts';

/** The pieces of a line in a box (Liang and Barsky), none where it passes by. */
export function clipLine(line: ArrayLike<number>, { west, south, east, north }: Box): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let i = 2; i < line.length; i += 2) {
    const [x, y] = [line[i - 2], line[i - 1]];
    const [dx, dy] = [line[i] - x, line[i + 1] - y];
    const [beginX, endX] = sharesWithin(x, dx, west, east);
    const [beginY, endY] = sharesWithin(y, dy, south, north);
    const begin = Math.max(0, beginX, beginY);
    const end = Math.min(1, endX, endY);
    if (begin > end) continue;
    if (begin > 0 || piece.at(-2) !== x || piece.at(-1) !== y) {
      piece = [x + begin * dx, y + begin * dy];
      pieces.push(piece);
    }
    if (end === 1) piece.push(line[i], line[i + 1]);
    else piece.push(x + end * dx, y + end * dy);
  }
  return pieces;
}

/** Where on its way a step is between two limits: shares of it. */
function sharesWithin(from: number, step: number, least: number, most: number): readonly [number, number] {
  if (step === 0) return from < least || from > most ? NOWHERE : EVERYWHERE;
  const [a, b] = [(least - from) / step, (most - from) / step];
  return step > 0 ? [a, b] : [b, a];
}
const NOWHERE = [1, 0] as const;
const EVERYWHERE = [0, 1] as const;

/**
 * The part of a ring in a box (Sutherland and Hodgman): closed as it was, or empty. Where the ring leaves and comes
 * back, the parts are joined along the side of the box.
 */
export function clipRing(ring: ArrayLike<number>, { west, south, east, north }: Box): ArrayLike<number> {
  const tall = clipSide(clipSide(ring, 1, 1, south), 1, -1, -north);
  return clipSide(clipSide(tall, 0, 1, west), 0, -1, -east);
}

/** Keeps what is on one side: where `sign` times the coordinate of the axis is at least the limit. */
function clipSide(ring: ArrayLike<number>, axis: number, sign: number, limit: number): number[] {
  const kept: number[] = [];
  for (let i = 2; i < ring.length; i += 2) {
    const from = sign * ring[i - 2 + axis] - limit;
    const to = sign * ring[i + axis] - limit;
    if (from >= 0 !== to >= 0) {
      const share = from / (from - to);
      kept.push(ring[i - 2] + share * (ring[i] - ring[i - 2]), ring[i - 1] + share * (ring[i + 1] - ring[i - 1]));
    }
    if (to >= 0) kept.push(ring[i], ring[i + 1]);
  }
  if (kept.length > 0) kept.push(kept[0], kept[1]);
  return kept;
}

/** A line or ring with fewer points (geo/line.ts), in whole numbers; points in the same place are one. */
export function simplify(line: readonly number[], tolerance: number): number[] {
  const kept = keptPoints(line, tolerance);
  const simple: number[] = [];
  for (let i = 0; i < kept.length; i++) {
    if (kept[i] === 0) continue;
    const [x, y] = [Math.round(line[2 * i]), Math.round(line[2 * i + 1])];
    if (x !== simple.at(-2) || y !== simple.at(-1)) simple.push(x, y);
  }
  return simple;
}
