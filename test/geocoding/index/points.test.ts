import { around } from 'geokdbush';
import KDBush from 'kdbush';
import { expect, test } from 'vitest';
import { isInBox } from '../../../src/geo/box.ts';
import { apart } from '../../../src/geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../../src/geo/units.ts';
import { PointIndex, PointIndexBuilder } from '../../../src/geocoding/index/points.ts';
import { ADDRESS_NODE, POI_NODE } from '../../../src/geocoding/index/traits.ts';
import { Sections } from '../../kits/places/spots.ts';
import { uniform } from '../../kits/random.ts';

const DEGREE = UNITS_PER_DEGREE;

interface Point {
  x: number;
  y: number;
  id: number;
  traits: number;
}

function indexOf(points: readonly Point[]): PointIndex {
  const builder = new PointIndexBuilder();
  for (const { x, y, id, traits } of points) builder.add(x, y, id, id * 2, traits, id * 3);
  const sections = new Sections();
  builder.finish('some', sections);
  return new PointIndex('some', sections.share());
}

/** Points in a rectangle, degrees; a fifth of them stand on top of others. */
function drawPoints(
  random: () => number,
  count: number,
  west: number,
  south: number,
  width: number,
  height: number,
): Point[] {
  const points: Point[] = [];
  for (let id = 1; id <= count; id++) {
    const twin = random() < 0.2 ? points[Math.floor(random() * points.length)] : undefined;
    let x = Math.round((west + random() * width) * DEGREE);
    if (x > 180 * DEGREE) x -= 360 * DEGREE;
    points.push({
      x: twin?.x ?? x,
      y: twin?.y ?? Math.round((south + random() * height) * DEGREE),
      id,
      traits: random() < 0.3 ? POI_NODE : ADDRESS_NODE,
    });
  }
  return points;
}

/** Looks at all of them. */
function nearestOf(
  points: readonly Point[],
  x: number,
  y: number,
  limit: number,
  wants: (point: Point) => boolean,
): Point | undefined {
  let best: Point | undefined;
  let distance = limit;
  for (const point of points) {
    const away = apart(x, y, point.x, point.y);
    if (!wants(point) || away > distance || (away === distance && best !== undefined)) continue;
    best = point;
    distance = away;
  }
  return best;
}

test.each([
  ['one', 1, 9, 47],
  ['a leaf', 9, 9, 47],
  ['some', 100, -71, -33],
  ['many', 5000, 9, 47],
  ['many about the antimeridian', 3000, 179.8, -17],
])('the nearest of %s is the one that looking at all of them finds', (_, count, west, south) => {
  const random = uniform(count);
  const points = drawPoints(random, count, west, south, 0.4, 0.3);
  const index = indexOf(points);
  for (let i = 0; i < 500; i++) {
    let x = Math.round((west - 0.05 + random() * 0.5) * DEGREE);
    if (x >= 180 * DEGREE) x -= 360 * DEGREE;
    const y = Math.round((south - 0.05 + random() * 0.4) * DEGREE);
    const limit = (i % 3 === 0 ? 1 : 0.02) * DEGREE;
    const roles = i % 2 === 0 ? 0 : POI_NODE;
    const accept = i % 5 === 0 ? (item: number) => index.id(item) % 3 !== 0 : undefined;
    const item = index.nearest(x, y, 1, limit, roles, accept);
    const expected = nearestOf(
      points,
      x,
      y,
      limit,
      point => (roles === 0 || point.traits === roles) && (accept === undefined || point.id % 3 !== 0),
    );
    expect(item < 0 ? undefined : index.id(item)).toBe(expected?.id);
    if (expected === undefined) continue;
    expect(index.distance).toBeCloseTo(apart(x, y, expected.x, expected.y), 6);
    expect([index.x(item), index.y(item)]).toEqual([expected.x, expected.y]);
    expect([index.parent(item), index.traits(item), index.link(item)]).toEqual([
      expected.id * 2,
      expected.traits,
      expected.id * 3,
    ]);
  }
});

test('with longitude scaled to the ground it finds what the search on the sphere finds', () => {
  const random = uniform(7);
  const points = drawPoints(random, 4000, -180, -70, 360, 140);
  const index = indexOf(points);
  const sphere = new KDBush(points.length);
  for (const { x, y } of points) sphere.add(x / DEGREE, y / DEGREE);
  sphere.finish();
  let agreed = 0;
  for (let i = 0; i < 500; i++) {
    // Close to a point, where the plane is the sphere.
    const point = points[Math.floor(random() * points.length)];
    const latitude = point.y / DEGREE + random() * 0.1;
    const longitude = point.x / DEGREE + random() * 0.1;
    if (longitude >= 180) continue;
    const item = index.nearest(
      longitude * DEGREE,
      latitude * DEGREE,
      Math.cos((latitude * Math.PI) / 180),
      20 * DEGREE,
      0,
    );
    const [expected] = around(sphere, longitude, latitude, 1);
    expect([index.x(item), index.y(item)]).toEqual([points[expected].x, points[expected].y]);
    agreed++;
  }
  expect(agreed).toBeGreaterThan(400);
});

test('a limit of nothing finds what stands at the point itself', () => {
  const index = indexOf([{ x: 10, y: 20, id: 1, traits: 0 }]);
  expect(index.nearest(10, 20, 1, 0, 0)).toBe(0);
  expect(index.nearest(11, 20, 1, 0, 0)).toBe(-1);
});

test('an index of no points finds none', () => {
  expect(indexOf([]).nearest(0, 0, 1, DEGREE, 0)).toBe(-1);
});

test('the points in a box are those that brute force finds, each once', () => {
  const random = uniform(12);
  const points = drawPoints(random, 3_000, 9, 47, 1, 1);
  const index = indexOf(points);
  for (let n = 0; n < 200; n++) {
    const [west, south] = [9 + random(), 47 + random()].map(each => Math.round(each * DEGREE));
    const side = Math.round(random() * 0.3 * DEGREE);
    const box = { west, south, east: west + side, north: south + side };
    const found: number[] = [];
    index.forEachIn(box, item => found.push(index.id(item)));
    const inside = points.filter(({ x, y }) => isInBox(box, x, y)).map(({ id }) => id);
    expect(found.sort((a, b) => a - b)).toEqual(inside);
  }
  indexOf([]).forEachIn({ west: 0, south: 0, east: 1, north: 1 }, () => expect.fail('there is no point'));
});
