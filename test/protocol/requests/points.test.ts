import { expect, test } from 'vitest';
import { readPoints } from '../../../src/protocol/requests/points.ts';

const FORM = { format: undefined, hasAddress: true };

test('points are read in order, numbers also from text', () => {
  const body = [
    { lat: 47.1, lon: 9.5 },
    { lat: '47.2', lon: '9.6', zoom: '10' },
    { lat: -90, lon: 180, zoom: 0, name: 'unknown members are passed over' },
    { lat: 1, lon: 2, zoom: null },
  ];
  expect(readPoints(body, FORM)).toEqual([
    { latitude: 47.1, longitude: 9.5, zoom: 18 },
    { latitude: 47.2, longitude: 9.6, zoom: 10 },
    { latitude: -90, longitude: 180, zoom: 0 },
    { latitude: 1, longitude: 2, zoom: 18 },
  ]);
});

test.each([
  [{ lon: 9.5 }, 'lat is missing.'],
  [{ lat: 47.1, lon: null }, 'lon is missing.'],
  [{ lat: 91, lon: 9.5 }, 'lat must be a number from -90 to 90.'],
  [{ lat: true, lon: 9.5 }, 'lat must be a number from -90 to 90.'],
  [{ lat: 1, lon: [9.5] }, 'lon must be a number from -180 to 180.'],
  [{ lat: 1, lon: 1, zoom: 19 }, 'zoom must be a whole number from 0 to 18.'],
  [{ lat: 1, lon: 1, zoom: {} }, 'zoom must be a whole number from 0 to 18.'],
  [null, 'A point must be an object.'],
  [[47.1, 9.5], 'A point must be an object.'],
  ['47.1,9.5', 'A point must be an object.'],
])('%j spoils no other: %s', (item, error) => {
  expect(readPoints([item, { lat: 1, lon: 2 }], FORM)).toEqual([{ error }, { latitude: 1, longitude: 2, zoom: 18 }]);
});

test('a body of another kind is refused', () => {
  for (const body of [{}, { points: [] }, 'x', 5]) expect(() => readPoints(body, FORM)).toThrow('The body must be an array of points.');
});

test('10,000 points are read, and one more is refused', () => {
  const points = Array.from({ length: 10_000 }, () => ({ lat: 1, lon: 2 }));
  expect(readPoints(points, FORM)).toHaveLength(10_000);
  expect(() => readPoints([...points, { lat: 1, lon: 2 }], FORM)).toThrow('The body has 10001 points; it must have at most 10000.');
});
