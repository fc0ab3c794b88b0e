// A drawn building for tests of tracking: places every two metres on some floors, and scans that say where a device is,
// with an error.

import type { PlaceLikelihoods } from '../../src/indoor/tracking/candidates.ts';
import type { Motion } from '../../src/radio/query/answer.ts';

const STEP_METRES = 2;
const SIGMA_METRES = 5;

/** A point in the building, metres from the origin of its map. */
export interface Point {
  east: number;
  north: number;
  floor: number;
}

/** A building of some floors, from its origin to the east and north. */
export class TrackedBuilding {
  private readonly places: Point[] = [];
  private readonly floorDifference: number;

  /**
   * @param floors floor indices
   * @param floorDifference logarithm of likelihood that a scan loses on any other floor than its own; 0 = all floors
   *   look the same
   */
  constructor(widthMetres: number, depthMetres: number, floors: readonly number[], floorDifference: number) {
    this.floorDifference = floorDifference;
    for (const floor of floors) {
      for (let east = 0; east <= widthMetres; east += STEP_METRES) {
        for (let north = 0; north <= depthMetres; north += STEP_METRES) this.places.push({ east, north, floor });
      }
    }
  }

  /** What a scan says that was made at a point. */
  scan({ east, north, floor }: Point): PlaceLikelihoods {
    const { places } = this;
    const logLikelihood = Float32Array.from(places, place => {
      const square = (place.east - east) ** 2 + (place.north - north) ** 2;
      return -square / (2 * SIGMA_METRES ** 2) - (place.floor === floor ? 0 : this.floorDifference);
    });
    const best = logLikelihood.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
    return {
      count: places.length,
      floors: Int16Array.from(places, place => place.floor),
      east: Float32Array.from(places, place => place.east),
      north: Float32Array.from(places, place => place.north),
      logLikelihood: logLikelihood.map(value => value - best),
      similarity: 0.8,
    };
  }
}

/** Sensors that say nothing but what is given. */
export function motion(sent: Partial<Motion> = {}): Motion {
  return { pressureHpa: Number.NaN, steps: Number.NaN, headingDegrees: Number.NaN, activity: -1, ...sent };
}
