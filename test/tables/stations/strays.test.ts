import { expect, test } from 'vitest';
import { placeNumber, STRAYS_WORDS, Strays, strayNumber } from '../../../src/tables/stations/strays.ts';

const NOW_MS = Date.UTC(2026, 10, 26);
const WEEK_MS = 7 * 86_400_000;
const station = strayNumber(0x14bfaabb10, 498_700_000, 86_500_000);
/** Places a kilometre apart. */
const place = (n: number) => placeNumber(498_700_000 + n * 90_000, 86_500_000);

function fresh(): Strays {
  return new Strays(new SharedArrayBuffer(STRAYS_WORDS * 4), 0);
}

test('a station that was a stray at three places is left out, and no other', () => {
  const strays = fresh();
  expect([strays.note(station, place(1), NOW_MS), strays.note(station, place(2), NOW_MS)]).toEqual([true, true]);
  expect([strays.isLeftOut(station), strays.hasLeftOut]).toEqual([false, false]);
  expect(strays.note(station, place(3), NOW_MS)).toBe(true);
  expect([strays.isLeftOut(station), strays.hasLeftOut]).toEqual([true, true]);
  expect(strays.isLeftOut(strayNumber(0x14bfaabb11, 498_700_000, 86_500_000))).toBe(false);
  expect(strays.count).toBe(3);
});

test('the same place again counts once, however often a device asks there', () => {
  const strays = fresh();
  strays.note(station, place(1), NOW_MS);
  for (let again = 0; again < 100; again++) expect(strays.note(station, place(1), NOW_MS)).toBe(false);
  expect([strays.isLeftOut(station), strays.count]).toEqual([false, 1]);
});

test('a station whose record has moved is another one', () => {
  const strays = fresh();
  for (const n of [1, 2, 3]) strays.note(station, place(n), NOW_MS);
  expect(strays.isLeftOut(strayNumber(0x14bfaabb10, 498_900_000, 86_500_000))).toBe(false);
});

test('a new week forgets, and so does a clock that was set back', () => {
  const strays = fresh();
  for (const n of [1, 2, 3]) strays.note(station, place(n), NOW_MS);
  strays.note(strayNumber(1, 0, 0), place(9), NOW_MS + WEEK_MS);
  expect([strays.isLeftOut(station), strays.hasLeftOut]).toEqual([false, false]);
  expect(strays.note(station, place(1), NOW_MS + WEEK_MS)).toBe(true);
  expect(strays.note(station, place(1), NOW_MS)).toBe(true);
});

test('two views of one memory see the same', () => {
  const memory = new SharedArrayBuffer(STRAYS_WORDS * 4 + 64);
  const [one, other] = [new Strays(memory, 64), new Strays(memory, 64)];
  for (const n of [1, 2, 3]) (n === 2 ? other : one).note(station, place(n), NOW_MS);
  expect([one.isLeftOut(station), other.isLeftOut(station), other.count]).toEqual([true, true, 3]);
});

test('of stations that were never strays, few are left out by mistake', () => {
  const strays = fresh();
  for (let n = 0; n < 10_000; n++) for (const at of [1, 2, 3]) strays.note(strayNumber(n, 0, 0), place(at), NOW_MS);
  let mistaken = 0;
  for (let n = 10_000; n < 110_000; n++) if (strays.isLeftOut(strayNumber(n, 0, 0))) mistaken++;
  expect(mistaken).toBeLessThan(100);
});
