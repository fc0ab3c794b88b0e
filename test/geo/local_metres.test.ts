import { expect, test } from 'vitest';
import { distanceMetres } from '../../src/geo/distance.ts';
import { localMetres } from '../../src/geo/local_metres.ts';

test('over a kilometre it is the distance on the globe, to the metre', () => {
  const origin = { latitude: 60, longitude: 10 };
  const point = { latitude: 60.006, longitude: 9.99 };
  const { eastMetres, northMetres } = localMetres(origin, point);
  expect(Math.hypot(eastMetres, northMetres)).toBeCloseTo(distanceMetres(60, 10, 60.006, 9.99), 0);
  expect([eastMetres < 0, northMetres > 0, localMetres(origin, origin)]).toEqual([
    true,
    true,
    { eastMetres: 0, northMetres: 0 },
  ]);
});
