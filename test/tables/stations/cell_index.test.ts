import { expect, onTestFinished, test } from 'vitest';
import { KIND_LTE, KIND_WCDMA } from '../../../src/radio/kind.ts';
import { CellIndex } from '../../../src/tables/stations/cell_index.ts';
import { currentGeneration, generationPath, openGeneration } from '../../../src/tables/stations/generation.ts';
import { loadStations } from '../../../src/tables/stations/load.ts';
import { STATE_BLOCKED, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { sortedRecords } from '../../kits/radio/sorted_records.ts';
import { cellKey } from '../../kits/radio/stations.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';

type Row = readonly [kind: number, mcc: number, mnc: number, area: number, cell: number, more?: Partial<Station>];

async function indexOf(rows: readonly Row[]): Promise<CellIndex> {
  const folder = temporaryFolder();
  const stations = new Map(
    rows.map(
      ([kind, mcc, mnc, area, cell, more]) =>
        [cellKey(kind, mcc, mnc, area, cell).toString('hex'), { ...stationAt(50, 9, 1000, 2000), ...more }] as const,
    ),
  );
  await loadStations(folder, sortedRecords(12, stations), () => {});
  const generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
  onTestFinished(() => generation.root.close());
  return new CellIndex(generation);
}

const LTE = { kind: KIND_LTE, mcc: 262, mnc: 1 };
const WCDMA = { kind: KIND_WCDMA, mcc: 262, mnc: 1 };

test('the networks of a country are found in one radio type, the last code too', async () => {
  const index = await indexOf([
    [KIND_WCDMA, 262, 5, 1, 1],
    [KIND_LTE, 261, 999, 1, 1],
    [KIND_LTE, 262, 0, 1, 1],
    [KIND_LTE, 262, 0, 2, 7],
    [KIND_LTE, 262, 7, 1, 1],
    [KIND_LTE, 262, 999, 1, 1],
    [KIND_LTE, 263, 1, 1, 1],
  ]);
  expect(index.networksOf(KIND_LTE, 262).map(({ mnc }) => mnc)).toEqual([0, 7, 999]);
  expect(index.networksOf(KIND_WCDMA, 262).map(({ mnc }) => mnc)).toEqual([5]);
  expect(index.networksOf(KIND_LTE, 264)).toEqual([]);
});

test('a walk outward stays in its network, goes both ways and ends where it is told', async () => {
  const index = await indexOf([
    [KIND_LTE, 262, 0, 1, 90],
    ...[10, 20, 30, 40].map(cell => [KIND_LTE, 262, 1, 5, cell] as const),
    [KIND_LTE, 262, 2, 1, 5],
  ]);
  const walk = (isUp: boolean, rows: number, choose: Parameters<CellIndex['outward']>[5]) =>
    index.outward(LTE, 5, 25, isUp, rows, choose).map(({ cell }) => cell);
  expect(walk(true, 9, () => 'take')).toEqual([30, 40]);
  expect(walk(false, 9, () => 'take')).toEqual([20, 10]);
  expect(walk(false, 1, () => 'take')).toEqual([20]);
  expect(walk(true, 9, cell => (cell === 30 ? 'leave' : 'take'))).toEqual([40]);
  expect(walk(true, 9, cell => (cell === 40 ? 'end' : 'take'))).toEqual([30]);
});

test('blocked cells and cells outside of their country are not there', async () => {
  const index = await indexOf([
    [KIND_LTE, 262, 1, 5, 1, { state: STATE_BLOCKED }],
    [KIND_LTE, 262, 1, 5, 2, { latitude: 40, longitude: -3 }],
    [KIND_LTE, 262, 1, 5, 3],
    [KIND_LTE, 262, 1, 6, 3],
  ]);
  expect(index.cell(LTE, 5, 1)).toBeUndefined();
  expect(index.cell(LTE, 5, 2)).toBeUndefined();
  expect(index.cell(LTE, 5, 3)).toMatchObject({ cell: 3, area: 5, latitude: 50, longitude: 9 });
  expect(index.areasOf(LTE, 3, 9).map(({ area }) => area)).toEqual([5, 6]);
  expect(index.areasOf(LTE, 4, 9)).toEqual([]);
});

test('ids that end alike are found across RNCs, and only those', async () => {
  const rnc = (n: number, short: number) => n * 65_536 + short;
  const cells = [rnc(0, 7), rnc(0, 8), rnc(3, 6), rnc(3, 7), rnc(9, 9), rnc(10, 1), rnc(10, 7), rnc(4095, 7)];
  const index = await indexOf([
    ...cells.map(cell => [KIND_WCDMA, 262, 1, 5, cell] as const),
    [KIND_WCDMA, 262, 2, 5, 7],
  ]);
  expect(index.acrossRncs(WCDMA, 7).map(({ cell }) => cell)).toEqual([rnc(0, 7), rnc(3, 7), rnc(10, 7), rnc(4095, 7)]);
  expect(index.acrossRncs(WCDMA, 65_535)).toEqual([]);
});

test('an area and the distances of ids are those of the network', async () => {
  const index = await indexOf([
    [KIND_LTE, 262, 1, 5, 1],
    [KIND_LTE, 262, 1, 5, 2, { latitude: 50.02 }],
    [KIND_LTE, 262, 2, 6, 2],
  ]);
  expect(index.area(LTE, 5)).toMatchObject({ latitude: 50.01, longitude: 9, samples: 2 });
  expect(index.area(LTE, 6)).toBeUndefined();
  expect(index.idDistances(LTE)).not.toEqual(index.idDistances({ ...LTE, mnc: 3 }));
});
