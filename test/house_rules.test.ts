import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  checkCircles,
  checkExports,
  checkFunctions,
  checkLines,
  checkOffsets,
  checkPointers,
  checkSizes,
} from './house_rules.ts';
import { programs } from './kits/programs.ts';

/** Functions from before the rule. The list only becomes shorter, and its figures smaller. */
const LARGE_FUNCTIONS: Readonly<Record<string, { lines?: number; parameters?: number }>> = {
  'src/indoor/core/fingerprint_matcher.ts addRadio': { parameters: 7 },
  'src/tables/stations/cache_buckets.ts fill': { parameters: 8 },
  'src/tables/stations/cache_buckets.ts write': { parameters: 7 },
  'wasm/body/beacons.ts scanBeacon': { lines: 89 },
  'wasm/body/observations.ts writeValues': { parameters: 7 },
  'wasm/fingerprints/match.ts explainMatch': { parameters: 7 },
  'wasm/fingerprints/match.ts matchRadio': { parameters: 9 },
  'wasm/fingerprints/match.ts weighMatch': { parameters: 8 },
  'wasm/posterior.ts prepare': { lines: 72 },
  'wasm/tracking/draw_particles.ts drawParticles': { parameters: 7 },
  'wasm/tracking/move_particles.ts moveParticles': { parameters: 9 },
  'wasm/trilaterate.ts trilaterate': { parameters: 7 },
};

const made = (files: Record<string, string>) => new Map(Object.entries(files));

test('no file has more than 400 lines', () => {
  const files = programs('src', 'wasm', 'lab', 'console');
  expect(files.has('src/config.ts') && files.has('wasm/index.ts')).toBe(true);
  expect(checkSizes(files)).toEqual([]);
});

test('no line has more than 120 columns, whether code or comment', () => {
  expect(checkLines(programs('src', 'wasm', 'lab', 'console'))).toEqual([]);
});

test('no function has more than 70 lines or six parameters, except those listed', () => {
  expect(checkFunctions(programs('src', 'wasm', 'lab', 'console'), LARGE_FUNCTIONS)).toEqual([]);
});

test('no two rooms need each other', () => {
  expect(checkCircles(programs('src', 'lab', 'console'))).toEqual([]);
});

test('each export is used by another file', () => {
  expect(checkExports(programs('src', 'lab', 'console'), programs('bench', 'test'))).toEqual([]);
});

test('byte offsets are known in the room of their layout only', () => {
  expect(checkOffsets(programs('src', 'bench', 'lab'))).toEqual([]);
});

test('comments name files that are there', () => {
  expect(checkPointers(programs('src', 'wasm', 'bench'), existsSync)).toEqual([]);
});

test('a file of 401 lines is too large', () => {
  const files = { 'src/geo/short.ts': 'a\n'.repeat(400), 'src/geo/long.ts': 'a\n'.repeat(401) };
  expect(checkSizes(made(files))).toEqual(['src/geo/long.ts has 401 lines, more than 400.']);
});

test('a line of 121 columns is too long unless a word in it could not be broken', () => {
  const fits = `// ${'ab '.repeat(39)}`;
  const files = { 'src/a.ts': `${fits}\n${fits}c\n'${'x'.repeat(200)}'\n` };
  expect(fits.length).toBe(120);
  expect(checkLines(made(files))).toEqual(['src/a.ts:2 has 121 columns, more than 120.']);
});

test.each([
  ['function', ['export async function* big<T extends A<B>>('], ['): Promise<Map<A, B>> {'], '}'],
  ['method', ['class A {', '  private async big<T>('], ['  ): T {'], '  }\n}'],
  ['constant', ['const big = async ('], [') => {'], '};'],
])('a function of 71 lines or with seven parameters is too large: %s', (_, before, after, end) => {
  const drawn = (bodyLines: number, parameters: string) =>
    checkFunctions(
      made({
        'src/a.ts': [...before, `  ${parameters}`, ...after, ...Array(bodyLines).fill('    if (a) b();'), end].join(
          '\n',
        ),
      }),
    );
  const six = 'a: A<B, C>, { b, c }: D = { b: 1 }, d: (e: E, f: F) => G, h = [1, 2], i?: I, j: J,';
  expect(drawn(66, six)).toEqual([]);
  expect(drawn(67, six)).toEqual(['src/a.ts big has 71 lines, more than 70.']);
  expect(drawn(1, `${six} k: K`)).toEqual(['src/a.ts big takes 7 parameters, more than 6.']);
});

test('a call, a condition and a type are no functions, and an exception has its own limit', () => {
  const seven = 'a, b, c, d, e, f, g';
  const source = `  if (${seven}) {\n  call(${seven});\n  const x = (${seven});\n  type F = (${seven}) => void;\n`;
  expect(checkFunctions(made({ 'src/a.ts': source }))).toEqual([]);
  const files = made({ 'src/a.ts': `function f(${seven}): void {}` });
  expect(checkFunctions(files)).toEqual(['src/a.ts f takes 7 parameters, more than 6.']);
  expect(checkFunctions(files, { 'src/a.ts f': { parameters: 7 } })).toEqual([]);
});

