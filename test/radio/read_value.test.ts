import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalIn, flagOf, numberOf, roundedIn, wholeIn } from '../../src/radio/read_value.ts';

const TEN = { min: 0, max: 10, also: 10 };

test('decimal text is a number, other values are not', () => {
  expect(['12', '-12.5', '+3', ' 7 ', '1e2', '05', '5.'].map(numberOf)).toEqual([12, -12.5, 3, 7, 100, 5, 5]);
  for (const text of ['', ' ', '0x10', 'Infinity', 'NaN', '1,5', '1 2', '--1', '1_000', '.', '9'.repeat(33)])
    expect([text, numberOf(text)]).toEqual([text, Number.NaN]);
  for (const value of [true, null, undefined, {}, [5], 5n]) expect(numberOf(value)).toBeNaN();
});

test('identities must be whole, measurements are rounded, decimals stay', () => {
  expect([3, 3.4, '3', '3.4', 10, 10.4, 11, -1, null].map(value => wholeIn(value, TEN, -9))).toEqual([
    3, -9, 3, -9, 10, -9, -9, -9, -9,
  ]);
  expect([3, 3.4, '3', '3.4', 10, 10.4, 11, -1, null].map(value => roundedIn(value, TEN, -9))).toEqual([
    3, 3, 3, 3, 10, 10, -9, -9, -9,
  ]);
  expect([3, 3.4, '3', '3.4', 10, 10.4, 11, -1, null].map(value => decimalIn(value, TEN, -9))).toEqual([
    3, 3.4, 3, 3.4, 10, -9, -9, -9, -9,
  ]);
});

test('flags are 0 and 1, as numbers, text or booleans', () => {
  expect([1, '1', true, 'true', 0, '0', false, 'false'].map(flagOf)).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect([null, undefined, 2, -1, 'yes', '', {}, [1], 0.5].map(flagOf)).toEqual(Array(9).fill(undefined));
});

test('a value read is always the absent mark or in range', () => {
  fc.assert(
    fc.property(fc.anything(), value => {
      for (const read of [wholeIn, roundedIn, decimalIn]) {
        const number = read(value, TEN, -9);
        expect(number === -9 || (number >= 0 && number <= 10)).toBe(true);
      }
    }),
  );
});
