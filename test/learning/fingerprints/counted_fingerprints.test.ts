import { describe, expect, test } from 'vitest';
import {
  countedFingerprints,
  fingerprintsBeyondBounds,
  type PlacedFingerprint,
  SQUARE_BYTES_MAX,
} from '../../../src/learning/fingerprints/counted_fingerprints.ts';

/** Where who has heard radios at these levels. */
function placed(contributor: number, eastMetres: number, levels: Record<number, number>, changes: Partial<PlacedFingerprint> = {}) {
  const readings = Object.entries(levels).map(([radio, levelDbm]) => ({ radio: Number(radio), levelDbm, ageMs: Number.NaN }));
  const isTrusted = contributor === 0;
  return { floor: 0, eastMetres, northMetres: 0, contributor, isTrusted, timeMs: 1e12, bytes: 100, readings, ...changes };
}

describe('a radio', () => {
  test('counts where a trusted fingerprint or a second account has heard it', () => {
    const [one, two] = [placed(1, 0, { 1: -70, 2: -70 }), placed(2, 0, { 2: -70, 3: -70 })];
    const levelsOf = (all: PlacedFingerprint[]) => countedFingerprints(all).map(({ readings }) => readings.map(({ radio }) => radio));
    expect(levelsOf([one, one])).toEqual([]);
    expect(levelsOf([one, two])).toEqual([[2], [2]]);
    expect(levelsOf([one, two, placed(0, 0, { 3: -70, 4: -70 })])).toEqual([[2], [2, 3], [3, 4]]);
  });
});

describe('in a square metre', () => {
  const half = SQUARE_BYTES_MAX / 2;
  const full = (timeMs: number, eastMetres = 0.5): PlacedFingerprint => placed(1, eastMetres, { 1: -50 }, { timeMs, bytes: half });

  test('as much is kept as it may hold', () => {
    expect(fingerprintsBeyondBounds([full(1), full(2)]).size).toBe(0);
  });

  test('beyond that the oldest go, and those without a time first', () => {
    const all = [full(5), full(Number.NaN), full(3), full(4)];
    expect([...fingerprintsBeyondBounds(all)]).toEqual([all[2], all[1]]);
  });

  test('others do not count: the next one, and that on the next floor', () => {
    const above = placed(1, 0.5, { 1: -50 }, { floor: 1, bytes: half });
    expect(fingerprintsBeyondBounds([full(1), full(2), full(3, 1.5), full(4, -0.5), above]).size).toBe(0);
  });
});

describe('a fingerprint of an untrusted contributor', () => {
  const HALL = { 1: -50, 2: -60, 3: -55 };

  test('does not count where trusted ones have heard its radios as near from far away', () => {
    const survey = placed(0, 0, HALL);
    expect(countedFingerprints([survey, placed(7, 100, HALL)])).toEqual([survey]);
  });

  test('does not count where two others have, wherever in the order it stands', () => {
    const [one, two, liar] = [placed(1, 0, HALL), placed(2, 5, HALL), placed(7, 100, HALL)];
    expect(countedFingerprints([liar, one, two])).toEqual([one, two]);
    expect(countedFingerprints([one, two, liar, liar, liar])).toEqual([one, two]);
  });

  test('counts where one stands against one', () => {
    const both = [placed(1, 0, HALL), placed(2, 100, HALL)];
    expect(countedFingerprints(both)).toEqual(both);
  });

  test('counts where others support it: the radios were moved', () => {
    const all = [placed(1, 0, HALL), placed(2, 5, HALL), placed(3, 100, HALL), placed(4, 101, HALL)];
    expect(countedFingerprints(all)).toEqual(all);
  });

  test('does not count two floors away, and counts on the next one', () => {
    const survey = placed(0, 0, HALL);
    const next = placed(7, 0, HALL, { floor: 1 });
    expect(countedFingerprints([survey, next])).toEqual([survey, next]);
    expect(countedFingerprints([survey, placed(7, 0, HALL, { floor: 2 })])).toEqual([survey]);
  });

  test('counts up to the distance in which a radio can be near both', () => {
    const [survey, within] = [placed(0, 0, HALL), placed(7, 40, HALL)];
    expect(countedFingerprints([survey, within])).toEqual([survey, within]);
    expect(countedFingerprints([survey, placed(7, 40.1, HALL)])).toEqual([survey]);
  });

  test('counts where its radios are weak, unknown, or only one of them contradicts', () => {
    const survey = placed(0, 0, HALL);
    const others = [placed(7, 100, { 1: -66, 2: -80 }), placed(8, 100, { 9: -50, 8: -50 }), placed(9, 100, { 1: -50, 8: -60, 9: -70 })];
    expect(countedFingerprints([survey, ...others])).toEqual([survey, ...others]);
  });

  test('flooding does not help: however often one says it, it is one voice', () => {
    const [one, two] = [placed(1, 0, HALL), placed(2, 5, HALL)];
    const flood = Array.from({ length: 50 }, (_, i) => placed(7, 100 + i, HALL));
    expect(countedFingerprints([...flood, one, two])).toEqual([one, two]);
  });
});
