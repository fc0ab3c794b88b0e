import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from './kits/temporary_folder.ts';

let root: string;

beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ['src/jobs', 'src/geocoding', 'wasm/lookup', 'data'])
    mkdirSync(join(root, folder), { recursive: true });
  makeWorldBuilder();
  copyFileSync('src/prepare.js', join(root, 'src/prepare.js'));
  for (const config of ['asconfig.json', 'asconfig.lookup.json']) copyFileSync(config, join(root, config));
  writeFileSync(join(root, 'wasm/index.ts'), 'export function answer(): i32 { return 42; }\n');
  writeFileSync(join(root, 'wasm/lookup/index.ts'), 'export function find(): i32 { return 7; }\n');
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'package-lock.json'), '{}');
});

/**
 * A builder of the gazetteer that leaves a file in its place, and notes each call in the file `calls`. It imports what
 * it is made of.
 */
function makeWorldBuilder(): void {
  writeFileSync(join(root, 'src/geocoding/cities.ts'), 'export const cities: number = 3;\n');
  writeFileSync(join(root, 'src/geocoding/other.ts'), '');
  writeFileSync(
    join(root, 'src/jobs/build_world.ts'),
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { cities } from '../geocoding/cities.ts';
if (cities === 0) throw new Error('There are no cities.');
mkdirSync('build/world', { recursive: true });
writeFileSync('build/world/CURRENT', String(cities));
writeFileSync(process.argv[3], process.argv[2]);
appendFileSync('calls', 'gazetteer ');
`,
  );
}

/** `node src/prepare.js build`, and whether it built the core. */
function build(): { code: number | null; built: boolean; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'src/prepare.js'), 'build'], {
    cwd: tmpdir(),
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  return { code: status, built: stderr.includes('Building the core'), stderr };
}

/** What the built core answers. */
function answer(): string {
  const source =
    `WebAssembly.instantiate(fs.readFileSync('build/core.wasm')).then(({ instance }) => ` +
    `process.stdout.write(String(instance.exports.answer())))`;
  return spawnSync(process.execPath, ['-e', source], { cwd: root, encoding: 'utf8' }).stdout;
}

/**
 * A compiler in the checkout itself that only copies: no network and no wait. It notes each compiled core in the file
 * `calls`.
 */
function makeCopier(): void {
  mkdirSync(join(root, 'compiler/bin'), { recursive: true });
  writeFileSync(join(root, 'compiler/package.json'), '{"name":"assemblyscript","version":"1.0.0"}');
  writeFileSync(
    join(root, 'compiler/bin/asc.js'),
    `const fs = require('fs'); const out = process.argv[process.argv.indexOf('--outFile') + 1];
     fs.mkdirSync('build', { recursive: true }); fs.copyFileSync('wasm/index.ts', out);
     if (process.argv.includes('asconfig.json')) fs.appendFileSync('calls', 'compiled ');`,
  );
}

test('the core is compiled; a source that does not compile is told of, and the core stays as it was', () => {
  mkdirSync(join(root, 'node_modules'));
  symlinkSync(resolve('node_modules/assemblyscript'), join(root, 'node_modules/assemblyscript'));
  expect(build()).toEqual({ code: 0, built: true, stderr: 'Building the core\nBuilding the gazetteer of the world\n' });
  expect(answer()).toBe('42');
  writeFileSync(join(root, 'wasm/index.ts'), 'export function answer(): i32 { return "no"; }\n');
  const { code, stderr } = build();
  expect(code).toBe(1);
  expect(stderr).toContain('in wasm/index.ts(1,');
  expect(stderr.trimEnd().split('\n').at(-1)).toBe('The core could not be built; run npm ci, then npm run prepare.');
  expect(readdirSync(join(root, 'build')).sort()).toEqual([
    'core.stamp',
    'core.wasm',
    'lookup.wasm',
    'world',
    'world.stamp',
  ]);
  expect(answer()).toBe('42');
});

test('the core is built again only when something in it changed', () => {
  makeCopier();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../compiler', join(root, 'node_modules/assemblyscript'));
  expect(build().built).toBe(true);
  expect(build()).toEqual({ code: 0, built: false, stderr: '' });
  // A checkout gives files any time.
  utimesSync(join(root, 'wasm/index.ts'), new Date(), new Date());
  expect(build().built).toBe(false);

  writeFileSync(join(root, 'wasm/index.ts'), 'new');
  utimesSync(join(root, 'wasm/index.ts'), 1, 1);
  expect(build().built).toBe(true);
  expect(readFileSync(join(root, 'build/core.wasm'), 'utf8')).toBe('new');

  const changes = [
    () => mkdirSync(join(root, 'wasm/deep')),
    () => writeFileSync(join(root, 'wasm/deep/answer.ts'), ''),
    () => appendFileSync(join(root, 'asconfig.json'), '\n'),
    () => appendFileSync(join(root, 'asconfig.lookup.json'), '\n'),
    () => writeFileSync(join(root, 'compiler/package.json'), '{"name":"assemblyscript","version":"1.0.1"}'),
    () => rmSync(join(root, 'build/core.wasm')),
    () => rmSync(join(root, 'build/lookup.wasm')),
    () => rmSync(join(root, 'build/core.stamp')),
  ];
  const built = changes.map(change => {
    change();
    return build().built;
  });
  expect(built).toEqual([false, true, true, true, true, true, true, true]);
  expect(build().built).toBe(false);
});

test('what the compiler says is shown, but for a sentence that nobody can act on', () => {
  makeCopier();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../compiler', join(root, 'node_modules/assemblyscript'));
  appendFileSync(
    join(root, 'compiler/bin/asc.js'),
    `console.error('Last converge was suboptimal.'); console.error('WARNING AS201'); console.log('done');`,
  );
  const said = 'done\nWARNING AS201\n';
  expect(build().stderr).toBe(`Building the core\n${said}${said}Building the gazetteer of the world\n`);
});

test('the gazetteer is built again only when something in it changed', () => {
  makeCopier();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../compiler', join(root, 'node_modules/assemblyscript'));
  const isBuilt = (): boolean => build().stderr.includes('Building the gazetteer');
  expect([isBuilt(), isBuilt()]).toEqual([true, false]);
  const changes = [
    () => utimesSync(join(root, 'src/geocoding/cities.ts'), new Date(), new Date()),
    () => writeFileSync(join(root, 'src/geocoding/other.ts'), 'new'),
    () => appendFileSync(join(root, 'src/geocoding/cities.ts'), '\n'),
    () => writeFileSync(join(root, 'data/kinds.csv'), ''),
    () => writeFileSync(join(root, 'package-lock.json'), '{"version":"2"}'),
    () => rmSync(join(root, 'build/world'), { recursive: true }),
    () => rmSync(join(root, 'build/world.stamp')),
  ];
  const built = changes.map(change => {
    change();
    return isBuilt();
  });
  expect(built).toEqual([false, false, true, true, true, true, true]);
});

test('a gazetteer that cannot be built is told of, and stays as it was', () => {
  makeCopier();
  mkdirSync(join(root, 'node_modules'));
  symlinkSync('../compiler', join(root, 'node_modules/assemblyscript'));
  expect(build().code).toBe(0);
  writeFileSync(join(root, 'src/geocoding/cities.ts'), 'export const cities: number = 0;\n');
  const { code, stderr } = build();
  expect(code).toBe(1);
  expect(stderr).toContain('There are no cities.');
  expect(stderr.trimEnd().split('\n').at(-1)).toBe(
    'The gazetteer of the world could not be built; run npm ci, then npm run prepare.',
  );
  expect(readFileSync(join(root, 'build/world/CURRENT'), 'utf8')).toBe('3');
  expect(build().code).toBe(1);
});

test('the console is built again only when something in it changed, and kept where its builder is not installed', () => {
  makeCopier();
  for (const folder of ['node_modules/esbuild', 'console', 'docs']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('../compiler', join(root, 'node_modules/assemblyscript'));
  for (const name of ['openapi', 'openapi-admin']) writeFileSync(join(root, `docs/${name}.json`), '{}');
  writeFileSync(
    join(root, 'console/build.ts'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('build/console', { recursive: true });
writeFileSync('build/console/manifest.json', '{}');
writeFileSync(process.argv[3], process.argv[2] as string);
`,
  );
  const isBuilt = (): boolean => build().stderr.includes('Building the console');
  expect([isBuilt(), isBuilt()]).toEqual([true, false]);
  const changes = [
    () => writeFileSync(join(root, 'console/new.tsx'), ''),
    () => writeFileSync(join(root, 'docs/openapi.json'), '{"a":1}'),
    () => writeFileSync(join(root, 'package-lock.json'), '{"version":"2"}'),
    () => rmSync(join(root, 'build/console'), { recursive: true }),
  ];
  const built = changes.map(change => {
    change();
    return isBuilt();
  });
  expect(built).toEqual([true, true, true, true]);
  rmSync(join(root, 'node_modules/esbuild'), { recursive: true });
  writeFileSync(join(root, 'console/new.tsx'), 'other');
  expect(build()).toMatchObject({ code: 0, stderr: '' });
  rmSync(join(root, 'build/console'), { recursive: true });
  expect(build()).toEqual({
    code: 1,
    built: false,
    stderr: 'The console is not built, and its builder is not installed; run npm ci.\n',
  });
});

