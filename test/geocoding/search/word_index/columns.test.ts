import { expect, test } from 'vitest';
import {
  GrowingWords,
  groupBy,
  HashTable,
  hashOf,
  numberIn,
} from '../../../../src/geocoding/search/word_index/columns.ts';

test('words grow over many chunks and can be changed', () => {
  const words = new GrowingWords();
  for (let i = 0; i < 200_000; i++) words.push(i);
  words.set(70_000, 7);
  const all = words.toArray();
  expect([words.length, all.length, all[199_999], words.get(70_000), all[70_000], all[65_536]]).toEqual([
    200_000, 200_000, 199_999, 7, 7, 65_536,
  ]);
});

test('a table keeps the last value of each hash, however many there are', () => {
  const table = new HashTable();
  for (let i = 0; i < 5_000; i++) table.set(hashOf([i, 1]), i + 1);
  table.set(hashOf([17, 1]), 99);
  expect(table.get(hashOf([17, 1]))).toBe(99);
  expect(table.get(hashOf([17, 2]))).toBe(0);
  for (let i = 18; i < 5_000; i++) expect(table.get(hashOf([i, 1]))).toBe(i + 1);
});

test('hashes of lists differ by order, length and sign', () => {
  const hashes = [[1, 2], [2, 1], [1], [1, 2, 0], [-1, 2], []].map(words => JSON.stringify(hashOf(words)));
  expect(new Set(hashes).size).toBe(6);
});

test('entries are ordered by group and stay in order inside of it', () => {
  const groups = [2, 0, 2, 1, 0];
  const { order, starts } = groupBy(groups.length, 3, entry => groups[entry]);
  expect([...order]).toEqual([1, 4, 3, 0, 2]);
  expect([...starts.subarray(0, 4)]).toEqual([0, 2, 3, 5]);
});

test('different texts are numbered in their order', () => {
  const numbers = new Map<string, number>();
  expect(['b', 'a', 'b', 'c'].map(text => numberIn(numbers, text))).toEqual([0, 1, 0, 2]);
});
