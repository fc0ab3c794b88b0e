import { describe, expect, test } from 'vitest';
import { Patterns, TRUSTED, voiceOf } from '../../../src/indoor/learning/patterns.ts';

/** Who has heard radios where, at these levels; account 0 is trusted. */
function placed(contributor: number, eastMetres: number, levels: Record<number, number>, floor = 0) {
  const readings = Object.entries(levels).map(([radio, levelDbm]) => ({
    radio: Number(radio),
    levelDbm,
    ageMs: Number.NaN,
  }));
  return { floor, eastMetres, northMetres: 0, contributor, isTrusted: contributor === 0, readings };
}

const [WEST, EAST] = [
  { 1: -50, 2: -60, 3: -55, 4: -80 },
  { 1: -80, 2: -85, 3: -85, 4: -55, 5: -50 },
];
const SURVEY = [placed(0, 0, WEST), placed(0, 100, EAST)];
const voicesOn = (one: ReturnType<typeof placed>, others = SURVEY) => new Patterns([...others, one]).voicesOn(one);

test('all trusted ones speak as one', () => {
  expect([voiceOf({ contributor: 5, isTrusted: true }), voiceOf({ contributor: 5, isTrusted: false })]).toEqual([
    TRUSTED,
    5,
  ]);
});

describe('others', () => {
  test('support a pattern where they have heard one like it', () => {
    expect(voicesOn(placed(7, 3, WEST))).toEqual({ against: [], support: [TRUSTED] });
  });

  test('are against it elsewhere: far away, or on another floor', () => {
    expect(voicesOn(placed(7, 100, WEST))).toEqual({ against: [TRUSTED], support: [] });
    expect(voicesOn(placed(7, 0, WEST, 1))).toEqual({ against: [TRUSTED], support: [] });
  });

  test('have heard it here up to 40 m away', () => {
    expect(voicesOn(placed(7, 40, WEST)).against).toEqual([]);
    expect(voicesOn(placed(7, 40.1, WEST)).against).toEqual([TRUSTED]);
  });

  test('say the same however weak all of it is, and whatever is invented beside it', () => {
    const weak = { 1: -75, 2: -83, 3: -79 };
    const invented = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [100 + i, -30]));
    expect(voicesOn(placed(7, 100, weak)).against).toEqual([TRUSTED]);
    expect(voicesOn(placed(7, 100, { ...weak, ...invented })).against).toEqual([TRUSTED]);
  });

  test('say nothing of two radios, or of a pattern that is like none', () => {
    const nothing = { against: [], support: [] };
    expect(voicesOn(placed(7, 100, { 1: -50, 2: -60, 9: -50 }))).toEqual(nothing);
    expect(voicesOn(placed(7, 100, { 8: -50, 9: -60, 10: -50 }))).toEqual(nothing);
    expect(voicesOn(placed(7, 50, { 1: -50, 2: -60, 3: -55 }), [])).toEqual(nothing);
  });

  test('do not support what is more like a pattern elsewhere of somebody else', () => {
    const half = { 1: -60, 2: -85, 3: -75, 4: -60, 5: -58 };
    expect(voicesOn(placed(7, 100, WEST), [SURVEY[0], placed(8, 100, half)])).toEqual({
      against: [TRUSTED],
      support: [],
    });
  });
});

test('each account has one voice, however much it says, and none on itself', () => {
  const flood = Array.from({ length: 30 }, (_, i) => placed(9, 100 + i, WEST));
  expect(voicesOn(placed(7, 100, WEST), [SURVEY[0], ...flood])).toEqual({ against: [TRUSTED], support: [9] });
  expect(voicesOn(placed(9, 100, WEST), [SURVEY[0], ...flood])).toEqual({ against: [TRUSTED], support: [] });
});

test('the order of the fingerprints does not matter', () => {
  const others = [...SURVEY, placed(8, 99, WEST), placed(9, 1, EAST)];
  const [one, other] = [new Patterns(others), new Patterns(others.toReversed())];
  for (const east of [0, 30, 60, 100]) {
    const { against, support } = one.voicesOn(placed(7, east, WEST));
    const reversed = other.voicesOn(placed(7, east, WEST));
    expect([reversed.against.sort(), reversed.support.sort()]).toEqual([against.sort(), support.sort()]);
  }
});
