import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CLAIMED, ENTRY_WORDS } from '../../../src/tables/requests/guess_entry.ts';
import { GUESSES_WORDS, GuessEntries } from '../../../src/tables/stations/guess_entries.ts';
import { Guesses } from '../../../src/tables/stations/guesses.ts';

const NOW = Date.UTC(2026, 10, 26);
const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** Degrees times 1e7 of about a kilometre of latitude. */
const KILOMETRE = 90_000;

const fresh = () => new Guesses(new SharedArrayBuffer(GUESSES_WORDS * 4), 0);
/** Radios of different devices. */
const radioOf = (n: number) => 0x1400000000 + n * 65_536;
/** Notes that an account is wrong where a scan was answered. @returns true if that is new */
function note(
  guesses: Guesses,
  account: number,
  radio: number,
  kilometres: number,
  { nowMs = NOW, isTrusted = false } = {},
): boolean {
  const place = [490_000_000 + kilometres * KILOMETRE, 86_500_000] as const;
  const isNew = guesses.noteElsewhere(account, isTrusted, radio, place, nowMs) !== 'before';
  if (isNew) guesses.charge(account, 1, nowMs);
  return isNew;
}
const isSpent = (guesses: Guesses, account: number, radio: number, nowMs = NOW): boolean =>
  !guesses.mayGuess(account, radio, nowMs);

