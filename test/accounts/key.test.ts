import { expect, test } from 'vitest';
import { hashKey, newKey } from '../../src/accounts/key.ts';

test('a key has its prefix and 130 random bits in letters that are not misread', () => {
  expect(newKey()).toMatch(/^sx_[0-9a-hjkmnp-tv-z]{26}$/);
});

test('keys do not repeat and use every letter at every place', () => {
  const keys = Array.from({ length: 2000 }, newKey);
  expect(new Set(keys).size).toBe(2000);
  for (let place = 3; place < 29; place++) expect(new Set(keys.map(key => key[place])).size).toBe(32);
});

test('the hash of a key is SHA-256', () => {
  expect(hashKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(hashKey('ключ')).toBe('1de36a32af798da0c1ac9297603a320ed8fe567cf21c9177112a4ce914ebb8be');
});
