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
  expect(told.map(({ secondsLeft }) => secondsLeft && Math.round(secondsLeft * 10) / 10)).toEqual([undefined, 0.6, 0]);
});

test('the estimate is near the truth in every phase, however much of the time houses take', () => {
  // Units and seconds of processor time of an import of 10 million drawn nodes, and of one without a house.
  const measured = [
    ['relations', 67_825_664, 0.3],
    ['nodes', 57_111_938, 1.3],
    ['ways', 10_666_500, 2.5],
    ['rings', 1_000, 0.2],
    ['areas', 2_000, 0.1],
    ['survey', 769_000, 1.2],
    ['roads', 120_000, 2.2],
    ['addresses', 769_000, 8.8],
    ['places', 769_000, 0.5],
    ['index', 4, 1.4],
  ] as const;
  const houseless = measured.map(([phase, total, seconds]) =>
    ['survey', 'addresses', 'places'].includes(phase) ? ([phase, 0, 0] as const) : ([phase, total, seconds] as const),
  );
  for (const [phases, most] of [
    [measured, 1.25],
    [houseless, 1.35],
  ] as const) {
    let now = 0;
    const whole = phases.reduce((sum, [, , seconds]) => sum + seconds, 0);
    const told: Progress[] = [];
    const follow = followPlaces(
      progress => told.push(progress),
      () => now,
    );
    for (const [phase, total, seconds] of phases) {
      follow({ phase, done: 0, total });
      if (['roads', 'addresses', 'places', 'index'].includes(phase)) {
        const estimate = now / 1_000 + told.at(-1)!.secondsLeft!;
        expect(Math.max(estimate / whole, whole / estimate)).toBeLessThan(most);
      }
      now += seconds * 1_000;
      follow({ phase, done: total, total });
    }
    expect(told.at(-1)).toMatchObject({ bytesDone: 1_000, secondsLeft: 0 });
  }
});
