// A program of others that the service is asked by, and how it is had: from its own registry, into a folder that is
// removed afterwards. Nothing is installed on the machine itself.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './questions.ts';

/** The service that is asked. */
export interface Served {
  /** Host and port. */
  host: string;
  key: string;
}

/** A program, with each of its clients that can ask us. */
export interface Program {
  name: string;
  /** Gets it into an empty folder. @returns its version @throws Missing where it cannot be had */
  install(folder: string): Promise<string>;
  /** By name; each asks through what was installed. */
  clients: Readonly<Record<string, (served: Served, folder: string) => Promise<Findings>>>;
}

/** Why a program cannot be had here. */
export class Missing extends Error {}

const RUN_MILLISECONDS_MAX = 300_000;

/** True if a program is on the path. */
export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Runs a program to its end. @returns what it printed @throws Error with what it printed as errors */
export async function run(program: string, words: readonly string[], environment = {}, cwd?: string): Promise<string> {
  const child = spawn(program, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_MILLISECONDS_MAX,
    ...(cwd !== undefined && { cwd }),
  });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}: ${printed.stderr.trim()}`);
  return printed.stdout;
}

/** Installs packages of npm. @returns the version of the first */
export async function installNpm(folder: string, ...names: string[]): Promise<string> {
  await orMissing(
    run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...names]),
  );
  return JSON.parse(readFileSync(join(folder, 'node_modules', names[0], 'package.json'), 'utf8')).version;
}

/** Installs packages of PyPI in a Python of the folder's own. @returns the version of the first */
export async function installPython(folder: string, ...names: string[]): Promise<string> {
  if (!isInstalled('python3')) throw new Missing('there is no python3 (apt-get install python3-venv)');
  await orMissing(run('python3', ['-m', 'venv', folder]));
  await orMissing(run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...names]));
  const show = await run(join(folder, 'bin/pip'), ['show', '--disable-pip-version-check', names[0]]);
  return /^Version: (.*)$/m.exec(show)![1];
}

/** A registry that cannot be asked is a reason to skip, not a failure. */
export async function orMissing<T>(installing: Promise<T>): Promise<T> {
  return installing.catch(error => {
    throw new Missing((error as Error).message.split('\n').slice(0, 2).join(' '));
  });
}
