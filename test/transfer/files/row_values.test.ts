import { expect, test } from 'vitest';
import {
  readDay,
  readDecimal,
  readInteger,
  readSamples,
  refusePosition,
} from '../../../src/transfer/files/row_values.ts';

test('whole numbers are digits and nothing else', () => {
  expect(['0', '-1', '0042', '68719476735'].map(readInteger)).toEqual([0, -1, 42, 68_719_476_735]);
  expect(['', ' ', '1.0', '1e3', '0x10', '+1', 'NaN', '12345678901234567'].map(readInteger)).toEqual(
    Array(8).fill(Number.NaN),
  );
});

test('the empty text is no decimal number', () => {
  expect(['1.5', '-0.25', ' 7 '].map(readDecimal)).toEqual([1.5, -0.25, 7]);
  expect(['', ' ', 'north'].map(readDecimal)).toEqual(Array(3).fill(Number.NaN));
});

test('a day comes from seconds, milliseconds and ISO dates', () => {
  const day = Date.UTC(2024, 1, 29) / 86_400_000;
  const noon = Date.UTC(2024, 1, 29, 12) / 1000;
  expect(
    [`${noon}`, `${noon * 1000}`, '2024-02-29', '2024-02-29 23:59:59', '2024-02-29T23:59:59Z'].map(readDay),
  ).toEqual(Array(5).fill(day));
  expect([undefined, '', '0', '-5', 'yesterday', '2024-99-99', '9999999999999999'].map(readDay)).toEqual(
    Array(7).fill(0),
  );
});

test('samples are at least one', () => {
  expect(['12', '1', '0', '-3', '', 'many', undefined].map(readSamples)).toEqual([12, 1, 1, 1, 1, 1, 1]);
});

test('a position is on the globe and not at null island', () => {
  expect(refusePosition(90, -180)).toBeUndefined();
  expect(refusePosition(0.5, 6.6)).toBeUndefined();
  expect(refusePosition(90.001, 0)).toEqual({ rule: 'position', why: 'the latitude is not a number from -90 to 90' });
  expect(refusePosition(Number.NaN, 0)?.rule).toBe('position');
  expect(refusePosition(50, 180.001)).toEqual({
    rule: 'position',
    why: 'the longitude is not a number from -180 to 180',
  });
  expect(refusePosition(0, 0)?.rule).toBe('null island');
  expect(refusePosition(-0.99, 0.99)?.rule).toBe('null island');
});
