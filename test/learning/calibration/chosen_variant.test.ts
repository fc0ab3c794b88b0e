import { describe, expect, test } from 'vitest';
import { chosenVariant, lossOf } from '../../../src/learning/calibration/chosen_variant.ts';
import { type Comparison, countComparison } from '../../../src/tables/calibration/comparisons.ts';
import { TRACK_SETS, TRUSTED } from '../../../src/tables/calibration/votes.ts';
import { normal, uniform } from '../../kits/random.ts';

/**
 * Tests on 16 tracks of a contributor. @param gains by which each variant after the first is better @param differ
 * deviation from track to track
 */
function tested(
  comparisons: Comparison[],
  contributor: number,
  gains: number[],
  { differ = 0.05, tracks = 16, seed = 1 } = {},
): Comparison[] {
  const bell = normal(uniform(seed + contributor));
  for (let track = 0; track < tracks; track++) {
    const own = gains.map(gain => -gain + differ * bell());
    for (let i = 0; i < 20; i++)
      countComparison(comparisons, contributor, track % TRACK_SETS, [
        0,
        ...own.map(difference => difference + 0.3 * bell()),
      ]);
  }
  return comparisons;
}

/** One list for several contributors. */
function testedBy(
  contributors: readonly number[],
  gainsOf: (contributor: number) => number[],
  options = {},
): Comparison[] {
  return contributors.reduce<Comparison[]>(
    (all, contributor) => tested(all, contributor, gainsOf(contributor), options),
    [],
  );
}

const HONEST = [1, 2, 3, 4, 5, 6];
const LIAR = 666;

describe('the variant of a network', () => {
  test("is the source's without tests, and where the others are no better", () => {
    expect(chosenVariant([[]])).toBe(0);
    expect(chosenVariant([tested([], TRUSTED, [-0.1, -0.2, 0])])).toBe(0);
  });

  test('is the best of those that are clearly better', () => {
    expect(chosenVariant([tested([], TRUSTED, [0.1, 0.25, -0.1])])).toBe(2);
    expect(chosenVariant([tested([], TRUSTED, [0.25, 0.1, 0.1])])).toBe(1);
  });

  test("is the source's where the gain is within chance, or too small to matter", () => {
    expect(chosenVariant([tested([], TRUSTED, [0.05, 0, 0], { differ: 0.5, tracks: 5, seed: 3 })])).toBe(0);
    expect(chosenVariant([tested([], TRUSTED, [0.01, 0, 0], { differ: 0.001, tracks: 400 })])).toBe(0);
  });

  test('does not follow from a few tracks, however many tests they have', () => {
    expect(chosenVariant([tested([], TRUSTED, [0.5, 0, 0], { tracks: 3 })])).toBe(0);
    expect(chosenVariant([tested([], TRUSTED, [0.5, 0, 0], { tracks: 4 })])).toBe(1);
  });

  test('holds in a region until tests there say otherwise', () => {
    const everywhere = tested([], TRUSTED, [0, 0.2, 0]);
    expect(chosenVariant([everywhere, []])).toBe(2);
    expect(chosenVariant([everywhere, tested([], TRUSTED, [0, 0.2, 0.21])])).toBe(2);
    expect(chosenVariant([everywhere, tested([], TRUSTED, [0.4, 0.2, 0])])).toBe(1);
    expect(chosenVariant([everywhere, tested([], TRUSTED, [-0.2, -0.3, -0.2])])).toBe(0);
  });

  test('is chosen by three contributors together, not by one or two', () => {
    const gains = () => [0, 0, 0.2];
    expect(chosenVariant([testedBy([1], gains)])).toBe(0);
    expect(chosenVariant([testedBy([1, 2], gains)])).toBe(0);
    expect(chosenVariant([testedBy([1, 2, 3], gains)])).toBe(3);
  });

  test('is chosen by trusted reports alone once there are enough', () => {
    const untrusted = testedBy(HONEST, () => [0.3, 0, 0]);
    expect(chosenVariant([tested([...untrusted], TRUSTED, [0, 0.2, 0])])).toBe(2);
    expect(chosenVariant([tested([...untrusted], TRUSTED, [-0.2, -0.2, -0.2])])).toBe(0);
    expect(chosenVariant([tested([...untrusted], TRUSTED, [0, 0.2, 0], { tracks: 2 })])).toBe(1);
  });

  test('is moved by no one who lies among six who agree, whatever he sends', () => {
    for (const gains of [
      [0, 0.15, 0],
      [-0.1, -0.1, -0.1],
    ]) {
      const alone = chosenVariant([testedBy(HONEST, () => gains)]);
      for (const lie of [-5, -1, -0.2, 0.2, 1, 5]) {
        for (const variant of [0, 1, 2]) {
          const lies = gains.map((gain, i) => (i === variant ? lie : gain));
          expect(
            chosenVariant([testedBy([...HONEST, LIAR], contributor => (contributor === LIAR ? lies : gains))]),
          ).toBe(alone);
        }
      }
    }
  });
});

test('what an error costs grows by its ratio, and hardly where it is small', () => {
  expect(lossOf(800, 10) - lossOf(400, 10)).toBeCloseTo(Math.LN2, 3);
  expect(lossOf(0, 100)).toBeCloseTo(Math.log(50), 12);
  expect(lossOf(10, 100) - lossOf(5, 100)).toBeLessThan(0.02);
});
