import { expect, test } from 'vitest';
import { AreaIndex, AreaIndexBuilder, isInside } from '../../../src/geocoding/index/areas.ts';
import { Shapes, ShapesBuilder } from '../../../src/geocoding/index/shapes.ts';
import { AREA } from '../../../src/geocoding/index/traits.ts';
import { placeOf } from '../../kits/places/place.ts';
import { Sections } from '../../kits/places/spots.ts';
import { uniform } from '../../kits/random.ts';

function indexOf(areas: readonly Int32Array[][]): { shapes: Shapes; index: AreaIndex } {
  const shapes = new ShapesBuilder();
  const builder = new AreaIndexBuilder(shapes);
  areas.forEach((rings, i) => {
    builder.addLast(shapes.add(i + 1, placeOf({}), { kind: 'area', rings }, AREA, 0));
  });
  const sections = new Sections();
  shapes.finish('some', sections);
  builder.finish('some', sections);
  const views = sections.share();
  const read = new Shapes('some', views);
  return { shapes: read, index: new AreaIndex('some', views, read) };
}

/** All areas around a point: each is asked for, none is good enough to end the search. */
function areasAround(index: AreaIndex, count: number, x: number, y: number): number[] {
  return Array.from({ length: count }, (_, shape) => shape).filter(
    shape => index.bestAround(x, y, each => each === shape) === shape,
  );
}

/** A ring about a centre, its corners at changing distances, so that it is notched. */
function star(random: () => number, x: number, y: number, radius: number, corners: number): Int32Array {
  const ring: number[] = [];
  for (let i = 0; i < corners; i++) {
    const away = radius * (0.3 + 0.7 * random());
    const angle = (2 * Math.PI * i) / corners;
    ring.push(Math.round(x + away * Math.cos(angle)), Math.round(y + away * Math.sin(angle)));
  }
  ring.push(ring[0], ring[1]);
  return Int32Array.from(ring);
}

/** Even-odd in whole numbers without limits, corner by corner; a ray to the east, edges with their lower ends only. */
function holds(rings: readonly Int32Array[], x: number, y: number): boolean {
  let crossings = 0;
  for (const ring of rings) {
    for (let at = 0; at + 3 < ring.length; at += 2) {
      const low = ring[at + 1] < ring[at + 3] ? at : at + 2;
      const high = low === at ? at + 2 : at;
      if (y < ring[low + 1] || y >= ring[high + 1]) continue;
      const rise = BigInt(ring[high + 1]) - BigInt(ring[low + 1]);
      const eastTimesRise =
        BigInt(ring[low]) * rise + (BigInt(ring[high]) - BigInt(ring[low])) * (BigInt(y) - BigInt(ring[low + 1]));
      if (BigInt(x) * rise < eastTimesRise) crossings++;
    }
  }
  return crossings % 2 === 1;
}

test('areas with holes and islands hold the points that exact arithmetic says, also those of many edges', () => {
  const random = uniform(11);
  const areas = Array.from({ length: 80 }, () => {
    const x = 95_000_000 + random() * 3_000_000;
    const y = 470_000_000 + random() * 3_000_000;
    const corners = 3 + Math.floor(random() ** 3 * 600);
    const radius = 10_000 + random() * 800_000;
    return [
      star(random, x, y, radius, corners),
      star(random, x, y, radius * 0.25, 5),
      star(random, x, y, radius * 0.05, 4),
    ];
  });
  const { shapes, index } = indexOf(areas);
  let held = 0;
  for (let i = 0; i < 400; i++) {
    // Every third point is a corner, every fourth lies on the height of one.
    const corner = areas[i % areas.length][0];
    const at = 2 * Math.floor((random() * corner.length) / 2);
    const x = i % 3 === 0 ? corner[at] : Math.round(95_000_000 + random() * 3_000_000);
    const y = i % 3 === 0 || i % 4 === 0 ? corner[at + 1] : Math.round(470_000_000 + random() * 3_000_000);
    const expected = areas.flatMap((rings, shape) => (holds(rings, x, y) ? [shape] : []));
    expect(areasAround(index, areas.length, x, y)).toEqual(expected);
    for (let shape = 0; shape < areas.length; shape++)
      expect(isInside(shapes, shape, x, y)).toBe(expected.includes(shape));
    held += expected.length;
  }
  expect(held).toBeGreaterThan(400);
});

test('a point on a common border lies in one of the neighbours, corners too', () => {
  const random = uniform(5);
  const SIDE = 12;
  const corner = Array.from({ length: SIDE + 1 }, (_, row) =>
    Array.from({ length: SIDE + 1 }, (_, column) => [
      column * 1000 + (column % SIDE === 0 ? 0 : Math.floor(random() * 700)),
      row * 1000 + (row % SIDE === 0 ? 0 : Math.floor(random() * 700)),
    ]),
  );
  const areas: Int32Array[][] = [];
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      const ring = [
        corner[row][column],
        corner[row][column + 1],
        corner[row + 1][column + 1],
        corner[row + 1][column],
        corner[row][column],
      ];
      // Neighbours go around in opposite directions.
      areas.push([Int32Array.from(((row + column) % 2 === 0 ? ring : ring.reverse()).flat())]);
    }
  }
  const { index } = indexOf(areas);
  for (let row = 1; row < SIDE; row++) {
    for (let column = 1; column < SIDE; column++) {
      const [x, y] = corner[row][column];
      expect(areasAround(index, areas.length, x, y)).toHaveLength(1);
      const [east, north] = corner[row][column + 1];
      for (let i = 0; i < 5; i++) {
        const share = random();
        const on = [Math.round(x + share * (east - x)), Math.round(y + share * (north - y))];
        expect(areasAround(index, areas.length, on[0], on[1])).toHaveLength(1);
      }
    }
  }
});

test('an area has its western and southern edges, and not its eastern and northern ones', () => {
  const { index } = indexOf([[Int32Array.of(0, 0, 10, 0, 10, 10, 0, 10, 0, 0)]]);
  const isIn = (x: number, y: number) => index.bestAround(x, y, () => true) === 0;
  expect([isIn(0, 5), isIn(5, 0), isIn(0, 0)]).toEqual([true, true, true]);
  expect([isIn(10, 5), isIn(5, 10), isIn(10, 10), isIn(10, 0), isIn(0, 10)]).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('the better of two areas is found, in whatever order they stand', () => {
  const square = (half: number) => [Int32Array.of(-half, -half, half, -half, half, half, -half, half, -half, -half)];
  for (const halves of [
    [10, 100, 50],
    [100, 50, 10],
  ]) {
    const { shapes, index } = indexOf(halves.map(square));
    const smallest = (shape: number, best: number) => best < 0 || shapes.size(shape) < shapes.size(best);
    expect(shapes.size(index.bestAround(0, 0, smallest))).toBe(20);
    expect(shapes.size(index.bestAround(30, 0, smallest))).toBe(100);
    expect(index.bestAround(300, 0, smallest)).toBe(-1);
  }
});

test('an area without height holds nothing', () => {
  const flat = Array.from({ length: 40 }, (_, i) => [i, 7]).flat();
  const { index } = indexOf([[Int32Array.from([...flat, 0, 7])]]);
  expect(index.bestAround(5, 7, () => true)).toBe(-1);
});
