// One archive with everything, Node too: who unpacks it runs bin/sextant.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stage } from '../package.ts';
import { ROOT, secondOfCheckout } from './checkout.ts';
import { type Architecture, CPUS, copyDependencies } from './dependencies.ts';

const LAUNCHER = `#!/bin/sh
root=$(dirname "$(readlink -f "$0")")/..
exec "$root/node_modules/.bin/node" "$root/src/sextant.js" "$@"
`;
/**
 * Makes the archive.
 * @param folder where it is put
 * @returns the file
 * @throws Error when tar or gzip fails, or a dependency cannot be had
 */
export function makeArchive(folder: string, architecture: Architecture): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const name = `sextant-${version}-linux-${CPUS[architecture]}`;
  const staging = mkdtempSync(join(tmpdir(), 'archive-'));
  try {
    const program = join(staging, name);
    stage(program, true);
    copyDependencies(program, architecture);
    mkdirSync(join(program, 'bin'));
    writeFileSync(join(program, 'bin/sextant'), LAUNCHER);
    chmodSync(join(program, 'bin/sextant'), 0o755);
    const file = join(resolve(folder), `${name}.tar.gz`);
    makeTar(staging, [name], join(staging, 'tar'), 0);
    execFileSync('sh', ['-c', 'gzip -n "$0" && mv "$0.gz" "$1"', join(staging, 'tar'), `${file}.partial`]);
    renameSync(`${file}.partial`, file);
    return file;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Makes an archive with order, owners and times that are the same each time.
 * @param names of what in the folder is packed @param owner of all of it
 */
export function makeTar(folder: string, names: readonly string[], file: string, owner: number): void {
  execFileSync(
    'tar',
    [
      ...['--create', '--sort=name', '--numeric-owner', `--owner=${owner}`, `--group=${owner}`, '--format=gnu'],
      ...[`--mtime=@${secondOfCheckout()}`, `--directory=${folder}`, `--file=${file}`],
      ...[...names].sort(),
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
}
