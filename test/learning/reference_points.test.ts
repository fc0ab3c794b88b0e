import { expect, test } from 'vitest';
import { thinPoints } from '../../src/learning/reference_points.ts';
import { KIND_LTE } from '../../src/radio/kind.ts';
import type { ReferencePoint } from '../../src/tables/stations/learned_record.ts';
import { uniform } from '../kits/random.ts';

const random = uniform(31);

/** Points of three slots around a place, among them two that lie across the date line from the others. */
function drawPoints(count: number): ReferencePoint[] {
  return Array.from({ length: count }, (_, p) => ({
    latitudeE7: 500_000_000 + Math.floor(random() * 40_000),
    longitudeE7:
      p % 9 === 0 ? -1_800_000_000 + Math.floor(random() * 20_000) : 1_800_000_000 - Math.floor(random() * 40_000),
    weight: Math.fround(0.1 + random()),
    levelDbm: Math.fround(-60 - random() * 40),
    count: 1 + (p % 4),
    lastDay: 20_000 + p,
    slot: Math.floor(random() * 3),
    heard: [{ neighbour: p % 12, count: 1, levelE2: -9_000 + p }],
  }));
}

const copied = (points: readonly ReferencePoint[]) =>
  points.map(point => ({ ...point, heard: point.heard.map(one => ({ ...one })) }));

test('merging many points at once gives what merging one after the other gives', () => {
  for (let round = 0; round < 20; round++) {
    const points = drawPoints(60);
    const inTurn = copied(points);
    for (let limit = 59; limit >= 12; limit--) thinPoints(inTurn, limit, KIND_LTE);
    thinPoints(points, 12, KIND_LTE);
    expect(points).toEqual(inTurn);
  }
});

test('the two points of the most represented slot go whose union loses least', () => {
  const at = (slot: number, north: number, weight: number): ReferencePoint => ({
    ...drawPoints(1)[0],
    slot,
    latitudeE7: north,
    longitudeE7: 0,
    weight,
  });
  // The nearest two of the first slot are heavy; the light one beside them loses less. The second slot has fewer
  // points.
  const points = [at(0, 0, 10), at(0, 100, 10), at(1, 0, 1), at(1, 1, 1), at(0, 250, 0.5)];
  thinPoints(points, 4, KIND_LTE);
  expect(points.map(({ slot, latitudeE7 }) => [slot, latitudeE7])).toEqual([
    [0, 0],
    [0, 107],
    [1, 0],
    [1, 1],
  ]);
});
