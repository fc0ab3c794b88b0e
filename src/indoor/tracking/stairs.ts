// Where one changes floor: at stairs, escalators, ramps and lifts. Where a plan shows them, a device that is far from
// all of its floor stays on it, unless much else says otherwise: plans may lack a staircase, and a track may be on the
// wrong floor.

import { distanceTo } from './segments.ts';

/**
 * Stairs and lifts of a floor, segments in metres from the origin of the building's map: four numbers each, east and
 * north of both ends.
 */
interface FloorStairs {
  floor: number;
  stairs: ArrayLike<number>;
}

/** Metres from stairs within which one may have come from them, and metres a second that one walks to them. */
const NEAR_METRES = 8;
const WALK_METRES = 1.4;
/** How likely a change of floor is far from all stairs, where it is 1 beside them. */
const FAR_FACTOR = 0.03;

/** The stairs and lifts of a building. */
export class StairMap {
  private readonly floors = new Map<number, ArrayLike<number>>();

  constructor(floors: Iterable<FloorStairs>) {
    for (const { floor, stairs } of floors) if (stairs.length > 0) this.floors.set(floor, stairs);
  }

  /**
   * How much less likely it is that a device changes floor where it is than beside stairs, 0..1; 1 on a floor without
   * known stairs.
   * @param sigma standard deviation of its position along one axis, metres
   * @param seconds since it was there
   */
  factorAt(floor: number, east: number, north: number, sigma: number, seconds: number): number {
    const stairs = this.floors.get(floor);
    if (stairs === undefined) return 1;
    const reach = NEAR_METRES + WALK_METRES * seconds + 2 * sigma;
    for (let i = 0; i + 3 < stairs.length; i += 4) if (distanceTo(stairs, i, east, north) <= reach) return 1;
    return FAR_FACTOR;
  }
}
