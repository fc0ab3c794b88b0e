// What does it cost to follow a device, on top of finding it? In a building: the step of a track in the drawn mall
// (fingerprints.ts), whose floors may be divided into rooms by walls with doors. Outdoors: the step of a track by
// cells, with the reference points of its maps.

import { instantiateCore } from '../../src/core/instantiate.ts';
import { MovingParticles } from '../../src/core/moving_particles.ts';
import { TrackedParticles } from '../../src/indoor/core/tracked_particles.ts';
import { IndoorTracker } from '../../src/indoor/tracking/tracker.ts';
import { type FloorWalls, WallMap } from '../../src/indoor/tracking/walls.ts';
import { followPlaces } from '../../src/positioning/cells/followed/filter.ts';
import { type CellPast, PLACES_MAX } from '../../src/positioning/cells/followed/past.ts';
import { uniform } from '../../test/kits/random.ts';
import { motion } from '../../test/kits/tracked_building.ts';
import { type DrawnMall, EAST_METRES, FLOORS, NORTH_METRES } from './fingerprints.ts';
import type { MicroGroup } from './harness.ts';

const REQUEST_SECONDS = 5;
const STEPS = 7;
const STRIDE_METRES = 0.7;
const START_MS = 1_700_000_000_000;
const ROOM_EAST_METRES = 8;
const ROOM_NORTH_METRES = 6;
const ROOMS = Math.ceil(EAST_METRES / ROOM_EAST_METRES) * Math.ceil(NORTH_METRES / ROOM_NORTH_METRES);
const DOOR_METRES = 1;
/** The part of a request's time that a step of a track may take. */
const LIMIT_NANOSECONDS = 100_000;

/** More than are left of the maps of six cells, of those that explain a scan. */
const REFERENCE_POINTS = 128;
const MAP_METRES = 4000;
const DEVICES = 16;
const SPEED = 14;
const SPREAD_METRES = 100;
const SECONDS = 10;
const COST = 10;

/** The step of a track that walks through the mall, with and without walls. */
export function indoorFollowingGroup({ map, scanAt }: DrawnMall): MicroGroup {
  const tracker = new IndoorTracker(new TrackedParticles(instantiateCore()));
  const walked = STEPS * STRIDE_METRES;
  const walk = Array.from({ length: Math.floor((EAST_METRES * 0.8) / walked) }, (_, i) => {
    // The next match overwrites the likelihoods.
    const match = map.match(scanAt(2, 0.1 * EAST_METRES + i * walked, NORTH_METRES / 2))!;
    const sent = motion({ steps: STEPS, headingDegrees: 90 });
    return {
      building: 1,
      timeMs: START_MS + i * REQUEST_SECONDS * 1000,
      match: { ...match, logLikelihood: match.logLikelihood.slice() },
      motion: sent,
    };
  });
  const walls = new WallMap(Array.from({ length: FLOORS }, (_, floor) => roomWalls(floor)));
  const follow = (inside: WallMap | undefined): number => {
    let state: Uint8Array | undefined;
    for (const request of walk) state = tracker.follow({ ...request, state, walls: inside })!.state;
    return state!.length;
  };
  return {
    title: 'Following a device by one request in the mall',
    cases: [
      { name: 'step', operations: walk.length, limitNanoseconds: LIMIT_NANOSECONDS, run: () => follow(undefined) },
      {
        name: `step among ${ROOMS} rooms a floor`,
        operations: walk.length,
        limitNanoseconds: LIMIT_NANOSECONDS,
        run: () => follow(walls),
      },
    ],
  };
}

/** Rooms side by side, each with a door to the east and one to the north. */
function roomWalls(floor: number): FloorWalls {
  const walls: number[] = [];
  const doors: number[] = [];
  for (let east = 0; east < EAST_METRES; east += ROOM_EAST_METRES) {
    for (let north = 0; north < NORTH_METRES; north += ROOM_NORTH_METRES) {
      const [right, top] = [east + ROOM_EAST_METRES, north + ROOM_NORTH_METRES];
      walls.push(right, north, right, top, east, top, right, top);
      doors.push(right, top - DOOR_METRES, right, top, right - DOOR_METRES, top, right, top);
    }
  }
  return { floor, walls, doors };
}

/** The step of a track by cells, of a device that drives, with the reference points that its maps have. */
export function outdoorFollowingGroup(seed: number): MicroGroup {
  const random = uniform(seed);
  const particles = new MovingParticles(instantiateCore());
  const { frame } = particles;
  frame.set(47, 9);
  const metres = (): number => MAP_METRES * (random() - 0.5);
  const drawn = (draw: () => number) => Float64Array.from({ length: REFERENCE_POINTS }, draw);
  const devices = Array.from({ length: DEVICES }, (_, device) => {
    const past: CellPast = {
      places: Array.from({ length: PLACES_MAX }, () => ({
        latitude: frame.latitudeOf(metres()),
        longitude: frame.longitudeOf(metres()),
        weight: 1 / PLACES_MAX,
        eastSpeed: SPEED * (2 * random() - 1),
        northSpeed: SPEED * (2 * random() - 1),
        sigmaMetres: SPREAD_METRES,
        speedSigma: SPEED / 2,
      })),
      cells: [],
      seconds: SECONDS,
      usualSpeed: 18,
      seed: device,
      now: undefined,
      isFollowed: false,
    };
    const cost = drawn(() => COST * random());
    const points = {
      count: REFERENCE_POINTS,
      east: drawn(metres),
      north: drawn(metres),
      prior: drawn(() => 1 + random()),
      cost,
      answerCost: cost,
      least: Math.min(...cost),
    };
    return { points, past };
  });
  const unused = new Float64Array();
  const single = {
    candidates: 0,
    middle: { east: 0, north: 0 },
    squaredDistance: unused,
    weight: unused,
    prior: unused,
    misfit: 0,
    cells: 3,
    unknownShare: 0,
    observations: 500,
  };
  return {
    title: 'Following a device by the cells that it hears',
    cases: [
      {
        name: `${PLACES_MAX} places, ${REFERENCE_POINTS} reference points`,
        operations: DEVICES,
        limitNanoseconds: LIMIT_NANOSECONDS,
        run: () =>
          devices.reduce(
            (sum, { points, past }) => sum + followPlaces(particles, past, points, single).places.length,
            0,
          ),
      },
    ],
  };
}
