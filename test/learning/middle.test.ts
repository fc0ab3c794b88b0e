import { describe, expect, test } from 'vitest';
import { fitPathLoss } from '../../src/learning/middle.ts';
import type { ReferencePoint } from '../../src/tables/stations/learned_record.ts';
import { moved } from '../kits/radio/ground.ts';
import { LearnedWorld } from '../kits/radio/learned_world.ts';
import { cell, HOME, report, TRUSTED } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { normal, uniform } from '../kits/random.ts';

const AT = { latitudeE7: Math.round(HOME[0] * 1e7), longitudeE7: Math.round(HOME[1] * 1e7) };

/** All points count. */
const ALIKE = new Float64Array(64).fill(1);

/** Reference points at some distances all around, with levels by a law. */
function points(metres: readonly number[], levelAt: (metres: number) => number): ReferencePoint[] {
  return metres.map((away, i) => {
    const [latitude, longitude] = moved(HOME, away * Math.sin(i * 2.4), away * Math.cos(i * 2.4));
    const latitudeE7 = Math.round(latitude * 1e7);
    return {
      latitudeE7,
      longitudeE7: Math.round(longitude * 1e7),
      weight: 1,
      levelDbm: levelAt(away),
      count: 1,
      lastDay: 20_000,
      slot: 0,
      heard: [],
    };
  });
}

const SPREAD = Array.from({ length: 24 }, (_, i) => 6 * 1.18 ** i);
const law = (reference: number, exponent: number) => (metres: number) => reference - 10 * exponent * Math.log10(metres);

describe('the path loss of a station', () => {
  test.each([
    [-30, 2.5],
    [-35, 3],
    [-40, 3.5],
  ])('of %i dBm at a metre and exponent %f is found again', (reference, exponent) => {
    const bell = normal(uniform(3));
    const exact = fitPathLoss(points(SPREAD, law(reference, exponent)), ALIKE, AT)!;
    expect(Math.abs(exact.exponent - exponent)).toBeLessThan(0.1);
    expect(Math.abs(exact.referenceDbm - reference)).toBeLessThanOrEqual(3);
    const noisy = fitPathLoss(
      points(SPREAD, metres => law(reference, exponent)(metres) + 5 * bell()),
      ALIKE,
      AT,
    )!;
    expect(Math.abs(noisy.exponent - exponent)).toBeLessThan(0.6);
  });

  test('is not told by few points, nor by points at one distance', () => {
    expect(fitPathLoss(points(SPREAD.slice(0, 7), law(-30, 3)), ALIKE, AT)).toBeUndefined();
    expect(fitPathLoss(points(Array(20).fill(60), law(-30, 3)), ALIKE, AT)).toBeUndefined();
  });

  test('is that of the points which count', () => {
    const eight = SPREAD.filter((_, i) => i % 3 === 0);
    const weights = Float64Array.from(SPREAD, (_, i) => (i < eight.length ? 0.2 : 0));
    const all = [...points(eight, law(-35, 3)), ...points(SPREAD.slice(eight.length), () => -20)];
    expect(fitPathLoss(all, weights, AT)).toEqual(fitPathLoss(points(eight, law(-35, 3)), ALIKE, AT));
    expect(fitPathLoss(all, weights.fill(0, 7), AT)).toBeUndefined();
  });

  test('that a record cannot hold, or that cannot be, is none', () => {
    expect(
      fitPathLoss(
        points(SPREAD, () => -20),
        ALIKE,
        AT,
      ),
    ).toBeUndefined();
    expect(
      fitPathLoss(
        points(SPREAD, metres => -100 + 30 * Math.log10(metres)),
        ALIKE,
        AT,
      ),
    ).toBeUndefined();
  });

  test('stands in the record of an access point, and never in that of a cell', () => {
    const world = new LearnedWorld();
    for (const [n, metres] of SPREAD.entries()) {
      const dbm = Math.round(law(-30, 3)(metres));
      const at = moved(HOME, metres * Math.sin(n * 2.4), metres * Math.cos(n * 2.4));
      world.fold([
        report(TRUSTED, at, n, [
          { key: macKey(1), dbm },
          { key: cell(1), dbm },
        ]),
      ]);
    }
    expect(world.active(macKey(1))!.exponent).toBeGreaterThan(1.5);
    expect(world.active(cell(1))).toMatchObject({ exponent: 0, referenceDbm: 0 });
  });
});
