import { expect, test } from 'vitest';
import { distanceToLines, SegmentIndex, SegmentIndexBuilder } from '../../../src/geocoding/index/segments.ts';
import { Shapes, ShapesBuilder } from '../../../src/geocoding/index/shapes.ts';
import { AREA, PATH, ROAD } from '../../../src/geocoding/index/traits.ts';
import { placeOf } from '../../kits/places/place.ts';
import { Sections } from '../../kits/places/spots.ts';
import { uniform } from '../../kits/random.ts';

interface Line {
  rings: Int32Array[];
  traits: number;
}

function indexOf(lines: readonly Line[]): { shapes: Shapes; index: SegmentIndex } {
  const shapes = new ShapesBuilder();
  const segments = new SegmentIndexBuilder(shapes);
  lines.forEach(({ rings, traits }, i) => {
    const isArea = (traits & AREA) !== 0;
    segments.addLast(
      shapes.add(
        i + 1,
        placeOf({}),
        isArea ? { kind: 'area', rings } : { kind: 'line', coordinates: rings[0] },
        traits,
        0,
      ),
    );
  });
  const sections = new Sections();
  shapes.finish('some', sections);
  segments.finish('some', sections);
  const views = sections.share();
  const read = new Shapes('some', views);
  return { shapes: read, index: new SegmentIndex('some', views, read) };
}

/** Walks in short steps; an area comes back to its first point. */
function drawLine(
  random: () => number,
  west: number,
  south: number,
  width: number,
  length: number,
  traits: number,
): Line {
  const rings: Int32Array[] = [];
  for (let ring = 0; ring < ((traits & AREA) === 0 ? 1 : 2); ring++) {
    let x = west + random() * width;
    let y = south + random() * width;
    const points: number[] = [];
    for (let i = 0; i < length; i++) {
      points.push(Math.round(x), Math.round(y));
      x += (random() - 0.5) * 40_000;
      y += (random() - 0.5) * 40_000;
    }
    if ((traits & AREA) !== 0) points.push(points[0], points[1]);
    rings.push(Int32Array.from(points));
  }
  return { rings, traits };
}

/** Distance of a point to a segment by the angle at its ends. */
function distanceTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  const ahead = (x - ax) * (bx - ax) + (y - ay) * (by - ay);
  const behind = (x - bx) * (ax - bx) + (y - by) * (ay - by);
  if (ahead <= 0) return Math.hypot(x - ax, y - ay);
  if (behind <= 0) return Math.hypot(x - bx, y - by);
  return Math.abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / Math.hypot(bx - ax, by - ay);
}

function distanceToLine({ rings }: Line, x: number, y: number): number {
  let distance = Number.POSITIVE_INFINITY;
  for (const ring of rings) {
    if (ring.length === 2) distance = Math.hypot(x - ring[0], y - ring[1]);
    for (let at = 2; at < ring.length; at += 2) {
      distance = Math.min(distance, distanceTo(ring[at - 2], ring[at - 1], ring[at], ring[at + 1], x, y));
    }
  }
  return distance;
}

test('the nearest of many lines is the one that measuring all of them finds', () => {
  const random = uniform(3);
  const lines: Line[] = [];
  for (let i = 0; i < 600; i++) {
    const traits = [ROAD, PATH, ROAD | AREA][Math.floor(random() * 3)];
    lines.push(drawLine(random, 95_000_000, 470_000_000, 2_000_000, 2 + Math.floor(random() ** 3 * 60), traits));
  }
  const { shapes, index } = indexOf(lines);
  for (let i = 0; i < 400; i++) {
    const x = Math.round(94_900_000 + random() * 2_200_000);
    const y = Math.round(469_900_000 + random() * 2_200_000);
    const limit = i % 2 === 0 ? 70_000 : 3_000_000;
    const roles = i % 3 === 0 ? PATH : ROAD | PATH;
    const accept = i % 5 === 0 ? (shape: number) => shape % 2 === 0 : undefined;
    const distances = lines.map((line, shape) => {
      const isWanted = (line.traits & roles) !== 0 && (accept === undefined || accept(shape));
      return isWanted ? distanceToLine(line, x, y) : Number.POSITIVE_INFINITY;
    });
    const least = Math.min(...distances);
    const shape = index.nearest(x, y, limit, roles, accept);
    if (least > limit) {
      expect(shape).toBe(-1);
      continue;
    }
    expect(distances[shape]).toBeCloseTo(least, 3);
    expect(Math.sqrt(index.near.square)).toBeCloseTo(least, 3);
    expect(Math.hypot(index.near.x - x, index.near.y - y)).toBeCloseTo(least, 3);
    expect(distanceToLines(shapes, shape, x, y)).toBeCloseTo(least, 3);
    const at = 2 * index.near.point;
    const { coordinates } = shapes;
    expect(coordinates[at] + index.near.share * (coordinates[at + 2] - coordinates[at])).toBeCloseTo(index.near.x, 3);
    expect(coordinates[at + 1] + index.near.share * (coordinates[at + 3] - coordinates[at + 1])).toBeCloseTo(
      index.near.y,
      3,
    );
  }
});

