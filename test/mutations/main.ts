// The front of the mutations. HELP below says what it does.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readArguments } from '../../bench/command_line.ts';
import { MUTATIONS } from './mutations.ts';

const HELP = `npx node test/mutations/main.ts [options]

Breaks one rule of the program after the other, in a copy of the checkout, and runs the tests that are named for it.
Prints a table: the rule and the test that fails. Exits with 1 when all of them pass, which means that nothing holds
the rule.

  --only TEXT    mutations whose file or rule contains the text (all)

Example:
  npx node test/mutations/main.ts --only billing`;

/** What is built or installed is no part of a mutation. */
const SHARED = ['node_modules', 'build'];
/** A mutation may make a test wait for ever. */
const RUN_MILLISECONDS = 240_000;

interface TestFile {
  name: string;
  status: string;
  message: string;
  assertionResults: readonly { fullName: string; status: string }[];
}

const { values } = readArguments(HELP, { options: { only: { type: 'string', default: '' } } });
const { only } = values;
const root = resolve(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'sextant-mutations-'));
let survivors = 0;
try {
  copyCheckout();
  console.log('| file | rule | what fails |\n| --- | --- | --- |');
  for (const { file, tests, rows } of MUTATIONS) {
    const chosen = rows.filter(([rule]) => file.includes(only) || rule.includes(only));
    const failing = chosen.length === 0 ? undefined : failingTest(tests);
    if (failing !== undefined) throw new Error(`The tests of ${file} fail without a mutation: ${failing}.`);
    const source = readFileSync(join(copy, file), 'utf8');
    for (const [rule, text, replacement] of chosen) {
      if (source.split(text).length !== 2) throw new Error(`${file} does not hold this text once: ${text}`);
      writeFileSync(
        join(copy, file),
        source.replace(text, () => replacement),
      );
      const failed = failingTest(tests);
      if (failed === undefined) survivors++;
      console.log(`| ${file} | ${rule} | ${failed ?? '**nothing**'} |`);
    }
    writeFileSync(join(copy, file), source);
  }
  console.log(`\nMutations that no test noticed: ${survivors}.`);
} finally {
  rmSync(copy, { recursive: true });
}
if (survivors > 0) process.exitCode = 1;

/** Copies what git knows and what it does not ignore. */
function copyCheckout(): void {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' });
  for (const name of listed.split('\0').filter(name => name !== '' && !SHARED.includes(name)))
    cpSync(join(root, name), join(copy, name));
  for (const name of SHARED) symlinkSync(join(root, name), join(copy, name));
}

/** @returns the first test that fails; undefined when all pass */
function failingTest(tests: readonly string[]): string | undefined {
  const results = join(copy, 'results.json');
  rmSync(results, { force: true });
  const { status, error } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--bail', '1', '--reporter', 'json', '--outputFile', results, ...tests],
    { cwd: copy, timeout: RUN_MILLISECONDS, encoding: 'utf8' },
  );
  if (status === 0) return undefined;
  if (error !== undefined) return `the run does not end (${error.message})`;
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as { testResults: TestFile[] };
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status: state }) => state === 'failed');
  if (failed !== undefined) return failed.fullName;
  const file = testResults.find(({ status: state }) => state === 'failed')!;
  return `${file.name.slice(copy.length + 1)}: ${file.message.split('\n')[0]}`;
}
