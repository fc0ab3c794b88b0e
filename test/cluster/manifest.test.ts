import { expect, test } from 'vitest';
import { otherFormat } from '../../src/cluster/manifest.ts';

test('what another version has written says which side is to be upgraded', () => {
  expect(otherFormat('It', 3, 2).message).toBe('It has format 3, and this version reads format 2; upgrade this node.');
  expect(otherFormat('It', '1', 2).message).toContain('upgrade the nodes of earlier versions first.');
});
