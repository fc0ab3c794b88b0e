import { expect, test } from 'vitest';
import { otherFormat } from '../../src/cluster/manifest.ts';

test('what another version has written says what to do', () => {
  expect(otherFormat('It', 3, 2).message).toBe('It has format 3, and this version reads format 2; upgrade this node.');
  expect(otherFormat('It', '1', 2).message).toBe(
    'It has format 1, and this version reads format 2; export with the version that wrote it, and import with this ' +
      'one into a new cluster.',
  );
});
