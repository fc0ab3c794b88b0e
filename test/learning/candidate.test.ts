import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrapE7 } from '../../src/geo/angle.ts';
import { distanceMetres } from '../../src/geo/distance.ts';
import {
  addToCandidate,
  isBacked,
  newCandidate,
  OTHER_CANDIDATE_POINTS,
  pointsBeforeThinning,
  pointsOfKind,
  type Sighting,
} from '../../src/learning/candidate.ts';
import { meanOf, metresBetween, middleOf, Votes, writeMetresFrom } from '../../src/learning/middle.ts';
import { KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';
import {
  type Candidate,
  type ReferencePoint,
  SLOT_OTHERS,
  SLOT_TRUSTED,
  SLOTS,
} from '../../src/tables/stations/learned_record.ts';
import { moved, type Position } from '../kits/radio/ground.ts';
import { HOME, START, TRUSTED, type Who } from '../kits/radio/reports.ts';
import { uniform } from '../kits/random.ts';

/** A sighting some metres north and east. */
function sighting(who: Who, north: number, east: number, changes: Partial<Sighting> = {}): Sighting {
  const [latitude, longitude] = moved(HOME, east, north);
  return {
    latitudeE7: Math.round(latitude * 1e7),
    longitudeE7: Math.round(longitude * 1e7),
    accuracyMetres: 10,
    weight: 1,
    levelDbm: -60,
    seconds: START,
    contributor: who,
    isTrusted: who === TRUSTED,
    claimDay: 0,
    heard: [],
    ...changes,
  };
}

function candidateOf(
  sightings: readonly Sighting[],
  kind = KIND_WIFI,
  limit = pointsOfKind(kind, sightings.length),
): Candidate {
  const candidate = newCandidate(sightings[0]);
  for (const each of sightings.slice(1)) addToCandidate(candidate, each, kind, limit);
  return candidate;
}

const total = (points: readonly ReferencePoint[], member: 'weight' | 'count'): number =>
  points.reduce((sum, point) => sum + point[member], 0);
const middle = ({ points }: Candidate) => middleOf(points, undefined);

describe('a candidate', () => {
  test('unites what one contributor sees within a few metres, and tells contributors apart', () => {
    const { points } = candidateOf([sighting(1, 0, 0), sighting(1, 2, 0), sighting(2, 1, 0), sighting(1, 50, 0)]);
    expect(points.map(({ slot, count }) => [slot, count])).toEqual([
      [1, 2],
      [2, 1],
      [1, 1],
    ]);
    expect(metresBetween(points[0], sighting(1, 1, 0))).toBeLessThan(0.02);
  });

  test('means levels as amplitudes, those of cells as they are', () => {
    const { points } = candidateOf([sighting(1, 0, 0, { levelDbm: -40 }), sighting(1, 1, 0, { levelDbm: -80 })]);
    expect(points[0].levelDbm).toBeCloseTo(20 * Math.log10((0.01 + 0.0001) / 2), 4);
    expect(
      candidateOf([sighting(1, 0, 0, { levelDbm: -40 }), sighting(1, 1, 0, { levelDbm: -80 })], KIND_LTE).points[0]
        .levelDbm,
    ).toBe(-60);
  });

  test('keeps every observation, whatever is united', () => {
    const random = uniform(2);
    for (const [kind, limit] of [
      [KIND_WIFI, pointsOfKind(KIND_WIFI, 1_000)],
      [KIND_LTE, pointsOfKind(KIND_LTE, 512)],
      [KIND_LTE, OTHER_CANDIDATE_POINTS],
    ]) {
      const sightings = Array.from({ length: 1_000 }, (_, n) =>
        sighting(n % 9, random() * 400, random() * 400, { weight: 0.5 }),
      );
      const { points, reports } = candidateOf(sightings, kind, limit);
      expect(points.length).toBeLessThanOrEqual(limit);
      expect(points.length).toBeGreaterThan(limit * 0.9);
      expect(total(points, 'count')).toBe(1_000);
      expect(total(points, 'weight')).toBeCloseTo(500, 2);
      expect(reports).toBe(1_000);
      // Eight accounts and the trusted ones: six slots, one for the rest, and theirs.
      expect(new Set(points.map(({ slot }) => slot)).size).toBe(SLOT_OTHERS + 1);
    }
  });

  test('has more points of a cell where more sightings support them, up to a limit', () => {
    expect([1, 512, 800, 1_536, 65_535].map(reports => pointsOfKind(KIND_LTE, reports))).toEqual([
      64, 64, 100, 192, 192,
    ]);
    expect([1, 65_535].map(reports => pointsOfKind(KIND_WIFI, reports))).toEqual([48, 48]);
    expect([48, 64, 100, 192].map(pointsBeforeThinning)).toEqual([48, 64, 109, 224]);
  });

  test('thins a dense cell at once, and never below what its sightings support', () => {
    const random = uniform(9);
    const candidate = newCandidate(sighting(1, 0, 0));
    const lengths: number[] = [];
    for (let n = 1; n < 4_000; n++) {
      addToCandidate(
        candidate,
        sighting(n % 3, random() * 4_000, random() * 4_000),
        KIND_LTE,
        pointsOfKind(KIND_LTE, candidate.reports),
      );
      lengths.push(candidate.points.length);
    }
    expect(Math.max(...lengths)).toBe(224);
    expect(Math.min(...lengths.slice(2_600))).toBe(192);
    expect(total(candidate.points, 'count')).toBe(4_000);
  });

  test('thins what says least: of a cluster and a lonely point the lonely one stays', () => {
    const random = uniform(6);
    const lonely = sighting(1, 450, 0);
    const { points } = candidateOf([
      lonely,
      ...Array.from({ length: 500 }, () => sighting(1, random() * 100, random() * 100)),
    ]);
    expect(points.some(point => metresBetween(point, lonely) < 0.02)).toBe(true);
  });

  test('thins nobody who has fewer points than another', () => {
    const random = uniform(7);
    const honest = Array.from({ length: 8 }, (_, n) => sighting(2, n * 20, 0));
    const flood = Array.from({ length: 2_000 }, () => sighting(3, random() * 400, random() * 400));
    const { points } = candidateOf([...honest, ...flood]);
    expect(points.filter(({ slot }) => slot === 1)).toHaveLength(8);
    expect(points).toHaveLength(pointsOfKind(KIND_WIFI, 2_000));
  });

  test('is backed by two accounts or a trusted one, and stays so', () => {
    expect(isBacked(candidateOf([sighting(1, 0, 0), sighting(1, 9, 0)]))).toBe(false);
    expect(isBacked(candidateOf([sighting(1, 0, 0), sighting(2, 9, 0)]))).toBe(true);
    const random = uniform(8);
    const flood = Array.from({ length: 500 }, (_, n) => sighting(1 + (n % 20), random() * 400, 0));
    const candidate = candidateOf(
      [sighting(1, 0, 0), sighting(TRUSTED, 0, 0), ...flood],
      KIND_WIFI,
      OTHER_CANDIDATE_POINTS,
    );
    expect(isBacked(candidate)).toBe(true);
    expect(candidate.contributors).toEqual([1, 2, 3, 4, 5, 6]);
    expect(candidate.contributors).toHaveLength(SLOTS);
  });
});

describe('the middle of a candidate', () => {
  test('of one contributor is the mean', () => {
    const candidate = candidateOf([sighting(1, 0, 0, { weight: 0.25 }), sighting(1, 100, 40, { weight: 0.75 })]);
    expect(metresBetween(middle(candidate), sighting(1, 75, 30))).toBeLessThan(0.05);
    expect(middle(candidate)).toEqual(
      meanOf(
        candidate.points,
        Float64Array.from(candidate.points, ({ weight }) => weight),
      ),
    );
  });

  test('of several lies where most of them have it, whatever one of them sends', () => {
    const honest = [sighting(1, 0, 0), sighting(2, 10, 0), sighting(3, 0, 10)];
    const random = uniform(9);
    const flood = Array.from({ length: 1_000 }, () => sighting(4, 490, random() * 200));
    expect(metresBetween(middle(candidateOf([...honest, ...flood])), sighting(1, 0, 0))).toBeLessThan(15);
    expect(metresBetween(middle(candidateOf([...flood, ...honest])), sighting(1, 0, 0))).toBeLessThan(15);
  });

  test('trusted contributors have two votes', () => {
    expect(
      metresBetween(middle(candidateOf([sighting(TRUSTED, 0, 0), sighting(4, 400, 0)])), sighting(1, 0, 0)),
    ).toBeLessThan(0.02);
    expect(
      metresBetween(
        middle(candidateOf([sighting(TRUSTED, 0, 0), sighting(4, 400, 0), sighting(5, 400, 0)])),
        sighting(1, 200, 0),
      ),
    ).toBeLessThan(0.02);
  });

  test('an imported position votes in their point, and not beside them', () => {
    const imported = sighting(1, 0, 0);
    expect(metresBetween(middleOf(candidateOf([sighting(4, 400, 0)]).points, imported), imported)).toBeLessThan(0.02);
    expect(
      metresBetween(middleOf(candidateOf([sighting(TRUSTED, 400, 0)]).points, imported), sighting(1, 400, 0)),
    ).toBeLessThan(0.02);
  });

  test('lies on the right side of the antimeridian', () => {
    const at = (longitudeE7: number, who: Who) => ({ ...sighting(who, 0, 0), longitudeE7 });
    const candidate = candidateOf([at(1_799_999_900, 1), at(-1_799_999_700, 2)]);
    expect(middle(candidate).longitudeE7).toBe(-1_799_999_900);
  });
});

test('a median counts votes: none of the imported where trusted ones are', () => {
  const votes = new Votes();
  votes.cast(SLOT_TRUSTED, 9);
  votes.castImported(100);
  votes.cast(1, 3);
  votes.cast(2, 5);
  expect(votes.median()).toBe(7);
});

test('a median is that of the votes in order, and votes are forgotten', () => {
  const votes = new Votes();
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 1, maxLength: SLOTS }), values => {
      votes.clear();
      for (const [v, value] of values.entries()) votes.cast(v + 1, value);
      const sorted = values.toSorted((a, b) => a - b);
      expect(votes.median()).toBe((sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2 + 0);
    }),
  );
  votes.cast(SLOT_TRUSTED, 5);
  votes.clear();
  votes.castImported(3);
  expect(votes.median()).toBe(3);
});

