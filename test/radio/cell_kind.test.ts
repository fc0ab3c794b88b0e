import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { kindOfName, kindOfNetworkType, resolveKind } from '../../src/radio/cell_kind.ts';
import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA, RADIO_TYPES } from '../../src/radio/kind.ts';

test('the six names, their usual spellings and nothing else name a radio type', () => {
  expect(['gsm', 'cdma', 'wcdma', 'lte', 'nbiot', 'nr'].map(kindOfName)).toEqual([
    KIND_GSM,
    KIND_CDMA,
    KIND_WCDMA,
    KIND_LTE,
    KIND_NBIOT,
    KIND_NR,
  ]);
  expect(['LTE', 'NB-IoT', 'umts', 'UMTS', 'Nr'].map(kindOfName)).toEqual([
    KIND_LTE,
    KIND_NBIOT,
    KIND_WCDMA,
    KIND_WCDMA,
    KIND_NR,
  ]);
  expect(['', '5g', 'constructor', '__proto__', 'l'.repeat(1e6), 4, null, undefined, ['lte']].map(kindOfName)).toEqual(
    Array(9).fill(0),
  );
});

describe('a named type', () => {
  test.each([
    ['stands when it can hold the cell id', KIND_LTE, 251, 51_764_000, KIND_LTE],
    ['stands when the cell id is not sent', KIND_LTE, 251, -1, KIND_LTE],
    ['gsm gives way to an id of 28 bits', KIND_GSM, 251, 51_764_000, KIND_WCDMA],
    ['gsm stands at 16 bits', KIND_GSM, 251, 65_535, KIND_GSM],
    ['gsm gives way one above 16 bits', KIND_GSM, 251, 65_536, KIND_WCDMA],
    ['cdma gives way to an id of 28 bits', KIND_CDMA, 251, 268_435_455, KIND_WCDMA],
    ['lte gives way to an id that only nr can have', KIND_LTE, 251, 268_435_456, KIND_NR],
    ['gsm gives way to an area that only nr can have', KIND_GSM, 70_000, 268_000_000, KIND_NR],
    ['wcdma stands with an area it cannot have', KIND_WCDMA, 70_000, 1, KIND_WCDMA],
  ])('%s', (_, named, area, cell, expected) => {
    expect(resolveKind(named, area, cell, -1)).toBe(expected);
  });
});

describe('without a name', () => {
  test.each([
    ['area and id of 16 bits are gsm', 251, 51_764, -1, KIND_GSM],
    ['a scrambling code rules gsm out', 251, 51_764, 5, KIND_WCDMA],
    ['gsm needs its area', -1, 51_764, -1, KIND_WCDMA],
    ['a longer id is one of the wider types', 251, 65_536, -1, KIND_WCDMA],
    ['an id over 28 bits is nr', 251, 268_435_456, -1, KIND_NR],
    ['an area over 16 bits is nr', 65_536, 5, -1, KIND_NR],
    ['an area that no type can have says nothing', 16_777_214, 5, -1, KIND_WCDMA],
    ['a neighbour with a code over 511 is nr', -1, -1, 512, KIND_NR],
    ['a neighbour with a lower code is one of the wider types', -1, -1, 511, KIND_WCDMA],
  ])('%s', (_, area, cell, code, expected) => {
    expect(resolveKind(0, area, cell, code)).toBe(expected);
  });
});

test.each([
  [KIND_GSM, ['GSM', 'GPRS', 'EDGE', 'Edge', ' gprs ']],
  [KIND_WCDMA, ['UMTS', 'WCDMA', 'HSDPA', 'HSUPA', 'HSPA', 'HSPA+', 'hspa +', 'HSPAP', 'TD_SCDMA', 'TDSCDMA', '3G']],
  [KIND_CDMA, ['CDMA', '1xRTT', '1XRTT', 'EVDO_0', 'EVDO_A', 'EVDO_B', 'EV-DO rev. A', 'CDMA - EvDo rev. 0', 'eHRPD']],
  [KIND_LTE, ['LTE', 'LTE+', 'LTE_CA', 'LTE-A', '4G', '4G+', 'NR NSA', 'NR_NSA', '5G_NSA', 'LTE-M']],
  [KIND_NBIOT, ['NB-IoT', 'NB_IOT', 'nbiot', 'CAT-NB1']],
  [KIND_NR, ['NR', 'NR_SA', 'NR SA', '5G', '5G SA']],
  [
    0,
    [
      '',
      'IWLAN',
      'iDEN',
      'UNKNOWN',
      'unknown',
      'wifi',
      '+',
      'constructor',
      '__proto__',
      'l'.repeat(1e6),
      4,
      null,
      undefined,
      ['LTE+'],
    ],
  ],
] as const)('kind %d: %j', (kind, names) => {
  expect(names.map(kindOfNetworkType)).toEqual(names.map(() => kind));
});

test('every row of the table names a radio type, and no name stands twice', () => {
  const rows = readFileSync('data/network_types.csv', 'utf8').trim().split('\n').slice(1);
  const names = rows.map(row =>
    row
      .split(',')[0]
      .toLowerCase()
      .replaceAll(/[\s_./()-]/g, ''),
  );
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  expect(rows.filter(row => !RADIO_TYPES.some(type => row.endsWith(`,${type}`)))).toEqual([]);
});

test('the six types and their usual spellings mean what they mean in a request', () => {
  for (const name of [...RADIO_TYPES, 'NB-IoT', 'umts']) expect(kindOfNetworkType(name)).toBe(kindOfName(name));
});
