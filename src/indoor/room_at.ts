// In which room a device is, from where it may be: points with weights on floors, each blurred by the same normal
// distribution. A room holds the share of all this that lies in its outline.
//
// The blur of a point is summed up by twelve points of equal shares: four on each of three circles, within which a
// sixth, a half and five sixths of it lie, each circle turned against the one before. Of light points, which are many,
// each is summed up by two of the twelve that lie opposite: together they have all of them.

import { EARTH_RADIUS_METRES, RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../geo/units.ts';
import { FloorRooms } from './floor_rooms.ts';
import type { Room } from './tables/buildings/building.ts';

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
/** Points that weigh less than this are summed up by two of the twelve points each, in turn. */
const HEAVY_MIN = 1 / 64;
const CIRCLES = 3;
const POINTS_OF_CIRCLE = 4;
/** The points that stand for the blur, in standard deviations, circle by circle. */
const BLUR = Array.from({ length: CIRCLES * POINTS_OF_CIRCLE }, (_, i) => {
  const circle = Math.floor(i / POINTS_OF_CIRCLE);
  const radius = Math.sqrt(-2 * Math.log(1 - (circle + 0.5) / CIRCLES));
  const angle = (((i % POINTS_OF_CIRCLE) + circle / CIRCLES) * 2 * Math.PI) / POINTS_OF_CIRCLE;
  return [radius * Math.cos(angle), radius * Math.sin(angle)] as const;
});

const BLUR_EAST = Float64Array.from(BLUR, ([dx]) => dx);
const BLUR_NORTH = Float64Array.from(BLUR, ([, dy]) => dy);

/** The rooms of floors, which are asked for again and again. */
const FLOORS = new WeakMap<readonly Room[], FloorRooms>();

/**
 * The room that holds at least half of where a device may be.
 * @param rooms of the floor; where two of them lie over one another, what they share counts for both
 * @param floor index
 * @returns undefined where none does
 */
export function roomAt(rooms: readonly Room[], floor: number, where: Whereabouts): Room | undefined {
  if (rooms.length === 0) return undefined;
  const floorRooms = floorRoomsOf(rooms);
  const shares = new Float64Array(rooms.length);
  const northUnits = UNITS_PER_METRE;
  const eastUnits = UNITS_PER_METRE / Math.cos(where.latitude * RADIANS_PER_DEGREE);
  const originX = unitsOf(where.longitude);
  const originY = unitsOf(where.latitude);
  const { count, floors, east, north, weights, sigmaMetres } = where;
  for (let i = 0; i < count; i++) {
    const weight = weights[i];
    if (floors[i] !== floor || weight < WEIGHT_MIN) continue;
    // All points, or two of one circle that lie opposite.
    const isHeavy = weight >= HEAVY_MIN;
    const first = isHeavy ? 0 : POINTS_OF_CIRCLE * (i % CIRCLES) + (i & 1);
    const step = isHeavy ? 1 : 2;
    const points = isHeavy ? BLUR.length : 2;
    for (let k = 0; k < points; k++) {
      const dx = BLUR_EAST[first + step * k];
      const dy = BLUR_NORTH[first + step * k];
      const x = originX + (east[i] + sigmaMetres * dx) * eastUnits;
      floorRooms.addTo(shares, x, originY + (north[i] + sigmaMetres * dy) * northUnits, weight / points);
    }
  }
  let best = 0;
  for (let i = 1; i < shares.length; i++) if (shares[i] > shares[best]) best = i;
  return shares[best] >= SHARE_MIN ? rooms[best] : undefined;
}

function floorRoomsOf(rooms: readonly Room[]): FloorRooms {
  const known = FLOORS.get(rooms);
  if (known !== undefined) return known;
  const made = new FloorRooms(rooms);
  FLOORS.set(rooms, made);
  return made;
}
