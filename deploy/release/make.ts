// Makes and checks what a release consists of, in the checkout that it is started in: node deploy/release/make.ts
// WANTED (main.ts). It says what it does, how long each check took from the start of the program to the answer, and what could
// not be checked on this machine.

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDebianPackage } from '../deb.ts';
import { libraries, makeImage } from '../oci.ts';
import { makePackage } from '../package.ts';
import { checkAnswer, type Run } from './answers.ts';
import { checkRepository, makeRepository } from './apt.ts';
import { makeArchive } from './archive.ts';
import { commitOfCheckout, ROOT, secondOfCheckout } from './checkout.ts';
import { packClients } from './clients.ts';
import { ARCHITECTURES, type Architecture, CPUS, ownArchitecture } from './dependencies.ts';
import { imageRun } from './image_run.ts';
import { writeLicences } from './licences.ts';
import type { Wanted } from './main.ts';
import { notesOf } from './notes.ts';
import { writeSbom } from './sbom.ts';
import { signFile } from './signature.ts';

const MEGABYTE = 1_000_000;
/** npm refuses none that is larger; a package should be quick to fetch. */
const NPM_MEGABYTES_MAX = 12;
/** As Debian's package qemu-user-static calls it. */
const EMULATORS: Readonly<Record<Architecture, string>> = {
  amd64: 'qemu-x86_64-static',
  arm64: 'qemu-aarch64-static',
};
/** Of Zstandard: the highest takes ten times as long for a tenth less. */
const IMAGE_LEVEL = 9;
const COMMIT_DIGITS = 10;

const began = performance.now();
const say = (text: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${text}`);

/** Makes everything. @throws Error when something cannot be made, or does not answer */
async function makeRelease({ version, out, key, gpgKey, isDraft }: Wanted): Promise<void> {
  const [commit, second] = [commitOfCheckout(), secondOfCheckout()];
  const told = `${version} (commit ${commit.slice(0, COMMIT_DIGITS)})`;
  const scratch = mkdtempSync(join(tmpdir(), 'made-'));
  try {
    writeFileSync(join(out, 'NOTES.md'), notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, isDraft));
    writeSbom(join(out, `sextant-${version}.cdx.json`), commit, second);
    say(`The licences of ${writeLicences(join(out, 'LICENCES.txt'))} packages are written.`);
    packClients(out);
    say('The clients are packed.');
    await checkNpm(makePackage(out), scratch, told);
    const debs: string[] = [];
    for (const architecture of ARCHITECTURES) {
      const runs = runnerFor(architecture, scratch);
      const within = join(scratch, architecture);
      await checkArchive(makeArchive(out, architecture), within, runs, told);
      const deb = makeDebianPackage(out, 'zstd', () => {}, architecture);
      debs.push(deb);
      await checkDeb(deb, within, runs, told);
      await checkImage(
        makeImage(out, IMAGE_LEVEL, () => {}, architecture),
        within,
        architecture,
        told,
      );
      rmSync(within, { recursive: true, force: true });
    }
    makeRepository(join(out, 'apt'), debs, second, gpgKey);
    checkRepository(join(out, 'apt'), debs[ARCHITECTURES.indexOf(ownArchitecture())]);
    say(`apt fetches the package from apt/, which is ${gpgKey === undefined ? 'not signed' : 'signed'}.`);
    const sums = writeSums(out);
    if (key !== undefined) signFile(sums, key, second);
    say(key === undefined ? 'SHA256SUMS is not signed: no --key was given.' : 'SHA256SUMS is signed.');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** How programs of an architecture are run here; undefined where they cannot be. */
type Runner = ((program: string) => Run) | undefined;

/** @param scratch where the libraries are put that an emulated program needs */
function runnerFor(architecture: Architecture, scratch: string): Runner {
  if (architecture === ownArchitecture()) return program => ({ command: ['sh', join(program, 'bin/sextant')] });
  const emulator = EMULATORS[architecture];
  if (spawnSync(emulator, ['--version']).status !== 0) return undefined;
  const system = libraries(join(scratch, 'system'), architecture);
  return program => ({
    command: [emulator, '-L', system, join(program, 'node_modules/.bin/node'), join(program, 'src/sextant.js')],
    // It cannot start itself once more under the emulator.
    environment: { MALLOC_MMAP_THRESHOLD_: '131072' },
  });
}

async function checkNpm(file: string, scratch: string, told: string): Promise<void> {
  if (statSync(file).size > NPM_MEGABYTES_MAX * MEGABYTE)
    throw new Error(`${file} has more than ${NPM_MEGABYTES_MAX} MB.`);
  const prefix = join(scratch, 'npm');
  const words = ['install', '--global', '--no-audit', '--no-fund', '--loglevel=error', `--prefix=${prefix}`, file];
  execFileSync('npm', words, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] });
  const node = join(prefix, 'lib/node_modules/@sextant-positioning/sextant/node_modules/.bin');
  // Its `#!/usr/bin/env node` finds the Node that came with it.
  const run: Run = { command: ['env', `PATH=${node}:/usr/bin:/bin`, join(prefix, 'bin/sextant')] };
  await checked(file, prefix, run, join(scratch, 'npm-data'), told);
}

