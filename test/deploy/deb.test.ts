// The package of Debian and Ubuntu: what is in it, whose it is, and that the program runs from where it was extracted
// and where dpkg has installed it.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { makeDebianPackage } from '../../deploy/deb.ts';
import { send } from '../kits/service_process.ts';

const HAS_DPKG = ['dpkg', 'dpkg-deb'].every(program => spawnSync(program, ['--version']).status === 0);
if (!HAS_DPKG) console.log('Skipped: dpkg-deb is not installed, so the package of Debian cannot be made.');
const IS_ROOT = process.geteuid?.() === 0 && spawnSync('useradd', ['--help']).status === 0;

const base = mkdtempSync(join(tmpdir(), 'deb-test-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
/** Without compression, which takes a minute. */
const file = HAS_DPKG ? makeDebianPackage(base, 'none') : '';
const printed = (program: string, ...words: string[]): string =>
  execFileSync(program, words, { encoding: 'utf8', maxBuffer: 64 * 1_048_576 });

/** Serves one position with a program, and stops it. */
async function serves(program: string, folder: string): Promise<void> {
  const child: ChildProcess = spawn(program, ['serve', '--port', '0', '--data', folder, '--http-threads', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let text = '';
  child.stdout!.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  try {
    while (!text.includes('Take both out with: sextant demo remove')) await once(child.stdout!, 'data');
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text)!;
    const [, key] = /Demo key \(shown only now\): (\S+)/.exec(text)!;
    const body = { wifiAccessPoints: [{ macAddress: '02:00:5e:00:00:d3' }, { macAddress: '02:00:5e:00:00:d4' }] };
    expect((await send(url, { path: `/?key=${key}`, body })).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
}

describe.skipIf(!HAS_DPKG)('the package of Debian', () => {
  test('has program, unit, configuration and documents, all of root', () => {
    const lines = printed('dpkg-deb', '--contents', file).trimEnd().split('\n');
    expect(lines.filter(line => !/^\S+ root\/root /.test(line))).toEqual([]);
    // Of one time, so that the same commit makes the same bytes wherever and whenever npm has installed.
    const times = lines.map(line => line.split(/ +/).slice(3, 5).join(' '));
    expect(new Set(times).size).toBe(1);
    const of = (path: string) => lines.find(line => line.endsWith(` ./${path}`) || line.includes(` ./${path} -> `));
    expect(of('usr/bin/sextant')).toMatch(/^-rwxr-xr-x/);
    expect(of('etc/sextant.env')).toMatch(/^-rw-------/);
    for (const path of [
      'usr/lib/systemd/system/sextant.service',
      'etc/logrotate.d/sextant',
      'usr/share/doc/sextant/copyright',
      'usr/lib/sextant/src/cli.js',
      'usr/lib/sextant/build/core.wasm',
      'usr/lib/sextant/docs/operating.md',
      'usr/lib/sextant/deploy/nginx.conf',
      'usr/lib/sextant/node_modules/lmdb/package.json',
      'usr/lib/sextant/node_modules/.bin/node',
    ])
      expect(of(path), path).toBeDefined();
    for (const name of ['assemblyscript', 'typescript', 'vitest'])
      expect(of(`usr/lib/sextant/node_modules/${name}/`), name).toBeUndefined();
    expect(lines.filter(line => /\.ts(?: |$)/.test(line) && !line.includes('/node_modules/'))).toEqual([]);
  });

  test('says version and architecture, and which files an update leaves alone', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(printed('dpkg-deb', '--field', file, 'Package', 'Version', 'Architecture')).toBe(
      `Package: sextant\nVersion: ${version}\nArchitecture: ${printed('dpkg', '--print-architecture')}`,
    );
    expect(printed('dpkg-deb', '--info', file, 'conffiles')).toBe('/etc/sextant.env\n/etc/logrotate.d/sextant\n');
  });

  test('serves from where it was extracted', async () => {
    const extracted = join(base, 'extracted');
    printed('dpkg-deb', '--extract', file, extracted);
    const program = join(extracted, 'usr/bin/sextant');
    // No Node is on the path.
    expect(spawnSync(program, ['--version'], { env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' }).stderr).toBe('');
    await serves(program, join(base, 'data'));
  });

  test('has commands find the data of its service', () => {
    const extracted = join(base, 'installed');
    printed('dpkg-deb', '--extract', file, extracted);
    const program = join(extracted, 'usr/bin/sextant');
    const { SEXTANT_DATA: _, ...env } = process.env;
    const dataOf = (more: Record<string, string> = {}): string =>
      spawnSync(program, ['status'], { env: { ...env, ...more }, cwd: base, encoding: 'utf8' }).stderr;
    mkdirSync(join(extracted, 'var/lib/sextant'), { recursive: true });
    expect(dataOf()).toContain(join(extracted, 'var/lib/sextant'));
    writeFileSync(join(extracted, 'etc/sextant.env'), '#SEXTANT_DATA=/no\nSEXTANT_DATA="/srv/positions"\n');
    expect(dataOf()).toContain('/srv/positions');
    expect(dataOf({ SEXTANT_DATA: '/srv/mine' })).toContain('/srv/mine');
  });

  test('says while it is made what is done', () => {
    const said: string[] = [];
    makeDebianPackage(base, 'none', step => said.push(step));
    expect(said).toEqual([
      'The program is put together.',
      expect.stringMatching(/^\d+ packages of the lock file are copied\.$/),
      'All is packed by none.',
      expect.stringMatching(/^The package has \d+ MB\.$/),
    ]);
  });

  test.skipIf(!IS_ROOT)(
    'makes its user and its data folder where dpkg installs it, once, keeps the data, and a purge leaves nothing',
    () => {
      const root = join(base, 'root');
      mkdirSync(join(root, 'etc'), { recursive: true });
      for (const [name, text] of [
        ['passwd', 'root:x:0:0:root:/root:/bin/sh\n'],
        ['group', 'root:x:0:\n'],
        ['shadow', 'root:*:19000:0:99999:7:::\n'],
        ['gshadow', 'root:*::\n'],
      ])
        writeFileSync(join(root, 'etc', name), text);
      mkdirSync(join(root, 'var/lib/dpkg/info'), { recursive: true });
      mkdirSync(join(root, 'var/lib/dpkg/updates'), { recursive: true });
      writeFileSync(join(root, 'var/lib/dpkg/status'), '');
      writeFileSync(join(root, 'var/lib/dpkg/available'), '');
      const dpkg = (...words: string[]): void => {
        printed('dpkg', `--root=${root}`, '--force-script-chrootless', '--force-depends', '--log=/dev/null', ...words);
      };
      dpkg('--install', file);
      const [, uid] = /^sextant:[^:]*:(\d+):/m.exec(readFileSync(join(root, 'etc/passwd'), 'utf8'))!;
      const data = join(root, 'var/lib/sextant');
      expect([statSync(data).uid, statSync(data).mode & 0o777]).toEqual([Number(uid), 0o700]);
      writeFileSync(join(data, 'kept'), '');
      writeFileSync(join(root, 'etc/sextant.env'), 'SEXTANT_PORT=9000\n');
      dpkg('--install', file);
      expect(readFileSync(join(root, 'etc/sextant.env'), 'utf8')).toBe('SEXTANT_PORT=9000\n');
      expect(readFileSync(join(root, 'etc/passwd'), 'utf8').match(/^sextant:/gm)).toHaveLength(1);
      mkdirSync(join(root, 'var/log/sextant'), { recursive: true });
      // What the program keeps of its sources is no part of the package.
      writeFileSync(join(root, 'usr/lib/sextant/build/kept'), '');
      dpkg('--remove', 'sextant');
      const left = () =>
        ['usr/bin/sextant', 'usr/lib/sextant', 'etc/sextant.env', 'var/lib/sextant/kept', 'var/log/sextant'].filter(
          path => existsSync(join(root, path)),
        );
      expect(left()).toEqual(['etc/sextant.env', 'var/lib/sextant/kept', 'var/log/sextant']);
      dpkg('--purge', 'sextant');
      expect(left()).toEqual([]);
      expect(existsSync(data)).toBe(false);
      for (const name of ['passwd', 'group', 'shadow'])
        expect(readFileSync(join(root, 'etc', name), 'utf8'), name).not.toMatch(/^sextant:/m);
    },
  );
});
