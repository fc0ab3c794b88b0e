import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IdTable } from '../../../../src/geocoding/import/osm/id_table.ts';
import { RoadCollection } from '../../../../src/geocoding/import/roads/collection.ts';
import { NO_ROAD } from '../../../../src/geocoding/import/roads/known_roads.ts';
import { RANK_ROAD } from '../../../../src/tables/places/ranks.ts';

/** @param rank by default every other road is a path */
function collect(lines: readonly Int32Array[], nameOf: (i: number) => Record<string, string>, rank?: number) {
  const nodes = new IdTable();
  nodes.set(5, NO_ROAD);
  const roads = new RoadCollection({ nodes, ways: new Set([1, 2]) });
  lines.forEach((line, i) => {
    roads.add(
      {
        id: i + 1,
        addressRank: rank ?? (i % 2 === 0 ? 26 : 27),
        nameKey: '',
        countryCode: 'li',
        postcode: '',
        rows: [],
      },
      [line],
      nameOf(i),
      { id: i, nodeIds: Float64Array.of(4, 5) },
    );
  });
  return roads.finish();
}

/** The square of the distance of a point to a line, side by side. */
function squareDistance(line: Int32Array, x: number, y: number): number {
  const squares: number[] = [];
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x0, y0, x1, y1] = line.subarray(i, i + 4);
    const share = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2 || 1);
    const within = Math.min(1, Math.max(0, share));
    squares.push((x0 + within * (x1 - x0) - x) ** 2 + (y0 + within * (y1 - y0) - y) ** 2);
  }
  return Math.min(...squares);
}

test('the nearest road is that of all roads, however long', () => {
  const coordinate = fc.integer({ min: -30_000, max: 30_000 });
  const line = fc
    .array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 40 })
    .map(points => Int32Array.from(points.flat()));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), coordinate, coordinate, (lines, x, y) => {
      const roads = collect(lines, i => ({ name: `Weg ${i}` }));
      const distances = lines.map(points => squareDistance(points, x, y));
      const nearest = distances[roads.nearestNamed(x, y)!.id - 1];
      expect(nearest).toBeCloseTo(Math.min(...distances), 3);
      const streets = distances.filter((_, i) => i % 2 === 0);
      const street = roads.nearestStreet(x, y);
      if (Math.min(...streets) > 10_000 ** 2) expect(street).toBeUndefined();
      else expect(distances[street!.id - 1]).toBeCloseTo(Math.min(...streets), 3);
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('of roads that meet at the nearest point the first one counts, whatever roads are elsewhere', () => {
  const lines = [Int32Array.of(0, 0, 900, 3_000), Int32Array.of(0, 0, 900, -3_000), Int32Array.of(0, 0, 9_000, 0)];
  const meeting = fc.shuffledSubarray(lines, { minLength: lines.length });
  const farther = fc.integer({ min: 20_000, max: 140_000 });
  const others = fc.array(
    fc.tuple(farther, farther, farther, farther).map(line => Int32Array.from(line)),
    { minLength: 64, maxLength: 120 },
  );
  fc.assert(
    fc.property(meeting, others, fc.boolean(), (met, elsewhere, isCommon) => {
      const first = elsewhere.length;
      const nameOf = (i: number) => (isCommon || i >= first ? 'Seestrasse' : `Weg ${i}`);
      const roads = collect([...elsewhere, ...met], i => ({ name: nameOf(i) }), RANK_ROAD);
      for (const found of [
        roads.nearestNamed(-50, 10),
        roads.nearestStreet(-50, 10),
        roads.named('seestrasse', -50, 10),
        roads.named('seestrase', -50, 10),
      ])
        expect(found?.id).toBe(first + 1);
    }),
    { seed: 5, numRuns: 100 },
  );
});

test('without roads nothing is near', () => {
  const roads = collect([], () => ({}));
  expect(roads.nearestNamed(0, 0)).toBeUndefined();
  expect(roads.named('weg', 0, 0)).toBeUndefined();
});

test('only nodes and ways that were asked for are known, a node by the first road with it', () => {
  const lines = [Int32Array.of(0, 0, 10, 0), Int32Array.of(0, 5, 10, 5), Int32Array.of(0, 9, 10, 9)];
  const roads = collect(lines, i => ({ name: `Weg ${i}` }));
  expect(roads.ofNode(5)?.id).toBe(1);
  expect(roads.ofNode(4)).toBeUndefined();
  expect(roads.nearestOfWays([0, 1, 2], 0, 0)?.id).toBe(2);
  expect(roads.nearestOfWays([0], 0, 0)).toBeUndefined();
});

test('a road without a name is nearest only where names do not matter', () => {
  const lines = [Int32Array.of(0, 0, 10, 0), Int32Array.of(0, 500, 10, 500)];
  const roads = collect(lines, i => (i === 0 ? { ref: 'A13' } : { name: 'Gasse' }));
  expect(roads.nearestNamed(0, 0)?.id).toBe(2);
  expect(roads.nearestStreet(0, 0)?.id).toBe(1);
  expect(roads.ofNode(5)).toBeUndefined();
});

test('of a name that every town has, the road in reach is found', () => {
  const towns = Array.from({ length: 300 }, (_, i) => Int32Array.of(i * 400_000, 0, i * 400_000 + 1000, 0));
  const roads = collect(towns, () => ({ name: 'Hauptstrasse' }));
  expect(roads.named('hauptstrasse', 17 * 400_000, 5000)?.id).toBe(18);
  expect(roads.named('hauptstrasse', 17 * 400_000 + 200_000, 0)).toBeUndefined();
});
