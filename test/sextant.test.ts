import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './kits/temporary_folder.ts';

let root: string;

// A checkout with a compiler that copies what is not broken, a gazetteer that is made at once, and a command line that
// says what it was asked.
beforeEach(() => {
  root = temporaryFolder();
  for (const folder of ['src/jobs', 'data', 'wasm', 'build/world', 'node_modules/assemblyscript/bin'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const file of ['src/prepare.js', 'src/sextant.js', 'asconfig.json', 'asconfig.lookup.json'])
    copyFileSync(file, join(root, file));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'node_modules/assemblyscript/package.json'), '{"version":"1.0.0"}');
  writeFileSync(
    join(root, 'node_modules/assemblyscript/bin/asc.js'),
    `const fs = require('fs'); const source = fs.readFileSync('wasm/index.ts', 'utf8'); if (source === 'broken') process.exit(1);
     fs.writeFileSync(process.argv[process.argv.indexOf('--outFile') + 1], source);`,
  );
  writeFileSync(join(root, 'wasm/index.ts'), 'whole');
  writeFileSync(join(root, 'package-lock.json'), '{}');
  writeFileSync(
    join(root, 'src/jobs/build_world.ts'),
    `import { writeFileSync } from 'node:fs'; writeFileSync('build/world/CURRENT', ''); ` +
      `writeFileSync(process.argv[3], process.argv[2]);`,
  );
  writeFileSync(
    join(root, 'src/cli.ts'),
    'export async function main(words: string[]): Promise<number> { console.log(words.join(" ")); return 7; }\n',
  );
});

