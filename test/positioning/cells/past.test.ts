// Where a device may be by the cells that it heard before.

import { describe, expect, test } from 'vitest';
import { type CellPast, followPlaces, type PastPlace, PLACES_MAX } from '../../../src/positioning/cells/past.ts';
import { STATUS_OK } from '../../../wasm/memory.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { HeardWorld } from '../../kits/radio/heard_world.ts';
import { normal, uniform } from '../../kits/random.ts';

/** A plane in which a degree is a metre; nothing beyond 60 is in it. */
function plane() {
  const frame = {
    east: 0,
    north: 0,
    toLocal(latitude: number, longitude: number) {
      frame.east = longitude;
      frame.north = latitude;
      return Math.abs(latitude) > 6_000 ? STATUS_OK + 1 : STATUS_OK;
    },
    latitudeOf: (north: number) => north,
    longitudeOf: (east: number) => east,
  };
  return frame;
}

function pastOf(places: readonly PastPlace[], seconds: number, speedSpread = 15): CellPast {
  return { places, seconds, speedSpread, now: undefined, isFollowed: false };
}

function candidatesAt(points: readonly (readonly [east: number, north: number, weight: number])[]) {
  const room = points.length + PLACES_MAX;
  const [east, north, weight] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  for (const [c, point] of points.entries()) [east[c], north[c], weight[c]] = point;
  return { count: points.length, east, north, weight };
}

describe('followPlaces', () => {
  test('without places nothing changes, and the likeliest candidates are the places', () => {
    const random = uniform(1);
    const points = Array.from({ length: 100 }, (_, c) => [c, -c, random()] as const);
    const candidates = candidatesAt(points);
    const places = followPlaces(candidates, pastOf([], 0), plane());
    expect([...candidates.weight.subarray(0, 100)]).toEqual(points.map(([, , weight]) => weight));
    expect(candidates.count).toBe(100);
    const sorted = points.toSorted((a, b) => b[2] - a[2]).slice(0, PLACES_MAX);
    expect(places).toEqual(sorted.map(([longitude, latitude, weight]) => ({ latitude, longitude, weight, eastSpeed: 0, northSpeed: 0 })));
  });

  test('weights and speeds are those of the formula, computed candidate by candidate', () => {
    const random = uniform(2);
    for (let round = 0; round < 50; round++) {
      const seconds = 1 + 60 * random();
      const speedSpread = [0.5, 3, 15][round % 3];
      const places = Array.from({ length: 1 + (round % PLACES_MAX) }, () => ({
        latitude: 2_000 * random(),
        longitude: 2_000 * random(),
        weight: random(),
        eastSpeed: 40 * random() - 20,
        northSpeed: 40 * random() - 20,
      }));
      const points = Array.from({ length: 20 }, () => [2_000 * random(), 2_000 * random(), random()] as const);
      const sum = points.reduce((total, [, , weight]) => total + weight, 0);
      const candidates = candidatesAt(points.map(([east, north, weight]) => [east, north, weight / sum]));
      const now = followPlaces(candidates, pastOf(places, seconds, speedSpread), plane());
      expect(candidates.count).toBe(20 + places.length);
      const weights = places.reduce((total, { weight }) => total + weight, 0);
      const expected = Array.from({ length: candidates.count }, (_, c) => {
        const moving = places[c - 20];
        const east = c < 20 ? points[c][0] : moving.longitude + moving.eastSpeed * seconds;
        const north = c < 20 ? points[c][1] : moving.latitude + moving.northSpeed * seconds;
        const alone = c < 20 ? points[c][2] / sum : 0.03 / places.length;
        const ways = places.map(place => {
          const away = Math.hypot(east - place.longitude - place.eastSpeed * seconds, north - place.latitude - place.northSpeed * seconds);
          return { place, likely: place.weight / weights / (1 + (away / (60 + speedSpread * seconds)) ** 2) ** 2 };
        });
        const led = ways.reduce((total, { likely }) => total + likely, 0) + 0.002;
        const gain = 0.6 * Math.min(1, seconds / 15);
        const speed = (start: (place: PastPlace) => number, own: (place: PastPlace) => number, end: number) =>
          (Math.exp(-seconds / 120) / led) *
          ways.reduce(
            (total, { place, likely }) => total + likely * ((1 - gain) * own(place) + (gain * (end - start(place))) / seconds),
            0,
          );
        const eastSpeed = speed(
          place => place.longitude,
          place => place.eastSpeed,
          east,
        );
        const northSpeed = speed(
          place => place.latitude,
          place => place.northSpeed,
          north,
        );
        const limit = Math.min(1, 30 / Math.hypot(eastSpeed, northSpeed));
        return {
          longitude: east,
          latitude: north,
          weight: alone * led ** 0.9,
          eastSpeed: limit * eastSpeed,
          northSpeed: limit * northSpeed,
        };
      });
      const all = expected.reduce((total, { weight }) => total + weight, 0);
      const sorted = expected.map(each => ({ ...each, weight: each.weight / all })).toSorted((a, b) => b.weight - a.weight);
      expect(now.length).toBe(Math.min(PLACES_MAX, candidates.count));
      for (const [i, place] of now.entries())
        for (const name of ['longitude', 'latitude', 'weight', 'eastSpeed', 'northSpeed'] as const)
          expect(place[name]).toBeCloseTo(sorted[i][name], 9);
    }
  });

  test('places outside of the frame lead nowhere', () => {
    const far = { latitude: 7_000, longitude: 0, weight: 1, eastSpeed: 0, northSpeed: 0 };
    const candidates = candidatesAt([
      [0, 0, 0.25],
      [500, 0, 0.75],
    ]);
    followPlaces(candidates, pastOf([far], 10), plane());
    expect([candidates.count, ...candidates.weight.subarray(0, 2)]).toEqual([2, 0.25, 0.75]);
  });
});