async function checkArchive(file: string, scratch: string, runs: Runner, told: string): Promise<void> {
  const folder = join(scratch, 'archive');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['--extract', `--file=${file}`, `--directory=${folder}`, '--strip-components=1']);
  await checked(file, folder, runs?.(folder), join(scratch, 'archive-data'), told);
}

async function checkDeb(file: string, scratch: string, runs: Runner, told: string): Promise<void> {
  const folder = join(scratch, 'deb');
  execFileSync('dpkg-deb', ['--extract', file, folder]);
  const isOwn = file.includes(`_${ownArchitecture()}.`);
  const run = isOwn ? { command: [join(folder, 'usr/bin/sextant')] } : runs?.(join(folder, 'usr/lib/sextant'));
  await checked(file, folder, run, join(scratch, 'deb-data'), told);
}

async function checkImage(file: string, scratch: string, architecture: Architecture, told: string): Promise<void> {
  const root = join(scratch, 'image');
  const run = imageRun(file, root, architecture === ownArchitecture() ? undefined : EMULATORS[architecture]);
  await checked(file, root, run, join(scratch, 'image-data'), told);
}

/** Has an installed program answer. @param folder where it is installed @param run undefined where it cannot be run */
async function checked(file: string, folder: string, run: Run | undefined, data: string, told: string): Promise<void> {
  const size = `${(statSync(file).size / MEGABYTE).toFixed(1)} MB, installed ${diskMegabytes(folder)} MB`;
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (run === undefined) {
    say(`${name}: ${size}; not run, as this machine has no emulator: its native parts are of its architecture.`);
    requireMachine(folder, file);
  } else say(`${name}: ${size}; answers after ${(await checkAnswer(run, data, told)).toFixed(1)} s.`);
}

function diskMegabytes(folder: string): number {
  const kilobytes = Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]);
  return Math.round((kilobytes * 1024) / MEGABYTE);
}

/** What an ELF file says of its processor. */
const MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 };

/** @throws Error when a native file is for another processor than the package's */
function requireMachine(folder: string, file: string): void {
  const cpu = Object.values(CPUS).find(each => file.includes(each))!;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.node$|\/bin\/node$/.test(name) || name.endsWith('.bin/node')) continue;
    if (readFileSync(join(folder, name)).readUInt16LE(18) !== MACHINES[cpu])
      throw new Error(`${name} of ${file} is for another processor.`);
  }
}

/** Writes the checksums of all files, as `sha256sum --check` reads them. @returns the file */
function writeSums(out: string): string {
  const names = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(out, name)).isFile(),
  );
  const lines = names.sort().map(name => {
    return `${createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex')}  ${name}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
  return join(out, 'SHA256SUMS');
}

try {
  await makeRelease(JSON.parse(process.argv[2]));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
