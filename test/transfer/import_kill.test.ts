// Kills an import at many points of its way. Whatever the moment, the tables are those before it or those after it,
// whole.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { liveSources } from '../../src/tables/sources/load_source.ts';
import { removeUnusedSources } from '../../src/tables/sources/sources.ts';
import { currentGeneration, generationPath, removeLeftovers } from '../../src/tables/stations/generation.ts';
import { readTables } from '../kits/radio/read_tables.ts';
import { uniform } from '../kits/random.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

function writeList(path: string, count: number, latitude: number): string {
  const rows = Array.from(
    { length: count },
    (_, i) => `LTE,206,1,${i % 50},${70_000 + i},88,4.35,${latitude},1500,42,1,1459814306,1741057142,0`,
  );
  writeFileSync(path, rows.join('\n'));
  return path;
}

/** Imports a list, as a source of its own. */
function importUntil(folder: string, list: string, isTime: () => boolean): Promise<boolean> {
  return runUntil(folder, ['cells', basename(list), list], isTime);
}

/**
 * Runs an import or a removal in a process of its own and kills it when `isTime`. @returns false when it came to its
 * end before
 */
async function runUntil(folder: string, words: string[], isTime: () => boolean): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, ['test/transfer/import_child.ts', folder, ...words], {
    stdio: 'ignore',
  });
  let signal: NodeJS.Signals | null | undefined;
  const ended = new Promise<void>(resolve => {
    child.on('exit', (_, by) => {
      signal = by;
      resolve();
    });
  });
  while (signal === undefined && !isTime()) await nextTurn();
  child.kill('SIGKILL');
  await ended;
  return signal === 'SIGKILL';
}

/** Tables without the time of their building; `all` is text, which compares faster than thousands of objects. */
async function contents(folder: string) {
  const { stations, areas, meta } = await readTables(folder);
  const latitudes = [...stations.values()].map(station => station.latitude);
  return { all: JSON.stringify([...stations, ...areas]), latitudes, areas, count: meta.count };
}

/**
 * Removes what a kill has left, as the owner does at its start. Every source in the list has its file then, and no file
 * is left over.
 */
async function cleanUp(folder: string): Promise<void> {
  removeLeftovers(folder);
  const sources = await liveSources(folder);
  removeUnusedSources(folder, sources);
  expect(readdirSync(join(folder, 'sources')).sort()).toEqual(sources.map(({ file }) => `${file}.records`).sort());
}

function hasScratch(folder: string): boolean {
  return readdirSync(folder).some(name => name.startsWith('import-'));
}

test('a kill while a new generation is built', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  const random = uniform(11);
  await importUntil(folder, writeList(join(files, 'first.csv'), 10_000, 50), () => false);
  let before = await contents(folder);
  let kills = 0;
  for (let round = 0; round < 10; round++) {
    const latitude = 51 + round / 10;
    const list = writeList(join(files, `${round}.csv`), 15_000, latitude);
    const n = currentGeneration(folder)! + 1;
    const partial = join(`${generationPath(folder, n)}.partial`, 'data.mdb');
    const bytes = Math.floor(random() * 700_000);
    const moments = [
      () => hasScratch(folder),
      () => (statSync(partial, { throwIfNoEntry: false })?.size ?? -1) >= bytes,
      () => existsSync(generationPath(folder, n)),
      () => existsSync(join(folder, 'stations', 'CURRENT.partial')),
      () => currentGeneration(folder) === n,
    ];
    if (await importUntil(folder, list, moments[round % moments.length])) kills++;

    const after = await contents(folder);
    if (currentGeneration(folder) === n) {
      expect(after.count).toBe(15_000);
      expect(new Set(after.latitudes)).toEqual(new Set([latitude]));
      expect([...after.areas.values()].map(area => area.latitude)).toEqual(Array(50).fill(expect.closeTo(latitude, 6)));
    } else {
      expect(after.all === before.all).toBe(true);
    }
    before = after;
    await cleanUp(folder);
    expect(readdirSync(folder).sort()).toEqual(['sources', 'stations']);
    expect(readdirSync(join(folder, 'stations')).sort()).toEqual([String(currentGeneration(folder)), 'CURRENT']);
  }
  expect(kills).toBeGreaterThan(0);
});

test('a kill while the live generation is changed', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  await importUntil(folder, writeList(join(files, 'first.csv'), 50_000, 50), () => false);
  const table = join(generationPath(folder, 1), 'data.mdb');
  let turnsOfImport = 0;
  await importUntil(
    folder,
    writeList(join(files, 'whole.csv'), 240, 50.5),
    () => hasScratch(folder) && turnsOfImport++ < 0,
  );
  const random = uniform(12);
  let before = await contents(folder);
  for (let round = 0; round < 4; round++) {
    const latitude = 51 + round / 10;
    const list = writeList(join(files, `${round}.csv`), 240, latitude);
    // At some point of its way, or as soon as the commit has begun to write.
    let turns = Math.floor(random() * turnsOfImport);
    const written = statSync(table).mtimeMs;
    const moments = [() => hasScratch(folder) && turns-- <= 0, () => statSync(table).mtimeMs !== written];
    await importUntil(folder, list, moments[round % 2]);

    const after = await contents(folder);
    expect(currentGeneration(folder)).toBe(1);
    const changed = after.latitudes.filter(value => value === latitude).length;
    expect([0, 240]).toContain(changed);
    if (changed === 0) expect(after.all === before.all).toBe(true);
    before = after;
    await cleanUp(folder);
  }
});

test('a kill while a source is taken out', async () => {
  const [folder, files] = [temporaryFolder(), temporaryFolder()];
  await importUntil(folder, writeList(join(files, 'a.csv'), 12_000, 50), () => false);
  const without = await contents(folder);
  let kills = 0;
  for (let round = 0; round < 6; round++) {
    await importUntil(folder, writeList(join(files, 'b.csv'), 14_000, 51), () => false);
    const before = await contents(folder);
    const partial = join(`${generationPath(folder, currentGeneration(folder)! + 1)}.partial`, 'data.mdb');
    const moments = [
      () => readdirSync(folder).some(name => name.startsWith('import-') && existsSync(join(folder, name, 'changes'))),
      () => (statSync(partial, { throwIfNoEntry: false })?.size ?? -1) >= 100_000,
      () => existsSync(join(folder, 'stations', 'CURRENT.partial')),
    ];
    if (await runUntil(folder, ['remove', 'b.csv'], moments[round % moments.length])) kills++;
    const after = await contents(folder);
    const isRemoved = (await liveSources(folder)).length === 1;
    expect(after.all === (isRemoved ? without : before).all).toBe(true);
    await cleanUp(folder);
  }
  expect(kills).toBeGreaterThan(0);
});
