import { expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/geocoding/index/varint.ts';
import { encodeAscending, forEachAscending } from '../../../../src/geocoding/search/word_index/ascending.ts';

test('ascending numbers come back, and their count', () => {
  const numbers = Uint32Array.of(0, 1, 200, 70_000, 4_000_000_000);
  const bytes = encodeAscending(new ByteWriter(), numbers);
  const found: number[] = [];
  expect(forEachAscending(bytes, number => found.push(number))).toBe(5);
  expect(found).toEqual([...numbers]);
});
