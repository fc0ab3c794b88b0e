import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { expect, test } from 'vitest';
import { openEnvironment } from '../../../src/tables/environment/open_environment.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

const KEY = Buffer.from('key');
const VALUE = Buffer.from('value');

test('processes that open and close an environment at the same time all succeed', async () => {
  const folder = await environment();
  const children = Array.from({ length: 6 }, () => child(folder, 'use 60'));
  expect(await Promise.all(children.map(said))).toEqual(children.map(() => 'done'));
});

test('an environment is opened only after another process has closed it', async () => {
  const folder = await environment();
  const closing = child(folder, 'close slowly');
  await once(closing.stdout!, 'data');
  const root = openEnvironment(folder, { readOnly: true });
  expect(existsSync(join(folder, 'done'))).toBe(true);
  expect(root.get(KEY)).toEqual(VALUE);
  await root.close();
  expect(await ended(closing)).toBe(0);
});

test('whoever closes an environment leaves the turn to the next line', async () => {
  const folder = await environment();
  const root = openEnvironment(folder);
  const closed = root.close();
  // What awaits the end of the closing runs later than what LMDB calls at that end.
  for (let turns = 0; (root as unknown as { status: string }).status !== 'closed' && turns < 1_000; turns++)
    await Promise.resolve();
  const file = openSync(join(folder, 'data.mdb'), 'r+');
  expect(tryLock(file, 2 ** 52, 1)).toBe(true);
  closeSync(file);
  await closed;
});

test('a process that was stopped while it closed keeps nobody waiting forever', async () => {
  const folder = await environment();
  const closing = child(folder, 'close slowly');
  await once(closing.stdout!, 'data');
  closing.kill('SIGSTOP');
  const root = openEnvironment(folder, { readOnly: true });
  expect(root.get(KEY)).toEqual(VALUE);
  closing.kill('SIGKILL');
  await root.close();
});

test('an environment that is missing is not made by a reader', () => {
  expect(() => openEnvironment(join(temporaryFolder(), 'missing'), { readOnly: true })).toThrow(
    'No such file or directory',
  );
});

async function environment(): Promise<string> {
  const folder = temporaryFolder();
  const root = openEnvironment(folder);
  root.putSync(KEY, VALUE);
  await root.close();
  return folder;
}

function child(folder: string, what: string): ChildProcess {
  const arguments_ = [join(import.meta.dirname, 'environment_child.ts'), folder, ...what.split(' ')];
  return spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function said(process: ChildProcess): Promise<string> {
  let text = '';
  process.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await ended(process);
  return text.trim();
}

async function ended(process: ChildProcess): Promise<number | null> {
  if (process.exitCode === null && process.signalCode === null) await once(process, 'close');
  return process.exitCode;
}
