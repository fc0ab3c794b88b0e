// Imported measurements go by the name of their source, and the log and all tables are then those of a world that never
// had them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkFolder } from '../../src/check/check_folder.ts';
import type { Job } from '../../src/jobs/job.ts';
import { listSources } from '../../src/jobs/sources.ts';
import { StationSet } from '../../src/radio/query/station_set.ts';
import { withoutStations } from '../../src/tables/observations/log_row.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { drawnLog } from '../kits/radio/drawn_log.ts';
import { macKey } from '../kits/radio/stations.ts';
import { folderOfFile, temporaryFolder } from '../kits/temporary_folder.ts';
import { World } from './world.ts';

const base = folderOfFile();
const START = 1_750_000_000;
/** Reports of accounts, which come between the imports, without the null address, which no intake lets pass. */
const CONTRIBUTED = drawnLog(7, 300)
  .map(report => withoutStations(report, new StationSet([macKey(0)])))
  .filter(({ contributor, observations }) => contributor !== 0 && observations.length > 0);

/**
 * A walk past access points of which each is heard a few times. @param first its number tells the walk, and where it
 * goes, from others
 */
function walk(first: number, count: number): string {
  return Array.from({ length: count }, (_, i) => {
    const n = first + i;
    const aps = [0, 1, 2].map(k => [
      `88:f7:c7:00:${(n >> 8).toString(16).padStart(2, '0')}:${((n + k) & 255).toString(16).padStart(2, '0')}`,
      -50 - 4 * k,
      6,
    ]);
    return `${JSON.stringify({ g: 'walk', t: START + 60 * n, lat: 50.8 + n * 1e-5, lon: 4.4, acc: 5, aps })}\n`;
  }).join('');
}

/** A walk past the same access points at another place. */
const moved = (lines: string) => lines.replaceAll('"lat":50.8', '"lat":50.9').replaceAll('"g":"walk"', '"g":"other"');

/** What happens to a folder: reports of accounts, or a file under a name. */
type Step = { teach: typeof CONTRIBUTED } | { source?: string; lines: string };

async function openWorld(folder: string): Promise<World> {
  return World.open(folder);
}

const run = (world: World, job: Job) =>
  world.owner.run(job, { folder: world.folder, sync: 'commit', onProgress: () => {} });

async function take(world: World, steps: readonly Step[]): Promise<void> {
  for (const [n, step] of steps.entries()) {
    if ('teach' in step) {
      await world.teach(step.teach);
      continue;
    }
    const file = join(base, `${n}.jsonl`);
    writeFileSync(file, step.lines);
    await run(world, {
      verb: 'import',
      kind: 'observations',
      files: [file],
      ...(step.source && { source: step.source }),
    });
  }
  await run(world, { verb: 'aggregate', action: 'all' });
}

async function worldOf(steps: readonly Step[]): Promise<string[]> {
  const world = await openWorld(temporaryFolder());
  await take(world, steps);
  return world.close();
}

const A = { source: 'a', lines: walk(0, 120) };
const B = { source: 'b', lines: walk(60, 150) + moved(walk(60, 40)) };
const C = { source: 'c', lines: moved(walk(300, 90)) };
const D = { source: 'b', lines: walk(400, 30) };
const [BEFORE, AFTER] = [{ teach: CONTRIBUTED.slice(0, 120) }, { teach: CONTRIBUTED.slice(120) }];

test('one of three imports is taken out as if it had never been, with what was added to it later', async () => {
  const folder = temporaryFolder();
  const world = await openWorld(folder);
  // All reports of b are new: those at the places of a are of another time of the same walk.
  const [onlyB, a] = [{ source: 'b', lines: B.lines.replaceAll('"acc":5', '"acc":6') }, A];
  await take(world, [BEFORE, a, onlyB, AFTER, C, D]);
  expect((await listSources(folder)).map(({ name, kind, rows }) => [name, kind, rows])).toEqual([
    ['a', 'observations', 120],
    ['b', 'observations', 220],
    ['c', 'observations', 90],
  ]);
  expect(await run(world, { verb: 'sources', action: 'remove', name: 'b' })).toMatchObject({ reports: 220 });
  expect((await listSources(folder)).map(({ name }) => name)).toEqual(['a', 'c']);
  expect(await world.close()).toEqual(await worldOf([BEFORE, a, AFTER, C]));
  expect((await checkFolder(folder, false, () => {})).findings).toEqual([]);
});

test('a report that another source has too stays, until that goes as well', async () => {
  const folder = temporaryFolder();
  const world = await openWorld(folder);
  await take(world, [A, { source: 'b', lines: A.lines + C.lines }]);
  expect(await run(world, { verb: 'sources', action: 'remove', name: 'a' })).toMatchObject({ reports: 0 });
  expect(await run(world, { verb: 'sources', action: 'remove', name: 'b' })).toMatchObject({
    reports: 210,
    stations: 0,
  });
  expect(await listSources(folder)).toEqual([]);
  await world.close();
});

test('a report that came once more without a source stays', async () => {
  const folder = temporaryFolder();
  const world = await openWorld(folder);
  await take(world, [A, { lines: walk(100, 20) }]);
  expect(await run(world, { verb: 'sources', action: 'remove', name: 'a' })).toMatchObject({ reports: 100 });
  await world.close();
  expect((await checkFolder(folder, false, () => {})).findings).toEqual([]);
});

test('a station that is forgotten does not free its reports of their source', async () => {
  const world = await openWorld(temporaryFolder());
  await take(world, [A]);
  expect(await world.forget({ what: 'stations', names: ['88:f7:c7:00:00:05'] })).toMatchObject({ changedReports: 3 });
  expect(await run(world, { verb: 'sources', action: 'remove', name: 'a' })).toMatchObject({
    reports: 120,
    stations: 0,
  });
  await world.close();
});

test('what cannot be learned again is refused, and so is a name of another kind', async () => {
  const folder = temporaryFolder();
  let world = await openWorld(folder);
  await world.import('list', ['88:f7:c7:00:00:01']);
  const file = join(base, 'refused.jsonl');
  writeFileSync(file, A.lines);
  await expect(run(world, { verb: 'import', kind: 'observations', files: [file], source: 'list' })).rejects.toThrow(
    'The source "list" holds wifi; name this import of observations otherwise with --source.',
  );
  await take(world, [A]);
  await expect(world.import('a', ['88:f7:c7:00:00:02'])).rejects.toThrow(
    'The source "a" holds observations; name this import of wifi otherwise with --source.',
  );
  await world.close();
  const log = new ObservationLog(folder, 'commit');
  expect(await log.prune(1, 50, Date.now() + 3 * 86_400_000)).toBe(50);
  await log.close();
  world = await openWorld(folder);
  await expect(run(world, { verb: 'sources', action: 'remove', name: 'a' })).rejects.toThrow(
    'Measurements can be taken out only while the log holds all reports, and those up to 50 were dropped ' +
      '(--keep-observations)',
  );
  expect((await listSources(folder)).map(({ name }) => name)).toEqual(['list', 'a']);
  await world.close();
});