test('an exception that is larger than its function is stale', () => {
  const files = made({ 'src/a.ts': 'function f(a, b, c, d, e, f, g): void {}' });
  expect(checkFunctions(files, { 'src/a.ts f': { parameters: 8 }, 'src/a.ts gone': { lines: 90 } })).toEqual([
    'src/a.ts f is listed with 8 parameters and takes fewer.',
    'src/a.ts gone is listed with 90 lines and has fewer.',
  ]);
});

test('a circle of rooms is found where no file is in a circle, also between a room and a room in it', () => {
  const files = {
    'src/geo/a.ts': `import { b } from './deep/b.ts';`,
    'src/geo/deep/b.ts': `import type { C } from '../../cli.ts';`,
    'src/cli.ts': `export { d } from './geo/d.ts';`,
    'src/geo/d.ts': '',
  };
  expect(checkCircles(made(files))).toEqual([
    'The rooms go in a circle: src/geo/a.ts imports src/geo/deep/b.ts, src/geo/deep/b.ts imports src/cli.ts, ' +
      'src/cli.ts imports src/geo/d.ts.',
  ]);
  expect(checkCircles(made({ ...files, 'src/cli.ts': `new Worker(new URL('./geo/d.ts', import.meta.url));` }))).toEqual(
    [],
  );
});

test.each([
  ['by name', `import { other, answer } from './a.ts';`],
  ['by another name', `import {\n  type answer as reply,\n} from './a.ts';`],
  ['by passing on', `export { answer } from './a.ts';`],
  ['with all', `import * as all from './a.ts';\nall.answer();`],
  ['late', `const { answer } = await import('./a.ts');`],
  ['as a thread', `run(new URL('./a.ts', import.meta.url), 'answer');`],
])('an export is used %s', (_, source) => {
  const files = made({ 'src/geo/a.ts': 'export function answer(): void {}' });
  expect(checkExports(files, made({ 'src/geo/b.ts': source }))).toEqual([]);
});

test.each([
  ['another is', `import { other } from './a.ts';\nanswer();`],
  ['one of its name is', `import { answer } from './c.ts';`],
  ['it is loaded and not named', `await import('./a.ts');`],
  ['a comment says so', `// import { answer } from './a.ts';`],
])('an export is not used where %s', (_, source) => {
  const files = made({ 'src/geo/a.ts': 'export const answer = 1;\nanswer;' });
  expect(checkExports(files, made({ 'src/geo/b.ts': source }))).toEqual([
    'src/geo/a.ts exports answer, which no other file uses.',
  ]);
});

test('a file that a comment names is looked for in the folder of the comment and in all above it', () => {
  const files = {
    'src/geo/a.ts': [
      '/** As src/gone/b.ts has it. */',
      '// See src/geo/c.ts, gone.ts, deep/c.ts',
      'const a = 1; // b.ts and geo/b.ts',
    ].join('\n'),
    'src/geo/b.ts': `const text = 'gone.ts'; /* row.fbs */`,
  };
  const there = ['src/geo/b.ts', 'src/geo/c.ts', 'src/geo/deep/c.ts'];
  expect(checkPointers(made(files), path => there.includes(path))).toEqual([
    'src/geo/a.ts names src/gone/b.ts, which is not there.',
    'src/geo/a.ts names gone.ts, which is not there.',
    'src/geo/b.ts names row.fbs, which is not there.',
  ]);
});

test('an offset outside of its room is found, a size and a value are not', () => {
  const files = {
    'src/radio/query/reader.ts': `import { RESULT_STATUS } from './layout.ts';`,
    'src/tables/report.ts': `import { OBSERVATION_BYTES, LOCATE_FOUND } from '../radio/query/layout.ts';`,
    'src/api/a.ts': `import { LOCATE_FOUND, RESULT_STATUS } from '../radio/query/layout.ts';`,
    'src/learning/b.ts': `import { STATION_BYTES, STATION_FLAGS } from '../tables/stations/record_layout.ts';`,
    'src/learning/c.ts': `import { OBSERVATION_AGE, OBSERVATION_BYTES } from '../../wasm/observation_constants.ts';`,
  };
  expect(checkOffsets(made(files))).toEqual([
    'src/api/a.ts names the offsets RESULT_STATUS of src/radio/query/layout.ts.',
    'src/learning/b.ts names the offsets STATION_FLAGS of src/tables/stations/record_layout.ts.',
    'src/learning/c.ts names the offsets OBSERVATION_AGE of wasm/observation_constants.ts.',
  ]);
});
