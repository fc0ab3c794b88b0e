import { expect, test } from 'vitest';
import {
  EARTH_RADIUS_METRES,
  METRES_PER_DEGREE,
  RADIANS_PER_DEGREE,
  WHOLE_METRES_PER_DEGREE,
} from '../../wasm/earth_constants.ts';

test('derived constants are what they are derived from, to the last bit', () => {
  expect(RADIANS_PER_DEGREE).toBe(Math.PI / 180);
  expect(METRES_PER_DEGREE).toBe(EARTH_RADIUS_METRES * RADIANS_PER_DEGREE);
  expect(WHOLE_METRES_PER_DEGREE).toBe(Math.round(METRES_PER_DEGREE));
});
