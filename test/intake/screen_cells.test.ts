import { describe, expect, test } from 'vitest';
import type { ReportDraft } from '../../src/intake/draft.ts';
import { FLAG_NO_AREA, FLAG_SERVING, OBSERVATION_FLAGS } from '../../src/radio/query/layout.ts';
import { areaOfKey } from '../../src/radio/station_key.ts';
import { AREA_NONE } from '../../src/radio/unknown_cell.ts';
import { CELL, ruleOfEntry, screen, values } from './screened.ts';

const ruleOfCell = (entry: unknown, draft?: Partial<ReportDraft>) => ruleOfEntry('cellTowers', entry, draft);

describe('cells', () => {
  const GSM = { radioType: 'gsm', mobileCountryCode: 262, mobileNetworkCode: 1, locationAreaCode: 21, cellId: 4711 };
  const WCDMA = { ...CELL, radioType: 'wcdma' };
  const NR = { ...CELL, radioType: 'nr', locationAreaCode: 1_234_567, cellId: 12_345_678_901 };
  const CDMA = { radioType: 'cdma', mobileNetworkCode: 13_824, locationAreaCode: 0, cellId: 4711 };

  test.each([
    [undefined, CELL],
    [undefined, GSM],
    [undefined, NR],
    [undefined, CDMA],
    ['unidentified', null],
    ['unidentified', {}],
    ['unidentified', { ...CELL, mobileCountryCode: 1000 }],
    ['unidentified', { ...CELL, mobileNetworkCode: 1000 }],
    [undefined, { ...CELL, mobileNetworkCode: 0 }],
    ['unidentified', { ...CELL, cellId: undefined }],
    ['unidentified', { ...CELL, cellId: 2_147_483_647 }],
    ['neighbour', { ...CELL, cellId: undefined, primaryScramblingCode: 77 }],
    ['reading age', { ...CELL, age: 20_001 }],
    [undefined, { ...CELL, age: 20_000 }],
  ])('%s: %o', (rule, entry) => {
    expect(ruleOfCell(entry)).toBe(rule);
  });

  test('of gsm without an area code are refused', () => {
    for (const locationAreaCode of [undefined, null, 'x'])
      expect(ruleOfCell({ ...GSM, locationAreaCode })).toBe('no area');
  });

  test.each([
    ['lte', { ...CELL, locationAreaCode: null }],
    ['lte, out of range', { ...CELL, locationAreaCode: 65_536 }],
    ['lte, area 0', { ...CELL, locationAreaCode: 0 }],
    ['nbiot, area deleted', { ...CELL, radioType: 'nbiot', locationAreaCode: 65_534 }],
    ['wcdma, area of all bits', { ...WCDMA, locationAreaCode: 65_535 }],
    ['nr', { ...NR, locationAreaCode: undefined }],
    ['nr, the reserved code of 24 bits', { ...NR, locationAreaCode: AREA_NONE }],
    ['cdma', { ...CDMA, locationAreaCode: undefined }],
  ])('without an area code, or with one that says so, are learned without: %s', (_, entry) => {
    const { report } = screen({ cellTowers: [entry] });
    expect(areaOfKey(report!.observations, 0)).toBe(AREA_NONE);
    expect(values(report!.observations, OBSERVATION_FLAGS)).toEqual([FLAG_NO_AREA | FLAG_SERVING]);
  });

  test('of a radio type that the id proves wrong, or that several types could have, are refused', () => {
    expect(ruleOfCell({ ...CELL, radioType: 'gsm' })).toBe('radio type');
    expect(ruleOfCell({ ...CELL, radioType: undefined })).toBe('radio type');
    expect(ruleOfCell({ ...CELL, radioType: undefined }, { radioType: 'lte' })).toBeUndefined();
    expect(ruleOfCell({ ...NR, radioType: undefined })).toBeUndefined();
    expect(ruleOfCell({ ...GSM, radioType: undefined })).toBeUndefined();
  });

  test('that may be of any type are learned as gsm, without a signal that gsm does not have', () => {
    const { report } = screen({ cellTowers: [{ ...GSM, radioType: undefined, signalStrength: -130 }] });
    const { report: same } = screen({ cellTowers: [GSM] });
    expect(report!.observations).toEqual(same!.observations);
  });

  test.each([
    ['country code 0', { ...CELL, mobileCountryCode: 0 }],
    ['area 0', { ...GSM, locationAreaCode: 0 }],
    ['area deleted', { ...GSM, locationAreaCode: 65_534 }],
    ['area of all bits', { ...GSM, locationAreaCode: 65_535 }],
    ['gsm 0', { ...GSM, cellId: 0 }],
    ['gsm of all bits', { ...GSM, cellId: 65_535 }],
    ['cdma 0', { ...CDMA, cellId: 0 }],
    ['cdma of all bits', { ...CDMA, cellId: 65_535 }],
    ['cdma of no system', { ...CDMA, mobileNetworkCode: 0 }],
    ['wcdma 0', { ...WCDMA, cellId: 0 }],
    ['wcdma cut to 16 bits', { ...WCDMA, cellId: 65_535 }],
    ['wcdma of all bits', { ...WCDMA, cellId: 268_435_455 }],
    ['lte 0', { ...CELL, cellId: 0 }],
    ['lte of all bits', { ...CELL, cellId: 268_435_455 }],
    ['nbiot of all bits', { ...CELL, radioType: 'nbiot', cellId: 268_435_455 }],
    ['nr 0', { ...NR, cellId: 0 }],
    ['nr 2^28-1', { ...NR, cellId: 268_435_455 }],
    ['nr 2^31-1', { ...NR, cellId: 2_147_483_647 }],
    ['nr 2^32-1', { ...NR, cellId: 4_294_967_295 }],
    ['nr of all bits', { ...NR, cellId: 68_719_476_735 }],
  ])('with an identity that none has are refused: %s', (_, entry) => {
    expect(ruleOfCell(entry)).toBe('fake identity');
  });

  test.each([
    ['area 1', { ...CELL, locationAreaCode: 1 }],
    ['area before the deleted one', { ...GSM, locationAreaCode: 65_533 }],
    ['gsm 1', { ...GSM, cellId: 1 }],
    ['gsm 65534', { ...GSM, cellId: 65_534 }],
    ['cdma of the whole system', { ...CDMA, locationAreaCode: 65_535 }],
    ['lte 2^28-2', { ...CELL, cellId: 268_435_454 }],
    ['nr 2^36-2', { ...NR, cellId: 68_719_476_734 }],
    ['nr, areas like the reserved ones of 16 bits', { ...NR, locationAreaCode: 65_534 }],
    ['nr, the area that clients may send', { ...NR, locationAreaCode: 16_777_215 }],
  ])('with an identity beside those are taken: %s', (_, entry) => {
    expect(ruleOfCell(entry)).toBeUndefined();
  });

  test.each([
    ['test', 1],
    ['private', 999],
    ['international', 901],
    ['not assigned', 263],
  ])('of networks without a country are refused: %s', (_, mobileCountryCode) => {
    expect(ruleOfCell({ ...CELL, mobileCountryCode })).toBe('network without country');
  });

  test('are heard in their country, and twenty kilometres beyond its border', () => {
    const swiss = { ...CELL, mobileCountryCode: 228 };
    const at = (latitude: number, longitude: number) => ruleOfCell(swiss, { latitude, longitude });
    expect(at(47.5596, 7.5886)).toBeUndefined(); // Basel
    expect(at(47.614, 7.665)).toBeUndefined(); // Lörrach
    expect(at(47.999, 7.842)).toBe('outside its country'); // Freiburg, 50 km from the border
    expect(at(49.8728, 8.6512)).toBe('outside its country');
    expect(at(47.141, 9.521)).toBeUndefined(); // Vaduz, which shares networks
  });

  test('of territories are heard where their networks are shared', () => {
    const at = (mobileCountryCode: number, latitude: number, longitude: number) =>
      ruleOfCell({ ...CELL, mobileCountryCode }, { latitude, longitude });
    expect(at(310, 18.4655, -66.1057)).toBeUndefined(); // San Juan
    expect(at(330, 18.4655, -66.1057)).toBeUndefined();
    expect(at(330, 40.71, -74)).toBe('outside its country');
    expect(at(234, 49.1868, -2.1068)).toBeUndefined(); // Saint Helier
    expect(at(208, 43.7397, 7.4273)).toBeUndefined(); // Monte Carlo
  });

  test('of cdma are judged by a country only where they name one', () => {
    expect(ruleOfCell({ ...CDMA, mobileCountryCode: 310 })).toBe('outside its country');
    expect(ruleOfCell({ ...CDMA, mobileCountryCode: 262 })).toBeUndefined();
  });

  test(
    'keep the serving mark of their list: the one that says so, else the first with an id, which may have been ' +
      'refused',
    () => {
      const second = { ...CELL, cellId: 26_385_409 };
      const servingOf = (cellTowers: unknown[]) =>
        values(screen({ cellTowers }).report!.observations, OBSERVATION_FLAGS).map(flags => flags & FLAG_SERVING);
      expect(servingOf([CELL, second])).toEqual([1, 0]);
      expect(servingOf([CELL, { ...second, serving: 1 }])).toEqual([0, 1]);
      expect(servingOf([{ ...CELL, cellId: 0 }, second])).toEqual([0]);
      expect(servingOf([{ ...CELL, cellId: undefined, primaryScramblingCode: 5 }, second])).toEqual([1]);
    },
  );
});
