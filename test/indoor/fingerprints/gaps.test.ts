import { expect, test } from 'vitest';
import { buildFingerprintMap } from '../../../src/indoor/fingerprints/build_map.ts';
import type { Fingerprint } from '../../../src/indoor/fingerprints/fingerprint.ts';
import { FingerprintMap } from '../../../src/indoor/fingerprints/fingerprint_map.ts';
import { placesOfGaps } from '../../../src/indoor/fingerprints/gaps.ts';
import { type Place, placesOf } from '../../../src/indoor/fingerprints/places.ts';
import { posteriorOf, summarise } from '../../../src/indoor/fingerprints/posterior.ts';
import { strengthOf } from '../../../src/indoor/fingerprints/strength.ts';
import { type DrawnRadio, heardAt, scanOf, survey } from '../../kits/fingerprints/drawn_building.ts';
import { uniform } from '../../kits/random.ts';

const nothing = (): void => {};
const SHARE = 0.1;
const HALL_METRES = 32;

type Point = readonly [floor: number, east: number, north: number];

/** Points along the walls of a square hall, 2 m apart. */
function alongWalls(floor = 0): Point[] {
  return Array.from({ length: HALL_METRES / 2 }, (_, i) => 2 * i).flatMap(at => [
    [floor, at, 0],
    [floor, HALL_METRES, at],
    [floor, HALL_METRES - at, HALL_METRES],
    [floor, 0, HALL_METRES - at],
  ]);
}

/** Radios in and around the hall. */
function drawRadios(seed: number, count = 40): DrawnRadio[] {
  const random = uniform(seed);
  return Array.from({ length: count }, (_, radio) => ({
    radio,
    floor: 0,
    east: 60 * random() - 16,
    north: 60 * random() - 16,
  }));
}

function surveyed(points: readonly Point[], radios: readonly DrawnRadio[], noiseDb: number, seed = 1): Place[] {
  return placesOf(survey(radios, points, 15, noiseDb, uniform(seed)), 2);
}

test('the middle of a hall that was surveyed along its walls is filled', () => {
  const radios = drawRadios(2);
  const gaps = placesOfGaps(surveyed(alongWalls(), radios, 0), SHARE, 1_000, nothing);
  expect(gaps.length).toBeGreaterThan(10);
  for (const { floor, eastMetres, northMetres } of gaps) {
    const toWall = Math.min(eastMetres, northMetres, HALL_METRES - eastMetres, HALL_METRES - northMetres);
    expect(toWall).toBeGreaterThanOrEqual(3.8);
    expect(floor).toBe(0);
  }
});

test('the gaps together are as likely as the share of the surveyed cells says', () => {
  const places = surveyed(alongWalls(), drawRadios(2), 0);
  const sum = (all: readonly Place[]): number => all.reduce((total, { prior }) => total + prior, 0);
  for (const share of [0.01, 0.1])
    expect(sum(placesOfGaps(places, share, 1_000, nothing))).toBeCloseTo(share * sum(places), 9);
  expect(placesOfGaps(places, 100, 1_000, nothing).every(({ prior }) => prior === 1)).toBe(true);
  expect(placesOfGaps(places, 0, 1_000, nothing)).toEqual([]);
});

test('levels in a gap are those of the law of distances, where it holds', () => {
  const radios = drawRadios(3);
  const errors: number[] = [];
  for (const { eastMetres, northMetres, strengths } of placesOfGaps(
    surveyed(alongWalls(), radios, 0),
    SHARE,
    1_000,
    nothing,
  )) {
    for (const { radio, levelDbm } of heardAt(radios, [0, eastMetres, northMetres], 15, 0, uniform(1))) {
      if (levelDbm > -80)
        errors.push(Math.abs((strengths.get(radio) ?? 0) - strengthOf(levelDbm)) / strengthOf(levelDbm));
    }
  }
  errors.sort((a, b) => a - b);
  expect(errors.length).toBeGreaterThan(300);
  expect(errors[errors.length >> 1]).toBeLessThan(0.12);
});

