// Brussels and Antwerp are 41 km apart. A cell of which a part of the identity is missing may stand in either:
//
//   Antwerp    gsm 206-1-251-9     lte 206-1-400-70000
//   Brussels   lte 206-1-251-9     lte 206-1-300-70000     lte 206-1-251-71000, an access point and a beacon

import { describe, expect, onTestFinished, test } from 'vitest';
import { KIND_BLUETOOTH, KIND_GSM, KIND_WIFI, RADIO_TYPES, type RadioType } from '../../../src/radio/kind.ts';
import { SOURCE_CELL } from '../../../src/radio/query/layout.ts';
import { AREA_NONE } from '../../../src/radio/unknown_cell.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { type CellName, entry } from '../../kits/radio/cell_world.ts';
import { metresTo, type Position } from '../../kits/radio/ground.ts';
import { type Answer, StationFolder } from '../../kits/radio/station_folder.ts';
import { cellKey, macKey, putting } from '../../kits/radio/stations.ts';

const ANTWERP: Position = [51.2194, 4.4025];
const BRUSSELS: Position = [50.8503, 4.3517];
const WHOLE: CellName = 'lte 206-1-251-71000';
const WORLD: Record<CellName, Position> = {
  'gsm 206-1-251-9': ANTWERP,
  'lte 206-1-251-9': BRUSSELS,
  'lte 206-1-400-70000': ANTWERP,
  'lte 206-1-300-70000': BRUSSELS,
  [WHOLE]: BRUSSELS,
};
const wifiAccessPoints = [{ macAddress: '02:00:00:00:00:01' }];
const bluetoothBeacons = [{ macAddress: '02:00:00:00:00:02' }];

/** Answers requests in a world of cells, with an access point and a beacon in Brussels. */
async function worldOf(cells: Readonly<Record<CellName, Position>>): Promise<(body: object) => Answer | undefined> {
  const folder = await StationFolder.open();
  onTestFinished(() => folder.close());
  const keyOf = (name: string) => {
    const [radio, numbers] = name.split(' ') as [RadioType, string];
    const [mcc, mnc, area, cell] = numbers.split('-').map(Number);
    return cellKey(KIND_GSM + RADIO_TYPES.indexOf(radio), mcc, mnc, area, cell);
  };
  await folder.writer.apply([
    ...Object.entries(cells).map(([name, at]) => putting(keyOf(name), stationAt(...at, 1000, 2000))),
    putting(macKey(0x020000000001, KIND_WIFI), stationAt(...BRUSSELS, 30, 60)),
    putting(macKey(0x020000000002, KIND_BLUETOOTH), stationAt(...BRUSSELS, 10, 20)),
  ]);
  return body => folder.answer(body);
}

const asked = (...cellTowers: object[]) => ({ cellTowers });
const unnamed = (name: CellName, more: object = {}) => entry(name, { radioType: undefined, ...more });
const withoutArea = (name: CellName, more: object = {}) => entry(name, { locationAreaCode: undefined, ...more });

function townOf(answer: Answer | undefined): string | undefined {
  if (answer === undefined) return undefined;
  const isIn = (town: Position) => metresTo(answer, town) < 3_000;
  return isIn(BRUSSELS) ? 'Brussels' : isIn(ANTWERP) ? 'Antwerp' : 'neither';
}