test('distances in the plane are those on the sphere, as far as stations reach', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -80, max: 80, noNaN: true }),
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.double({ min: -20_000, max: 20_000, noNaN: true }),
      fc.double({ min: -20_000, max: 20_000, noNaN: true }),
      (latitude, longitude, north, east) => {
        const b = moved([latitude, longitude], east, north);
        const toE7 = (at: Position) => ({ latitudeE7: Math.round(at[0] * 1e7), longitudeE7: Math.round(at[1] * 1e7) });
        const a = toE7([latitude, longitude]);
        const sphere = distanceMetres(latitude, longitude, ...b);
        const plane = metresBetween(a, toE7(b));
        expect(Math.abs(plane - sphere)).toBeLessThanOrEqual(0.02 + 0.02 * sphere);
        const point: ReferencePoint = {
          ...toE7(b),
          weight: 1,
          levelDbm: -60,
          count: 1,
          lastDay: 1,
          slot: 0,
          heard: [],
        };
        const metres = new Float64Array(1);
        writeMetresFrom(a, [point], metres);
        expect(metres[0]).toBe(plane);
      },
    ),
  );
});

test('longitudes stay within half a turn', () => {
  expect([1_800_000_000, 1_800_000_001, -1_800_000_001, 3_599_999_999].map(wrapE7)).toEqual([
    1_800_000_000, -1_799_999_999, 1_799_999_999, -1,
  ]);
});