test('scans in the middle of a hall are located there, where a part of its walls was surveyed once', () => {
  const radios = drawRadios(4);
  const random = uniform(9);
  const walked = survey(radios, alongWalls(), 15, 4, random);
  const errorsOf = (fingerprints: readonly Fingerprint[], points: readonly Point[]): number => {
    const map = new FingerprintMap(buildFingerprintMap(fingerprints, { latitude: 0, longitude: 0 }));
    const draw = uniform(10);
    const errors = points.map(point => {
      const summary = summarise(posteriorOf(map.match(scanOf(heardAt(radios, point, 15, 4, draw)))!));
      return Math.hypot(summary.eastMetres - point[1], summary.northMetres - point[2]);
    });
    return errors.reduce((sum, error) => sum + error, 0) / errors.length;
  };
  const once = walked.map(fingerprint => ({ ...fingerprint, timeMs: 0 }));
  const again = walked.map(fingerprint => ({ ...fingerprint, timeMs: 86_400_000 }));
  // A second walk along all walls leaves nothing that was seen once, and with that no gaps. One along three of them
  // leaves some.
  const [three, all] = [
    [...once, ...again.filter(({ northMetres }) => northMetres < HALL_METRES)],
    [...once, ...again],
  ];
  const middle = Array.from({ length: 100 }, (): Point => [0, 6 + 20 * random(), 6 + 20 * random()]);
  expect(errorsOf(three, middle)).toBeLessThan(0.6 * errorsOf(all, middle));
  expect(errorsOf(three, alongWalls())).toBeLessThan(4);
});

test('nothing is filled beside a corridor, beyond its ends, or on another floor', () => {
  const corridor = Array.from({ length: 40 }, (_, i): Point => [0, 1.5 * i, 0]);
  expect(placesOfGaps(surveyed(corridor, drawRadios(5), 2), SHARE, 1_000, nothing)).toEqual([]);
  const places = surveyed([...alongWalls(0), [1, 14, 14]], drawRadios(5), 2);
  expect(placesOfGaps(places, SHARE, 1_000, nothing).every(({ floor }) => floor === 0)).toBe(true);
});

test('a hall that is wider than what its walls can tell stays open in its middle', () => {
  // biome-ignore format: one line
  const wide = Array.from({ length: 40 }, (_, i) => 2 * i).flatMap((at): Point[] => [[0, at, 0], [0, at, 80], [0, 0, at], [0, 80, at]]);
  for (const { eastMetres, northMetres } of placesOfGaps(surveyed(wide, drawRadios(6), 2), SHARE, 10_000, nothing)) {
    expect(Math.min(eastMetres, northMetres, 80 - eastMetres, 80 - northMetres)).toBeLessThanOrEqual(20);
  }
});

test('fewer places are farther apart', () => {
  const places = surveyed(alongWalls(), drawRadios(7), 2);
  const all = placesOfGaps(places, SHARE, 1_000, nothing);
  for (const most of [all.length, all.length - 1, 5, 1, 0]) {
    const some = placesOfGaps(places, SHARE, most, nothing);
    expect(some.length).toBeLessThanOrEqual(most);
    if (most >= all.length) expect(some).toEqual(all);
  }
});

test('places that are as far apart as they may be are no work', () => {
  const far = [-20_000, 20_000].flatMap(east => [-20_000, 20_000].map((north): Point => [0, east, north]));
  let steps = 0;
  expect(
    placesOfGaps(surveyed(far, [{ radio: 1, floor: 0, east: 20_000, north: 20_000 }], 0), SHARE, 10, () => steps++),
  ).toEqual([]);
  expect(steps).toBeLessThan(1_000);
});

test('a survey without any place has no gaps', () => {
  expect(placesOfGaps([], SHARE, 10, nothing)).toEqual([]);
});

test('an error of a step ends the work', () => {
  const places = surveyed(alongWalls(), drawRadios(8), 2);
  let left = 300;
  const stop = (): void => {
    if (left-- === 0) throw new Error('stopped');
  };
  expect(() => placesOfGaps(places, SHARE, 1_000, stop)).toThrow('stopped');
});