describe('a cell without radio type whose id fits 16 bits', () => {
  const SHORT: CellName = 'gsm 206-1-251-9';

  test.each(['gsm', 'wcdma', 'lte', 'nbiot', 'nr', 'cdma'] as const)('is found where it is %s', async radio => {
    const answer = await worldOf({ [`${radio} ${radio === 'cdma' ? 0 : 206}-1-251-9`]: BRUSSELS });
    expect(townOf(answer(asked(unnamed(SHORT))))).toBe('Brussels');
    expect(townOf(answer(asked(entry(SHORT, { radioType: '5G-NSA' }))))).toBe('Brussels');
    // A type that is named, and fits, is believed.
    const other = radio === 'gsm' ? 'lte' : 'gsm';
    expect(answer(asked(entry(SHORT, { radioType: other })))).toBeUndefined();
  });

  test('is gsm where nothing else tells', async () => {
    const answer = await worldOf(WORLD);
    expect(townOf(answer(asked(unnamed(SHORT))))).toBe('Antwerp');
  });

  test('is what agrees with the other cells, also with those of no type', async () => {
    const answer = await worldOf(WORLD);
    expect(townOf(answer(asked(unnamed(SHORT), entry(WHOLE))))).toBe('Brussels');
    expect(townOf(answer(asked(unnamed(SHORT), unnamed(WHOLE))))).toBe('Brussels');
  });

  test('is what agrees with a beacon and with the fix', async () => {
    const answer = await worldOf(WORLD);
    const gps = { latitude: BRUSSELS[0], longitude: BRUSSELS[1], accuracy: 50, age: 500 };
    for (const more of [{ bluetoothBeacons }, { gps }]) {
      const { sources } = answer({ ...asked(unnamed(SHORT)), ...more })!;
      expect(sources & SOURCE_CELL).toBe(SOURCE_CELL);
    }
  });

  test('is not chosen by a single access point', async () => {
    const answer = await worldOf(WORLD);
    expect(answer({ ...asked(unnamed(SHORT)), wifiAccessPoints })).toEqual(answer(asked(unnamed(SHORT))));
  });

  test('is of cdma only in the country that it names', async () => {
    const answer = await worldOf({ 'cdma 0-1-251-9': BRUSSELS });
    expect(answer(asked(unnamed('gsm 262-1-251-9')))).toBeUndefined();
  });
});

describe('a cell without radio type that only cdma can have', () => {
  test.each([
    ['without country', { mobileCountryCode: undefined }],
    ['with a system id of more than three digits', { mobileNetworkCode: 4183 }],
  ])('is found %s', async (_, more) => {
    const network = 'mobileNetworkCode' in more ? 4183 : 1;
    const answer = await worldOf({ [`cdma 0-${network}-251-9`]: BRUSSELS } as Record<CellName, Position>);
    expect(townOf(answer(asked(unnamed('gsm 206-1-251-9', more))))).toBe('Brussels');
  });
});

describe('a cell without area code', () => {
  const AMBIGUOUS: CellName = 'lte 206-1-300-70000';

  test('that may be two far apart is the one that agrees with the other evidence', async () => {
    const answer = await worldOf(WORLD);
    expect(answer(asked(withoutArea(AMBIGUOUS)))).toBeUndefined();
    expect(answer(asked(withoutArea(AMBIGUOUS), entry(WHOLE)))).toMatchObject({ used: 2 });
    expect(townOf(answer(asked(withoutArea(AMBIGUOUS), withoutArea(WHOLE))))).toBe('Brussels');
    expect(answer({ ...asked(withoutArea(AMBIGUOUS)), bluetoothBeacons })!.sources & SOURCE_CELL).toBe(SOURCE_CELL);
  });

  test.each([0, 65_534, 65_535])('is also one whose code is %i', async locationAreaCode => {
    const answer = await worldOf({ [WHOLE]: BRUSSELS });
    expect(townOf(answer(asked(entry(WHOLE, { locationAreaCode }))))).toBe('Brussels');
    expect(answer(asked(entry(WHOLE, { locationAreaCode: 1 })))).toBeUndefined();
  });
});

describe('a cell that everyone has reported without area code', () => {
  const LEARNED: CellName = `lte 206-1-${AREA_NONE}-70000`;

  test('is found with any code and without one', async () => {
    const answer = await worldOf({ [LEARNED]: BRUSSELS });
    for (const locationAreaCode of [undefined, 0, 1, 300]) {
      expect(townOf(answer(asked(entry(LEARNED, { locationAreaCode }))))).toBe('Brussels');
    }
  });

  test('is not that of another code where its id has one', async () => {
    const answer = await worldOf({ [LEARNED]: BRUSSELS, 'lte 206-1-400-70000': ANTWERP });
    expect(townOf(answer(asked(entry(LEARNED, { locationAreaCode: 400 }))))).toBe('Antwerp');
    expect(answer(asked(entry(LEARNED, { locationAreaCode: 300 })))).toBeUndefined();
  });
});
