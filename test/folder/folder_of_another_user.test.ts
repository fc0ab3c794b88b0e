// Commands of root in the folder of a service that runs as somebody else: what they write is that user's, so the
// service can go on.

import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const PROGRAM = resolve('src/sextant.js');
const USER = 4711;
const GROUP = 4712;
const IS_ROOT = process.getuid?.() === 0;
if (!IS_ROOT) console.log('Skipped: to act as another user needs root.');

let base: string;
let folder: string;
beforeEach(() => {
  base = temporaryFolder();
  chmodSync(base, 0o755);
  folder = join(base, 'var');
});

/** Runs the program, as the user of the service or as root. */
function run(isRoot: boolean, ...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const user = isRoot ? {} : { uid: USER, gid: GROUP };
  return spawnSync(process.execPath, [PROGRAM, ...words], { ...user, encoding: 'utf8', input: '' });
}

/** Paths in the folder that are not of the user of the service. */
function foreign(): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter(
    name => lstatSync(join(folder, name)).uid !== USER || lstatSync(join(folder, name)).gid !== GROUP,
  );
}

/** A folder that its user has made, of which some locks are missing, as after a restore. */
function makeFolder(): void {
  mkdirSync(folder);
  chownSync(folder, USER, GROUP);
  expect(run(false, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0 });
}

test.runIf(IS_ROOT)('a command of root in the folder of another user goes on as that user, and says so', () => {
  makeFolder();
  for (const words of [
    ['keys', 'create'],
    ['secret', 'rotate'],
    ['import', 'cells', 'docs/examples/cells.csv'],
    ['status'],
    ['check'],
  ]) {
    const { status, stderr } = run(true, ...words, '--data', folder);
    expect({ words, status, stderr: stderr.split('\n')[0] }).toEqual({
      words,
      status: 0,
      stderr: `The data folder ${folder} belongs to user ${USER}: this process goes on as that user, not as root.`,
    });
    expect(foreign(), words.join(' ')).toEqual([]);
  }
  expect(run(false, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
});

test.runIf(IS_ROOT)('so does the first command in an empty folder of another user', () => {
  mkdirSync(folder);
  chownSync(folder, USER, GROUP);
  expect(run(true, 'keys', 'create', '--data', folder).status).toBe(0);
  expect(foreign()).toEqual([]);
  expect(run(false, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
});

test.runIf(IS_ROOT)('commands that only read leave nothing of root', () => {
  makeFolder();
  const locks = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('lock.mdb'));
  expect(locks.length).toBeGreaterThan(2);
  for (const name of locks) rmSync(join(folder, name));
  for (const words of [
    ['log', '--limit', '1'],
    ['export', 'observations'],
    ['export', 'stations'],
    ['station', '02:00:00:00:00:01'],
  ])
    expect({ words, status: run(true, ...words, '--data', folder).status }).toEqual({
      words,
      status: words[0] === 'station' ? 1 : 0,
    });
  expect(foreign()).toEqual([]);
  expect(run(false, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
});

test.runIf(IS_ROOT)('a restore of root into a folder of another user is that user’s', () => {
  makeFolder();
  const backup = join(base, 'backup');
  mkdirSync(backup);
  chownSync(backup, USER, GROUP);
  chownSync(base, USER, GROUP);
  expect(run(false, 'backup', backup, '--data', folder).status).toBe(0);
  folder = join(base, 'restored');
  mkdirSync(folder);
  chownSync(folder, USER, GROUP);
  expect(run(true, 'restore', backup, '--data', folder).status).toBe(0);
  expect(foreign()).toEqual([]);
  expect(run(false, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
});

test.runIf(IS_ROOT)('a folder of root stays one of root, also in one that is mounted for somebody else', () => {
  mkdirSync(folder);
  expect(run(true, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
  chownSync(folder, USER, GROUP);
  chmodSync(folder, 0o755);
  expect(run(true, 'keys', 'create', '--data', folder)).toMatchObject({ status: 0, stderr: '' });
  expect(statSync(join(folder, 'FORMAT')).uid).toBe(0);
});
