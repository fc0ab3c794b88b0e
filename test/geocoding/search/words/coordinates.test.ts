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

test.each([
  ['47,14 9,52'],
  ['47,14; 9,52'],
  ['47,14, 9,52'],
  ['geo:47.14,9.52'],
  ['geo:47.14,9.52;u=35?z=12'],
  ['https://www.openstreetmap.org/#map=16/47.14/9.52'],
  ['https://www.openstreetmap.org/?mlat=47.14&mlon=9.52#map=16/47.1/9.5'],
  ['https://www.google.com/maps/@47.14,9.52,15z'],
  ['https://www.google.com/maps/place/X/@47.1,9.5,15z/data=!3m1!4b1!8m2!3d47.14!4d9.52'],
  ['https://maps.google.com/?q=47.14,9.52'],
])('%s is 47.14, 9.52', text => {
  expect(pointInText(text)).toEqual({ latitude: 47.14, longitude: 9.52, rest: '' });
});

// The codes are those that the packages open-location-code 1.0.3 and mgrs 2.2.0 give for the point.
test.each([['8FVF4GQC+X2'], ['32TNT3942920853'], ['32T NT 39429 20853'], ['32T 539429 5220853']])(
  '%s is 47.14, 9.52, too',
  text => {
    const point = pointInText(text)!;
    expect(Math.abs(point.latitude - 47.14)).toBeLessThan(0.0001);
    expect(Math.abs(point.longitude - 9.52)).toBeLessThan(0.0001);
    expect(point.rest).toBe('');
  },
);

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
  '1,3 5,7',
  '97,14 9,52',
  '12345+67',
])('%s has none', text => {
  expect(pointInText(text)).toBeUndefined();
});
