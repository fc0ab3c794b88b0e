// What does it cost to find the room that a device is in? A floor has 900 rooms, and the device may be at any of 256
// places that are about as likely.

import { roomAt, type Whereabouts } from '../../src/indoor/room_at.ts';
import { ORIGIN, rectangle } from '../../test/kits/buildings/drawn.ts';
import { uniform } from '../../test/kits/random.ts';
import type { MicroGroup } from './harness.ts';

const ROOMS_OF_SIDE = 30;
const EAST_METRES = 8;
const NORTH_METRES = 6;
const WALL_METRES = 1;
const PLACES = 256;
const SIGMA_METRES = 3;
const DEVICES = 16;
/** How far the places are spread around the device. */
const SPREADS_METRES = [3, 12, 100];
const LIMIT_NANOSECONDS = 50_000;

/** A case for each spread. */
export function roomGroup(seed: number): MicroGroup {
  const random = uniform(seed);
  const rooms = Array.from({ length: ROOMS_OF_SIDE * ROOMS_OF_SIDE }, (_, i) => {
    const [east, north] = [EAST_METRES * (i % ROOMS_OF_SIDE), NORTH_METRES * Math.floor(i / ROOMS_OF_SIDE)];
    return {
      name: `Room ${i}`,
      outline: [rectangle([east, north], [east + EAST_METRES - WALL_METRES, north + NORTH_METRES - WALL_METRES])],
    };
  });
  const around = (spread: number): Whereabouts => {
    const [east, north] = [EAST_METRES * ROOMS_OF_SIDE * random(), NORTH_METRES * ROOMS_OF_SIDE * random()];
    const weights = Float64Array.from({ length: PLACES }, () => 0.5 + random());
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return {
      ...ORIGIN,
      count: PLACES,
      floors: new Int16Array(PLACES),
      east: Float64Array.from(weights, () => east + spread * (2 * random() - 1)),
      north: Float64Array.from(weights, () => north + spread * (2 * random() - 1)),
      weights: weights.map(weight => weight / sum),
      sigmaMetres: SIGMA_METRES,
    };
  };
  return {
    title: 'Finding one of 900 rooms for 256 places',
    cases: SPREADS_METRES.map(spread => {
      const devices = Array.from({ length: DEVICES }, () => around(spread));
      return {
        name: `spread over ${spread} m`,
        operations: DEVICES,
        limitNanoseconds: LIMIT_NANOSECONDS,
        run: () => devices.filter(device => roomAt(rooms, 0, device) !== undefined).length,
      };
    }),
  };
}
