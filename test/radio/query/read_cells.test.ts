import { describe, expect, test } from 'vitest';
import { NETWORK_NONE } from '../../../wasm/range_constants.ts';
import { queryOf } from '../../kits/radio/query_in_memory.ts';

const KINDS = { gsm: 8, cdma: 9, wcdma: 10, lte: 11, nbiot: 12, nr: 13 } as const;
type Radio = keyof typeof KINDS;
const RADIOS = Object.keys(KINDS) as Radio[];

const lte = {
  radioType: 'lte',
  mobileCountryCode: 206,
  mobileNetworkCode: 1,
  locationAreaCode: 251,
  cellId: 51_764_000,
};
const plain = { mobileCountryCode: 206, mobileNetworkCode: 1, locationAreaCode: 251, cellId: 51_764 };
const cellsOf = (...cellTowers: unknown[]) => queryOf({ cellTowers }).cells;

// The specification's table: [lowest, highest, one more], null where the field does not apply.
type Row = { [radio in Radio]: number[] | null };
const same = (low: number, high: number): Row => ({
  gsm: [low, high],
  cdma: [low, high],
  wcdma: [low, high],
  lte: [low, high],
  nbiot: [low, high],
  nr: [low, high],
});
const ROWS: {
  [field: string]: {
    row: Row;
    reads: 'mcc' | 'mnc' | 'area' | 'cell' | 'signal' | 'code' | 'timing';
    outside: 'skipped' | 'dropped';
  };
} = {
  mobileCountryCode: { row: same(0, 999), reads: 'mcc', outside: 'skipped' },
  mobileNetworkCode: { row: { ...same(0, 999), cdma: [0, 32_767] }, reads: 'mnc', outside: 'skipped' },
  locationAreaCode: { row: { ...same(0, 65_535), nr: [1, 16_777_213, 16_777_215] }, reads: 'area', outside: 'dropped' },
  cellId: {
    row: { ...same(0, 268_435_455), gsm: [0, 65_535], cdma: [0, 65_535], nr: [0, 68_719_476_735] },
    reads: 'cell',
    outside: 'skipped',
  },
  signalStrength: {
    row: { ...same(-140, -25), gsm: [-120, -25], cdma: [-120, -25], wcdma: [-130, -25] },
    reads: 'signal',
    outside: 'dropped',
  },
  primaryScramblingCode: {
    row: { ...same(0, 511), gsm: null, cdma: null, nr: [0, 1023] },
    reads: 'code',
    outside: 'dropped',
  },
  timingAdvance: {
    row: { gsm: [0, 63], cdma: null, wcdma: null, lte: [0, 1282], nbiot: null, nr: [0, 3_938_304] },
    reads: 'timing',
    outside: 'dropped',
  },
};

