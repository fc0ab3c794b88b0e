import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from '../../src/commands/import.ts';

test.each([
  ['y\n', true],
  ['Yes \n', true],
  ['n\n', false],
  ['\n', false],
  ['', false],
])('a question on a terminal is answered by %j: %s', async (typed, expected) => {
  const [input, output] = [0, 1].map(() => Object.assign(new PassThrough(), { isTTY: true as const }));
  input.end(typed);
  expect(await confirm('Let \u202e them go?', input, output)).toBe(expected);
  expect(String(output.read())).toContain('Let \\u202e them go? [y/N] ');
});

test('nobody is asked where input or output is no terminal', async () => {
  const [file, terminal] = [{}, { isTTY: true as const }].map(is => Object.assign(new PassThrough(), is)) as never[];
  expect(await Promise.all([confirm('Go?', file, terminal), confirm('Go?', terminal, file)])).toEqual([false, false]);
});
