import { describe, expect, test } from 'vitest';
import { Aggregation } from '../../src/learning/aggregate.ts';
import { KIND_GSM } from '../../src/radio/kind.ts';
import { FLAG_INFERRED, FLAG_NO_AREA, FLAG_NO_CELL_ID, OBSERVATION_FLAGS } from '../../src/radio/query/layout.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { metresTo, moved } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, DAY, HOME, report, START, TRUSTED } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { uniform } from '../kits/random.ts';

const AP = macKey(0x112233445566);

function learn(reports: readonly Report[], sizeOf: () => number): LearnedWorld {
  const world = new LearnedWorld();
  world.import(macKey(5), { ...stationAt(...HOME, 70, 200), samples: 9 });
  world.import(cell(3), { ...stationAt(...HOME, 500, 2_000), samples: 40 });
  for (let at = 0; at < reports.length; ) {
    const size = sizeOf();
    world.fold(reports.slice(at, at + size));
    at += size;
  }
  return world;
}

describe('what is learned does not depend on where batches begin and end', () => {
  test.each([1, 2, 3])('seed %i', seed => {
    const log = drawnLog(seed, 3_000);
    const whole = learn(log, () => log.length);
    const random = uniform(seed);
    const dump = whole.dump();
    // The log holds what is worth comparing.
    for (const action of ['new', 'change', 'confirm', 'replace', 'block', 'keep'])
      expect(whole.actions[action], action).toBeGreaterThan(0);
    expect(whole.jumps).toBeGreaterThan(0);
    expect(whole.stations.size).toBeGreaterThan(50);
    for (const sizeOf of [() => 1, () => 1 + Math.floor(random() * 70), () => 1 + Math.floor(random() * 1_500)]) {
      const other = learn(log, sizeOf);
      expect(other.dump() === dump).toBe(true);
      expect(other.actions).toEqual(whole.actions);
      expect(other.jumps).toBe(whole.jumps);
    }
  });
});

describe('a device that jumps', () => {
  const steps = (minutes: number, kilometres: number, changes: Partial<Report> = {}): number => {
    const world = new LearnedWorld();
    const at = [HOME, moved(HOME, 0, kilometres * 1_000)];
    for (const [i, each] of at.entries())
      world.fold([report(1, each, i * minutes * 60, [{ key: AP }], { track: 9, ...changes })]);
    return world.jumps;
  };

  test('is accepted up to a hundred metres a second', () => {
    expect(steps(10, 59)).toBe(0);
    expect(steps(10, 61)).toBe(1);
  });

  test('backwards in time as well', () => expect(steps(-10, 61)).toBe(1));

  test('is accepted an hour later', () => expect(steps(61, 5_000)).toBe(0));

  test('is not known as one without a track', () => expect(steps(10, 61, { track: 0 })).toBe(0));

  test('has the accuracies of both subtracted', () => {
    expect(steps(10, 61.5, { accuracyMetres: 1_000 })).toBe(0);
    expect(steps(10, 62.5, { accuracyMetres: 1_000 })).toBe(1);
  });

  test('within a second moves no further than a hundred metres', () => {
    expect(steps(0, 0.11)).toBe(0);
    expect(steps(0, 0.13)).toBe(1);
  });

  test('loses that report, and is judged by it', () => {
    const world = new LearnedWorld();
    const away = moved(HOME, 0, 50_000);
    for (const [second, at] of [HOME, away, away, HOME, HOME].entries())
      world.fold([report(TRUSTED, at, second, [{ key: AP }], { track: 9 })]);
    expect(world.jumps).toBe(2);
    expect(world.learned(AP)!.candidates.map(({ reports }) => reports)).toEqual([2, 1]);
  });
});

