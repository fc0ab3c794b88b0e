import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixInMap, OF_SCAN } from '../../../../src/positioning/cells/map/map_radii.ts';

/** Candidates at these distances, all alike unless told. */
function matchOf(
  metres: number[],
  { weights = metres.map(() => 1 / metres.length), observations = 1e6, misfit = 0, cells = 1, unknownShare = 0 } = {},
) {
  return {
    candidates: metres.length,
    middle: { east: 0, north: 0 },
    squaredDistance: Float64Array.from(metres, distance => distance * distance),
    weight: Float64Array.from(weights),
    prior: new Float64Array(metres.length).fill(1),
    misfit,
    cells,
    unknownShare,
    observations,
  };
}
const radii = (...match: Parameters<typeof matchOf>) => {
  const { r50Metres, tail } = fixInMap(matchOf(...match), OF_SCAN);
  return [r50Metres, r50Metres * tail.at68, r50Metres * tail.at95];
};
const hundred = Array.from({ length: 100 }, (_, i) => 50 * (i + 1));

describe('the radii in a well observed map', () => {
  test('hold their shares of the candidates, in any order', () => {
    const [r50, r68, r95] = radii(hundred);
    expect(Math.abs(r50 - 2_500)).toBeLessThan(60);
    expect(Math.abs(r68 - 3_400)).toBeLessThan(60);
    expect(Math.abs(r95 - 4_750)).toBeLessThan(60);
    expect(radii([...hundred].reverse())).toEqual(radii(hundred));
  });

  test('follow the likelihood, not the number of candidates', () => {
    const [r50, r68, r95] = radii([0, 1_000, 3_000], { weights: [0.6, 0.2, 0.2] });
    expect(r50).toBeLessThan(100);
    expect(r68).toBeCloseTo(1_000, -2);
    expect(r95).toBeCloseTo(3_000, -2);
  });

  test('grow with what even the best candidate leaves unexplained, which more cells do by chance', () => {
    const [fits] = radii([0], { cells: 4 });
    const [differs] = radii([0], { misfit: 12, cells: 4 });
    expect(differs).toBeGreaterThan(2 * fits);
    expect(radii([0], { misfit: 12, cells: 16 })[0]).toBeLessThan(differs);
  });
});

describe('few observations', () => {
  test('widen all radii, since nobody may have been there', () => {
    const many = radii(hundred.slice(0, 10), { observations: 500 });
    const few = radii(hundred.slice(0, 10), { observations: 8 });
    for (const share of [0, 1, 2]) expect(few[share]).toBeGreaterThan(1.5 * many[share]);
  });

  test('add no more than a cell reaches', () => {
    expect(radii([0, 9_000], { observations: 2 })[2]).toBeLessThan(40_000);
  });

  test('add more if the cell is known to be large', () => {
    const growth = (scale: number) => radii([0, scale], { observations: 20, weights: [1, 0] })[2];
    expect(growth(2_000)).toBeGreaterThan(10 * growth(100));
  });
});

describe('a road where nobody has been', () => {
  const known = radii(hundred, { observations: 300, cells: 4 });

  test('is told by a misfit, by few observations, and by unknown cells', () => {
    const signs = [{ misfit: 12 }, { observations: 5 }, { unknownShare: 0.75, observations: 60 }];
    for (const sign of signs) {
      const r50 = radii(hundred, { observations: 300, cells: 4, ...sign })[0];
      expect(r50, JSON.stringify(sign)).toBeGreaterThan(1.5 * known[0]);
    }
  });

  test('multiplies the radius of what is certain, by at most its multiple', () => {
    const wide = radii([100], { observations: 1, misfit: 60, cells: 4, unknownShare: 1 });
    const parts = Math.hypot(100, 45, (20 * 60) / 2, 400 + 1.7 * 100);
    expect(wide[0]).toBeGreaterThan(11.5 * parts);
    expect(wide[0]).toBeLessThanOrEqual(12 * parts);
  });

  test('changes nothing where the map is well observed and fits', () => {
    expect(radii([0], { observations: 1e5, cells: 4 })[0]).toBeCloseTo(45, 1);
  });
});

test('a larger share has no smaller radius', () => {
  const distances = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 128 });
  fc.assert(
    fc.property(
      distances,
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 0, max: 60 }),
      (metres, observations, misfit) => {
        const [r50, r68, r95] = radii(metres, { observations, misfit });
        expect(r68).toBeGreaterThanOrEqual(r50 * (1 - 1e-12));
        expect(r95).toBeGreaterThanOrEqual(r68 * (1 - 1e-12));
      },
    ),
  );
});
