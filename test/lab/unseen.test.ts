import { describe, expect, test } from 'vitest';
import { type FittedSet, priorsOf, scaleWithout } from '../../lab/unseen.ts';
import { KIND_BLUETOOTH, KIND_GSM, KIND_LTE, KIND_WIFI } from '../../src/radio/kind.ts';

const sets: FittedSet[] = [
  { name: 'one', kind: 'cells', factors: [1, 1, 1] },
  { name: 'two', kind: 'cells', factors: [2, 3, 4] },
  { name: 'three', kind: 'cells', factors: [8, 3, 1] },
  { name: 'street', kind: 'wifi', factors: [0.5, 0.6, 0.7] },
  { name: 'mall', kind: 'walks', factors: undefined },
];

describe('the scale of radii for a set', () => {
  test('is the geometric mean of what is right for all others, never for itself', () => {
    const [at50, at68, at95] = scaleWithout(sets[0], sets);
    expect([at50, at68, at95].map(factor => factor.toFixed(6))).toEqual(['4.000000', '3.000000', '2.000000']);
  });

  test('of access points comes from access points, and is 1 where there are no others', () => {
    expect(scaleWithout({ name: 'mall', kind: 'walks' }, sets).map(factor => factor.toFixed(6))).toEqual([
      '0.500000',
      '0.600000',
      '0.700000',
    ]);
    expect(scaleWithout(sets[3], sets)).toEqual([1, 1, 1]);
  });
});

test('priors scale the kinds of stations that a set has', () => {
  expect([...priorsOf(sets[0], [1, 2, 3]).keys()]).toEqual(expect.arrayContaining([KIND_GSM, KIND_LTE]));
  expect(priorsOf(sets[0], [1, 2, 3]).has(KIND_WIFI)).toBe(false);
  expect(priorsOf(sets[4], [1, 2, 3])).toEqual(
    new Map([
      [KIND_WIFI, [1, 2, 3]],
      [KIND_BLUETOOTH, [1, 2, 3]],
    ]),
  );
});
