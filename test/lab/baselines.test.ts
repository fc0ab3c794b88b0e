import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cellBaselines, wifiBaselines } from '../../lab/baselines.ts';
import { usualFolds } from '../../lab/evaluate.ts';
import { type Accuracy, Tally } from '../../lab/evaluation/accuracy.ts';
import { foldOf } from '../../lab/evaluation/folds.ts';
import type { CellTower, Scan } from '../../lab/evaluation/scan.ts';
import { openScans } from '../../lab/evaluation/scan_file.ts';

const NOWHERE = {
  id: 's',
  track: 't',
  device: 't',
  timeMs: undefined,
  accuracyMetres: undefined,
  latitude: 0,
  longitude: 0,
};
const NOTHING = { cellTowers: [], wifiAccessPoints: [], bluetoothBeacons: [] };

function cell(cellId: number, signalStrength: number, serving: 0 | 1 = 0): CellTower {
  return {
    radioType: 'gsm',
    mobileCountryCode: 460,
    mobileNetworkCode: 1,
    locationAreaCode: 2,
    cellId,
    signalStrength,
    serving,
  };
}

function cellScan(latitude: number, ...cellTowers: CellTower[]): Scan {
  return { ...NOWHERE, ...NOTHING, latitude, cellTowers };
}

test('cells are weighed as the methods say', () => {
  const baselines = cellBaselines();
  // Two sightings 20 dB apart: the louder one weighs ten times by amplitude. 0.001 degrees are 111 m.
  baselines.train(cellScan(50, cell(1, -60)));
  baselines.train(cellScan(50.002, cell(1, -80)));
  baselines.train(cellScan(50.01, cell(2, -70)));
  const [serving, equal, ichnaea, amplitude] = baselines.answer(
    cellScan(0, cell(1, -50), cell(2, -100, 1), cell(3, -50)),
  );
  expect(serving).toMatchObject({ latitude: 50.01, accuracyMetres: 10 });
  expect(equal?.latitude).toBeCloseTo((50.001 + 50.01) / 2, 9);
  expect(ichnaea?.latitude).toBeCloseTo((4 * 50.001 + 50.01) / 5, 9);
  expect(ichnaea?.accuracyMetres).toBe(1000);
  const r50 = 111.195;
  const [one, two] = [10 ** -2.5 / r50 ** 2, 10 ** -5 / 10 ** 2];
  expect(amplitude?.latitude).toBeCloseTo((one * (50 + 0.002 / 11) + two * 50.01) / (one + two), 6);
  expect(amplitude?.accuracyMetres).toBeCloseTo((r50 + 10) / 2, 2);
});

test('without a known cell nothing is answered, and neighbours known by their code alone serve fingerprints only', () => {
  const baselines = cellBaselines();
  const { cellId: _, locationAreaCode: __, ...bare } = cell(1, -70);
  const neighbour = { ...bare, primaryScramblingCode: 9, arfcn: 1300 };
  baselines.train(cellScan(50, neighbour));
  expect(baselines.answer(cellScan(0, cell(5, -70, 1)))).toEqual(new Array(7).fill(undefined));
  expect(baselines.answer(cellScan(0, neighbour)).map(answer => answer?.latitude)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    50,
    50,
    50,
  ]);
});

test('access points are weighed as the methods say, two at least, and none by stale readings', () => {
  const baselines = wifiBaselines();
  const scan = (latitude: number, ...wifiAccessPoints: Scan['wifiAccessPoints']): Scan => ({
    ...NOWHERE,
    ...NOTHING,
    latitude,
    wifiAccessPoints,
  });
  baselines.train(scan(50, { macAddress: 'a', signalStrength: -50, age: 3000 }));
  baselines.train(
    scan(51, { macAddress: 'a', signalStrength: -50, age: 3001 }, { macAddress: 'b', signalStrength: -50 }),
  );
  const heard = [
    { macAddress: 'a', signalStrength: -50 },
    { macAddress: 'b', signalStrength: -100 },
  ];
  const shareOfB = [1 / 2, 1 / 5, 1 / 17, 1 / (1 + 10 ** 2.5), 1 / (1 + 10 ** 5)];
  for (const [i, answer] of baselines.answer(scan(0, ...heard)).entries())
    expect(answer?.latitude).toBeCloseTo(50 + shareOfB[i], 9);
  expect(baselines.answer(scan(0, heard[0])).every(answer => answer === undefined)).toBe(true);
  expect(baselines.answer(scan(0, heard[0], { ...heard[1], age: 3001 })).every(answer => answer === undefined)).toBe(
    true,
  );
});

const SIPING = new URL('../../../shared/data/positioning/cells_sh2g_siping.jsonl.gz', import.meta.url).pathname;
const isThere = existsSync(SIPING);
if (!isThere) console.log(`skipped: ${SIPING} is not next to the checkout`);

describe.skipIf(!isThere)('on real scans', () => {
  test('the methods have the published figures', async () => {
    const set = await openScans(SIPING);
    const tallies = cellBaselines().names.map(() => new Tally());
    for (const fold of usualFolds(set.kind)) {
      const baselines = cellBaselines();
      for await (const scan of set.scans()) if (foldOf(scan.track) !== fold) baselines.train(scan);
      for await (const scan of set.scans()) {
        if (foldOf(scan.track) !== fold) continue;
        for (const [i, answer] of baselines.answer(scan).entries()) tallies[i].add(scan, answer);
      }
    }
    // Median, p67, p90, p95 in metres, and the share inside.
    const published = [
      [189, 250, 349, 370, 0.46],
      [207, 268, 337, 379, 0.4],
      [203, 262, 329, 369, 1],
      [121, 179, 315, 438, 0.65],
    ];
    for (const [i, [median, p67, p90, p95, inside]] of published.entries()) {
      const accuracy = tallies[i].accuracy();
      expect(accuracy.tested).toBe(1978);
      for (const [name, figure] of Object.entries({ median, p67, p90, p95 })) {
        const found = accuracy[name as keyof Accuracy] as number;
        expect(Math.abs(found / figure - 1), `${name} of method ${i}`).toBeLessThan(0.02);
      }
      expect(accuracy.insideShare).toBeCloseTo(inside, 1);
    }
  });
});
