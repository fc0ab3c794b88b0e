import { expect, test } from 'vitest';
import { KIND_GSM, KIND_NR, RADIO_TYPES } from '../../src/radio/kind.ts';
import { CELL_RANGES, cellRangesOfKind, isIn } from '../../src/radio/ranges.ts';

test('both ends belong to a range, and so does its one extra value', () => {
  const area = CELL_RANGES.nr.locationAreaCode;
  expect([0, 1, 16_777_213, 16_777_214, 16_777_215, 16_777_216].map(value => isIn(value, area))).toEqual([
    false,
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('no number lies in the range of a field that the radio type does not have', () => {
  for (const value of [-1, 0, 1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(isIn(value, CELL_RANGES.gsm.primaryScramblingCode)).toBe(false);
});

test('ranges by kind are those by name', () => {
  for (let kind = KIND_GSM; kind <= KIND_NR; kind++)
    expect(cellRangesOfKind(kind)).toBe(CELL_RANGES[RADIO_TYPES[kind - KIND_GSM]]);
});
