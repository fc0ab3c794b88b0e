import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NEAREST_METRES } from '../../wasm/trilateration_constants.ts';
import { createSolverCore } from '../kits/solver_core.ts';

const core = createSolverCore();

test('with an exponent of 3 ten times the distance is 30 dB', () => {
  expect(core.distanceAt(-70, -40, 3)).toBeCloseTo(10, 9);
  expect(core.distanceAt(-100, -40, 3)).toBeCloseTo(100, 9);
});

test('at its distance a level is lower than the reference by the exponent times ten logarithms of the distance', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.2, max: 1e5, noNaN: true }),
      fc.double({ min: -80, max: 40, noNaN: true }),
      fc.double({ min: 1.5, max: 6, noNaN: true }),
      (metres, reference, exponent) => {
        const level = reference - 10 * exponent * Math.log10(metres);
        expect(core.distanceAt(level, reference, exponent) / metres).toBeCloseTo(1, 9);
      },
    ),
    { seed: 1 },
  );
});

test('no distance is below the nearest, and nonsense gives the absent value', () => {
  expect(core.distanceAt(500, -40, 3)).toBe(NEAREST_METRES);
  expect(core.distanceAt(NaN, -40, 3)).toBe(-1);
  expect(core.distanceAt(-70, -40, 0)).toBe(-1);
  expect(core.distanceAt(-1e9, -40, 3)).toBe(-1);
});