function launch(options: string[] = []): { code: number | null; stdout: string; stderr: string } {
  const words = [...options, join(root, 'src/sextant.js'), 'keys', 'list'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: tmpdir(), encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

test('the launcher builds what is missing, then passes words and exit code on', () => {
  expect(launch()).toMatchObject({
    code: 7,
    stdout: 'keys list\n',
    stderr: expect.stringContaining('Building the core\n'),
  });
  expect(launch()).toMatchObject({ code: 7, stdout: 'keys list\n', stderr: expect.not.stringContaining('Building') });
});

test.runIf(process.platform === 'linux')(
  'serve runs with limits of the C library, in the same process and with the same options, unless limits are set',
  () => {
    writeFileSync(
      join(root, 'src/cli.ts'),
      'export async function main(words: string[]): Promise<number> { console.log(JSON.stringify([process.pid, ' +
        'process.env.MALLOC_MMAP_THRESHOLD_, process.execArgv, words])); return 7; }\n',
    );
    const serve = (verb: string, environment: Record<string, string>): unknown[] => {
      const words = ['--no-warnings', join(root, 'src/sextant.js'), verb, '--port', '0'];
      const { pid, stdout, status } = spawnSync(process.execPath, words, { env: environment, encoding: 'utf8' });
      expect(status).toBe(7);
      const [seen, ...others] = JSON.parse(stdout);
      expect(seen).toBe(pid);
      return others;
    };
    expect(serve('serve', {})).toEqual(['131072', ['--no-warnings'], ['serve', '--port', '0']]);
    expect(serve('serve', { MALLOC_MMAP_THRESHOLD_: '65536' })).toEqual([
      '65536',
      ['--no-warnings'],
      ['serve', '--port', '0'],
    ]);
    expect(serve('import', {})).toEqual(['131072', ['--no-warnings'], ['import', '--port', '0']]);
    expect(serve('keys', {})).toEqual([null, ['--no-warnings'], ['keys', '--port', '0']]);
  },
);

test('what Node compiled is kept for the next start, also for threads, unless the operator says otherwise', () => {
  writeFileSync(
    join(root, 'src/cli.ts'),
    `import { Worker } from 'node:worker_threads';
     export const main = (): Promise<number> => new Promise(done => {
       new Worker('console.log(require("node:module").getCompileCacheDir())', { eval: true }).on('exit', done);
     });\n`,
  );
  const kept = (environment: Record<string, string>): string =>
    spawnSync(process.execPath, [join(root, 'src/sextant.js'), 'keys'], {
      env: environment,
      encoding: 'utf8',
    }).stdout.trim();
  const folder = join(root, 'build/sources');
  expect(kept({})).toContain(`${folder}/`);
  const entries = readdirSync(kept({}));
  expect(entries).not.toEqual([]);
  // A copy of the program elsewhere finds the entries again, and so makes none of its own.
  const copy = `${root}-copy`;
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(root, copy, { recursive: true });
  const { stdout } = spawnSync(process.execPath, [join(copy, 'src/sextant.js'), 'keys'], { env: {}, encoding: 'utf8' });
  expect(readdirSync(stdout.trim())).toEqual(entries);
  expect(kept({ NODE_COMPILE_CACHE: join(root, 'own') })).toContain(`${join(root, 'own')}/`);
  expect(kept({ NODE_DISABLE_COMPILE_CACHE: '1' })).toBe('undefined');
});

test('a stale core that cannot be rebuilt is refused', () => {
  launch();
  writeFileSync(join(root, 'wasm/index.ts'), 'broken');
  const { code, stdout, stderr } = launch();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('The core could not be built; run npm ci, then npm run prepare.\n');
});

test.each(['14.14.0', '20.20.2', '22.17.1'])('Node %s is told which one is needed', version => {
  const pretend = join(root, 'pretend.cjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`,
  );
  expect(launch(['--require', pretend])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `Sextant needs Node 22.18 or newer and this is Node ${version}; npm start and npx sextant bring their ` +
      `own.\n`,
  });
});

test.runIf(process.platform !== 'win32')('an old Node has the Node that was installed with the program run it', () => {
  mkdirSync(join(root, 'node_modules/.bin'));
  symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
  const pretend = join(root, 'pretend.cjs');
  writeFileSync(
    pretend,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
  );
  expect(launch(['--require', pretend])).toMatchObject({ code: 7, stdout: 'keys list\n' });
  writeFileSync(
    join(root, 'src/cli.ts'),
    `export const main = async (): Promise<void> => process.kill(process.pid, 'SIGKILL');`,
  );
  expect(launch(['--require', pretend])).toMatchObject({ code: 137, stderr: '' });
});

test.runIf(process.platform === 'linux')(
  'a program that a damaged data file ends by a signal does not end without a word',
  () => {
    mkdirSync(join(root, 'node_modules/.bin'));
    symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'));
    const pretend = join(root, 'pretend.cjs');
    writeFileSync(
      pretend,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`,
    );
    launch();
    for (const [signal, code] of [
      ['SIGBUS', 135],
      ['SIGSEGV', 139],
      ['SIGABRT', 134],
    ] as const) {
      writeFileSync(
        join(root, 'src/cli.ts'),
        `export const main = async (): Promise<void> => process.kill(process.pid, '${signal}');`,
      );
      expect(launch(['--require', pretend])).toMatchObject({
        code,
        stderr:
          `Sextant was ended by ${signal}. A data file is probably damaged, or was cut while it was in use: ` +
          `"sextant check" finds out.\n`,
      });
    }
  },
);

test('a package without a lock file builds nothing if it comes with everything', () => {
  rmSync(join(root, 'package-lock.json'));
  mkdirSync(join(root, 'build/world'), { recursive: true });
  writeFileSync(join(root, 'build/world/CURRENT'), '1');
  rmSync(join(root, 'node_modules'), { recursive: true });
  expect(launch()).toMatchObject({ code: 7, stdout: 'keys list\n', stderr: expect.not.stringContaining('Building') });
});

test('a core that was built runs without its compiler, and one that was not is refused', () => {
  launch();
  rmSync(join(root, 'node_modules/assemblyscript'), { recursive: true });
  expect(launch()).toMatchObject({ code: 7, stderr: expect.not.stringContaining('Building') });
  writeFileSync(join(root, 'wasm/index.ts'), 'changed');
  expect(launch()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The core is not built, and its compiler is not installed; run npm ci.\n',
  });
});