test('without dependencies the core cannot be built', () => {
  expect(build()).toEqual({ code: 1, built: false, stderr: 'The dependencies are not installed; run npm ci.\n' });
});

test('a fresh clone installs once and builds once; a new lock file installs again', () => {
  makeCopier();
  copyFileSync('src/sextant.js', join(root, 'src/sextant.js'));
  lock('1.0.0');
  const scripts = {
    prepare: `node -e "fs.appendFileSync('calls','prepared ')" && node src/prepare.js build`,
    prestart: 'node src/prepare.js',
    start: `node -e "fs.appendFileSync('calls','started ')"`,
  };
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({
      name: 'x',
      version: '1.0.0',
      type: 'module',
      scripts,
      // No npm is run by such a Node, and says so.
      engines: { node: '>=99' },
      dependencies: { assemblyscript: 'file:compiler' },
    }),
  );

  expect(start()).toBe('prepared compiled gazetteer started ');
  expect(existsSync(join(root, 'node_modules/assemblyscript/bin/asc.js'))).toBe(true);
  expect(realpathSync(join(root, 'node_modules/.bin/sextant'))).toBe(realpathSync(join(root, 'src/sextant.js')));
  expect(start()).toBe('started ');
  lock('1.0.1');
  expect(start()).toBe('prepared compiled gazetteer started ');
  expect(start()).toBe('started ');
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(start()).toBe('prepared started ');
});

