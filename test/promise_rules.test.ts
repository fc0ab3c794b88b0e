import { expect, test } from 'vitest';
import { programs } from './kits/programs.ts';
import { checkLateAwaits, checkVoided } from './promise_rules.ts';

/** What fails in these ends the thread, which the main thread reports; or the program, before it has begun. */
const ENDING = ['src/sextant.js start', 'src/api/http_thread.ts stop', 'src/writer/thread.ts close'];

test('no promise is made before something else is waited for, unless its failure is heard', () => {
  expect(checkLateAwaits(programs('src'))).toEqual([]);
});

test('no function that may fail is begun with void, except those whose failure is to end what runs', () => {
  expect(checkVoided(programs('src'), ENDING)).toEqual([]);
});

const made = (...lines: string[]) => new Map([['src/a.ts', ['async function f() {', ...lines, '}'].join('\n')]]);

test.each([
  ['a field', 'this.opened ??= this.open();', 'const table = await openTable();', 'use(await this.opened);'],
  ['a constant', 'const opened = open();', 'for await (const row of rows) use(row);', 'await opened;'],
])('a promise in %s that is waited for late is found', (_, ...lines) => {
  expect(checkLateAwaits(made(...lines.map(line => `  ${line}`)))).toEqual([expect.stringContaining(`"${lines[0]}"`)]);
});

test('a promise that is waited for at once, or whose failure is heard, may be kept', () => {
  expect(checkLateAwaits(made('  const a = open();', '  await a;'))).toEqual([]);
  expect(checkLateAwaits(made('  const a = await open();', '  await b();', '  await a;'))).toEqual([]);
  expect(checkLateAwaits(made('  const a = open();', '  a.catch(() => {});', '  await b();', '  await a;'))).toEqual(
    [],
  );
});

test('a function that is begun with void may not wait outside of try', () => {
  const begun = (...body: string[]) =>
    checkVoided(new Map([['src/a.ts', ['void g();', 'async function g() {', ...body, '}'].join('\n')]]));
  const found = ['src/a.ts g is begun with void and may fail.'];
  expect(begun('  await b();')).toEqual(found);
  expect(begun('  for await (const c of d) e(c);')).toEqual(found);
  expect(begun('  try {', '    await b();', '  } catch (error) {', '    tell(error);', '  }', '  await rm();')).toEqual(
    found,
  );
  expect(begun('  try {', '    await b();', '  } catch (error) {', '    tell(error);', '  }')).toEqual([]);
  expect(checkVoided(made('  void g().catch(tell);', '}', 'async function g() {', '  await b();'))).toEqual([]);
});
