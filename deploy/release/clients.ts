// The clients as packages of their own: those of npm, and wheel and sources for Python, built in an environment in
// build/packages that is made once.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './checkout.ts';

const FOR_NPM = ['@sextant-positioning/client', '@sextant-positioning/mcp'];
const ENVIRONMENT = join(ROOT, 'build/packages/python');
const PYTHON = join(ENVIRONMENT, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');
/** What builds and types the Python client: its name is in what it makes. */
const BUILDERS = ['build==1.6.1', 'datamodel-code-generator==0.89.0', 'hatchling==1.33.0'];

/** Packs them. @param folder where they are put @throws Error when npm or Python fails */
export function packClients(folder: string): void {
  for (const name of FOR_NPM) run('npm', 'pack', '--silent', `--workspace=${name}`, `--pack-destination=${folder}`);
  if (!existsSync(PYTHON)) {
    run('python3', '-m', 'venv', ENVIRONMENT);
    run(PYTHON, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...BUILDERS);
  }
  const client = join(ROOT, 'clients/python');
  run(PYTHON, join(client, 'generate.py'));
  // Its builder gives files the time of SOURCE_DATE_EPOCH.
  run(PYTHON, '-m', 'build', '--no-isolation', '--outdir', folder, client);
}

function run(program: string, ...words: string[]): void {
  // As a shell of its own, not as the script that makes the release.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
  execFileSync(program, words, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] });
}
