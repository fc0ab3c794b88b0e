import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCore } from '../../src/core/core.ts';
import { SIGNAL_ABSENT } from '../../wasm/memory.ts';
import { NEAREST_METRES } from '../../wasm/trilateration_constants.ts';

const core = createCore();

test('with an exponent of 3 ten times the distance is 30 dB', () => {
  expect(core.levelAt(1, -40, 3)).toBe(-40);
  expect(core.levelAt(10, -40, 3)).toBeCloseTo(-70, 12);
  expect(core.distanceAt(-100, -40, 3)).toBeCloseTo(100, 9);
});

test('distance and level are each other’s inverse', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.2, max: 1e5, noNaN: true }),
      fc.double({ min: -80, max: 40, noNaN: true }),
      fc.double({ min: 1.5, max: 6, noNaN: true }),
      (metres, reference, exponent) => {
        expect(core.distanceAt(core.levelAt(metres, reference, exponent), reference, exponent) / metres).toBeCloseTo(1, 9);
      },
    ),
    { seed: 1 },
  );
});

test('nearer than the nearest distance nothing changes, and nonsense gives the absent values', () => {
  expect(core.levelAt(0, -40, 3)).toBe(core.levelAt(NEAREST_METRES, -40, 3));
  expect(core.distanceAt(500, -40, 3)).toBe(NEAREST_METRES);
  expect(core.levelAt(NaN, -40, 3)).toBe(SIGNAL_ABSENT);
  expect(core.levelAt(Infinity, -40, 3)).toBe(SIGNAL_ABSENT);
  expect(core.distanceAt(NaN, -40, 3)).toBe(-1);
  expect(core.distanceAt(-70, -40, 0)).toBe(-1);
  expect(core.distanceAt(-1e9, -40, 3)).toBe(-1);
});
