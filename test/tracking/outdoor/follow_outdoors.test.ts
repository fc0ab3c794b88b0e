import { expect, test } from 'vitest';
import { distanceMetres } from '../../../src/geo/distance.ts';
import {
  cellsBefore,
  type FollowedFix,
  followOutdoors,
  type RoadsAround,
  usualSpeedOf,
} from '../../../src/tracking/outdoor/follow_outdoors.ts';
import type { OutdoorFix } from '../../../src/tracking/outdoor/outdoor_filter.ts';
import { METRES_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { normal, uniform } from '../../kits/random.ts';

const START_MS = 1_700_000_000_000;
const STILL = 4;
const NO_ROADS: RoadsAround = () => [];

/** A fix so many metres north of a point on the equator. */
function fix(seconds: number, northMetres: number, more: Partial<OutdoorFix> = {}): OutdoorFix {
  return {
    timeMs: START_MS + 1000 * seconds,
    latitude: northMetres / METRES_PER_DEGREE,
    longitude: 0,
    accuracyMetres: 50,
    at95Metres: 150,
    isGps: false,
    speed: Number.NaN,
    headingDegrees: Number.NaN,
    activity: -1,
    isByPast: false,
    cells: undefined,
    ...more,
  };
}

const PLACES = [
  { latitude: 0.001, longitude: 0, weight: 1, eastSpeed: 0, northSpeed: 10, sigmaMetres: 16, speedSigma: 0.25 },
];

test('a fix that rests on the places of cells stays as it is, and the track goes on with it', () => {
  const before = follow([fix(0, 0), fix(10, 0), fix(20, 0)])[2].state;
  const later = fix(30, 60, { isByPast: true });
  const followed = followOutdoors(before, later, NO_ROADS);
  expect(followed).toMatchObject({ isFollowed: false, radiusFactor: 1, latitude: later.latitude });
  expect(followOutdoors(before, { ...later, isByPast: false }, NO_ROADS).isFollowed).toBe(true);
  expect(followed.state).toEqual(followOutdoors(before, { ...later, isByPast: false }, NO_ROADS).state);
});

test('the places of cells are carried for ten minutes', () => {
  const { state } = followOutdoors(
    undefined,
    fix(0, 0, { cells: { timeMs: START_MS, places: PLACES, cells: [] } }),
    NO_ROADS,
  );
  expect(cellsBefore(state, START_MS + 600_000)).toEqual({ timeMs: START_MS, places: PLACES, cells: [] });
  for (const timeMs of [START_MS + 600_001, START_MS, START_MS - 1]) expect(cellsBefore(state, timeMs)).toBeUndefined();
  expect(cellsBefore(undefined, START_MS)).toBeUndefined();
  expect(cellsBefore(followOutdoors(state, fix(5, 0), NO_ROADS).state, START_MS + 6_000)).toBeUndefined();
});

test('a device at rest is slower than one on foot, and that slower than others', () => {
  const [still, walking, vehicle, unknown] = [STILL, 7, 1, -1].map(usualSpeedOf);
  expect(still).toBeLessThan(walking);
  expect(walking).toBeLessThan(vehicle);
  expect(unknown).toBe(vehicle);
});

function northOf({ latitude }: { latitude: number }): number {
  return latitude * METRES_PER_DEGREE;
}

function follow(fixes: readonly OutdoorFix[]): FollowedFix[] {
  let state: Uint8Array | undefined;
  return fixes.map(each => {
    const followed = followOutdoors(state, each, NO_ROADS);
    state = followed.state;
    return followed;
  });
}

test('the first fix is the answer, and begins the track', () => {
  const [followed] = follow([fix(0, 100)]);
  expect(followed).toMatchObject({ isFollowed: false, radiusFactor: 1, longitude: 0 });
  expect(northOf(followed)).toBeCloseTo(100, 6);
});

test('fixes that err each on their own are joined: the track of a drive is nearer and surer', () => {
  let single = 0;
  let followed = 0;
  for (let drive = 0; drive < 20; drive++) {
    const noise = normal(uniform(drive));
    const fixes = Array.from({ length: 40 }, (_, k) =>
      fix(10 * k, 80 * k + 42 * noise(), { longitude: (42 * noise()) / METRES_PER_DEGREE }),
    );
    for (const [k, each] of follow(fixes).entries()) {
      if (k < 10) continue;
      single += distanceMetres(fixes[k].latitude, fixes[k].longitude, (80 * k) / METRES_PER_DEGREE, 0);
      followed += distanceMetres(each.latitude, each.longitude, (80 * k) / METRES_PER_DEGREE, 0);
      expect(each.radiusFactor).toBeLessThan(1.3);
    }
  }
  expect(followed).toBeLessThan(0.9 * single);
});

test('a single fix far off moves the track little', () => {
  const far = { accuracyMetres: 100, at95Metres: 2000 };
  const fixes = [...Array.from({ length: 20 }, (_, k) => fix(5 * k, 50 * k)), fix(100, 1000 + 1500, far)];
  const last = follow(fixes)[20];
  expect(last.isFollowed).toBe(true);
  expect(Math.abs(northOf(last) - 1000)).toBeLessThan(400);
});

test('a track that is false is left at the third fix, and never goes beyond the radius for 95 % of a fix', () => {
  const before = Array.from({ length: 20 }, (_, k) => fix(5 * k, 0));
  const elsewhere = Array.from({ length: 5 }, (_, k) => fix(100 + 5 * k, 5000));
  const followed = follow([...before, ...elsewhere]).slice(20);
  for (const [k, each] of followed.entries())
    expect(Math.abs(northOf(each) - 5000), `fix ${k}`).toBeLessThanOrEqual(150);
  expect(Math.abs(northOf(followed[2]) - 5000)).toBeLessThan(1);
});

test('a fix by satellites is never changed, and its speed carries over a gap', () => {
  const gps = { isGps: true, accuracyMetres: 4, at95Metres: 10, speed: 20, headingDegrees: 0 };
  const [, second, tunnel] = follow([
    fix(0, 0, gps),
    fix(5, 130, gps),
    fix(15, 230, { accuracyMetres: 300, at95Metres: 900 }),
  ]);
  expect(second.isFollowed).toBe(false);
  expect(northOf(second)).toBeCloseTo(130, 6);
  expect(tunnel.isFollowed).toBe(true);
  expect(Math.abs(northOf(tunnel) - 330)).toBeLessThan(30);
});

test('a device that stands still stays', () => {
  const gps = { isGps: true, accuracyMetres: 4, at95Metres: 10 };
  const [, still] = follow([fix(0, 0, gps), fix(60, 80, { accuracyMetres: 100, activity: STILL })]);
  expect(Math.abs(northOf(still))).toBeLessThan(15);
});

test('a track older than ten minutes, of the same time or of later counts as none', () => {
  const { state } = followOutdoors(undefined, fix(0, 0, { isGps: true, accuracyMetres: 4 }), NO_ROADS);
  const isFollowed = (seconds: number) => followOutdoors(state, fix(seconds, 40), NO_ROADS).isFollowed;
  expect(isFollowed(5)).toBe(true);
  expect(isFollowed(0)).toBe(false);
  expect(isFollowed(-5)).toBe(false);
  expect(isFollowed(601)).toBe(false);
});

test('a track across the date line goes on', () => {
  const gps = { isGps: true, accuracyMetres: 4, at95Metres: 10 };
  const { state } = followOutdoors(undefined, fix(0, 0, { ...gps, longitude: 179.9999 }), NO_ROADS);
  const followed = followOutdoors(state, fix(5, 0, { longitude: -179.9999, accuracyMetres: 100 }), NO_ROADS);
  expect(followed.isFollowed).toBe(true);
  expect(distanceMetres(followed.latitude, followed.longitude, 0, 180)).toBeLessThan(30);
});

test('a damaged track never breaks an answer', () => {
  const state = follow([fix(0, 0), fix(5, 20), fix(10, 50)])[2].state;
  for (let i = 0; i < state.length; i++) {
    for (const bits of [1, 64, 128, 255]) {
      const damaged = state.slice();
      damaged[i] ^= bits;
      const next = fix(15, 60);
      const followed = followOutdoors(damaged, next, NO_ROADS);
      expect(distanceMetres(followed.latitude, followed.longitude, next.latitude, next.longitude)).toBeLessThanOrEqual(
        151,
      );
      expect(followed.radiusFactor).toBeGreaterThanOrEqual(0);
    }
  }
});

/** A road to the east of a point on the equator, from north to south. */
function roadAt(eastMetres: number, asked: unknown[] = []): RoadsAround {
  return (latitude, longitude, reachMetres, isBicycle) => {
    asked.push({ reachMetres, isBicycle });
    const [east, north] = [eastMetres - longitude * METRES_PER_DEGREE, -latitude * METRES_PER_DEGREE];
    return [east, north - 5_000, east, north + 5_000];
  };
}

test('a vehicle or bicycle is drawn to a road, and nobody else is', () => {
  const asked: unknown[] = [];
  for (const activity of [-1, 2, 3, 4, 5, 6, 7]) {
    const followed = followOutdoors(undefined, fix(0, 0, { activity }), roadAt(40, asked));
    expect(followed).toMatchObject({ isFollowed: false, longitude: 0, radiusFactor: 1 });
  }
  expect(asked).toEqual([]);
  for (const activity of [0, 1]) {
    const followed = followOutdoors(undefined, fix(0, 0, { activity }), roadAt(40, asked));
    expect(followed.isFollowed).toBe(true);
    expect(followed.longitude * METRES_PER_DEGREE).toBeGreaterThan(25);
    expect(followed.longitude * METRES_PER_DEGREE).toBeLessThan(40);
    expect(followed.radiusFactor).toBeLessThan(0.9);
    expect(followed.state).toEqual(followOutdoors(undefined, fix(0, 0, { activity }), NO_ROADS).state);
  }
  expect(asked).toMatchObject([{ isBicycle: false }, { isBicycle: true }]);
});

test('the road that a drive follows is the one of its direction', () => {
  const gps = { isGps: true, accuracyMetres: 4, at95Metres: 10, speed: 15, headingDegrees: 0, activity: 0 };
  const { state } = followOutdoors(undefined, fix(0, 0, gps), NO_ROADS);
  const cross: RoadsAround = (latitude, longitude, reachMetres, isBicycle) => [
    ...roadAt(40)(latitude, longitude, reachMetres, isBicycle),
    ...[-5_000, 40 - latitude * METRES_PER_DEGREE, 5_000, 40 - latitude * METRES_PER_DEGREE],
  ];
  const next = fix(5, 75, { activity: 0 });
  const followed = followOutdoors(state, next, cross);
  expect(followed.longitude * METRES_PER_DEGREE).toBeGreaterThan(0);
  expect(northOf(followed)).toBeCloseTo(northOf(followOutdoors(state, next, roadAt(40))), 0);
});

test('satellites, places of cells, rough fixes and what would be far away do not ask the roads', () => {
  const vehicle = { activity: 0 };
  const far = fix(0, 0, { ...vehicle, at95Metres: 20 });
  for (const each of [
    fix(0, 0, { ...vehicle, isGps: true }),
    fix(0, 0, { ...vehicle, isByPast: true }),
    fix(0, 0, { ...vehicle, accuracyMetres: 400 }),
    far,
  ])
    expect(followOutdoors(undefined, each, roadAt(40))).toEqual(followOutdoors(undefined, each, NO_ROADS));
});
