import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

function run(...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, argv, { encoding: 'utf8' });
}

test.each([
  ['bench/main.ts', '--help'],
  ['bench/main.ts', 'path', '--help'],
])('npm run bench explains itself: %s %s %s', (...argv) => {
  const { status, stdout } = run(...argv);
  expect([status, stdout.split('\n')[0]]).toEqual([0, 'npm run bench -- BENCHMARK [options]']);
});

test.each([
  'bench/compare_checkouts.ts',
  'bench/files_of_request.ts',
  'bench/stalls.ts',
  'bench/footprint/memory.ts',
  'bench/footprint/start.ts',
  'bench/micro/hop.ts',
  'bench/learning/cost.ts',
  'bench/search/cost.ts',
])('--help prints the comment at the top: %s', file => {
  const { status, stdout, stderr } = run(file, '--help');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`node ${file}`);
  expect(stdout).not.toMatch(/^(\/\/|import)/m);
});

test.each([
  ['bench/main.ts', 'path', '--rouds', '3'],
  ['bench/files_of_request.ts', '--rouds'],
])('an option that is not known gets one line and exit code 2: %s %s', (...argv) => {
  const { status, stdout, stderr } = run(...argv);
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: "Unknown option '--rouds'. --help lists the options.\n",
  });
});

test('a setting for a comparison without a value gets one line and exit code 2', () => {
  expect(run('bench/compare_checkouts.ts', '.', '--set', 'access-log')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: '--set takes a flag with its value, such as access-log=text, not "access-log". --help lists the options.\n',
  });
});

test('a benchmark that does not exist gets one line and exit code 2', () => {
  const { status, stderr } = run('bench/main.ts', 'paht', '--stations', '1000');
  expect([status, stderr]).toEqual([2, 'There is no benchmark "paht". --help lists them.\n']);
});
