import { expect, test } from 'vitest';
import { describeStatus } from '../../src/core/status.ts';
import * as layout from '../../wasm/memory.ts';

const statuses = Object.entries(layout).filter(([name]) => name.startsWith('STATUS_')) as [string, number][];

test('every status number has a sentence of its own', () => {
  const sentences = statuses.map(([, status]) => describeStatus(status));
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(new Set(sentences).size).toBe(statuses.length);
  expect(statuses.length).toBeGreaterThan(5);
});

test('a number without a meaning is an error that names it', () => {
  expect(() => describeStatus(99)).toThrow('The numeric core returned the status 99, which has no meaning.');
});
