// The files of deploy/ against the service and against the programs that read them, where those are there.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/public_routes.ts';
import { readDocument } from '../docs/markdown.ts';
import { runSextant } from '../kits/service_process.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const HEALTH_PATHS = ROUTES.filter(({ operation }) => operation.tag === 'health').map(({ path }) => path);

const read = (name: string): string => readFileSync(join('deploy', name), 'utf8');
const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const HAS_SYSTEMD = has('systemd-analyze');
if (!HAS_SYSTEMD) console.log('Skipped: systemd-analyze is not installed, so it cannot read its file in deploy/.');

/** Instructions of the container file, in order, with their continued lines. */
const steps = read('Containerfile')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter(line => /^[A-Z]/.test(line))
  .map(line => line.split(/ (.*)/, 2) as [instruction: string, words: string]);

test('every file is explained in the document, and the paths that they ask are those of the service', () => {
  const text = ['docs/deploying.md', 'docs/installing.md', 'CONTRIBUTING.md'].map(readDocument).join();
  for (const name of readdirSync('deploy')) expect(text, name).toContain(`deploy/${name}`);
  for (const name of ['Containerfile', 'Caddyfile']) {
    const asked = [...read(name).matchAll(/(?:8080|health_uri )(\/\w+)/g)].map(([, path]) => path);
    expect(asked.length, name).toBeGreaterThan(0);
    expect(asked.filter(path => !HEALTH_PATHS.includes(path))).toEqual([]);
  }
});

test('the settings that they make are settings of the service', async () => {
  const { stdout } = await runSextant('serve', '--help');
  for (const name of ['sextant.service', 'Containerfile', 'compose.yaml']) {
    const settings = [...new Set(read(name).match(/\bSEXTANT_[A-Z_]+/g))].filter(each => each !== 'SEXTANT_UPSTREAM');
    expect(
      settings.filter(each => !new RegExp(`\\b${each}\\b`).test(stdout)),
      name,
    ).toEqual([]);
  }
});

test('the unit knows neither where the service listens nor where npm has put the program', () => {
  const unit = read('sextant.service').replace(/^#.*\n/gm, '');
  expect(unit).not.toMatch(/\b8080\b|https?:/);
  expect(unit).not.toContain('/usr/local');
  const [program, ...words] = /^ExecStart=(.*)$/m.exec(unit)![1].split(' ');
  for (const bin of ['/usr/bin', '/usr/local/bin'].map(path => join(temporaryFolder(), path))) {
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'sextant'), '#!/bin/sh\necho "$0 $@"\n', { mode: 0o755 });
    expect(execFileSync(program, words, { env: { PATH: `${bin}:/bin` }, encoding: 'utf8' })).toBe(
      `${join(bin, 'sextant')} serve\n`,
    );
  }
});

describe.skipIf(!HAS_SYSTEMD)('systemd', () => {
  test('reads the unit without a warning', () => {
    const unit = join(temporaryFolder(), 'sextant.service');
    writeFileSync(unit, read('sextant.service'));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(stderr.split('\n').filter(line => line.includes('sextant.service'))).toEqual([]);
    expect(status).toBe(0);
  });

  test('finds it little exposed', () => {
    const printed = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', 'deploy/sextant.service'],
      { encoding: 'utf8' },
    );
    expect(Number(/Overall exposure level for sextant\.service: ([\d.]+)/.exec(printed)![1])).toBeLessThan(2.5);
  });
});

describe('the container file', () => {
  test('makes and installs the package with commands that the package test runs', () => {
    const runs = steps.filter(([instruction]) => instruction === 'RUN').map(([, words]) => words);
    expect(runs[0]).toBe('npm ci');
    expect(runs[1]).toMatch(/^npm run package -- \//);
    expect(runs[2]).toMatch(/^npm install --global --no-audit \/tmp\/sextant-positioning-sextant-\*\.tgz /);
    const { name, scripts, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(name).toBe('@sextant-positioning/sextant');
    expect(scripts.package).toBe('node deploy/package.ts');
    expect(Object.keys(bin)).toEqual(JSON.parse(steps.find(([instruction]) => instruction === 'ENTRYPOINT')![1]));
  });

  test('is not made of data, keys or what another system has built', () => {
    const left = readFileSync('.dockerignore', 'utf8').split('\n');
    for (const line of [
      ...readFileSync('.gitignore', 'utf8')
        .split('\n')
        .filter(each => /^\/?\w+\/?$/.test(each)),
      '.git',
    ])
      expect(left).toContain(line.replaceAll('/', ''));
  });

  test('runs as somebody else than root, with a health check and a data folder that only its user reads', () => {
    const last = steps.slice(steps.findLastIndex(([instruction]) => instruction === 'FROM'));
    const words = (name: string) => last.find(([instruction]) => instruction === name)?.[1];
    expect(words('USER')).toBe('node');
    expect(words('HEALTHCHECK')).toContain('CMD ["node", "-e"');
    expect(words('VOLUME')).toBe('/data');
    expect(
      last.some(
        ([instruction, text]) =>
          instruction === 'RUN' && text.startsWith('mkdir -m 0700 /data && chown node:node /data'),
      ),
    ).toBe(true);
  });

  test('has a health check that ends with 0 for a service that is ready, and with 1 for none', () => {
    const check = JSON.parse(steps.find(([instruction]) => instruction === 'HEALTHCHECK')![1].replace(/^.*CMD /, ''));
    const { status } = spawnSync(
      process.execPath,
      check.slice(1).map((word: string) => word.replace('8080', '9')),
      { encoding: 'utf8' },
    );
    expect(status).toBe(1);
  });
});
