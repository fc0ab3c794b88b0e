import { expect, test } from 'vitest';
import { STORED_STRENGTH, storedOf, strengthOf } from '../../../src/indoor/fingerprints/strength.ts';

test('a strength is 1 at 0 dBm and 0 at -105 dBm', () => {
  expect([5, 0, -105, -127].map(strengthOf)).toEqual([1, 1, 0, 0]);
  expect(strengthOf(-52.5)).toBeCloseTo(0.5 ** 2.2, 12);
});

test('what is stored is read within a 255th of its root', () => {
  for (let levelDbm = -105; levelDbm <= 0; levelDbm += 0.5) {
    const stored = storedOf(strengthOf(levelDbm));
    expect(Math.abs(Math.sqrt(STORED_STRENGTH[stored]) - Math.sqrt(strengthOf(levelDbm)))).toBeLessThanOrEqual(
      0.5 / 255 + 1e-12,
    );
    expect(storedOf(STORED_STRENGTH[stored])).toBe(stored);
  }
});
