import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, test } from 'vitest';
import { lowerHelperThreads } from '../../../src/commands/service/helper_threads.ts';

test.skipIf(process.platform !== 'linux')("V8's helper threads run behind all others", () => {
  const isHelper = (id: string) => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('V8Worker');
  const threads = readdirSync('/proc/self/task');
  const before = getPriority();

  expect(lowerHelperThreads()).toBeGreaterThan(0);

  expect(threads.filter(isHelper).map(id => getPriority(Number(id)))).toEqual(threads.filter(isHelper).map(() => 10));
  expect(getPriority()).toBe(before);
});
