import { expect, test } from 'vitest';
import { pointInText } from '../../../../src/geocoding/search/words/coordinates.ts';

test.each([
  ['40.446, -79.982'],
  ['40.446 -79.982'],
  ['[40.446;-79.982]'],
  ['N 40.446 W 79.982'],
  ['N40.446° W79.982°'],
  ['40.446° N, 79.982° W'],
  ['40.446n79.982w'],
  ['N 40 26.76 W 79 58.92'],
  ["N 40° 26.76' W 79° 58.92'"],
  ['40° 26.76′ N 79° 58.92′ W'],
  ['N 40 26 45.6 W 79 58 55.2'],
  ['40°26\'45.6"N 79°58\'55.2"W'],
  ['40 26 45.6 N, 79 58 55.2 W'],
])('%s', text => {
  const point = pointInText(text)!;
  expect(point.latitude).toBeCloseTo(40.446, 9);
  expect(point.longitude).toBeCloseTo(-79.982, 9);
  expect(point.rest).toBe('');
});

test('what stands around them is kept', () => {
  expect(pointInText('pharmacy 47.14, 9.52 Vaduz')?.rest.split(/\s+/)).toEqual(['pharmacy', 'Vaduz']);
});

test.each([
  '40.446',
  '12 14',
  'Landstrasse 33, 9494',
  '91.0, 9.5',
  '47.1, 181.2',
  'N 40 61.5 W 79 58.9',
  '40 N 5 W',
  'A12.5, 9.5x',
  '1.2.3, 4.5',
])('%s has none', text => {
  expect(pointInText(text)).toBeUndefined();
});
