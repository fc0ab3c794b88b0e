import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkImports } from './import_rules.ts';

/** What the checker says about made-up files. */
function check(files: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(files)));
}

test('every file of the program keeps to the rules', () => {
  const files = new Map<string, string>();
  for (const top of ['src', 'wasm', 'lab', 'console']) {
    for (const name of readdirSync(top, { recursive: true, encoding: 'utf8' })) {
      const path = `${top}/${name.replaceAll('\\', '/')}`;
      if (/\.tsx?$/.test(path)) files.set(path, readFileSync(path, 'utf8'));
    }
  }
  expect([...files.keys()]).toContain('src/config.ts');
  expect([...files.keys()]).toContain('wasm/memory.ts');
  expect([...files.keys()]).toContain('lab/main.ts');
  expect([...files.keys()]).toContain('console/src/main.tsx');
  expect(checkImports(files)).toEqual([]);
});

test('a room may import lower bands, itself, Node and its own libraries', () => {
  const files = {
    'src/api/server.ts':
      `import fastify from 'fastify';\nimport { join } from 'node:path';\nimport { route } from ` +
      `'./route.ts';\nimport type { Pool } from '../pool/pool.ts';`,
    'src/api/route.ts': `export { A } from '../../wasm/memory.ts';`,
    'src/pool/pool.ts': `const worker = new URL('./worker.ts', import.meta.url);`,
    'src/pool/worker.ts': `import type { Pool } from './pool.ts';`,
    'wasm/index.ts': `import { A } from "./memory";`,
    'wasm/memory.ts': 'export const A = 1;',
  };
  expect(check(files)).toEqual([]);
});

test.each([
  ['upwards', `import { a } from '../writer/a.ts';`],
  ['a type upwards', `import type { A } from '../writer/a.ts';`],
  ['over several lines', `import {\n  a,\n  b,\n} from '../writer/a.ts';`],
  ['for its effect', `import '../writer/a.ts';`],
  ['by passing on', `export * from '../writer/a.ts';`],
  ['late', `const { a } = await import('../writer/a.ts');`],
  ['the type of a module', `let a: typeof import('../writer/a.ts').a;`],
  ['as a thread', `new Worker(new URL('../writer/a.ts', import.meta.url));`],
])('an import from a higher band is found: %s', (_, source) => {
  expect(check({ 'src/tables/t.ts': source })).toEqual([
    'src/tables/t.ts imports src/writer/a.ts: writer stands above tables.',
  ]);
});

test('the laboratory may import the product, and never the other way round', () => {
  expect(
    check({ 'lab/indoors/a.ts': `import { main } from '../../src/cli.ts';\nimport { b } from '../b.ts';` }),
  ).toEqual([]);
  expect(check({ 'src/cli.ts': `import { a } from '../lab/a.ts';` })).toEqual([
    'src/cli.ts imports lab/a.ts: lab stands above cli.',
  ]);
});

test('the console shares types of the interface with the service, and nothing else', () => {
  const files = {
    'console/src/a.tsx':
      `import { render } from 'preact';\nimport { b } from './b.ts';\nimport './a.css';\n` +
      `import type { C } from '../../src/protocol/c.ts';\nimport type { D } from '../../build/console_api.ts';`,
    'console/build.ts': `import { build } from 'esbuild';\nimport { join } from 'node:path';`,
  };
  expect(check(files)).toEqual([]);
  const source =
    `import { c } from '../../src/protocol/c.ts';\nimport type { E } from '../../src/api/e.ts';\n` +
    `import { join } from 'node:path';`;
  expect(check({ 'console/src/a.ts': source, 'src/api/f.ts': `import { a } from '../../console/src/a.ts';` })).toEqual([
    'console/src/a.ts imports more than types of src/protocol/c.ts.',
    'console/src/a.ts imports src/api/e.ts; of the service the console knows the types of its interface.',
    'console/src/a.ts imports node:path, but a browser has no Node.',
    'src/api/f.ts imports console/src/a.ts: console stands above api.',
  ]);
});

test('rooms of one band do not import each other', () => {
  expect(check({ 'src/accounts/a.ts': `import { b } from '../positioning/b.ts';` })).toEqual([
    'src/accounts/a.ts imports src/positioning/b.ts: accounts and positioning are of one band.',
  ]);
});

test('the core stands alone, and of it only the layout is imported', () => {
  expect(
    check({
      'wasm/index.ts': `import { a } from "../src/geo/a";`,
      'src/core/core.ts': `import { b } from '../../wasm/index.ts';`,
    }),
  ).toEqual([
    'wasm/index.ts imports src/geo/a.ts, but the core stands alone.',
    'src/core/core.ts imports wasm/index.ts; of wasm only memory.ts and the constants may be imported.',
  ]);
});

