import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MUTATIONS } from './mutations.ts';

test('each mutation finds its text once, and its tests', () => {
  for (const { file, tests, rows } of MUTATIONS) {
    const source = readFileSync(file, 'utf8');
    for (const [rule, text, replacement] of rows) {
      expect(source.split(text).length - 1, `${file}: ${rule}`).toBe(1);
      expect(replacement).not.toBe(text);
    }
    expect(tests.filter(name => !existsSync(name))).toEqual([]);
  }
});
