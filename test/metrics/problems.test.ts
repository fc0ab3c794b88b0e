// What is said to be wrong, for figures on both sides of each limit.

import { expect, test } from 'vitest';
import type { FolderFigures } from '../../src/metrics/folder_figures.ts';
import { clockProblem, findProblems, guessesProblem } from '../../src/metrics/problems.ts';
import { READY_BYTES } from '../../src/tables/environment/commit.ts';

const SOUND: FolderFigures = {
  stations: { total: 10, builtAt: '2026-11-22T10:00:00.000Z' },
  reports: { kept: 5, stored: 9, learned: 9 },
  places: { extract: undefined, world: undefined },
  features: {},
  keys: 1,
  bytes: {
    stations: 1,
    observations: 1,
    checkpoint: 0,
    accounts: 1,
    requests: 1,
    places: 0,
    buildings: 0,
    fingerprints: 0,
  },
  freeBytes: READY_BYTES,
};
const whats = (figures: Partial<FolderFigures>, validKeys = 1, isRunning = true) =>
  findProblems({ ...SOUND, ...figures }, validKeys, isRunning).map(({ what }) => what);

test('nothing is wrong with a sound folder, with a service and without', () => {
  expect([whats({}), whats({}, 1, false)]).toEqual([[], []]);
});

test('a disk that is nearly full, no stations and no keys are named', () => {
  expect(whats({ freeBytes: READY_BYTES - 1 })).toEqual([
    'The disk of the data folder has 255 MB left, and the service is ready only with 256.',
  ]);
  expect(whats({ stations: { total: 0, builtAt: undefined } })).toEqual([
    'There are no stations, so no position can be found.',
  ]);
  expect(whats({}, 0)).toEqual(['No key is valid, so every request is refused.']);
});

test('reports that wait are named where nobody learns them, and where they are many', () => {
  expect(whats({ reports: { kept: 5, stored: 9, learned: 8 } })).toEqual([]);
  expect(whats({ reports: { kept: 5, stored: 9, learned: 8 } }, 1, false)).toEqual([
    'Reports are stored that have not taken effect: 1.',
  ]);
  const behind = { kept: 200_000, stored: 200_000, learned: 99_999 };
  expect(whats({ reports: behind })).toEqual(['100,001 reports wait to be learned.']);
});

test.each([
  ['2026-11-23T09:59:59.999Z', undefined],
  [
    '2026-11-23T10:00:00.000Z',
    'The clock is 1 day ahead of the time by which old records are dropped: it says 2026-11-23T10:00:00.000Z, ' +
      'that 2026-11-22T10:00:00.000Z.',
  ],
  ['2026-11-21T10:00:00.001Z', undefined],
  [
    '2026-11-20T09:00:00.000Z',
    'The clock is 2 days behind the time by which old records are dropped: it says 2026-11-20T09:00:00.000Z, ' +
      'that 2026-11-22T10:00:00.000Z.',
  ],
])('a clock at %s where that of retention is at ten on the 22nd', (now, sentence) => {
  expect(clockProblem(Date.parse(now), Date.parse('2026-11-22T10:00:00Z'))?.what).toBe(sentence);
});

test('a memory of guesses is named from 90 % on, with the end of its week', () => {
  const now = Date.parse('2026-11-28T10:00:00Z');
  expect(guessesProblem(0.9, now)).toBeUndefined();
  expect(guessesProblem(0.905, now)).toMatchObject({
    id: 'guessesFull',
    what:
      'The memory of wrong guesses is 90 % full; full, it refuses positions by access points and beacons until its ' +
      'week ends, at 2026-12-03T00:00:00.000Z.',
    command: 'sextant usage',
  });
  expect(guessesProblem(1.2, now)!.what).toContain('is 100 % full');
});
