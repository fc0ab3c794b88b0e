// The package that operators install: made, installed into a folder of its own with a home of its own, and used from a
// folder that has nothing to do with it.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makePackage } from '../../deploy/package.ts';
import { send } from '../kits/service_process.ts';

const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENOTCACHED|network/;
const POINTS = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };

const base = mkdtempSync(join(tmpdir(), 'package-'));
const prefix = join(base, 'prefix');
const elsewhere = join(base, 'elsewhere');
const installed = join(prefix, 'lib/node_modules/@sextant-positioning/sextant');
const program = join(prefix, 'bin/sextant');
mkdirSync(elsewhere);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const file = process.platform === 'win32' ? undefined : makePackage(base);
const isInstalled = file !== undefined && install(file);

function install(file: string): boolean {
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--global', '--prefer-offline', '--no-audit', '--prefix', prefix, file],
    { cwd: elsewhere, encoding: 'utf8' },
  );
  if (status !== 0 && UNREACHABLE.test(stderr))
    console.log('Skipped: the dependencies of the package come from a registry, which cannot be reached.');
  else if (status !== 0) throw new Error(`The package cannot be installed: ${stderr}`);
  return status === 0;
}

test('npm pack of a checkout brings no laboratory', () => {
  const printed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' });
  const files: string[] = JSON.parse(printed)[0].files.map(({ path }: { path: string }) => path);
  expect(files).toContain('src/cli.ts');
  expect(files.filter(path => /^(?:lab|bench|test)\//.test(path))).toEqual([]);
});

test('a folder that is not there is a sentence', () => {
  const missing = join(base, 'none');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['deploy/package.ts', missing], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    `There is no folder ${missing} for the package; make it, or name another.\n`,
  ]);
});

/** Runs the program by its name, as a shell finds it. */
function run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, words, { cwd: elsewhere, encoding: 'utf8' });
}

async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  while (!pattern.test(text)) await once(child.stdout!, 'data');
  return pattern.exec(text)![1];
}

describe.skipIf(!isInstalled)('the installed package', () => {
  test('has no sources to compile and nothing to compile them with', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    const own = files.filter(file => !file.startsWith('node_modules/'));
    expect(own.filter(file => file.endsWith('.ts'))).toEqual([]);
    expect(own.filter(file => /^(lab|bench|test)\//.test(file))).toEqual([]);
    expect(
      ['src/cli.js', 'wasm/memory.js', 'build/core.wasm', 'build/lookup.wasm', 'clients/mcp/src/main.js'].filter(
        file => !own.includes(file),
      ),
    ).toEqual([]);
    for (const name of ['assemblyscript', 'binaryen', 'typescript', 'vitest'])
      expect(existsSync(join(installed, 'node_modules', name)), name).toBe(false);
  });

  test('brings the documents and the files of deploy/, but for its programs', () => {
    const documents = execFileSync('git', ['ls-files', 'docs', 'deploy'], { encoding: 'utf8' }).trimEnd().split('\n');
    expect(documents.filter(file => !file.endsWith('.ts') && !existsSync(join(installed, file)))).toEqual([]);
    expect(documents).toContain('deploy/sextant.service');
  });

  test('is small', () => {
    expect(statSync(file!).size).toBeLessThan(12_000_000);
  });

  test('says its version and its mistakes from any folder', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 10);
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${version} (commit ${commit})\n` });
    expect(run('fly').status).toBe(2);
  });

  test('makes its gazetteer with its first command, and not again', () => {
    expect(run('--version').stderr).toBe('');
    const world = join(installed, 'build/world');
    const generations = readdirSync(world).filter(name => /^\d+$/.test(name));
    expect(generations).toEqual([readFileSync(join(world, 'CURRENT'), 'utf8').trim()]);
  });

  test('has the tools for language models', () => {
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26' } };
    const params = { ...request.params, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const input = `${JSON.stringify({ ...request, params })}\n`;
    const { stdout } = spawnSync(program, ['mcp'], { cwd: elsewhere, input, encoding: 'utf8' });
    expect(JSON.parse(stdout).result.serverInfo.name).toBe('sextant');
  });

  test('serves a position, an address and a key, and stops cleanly', async () => {
    const child = spawn(program, ['serve', '--port', '0', '--data', 'data', '--http-threads', '1'], {
      cwd: elsewhere,
      stdio: 'pipe',
    });
    const ended = once(child, 'exit');
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', text => {
      stderr += text;
    });
    try {
      const text = await Promise.race([printed(child, /([\s\S]*Take both out with: .*\n)/), ended.then(() => stderr)]);
      expect(text).toContain('Take both out with: sextant demo remove');
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text)!;
      const [, key] = /Demo key \(shown only now\): (\S+)/.exec(text)!;
      expect((await send(url, { path: `/?key=${key}`, body: POINTS })).json.location).toEqual({
        lat: expect.any(Number),
        lng: expect.any(Number),
      });
      const place = await send(url, { method: 'GET', path: `/reverse?lat=47.14&lon=9.52&format=json&key=${key}` });
      expect(place.json.display_name).toContain('Liechtenstein');
      expect(JSON.parse(run('keys', 'create', '--name', 'fleet', '--data', 'data').stdout).key).toMatch(/^sx_/);
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      expect(readdirSync(elsewhere)).toEqual(['data']);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
