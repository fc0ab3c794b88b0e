// The files of a repository that apt reads, beside the packages: a list of them, and what vouches for the list.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { printed } from './checkout.ts';

/**
 * Makes a repository: `deb [signed-by=KEY] file:FOLDER ./`.
 * @param packages files of Debian @param second of the release, Unix time
 * @param keyFile a secret key of GnuPG without a password, which signs it; unsigned without one
 * @throws Error when dpkg-deb or gpg fails
 */
export function makeRepository(
  folder: string,
  packages: readonly string[],
  second: number,
  keyFile: string | undefined,
): void {
  mkdirSync(folder, { recursive: true });
  const entries = packages.map(file => {
    copyFileSync(file, join(folder, basename(file)));
    const bytes = readFileSync(file);
    const fields = printed('dpkg-deb', '--field', file);
    return `${fields}\nFilename: ./${basename(file)}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`;
  });
  const list = Buffer.from(entries.join('\n'));
  writeFileSync(join(folder, 'Packages'), list);
  writeFileSync(join(folder, 'Packages.gz'), gzipSync(list, { level: 9 }));
  const hashes = ['Packages', 'Packages.gz'].map(name => {
    const bytes = readFileSync(join(folder, name));
    return ` ${sha256(bytes)} ${bytes.length} ${name}\n`;
  });
  const release =
    `Origin: Sextant\nLabel: Sextant\nSuite: stable\nArchitectures: amd64 arm64\n` +
    `Date: ${new Date(second * 1000).toUTCString()}\nSHA256:\n${hashes.join('')}`;
  writeFileSync(join(folder, 'Release'), release);
  if (keyFile !== undefined) signRelease(folder, keyFile, second);
}

function signRelease(folder: string, keyFile: string, second: number): void {
  const home = mkdtempSync(join(tmpdir(), 'gpg-'));
  const gpg = (...words: string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', '--yes', ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  try {
    gpg('--import', keyFile);
    const at = `--faked-system-time=${second}!`;
    const release = join(folder, 'Release');
    gpg(at, '--output', join(folder, 'InRelease'), '--clearsign', release);
    gpg(at, '--output', `${release}.gpg`, '--armor', '--detach-sign', release);
  } finally {
    // It starts an agent, which ends once its folder is gone.
    rmSync(home, { recursive: true, force: true });
  }
}

/** Has apt read a repository as a new machine would, and fetch the package. @throws Error when it is another one */
export function checkRepository(folder: string, file: string): void {
  const own = mkdtempSync(join(tmpdir(), 'apt-'));
  try {
    for (const path of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(own, path), { recursive: true });
    writeFileSync(join(own, 'status'), '');
    writeFileSync(join(own, 'sources'), `deb [trusted=yes] file:${folder} ./\n`);
    const settings = [
      ...['APT::Sandbox::User=root', `Dir::State=${own}`, `Dir::State::status=${own}/status`],
      ...[`Dir::Cache=${own}/cache`, `Dir::Etc::SourceList=${own}/sources`, 'Dir::Etc::SourceParts=-'],
    ].flatMap(each => ['-o', each]);
    for (const words of [['update'], ['download', 'sextant']])
      execFileSync('apt-get', [...settings, ...words], { cwd: own, stdio: ['ignore', 'ignore', 'pipe'] });
    const fetched = readdirSync(own).find(name => name.endsWith('.deb'));
    if (fetched === undefined || !readFileSync(join(own, fetched)).equals(readFileSync(file)))
      throw new Error(`apt does not fetch ${basename(file)} from ${folder}.`);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
