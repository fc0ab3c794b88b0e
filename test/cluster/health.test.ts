import { expect, test } from 'vitest';
import { healthOf } from '../../src/cluster/health.ts';

const FINE = {
  role: 'all',
  aloneSeconds: undefined,
  aloneMs: 0,
  hasTables: true,
  failure: undefined,
  progress: undefined,
} as const;
const NOTHING = { problem: undefined, note: undefined };

test('a node that has its tables is ready, and one that only learns takes no requests', () => {
  expect(healthOf(FINE)).toEqual(NOTHING);
  expect(healthOf({ ...FINE, role: 'serve' })).toEqual(NOTHING);
  expect(healthOf({ ...FINE, role: 'learn' }).problem).toBe('This node learns for its cluster and takes no requests.');
});

test('a node that takes over its first tables says how far they are', () => {
  expect(healthOf({ ...FINE, hasTables: false }).problem).toBe('This node takes over the tables of its cluster.');
  const progress = { doneBytes: 1_572_864, totalBytes: 10_485_760 };
  expect(healthOf({ ...FINE, hasTables: false, progress }).problem).toBe(
    'This node takes over the tables of its cluster: 1.5 of 10.0 MB.',
  );
  expect(healthOf({ ...FINE, progress })).toEqual(NOTHING);
});

test('a node that is cut off answers, and is ready for as long as it may be alone', () => {
  expect(healthOf({ ...FINE, aloneMs: 6_000 })).toEqual(NOTHING);
  const note = 'This node has been cut off from its cluster for 61 s, and answers from its own tables.';
  expect(healthOf({ ...FINE, aloneMs: 61_000 })).toEqual({ problem: undefined, note });
  expect(healthOf({ ...FINE, aloneMs: 61_000, aloneSeconds: 61 })).toEqual({ problem: undefined, note });
  expect(healthOf({ ...FINE, aloneMs: 61_001, aloneSeconds: 61 }).problem).toBe(
    'This node has been cut off from its cluster for 61 s.',
  );
  expect(healthOf({ ...FINE, aloneMs: 500, aloneSeconds: 0 })).toEqual(NOTHING);
});

test('what failed last is said beside that', () => {
  expect(healthOf({ ...FINE, failure: 'The disk is full.' })).toEqual({
    problem: undefined,
    note: 'The disk is full.',
  });
});
