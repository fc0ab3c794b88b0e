// The memory of guesses beside its table, as the writer and a node of a cluster use it.

import { expect, onTestFinished, test, vi } from 'vitest';
import { COUNT_MASK, ENTRY_COUNT } from '../../src/tables/requests/guess_entry.ts';
import { RequestLog } from '../../src/tables/requests/request_log.ts';
import { GUESSES_WORDS } from '../../src/tables/stations/guess_entries.ts';
import { Guesses } from '../../src/tables/stations/guesses.ts';
import { GuessLog } from '../../src/writer/guess_log.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const radioOf = (n: number) => 0x1400000000 + n * 65_536;

/** A memory with its log in a folder. */
function opened(folder = temporaryFolder(), earliestMs = Date.now()) {
  const fail = (error: Error): never => {
    throw error;
  };
  const requests = RequestLog.open(folder, 1, fail);
  const guesses = new Guesses(new SharedArrayBuffer(GUESSES_WORDS * 4), 0);
  const parts = { guesses, log: requests, retention: { earliestMs } };
  const log = new GuessLog({ ...parts, onError: fail, onWarning: text => fail(Error(text)) });
  const note = (account: number, n: number, place: number) =>
    guesses.noteElsewhere(account, false, radioOf(n), [490_000_000 + place * 90_000, 86_500_000], Date.now()) ===
      'new' && guesses.charge(account, 1, Date.now());
  return { folder, requests, guesses, log, note };
}

test('what is stored stands in the next memory, more than one transaction of it too', async () => {
  const one = opened();
  for (let account = 1; account <= 100; account++) for (let n = 0; n < 60; n++) one.note(account, n, 0);
  for (const place of [0, 1, 2]) one.note(7, 1_000, place);
  await one.log.store();
  await one.requests.close();
  const { guesses, requests } = opened(one.folder);
  const now = Date.now();
  expect([guesses.mayGuess(7, radioOf(1_000), now), guesses.hasEntries(7, now)]).toEqual([false, true]);
  expect([guesses.allowance(7, now), guesses.allowance(8, now)]).toEqual([37, 40]);
  expect(guesses.isLeftOut(radioOf(59), now)).toBe(true);
  expect(guesses.usedShare(now)).toBe(one.guesses.usedShare(now));
  await requests.close();
});

test('a clock that has jumped ahead removes nothing before it is believed', async () => {
  const rows = ({ requests }: ReturnType<typeof opened>) => [...requests.guesses.all()].length;
  const [now, later] = [Date.now(), Date.now() + 14 * 86_400_000];
  const one = opened();
  one.note(7, 0, 0);
  await one.log.store();
  await one.requests.close();
  vi.useFakeTimers({ now: later, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const ahead = opened(one.folder, now);
  await ahead.log.store();
  expect([ahead.guesses.usedShare(later), rows(ahead)]).toEqual([0, 8]);
  await ahead.requests.close();
  const believed = opened(one.folder, later);
  await believed.log.store();
  expect(rows(believed)).toBe(0);
  await believed.requests.close();
});

test('a node tells each pair that it has noted once, and stores what others tell', async () => {
  const one = opened();
  const other = opened();
  one.note(7, 0, 0);
  await one.log.store();
  one.log.tellAll();
  one.note(7, 1, 0);
  const { entries, words } = one.log.takeUntold(100);
  // Each device under each of its numbers, two of which both have.
  expect(words.map(pair => [pair[0], pair[ENTRY_COUNT] & COUNT_MASK])).toEqual(Array(10).fill([7, 1]));
  expect(one.log.takeUntold(100).words).toEqual([]);
  one.log.notTold(entries);
  expect(one.log.takeUntold(100).words).toHaveLength(10);
  other.log.tellAll();
  for (const pair of words) other.log.merge(pair);
  other.log.read = 'stream 1';
  expect(other.log.takeUntold(100).words).toEqual([]);
  await other.log.store();
  await other.requests.close();
  const again = opened(other.folder);
  expect([again.log.read, again.note(7, 0, 0), again.note(7, 1, 0)]).toEqual(['stream 1', false, false]);
  await Promise.all([one, again].map(({ requests }) => requests.close()));
});