describe('a device', () => {
  test('may be guessed wrongly three times by an account, and then no more until the week ends', () => {
    const guesses = fresh();
    for (let place = 0; place < 3; place++) {
      expect(isSpent(guesses, 7, radioOf(0))).toBe(false);
      expect(note(guesses, 7, radioOf(0), place)).toBe(true);
    }
    expect([isSpent(guesses, 7, radioOf(0)), isSpent(guesses, 7, radioOf(0), NOW + WEEK - 1)]).toEqual([true, true]);
    expect(isSpent(guesses, 7, radioOf(0), NOW + WEEK)).toBe(false);
    expect(note(guesses, 7, radioOf(0), 9, { nowMs: NOW + WEEK })).toBe(true);
  });

  test('is guessed once at places up to 200 m apart, and once beside the same others', () => {
    const guesses = fresh();
    expect([0, 0, 0.198, 0.203].map(kilometres => note(guesses, 7, radioOf(0), kilometres))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect([5, 5, 6].map(set => guesses.noteBeside(8, radioOf(0), set, NOW))).toEqual(['new', 'before', 'new']);
    expect(isSpent(guesses, 8, radioOf(0))).toBe(false);
    guesses.noteBeside(8, radioOf(0), 7, NOW);
    expect(isSpent(guesses, 8, radioOf(0))).toBe(true);
  });

  test('is the same by addresses that differ in one octet, or in another besides the last, and another account guesses it for itself', () => {
    const guesses = fresh();
    for (let place = 0; place < 3; place++) note(guesses, 7, radioOf(0) + 50 * place, place);
    expect([0, 1, 255].map(n => isSpent(guesses, 7, radioOf(0) + n))).toEqual([true, true, true]);
    expect(isSpent(guesses, 8, radioOf(0))).toBe(false);
    const other = 0x3ca62faaa1;
    for (const [place, away] of [0, 0x110003, 0x220001].entries()) note(guesses, 9, other + away, place);
    expect([0, 0x330002, 0x330080, 0x330400].map(away => isSpent(guesses, 9, other + away))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('that an account has found is not guessed any more by its address, but by others of the device', () => {
    const guesses = fresh();
    note(guesses, 7, radioOf(0), 0);
    guesses.markFound(7, radioOf(0), NOW);
    expect([1, 2, 3, 4].map(place => note(guesses, 7, radioOf(0), place))).toEqual([false, false, false, false]);
    expect(isSpent(guesses, 7, radioOf(0))).toBe(false);
    expect([1, 2].map(place => note(guesses, 7, radioOf(0) + 200, place))).toEqual([true, true]);
    expect([isSpent(guesses, 7, radioOf(0) + 200), isSpent(guesses, 7, radioOf(0))]).toEqual([true, false]);
  });

  test('is left out of votes once ten untrusted accounts were wrong about it', () => {
    const guesses = fresh();
    for (let account = 1; account <= 9; account++) note(guesses, account, radioOf(0), account);
    for (let account = 100; account < 120; account++) note(guesses, account, radioOf(0), 1, { isTrusted: true });
    for (let place = 0; place < 3; place++) note(guesses, 1, radioOf(0), 20 + place);
    expect([guesses.hasLeftOut(NOW), guesses.isLeftOut(radioOf(0), NOW)]).toEqual([false, false]);
    note(guesses, 10, radioOf(0), 3);
    expect([guesses.hasLeftOut(NOW), guesses.isLeftOut(radioOf(0), NOW)]).toEqual([true, true]);
    expect(guesses.isLeftOut(radioOf(1), NOW)).toBe(false);
    expect([guesses.hasLeftOut(NOW + WEEK), guesses.isLeftOut(radioOf(0), NOW + WEEK)]).toEqual([false, false]);
  });
});

describe('an account', () => {
  test('may be wrong a hundred times, and others have their own', () => {
    const guesses = fresh();
    expect(guesses.allowance(7, NOW)).toBe(100);
    for (let n = 0; n < 100; n++) expect(note(guesses, 7, radioOf(n), 0)).toBe(true);
    expect([guesses.allowance(7, NOW), guesses.allowance(8, NOW)]).toEqual([0, 100]);
  });

  test('is forgiven one in 864 seconds', () => {
    const guesses = fresh();
    for (let n = 0; n < 100; n++) note(guesses, 7, radioOf(n), 0);
    expect([863, 864, 2 * 864, DAY / 1000].map(seconds => guesses.allowance(7, NOW + seconds * 1000))).toEqual([
      0, 1, 2, 100,
    ]);
  });

  test('is forgiven one with two answers that are no guesses, and saves up for nine hundred more', () => {
    const guesses = fresh();
    for (let n = 0; n < 10; n++) note(guesses, 7, radioOf(n), 0);
    guesses.reward(7, NOW);
    expect(guesses.allowance(7, NOW)).toBe(90);
    guesses.reward(7, NOW);
    expect(guesses.allowance(7, NOW)).toBe(91);
    for (let answer = 0; answer < 5_000; answer++) guesses.reward(7, NOW);
    expect(guesses.allowance(7, NOW)).toBe(1_000);
  });

  test('gains nothing by a clock that is set back', () => {
    const guesses = fresh();
    for (let n = 0; n < 100; n++) note(guesses, 7, radioOf(n), 0);
    expect(guesses.allowance(7, NOW - 1000)).toBeLessThanOrEqual(0);
  });

  test('has the share of a node in a cluster', () => {
    const guesses = fresh();
    guesses.divideAmong(3);
    let wrong = 0;
    while (guesses.allowance(7, NOW) > 0) note(guesses, 7, radioOf(wrong++), 0);
    expect(wrong).toBe(33);
    expect([864, 3 * 864 - 1, 3 * 864].map(seconds => guesses.allowance(7, NOW + seconds * 1000))).toEqual([0, 0, 1]);
    for (let answer = 0; answer < 5_000; answer++) guesses.reward(7, NOW);
    expect(guesses.allowance(7, NOW)).toBe(333);
  });
});

test('the memory refuses guesses when it is full, and forgets none', () => {
  const guesses = fresh();
  let account = 0;
  let noted = 0;
  while (guesses.usedShare(NOW) < 1) {
    account++;
    for (let n = 0; n < 5_000; n++) {
      for (let place = 0; place < 3; place++) note(guesses, account, radioOf(7 * n), place, { isTrusted: true });
      noted++;
    }
  }
  expect(guesses.allowance(account + 1, NOW)).toBeLessThanOrEqual(0);
  expect(noted).toBeGreaterThan(200_000);
  let forgotten = 0;
  for (let of = 1; of <= account; of++)
    for (let n = 0; n < 5_000; n++) if (!isSpent(guesses, of, radioOf(7 * n))) forgotten++;
  expect(forgotten).toBe(0);
  expect(guesses.allowance(account + 1, NOW + WEEK)).toBe(100);
}, 60_000);

test('an account has at most as many entries as are free for the others', () => {
  const guesses = fresh();
  let devices = 0;
  while (guesses.allowance(7, NOW) > 0) {
    for (let answer = 0; answer < 4_000; answer++) guesses.reward(7, NOW);
    for (let n = 0; n < 900; n++) note(guesses, 7, radioOf(devices++), 0);
  }
  expect(guesses.usedShare(NOW)).toBeGreaterThan(0.55);
  expect(guesses.usedShare(NOW)).toBeLessThan(0.7);
  expect(guesses.allowance(8, NOW)).toBe(100);
}, 60_000);

test('what has changed is taken once, and restores another memory', () => {
  const guesses = fresh();
  for (let account = 1; account <= 10; account++) for (let n = 0; n < 20; n++) note(guesses, account, radioOf(n), n);
  for (let place = 0; place < 3; place++) note(guesses, 3, radioOf(99), place);
  const taken = guesses.table.takeChanged(10_000).map(entry => guesses.table.read(entry)!);
  expect(guesses.table.takeChanged(10_000)).toEqual([]);
  const other = fresh();
  for (const words of taken) other.restore(words, NOW + DAY);
  expect([other.allowance(3, NOW), isSpent(other, 3, radioOf(99)), other.hasEntries(3, NOW)]).toEqual([77, true, true]);
  expect([other.isLeftOut(radioOf(5), NOW), other.hasLeftOut(NOW)]).toEqual([true, true]);
  const late = fresh();
  for (const words of taken) late.restore(words, NOW + WEEK);
  expect([isSpent(late, 3, radioOf(99), NOW + WEEK), late.isLeftOut(radioOf(5), NOW + WEEK)]).toEqual([false, false]);
});

describe('an entry that another thread writes', () => {
  /** A table with such an entry, of the account 7. @param onWait what happens while it is waited for */
  const written = (onWait: (words: Int32Array, entry: number) => void) => {
    const table = new GuessEntries(new SharedArrayBuffer(GUESSES_WORDS * 4), 0);
    const entry = table.claim(7, 1, 2, NOW);
    table.words[entry] = CLAIMED;
    const wait = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      onWait(table.words, entry);
      return 'timed-out';
    });
    onTestFinished(() => wait.mockRestore());
    return { table, entry, wait };
  };

  test('is waited for while its thread has no processor', () => {
    const { table, entry } = written((words, at) => {
      words[at] = 7;
    });
    expect(table.claim(7, 1, 2, NOW)).toBe(entry);
  });

  test('is left where its thread has ended, after one wait', () => {
    const { table, entry, wait } = written(() => {});
    expect(table.claim(7, 1, 2, NOW)).not.toBe(entry);
    expect(wait.mock.calls.length).toBe(500);
  });
});

test('all that has changed is taken, a part of it after another', () => {
  const { table } = fresh();
  // The first entries and the last, and both ends of one of the 32 parts in which they are looked for.
  const changed = [0, 1, 31, 65_535, 65_568, 2_097_151, 2_097_215];
  for (const entry of changed) table.markChanged(entry * ENTRY_WORDS);
  const taken: number[] = [];
  for (let turn = 0; turn < changed.length; turn++) taken.push(...table.takeChanged(1));
  expect(taken).toEqual(changed);
  expect(table.takeChanged(1)).toEqual([]);
});
