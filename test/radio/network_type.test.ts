import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { kindOfName } from '../../src/radio/cell_kind.ts';
import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA, RADIO_TYPES } from '../../src/radio/kind.ts';
import { kindOfNetworkType } from '../../src/radio/network_type.ts';

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