describe.each(RADIOS)('a %s cell', radioType => {
  test('keeps every value at both ends of its range and within it', () => {
    for (const [field, { row, reads }] of Object.entries(ROWS)) {
      for (const value of row[radioType] ?? []) {
        const [cell] = cellsOf({ ...plain, radioType, [field]: value });
        const expected = field === 'mobileCountryCode' && radioType === 'cdma' ? -1 : value;
        expect([field, value, cell?.kind, cell?.[reads], cell?.inferred]).toEqual([
          field,
          value,
          KINDS[radioType],
          expected,
          false,
        ]);
      }
      const [low, high] = row[radioType] ?? [];
      if (low === undefined) continue;
      const middle = Math.round((low + high) / 2);
      const [cell] = cellsOf({ ...plain, radioType, [field]: middle });
      expect([field, cell?.[reads]]).toEqual([
        field,
        field === 'mobileCountryCode' && radioType === 'cdma' ? -1 : middle,
      ]);
    }
  });

  test('loses an optional value one outside its range and stays', () => {
    for (const [field, { row, reads, outside }] of Object.entries(ROWS)) {
      if (outside === 'skipped' || (field === 'locationAreaCode' && radioType === 'gsm')) continue;
      const [low, high, extra] = row[radioType] ?? [1, 0];
      const bad =
        row[radioType] === null ? [0, 1, 63] : [low - 1, high + 1, ...(extra === undefined ? [] : [extra + 1])];
      for (const value of bad) {
        const [cell] = cellsOf({ ...plain, radioType, [field]: value });
        expect([field, value, cell?.kind, cell?.[reads]]).toEqual([field, value, KINDS[radioType], undefined]);
        expect([cell.mnc, cell.cell]).toEqual([1, 51_764]);
      }
    }
  });

  test('is kept without its network code for the fallback that looks in all networks, if it has area and id', () => {
    if (radioType === 'cdma') return;
    const cell = { ...plain, radioType, primaryScramblingCode: 7 };
    for (const mobileNetworkCode of [-1, 1000, 2_147_483_647, undefined, null, 'x']) {
      expect(cellsOf({ ...cell, mobileNetworkCode })).toMatchObject([{ mnc: NETWORK_NONE, area: 251, cell: 51_764 }]);
      expect(cellsOf({ ...cell, mobileNetworkCode, locationAreaCode: undefined })).toEqual([]);
      expect(cellsOf({ ...cell, mobileNetworkCode, cellId: undefined })).toEqual([]);
    }
  });

  test('is skipped when its country, or the system of cdma, lies outside its range or is not sent', () => {
    for (const field of ['mobileCountryCode', 'mobileNetworkCode']) {
      if ((field === 'mobileCountryCode') === (radioType === 'cdma')) continue;
      const high = ROWS[field].row[radioType]![1];
      for (const value of [-1, high + 1, undefined, null, 'x', 1.5, {}])
        expect(cellsOf({ ...plain, radioType, [field]: value })).toEqual([]);
    }
  });

  test('takes serving as 0, 1 or a boolean and ignores any other value', () => {
    const flags = [0, 1, '1', '0', true, false, 2, -1, 'yes', null];
    const serving = flags.map(
      flag => cellsOf({ ...plain, radioType }, { ...plain, radioType, serving: flag })[1].serving,
    );
    expect(serving).toEqual([false, true, true, false, true, false, false, false, false, false]);
  });
});

describe('the cell id', () => {
  test.each([
    ['gsm', 65_536, 'wcdma', true],
    ['cdma', 65_536, 'wcdma', true],
    ['wcdma', 268_435_456, 'nr', false],
    ['lte', 268_435_456, 'nr', false],
    ['nbiot', 268_435_456, 'nr', false],
  ] as const)('of %s one above its range is looked up as another type', (radioType, cellId, kind, inferred) => {
    expect(cellsOf({ ...plain, radioType, cellId })).toMatchObject([{ kind: KINDS[kind], inferred, cell: cellId }]);
  });

  test('above every range, negative, fractional or mistyped leaves nothing to look up', () => {
    for (const cellId of [68_719_476_736, 1e300, -1, 1.5, 'x', true, [1], {}, null])
      expect(cellsOf({ ...lte, cellId })).toEqual([]);
  });

  test('2147483647 means not available, except for nr', () => {
    expect(cellsOf({ ...lte, cellId: 2_147_483_647 })).toEqual([]);
    expect(cellsOf({ ...lte, radioType: 'nr', cellId: 2_147_483_647 })).toMatchObject([{ cell: 2_147_483_647 }]);
  });

  test('may be named newRadioCellId', () => {
    const { cellId, ...without } = lte;
    expect(cellsOf({ ...without, radioType: 'nr', newRadioCellId: 68_719_476_735 })).toMatchObject([
      { kind: KINDS.nr, cell: 68_719_476_735 },
    ]);
    expect(cellsOf({ ...without, radioType: 'nr', newRadioCellId: '5' })).toMatchObject([{ kind: KINDS.nr, cell: 5 }]);
  });

  test('of nr is newRadioCellId where both are sent, of any other type cellId', () => {
    const both = { ...lte, cellId: 7, newRadioCellId: 9 };
    expect([cellsOf({ ...both, radioType: 'nr' })[0].cell, cellsOf({ ...both, radioType: 'lte' })[0].cell]).toEqual([
      9, 7,
    ]);
    expect(cellsOf({ ...both, radioType: 'nr', newRadioCellId: -1 })[0].cell).toBe(7);
  });

  test('named newRadioCellId tells that a cell without type is nr', () => {
    expect(cellsOf({ ...plain, cellId: undefined, newRadioCellId: 9 })).toMatchObject([
      { kind: KINDS.nr, cell: 9, inferred: false },
    ]);
  });
});

