// Runs the tests of the Python client in an environment of its own, which is made once in build/: they ask a service
// that is started here. Then the package is built and its types are checked.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FEW_THREADS } from '../../../test/kits/served_service.ts';
import { ServiceProcess } from '../../../test/kits/service_process.ts';
import { folderOfFile } from '../../../test/kits/temporary_folder.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENVIRONMENT = join(ROOT, 'build', 'python');
const PYTHON = join(ENVIRONMENT, 'bin', 'python');
/** What the tests in Python are told. */
const keys: Record<string, string> = {};
const missing = whatIsMissing();
if (missing !== undefined) console.log(`Skipped: the Python client cannot be tested, as ${missing}.`);

/** Makes the environment. @returns what keeps it from being made */
function whatIsMissing(): string | undefined {
  if (run('python3', '-c', 'import sys, venv; sys.exit(sys.version_info < (3, 11))').status !== 0)
    return 'there is no Python 3.11 with venv';
  if (!existsSync(PYTHON) && run('python3', '-m', 'venv', ENVIRONMENT).status !== 0) return 'venv makes no environment';
  const words = ['install', '--quiet', '--disable-pip-version-check', '--editable', '.[build,test]'];
  const { status, stderr } = run(PYTHON, '-m', 'pip', ...words);
  return status === 0 ? undefined : `pip installs nothing: ${stderr.trim().split('\n').at(-1)}`;
}

function run(program: string, ...words: string[]) {
  return spawnSync(program, words, { cwd: FOLDER, encoding: 'utf8', env: { ...process.env, ...keys } });
}

function must(program: string, ...words: string[]): string {
  const { status, stdout, stderr } = run(program, ...words);
  expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
  return stdout;
}

describe.skipIf(missing !== undefined)('the Python client', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await ServiceProcess.start(join(folderOfFile(), 'var'), ...FEW_THREADS);
    keys.SEXTANT_TEST_URL = service.url;
    keys.SEXTANT_TEST_KEY = (await service.key({ explain: true })).key;
    keys.SEXTANT_TEST_SPENT = (await service.key({ credits: 0 })).key;
    keys.SEXTANT_TEST_SLOW = (await service.key({ ratePerSecond: 1 })).key;
  });
  afterAll(() => service?.stop());

  test('passes its own tests against a service', async () => {
    expect(must(PYTHON, '-m', 'pytest', '--quiet', '-p', 'no:cacheprovider', 'tests')).toMatch(/\d+ passed/);
  });

  test('has types that the example of its README fits, and a package with them', () => {
    must(PYTHON, 'generate.py');
    must(PYTHON, '-m', 'mypy', '--cache-dir', join(ENVIRONMENT, 'mypy'), 'src/sextant');
    const [, example] = /^```python\n(.*?)^```/ms.exec(readFileSync(join(FOLDER, 'README.md'), 'utf8'))!;
    must(PYTHON, '-m', 'mypy', '--cache-dir', join(ENVIRONMENT, 'mypy'), '--command', example);
    const out = join(folderOfFile(), 'dist');
    must(PYTHON, '-m', 'build', '--quiet', '--outdir', out);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const wheel = `sextant_positioning-${version}-py3-none-any.whl`;
    expect(readdirSync(out).sort()).toEqual([wheel, `sextant_positioning-${version}.tar.gz`]);
    const files = must(PYTHON, '-m', 'zipfile', '--list', join(out, wheel));
    for (const file of ['schema.py', 'py.typed', 'client.py']) expect(files).toContain(`sextant/${file}`);
    rmSync(out, { recursive: true });
  });
});
