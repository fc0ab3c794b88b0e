import { expect, test } from 'vitest';
import { houseNumberKey, houseNumbersOf } from '../../../../src/geocoding/search/words/house_number.ts';
import { questionWords } from '../../../../src/geocoding/search/words/text.ts';

test.each([
  ['12 bis', '12bis'],
  ['33 a', '33a'],
  ['3/a', '3a'],
  ['1 - 3', '1-3'],
  ['33/2', '33-2'],
  ['a 12', 'a12'],
  ['Dar il-Ħanin', 'darilhanin'],
  ['1-3a', '1-3a'],
])('%j is compared as %s', (text, key) => {
  expect(houseNumberKey(questionWords(text))).toBe(key);
});

test('a list is several numbers', () => {
  expect(houseNumbersOf('1;3, 5A')).toEqual([
    { key: '1', isInRange: false },
    { key: '3', isInRange: false },
    { key: '5a', isInRange: false },
  ]);
});

test('a range is itself and the numbers of its side of the street', () => {
  expect(houseNumbersOf('1-5').map(({ key }) => key)).toEqual(['1-5', '1', '3', '5']);
  expect(houseNumbersOf('1-4').map(({ key }) => key)).toEqual(['1-4', '1', '2', '3', '4']);
});

test('a range that runs down or is very long is only itself', () => {
  expect(houseNumbersOf('5-1').map(({ key }) => key)).toEqual(['5-1']);
  expect(houseNumbersOf('1-999').map(({ key }) => key)).toEqual(['1-999']);
});

test('nothing has no number', () => {
  expect(houseNumbersOf(' ; ')).toEqual([]);
});
