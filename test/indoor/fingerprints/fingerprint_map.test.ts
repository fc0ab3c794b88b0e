import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import type { Fingerprint, Reading } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { decodeMap } from '../../../src/indoor/fingerprints/map_record.ts';
import { posteriorOf, type Summary, summarise } from '../../../src/indoor/fingerprints/posterior.ts';
import { STORED_STRENGTH, strengthOf } from '../../../src/indoor/fingerprints/strength.ts';
import { type DrawnRadio, heardAt, scanOf, survey } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';

const ORIGIN = { latitude: 47.1, longitude: 9.5 };
const WALL_DB = 18;

/** A floor of 40 by 20 metres, a fingerprint every 2 metres. */
function pointsOf(floors: readonly number[], eastFrom = 0): (readonly [number, number, number])[] {
  return floors.flatMap(floor =>
    Array.from({ length: 200 }, (_, i) => [floor, eastFrom + 1 + 2 * (i % 20), 1 + 2 * Math.floor(i / 20)] as const),
  );
}

function radiosOf(floors: readonly number[], each: number, random: () => number, eastFrom = 0): DrawnRadio[] {
  return floors.flatMap(floor =>
    Array.from({ length: each }, (_, i) => ({
      radio: 1000 * (floor + 1) + eastFrom + i,
      floor,
      east: eastFrom + 40 * random(),
      north: 20 * random(),
    })),
  );
}

const mapOf = (fingerprints: Iterable<Fingerprint>) => new FingerprintMap(buildFingerprintMap(fingerprints, ORIGIN));
const locate = (map: FingerprintMap, readings: readonly Reading[]): Summary =>
  summarise(posteriorOf(map.match(scanOf(readings))!));
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1];

test('a map has its origin and the radios of its fingerprints', () => {
  // biome-ignore format: one line
  const map = mapOf([{ floor: 0, eastMetres: 0, northMetres: 0, readings: [{ radio: 5, levelDbm: -50 }, { radio: 3, levelDbm: -60 }] }]);
  expect(map).toMatchObject(ORIGIN);
  expect([...map.radios()]).toEqual([3, 5]);
});

test('a scan of unknown radios has no match, one without levels neither, and a map of nothing matches nothing', () => {
  const map = mapOf(survey([{ radio: 1, floor: 0, east: 0, north: 0 }], [[0, 1, 1]], WALL_DB, 0, uniform(1)));
  expect(map.match(scanOf([{ radio: 99, levelDbm: -50 }]))).toBeUndefined();
  expect(map.match(scanOf([{ radio: 1, levelDbm: 1 }]))).toBeUndefined();
  expect(map.match(scanOf([]))).toBeUndefined();
  expect(mapOf([]).match(scanOf([{ radio: 1, levelDbm: -50 }]))).toBeUndefined();
});

test('the likelihoods are those of the formula, place by place', () => {
  const random = uniform(20);
  for (let round = 0; round < 20; round++) {
    const radios = radiosOf([0, 1], 12, random);
    const record = buildFingerprintMap(survey(radios, pointsOf([0, 1]), WALL_DB, 4, random), ORIGIN);
    const readings = heardAt(radios, [Math.floor(2 * random()), 40 * random(), 20 * random()], WALL_DB, 4, random);
    const ageMs = 9000 * random();
    const scan = scanOf([...readings, { radio: 999_999, levelDbm: -60 }], ageMs);
    const match = new FingerprintMap(record).match(scan, true)!;
    expect(match.explained).toBeCloseTo(explained(record, readings, Math.exp(-ageMs / 6000), strengthOf(-60)), 2);
    const expected = likelihoods(record, readings, Math.exp(-ageMs / 6000));
    const best = Math.max(...expected);
    expect(match.count).toBe(expected.length);
    for (let p = 0; p < match.count; p++) {
      const difference = expected[p] - best;
      // Far below the best the sum over the offsets is left out: at most the logarithm of 4.
      if (difference > -6) expect(match.logLikelihood[p]).toBeCloseTo(difference, 2);
      else if (difference === Number.NEGATIVE_INFINITY) expect(match.logLikelihood[p]).toBe(difference);
      else expect(Math.abs(match.logLikelihood[p] - difference)).toBeLessThan(1.5);
    }
  }
});

test('the likelihoods of a scan that is weak and old, and of a single radio, are those of the formula', () => {
  const random = uniform(21);
  const radios = radiosOf([0, 1], 12, random);
  const record = buildFingerprintMap(survey(radios, pointsOf([0, 1]), WALL_DB, 4, random), ORIGIN);
  const heard = heardAt(radios, [0, 12, 8], WALL_DB, 4, random);
  const weak = heard.map(({ radio }, i) => ({ radio, levelDbm: -104 + (i % 3) }));
  for (const [readings, ageMs] of [
    [weak, 60_000],
    [weak.slice(0, 1), 120_000],
    [heard.slice(0, 1), 0],
  ] as const) {
    // biome-ignore format: one line
    const match = new FingerprintMap(record).match(scanOf(readings, ageMs))!;
    const expected = likelihoods(record, readings, Math.exp(-ageMs / 6000));
    const best = Math.max(...expected);
    for (let p = 0; p < match.count; p++) {
      if (expected[p] - best > -6) expect(match.logLikelihood[p]).toBeCloseTo(expected[p] - best, 2);
    }
  }
});

