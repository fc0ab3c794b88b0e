import { expect, test } from 'vitest';
import { numberAt } from '../../../src/geocoding/reverse/near.ts';

/** The second line of the two: 100 to the east, then 300 to the north. */
const COORDINATES = Int32Array.of(7, 7, 9, 9, 0, 0, 100, 0, 100, 300);
const RANGE = { start: 11, end: 19, step: 2 };

function at(point: number, share: number, range = RANGE) {
  return numberAt(range, COORDINATES, 2, 4, { square: 0, x: 0, y: 0, point, share });
}

test.each([
  [2, 0, { houseNumber: '11', x: 0, y: 0 }],
  [2, 0.4, { houseNumber: '11', x: 0, y: 0 }],
  [2, 0.6, { houseNumber: '13', x: 100, y: 0 }],
  [3, 0, { houseNumber: '13', x: 100, y: 0 }],
  [3, 0.3, { houseNumber: '15', x: 100, y: 100 }],
  [3, 0.8, { houseNumber: '17', x: 100, y: 200 }],
  [3, 1, { houseNumber: '19', x: 100, y: 300 }],
])('from the segment at %i, %d along, the number is %j', (point, share, number) => {
  expect(at(point, share)).toEqual(number);
});

test('numbers stay within a range that its steps do not fill', () => {
  expect(at(3, 1, { start: 1, end: 8, step: 5 }).houseNumber).toBe('6');
  expect(at(3, 1, { start: 1, end: 9, step: 5 }).houseNumber).toBe('6');
});

test('a range of one number stands at the beginning of its line', () => {
  expect(at(3, 0.5, { start: 4, end: 4, step: 1 })).toEqual({ houseNumber: '4', x: 0, y: 0 });
});

test('a line of one point has its number there', () => {
  expect(
    numberAt({ start: 4, end: 4, step: 1 }, COORDINATES, 1, 1, { square: 0, x: 0, y: 0, point: 1, share: 0 }),
  ).toEqual({ houseNumber: '4', x: 9, y: 9 });
});
