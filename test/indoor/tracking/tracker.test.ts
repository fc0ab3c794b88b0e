import { expect, test } from 'vitest';
import { instantiateCore } from '../../../src/core/instantiate.ts';
import { TrackedParticles } from '../../../src/indoor/core/tracked_particles.ts';
import type { PlaceLikelihoods } from '../../../src/indoor/tracking/candidates.ts';
import { IndoorTracker, type Tracked } from '../../../src/indoor/tracking/tracker.ts';
import { WallMap } from '../../../src/indoor/tracking/walls.ts';
import { normal, uniform } from '../../kits/random.ts';
import { motion, type Point, TrackedBuilding } from '../../kits/tracked_building.ts';

const tracker = new IndoorTracker(new TrackedParticles(instantiateCore()));
const START_MS = 1_700_000_000_000;
const IN_VEHICLE = 0;
const STILL = 4;

/** A device that asks every five seconds. */
class Device {
  state: Uint8Array | undefined;
  timeMs = START_MS;
  private readonly building: TrackedBuilding;
  private readonly walls: WallMap | undefined;

  constructor(building: TrackedBuilding, walls?: WallMap) {
    this.building = building;
    this.walls = walls;
  }

  /** Begins a track where a scan says that is of another part of the building. */
  begin(match: PlaceLikelihoods, sent: Parameters<typeof motion>[0] = {}): void {
    this.state = tracker.follow({
      building: 1,
      timeMs: this.timeMs,
      motion: motion(sent),
      match,
      state: undefined,
    })!.state;
  }

  ask(at: Point, sent: Parameters<typeof motion>[0] = {}, seconds = 5): Tracked {
    this.timeMs += 1000 * seconds;
    const { timeMs, state, walls } = this;
    const tracked = tracker.follow({
      building: 1,
      timeMs,
      motion: motion(sent),
      match: this.building.scan(at),
      state,
      walls,
    })!;
    this.state = tracked.state;
    return tracked;
  }
}

function metresFrom({ position }: Tracked, { east, north }: Point): number {
  return Math.hypot(position.eastMetres - east, position.northMetres - north);
}

test('the first request begins a track where the scan says', () => {
  const at = { east: 20, north: 10, floor: 1 };
  const tracked = new Device(new TrackedBuilding(40, 20, [0, 1, 2], 8)).ask(at);
  expect(tracked.isFollowed).toBe(false);
  expect(tracked.position.floor).toBe(1);
  expect(tracked.position.floorProbability).toBeGreaterThan(0.9);
  expect(metresFrom(tracked, at)).toBeLessThan(1);
});

test('a track of steps is nearer to a walker than single scans, whose compass and steps differ from the usual', () => {
  const building = new TrackedBuilding(120, 20, [0], 0);
  let single = 0;
  let followed = 0;
  for (let walk = 0; walk < 40; walk++) {
    const noise = normal(uniform(walk));
    const device = new Device(building);
    for (let k = 0; k < 14; k++) {
      const truth = { east: 10 + 7 * k, north: 10, floor: 0 };
      const scanned = { ...truth, east: truth.east + 5 * noise(), north: truth.north + 5 * noise() };
      // 10 steps of 0.7 m, with a compass that shows 10 degrees too little.
      const tracked = device.ask(scanned, k === 0 ? {} : { steps: 10, headingDegrees: 80 });
      if (k < 7) continue;
      single += Math.hypot(scanned.east - truth.east, scanned.north - truth.north);
      followed += metresFrom(tracked, truth);
    }
  }
  expect(followed).toBeLessThan(0.67 * single);
});

test('after a lift ride the pressure tells the floor within two requests, though all floors look the same', () => {
  for (const [decimals, floors] of [
    [true, 1],
    [true, 3],
    [false, 4],
    [true, -2],
  ] as const) {
    const round = (hPa: number) => (decimals ? hPa : Math.round(hPa));
    const device = new Device(new TrackedBuilding(40, 20, [-2, -1, 0, 1, 2, 3, 4], decimals ? 0 : 1));
    const at = { east: 20, north: 10, floor: 0 };
    // The ground floor is known from where the device came in.
    device.begin(new TrackedBuilding(40, 20, [0], 0).scan(at), { pressureHpa: round(1000) });
    device.ask(at, { steps: 0, headingDegrees: 0, pressureHpa: round(1000) });
    const after = { ...at, floor: floors };
    device.ask(after, { steps: 0, headingDegrees: 0, pressureHpa: round(1000 - 0.48 * floors) });
    const { position } = device.ask(after, { steps: 0, headingDegrees: 0, pressureHpa: round(1000 - 0.48 * floors) });
    expect(position.floor, `${floors} floors`).toBe(floors);
  }
});

