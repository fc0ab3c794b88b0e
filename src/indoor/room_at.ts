// In which room a device is, from where it may be: points with weights on floors, each blurred by the same normal distribution. A room holds the share of all this
// that lies in its outline.
//
// The blur of a point is summed up by twelve points of equal shares: four on each of three circles, within which a sixth, a half and five sixths of it lie, each
// circle turned against the one before.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { type Box, boxOf, isInBox } from '../geo/box.ts';
import { isInside } from '../geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../geo/units.ts';
import type { Room } from '../tables/buildings/building.ts';

/** Where a device may be on the floors of a building. */
export interface Whereabouts {
  /** Origin of the metres, degrees. */
  latitude: number;
  longitude: number;
  count: number;
  /** Floor index of each point. */
  floors: ArrayLike<number>;
  /** Metres from the origin. */
  east: ArrayLike<number>;
  north: ArrayLike<number>;
  /** Their sum is 1. */
  weights: ArrayLike<number>;
  /** Standard deviation of each point, in each direction, metres. */
  sigmaMetres: number;
}

const UNITS_PER_METRE = UNITS_PER_DEGREE / (EARTH_RADIUS_METRES * RADIANS_PER_DEGREE);
/** A room is told only where the device is rather in it than not. */
const SHARE_MIN = 0.5;
/** Points that weigh less than this have no part in the decision: all of a few hundred together cannot turn it. */
const WEIGHT_MIN = 2e-4;
/** The points that stand for the blur, in standard deviations. */
const BLUR = [1 / 6, 1 / 2, 5 / 6].flatMap((share, circle) => {
  const radius = Math.sqrt(-2 * Math.log(1 - share));
  return [0, 1, 2, 3].map(i => {
    const angle = ((i + circle / 3) * Math.PI) / 2;
    return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
  });
});

/** Boxes of rooms, which are asked for again and again. */
const BOXES = new WeakMap<readonly Room[], readonly Box[]>();
/**
 * The room that holds at least half of where a device may be.
 * @param rooms of the floor; where two of them lie over one another, what they share counts for both
 * @param floor index
 * @returns undefined where none does
 */
export function roomAt(rooms: readonly Room[], floor: number, where: Whereabouts): Room | undefined {
  const shares = new Float64Array(rooms.length);
  const boxes = boxesOf(rooms);
  const northUnits = UNITS_PER_METRE;
  const eastUnits = UNITS_PER_METRE / Math.cos(where.latitude * RADIANS_PER_DEGREE);
  const originX = unitsOf(where.longitude);
  const originY = unitsOf(where.latitude);
  const add = (eastMetres: number, northMetres: number, weight: number): void => {
    const x = originX + eastMetres * eastUnits;
    const y = originY + northMetres * northUnits;
    for (const [i, { outline }] of rooms.entries()) if (isInBox(boxes[i], x, y) && isInside(outline, x, y)) shares[i] += weight;
  };
  const { sigmaMetres } = where;
  for (let i = 0; i < where.count; i++) {
    const weight = where.weights[i];
    if (where.floors[i] !== floor || weight < WEIGHT_MIN) continue;
    for (const [dx, dy] of BLUR) add(where.east[i] + sigmaMetres * dx, where.north[i] + sigmaMetres * dy, weight / BLUR.length);
  }
  const best = shares.indexOf(Math.max(...shares));
  return best >= 0 && shares[best] >= SHARE_MIN ? rooms[best] : undefined;
}

function boxesOf(rooms: readonly Room[]): readonly Box[] {
  const known = BOXES.get(rooms) ?? rooms.map(({ outline }) => boxOf(outline));
  BOXES.set(rooms, known);
  return known;
}
