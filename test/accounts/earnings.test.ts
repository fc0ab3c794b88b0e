import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EarningReport, earn } from '../../src/accounts/earnings.ts';
import type { Earned } from '../../src/tables/accounts/account_record.ts';

const TERMS = { credits: 3, mostADay: 10 };
const ROOM = 2_147_483_647;
/** Reports of day 20,000 and later: `[sequence, day]`. */
const reports = (...texts: [sequence: number, day: number][]): EarningReport[] =>
  texts.map(([sequence, day]) => ({ account: 7, sequence, day: 20_000 + day }));

test('each report earns its credits, and the last one is remembered', () => {
  expect(earn(undefined, reports([5, 0], [6, 0]), 0, TERMS, ROOM)).toEqual({
    credits: 6,
    earned: { day: 20_000, credits: 6, rewrites: 0, sequence: 6 },
  });
});

describe('the most of a day', () => {
  test('is paid to the credit, and not passed by what follows', () => {
    const first = earn(undefined, reports([1, 0], [2, 0], [3, 0], [4, 0], [5, 0]), 0, TERMS, ROOM)!;
    expect(first).toMatchObject({ credits: 10, earned: { credits: 10, sequence: 5 } });
    expect(earn(first.earned, reports([6, 0]), 0, TERMS, ROOM)).toMatchObject({ credits: 0, earned: { sequence: 6 } });
    expect(earn(first.earned, reports([6, 0], [7, 1], [8, 1]), 0, TERMS, ROOM)).toMatchObject({
      credits: 6,
      earned: { credits: 6 },
    });
  });

  test('that was lowered takes nothing back', () => {
    const before: Earned = { day: 20_000, credits: 50, rewrites: 0, sequence: 5 };
    expect(earn(before, reports([6, 0], [7, 1]), 0, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { day: 20_001, credits: 3 },
    });
  });

  test('begins anew after a clock was wrong', () => {
    const before: Earned = { day: 29_000, credits: 10, rewrites: 0, sequence: 5 };
    expect(earn(before, reports([6, 0]), 0, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { day: 20_000, credits: 3 },
    });
  });
});

describe('what was paid for', () => {
  const before: Earned = { day: 20_000, credits: 3, rewrites: 2, sequence: 9 };

  test('is not paid for again, whole or in part', () => {
    expect(earn(before, reports([8, 0], [9, 0]), 2, TERMS, ROOM)).toBeUndefined();
    expect(earn(before, reports([8, 0], [9, 0], [10, 0]), 2, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { sequence: 10 },
    });
    expect(earn(before, reports([11, 0]), 1, TERMS, ROOM)).toBeUndefined();
  });

  test('says nothing of a log that was rewritten since, and so has other numbers', () => {
    expect(earn(before, reports([4, 0]), 3, TERMS, ROOM)).toMatchObject({
      credits: 3,
      earned: { rewrites: 3, sequence: 4 },
    });
  });
});

test('a balance that is nearly full is filled', () => {
  expect(earn(undefined, reports([1, 0], [2, 0]), 0, TERMS, 4)).toMatchObject({ credits: 4, earned: { credits: 4 } });
  expect(earn(undefined, reports([1, 0]), 0, TERMS, 0)).toMatchObject({ credits: 0 });
});

test('whatever pieces it comes in, and whatever comes again, the sum is the same', () => {
  const drawn = fc.array(fc.nat(3), { maxLength: 40 }).map(steps => {
    let day = 0;
    return reports(
      ...steps.map((step, i): [number, number] => {
        day += step === 3 ? 1 : 0;
        return [i + 1, day];
      }),
    );
  });
  fc.assert(
    fc.property(drawn, fc.array(fc.tuple(fc.nat(40), fc.nat(40))), (all, pieces) => {
      const whole = earn(undefined, all, 0, TERMS, ROOM)?.credits ?? 0;
      let earned: Earned | undefined;
      let sum = 0;
      let end = 0;
      for (const [again, more] of [...pieces, [0, all.length]]) {
        const piece = all.slice(Math.max(0, end - again), end + more);
        end = Math.min(all.length, end + more);
        const due = earn(earned, piece, 0, TERMS, ROOM);
        sum += due?.credits ?? 0;
        earned = due?.earned ?? earned;
      }
      expect(sum).toBe(whole);
    }),
  );
});
