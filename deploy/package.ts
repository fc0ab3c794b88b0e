// Makes the package that operators install: npm run package [-- FOLDER]. Node runs TypeScript in a checkout, and
// refuses to under node_modules. So the package has the same sources as JavaScript, without their types, the compiled
// core, and the tools for language models as one file. Nothing is compiled where it is installed, and its development
// packages stay here.
//
// The gazetteer has 89 MB, and npm brings what it is made of anyway: the first command that runs makes it, in a quarter
// of a minute. The other packages (deb.ts, oci.ts, release/archive.ts) come with it.
//
// Types are replaced by spaces, so lines and columns in a stack trace are those of the sources.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { commitOfCheckout } from './release/checkout.ts';

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
  'build/console',
  'docs',
  'deploy',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
];
/** Of these, what belongs to processes that have the gazetteer open, and the programs of deploy/. */
const LEFT_OUT = /\/(?:lock\.mdb|owner\.lock|owner\.sock|deploy\/release)$|\.ts$/;
/** The program of the verb `mcp`. */
const TOOLS = 'clients/mcp';
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
    stage(staging, false);
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

/** Puts what is installed into a folder. @param withWorld with the gazetteer */
export function stage(staging: string, withWorld: boolean): void {
  for (const [top, files] of SOURCES) writeSources(top, files, staging);
  const world = `build/world/${readFileSync(join(ROOT, 'build/world/CURRENT'), 'utf8').trim()}`;
  for (const path of [...COPIED, ...(withWorld ? ['build/world/CURRENT', world] : [])]) {
    mkdirSync(dirname(join(staging, path)), { recursive: true });
    cpSync(join(ROOT, path), join(staging, path), { recursive: true, filter: from => !LEFT_OUT.test(from) });
  }
  bundleTools(staging);
  writeMembers('package.json', MEMBERS, staging, { gitHead: commitOfCheckout() });
}

/** Puts the tools for language models and their libraries into one file, where the sources have their first one. */
function bundleTools(staging: string): void {
  buildSync({
    ...{ absWorkingDir: ROOT, entryPoints: [`${TOOLS}/src/main.ts`], outfile: join(staging, TOOLS, 'src/main.js') },
    ...{ bundle: true, minify: true, platform: 'node', target: 'node22', format: 'esm', legalComments: 'linked' },
  });
  writeMembers(`${TOOLS}/package.json`, ['name', 'version', 'license', 'type'], staging);
}

/** Writes some members of a description of a package, and others. */
function writeMembers(file: string, names: readonly string[], staging: string, others: object = {}): void {
  const whole = JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  const members = { ...Object.fromEntries(names.map(name => [name, whole[name]])), ...others };
  writeFileSync(join(staging, file), `${JSON.stringify(members, null, 2)}\n`);
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
