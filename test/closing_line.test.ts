import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The last lines that a run of these test files prints, by file name. */
function lastLinesOf(files: Record<string, string>, count: number): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'closing-line-'));
  folders.push(folder);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'test'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, 'test', name), `import { expect, test, describe, beforeAll } from 'vitest';\n${text}`);
  const reporter = resolve('test/closing_line.ts');
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const run = spawnSync(
    process.execPath,
    [vitest, 'run', '--root', folder, '--reporter', 'default', '--reporter', reporter],
    { encoding: 'utf8' },
  );
  return run.stdout.trimEnd().split('\n').slice(-count);
}

test('a run that passes ends with the counts and nothing else', () => {
  expect(lastLinesOf({ 'a.test.ts': `test('one', () => {}); test('two', () => {});` }, 1)).toEqual([
    '2 passed, 0 failed',
  ]);
});

test('failed and skipped tests are counted', () => {
  const text = `test('one', () => {}); test('two', () => { expect(1).toBe(2); }); test.skip('three', () => {});`;
  expect(lastLinesOf({ 'a.test.ts': text }, 2)).toEqual(['1 skipped', '1 passed, 1 failed']);
});

test('a file that cannot be loaded is a failure', () => {
  expect(lastLinesOf({ 'a.test.ts': `test('one', () => {});`, 'b.test.ts': `import './absent.ts';` }, 1)).toEqual([
    '1 passed, 1 failed',
  ]);
});

test('a suite whose preparation fails is a failure', () => {
  const text = `describe('s', () => { beforeAll(() => { throw new Error('no'); }); test('one', () => {}); });`;
  expect(lastLinesOf({ 'a.test.ts': text }, 2)).toEqual(['1 skipped', '0 passed, 1 failed']);
});

test('an error outside of any test is a failure', () => {
  expect(lastLinesOf({ 'a.test.ts': `test('one', () => { Promise.reject(new Error('stray')); });` }, 1)).toEqual([
    '1 passed, 1 failed',
  ]);
});
