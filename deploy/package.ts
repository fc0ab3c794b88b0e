// Makes the package that operators install: npm run package [-- FOLDER]. Node runs TypeScript in a checkout, and
// refuses to under node_modules. So the package has the same sources as JavaScript, without their types; and as what is
// installed may not be writable for who runs it, it comes with the compiled core and the gazetteer. Nothing is compiled
// where it is installed, and its development packages stay here.
//
// Types are replaced by spaces, so lines and columns in a stack trace are those of the sources.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
/** Of the core, what is no source of the compiled modules. */
const SOURCES: readonly (readonly [folder: string, files: RegExp])[] = [
  ['src', /(?<!\.d)\.(?:[jt]s|mjs)$/],
  ['wasm', /^(?:memory|\w+_constants)\.ts$/],
];
/** What runs as it is. */
const COPIED = [
  'data',
  'build/core.wasm',
  'build/lookup.wasm',
  'build/words',
  'build/world/CURRENT',
  'build/console',
  'docs',
  'deploy',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
/** Of these, what belongs to processes that have the gazetteer open, and the programs of deploy/. */
const LEFT_OUT = /\/(?:lock\.mdb|owner\.lock|owner\.sock)$|\.ts$/;
/** An address of a source file: of an import, or of a file that is started as a thread or a process. */
const ADDRESS = /(\bfrom |\bimport |\bimport\(|\bnew URL\()'(\.[^']*)\.ts'/g;
/** Members of package.json that mean something to who installs. */
const MEMBERS = [
  'name',
  'version',
  'description',
  'license',
  'type',
  'engines',
  'bin',
  'dependencies',
  'optionalDependencies',
];

/**
 * Makes the package.
 * @param folder where it is put
 * @returns the file
 * @throws Error when there is no such folder, or npm fails
 */
export function makePackage(folder: string): string {
  requireFolder(folder);
  const staging = mkdtempSync(join(tmpdir(), 'package-'));
  try {
    stage(staging);
    const printed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(folder)], {
      cwd: staging,
      encoding: 'utf8',
    });
    return join(resolve(folder), JSON.parse(printed)[0].filename);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** @throws Error when there is no such folder */
export function requireFolder(folder: string): void {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder} for the package; make it, or name another.`);
}

/** Puts what is installed into a folder. */
export function stage(staging: string): void {
  for (const [top, files] of SOURCES) writeSources(top, files, staging);
  const world = `build/world/${readFileSync(join(ROOT, 'build/world/CURRENT'), 'utf8').trim()}`;
  for (const path of [...COPIED, world]) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    cpSync(join(ROOT, path), join(staging, path), { recursive: true, filter: from => !LEFT_OUT.test(from) });
  }
  const whole = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const members = MEMBERS.map(name => [name, whole[name]]);
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(Object.fromEntries(members), null, 2)}\n`);
}

/** Writes the sources under a folder as JavaScript. */
function writeSources(top: string, files: RegExp, staging: string): void {
  for (const name of readdirSync(join(ROOT, top), { recursive: true, encoding: 'utf8' })) {
    if (!files.test(name)) continue;
    const source = readFileSync(join(ROOT, top, name), 'utf8');
    const target = join(staging, top, name.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, asJavaScript(name.endsWith('.ts') ? stripTypeScriptTypes(source) : source));
  }
}

/** Has the addresses of sources lead to JavaScript. */
function asJavaScript(source: string): string {
  return source.replace(ADDRESS, (_, before: string, path: string) => `${before}'${path}.js'`);
}

/**
 * Makes a package as the command line says, and prints its file.
 * @param script of package.json @param install how its package is installed
 */
export function runAsProgram(script: string, install: string, make: (folder: string) => string): void {
  const [folder = '.', ...others] = process.argv.slice(2);
  if (folder.startsWith('-') || others.length > 0) {
    console.error(
      `Makes the package that operators install, in FOLDER or here.\n\nExample:\n  npm run ${script} -- /tmp\n` +
        `  ${install}`,
    );
    process.exitCode = folder === '--help' ? 0 : 2;
    return;
  }
  try {
    console.log(make(folder));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}

if (import.meta.main) runAsProgram('package', 'npm install -g /tmp/sextant-positioning-sextant-*.tgz', makePackage);
