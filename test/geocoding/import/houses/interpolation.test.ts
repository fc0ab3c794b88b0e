import { expect, test } from 'vitest';
import { plainNumberOf, sectionsOf, stepOf } from '../../../../src/geocoding/import/houses/interpolation.ts';

const LINE = Int32Array.of(0, 0, 1000, 0);

function cut(kind: string, first: number, last: number) {
  return sectionsOf(kind, LINE, [
    { index: 0, number: first },
    { index: 1, number: last },
  ]).map(({ range, coordinates }) => [range.start, range.end, range.step, ...coordinates]);
}

test.each([
  ['odd', 1, 11, [3, 9, 2, 200, 0, 800, 0]],
  ['odd', 2, 12, [3, 11, 2, 100, 0, 900, 0]],
  ['even', 2, 12, [4, 10, 2, 200, 0, 800, 0]],
  ['all', 1, 5, [2, 4, 1, 250, 0, 750, 0]],
  ['4', 1, 11, [5, 9, 4, 400, 0, 800, 0]],
])('%s numbers between %i and %i', (kind, first, last, expected) => {
  expect(cut(kind, first, last)).toEqual([expected]);
});

test('a section that runs downwards is turned round', () => {
  expect(cut('odd', 11, 1)).toEqual([[3, 9, 2, 800, 0, 200, 0]]);
});

test('a single number is a point', () => {
  expect(cut('odd', 1, 5)).toEqual([[3, 3, 2, 500, 0]]);
});

test('numbers that follow each other have nothing between them', () => {
  expect(cut('odd', 1, 3)).toEqual([]);
  expect(cut('all', 1, 2)).toEqual([]);
  expect(cut('odd', 7, 7)).toEqual([]);
});

test('kinds that cannot be counted are refused', () => {
  expect(cut('alphabetic', 1, 11)).toEqual([]);
  expect(stepOf('0')).toBeUndefined();
  expect(stepOf('10')).toBeUndefined();
  expect(stepOf('3')).toBe(3);
});

test('a number has one to six digits and nothing else', () => {
  expect(plainNumberOf('12')).toBe(12);
  expect(plainNumberOf('12a')).toBeUndefined();
  expect(plainNumberOf('1234567')).toBeUndefined();
  expect(plainNumberOf('')).toBeUndefined();
});

test('a way is split at every node with a number', () => {
  const line = Int32Array.of(0, 0, 500, 0, 1000, 0, 2000, 0);
  const nodes = [
    { index: 0, number: 1 },
    { index: 2, number: 11 },
    { index: 3, number: 21 },
  ];
  expect(sectionsOf('odd', line, nodes).map(({ range }) => [range.start, range.end])).toEqual([
    [3, 9],
    [13, 19],
  ]);
});

test('a line that comes back to where it was is used up to there', () => {
  const loop = Int32Array.of(0, 0, 1000, 0, 1000, 1000, 0, 0, 500, 500);
  const nodes = [
    { index: 0, number: 1 },
    { index: 2, number: 11 },
    { index: 3, number: 21 },
    { index: 4, number: 31 },
  ];
  expect(sectionsOf('odd', loop, nodes).map(({ range }) => range.start)).toEqual([3]);
});