describe('the radio type', () => {
  test('of the cell beats that of the root', () => {
    const { cells } = queryOf({ radioType: 'gsm', cellTowers: [lte, plain] });
    expect(cells.map(cell => cell.kind)).toEqual([KINDS.lte, KINDS.gsm]);
  });

  test('of the root stands in for one the cell names badly', () => {
    const cellTowers = [null, '5g', 7, {}].map(radioType => ({ ...plain, radioType }));
    expect(queryOf({ radioType: 'wcdma', cellTowers }).cells.map(cell => cell.kind)).toEqual(
      Array(4).fill(KINDS.wcdma),
    );
  });

  test('gsm at the root with a 28-bit id is inferred', () => {
    const { radioType, ...untyped } = lte;
    expect(queryOf({ radioType: 'gsm', cellTowers: [untyped] }).cells).toMatchObject([
      { kind: KINDS.wcdma, inferred: true, cell: 51_764_000, area: 251 },
    ]);
  });

  test('gsm at the root alone is no more than a missing type', () => {
    const untyped = [
      plain,
      { ...plain, primaryScramblingCode: 7 },
      { ...plain, locationAreaCode: undefined },
      { ...plain, newRadioCellId: 9 },
    ];
    expect(queryOf({ radioType: 'gsm', cellTowers: untyped }).cells).toMatchObject([
      { kind: KINDS.gsm, inferred: true },
      { kind: KINDS.gsm, inferred: true },
      { kind: KINDS.wcdma, inferred: true },
      { kind: KINDS.gsm, inferred: true, cell: 51_764 },
    ]);
    expect(queryOf({ radioType: 'gsm', cellTowers: [{ ...plain, mobileCountryCode: undefined }] }).cells).toEqual([]);
    expect(queryOf({ radioType: 'lte', cellTowers: [plain] }).cells).toMatchObject([{ inferred: false }]);
  });

  test('without a name is gsm, or any other, for 16 bits, and one of four above', () => {
    expect(cellsOf(plain, { ...plain, cellId: 65_536 }, { ...plain, radioType: 'gsm' })).toMatchObject([
      { kind: KINDS.gsm, inferred: true },
      { kind: KINDS.wcdma, inferred: true },
      { kind: KINDS.gsm, inferred: false },
    ]);
  });

  test('without a name is cdma without a country or with a large network code', () => {
    const cells = cellsOf(
      { ...plain, mobileCountryCode: undefined },
      { ...plain, mobileNetworkCode: 1000 },
      { ...plain, mobileNetworkCode: 999 },
    );
    expect(cells).toMatchObject([
      { kind: KINDS.cdma, inferred: true },
      { kind: KINDS.cdma, mnc: 1000 },
      { kind: KINDS.gsm },
    ]);
    expect(
      cellsOf({ ...plain, mobileNetworkCode: 1000, cellId: 65_536 }, { ...plain, mobileNetworkCode: 32_768 }),
    ).toMatchObject([{ mnc: NETWORK_NONE }, { kind: KINDS.gsm, mnc: NETWORK_NONE }]);
  });

  test('that is inferred keeps what the widest of the tried types allows', () => {
    const { radioType, ...untyped } = lte;
    expect(cellsOf({ ...untyped, signalStrength: -135, timingAdvance: 1282, psc: 511 })).toMatchObject([
      { signal: -135, timing: 1282, code: 511 },
    ]);
    expect(cellsOf({ ...untyped, signalStrength: -141, timingAdvance: 1283, psc: 512 })).toMatchObject([
      { signal: undefined, timing: undefined, code: undefined },
    ]);
  });
});