describe('a sighting', () => {
  const weightOf = (changes: Partial<Report>, ageMs?: number): number => {
    const world = new LearnedWorld();
    world.fold([report(TRUSTED, HOME, 0, [{ key: AP, ageMs }], changes)]);
    return world.learned(AP)!.candidates[0].points[0].weight;
  };

  test('weighs less the less accurate its position is, the faster the device and the older the reading', () => {
    expect(weightOf({})).toBe(1);
    expect(weightOf({ accuracyMetres: 3 })).toBe(1);
    expect(weightOf({ accuracyMetres: 40 })).toBeCloseTo(0.5, 6);
    expect(weightOf({ accuracyMetres: Number.NaN })).toBeCloseTo(Math.sqrt(1 / 3), 6);
    expect(weightOf({ speed: 20 })).toBeCloseTo(0.5, 6);
    expect(weightOf({}, 8_000)).toBeCloseTo(0.5, 6);
    expect(weightOf({ positionAgeMs: 8_000 })).toBeCloseTo(0.5, 6);
    expect(weightOf({ positionAgeMs: 8_000 }, 8_000)).toBe(1);
    expect(weightOf({ accuracyMetres: 40, speed: 20 }, 8_000)).toBeCloseTo(0.125, 6);
  });

  test.each([
    [-5_000, 0, 0],
    [2 ** 33 * 1_000, 2 ** 32 - 1, 49_710],
  ])('at %i ms has the nearest time that a record can hold', (timeMs, seconds, lastDay) => {
    const world = new LearnedWorld();
    world.fold([report(TRUSTED, HOME, 0, [{ key: AP }], { timeMs })]);
    expect(world.learned(AP)!.candidates[0]).toMatchObject({
      firstSeconds: seconds,
      lastSeconds: seconds,
      points: [{ lastDay }],
    });
    expect(world.active(AP)).toMatchObject({ lastSeenDay: lastDay });
  });

  test('of a cell that is not wholly identified is left out', () => {
    const world = new LearnedWorld();
    for (const flag of [FLAG_INFERRED, FLAG_NO_CELL_ID, FLAG_NO_AREA | FLAG_INFERRED]) {
      const partial = report(TRUSTED, HOME, 0, [{ key: cell(1) }, { key: AP }]);
      Buffer.from(partial.observations.buffer, partial.observations.byteOffset).writeUInt16LE(flag, OBSERVATION_FLAGS);
      world.fold([partial]);
    }
    expect(world.learned(cell(1))).toBeUndefined();
    expect(world.learned(AP)!.candidates[0].reports).toBe(3);
  });

  test('names the code of a cell, and only of a cell', () => {
    const world = new LearnedWorld();
    const gsm = cell(4, KIND_GSM);
    world.fold([
      report(TRUSTED, HOME, 0, [
        { key: gsm, code: 301 },
        { key: AP, code: 2_412 },
      ]),
    ]);
    world.fold([report(TRUSTED, HOME, 1, [{ key: gsm }, { key: AP }])]);
    expect(world.active(gsm)).toMatchObject({ code: 301 });
    expect(world.active(AP)).toMatchObject({ code: 65_535 });
  });
});

test('counts saturate instead of beginning again', () => {
  const world = new LearnedWorld();
  const heard = report(TRUSTED, HOME, 0, [{ key: AP, dbm: -50 }]);
  world.fold(Array.from({ length: 66_000 }, () => heard));
  expect(world.learned(AP)!.candidates[0]).toMatchObject({ reports: 65_535, points: [{ count: 65_535 }] });
  expect(world.active(AP)).toMatchObject({ samples: 65_535 });
});

test('a batch without reports changes nothing', () => {
  expect(new Aggregation(new LearnedWorld()).changes()).toEqual({ learned: [], tracks: new Map(), progress: 0 });
});

test('first and last seen are the days of the earliest and the latest report', () => {
  const world = new LearnedWorld();
  for (const day of [3, 1, 7, 5]) world.fold([report(TRUSTED, HOME, day * DAY, [{ key: AP }])]);
  const today = Math.floor(START / DAY);
  expect(world.active(AP)).toMatchObject({ firstSeenDay: today + 1, lastSeenDay: today + 7 });
  expect(metresTo(world.active(AP)!, HOME)).toBeLessThan(0.02);
});
