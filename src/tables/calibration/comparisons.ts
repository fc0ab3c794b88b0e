// How the variants of a method compare on the same tests: by contributor, and apart for the sets of tracks (votes.ts),
// by how much the loss differs from that of the method as the source has it. Old tests weigh as much as they do in the
// votes on the radii.

import { VARIANTS } from './places.ts';
import { hasDoubled, TRACK_SETS, voterFor } from './votes.ts';

/** The tests of one contributor. */
export interface Comparison {
  /** Account; `TRUSTED`, or one number for all that found no place. */
  contributor: number;
  /** Tests counted so far, whatever they weigh now. */
  tests: number;
  /** By set of tracks: the weight of its tests, 1 for a new one. */
  weights: Float64Array;
  /** By variant after the first, then by set of tracks: sums of the differences. */
  sums: Float64Array;
}

const SUMS = (VARIANTS - 1) * TRACK_SETS;
const HEADER_BYTES = 8;
const COMPARISON_BYTES = HEADER_BYTES + 8 * (TRACK_SETS + SUMS);
/** Weight of a contributor's tests at which they are halved. */
const FULL_TESTS = 1_024;

/**
 * Counts a test.
 * @param set of tracks to which the track of the test belongs, 0 to `TRACK_SETS` - 1
 * @param losses by variant
 */
export function countComparison(
  comparisons: Comparison[],
  contributor: number,
  set: number,
  losses: readonly number[],
): void {
  const comparison = voterFor(comparisons, contributor, newComparison);
  const { weights, sums } = comparison;
  comparison.tests++;
  if (hasDoubled(comparison.tests) || weightOf(comparison) >= FULL_TESTS) {
    for (let i = 0; i < weights.length; i++) weights[i] /= 2;
    for (let i = 0; i < sums.length; i++) sums[i] /= 2;
  }
  weights[set]++;
  for (let variant = 1; variant < VARIANTS; variant++)
    sums[(variant - 1) * TRACK_SETS + set] += losses[variant] - losses[0];
}

/** Weight of the tests of a contributor. */
export function weightOf({ weights }: Comparison): number {
  return weights.reduce((sum, each) => sum + each, 0);
}

/**
 * The sum over the tests of a set of tracks of by how much the loss of a variant is larger than that of another one.
 */
export function differenceOf({ sums }: Comparison, variant: number, other: number, set: number): number {
  const sumOf = (each: number) => (each === 0 ? 0 : sums[(each - 1) * TRACK_SETS + set]);
  return sumOf(variant) - sumOf(other);
}

function newComparison(contributor: number): Comparison {
  return { contributor, tests: 0, weights: new Float64Array(TRACK_SETS), sums: new Float64Array(SUMS) };
}

/** Encodes the comparisons of all contributors. */
export function encodeComparisons(comparisons: readonly Comparison[]): Buffer {
  const row = Buffer.alloc(comparisons.length * COMPARISON_BYTES);
  for (const [c, { contributor, tests, weights, sums }] of comparisons.entries()) {
    const at = c * COMPARISON_BYTES;
    row.writeUInt32LE(contributor, at);
    row.writeUInt32LE(tests, at + 4);
    for (const [i, value] of [...weights, ...sums].entries()) row.writeDoubleLE(value, at + HEADER_BYTES + 8 * i);
  }
  return row;
}

/** Decodes the comparisons of all contributors. @throws Error when the row is damaged */
export function decodeComparisons(row: Buffer): Comparison[] {
  if (row.length % COMPARISON_BYTES !== 0)
    throw new Error(`A row of comparisons is damaged: it has ${row.length} bytes.`);
  return Array.from({ length: row.length / COMPARISON_BYTES }, (_, c) => {
    const at = c * COMPARISON_BYTES;
    const values = Float64Array.from({ length: TRACK_SETS + SUMS }, (_, i) =>
      row.readDoubleLE(at + HEADER_BYTES + 8 * i),
    );
    if (!values.every(Number.isFinite)) throw new Error('A row of comparisons is damaged: one of its sums is none.');
    const [weights, sums] = [values.slice(0, TRACK_SETS), values.slice(TRACK_SETS)];
    return { contributor: row.readUInt32LE(at), tests: row.readUInt32LE(at + 4), weights, sums };
  });
}
