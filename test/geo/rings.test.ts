import { expect, test } from 'vitest';
import { crossingsOf, depthsOf, isInside, isInsideRing, isInsideRings, signedArea } from '../../src/geo/rings.ts';

const SQUARE = Int32Array.of(0, 0, 100, 0, 100, 100, 0, 100, 0, 0);
const HOLE = Int32Array.of(20, 20, 20, 40, 40, 40, 40, 20, 20, 20);

test('the area of a ring has the sign of its direction, also for the whole globe', () => {
  expect(signedArea(SQUARE)).toBe(10_000);
  expect(signedArea(HOLE)).toBe(-400);
  const [x, y] = [1_800_000_000, 900_000_000];
  expect(signedArea(Int32Array.of(-x, -y, x, -y, x, y, -x, y, -x, -y))).toBe(4 * x * y);
});

test('a point is inside of an odd number of rings', () => {
  expect(isInside([SQUARE, HOLE], 50, 50)).toBe(true);
  expect(isInside([SQUARE, HOLE], 30, 30)).toBe(false);
  expect(isInside([SQUARE, HOLE], 150, 50)).toBe(false);
});

test('one ring may be a stretch of an array', () => {
  const both = Int32Array.of(...SQUARE, ...HOLE);
  expect(isInsideRing(both, 0, 10, 30, 30)).toBe(true);
  expect(isInsideRing(both, 10, 20, 30, 30)).toBe(true);
  expect(isInsideRing(both, 10, 20, 50, 50)).toBe(false);
});

test('an area may be some rings of many in one array', () => {
  const all = Int32Array.of(...HOLE, ...SQUARE, ...HOLE);
  const starts = [0, 5, 10, 15];
  expect(isInsideRings(all, starts, 1, 3, 50, 50)).toBe(true);
  expect(isInsideRings(all, starts, 1, 3, 30, 30)).toBe(false);
  expect(isInsideRings(all, starts, 1, 2, 30, 30)).toBe(true);
});

test('a line through a corner crosses once', () => {
  const diamond = Int32Array.of(0, -10, 10, 0, 0, 10, -10, 0, 0, -10);
  expect(crossingsOf([diamond], 0)).toEqual([-10, 10]);
  expect(isInside([diamond], -5, 0)).toBe(true);
  expect(isInside([diamond], -15, 0)).toBe(false);
  expect(crossingsOf([SQUARE, HOLE], 30)).toEqual([0, 20, 40, 100]);
});

test('rings lie in each other as deep as they are drawn', () => {
  const island = Int32Array.of(25, 25, 30, 25, 30, 30, 25, 25);
  // It touches the square in a corner.
  const beside = Int32Array.of(100, 100, 150, 100, 150, 150, 100, 100);
  expect(depthsOf([HOLE, SQUARE, island, beside])).toEqual([1, 0, 2, 0]);
});
