import { describe, expect, test } from 'vitest';
import { isInside, signedArea } from '../../../../src/geo/rings.ts';
import { assembleRings } from '../../../../src/geocoding/import/osm/rings.ts';
import { shuffled, uniform } from '../../../kits/random.ts';

const way = (...points: [number, number][]) => Int32Array.from(points.flat());
const square = (west: number, south: number, size: number) =>
  way([west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]);

function ringsOf(ways: Int32Array[]): Int32Array[] {
  const rings = assembleRings(ways);
  if (typeof rings === 'string') throw new Error(rings);
  for (const ring of rings) expect([ring[0], ring[1]]).toEqual([ring.at(-2), ring.at(-1)]);
  return rings;
}

const areaOf = (rings: Int32Array[]) => rings.reduce((sum, ring) => sum + signedArea(ring), 0);

describe('rings from ways', () => {
  test('a closed way is a ring, turned counter-clockwise', () => {
    const rings = ringsOf([square(0, 0, 100).slice(), way([300, 0], [300, 50], [350, 50], [350, 0], [300, 0])]);
    expect(rings).toHaveLength(2);
    expect(rings.map(signedArea)).toEqual([10_000, 2_500]);
  });

  test('ways of one ring join in any order and direction', () => {
    const rings = ringsOf([way([0, 0], [100, 0]), way([0, 100], [100, 100], [100, 0]), way([0, 100], [0, 0])]);
    expect(rings).toHaveLength(1);
    expect(signedArea(rings[0])).toBe(10_000);
  });

  test('holes run clockwise, islands in holes counter-clockwise', () => {
    const rings = ringsOf([square(20, 20, 60), square(0, 0, 100), square(40, 40, 20)]);
    expect(rings.map(signedArea).sort((a, b) => a - b)).toEqual([-3_600, 400, 10_000]);
    expect(isInside(rings, 10, 10)).toBe(true);
    expect(isInside(rings, 30, 30)).toBe(false);
    expect(isInside(rings, 50, 50)).toBe(true);
  });

  test('two holes with a common side are one hole', () => {
    const rings = ringsOf([
      square(0, 0, 100),
      square(20, 20, 20),
      way([40, 20], [60, 20], [60, 40], [40, 40], [40, 20]),
    ]);
    expect(rings).toHaveLength(2);
    expect(areaOf(rings)).toBe(10_000 - 800);
    expect(isInside(rings, 40, 30)).toBe(false);
  });

  test('a hole that touches its outer ring along a side cuts it out', () => {
    const outer = way([0, 0], [20, 0], [40, 0], [100, 0], [100, 100], [0, 100], [0, 0]);
    const rings = ringsOf([outer, square(20, 0, 20)]);
    expect(areaOf(rings)).toBe(10_000 - 400);
    expect(isInside(rings, 30, 10)).toBe(false);
    expect(isInside(rings, 30, 30)).toBe(true);
  });

  test('rings that touch in a point stay two', () => {
    const rings = ringsOf([
      way([0, 0], [10, 0], [10, 10], [0, 10], [0, 0]),
      way([10, 10], [20, 10], [20, 20], [10, 20], [10, 10]),
    ]);
    expect(rings.map(signedArea)).toEqual([100, 100]);
  });

  test('a ring that touches itself is cut into an outer ring and a hole', () => {
    const rings = ringsOf([way([0, 0], [100, 0], [100, 100], [0, 100], [0, 0], [40, 20], [20, 40], [0, 0])]);
    expect(rings).toHaveLength(2);
    expect(areaOf(rings)).toBe(10_000 - 600);
  });

  test('two outer rings that overlap enclose what is in one of them', () => {
    // They cross at [100, 50] and [50, 100], which both have as corners.
    const first = way([0, 0], [100, 0], [100, 50], [100, 100], [50, 100], [0, 100], [0, 0]);
    const second = way([50, 50], [100, 50], [150, 50], [150, 150], [50, 150], [50, 100], [50, 50]);
    const rings = ringsOf([first, second]);
    expect(areaOf(rings)).toBe(20_000 - 2 * 2_500);
    expect(isInside(rings, 75, 75)).toBe(false);
  });

  test('a way that goes forth and back adds nothing', () => {
    const rings = ringsOf([way([0, 0], [100, 0], [150, 0], [100, 0], [100, 100], [0, 100], [0, 0])]);
    expect(rings).toHaveLength(1);
    expect(signedArea(rings[0])).toBe(10_000);
  });

  test('repeated points are one', () => {
    expect(areaOf(ringsOf([way([0, 0], [0, 0], [10, 0], [10, 10], [10, 10], [0, 10], [0, 0])]))).toBe(100);
  });

  test('an open border is refused with the point where it is open', () => {
    expect(assembleRings([way([94_000_000, 471_000_000], [95_000_000, 471_000_000], [95_000_000, 472_000_000])])).toBe(
      'Its border is open at 47.10000, 9.40000.',
    );
  });

  test('one open end spoils the whole, even beside closed rings', () => {
    expect(assembleRings([square(0, 0, 100), way([500, 500], [600, 500])])).toMatch(/is open at/);
  });

  test('no ways, and ways that enclose nothing, are refused', () => {
    expect(assembleRings([])).toBe('Its ways enclose nothing.');
    expect(assembleRings([way([0, 0], [10, 0]), way([10, 0], [0, 0])])).toBe('Its ways enclose nothing.');
    expect(assembleRings([way([3, 3])])).toBe('Its ways enclose nothing.');
  });
});

