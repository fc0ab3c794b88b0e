import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describePlacesSummary } from '../../src/commands/progress.ts';
import { followPlaces, importPlaces } from '../../src/jobs/import_places.ts';
import type { AddressesJob, Progress } from '../../src/jobs/job.ts';
import { listSources } from '../../src/jobs/sources.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

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

test('addresses and postcodes of tables are sources with their rows, and say what they did', async () => {
  const folder = temporaryFolder();
  const table = (name: string, ...lines: string[]) => {
    const path = join(folder, name);
    writeFileSync(path, lines.join('\n'));
    return path;
  };
  const houses = ['Nr,STREET,LON,LAT', '1,Weg,9.5,47.1', '1,WEG,9.5,47.1', '2,Weg,9.5,47.1001', ',Weg,9.5,47.1'];
  const told: Progress[] = [];
  const run = (job: Omit<AddressesJob, 'verb'>) =>
    importPlaces({ verb: 'import', ...job }, folder, progress => told.push(progress));
  const first = { kind: 'addresses' as const, files: [table('houses.csv', ...houses)], source: 'register' };
  const summary = await run({ ...first, columns: { number: ['Nr'] }, country: 'LI', licence: 'free' });
  expect(describePlacesSummary(summary).split('\n')).toEqual([
    'Accepted 3 rows. Refused 1 row: 1 by number.',
    `  ${first.files[0]}, line 5: it has no house number`,
    'Imported 0 areas, 0 roads, 2 house numbers, 0 other places and 0 postcodes.',
    'Joined 0 settlements with their boundaries.',
    'Joined 1 row of addresses with the same house of another source.',
    'Added 1 street that only addresses name.',
    'The tables hold 3 places.',
    '',
  ]);
  expect([told[0], told.at(-1)]).toMatchObject([{ phase: 'reading', rows: 3 }, { phase: 'index' }]);
  await run({ kind: 'postcodes', files: [table('codes.csv', 'postcode,lat,lon', '9490,47.1,9.5')], source: 'codes' });
  expect(await listSources(folder)).toMatchObject([
    { name: 'register', kind: 'addresses', rows: 3 },
    { name: 'codes', kind: 'postcodes', rows: 1 },
  ]);
  await expect(run({ ...first, kind: 'postcodes' })).rejects.toThrow(
    'The source "register" holds addresses; name this import of postcodes otherwise with --source.',
  );
  const removal = { verb: 'sources', action: 'remove', kind: 'osm', name: 'register' } as const;
  expect(await importPlaces(removal, folder, () => {})).toMatchObject({ places: 1 });
});