describe('a device on one of two roads that sound alike', () => {
  const START: Position = [49.87, 8.65];
  const STEP = 150;
  /** Both roads run north, 1.2 km apart. A cell serves each stretch of 1.5 km of both; only the first stretch is told apart, by another cell. */
  const at = (road: number, step: number): Position => moved(START, 1_200 * road, STEP * step);
  const heardAt = (road: number, step: number, noise = 0) => [
    { cell: 1 + Math.floor(step / 10), level: -80 - (step % 10) + Math.round(noise), serving: true },
    ...(step < 3 ? [{ cell: 90 + road, level: -75 }] : []),
  ];

  async function world(): Promise<HeardWorld> {
    const heard = await HeardWorld.open();
    for (const road of [0, 1]) for (let step = 0; step < 40; step++) await heard.hear(at(road, step), heardAt(road, step), 2);
    return heard;
  }

  /** Drives along a road at 15 m/s. @returns errors in metres, followed and by single scans */
  function drive(heard: HeardWorld, road: number, seed: number) {
    const noise = normal(uniform(seed));
    const errors = { followed: [] as number[], single: [] as number[] };
    let places: readonly PastPlace[] = [];
    for (let step = 0; step < 40; step++) {
      const scan = heardAt(road, step, 2 * noise());
      const past = pastOf(places, 10);
      errors.followed.push(metresTo(heard.locate(scan, past), at(road, step)));
      errors.single.push(metresTo(heard.locate(scan), at(road, step)));
      places = past.now!;
    }
    return errors;
  }

  test('is followed on the road on which it began, where single scans tell no road', async () => {
    const heard = await world();
    for (const road of [0, 1]) {
      for (const seed of [1, 2, 3]) {
        const { followed, single } = drive(heard, road, seed);
        const onTheOther = (errors: readonly number[]) => errors.filter(metres => metres > 1_000).length;
        expect(onTheOther(followed)).toBe(0);
        expect(Math.max(onTheOther(drive(heard, 0, seed).single), onTheOther(drive(heard, 1, seed).single))).toBeGreaterThan(10);
        expect(mean(followed)).toBeLessThan(mean(single));
      }
    }
  });

  test('a first scan is answered by itself, and begins a track', async () => {
    const heard = await world();
    const scan = heardAt(0, 1);
    const begun = pastOf([], 0);
    expect(heard.locate(scan, begun)).toEqual(heard.locate(scan));
    expect([begun.isFollowed, begun.now!.length > 0]).toEqual([false, true]);
  });

  test('false places move no answer beyond the radius that holds 95 % of the truths, and are forgotten with the second scan', async () => {
    const heard = await world();
    for (let step = 0; step < 39; step++) {
      const single = heard.locate(heardAt(0, step))!;
      const [latitude, longitude] = at(1, 39 - step);
      const first = pastOf([{ latitude, longitude, weight: 1, eastSpeed: 0, northSpeed: 30 }], 10);
      const misled = heard.locate(heardAt(0, step), first)!;
      expect(metresTo(misled, single)).toBeLessThanOrEqual(single.tail.at95 * single.accuracyMetres + 1);
      if (step >= 2) continue;
      const second = heard.locate(heardAt(0, step + 1), pastOf(first.now!, 10))!;
      expect(metresTo(second, at(0, step + 1))).toBeLessThan(400);
    }
  });

  test('where no map locates the device, nothing is noted', async () => {
    const heard = await world();
    const past = pastOf([], 0);
    expect(heard.locate([{ cell: 77, level: -80 }], past)).toBeUndefined();
    expect([past.now, past.isFollowed]).toEqual([undefined, false]);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
