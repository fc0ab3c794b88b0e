import { expect, test } from 'vitest';
import { boxAcross, cutLineAcross, cutRing } from '../../src/geo/antimeridian.ts';
import { boxOf } from '../../src/geo/box.ts';
import { isInside, signedArea } from '../../src/geo/rings.ts';
import { unitsOf } from '../../src/geo/units.ts';
import { uniform } from '../kits/random.ts';

/** A line of pairs in degrees, longitude first. */
const line = (...degrees: number[]) => Int32Array.from(degrees, unitsOf);
const HALF_TURN = unitsOf(180);
const TURN = 2 * HALF_TURN;
const rectangle = (west: number, east: number) => line(west, 0, east, 0, east, 1, west, 1, west, 0);

test.each([
  ['one area', [rectangle(9, 10)], [9, 10]],
  ['both sides', [rectangle(179.6, 180), rectangle(-180, -179.6)], [179.6, -179.6]],
  [
    'both sides, in parts',
    [rectangle(-180, -179), rectangle(170, 171), rectangle(175, 180), rectangle(-178, -177)],
    [170, -177],
  ],
  ['sides that end a little before', [rectangle(179, 179.9999), rectangle(-179.999, -179)], [179, -179]],
  ['parts far apart that do not reach it', [rectangle(-170, -160), rectangle(160, 170)], [-170, 170]],
  ['one side only', [rectangle(179, 180), rectangle(10, 20)], [10, 180]],
  ['all around', [rectangle(-180, 180)], [-180, 180]],
] as const)('the box of %s', (_, rings, [west, east]) => {
  expect(boxAcross(rings)).toEqual({ west: unitsOf(west), south: 0, east: unitsOf(east), north: unitsOf(1) });
});

test('a ring across is cut in two that contain what it contains', () => {
  const random = uniform(4);
  for (let round = 0; round < 300; round++) {
    // A star around a point near the antimeridian, in longitudes that go on.
    const [middle, corners] = [HALF_TURN + (random() - 0.5) * unitsOf(2), 3 + Math.floor(random() * 9)];
    const plain = Int32Array.from(
      Array.from({ length: corners }, (_, i) => i).flatMap(i => {
        const [angle, reach] = [(2 * Math.PI * i) / corners, unitsOf(0.2 + 2 * random())];
        return [middle + reach * Math.cos(angle), reach * Math.sin(angle)];
      }),
    );
    const ring = Int32Array.of(...plain, plain[0], plain[1]);
    const parts = cutRing(ring.map((value, i) => (i % 2 === 0 && value > HALF_TURN ? value - TURN : value)));
    for (const part of parts)
      expect(Math.abs(boxOf([part]).west) <= HALF_TURN && boxOf([part]).east <= HALF_TURN).toBe(true);
    const area = parts.reduce((sum, part) => sum + signedArea(part), 0);
    expect(Math.abs(area / signedArea(ring) - 1)).toBeLessThan(1e-6);
    for (let i = 0; i < 20; i++) {
      const [x, y] = [HALF_TURN + Math.round((random() - 0.5) * unitsOf(5)), Math.round((random() - 0.5) * unitsOf(4))];
      if (Math.abs(x - HALF_TURN) < 10) continue;
      expect(isInside(parts, x > HALF_TURN ? x - TURN : x, y)).toBe(isInside([ring], x, y));
    }
  }
});

test('a ring that is not across, or goes around a pole, stays as it is', () => {
  for (const ring of [rectangle(9, 10), line(-120, 80, 0, 80, 120, 80, -120, 80)])
    expect(cutRing(ring)).toEqual([ring]);
});

test('a line across is cut where it meets the antimeridian, as often as it does', () => {
  expect(cutLineAcross(line(9, 47, 10, 48))).toEqual([
    { coordinates: line(9, 47, 10, 48), points: Int32Array.of(0, 1) },
  ]);
  expect(cutLineAcross(line(179, 0, -179, 2, 179.5, 2))).toEqual([
    { coordinates: line(179, 0, 180, 1), points: Int32Array.of(0, -1) },
    { coordinates: line(-180, 1, -179, 2, -180, 2), points: Int32Array.of(-1, 1, -1) },
    { coordinates: line(180, 2, 179.5, 2), points: Int32Array.of(-1, 2) },
  ]);
  expect(cutLineAcross(line(-179, 0, 179, 2)).map(({ coordinates }) => coordinates)).toEqual([
    line(-179, 0, -180, 1),
    line(180, 1, 179, 2),
  ]);
});
