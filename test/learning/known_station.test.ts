import { expect, onTestFinished, test } from 'vitest';
import { DaysOfStation, knownStation } from '../../src/learning/known_station.ts';
import type { Report } from '../../src/tables/observations/report.ts';
import { moved } from '../kits/radio/ground.ts';
import { DAY, HOME, report, TRUSTED } from '../kits/radio/reports.ts';
import { macKey } from '../kits/radio/stations.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';
import { LearningFolder } from './learning_folder.ts';

const key = macKey(0x02005e000007);

async function taught(reports: readonly Report[]): Promise<LearningFolder> {
  const folder = await LearningFolder.open(temporaryFolder());
  onTestFinished(() => folder.close());
  await folder.contribute(reports);
  await folder.catchUp();
  return folder;
}

function daysOf(folder: LearningFolder) {
  const days = new DaysOfStation(key);
  for (const each of folder.log.read(1, 100)) days.add(each);
  return days.days;
}

const heard = (who: number, east: number, seconds: number, dbm?: number) =>
  report(who, moved(HOME, 0, east), seconds, [{ key, dbm }]);

test('a station that one account alone has seen is new, and of no use', async () => {
  const folder = await taught([heard(3, 0, 60, -60)]);
  expect(knownStation(folder.folder, folder.generation, key)).toMatchObject({
    kind: 'wifi',
    state: 'new',
    isUsed: false,
    record: undefined,
    sources: [],
    places: [{ reports: 1, firstSeen: '2025-06-01', lastSeen: '2025-06-01' }],
  });
  expect(knownStation(folder.folder, folder.generation, macKey(8))).toBeUndefined();
});

test('a station that has moved is blocked, and each day says where it was', async () => {
  const folder = await taught([
    heard(TRUSTED, 0, 60, -60),
    heard(3, 30, 120, -70),
    heard(4, 60, 180),
    heard(TRUSTED, 40_000, 3 * DAY, -55),
    heard(TRUSTED, 40_000, 3 * DAY + 3_600, -65),
  ]);
  const known = knownStation(folder.folder, folder.generation, key)!;
  expect(known).toMatchObject({ state: 'blocked', isUsed: false, blocks: 1 });
  expect(known.places.map(({ reports }) => reports)).toEqual([2, 3]);
  const [first, second, ...others] = daysOf(folder);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ day: '2025-06-01', reports: 3, contributors: 3, spreadMetres: 30, strongestDbm: -60 });
  expect(second).toMatchObject({ day: '2025-06-04', reports: 2, contributors: 1, spreadMetres: 0, strongestDbm: -55 });
  expect(first.longitude).toBeCloseTo(moved(HOME, 0, 30)[1], 5);
});

test('positions on both sides of the date line have their mean on it', async () => {
  const at = (longitude: number) => report(3, [10, longitude], 600 + longitude, [{ key }]);
  const folder = await taught([at(179.9998), at(-179.9998)]);
  const [day] = daysOf(folder);
  expect(Math.abs(day.longitude)).toBeCloseTo(180, 6);
  expect(day.spreadMetres).toBeLessThan(30);
  expect(day.strongestDbm).toBeUndefined();
});
