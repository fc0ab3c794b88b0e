// What the public page is told of the stations, of a folder of drawn ones.

import { expect, test } from 'vitest';
import { STATE_BLOCKED, stationAt } from '../../src/tables/stations/station.ts';
import { StationWriter } from '../../src/tables/stations/writer.ts';
import { count, type PublicStatistics } from '../../src/tasks/public_statistics.ts';
import { deviceMac, macKey, putting } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const LATITUDE = 47.14;
const LONGITUDE = 9.52;
const DAY = 20_000;

let device = 0;

/** As many access points at a place. */
function many(stations: number, latitude: number, longitude: number, state?: number) {
  return Array.from({ length: stations }, () => {
    const station = { ...stationAt(latitude, longitude, 30, 60), firstSeenDay: DAY, ...(state && { state }) };
    return putting(macKey(deviceMac(device++)), station);
  });
}

async function statisticsOf(puts: ReturnType<typeof many>): Promise<PublicStatistics> {
  const folder = temporaryFolder();
  const writer = await StationWriter.open(folder, undefined);
  await writer.apply(puts);
  await writer.close();
  const steps = count(folder);
  for (let step = 0; step < 100; step++) {
    const { done, value } = steps.next();
    if (done) return value;
  }
  throw new Error('The count does not end.');
}

test('a square is told from fifty stations on, by its class; one fewer tells nothing', async () => {
  const told = await statisticsOf([...many(50, LATITUDE, LONGITUDE), ...many(49, LATITUDE + 1, LONGITUDE)]);
  expect(told.squares).toHaveLength(1);
  const [{ latitude, longitude, high, wide, atLeast }] = told.squares;
  expect(atLeast).toBe(50);
  expect(LATITUDE - latitude).toBeGreaterThan(0);
  expect(LATITUDE - latitude).toBeLessThan(high);
  expect(LONGITUDE - longitude).toBeGreaterThan(0);
  expect(LONGITUDE - longitude).toBeLessThan(wide);
  // As wide as high on the ground, or a little wider.
  expect(wide * Math.cos((LATITUDE * Math.PI) / 180)).toBeGreaterThanOrEqual(0.0449);
  expect(told.kinds).toEqual({ wifi: 99 });
  expect(told.months).toEqual([['2024-10', 99]]);
});

test('the same is told wherever the stations of a square stand in it, and of a few more', async () => {
  const one = await statisticsOf([...many(60, LATITUDE, LONGITUDE), ...many(7, 10, 10)]);
  const other = await statisticsOf([...many(64, LATITUDE + 0.0005, LONGITUDE + 0.0005), ...many(3, 20, 20)]);
  expect(other).toEqual(one);
});

test('what lookups do not use counts nowhere, and few are not told at all', async () => {
  const told = await statisticsOf([...many(49, LATITUDE, LONGITUDE), ...many(100, LATITUDE, LONGITUDE, STATE_BLOCKED)]);
  expect(told).toEqual({ isReady: true, done: 0, total: 0, kinds: {}, months: [], squares: [] });
});

test('counts have two digits', async () => {
  const told = await statisticsOf(many(1_299, LATITUDE, LONGITUDE));
  expect(told.kinds).toEqual({ wifi: 1_200 });
  expect(told.squares[0].atLeast).toBe(500);
});