test('weather changes no floor', () => {
  const device = new Device(new TrackedBuilding(40, 20, [-1, 0, 1], 1));
  const at = { east: 20, north: 10, floor: 0 };
  // Three hectopascals in an hour and a half.
  for (let minute = 0; minute < 90; minute++) {
    const { position } = device.ask(at, { activity: STILL, pressureHpa: 1000 - minute / 30 }, 60);
    expect(position.floor).toBe(0);
  }
});

test('no way leads through a wall in 10,000 tracks', () => {
  // A corridor of three metres, and rooms on its other side; the only door is at its far end.
  const building = new TrackedBuilding(60, 12, [0], 0);
  const walls = new WallMap([{ floor: 0, walls: [0, 3, 60, 3], doors: [58, 3, 60, 3] }]);
  const entrance = new TrackedBuilding(60, 2, [0], 0);
  const noise = normal(uniform(5));
  let through = 0;
  for (let track = 0; track < 10_000; track++) {
    const device = new Device(building, walls);
    for (let k = 0; k < 3; k++) {
      const truth = { east: 5 + 6 * k, north: 1, floor: 0 };
      // The device comes from where there are no rooms; then scans see it at the wall, on either side.
      if (k === 0) device.begin(entrance.scan(truth));
      const scanned = { ...truth, east: truth.east + 2 * noise(), north: 3 + noise() };
      const tracked = device.ask(scanned, { steps: k === 0 ? 0 : 9, headingDegrees: 90 });
      if (tracked.position.northMetres > 3) through++;
    }
  }
  expect(through).toBe(0);
});

test('a wrong floor is corrected within three scans', () => {
  const building = new TrackedBuilding(40, 20, [0, 1, 2], 4);
  const device = new Device(building);
  const walks = { steps: 5, headingDegrees: 90 };
  for (let k = 0; k < 4; k++) device.ask({ east: 4 + 3 * k, north: 10, floor: 2 }, walks);
  let tracked = device.ask({ east: 16, north: 10, floor: 0 }, walks);
  for (let k = 1; k < 3; k++) tracked = device.ask({ east: 16 + 3 * k, north: 10, floor: 0 }, walks);
  expect(tracked.position.floor).toBe(0);
  expect(metresFrom(tracked, { east: 22, north: 10, floor: 0 })).toBeLessThan(4);
});

test('a gap of minutes widens the track and does not break it, and after ten minutes it begins anew', () => {
  const building = new TrackedBuilding(200, 20, [0], 0);
  const radiusAfter = (seconds: number) => {
    const device = new Device(building);
    device.ask({ east: 20, north: 10, floor: 0 });
    device.ask({ east: 20, north: 10, floor: 0 }, { activity: STILL });
    return device.ask({ east: 60, north: 10, floor: 0 }, {}, seconds);
  };
  const soon = radiusAfter(5);
  const later = radiusAfter(180);
  expect(soon.isFollowed && later.isFollowed).toBe(true);
  expect(metresFrom(later, { east: 60, north: 10, floor: 0 })).toBeLessThan(6);
  expect(metresFrom(soon, { east: 60, north: 10, floor: 0 })).toBeGreaterThan(
    metresFrom(later, { east: 60, north: 10, floor: 0 }),
  );
  expect(radiusAfter(600).isFollowed).toBe(true);
  expect(radiusAfter(601).isFollowed).toBe(false);
});

test('a device in a vehicle has left the building', () => {
  const match = new TrackedBuilding(40, 20, [0], 0).scan({ east: 1, north: 1, floor: 0 });
  const sent = { building: 1, timeMs: START_MS, match, state: undefined };
  expect(tracker.follow({ ...sent, motion: motion({ activity: IN_VEHICLE }) })).toBeUndefined();
  expect(tracker.follow({ ...sent, motion: motion({ activity: IN_VEHICLE + 1 }) })).toBeDefined();
});

