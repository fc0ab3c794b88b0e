import { expect, test } from 'vitest';
import { unitsOf } from '../../src/geo/units.ts';

test('a coordinate is the whole unit nearest to it', () => {
  expect(unitsOf(9.52345678)).toBe(95_234_568);
  expect(unitsOf(-180)).toBe(-1_800_000_000);
});
