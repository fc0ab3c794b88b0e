import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open } from 'lmdb';
import { describe, expect, test } from 'vitest';
import {
  countStations,
  currentGeneration,
  describeGeneration,
  dropGeneration,
  generationPath,
  makeScratchFolder,
  openGeneration,
  publishGeneration,
  removeLeftovers,
  startGeneration,
} from '../../../src/tables/stations/generation.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

/** Publishes a generation with one station; enough pages for a file that can lose its end. */
async function publish(folder: string, stations = 1): Promise<number> {
  const { n, generation } = startGeneration(folder);
  generation.root.transactionSync(() => {
    for (let i = 0; i < stations; i++)
      generation.stations.putSync(Buffer.from(`01${i.toString(16).padStart(12, '0')}`, 'hex'), Buffer.alloc(24));
    describeGeneration(generation, stations);
  });
  await generation.root.close();
  publishGeneration(folder, n);
  return n;
}

describe('the live generation', () => {
  test('is none in a new folder', () => {
    expect(currentGeneration(temporaryFolder())).toBeUndefined();
  });

  test('is the last one published', async () => {
    const folder = temporaryFolder();
    expect(await publish(folder)).toBe(1);
    expect(await publish(folder)).toBe(2);
    expect(currentGeneration(folder)).toBe(2);
    expect(readFileSync(join(folder, 'stations', 'CURRENT'), 'utf8')).toBe('2\n');
  });

  test('stays while another is being built', async () => {
    const folder = temporaryFolder();
    await publish(folder);
    const { n, generation } = startGeneration(folder);
    expect(currentGeneration(folder)).toBe(1);
    await generation.root.close();
    dropGeneration(folder, n);
    expect(readdirSync(join(folder, 'stations')).sort()).toEqual(['1', 'CURRENT']);
  });

  test('is refused when CURRENT is damaged or its generation is missing', async () => {
    const folder = temporaryFolder();
    await publish(folder);
    for (const text of ['', '1', 'one\n', '-1\n', '1\n2\n']) {
      writeFileSync(join(folder, 'stations', 'CURRENT'), text);
      expect(() => currentGeneration(folder)).toThrow('CURRENT is damaged: it should hold the number of a generation.');
    }
    writeFileSync(join(folder, 'stations', 'CURRENT'), '7\n');
    expect(() => currentGeneration(folder)).toThrow('names generation 7, which is missing.');
  });
});

describe('an opened generation', () => {
  test('holds what was written, and several may have it open', async () => {
    const folder = temporaryFolder();
    await publish(folder, 5);
    const reader = openGeneration(generationPath(folder, 1));
    const writer = openGeneration(generationPath(folder, 1));
    expect(countStations(reader)).toBe(5);
    expect(writer.meta.get('generation')).toMatchObject({ format: 3, count: 5 });
    await reader.root.close();
    await writer.root.close();
  });

  const FOREIGN: [string, (path: string) => unknown, string][] = [
    [
      'text',
      path => writeFileSync(join(path, 'data.mdb'), 'radio,mcc,net\n'.repeat(1000)),
      'its data file is no LMDB database',
    ],
    ['an empty file', path => writeFileSync(join(path, 'data.mdb'), ''), 'it has no data file'],
    ['no file', () => {}, 'it has no data file'],
    ['another LMDB database', path => foreignDatabase(path), 'it is no station table'],
    ['a newer format', path => newerDatabase(path), 'it has format 99, and this version reads format 3'],
  ];
  test.each(FOREIGN)('is refused when it is %s', async (_, fill, reason) => {
    const path = join(temporaryFolder(), '1');
    mkdirSync(path);
    await fill(path);
    expect(() => openGeneration(path)).toThrow(`The station tables in ${path} cannot be used: `);
    expect(() => openGeneration(path)).toThrow(reason);
  });

  test('is refused when its file has lost its end', async () => {
    const folder = temporaryFolder();
    await publish(folder, 100_000);
    truncateSync(join(generationPath(folder, 1), 'data.mdb'), 1_000_000);
    expect(() => openGeneration(generationPath(folder, 1))).toThrow(
      'its data file has lost its end (1000000 bytes of about',
    );
    truncateSync(join(generationPath(folder, 1), 'data.mdb'), 5000);
    expect(() => openGeneration(generationPath(folder, 1))).toThrow(
      /its data file (is no LMDB database|has lost its end)/,
    );
  });
});

async function foreignDatabase(path: string): Promise<void> {
  const root = open({ path, maxDbs: 4, noSubdir: false });
  root.putSync('a', 1);
  await root.close();
}

async function newerDatabase(path: string): Promise<void> {
  const root = open({ path, encoding: 'binary', keyEncoding: 'binary', maxDbs: 4, noSubdir: false });
  root.openDB('meta', { encoding: 'json', keyEncoding: 'ordered-binary' }).putSync('generation', { format: 99 });
  for (const name of ['stations', 'areas']) root.openDB(name, { encoding: 'binary', keyEncoding: 'binary' });
  await root.close();
}

test('looking at another LMDB database leaves it as it is', async () => {
  const path = join(temporaryFolder(), '1');
  mkdirSync(path);
  await foreignDatabase(path);
  const before = readFileSync(join(path, 'data.mdb'));
  expect(() => openGeneration(path)).toThrow('it is no station table');
  expect(readFileSync(join(path, 'data.mdb')).equals(before)).toBe(true);
});

describe('leftovers', () => {
  test('are scratch folders, unfinished generations and those no longer live', async () => {
    const folder = temporaryFolder();
    await publish(folder);
    await publish(folder);
    const { generation } = startGeneration(folder);
    await generation.root.close();
    const scratch = makeScratchFolder(folder);
    writeFileSync(join(scratch, 'run-0'), 'x');
    writeFileSync(join(folder, 'stations', 'CURRENT.partial'), '3');
    mkdirSync(join(folder, 'accounts'));

    removeLeftovers(folder);
    expect(readdirSync(folder).sort()).toEqual(['accounts', 'stations']);
    expect(readdirSync(join(folder, 'stations')).sort()).toEqual(['2', 'CURRENT']);
    expect(currentGeneration(folder)).toBe(2);
  });

  test('are not generations whose CURRENT was lost', async () => {
    const folder = temporaryFolder();
    await publish(folder);
    rmSync(join(folder, 'stations', 'CURRENT'));
    removeLeftovers(folder);
    expect(existsSync(generationPath(folder, 1))).toBe(true);
    expect(await publish(folder)).toBe(2);
  });

  test('of an earlier process do not stand in the way of a new generation', async () => {
    const folder = temporaryFolder();
    const { n, generation } = startGeneration(folder);
    generation.stations.putSync(Buffer.from('01ffffffffffff', 'hex'), Buffer.alloc(24));
    await generation.root.close();
    expect(await publish(folder)).toBe(n);
    const published = openGeneration(generationPath(folder, n));
    expect(countStations(published)).toBe(1);
    await published.root.close();
  });

  test('are none in a new folder', () => {
    const folder = temporaryFolder();
    removeLeftovers(folder);
    removeLeftovers(join(folder, 'missing'));
    expect(readdirSync(folder)).toEqual([]);
  });
});
