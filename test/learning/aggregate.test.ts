import { describe, expect, test } from 'vitest';
import { Aggregation, coObserved, strongestCells } from '../../src/learning/aggregate.ts';
import { addToCandidate, newCandidate, type Sighting } from '../../src/learning/candidate.ts';
import { HEARD_LIMIT } from '../../src/learning/reference_points.ts';
import { KIND_GSM, KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import {
  FLAG_INFERRED,
  FLAG_NO_AREA,
  FLAG_NO_CELL_ID,
  OBSERVATION_BYTES,
  OBSERVATION_FLAGS,
  OBSERVATION_SIGNAL,
  SIGNAL_ABSENT,
} from '../../src/radio/query/layout.ts';
import { StoredObservations } from '../../src/radio/query/stored.ts';
import { networkNumber, writeCellKey } from '../../src/radio/station_key.ts';
import { AREA_NONE } from '../../src/radio/unknown_cell.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { type Heard, newLearned } from '../../src/tables/stations/learned_record.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { metresTo, moved } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, DAY, HOME, report, START, TRUSTED } from '../kits/radio/reports.ts';
import { cellKey, macKey } from '../kits/radio/stations.ts';
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

test('the strongest cells of a report are taken, each once and only those known exactly', () => {
  const cells = strongest([
    { cell: 1, level: -90 },
    { cell: 2, level: -70 },
    { cell: 1, level: -80 },
    { cell: 3, level: -60, flags: FLAG_NO_CELL_ID },
  ]);
  expect(cells.map(({ levelDbm }) => levelDbm)).toEqual([-70, -80]);
  expect(strongest(Array.from({ length: 40 }, (_, cell) => ({ cell, level: -60 - cell })))).toHaveLength(
    HEARD_LIMIT + 1,
  );
  expect(strongest([{ cell: 1, level: SIGNAL_ABSENT }])[0].levelDbm).toBe(-100);
});

test('access points are no cells', () => {
  const observations = new Uint8Array(OBSERVATION_BYTES);
  observations[0] = KIND_WIFI;
  expect(strongestCells(new StoredObservations(observations), ['an access point'])).toEqual([]);
});

test('a cell whose area code becomes known keeps its place among the neighbours', () => {
  const unplaced = cellKey(KIND_LTE, 262, 1, AREA_NONE, 2).toString('latin1');
  const learned = { ...newLearned(undefined), neighbours: [nameOf(7), unplaced] };
  expect(coObserved(learned, nameOf(1), [{ name: nameOf(2), levelDbm: -70 }])).toMatchObject([{ neighbour: 1 }]);
  expect(learned.neighbours).toEqual([nameOf(7), nameOf(2)]);
});

test('a cell names those beside it, not itself', () => {
  const learned = newLearned(undefined);
  const cells = strongest([
    { cell: 1, level: -80 },
    { cell: 2, level: -70 },
    { cell: 3, level: -90 },
  ]);
  const heard = coObserved(learned, nameOf(1), cells);
  expect(learned.neighbours).toEqual([nameOf(2), nameOf(3)]);
  expect(heard).toEqual([
    { neighbour: 0, count: 1, levelE2: -7_000 },
    { neighbour: 1, count: 1, levelE2: -9_000 },
  ]);
  expect(coObserved(learned, nameOf(1), cells)).toEqual(heard);
  expect(learned.neighbours).toHaveLength(2);
});

test('in a full record the neighbour heard least gives way, everywhere', () => {
  const learned = newLearned(undefined);
  for (let cell = 1; cell <= 48; cell++) hear(cell === 20 ? 1 : 2, cell);
  expect(learned.neighbours).toHaveLength(48);
  hear(1, 100);
  expect(learned.neighbours).toHaveLength(48);
  expect(learned.neighbours.indexOf(nameOf(100))).toBe(19);
  expect(learned.neighbours).not.toContain(nameOf(20));
  const counts = learned.candidates
    .flatMap(({ points }) => points.flatMap(({ heard }) => heard))
    .filter(({ neighbour }) => neighbour === 19);
  expect(counts).toEqual([{ neighbour: 19, count: 1, levelE2: -7_000 }]);

  function hear(times: number, cell: number): void {
    for (let i = 0; i < times; i++) {
      const heard = coObserved(learned, nameOf(500), strongest([{ cell, level: -70 }]));
      const at = sighting(heard, cell * 10_000);
      if (learned.candidates.length === 0) learned.candidates.push(newCandidate(at));
      else addToCandidate(learned.candidates[0], at, KIND_LTE, 64);
    }
  }
});

test('a point remembers mean levels, and of many others the most frequent', () => {
  const candidate = newCandidate(sighting([{ neighbour: 0, count: 1, levelE2: -7_000 }], 0));
  addToCandidate(
    candidate,
    sighting(
      [
        { neighbour: 0, count: 1, levelE2: -8_000 },
        { neighbour: 1, count: 1, levelE2: -9_000 },
      ],
      0,
    ),
    KIND_LTE,
    64,
  );
  expect(candidate.points[0].heard).toEqual([
    { neighbour: 0, count: 2, levelE2: -7_500 },
    { neighbour: 1, count: 1, levelE2: -9_000 },
  ]);
  const others = Array.from({ length: HEARD_LIMIT }, (_, i) => ({ neighbour: i + 2, count: 1, levelE2: -6_000 }));
  addToCandidate(candidate, sighting(others, 0), KIND_LTE, 64);
  expect(candidate.points[0].heard).toHaveLength(HEARD_LIMIT);
  expect(candidate.points[0].heard[0]).toEqual({ neighbour: 0, count: 2, levelE2: -7_500 });
  expect(candidate.points[0].heard).not.toContainEqual({ neighbour: 1, count: 1, levelE2: -9_000 });
});

function sighting(heard: readonly Heard[], east: number): Sighting {
  return {
    latitudeE7: 498_700_000,
    longitudeE7: 86_500_000 + east,
    accuracyMetres: 5,
    weight: 1,
    levelDbm: -80,
    seconds: 1_700_000_000,
    contributor: 0,
    isTrusted: true,
    claimDay: 0,
    heard,
  };
}

function strongest(cells: readonly { cell: number; level: number; flags?: number }[]) {
  const observations = new Uint8Array(cells.length * OBSERVATION_BYTES);
  const view = new DataView(observations.buffer);
  cells.forEach(({ cell, level, flags = 0 }, i) => {
    const at = i * OBSERVATION_BYTES;
    writeCellKey(observations, at, KIND_LTE, networkNumber(KIND_LTE, 262, 1), 1, cell);
    view.setInt16(at + OBSERVATION_SIGNAL, level, true);
    view.setUint16(at + OBSERVATION_FLAGS, flags, true);
  });
  return strongestCells(
    new StoredObservations(observations),
    cells.map(({ cell, flags }) => (flags === undefined ? nameOf(cell) : undefined)),
  );
}

function nameOf(cell: number): string {
  return cellKey(KIND_LTE, 262, 1, 1, cell).toString('latin1');
}