test.each(['fastify', 'lmdb', 'flatbuffers', 'piscina', 'commander', 'csv-parse', 'kdbush', 'geokdbush', 'pino'])(
  '%s has one importing room',
  library => {
    const rooms = ['api', 'tables', 'pool', 'cli', 'commands', 'config', 'transfer', 'geocoding'];
    const allowed = rooms.filter(room => check({ [`src/${room}/a.ts`]: `import a from '${library}';` }).length === 0);
    const owners: Record<string, string[]> = {
      fastify: ['api'],
      piscina: ['pool'],
      commander: ['cli', 'commands', 'config'],
      pino: ['commands'],
      'csv-parse': ['transfer'],
    };
    expect(allowed).toEqual(owners[library] ?? (library.includes('kdbush') ? ['geocoding'] : ['tables']));
  },
);

test('the files of a library belong to its room as well', () => {
  const source = `readFileSync(new URL('../a.json', import.meta.resolve('@rapideditor/country-coder')));`;
  expect(check({ 'src/geo/a.ts': source })).toEqual([]);
  expect(check({ 'src/radio/a.ts': source })).toEqual([
    'src/radio/a.ts imports @rapideditor/country-coder, which only geo may.',
  ]);
});

test('a part of a library is the library, and a library without a room is refused', () => {
  expect(
    check({ 'src/api/a.ts': `import { parse } from 'csv-parse/sync';\nimport x from '@some/thing/part';` }),
  ).toEqual([
    'src/api/a.ts imports csv-parse, which only transfer may.',
    'src/api/a.ts imports @some/thing, which has no importing room.',
  ]);
});

test.each([
  'process.env.HOME',
  'process\n  .env',
  `process['env']`,
  'const { argv, env } = process',
  `import { env } from 'node:process'`,
])('the environment is read by the configuration only: %s', source => {
  expect(check({ 'src/api/a.ts': source })).toEqual(['src/api/a.ts uses process.env, which only config may.']);
  expect(check({ 'src/config.ts': source })).toEqual([]);
});

test('WebAssembly is used by src/core only', () => {
  const source = 'const core = new WebAssembly.Instance(module);';
  expect(check({ 'src/pool/a.ts': source, 'src/core/a.ts': source })).toEqual([
    'src/pool/a.ts uses WebAssembly, which only core may.',
  ]);
});

test('what the checker cannot see through is refused', () => {
  expect(check({ 'src/api/a.ts': 'await import(name);', 'src/api/b.ts': `require('x');` })).toEqual([
    'src/api/a.ts imports a computed name, which these rules do not see through.',
    'src/api/b.ts uses require, which these rules do not see through.',
  ]);
});

test('a method may be named import', () => {
  const source =
    'class A {\n  private import(job: Job): void {}\n  async import(job: Job) {\n    return this.import(job);\n  }\n}';
  expect(check({ 'src/writer/a.ts': source })).toEqual([]);
});

test('a circle of files is found, also within a room and through types', () => {
  const files = {
    'src/geo/a.ts': `import { b } from './b.ts';`,
    'src/geo/b.ts': `import { c } from './c.ts';`,
    'src/geo/c.ts': `import type { a } from './a.ts';`,
  };
  expect(check(files)).toEqual([
    'The imports go in a circle: src/geo/a.ts > src/geo/b.ts > src/geo/c.ts > src/geo/a.ts.',
  ]);
});

test('a room that stands in no band is refused', () => {
  expect(check({ 'src/helpers/a.ts': '' })).toEqual([
    'src/helpers/a.ts is in the room helpers, which stands in no band.',
  ]);
});

test('comments may name anything', () => {
  expect(
    check({ 'src/geo/a.ts': `// process.env and import('../api/x.ts')\n/**\n * import a from 'lmdb';\n */` }),
  ).toEqual([]);
});

test('a feature has floors of the rooms, loads them late, and is known to the list of features only', () => {
  const files = {
    'src/features.ts': `import { INDOOR } from './indoor/feature.ts';`,
    'src/indoor/feature.ts':
      `import type { Feature } from '../feature.ts';\n` +
      `const jobs = async () => (await import('./jobs/change.ts')).change;`,
    'src/indoor/jobs/change.ts': `import { sources } from '../../jobs/sources.ts';\nimport { t } from '../tables/t.ts';`,
    'src/indoor/tables/t.ts': `import { open } from 'lmdb';`,
    'src/jobs/sources.ts': `import { FEATURES } from '../features.ts';`,
  };
  expect(check(files)).toEqual([]);
  expect(
    check({
      'src/writer/a.ts': `import { t } from '../indoor/tables/t.ts';`,
      'src/indoor/tables/b.ts': `import { change } from '../jobs/change.ts';`,
    }),
  ).toEqual([
    'src/writer/a.ts imports src/indoor/tables/t.ts: outside of indoor only src/features.ts knows it.',
    'src/indoor/tables/b.ts imports src/indoor/jobs/change.ts: jobs stands above tables.',
  ]);
});
