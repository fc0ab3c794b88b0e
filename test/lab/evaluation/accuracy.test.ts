import { expect, test } from 'vitest';
import { Tally, WorstCases } from '../../../lab/evaluation/accuracy.ts';
import type { Scan } from '../../../lab/evaluation/scan.ts';
import { distanceMetres } from '../../../src/geo/distance.ts';

function scanAt(id: string, latitude: number): Scan {
  const nothing = {
    timeMs: undefined,
    accuracyMetres: undefined,
    cellTowers: [],
    wifiAccessPoints: [],
    bluetoothBeacons: [],
  };
  return { id, track: 't', device: 't', latitude, longitude: 4, ...nothing };
}

test('a truth on the circle or within counts as inside, an unanswered scan as tested', () => {
  const tally = new Tally();
  const errorMetres = distanceMetres(50, 4, 50.001, 4);
  tally.add(scanAt('a', 50.001), { latitude: 50, longitude: 4, accuracyMetres: errorMetres });
  tally.add(scanAt('b', 50.001), { latitude: 50, longitude: 4, accuracyMetres: errorMetres - 0.001 });
  tally.add(scanAt('c', 50.001), { latitude: 50, longitude: 4 });
  tally.add(scanAt('d', 50.001), undefined);
  expect(tally.accuracy()).toMatchObject({
    tested: 4,
    answered: 3,
    answeredShare: 0.75,
    median: errorMetres,
    insideShare: 0.5,
  });
});

test('each share has a radius of its own, and only the answers with that radius count', () => {
  const tally = new Tally();
  const answer = { latitude: 50, longitude: 4, accuracyMetres: 100, accuracy68Metres: 120, accuracy95Metres: 400 };
  // 0.001 degrees are 111 m.
  for (const latitude of [50.0005, 50.001, 50.002, 50.004]) tally.add(scanAt('a', latitude), answer);
  tally.add(scanAt('b', 50), { latitude: 50, longitude: 4 });
  expect(tally.accuracy()).toMatchObject({ answered: 5, insideShare: 0.25, inside68Share: 0.5, inside95Share: 0.75 });
});

test('nothing answered has no figures', () => {
  expect(new Tally().accuracy()).toEqual({
    tested: 0,
    answered: 0,
    answeredShare: null,
    median: null,
    p67: null,
    p90: null,
    p95: null,
    insideShare: null,
    inside68Share: null,
    inside95Share: null,
  });
});

test('the ten worst cases are kept, the worst first', () => {
  const cases = new WorstCases();
  cases.add(scanAt('unanswered', 80), undefined);
  for (let i = 0; i < 50; i++) cases.add(scanAt(`s${i}`, 50 + ((i * 7) % 50) / 1000), { latitude: 50, longitude: 4 });
  const worst = cases.list();
  expect(worst).toHaveLength(10);
  expect(worst[0]).toMatchObject({ scan: 's7', track: 't', accuracyMetres: null });
  expect(worst.map(({ errorMetres }) => Math.round(errorMetres / distanceMetres(50, 4, 50.001, 4)))).toEqual([
    49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
  ]);
});
