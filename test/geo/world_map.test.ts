import { expect, test } from 'vitest';
import { isAtSea, loadCoasts } from '../../src/geo/coast.ts';
import { countryAt } from '../../src/geo/country.ts';
import { isInside } from '../../src/geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../src/geo/units.ts';
import { loadWorldMap } from '../../src/geo/world_map.ts';
import { uniform } from '../kits/random.ts';

const { land, borders, middles } = loadWorldMap();
const isLand = (latitude: number, longitude: number): boolean =>
  land.some(rings => isInside(rings, unitsOf(longitude), unitsOf(latitude)));

test('land is made of closed rings', () => {
  expect(land.length).toBeGreaterThan(4_000);
  for (const ring of land.flat()) expect([ring.at(-2), ring.at(-1)]).toEqual([ring[0], ring[1]]);
});

test('no ring crosses the antimeridian, and that of Antarctica holds the pole', () => {
  const jumps = land.flat().flatMap(ring => {
    const isJump = (x: number, i: number) => i % 2 === 0 && i > 0 && Math.abs(x - ring[i - 2]) > 180 * UNITS_PER_DEGREE;
    return Array.from(ring.filter(isJump));
  });
  // One way along the pole.
  expect(jumps).toEqual([-180 * UNITS_PER_DEGREE]);
  expect(isLand(-89, 100)).toBe(true);
  expect(isLand(67, 100)).toBe(true);
  expect(isLand(67.3, -132.5)).toBe(true);
  expect(isLand(72, 0)).toBe(false);
});

test('nothing is both land and far out at sea', () => {
  const random = uniform(1);
  const coasts = loadCoasts();
  let onLand = 0;
  for (let n = 0; n < 400; n++) {
    const [latitude, longitude] = [random() * 150 - 75, random() * 360 - 180];
    if (!isLand(latitude, longitude)) continue;
    onLand++;
    expect(isAtSea(coasts, latitude, longitude), `${latitude}, ${longitude}`).toBe(false);
  }
  expect(onLand).toBeGreaterThan(80);
});

test('borders lie between countries, not along coasts', () => {
  const between = borders.map(({ line }) => {
    const middle = 2 * Math.floor(line.length / 4);
    const [x, y] = [line[middle] / UNITS_PER_DEGREE, line[middle + 1] / UNITS_PER_DEGREE];
    const around = [
      [0.2, 0],
      [-0.2, 0],
      [0, 0.2],
      [0, -0.2],
    ];
    return new Set(around.map(([north, east]) => countryAt(y + north, x + east))).size > 1;
  });
  expect(between.filter(Boolean).length / between.length).toBeGreaterThan(0.9);
});

test('a border knows the countries on both sides', () => {
  const wrong = borders.filter(({ countries }) => countries.length !== 2 || countries.includes(''));
  expect(wrong.length / borders.length).toBeLessThan(0.05);
  expect(borders.some(({ countries }) => countries.toSorted().join() === 'AT,CH')).toBe(true);
});

test('the middle of a country is on its land, and that of its largest part', () => {
  const degrees = (code: string) => [middles.get(code)!.y, middles.get(code)!.x].map(each => each / UNITS_PER_DEGREE);
  expect(middles.size).toBeGreaterThan(230);
  for (const code of middles.keys()) {
    const [latitude, longitude] = degrees(code);
    expect([code, countryAt(latitude, longitude), isLand(latitude, longitude)]).toEqual([code, code, true]);
  }
  const boxes: Record<string, readonly [number, number, number, number]> = {
    PT: [37, 42, -9, -6.5],
    FR: [45, 49, 0, 5],
    GB: [51, 57, -4, 0.5],
    IT: [42, 46, 8, 14],
    HR: [45, 46.3, 15, 18],
    RU: [55, 70, 60, 130],
    US: [33, 45, -115, -85],
  };
  for (const [code, [south, north, west, east]] of Object.entries(boxes)) {
    const [latitude, longitude] = degrees(code);
    expect(latitude > south && latitude < north && longitude > west && longitude < east, code).toBe(true);
  }
});
