import { expect, test } from 'vitest';
import { ByteWriter } from '../../../../src/geocoding/index/varint.ts';
import { encodeAscending, forEachAscending } from '../../../../src/geocoding/search/word_index/ascending.ts';

test('ascending numbers come back, as many as asked for', () => {
  const numbers = Uint32Array.of(0, 1, 200, 70_000, 4_000_000_000);
  const bytes = encodeAscending(new ByteWriter(), numbers);
  const read = (limit: number) => {
    const found: number[] = [];
    forEachAscending(bytes, limit, number => found.push(number));
    return found;
  };
  expect(read(10)).toEqual([...numbers]);
  expect(read(2)).toEqual([0, 1]);
});