test('a scan of which nothing counts any more has no match', () => {
  const map = mapOf(survey([{ radio: 1, floor: 0, east: 0, north: 0 }], [[0, 1, 1]], WALL_DB, 0, uniform(1)));
  expect(map.match(scanOf([{ radio: 1, levelDbm: -50 }], 1e9))).toBeUndefined();
  expect(map.match(scanOf([{ radio: 1, levelDbm: -127 }]))).toBeUndefined();
});

/** A place beside a scan, densely. */
interface Compared {
  /** What of the scan is heard there as well. */
  both: readonly Reading[];
  /** What the place counts. */
  ofPlace: number;
  /** By offset: what both have in common, and what the levels say. */
  common: number[];
  worth: number[];
}

const OFFSETS_DB = [-9, -3, 3, 9];
const strengthsOf = (readings: readonly Reading[], weight: number, offset: number): number =>
  readings.reduce((sum, { levelDbm }) => sum + weight * strengthOf(levelDbm + offset), 0);

/** @param weight of each reading by its age */
function compared(record: Uint8Array, readings: readonly Reading[], weight: number): Compared[] {
  const { radio, firstLevel, levelPlace, levelStrength, east } = decodeMap(record);
  return Array.from(east, (_, p) => {
    const place = new Map<number, number>();
    for (const [r, number] of radio.entries()) {
      for (let i = firstLevel[r]; i < firstLevel[r + 1]; i++)
        if (levelPlace[i] === p) place.set(number, STORED_STRENGTH[levelStrength[i]]);
    }
    const both = readings.filter(reading => place.has(reading.radio));
    let onlyPlace = 0;
    for (const [number, y] of place) if (!both.some(reading => reading.radio === number)) onlyPlace += y;
    const ofPlace = both.reduce((sum, reading) => sum + weight * place.get(reading.radio)!, 0) + 0.85 * onlyPlace;
    const common = OFFSETS_DB.map(offset =>
      both.reduce(
        (total, { radio: number, levelDbm }) =>
          total + weight * Math.min(strengthOf(levelDbm + offset), place.get(number)!),
        0,
      ),
    );
    const worth = OFFSETS_DB.map(offset =>
      both.reduce((total, { radio: number, levelDbm }) => {
        const placeDbm = Math.round(2 * 105 * (place.get(number)! ** (1 / 2.2) - 1)) / 2;
        return (
          total +
          weight ** 2 * (3 - 2 * Math.log(1 + (Math.round(2 * levelDbm) / 2 + offset - placeDbm) ** 2 / (3 * 4 ** 2)))
        );
      }, 0),
    );
    return { both, ofPlace, common, worth };
  });
}

/** The likelihood of each place. */
function likelihoods(record: Uint8Array, readings: readonly Reading[], weight: number): number[] {
  const { radio, logPrior } = decodeMap(record);
  const radios = readings.filter(reading => radio.includes(reading.radio)).length;
  return compared(record, readings, weight).map(({ both, ofPlace, common, worth }, p) => {
    if (both.length === 0) return Number.NEGATIVE_INFINITY;
    let [bySimilarity, byLevels] = [0, 0];
    for (const [o, offset] of OFFSETS_DB.entries()) {
      const heard = strengthsOf(both, weight, 0) / strengthsOf(readings, weight, 0);
      const ofScan = strengthsOf(readings, weight, offset) * (1.75 - 0.75 * heard);
      bySimilarity += ((2 * common[o]) / (ofScan + ofPlace)) ** 16 * Math.exp(-0.5 * (offset / 8) ** 2);
      byLevels += Math.exp((1.2 / Math.sqrt(Math.max(1, weight * radios))) * worth[o] - 0.5 * (offset / 8) ** 2);
    }
    return Math.log(bySimilarity) + Math.log(byLevels) + logPrior[p];
  });
}

/**
 * How well the map explains the scan. @param readings those that the map knows @param unknown strength of all others
 */
function explained(record: Uint8Array, readings: readonly Reading[], weight: number, unknown: number): number {
  const share = strengthsOf(readings, 1, 0) / (strengthsOf(readings, 1, 0) + unknown);
  const places = compared(record, readings, weight).filter(({ both }) => both.length > 0);
  const byPlace = places.map(({ both, ofPlace, common, worth }) => {
    const heard = (share * strengthsOf(both, weight, 0)) / strengthsOf(readings, weight, 0);
    const byOffset = OFFSETS_DB.map((offset, o) => {
      const ofScan = (strengthsOf(readings, weight, offset) / share) * (0.2 + 0.8 * heard);
      return 10 * Math.log((2 * common[o]) / (ofScan + ofPlace)) + worth[o];
    });
    return Math.max(...byOffset);
  });
  return Math.max(...byPlace);
}

