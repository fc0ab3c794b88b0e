import { expect, test } from 'vitest';
import { OPERATIONS } from '../../../src/api/admin/operations.ts';

/** Formats that have words of their own. */
const KNOWN_FORMATS = ['date', 'date-time'];

test('each pattern and each format of ours says in words what a value must be', () => {
  const silent: string[] = [];
  let patterns = 0;
  const look = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { pattern, format, 'x-must': must } = schema as Record<string, unknown>;
    const needsWords = typeof pattern === 'string' || (typeof format === 'string' && !KNOWN_FORMATS.includes(format));
    if (needsWords) patterns++;
    if (needsWords && typeof must !== 'string') silent.push(path);
    for (const [name, part] of Object.entries(schema)) look(part, `${path} ${name}`);
  };
  for (const { method, path, query, body } of OPERATIONS) look({ query, body }, `${method} ${path}`);
  expect(silent).toEqual([]);
  expect(patterns).toBeGreaterThan(20);
});
