import { expect, test } from 'vitest';
import { countPoints, type Point, pointsBetween, readPoints } from '../../../src/protocol/requests/points.ts';

const FORM = { format: undefined, hasAddress: true };
/** All points of a body. */
const read = (body: unknown): Point[] => pointsBetween(readPoints(body, FORM), 0, 10_000);

test('points are read in order, numbers also from text', () => {
  const body = [
    { lat: 47.1, lon: 9.5 },
    { lat: '47.2', lon: '9.6', zoom: '10' },
    { lat: -90, lon: 180, zoom: 0, name: 'unknown members are passed over' },
    { lat: 1, lon: 2, zoom: null },
  ];
  expect(read(body)).toEqual([
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
  expect(read([item, { lat: 1, lon: 2 }])).toEqual([{ error }, { latitude: 1, longitude: 2, zoom: 18 }]);
});

test('a body of another kind is refused', () => {
  for (const body of [{}, { points: [] }, 'x', 5])
    expect(() => readPoints(body, FORM)).toThrow('The body must be an array of points.');
});

test('10,000 points are read, and one more is refused', () => {
  const points = Array.from({ length: 10_000 }, () => ({ lat: 1, lon: 2 }));
  expect(read(points)).toHaveLength(10_000);
  expect(() => readPoints([...points, { lat: 1, lon: 2 }], FORM)).toThrow(
    'The body has 10001 points; it must have at most 10000.',
  );
});

test('a list passes from thread to thread and is taken apart', () => {
  const body = Array.from({ length: 10 }, (_, i) => (i === 5 ? null : { lat: i, lon: -i, zoom: i }));
  const list = structuredClone(readPoints(body, FORM));
  expect([countPoints(list), list.errors.size]).toEqual([10, 1]);
  const parts = [0, 4, 8].map(start => pointsBetween(list, start, start + 4));
  expect(parts.map(part => part.length)).toEqual([4, 4, 2]);
  expect(parts.flat()).toEqual(read(body));
  expect(pointsBetween(list, 5, 7)).toEqual([
    { error: 'A point must be an object.' },
    { latitude: 6, longitude: -6, zoom: 6 },
  ]);
});
