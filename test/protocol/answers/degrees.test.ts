import fc from 'fast-check';
import { expect, test } from 'vitest';
import { degreesText } from '../../../src/protocol/answers/degrees.ts';

/** JavaScript's own format of the rounded angle. */
function plain(angle: number): string {
  return JSON.stringify(Math.round(angle * 1e7) / 1e7);
}

test.each([
  [0, '0'],
  [-0, '0'],
  [180, '180'],
  [-180, '-180'],
  [47.5, '47.5'],
  [47.05, '47.05'],
  [8.0000001, '8.0000001'],
  [-0.1, '-0.1'],
  [8.541694444, '8.5416944'],
  [-8.54169445, '-8.5416944'],
  [179.99999996, '180'],
  [0.000001, '0.000001'],
  [-0.0000015, '-0.0000015'],
  [0.0000009, '9e-7'],
  [-0.0000001, '-1e-7'],
  [0.00000004, '0'],
  [-0.00000004, '0'],
])('%d is written as %s', (angle, text) => {
  expect(degreesText(angle)).toBe(text);
  expect(plain(angle)).toBe(text);
});

test('every angle has the text that JavaScript gives it', () => {
  const angle = fc.oneof(
    fc.double({ min: -180, max: 180, noNaN: true }),
    fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }).map(units => units / 1e7),
    fc.integer({ min: -180_000, max: 180_000 }).map(units => units / 1e3),
    fc.integer({ min: -20_000, max: 20_000 }).map(units => units / 1e10),
  );
  fc.assert(
    fc.property(angle, value => {
      expect(degreesText(value)).toBe(plain(value));
    }),
    { numRuns: 20_000 },
  );
});

test('every number of trailing zeros is left out', () => {
  for (let step = 1; step <= 10_000_000; step *= 10) {
    for (let i = 1; i < 1000; i++) {
      const angle = (i * step) / 1e7;
      if (angle <= 180) expect(degreesText(-angle)).toBe(plain(-angle));
    }
  }
});