test('a map that knows all of a scan explains it better than one that knows half of it, which is more like that half', () => {
  const random = uniform(12);
  const radios = radiosOf([0], 20, random);
  const record = survey(radios, pointsOf([0]), WALL_DB, 6, random);
  const readings = heardAt(radios, [0, 20, 10], WALL_DB, 6, random);
  const half = readings.slice(0, readings.length / 2);
  const all = mapOf(record).match(scanOf(readings), true)!;
  const other = mapOf([{ floor: 0, eastMetres: 0, northMetres: 0, readings: half }]).match(scanOf(readings), true)!;
  expect(other.similarity).toBeGreaterThan(all.similarity);
  expect(all.explained).toBeGreaterThan(other.explained);
  expect(mapOf(record).match(scanOf(readings))!.explained).toBeNaN();
});

test('scans of a phone that reports 8 dB too little are found as well', () => {
  const random = uniform(7);
  const radios = radiosOf([0, 1, 2], 10, random);
  const map = mapOf(survey(radios, pointsOf([0, 1, 2]), WALL_DB, 3, random));
  for (const offset of [0, -8]) {
    const errors: number[] = [];
    for (let i = 0; i < 100; i++) {
      const [floor, east, north] = [i % 3, 2 + 36 * random(), 2 + 16 * random()];
      const readings = heardAt(radios, [floor, east, north], WALL_DB, 3, random).map(({ radio, levelDbm }) => ({
        radio,
        levelDbm: levelDbm + offset,
      }));
      const answer = locate(map, readings);
      expect(answer.floor).toBe(floor);
      errors.push(Math.hypot(answer.eastMetres - east, answer.northMetres - north));
    }
    expect(median(errors)).toBeLessThan(3);
  }
});

test('half of the radios are new: floor and place are those of the others', () => {
  const random = uniform(8);
  const radios = radiosOf([0, 1, 2], 16, random);
  const map = mapOf(survey(radios, pointsOf([0, 1, 2]), WALL_DB, 3, random));
  const now = radios.map((radio, i) => (i % 2 === 0 ? radio : { ...radio, radio: radio.radio + 50_000 }));
  const errors: number[] = [];
  for (let i = 0; i < 100; i++) {
    const [floor, east, north] = [i % 3, 2 + 36 * random(), 2 + 16 * random()];
    const answer = locate(map, heardAt(now, [floor, east, north], WALL_DB, 3, random));
    expect(answer.floor).toBe(floor);
    errors.push(Math.hypot(answer.eastMetres - east, answer.northMetres - north));
  }
  expect(median(errors)).toBeLessThan(4);
});

test('a quarter of the radios was moved across the floor: nine of ten floors are right', () => {
  const random = uniform(9);
  const radios = radiosOf([0, 1, 2], 16, random);
  const map = mapOf(survey(radios, pointsOf([0, 1, 2]), WALL_DB, 3, random));
  const now = radios.map((radio, i) =>
    i % 4 === 0 ? { ...radio, east: 40 - radio.east, north: 20 - radio.north } : radio,
  );
  const errors: number[] = [];
  let right = 0;
  for (let i = 0; i < 100; i++) {
    const [floor, east, north] = [i % 3, 2 + 36 * random(), 2 + 16 * random()];
    const answer = locate(map, heardAt(now, [floor, east, north], WALL_DB, 3, random));
    if (answer.floor === floor) right++;
    errors.push(Math.hypot(answer.eastMetres - east, answer.northMetres - north));
  }
  expect(right).toBeGreaterThanOrEqual(90);
  expect(median(errors)).toBeLessThan(5);
});

test(
  'a glass atrium, where a floor takes 3 dB: floors are told apart more often than not, and none is claimed with ' +
    'more certainty than it has',
  () => {
    const random = uniform(10);
    const radios = radiosOf([0, 1, 2], 10, random);
    const map = mapOf(survey(radios, pointsOf([0, 1, 2]), 3, 4, random));
    let claimed = 0;
    let right = 0;
    for (let i = 0; i < 300; i++) {
      const floor = i % 3;
      const answer = locate(map, heardAt(radios, [floor, 2 + 36 * random(), 2 + 16 * random()], 3, 4, random));
      claimed += answer.floorProbability;
      if (answer.floor === floor) right++;
    }
    expect(right).toBeGreaterThan(150);
    expect(claimed).toBeLessThan(right + 15);
  },
);

test('two towers of one building, each heard in the other: the tower is right', () => {
  const random = uniform(11);
  const radios = [...radiosOf([0, 1], 10, random), ...radiosOf([0, 1], 10, random, 100)];
  const map = mapOf(survey(radios, [...pointsOf([0, 1]), ...pointsOf([0, 1], 100)], WALL_DB, 4, random));
  for (let i = 0; i < 100; i++) {
    const from = i % 2 === 0 ? 0 : 100;
    const answer = locate(
      map,
      heardAt(radios, [i % 3 === 0 ? 1 : 0, from + 40 * random(), 20 * random()], WALL_DB, 4, random),
    );
    expect(Math.abs(answer.eastMetres - from - 20)).toBeLessThan(30);
  }
});