test('the pieces within reach are all that are there, and in full', () => {
  const random = uniform(4);
  const lines = Array.from({ length: 200 }, () =>
    drawLine(random, 95_000_000, 470_000_000, 2_000_000, 2 + Math.floor(random() ** 3 * 60), ROAD),
  );
  const { index } = indexOf(lines);
  const [x, y, reach] = [96_000_000, 471_000_000, 300_000];
  const seen: string[] = [];
  index.around(
    x,
    y,
    reach,
    (shape, fromX, fromY, toX, toY) => seen.push([shape, x + fromX, y + fromY, x + toX, y + toY].join()) > 0,
  );
  const first: number[] = [];
  index.around(x, y, reach, shape => first.push(shape) < 3);
  expect(first).toHaveLength(3);
  expect(new Set(seen).size).toBe(seen.length);
  let near = 0;
  let far = 0;
  lines.forEach(({ rings: [points] }, shape) => {
    for (let at = 2; at < points.length; at += 2) {
      const piece = [...points.subarray(at - 2, at + 2)] as [number, number, number, number];
      const metres = distanceTo(...piece, x, y);
      if (metres <= reach) near++;
      else if (metres > 3 * reach) far++;
      if (metres <= reach) expect(seen).toContain([shape, ...piece].join());
      if (metres > 3 * reach) expect(seen).not.toContain([shape, ...piece].join());
    }
  });
  expect(Math.min(near, far)).toBeGreaterThan(50);
});

test('pieces beyond the end of the plane are within reach', () => {
  const half = 1_800_000_000;
  const { index } = indexOf([{ rings: [Int32Array.of(-half + 100, 0, -half + 200, 50)], traits: ROAD }]);
  const seen: number[][] = [];
  index.around(half - 100, 0, 1_000, (...piece) => seen.push(piece) > 0);
  expect(seen).toEqual([[0, 200, 0, 300, 50]]);
});

test('of lines that cross under the point the one with the lowest id is found', () => {
  const { index } = indexOf([
    { rings: [Int32Array.of(0, 50, 100, 50)], traits: PATH },
    { rings: [Int32Array.of(0, 0, 100, 100)], traits: ROAD },
    { rings: [Int32Array.of(50, 0, 50, 100)], traits: ROAD },
  ]);
  expect(index.nearest(50, 50, 10, ROAD)).toBe(1);
});

test('a line of one point, and one of no length, are where they are', () => {
  const { index } = indexOf([
    { rings: [Int32Array.of(1000, 1000)], traits: ROAD },
    { rings: [Int32Array.of(5000, 5000, 5000, 5000)], traits: ROAD },
  ]);
  expect(index.nearest(1003, 1004, 5, ROAD)).toBe(0);
  expect([index.near.square, index.near.x, index.near.y]).toEqual([25, 1000, 1000]);
  expect(index.nearest(4000, 5000, 1000, ROAD)).toBe(1);
  expect(index.nearest(4000, 5000, 999, ROAD)).toBe(-1);
});

test('a line beyond the antimeridian is near', () => {
  const { index } = indexOf([{ rings: [Int32Array.of(1_799_999_000, 0, 1_799_999_000, 1000)], traits: ROAD }]);
  expect(index.nearest(-1_799_999_000, 500, 2000, ROAD)).toBe(0);
  expect(index.near.square).toBe(2000 ** 2);
});

test('an index of no lines finds none', () => {
  expect(indexOf([]).index.nearest(0, 0, 100_000, ROAD)).toBe(-1);
});