test('a building too wide for a track is not tracked', () => {
  const match = new TrackedBuilding(40, 20, [0], 0).scan({ east: 0, north: 0, floor: 0 });
  const shifted = (metres: number) => ({ ...match, east: Float32Array.from(match.east, east => east + metres) });
  const sent = { building: 1, timeMs: START_MS, motion: motion(), state: undefined };
  expect(tracker.follow({ ...sent, match: shifted(3150) })).toBeDefined();
  expect(tracker.follow({ ...sent, match: shifted(3250) })).toBeUndefined();
});

test(
  'a track of another building, from the future or damaged in any byte counts as none or as another, and breaks ' +
    'nothing',
  () => {
    const building = new TrackedBuilding(40, 20, [0, 1], 3);
    const at = { east: 20, north: 10, floor: 1 };
    const device = new Device(building);
    device.ask(at);
    device.ask(at);
    const state = device.state!;
    expect(state.length).toBeLessThanOrEqual(376);
    const request = {
      building: 1,
      timeMs: device.timeMs + 5000,
      motion: motion({ pressureHpa: 1000 }),
      match: building.scan(at),
    };
    expect(tracker.follow({ ...request, state })!.isFollowed).toBe(true);
    expect(tracker.follow({ ...request, state, building: 2 })!.isFollowed).toBe(false);
    expect(tracker.follow({ ...request, state, timeMs: device.timeMs })!.isFollowed).toBe(false);
    expect(tracker.follow({ ...request, state: state.subarray(1) })!.isFollowed).toBe(false);
    expect(tracker.follow({ ...request, state: new Uint8Array() })!.isFollowed).toBe(false);
    for (let i = 0; i < state.length; i++) {
      for (const bits of [1, 128, 255]) {
        const damaged = state.slice();
        damaged[i] ^= bits;
        const { position } = tracker.follow({ ...request, state: damaged })!;
        for (const value of Object.values(position)) expect(Number.isFinite(value)).toBe(true);
      }
    }
  },
);

test('the same request has the same answer', () => {
  const building = new TrackedBuilding(40, 20, [0, 1], 3);
  const walk = () => {
    const device = new Device(building);
    for (let k = 0; k < 3; k++) device.ask({ east: 10 + 3 * k, north: 10, floor: 1 }, { steps: 5, headingDegrees: 90 });
    return device.state;
  };
  expect(walk()).toEqual(walk());
});

test('steps that a device at rest claims do not lead it away from what it hears', () => {
  const at = { east: 30, north: 20, floor: 0 };
  const farthest = (steps: number) => {
    const device = new Device(new TrackedBuilding(60, 40, [0, 1], 8));
    device.ask(at);
    const asked = Array.from({ length: 12 }, () => device.ask(at, { steps, headingDegrees: 90 }));
    for (const tracked of asked)
      expect(metresFrom(tracked, at), `${steps} steps`).toBeLessThan(2 * tracked.position.r50Metres);
    return Math.max(...asked.map(tracked => metresFrom(tracked, at)));
  };
  for (const steps of [0, 21, 200, 5000, 65_535]) expect(farthest(steps), `${steps} steps`).toBeLessThan(3);
  expect(farthest(8)).toBeLessThan(10);
  expect(farthest(20)).toBeLessThan(35);
});

test('a track that leads out of what was surveyed begins anew', () => {
  const device = new Device(new TrackedBuilding(20, 20, [0], 0));
  const at = { east: 18, north: 10, floor: 0 };
  device.ask(at);
  // Wherever it is in the building, by its steps it is beyond the wall.
  const tracked = Array.from({ length: 4 }, () => device.ask(at, { steps: 20, headingDegrees: 90 }));
  for (const { position } of tracked) expect(position.eastMetres).toBeLessThanOrEqual(30);
  expect(tracked.some(({ isFollowed }) => !isFollowed)).toBe(true);
});

test('a pressure that is nowhere does not end a track', () => {
  const device = new Device(new TrackedBuilding(40, 20, [0, 1], 8));
  const at = { east: 20, north: 10, floor: 1 };
  device.ask(at, { pressureHpa: 100 });
  for (const pressureHpa of [100, 1000, 249, 1000, 1200, 300, 1100])
    expect(device.ask(at, { pressureHpa }).isFollowed).toBe(true);
});
