import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalIn, flagOf, numberOf, readTime, roundedIn, wholeIn } from '../../src/radio/read_value.ts';

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

test('identities may be hexadecimal, measurements not', () => {
  expect(
    ['0x7', '0XA', ' 0x0a ', '0xb', '0x', '0x7.5', '-0x7', '7', 'a'].map(value => wholeIn(value, TEN, -9)),
  ).toEqual([7, 10, 10, -9, -9, -9, -9, 7, -9]);
  for (const read of [roundedIn, decimalIn]) expect(read('0x7', TEN, -9)).toBe(-9);
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

const AT = Date.UTC(2006, 0, 2, 15, 4, 5);

test.each([
  AT / 1000,
  String(AT / 1000),
  AT,
  String(AT),
  '2006-01-02T15:04:05Z',
  '2006-01-02 15:04:05',
  '2006-01-02T15:04:05',
  '2006-01-02t15:04:05z',
  '2006-01-02T15:04:05.000Z',
  '2006-01-02T16:04:05+01:00',
  '2006-01-02T09:34:05-0530',
  '2006-01-02 15:04:05 Z',
])('%s is one and the same time', value => {
  expect(readTime(value)).toBe(AT);
});

test('a date may lack its seconds or its time of day, and carry a fraction', () => {
  expect(
    ['2006-01-02T15:04Z', '2006-01-02', '2006-01-02T15:04:05.25Z', '2006-01-02T15:04:05,5+00:00'].map(readTime),
  ).toEqual([AT - 5000, Date.UTC(2006, 0, 2), AT + 250, AT + 500]);
});

test('a leap second is the second after it', () => {
  expect(readTime('2016-12-31T23:59:60Z')).toBe(Date.UTC(2017, 0, 1));
});

test('a number counts as seconds up to 1e11 and as milliseconds above', () => {
  expect([0, 1, 1.5, 1e11, 1e11 + 1, 1e14].map(readTime)).toEqual([0, 1000, 1500, 1e14, 1e11 + 1, 1e14]);
});

test.each([
  undefined,
  null,
  true,
  {},
  [AT],
  '',
  'now',
  -1,
  '-5',
  1e14 + 1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '2006-13-02T15:04:05Z',
  '2006-02-30T15:04:05Z',
  '2006-01-02T25:04:05Z',
  '2006-01-02T15:61:05Z',
  '2006-01-02T15:04:61Z',
  '1969-12-31T23:59:59Z',
  '02/01/2006',
  'Mon Jan 2 15:04:05 2006',
  '2006-01-02T15:04:05Z'.padEnd(1e6),
])('%.30s is no time', value => {
  expect(readTime(value)).toBeNaN();
});

test('every instant survives being written as an ISO date', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), date => {
      expect(readTime(date.toISOString())).toBe(date.getTime());
    }),
  );
});
