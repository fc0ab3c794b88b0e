import { expect, test } from 'vitest';
import { followPlaces } from '../../src/jobs/import_places.ts';
import type { Progress } from '../../src/jobs/job.ts';

const PHASES = [
  'relations',
  'nodes',
  'ways',
  'rings',
  'areas',
  'survey',
  'roads',
  'addresses',
  'places',
  'index',
] as const;

test('phases that follow each other fill the whole, once and never backwards', () => {
  const told: Progress[] = [];
  const follow = followPlaces(
    progress => told.push(progress),
    () => 0,
  );
  for (const phase of PHASES) for (const done of [0, 50, 100]) follow({ phase, done, total: 100 });
  expect(told.every(({ bytesDone }) => Number.isInteger(bytesDone))).toBe(true);
  const shares = told.map(({ bytesDone, bytesTotal }) => bytesDone / bytesTotal);
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect([shares[0], shares.at(-1)]).toEqual([0, 1]);
  expect(told[3]).toMatchObject({ phase: 'nodes', rows: 0 });
});

test('a phase with nothing to do is done', () => {
  const told: Progress[] = [];
  const follow = followPlaces(
    progress => told.push(progress),
    () => 0,
  );
  follow({ phase: 'rings', done: 0, total: 0 });
  follow({ phase: 'areas', done: 0, total: 10 });
  expect(told[0].bytesDone).toBe(told[1].bytesDone);
});

test('the time that is left follows from the time that has passed', () => {
  const told: Progress[] = [];
  let now = 5_000;
  const follow = followPlaces(
    progress => told.push(progress),
    () => now,
  );
  follow({ phase: 'relations', done: 1, total: 100 });
  now += 10_000;
  follow({ phase: 'index', done: 0, total: 10 });
  now += 10_000;
  follow({ phase: 'index', done: 10, total: 10 });
  expect(told.map(({ secondsLeft }) => secondsLeft && Math.round(secondsLeft * 10) / 10)).toEqual([undefined, 1.1, 0]);
});
