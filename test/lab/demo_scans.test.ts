import { expect, test } from 'vitest';
import { demoScans } from '../../lab/demo_scans.ts';
import { foldOf } from '../../lab/evaluation/folds.ts';
import type { Scan } from '../../lab/evaluation/scan.ts';
import { demoAccessPoints } from '../../src/folder/demo_town.ts';
import { distanceMetres } from '../../src/geo/distance.ts';
import { parseMac } from '../../src/radio/mac.ts';

const TOWN = demoAccessPoints();

async function drawn(): Promise<Scan[]> {
  const scans: Scan[] = [];
  for await (const scan of demoScans(TOWN).scans()) scans.push(scan);
  return scans;
}

test('the scans are the same at every draw, and say that they are synthetic', async () => {
  expect(await drawn()).toEqual(await drawn());
  expect(demoScans(TOWN)).toMatchObject({ name: 'demo_town_synthetic', kind: 'wifi' });
});

test('every fold has walks, and a walk belongs to one phone, in order of time and at the pace of a walker', async () => {
  const walks = Map.groupBy(await drawn(), ({ track }) => track);
  expect(new Set([...walks.keys()].map(foldOf))).toEqual(new Set([0, 1, 2, 3, 4]));
  for (const scans of walks.values()) {
    expect(new Set(scans.map(({ device }) => device)).size).toBe(1);
    for (const [i, scan] of scans.slice(1).entries()) {
      expect(scan.timeMs! - scans[i].timeMs!).toBe(10_000);
      expect(distanceMetres(scans[i].latitude, scans[i].longitude, scan.latitude, scan.longitude)).toBeLessThan(14.1);
    }
  }
});

test('a phone hears the access points around it, the near ones louder', async () => {
  const standing = new Map(TOWN.map(each => [each.mac, each]));
  const byDistance: { metres: number; dbm: number }[] = [];
  let enough = 0;
  const scans = await drawn();
  for (const { latitude, longitude, wifiAccessPoints } of scans) {
    if (wifiAccessPoints.length >= 2) enough++;
    for (const { macAddress, signalStrength } of wifiAccessPoints) {
      const there = standing.get(parseMac(macAddress))!;
      byDistance.push({
        metres: distanceMetres(latitude, longitude, there.latitude, there.longitude),
        dbm: signalStrength,
      });
    }
  }
  expect(enough / scans.length).toBeGreaterThan(0.9);
  expect(Math.max(...byDistance.map(({ metres }) => metres))).toBeLessThan(250);
  const levelBetween = (from: number, to: number) => {
    const levels = byDistance.filter(({ metres }) => metres >= from && metres < to).map(({ dbm }) => dbm);
    return levels.reduce((sum, dbm) => sum + dbm, 0) / levels.length;
  };
  // 30 dB for ten times the distance.
  expect(levelBetween(2, 4) - levelBetween(20, 40)).toBeCloseTo(30, -1);
});
