import { expect, test } from 'vitest';
import { cutLine, lengthsOf, reverseLine, squareDistance } from '../../../src/geocoding/import/line.ts';

const ANGLE = Int32Array.of(0, 0, 100, 0, 100, 100);

test('the distance is that of the nearest point of the line, also beyond its ends', () => {
  expect(squareDistance(ANGLE, 0, 4, 50, 10)).toBe(100);
  expect(squareDistance(ANGLE, 0, 4, -3, -4)).toBe(25);
  expect(squareDistance(ANGLE, 0, 2, 100, 50)).toBe(2500);
  expect(squareDistance(Int32Array.of(5, 5, 5, 5), 0, 2, 8, 9)).toBe(25);
});

test('lengths add up along the line', () => {
  expect([...lengthsOf(ANGLE)]).toEqual([0, 100, 200]);
});

test('a line is cut at fractions of its length', () => {
  expect([...cutLine(ANGLE, 0.25, 0.75)]).toEqual([50, 0, 100, 0, 100, 50]);
  expect([...cutLine(ANGLE, 0, 1)]).toEqual([0, 0, 100, 0, 100, 100]);
  expect([...cutLine(ANGLE, 0.5, 0.5)]).toEqual([100, 0]);
});

test('a line reversed begins at its end', () => {
  expect([...reverseLine(ANGLE)]).toEqual([100, 100, 100, 0, 0, 0]);
});
