// Where a device may be by the cells that it heard before.

import { describe, expect, test } from 'vitest';
import {
  CELLS_MAX,
  type CellPast,
  type PastPlaces,
  PLACES_MAX,
} from '../../../../src/positioning/cells/followed/past.ts';
import { cellOfKey } from '../../../../src/radio/station_key.ts';
import { metresTo, moved, type Position } from '../../../kits/radio/ground.ts';
import { type Heard, HeardWorld } from '../../../kits/radio/heard_world.ts';
import { normal, uniform } from '../../../kits/random.ts';

function pastOf(past: Partial<PastPlaces>, seconds: number, usualSpeed = 18): CellPast {
  return { places: [], cells: [], ...past, seconds, usualSpeed, seed: 1, now: undefined, isFollowed: false };
}

const PLACE = { weight: 1, eastSpeed: 0, northSpeed: 0, sigmaMetres: 20, speedSigma: 1 };

describe('a device on one of two roads that sound alike', () => {
  const START: Position = [49.87, 8.65];
  const STEP = 150;
  /**
   * Both roads run north, 1.2 km apart. A cell serves each stretch of 1.5 km of both; only the first stretch is told
   * apart, by another cell.
   */
  const at = (road: number, step: number): Position => moved(START, 1_200 * road, STEP * step);
  const heardAt = (road: number, step: number, noise = 0) => [
    { cell: 1 + Math.floor(step / 10), level: -80 - (step % 10) + Math.round(noise), serving: true },
    ...(step < 3 ? [{ cell: 90 + road, level: -75 }] : []),
  ];

  async function world(): Promise<HeardWorld> {
    const heard = await HeardWorld.open();
    for (const road of [0, 1])
      for (let step = 0; step < 40; step++) await heard.hear(at(road, step), heardAt(road, step), 2);
    return heard;
  }

  /** Drives along a road at 15 m/s. @returns errors in metres, followed and by single scans */
  function drive(heard: HeardWorld, road: number, seed: number) {
    const noise = normal(uniform(seed));
    const errors = { followed: [] as number[], single: [] as number[] };
    let places: PastPlaces = { places: [], cells: [] };
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
        expect(
          Math.max(onTheOther(drive(heard, 0, seed).single), onTheOther(drive(heard, 1, seed).single)),
        ).toBeGreaterThan(10);
        expect(mean(followed)).toBeLessThan(mean(single));
      }
    }
  });

  test('a first scan is answered by itself, and begins a track', async () => {
    const heard = await world();
    const scan = heardAt(0, 1);
    const begun = pastOf({}, 0);
    expect(heard.locate(scan, begun)).toEqual(heard.locate(scan));
    expect([begun.isFollowed, begun.now!.places.length > 0]).toEqual([false, true]);
  });

  test(
    'false places move no answer beyond the radius that holds 95 % of the truths, and are forgotten with the ' +
      'second scan',
    async () => {
      const heard = await world();
      for (let step = 0; step < 39; step++) {
        const single = heard.locate(heardAt(0, step))!;
        const [latitude, longitude] = at(1, 39 - step);
        const first = pastOf({ places: [{ ...PLACE, latitude, longitude, northSpeed: 30 }] }, 10);
        const misled = heard.locate(heardAt(0, step), first)!;
        expect(metresTo(misled, single)).toBeLessThanOrEqual(single.tail.at95 * single.accuracyMetres + 1);
        if (step >= 2) continue;
        const second = heard.locate(heardAt(0, step + 1), pastOf(first.now!, 10))!;
        expect(metresTo(second, at(0, step + 1))).toBeLessThan(400);
      }
    },
  );

  test('where no map locates the device, nothing is noted', async () => {
    const heard = await world();
    const past = pastOf({}, 0);
    expect(heard.locate([{ cell: 77, level: -80 }], past)).toBeUndefined();
    expect([past.now, past.isFollowed]).toEqual([undefined, false]);
  });
});

