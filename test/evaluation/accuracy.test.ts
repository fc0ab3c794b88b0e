import { expect, test } from 'vitest';
import { Tally } from '../../src/evaluation/accuracy.ts';
import type { Scan } from '../../src/evaluation/scan.ts';
import { distanceMetres } from '../../src/geo/distance.ts';

function scanAt(id: string, latitude: number): Scan {
  const nothing = { timeMs: undefined, accuracyMetres: undefined, cellTowers: [], wifiAccessPoints: [], bluetoothBeacons: [] };
  return { id, track: 't', device: 't', latitude, longitude: 4, ...nothing };
}

test('a truth on the circle or within counts as inside, an unanswered scan as tested', () => {
  const tally = new Tally();
  const errorMetres = distanceMetres(50, 4, 50.001, 4);
  tally.add(scanAt('a', 50.001), { latitude: 50, longitude: 4, accuracyMetres: errorMetres });
  tally.add(scanAt('b', 50.001), { latitude: 50, longitude: 4, accuracyMetres: errorMetres - 0.001 });
  tally.add(scanAt('c', 50.001), { latitude: 50, longitude: 4 });
  tally.add(scanAt('d', 50.001), undefined);
  expect(tally.accuracy()).toMatchObject({ tested: 4, answered: 3, answeredShare: 0.75, median: errorMetres, insideShare: 0.5 });
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
  });
});

test('the ten worst cases are kept, the worst first', () => {
  const tally = new Tally();
  for (let i = 0; i < 50; i++) tally.add(scanAt(`s${i}`, 50 + ((i * 7) % 50) / 1000), { latitude: 50, longitude: 4 });
  const worst = tally.worstCases();
  expect(worst).toHaveLength(10);
  expect(worst[0]).toMatchObject({ scan: 's7', track: 't', accuracyMetres: null });
  expect(worst.map(({ errorMetres }) => Math.round(errorMetres / distanceMetres(50, 4, 50.001, 4)))).toEqual([
    49, 48, 47, 46, 45, 44, 43, 42, 41, 40,
  ]);
});

test('pooled tallies have the figures of all their answers together', () => {
  const all = new Tally();
  const pool = new Tally();
  for (const part of [3, 8]) {
    const tally = new Tally();
    for (let i = 0; i < part; i++) {
      const answer = i === 0 ? undefined : { latitude: 50, longitude: 4, accuracyMetres: 400 * i };
      for (const each of [all, tally]) each.add(scanAt('s', 50 + (part * i) / 1000), answer);
    }
    pool.addAll(tally);
  }
  expect(pool.accuracy()).toEqual(all.accuracy());
});