describe('random areas, cut into pieces', () => {
  test.each(Array.from({ length: 60 }, (_, i) => i + 1))('seed %i', seed => {
    const random = uniform(seed);
    const whole = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => island(random, i * 3_000_000)).flat();
    const pieces = shuffled(
      whole.flatMap(ring => cut(ring, random)),
      random,
    );
    const rings = ringsOf(pieces);
    expect(rings).toHaveLength(whole.length);
    const area = whole.reduce(
      (sum, ring, at) => sum + Math.abs(signedArea(ring)) * (depthIn(whole, at) % 2 === 0 ? 1 : -1),
      0,
    );
    expect(areaOf(rings)).toBeCloseTo(area, 0);
    for (let i = 0; i < 300; i++) {
      const x = Math.floor(random() * 12_000_000) - 1_500_000 + 0.5;
      const y = Math.floor(random() * 3_000_000) - 1_500_000 + 0.5;
      expect(isInside(rings, x, y)).toBe(isInside(whole, x, y));
    }
  });
});

/** A star around (`x`, 0), with a star-shaped hole and an island in the hole, or without them. */
function island(random: () => number, x: number): Int32Array[] {
  const levels = 1 + Math.floor(random() * 3);
  return Array.from({ length: levels }, (_, level) => {
    // With fewer, a side could cut into the hole.
    const corners = 12 + Math.floor(random() * 60);
    const [inner, outer] = [1_000_000 / 3 ** level, 1_400_000 / 3 ** level];
    const points = Array.from({ length: corners }, (_, i) => {
      const angle = ((i + random() * 0.8) / corners) * 2 * Math.PI;
      const radius = inner + random() * (outer - inner);
      return [Math.round(x + radius * Math.cos(angle)), Math.round(radius * Math.sin(angle))];
    });
    return Int32Array.from([...points, points[0]].flat());
  });
}

function depthIn(rings: Int32Array[], at: number): number {
  return rings.filter((ring, other) => other !== at && isInside([ring], rings[at][0], rings[at][1])).length;
}

function cut(ring: Int32Array, random: () => number): Int32Array[] {
  const corners = ring.length / 2 - 1;
  const turned = Math.floor(random() * corners);
  const at = (i: number) => [ring[((turned + i) % corners) * 2], ring[((turned + i) % corners) * 2 + 1]];
  const pieces: Int32Array[] = [];
  for (let from = 0; from < corners; ) {
    const to = Math.min(corners, from + 1 + Math.floor(random() * 20));
    const points = Array.from({ length: to - from + 1 }, (_, i) => at(from + i));
    pieces.push(Int32Array.from((random() < 0.5 ? points : points.reverse()).flat()));
    from = to;
  }
  return pieces;
}