describe('a device on a road north', () => {
  const START: Position = [49.87, 8.65];
  const at = (step: number): Position => moved(START, 0, 100 * step);

  /** Drives at 10 m/s. @returns errors in metres, followed and by single scans, from a step on */
  function drive(heard: HeardWorld, scanAt: (step: number) => Heard[], from: number, to: number) {
    const errors = { followed: [] as number[], single: [] as number[] };
    let past = pastOf({}, 0);
    for (let step = 0; step < to; step++) {
      const followed = heard.locate(scanAt(step), past)!;
      if (step >= from) {
        errors.followed.push(metresTo(followed, at(step)));
        errors.single.push(metresTo(heard.locate(scanAt(step))!, at(step)));
      }
      past = pastOf(past.now!, 10);
    }
    return errors;
  }

  test('is followed by the map of the cell that it has left, where its new cell was never observed', async () => {
    const heard = await HeardWorld.open();
    for (let step = 0; step < 30; step++)
      await heard.hear(at(step), [{ cell: 1, level: -70 - step, serving: true }], 2);
    for (let step = 38; step < 43; step++) await heard.hear(at(step), [{ cell: 2, level: -80, serving: true }]);
    const scanAt = (step: number) => [step < 15 ? { cell: 1, level: -70 - step } : { cell: 2, level: -100 }];
    const { followed, single } = drive(heard, scanAt, 15, 25);
    expect(Math.min(...single)).toBeGreaterThan(1_400);
    expect(mean(followed)).toBeLessThan(0.5 * mean(single));
  });

  test('is followed by the maps of all cells that it hears, where those who passed were served by another one', async () => {
    const heard = await HeardWorld.open();
    const [first, second] = [
      { cell: 1, level: -70 },
      { cell: 2, level: -75 },
    ];
    for (let step = 0; step < 20; step++)
      await heard.hear(at(step), [{ ...first, serving: true, level: -70 - step }], 2);
    for (let step = 20; step < 30; step++)
      await heard.hear(at(step), [{ ...second, serving: true, level: -50 - step }], 2);
    for (let step = 48; step < 53; step++)
      await heard.hear(at(step), [
        { cell: 3, level: -80, serving: true },
        { ...second, level: -100 },
      ]);
    const scanAt = (step: number) =>
      step < 20
        ? [{ ...first, level: -70 - step }]
        : [
            { cell: 3, level: -95, serving: true },
            { ...second, level: -50 - step },
          ];
    const { followed, single } = drive(heard, scanAt, 20, 30);
    expect(Math.min(...single)).toBeGreaterThan(1_800);
    expect(mean(followed)).toBeLessThan(0.2 * mean(single));
  });

  test('carries at most 30 places, the likeliest first, and the last three cells, each once', async () => {
    const heard = await HeardWorld.open();
    for (let step = 0; step < 50; step++)
      await heard.hear(at(step), [{ cell: 1 + Math.floor(step / 10), level: -70, serving: true }], 2);
    let past = pastOf({}, 0);
    const cells: number[][] = [];
    for (let step = 0; step < 50; step++) {
      heard.locate([{ cell: 1 + Math.floor(step / 10), level: -70 }], past);
      const now = past.now!;
      expect(now.places.length).toBeLessThanOrEqual(PLACES_MAX);
      expect(now.places.map(({ weight }) => weight)).toEqual(
        now.places.map(({ weight }) => weight).toSorted((a, b) => b - a),
      );
      expect(now.cells.length).toBeLessThanOrEqual(CELLS_MAX);
      cells.push(now.cells.map(key => cellOfKey(key, 0)));
      past = pastOf(now, 10);
    }
    expect([cells[0], cells[19], cells[49]]).toEqual([[1], [2, 1], [5, 4, 3]]);
  });

  test('that rests stays where it is when its scans sway, and one that drives goes with them', async () => {
    const heard = await HeardWorld.open();
    for (let step = 0; step < 40; step++)
      await heard.hear(at(step), [{ cell: 1, level: -60 - step, serving: true }], 2);
    const begun = pastOf({}, 0);
    heard.locate([{ cell: 1, level: -80 }], begun);
    const settled = pastOf(begun.now!, 10, 0.5);
    heard.locate([{ cell: 1, level: -80 }], settled);
    const swayed = [{ cell: 1, level: -70 }];
    const [still, driving] = [0.5, 18].map(usualSpeed => heard.locate(swayed, pastOf(settled.now!, 60, usualSpeed))!);
    expect(metresTo(still, at(20))).toBeLessThan(metresTo(driving, at(20)) - 100);
    expect(metresTo(driving, at(20))).toBeGreaterThan(400);
  });
});

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