describe('an incomplete cell', () => {
  test('of gsm is skipped without an area code, any other is marked', () => {
    for (const locationAreaCode of [undefined, null, -1, 65_536, 1.5, 'x', 2_147_483_647]) {
      expect(cellsOf({ ...plain, radioType: 'gsm', locationAreaCode })).toEqual([]);
      expect(cellsOf({ ...lte, locationAreaCode })).toMatchObject([{ cell: 51_764_000, area: undefined }]);
    }
  });

  test('of nr has no area code at 0 and at the reserved 16777214', () => {
    const areas = [0, 1, 16_777_213, 16_777_214, 16_777_215, 16_777_216];
    expect(areas.map(locationAreaCode => cellsOf({ ...lte, radioType: 'nr', locationAreaCode })[0].area)).toEqual([
      undefined,
      1,
      16_777_213,
      undefined,
      16_777_215,
      undefined,
    ]);
  });

  test('of cdma needs no country', () => {
    const { mobileCountryCode, ...noCountry } = plain;
    expect(cellsOf({ ...noCountry, radioType: 'cdma' })).toMatchObject([
      { kind: KINDS.cdma, mnc: 1, area: 251, cell: 51_764 },
    ]);
  });

  test('without a cell id stays as a neighbour when its code is known', () => {
    const { cellId, ...neighbour } = { ...lte, primaryScramblingCode: 321 };
    expect(cellsOf(lte, neighbour)[1]).toMatchObject({
      kind: KINDS.lte,
      cell: undefined,
      area: 251,
      code: 321,
      serving: false,
    });
    const { primaryScramblingCode, ...nothing } = neighbour;
    expect(cellsOf(lte, nothing)).toHaveLength(1);
    expect(cellsOf(lte, { ...neighbour, radioType: 'gsm' })).toHaveLength(1);
  });
});

describe('psc', () => {
  test('is another name of primaryScramblingCode, which wins where both hold a code', () => {
    expect(cellsOf({ ...lte, psc: 5 })[0].code).toBe(5);
    expect(cellsOf({ ...lte, psc: 5, primaryScramblingCode: 6 })[0].code).toBe(6);
    expect(cellsOf({ ...lte, psc: 5, primaryScramblingCode: -1 })[0].code).toBe(5);
  });
});

describe('the serving cell', () => {
  const serving = (...cellTowers: unknown[]) => cellsOf(...cellTowers).map(cell => cell.serving);

  test('is the first when none is flagged', () => {
    expect(serving(lte, lte, lte)).toEqual([true, false, false]);
    expect(serving({ ...lte, serving: 0 }, { ...lte, serving: 0 })).toEqual([true, false]);
  });

  test('is the flagged one, wherever it stands', () => {
    expect(serving(lte, { ...lte, serving: 1 }, lte)).toEqual([false, true, false]);
    expect(serving({ ...lte, serving: 1 }, { ...lte, serving: '1' })).toEqual([true, true]);
  });

  test('is never a skipped cell nor an unflagged neighbour without an id', () => {
    const { cellId, ...neighbour } = { ...lte, psc: 3 };
    expect(serving({ radioType: 'lte' }, neighbour, lte)).toEqual([false, true]);
    expect(serving(neighbour)).toEqual([false]);
  });

  test('is marked behind access points and beacons too', () => {
    const query = queryOf({
      wifiAccessPoints: [{ macAddress: '00:14:bf:aa:bb:01' }, { macAddress: 'bad' }],
      bluetoothBeacons: [{ macAddress: 'ff:23:45:67:89:ab' }, {}],
      cellTowers: [lte, lte],
    });
    expect(query.cells.map(cell => cell.serving)).toEqual([true, false]);
    expect([query.wifi.length, query.beacons.length]).toEqual([1, 1]);
  });
});

test('numbers of a cell may be text, a measured one may have a fraction', () => {
  const cell = {
    radioType: 'lte',
    mobileCountryCode: '206',
    mobileNetworkCode: '01',
    locationAreaCode: '251',
    cellId: '51764000',
  };
  expect(
    cellsOf({ ...cell, signalStrength: '-99.6', primaryScramblingCode: '7', timingAdvance: 3.4, age: '700' }),
  ).toMatchObject([{ mcc: 206, mnc: 1, area: 251, cell: 51_764_000, signal: -100, code: 7, timing: 3, age: 700 }]);
});

test('entries that are not objects are skipped, repeated cells are kept', () => {
  expect(cellsOf(null, 1, 'x', [], {}, lte, lte)).toHaveLength(2);
});