test('an install that takes its time tells how far it is', () => {
  makeCopier();
  copyFileSync('src/sextant.js', join(root, 'src/sextant.js'));
  lock('1.0.0');
  const scripts = {
    prepare: 'node -e "setTimeout(() => {}, 8000)"',
    prestart: 'node src/prepare.js',
    start: `node -e "fs.appendFileSync('calls','started ')"`,
  };
  const dependencies = { assemblyscript: 'file:compiler' };
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({ name: 'x', version: '1.0.0', type: 'module', scripts, dependencies }),
  );
  const { status, stderr } = startByNpm();
  expect(status).toBe(0);
  expect(stderr.match(/^Installing the dependencies: \d of 1$/gm)!.length).toBeGreaterThanOrEqual(2);
  expect(stderr.indexOf('Installing the dependencies: ')).toBeLessThan(stderr.indexOf('Building the core'));
});

test('a package without its gazetteer makes it once, and says who can where it cannot', () => {
  rmSync(join(root, 'package-lock.json'));
  const builder = join(root, 'src/jobs/build_world.js');
  writeFileSync(builder, 'throw new Error("EACCES");\n');
  expect(build()).toMatchObject({ code: 1 });
  expect(build().stderr).toContain(`run sextant --version once as a user who may write ${realpathSync(root)}`);
  writeFileSync(
    builder,
    `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('build/world', { recursive: true });
writeFileSync('build/world/CURRENT', '1');
`,
  );
  expect(build()).toMatchObject({ code: 0, stderr: 'Building the gazetteer of the world\n' });
  expect(build()).toMatchObject({ code: 0, stderr: '' });
});

test('a development package that is new in the lock file is installed where others are', () => {
  makeCopier();
  copyFileSync('src/sextant.js', join(root, 'src/sextant.js'));
  const scripts = { prestart: 'node src/prepare.js', start: `node -e "fs.appendFileSync('calls','started ')"` };
  const withTools = (...tools: string[]) => {
    lock('1.0.0');
    const devDependencies = Object.fromEntries(tools.map(name => [name, `file:${name}`]));
    const dependencies = { assemblyscript: 'file:compiler' };
    const { packages, ...rest } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    packages[''].devDependencies = devDependencies;
    for (const name of tools) {
      mkdirSync(join(root, name), { recursive: true });
      writeFileSync(join(root, name, 'package.json'), JSON.stringify({ name, version: '1.0.0' }));
      packages[name] = { version: '1.0.0', dev: true };
      packages[`node_modules/${name}`] = { resolved: name, link: true, dev: true };
    }
    const program = { name: 'x', version: '1.0.0', type: 'module', scripts, dependencies, devDependencies };
    writeFileSync(join(root, 'package.json'), JSON.stringify(program));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ ...rest, packages }));
  };
  withTools('one');
  start();
  expect(existsSync(join(root, 'node_modules/one/package.json'))).toBe(true);
  withTools('one', 'two');
  start();
  expect(existsSync(join(root, 'node_modules/two/package.json'))).toBe(true);
});

/** Writes the lock file for this version of the compiler, and the compiler's own. */
function lock(version: string): void {
  writeFileSync(join(root, 'compiler/package.json'), JSON.stringify({ name: 'assemblyscript', version }));
  const packages = {
    '': { name: 'x', version: '1.0.0', dependencies: { assemblyscript: 'file:compiler' } },
    compiler: { name: 'assemblyscript', version },
    'node_modules/assemblyscript': { resolved: 'compiler', link: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true, os: ['aix'], integrity: 'sha512-AAAA' },
  };
  writeFileSync(
    join(root, 'package-lock.json'),
    JSON.stringify({ name: 'x', version: '1.0.0', lockfileVersion: 3, requires: true, packages }),
  );
}

/** `npm start`, and what happened. */
function start(): string {
  rmSync(join(root, 'calls'), { force: true });
  const { status, stderr } = startByNpm();
  expect(stderr).not.toContain('could not');
  expect(stderr).not.toMatch(/npm warn/i);
  expect(status).toBe(0);
  return readFileSync(join(root, 'calls'), 'utf8');
}

function startByNpm() {
  const environment = {
    PATH: process.env.PATH,
    HOME: root,
    npm_config_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
  return spawnSync('npm', ['start'], {
    cwd: root,
    encoding: 'utf8',
    env: environment,
    shell: process.platform === 'win32',
  });
}
