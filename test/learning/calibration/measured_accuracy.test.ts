import { expect, onTestFinished, test } from 'vitest';
import { readChosenConstants, readMeasuredAccuracy } from '../../../src/learning/calibration/measured_accuracy.ts';
import { drives } from '../../kits/radio/driven_city.ts';
import { TRUSTED } from '../../kits/radio/reports.ts';
import { walks } from '../../kits/radio/walked_town.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { LearningFolder } from '../learning_folder.ts';

test('what was measured is shown by radio type, country and month', async () => {
  const folder = await LearningFolder.open(temporaryFolder());
  onTestFinished(() => folder.close());
  expect(await readMeasuredAccuracy(folder.folder)).toEqual([]);
  const town = { spacing: 40, exponent: 3, sigmaDb: 5, fixMetres: 3 };
  await folder.contribute(walks(town, 3, 10, 20, () => TRUSTED));
  await folder.contribute(walks(town, 4, 5, 20, () => TRUSTED, 40 * 86_400));
  await folder.catchUp();
  const rows = await readMeasuredAccuracy(folder.folder);
  expect(rows.map(({ radio, country, month }) => `${radio} ${country} ${month}`)).toEqual([
    'wifi any any',
    'wifi BE 2025-06',
    'wifi BE 2025-07',
  ]);
  const [all, june, july] = rows;
  // A report that heard fewer than two known access points has no estimate.
  expect(july.tested).toBeGreaterThan(90);
  expect(all.tested).toBe(june.tested + july.tested);
  expect(all.median).toBeGreaterThan(1);
  expect(all.p95).toBeGreaterThan(all.median);
  for (const row of rows)
    expect(row.insideShare <= row.inside68Share && row.inside68Share <= row.inside95Share).toBe(true);
});

test('the constants that tests chose are told by radio type and region', async () => {
  const folder = await LearningFolder.open(temporaryFolder());
  onTestFinished(() => folder.close());
  expect(await readChosenConstants(folder.folder)).toEqual([]);
  await folder.contribute(drives({ siteMetres: 500, sigmaDb: 8, heard: 7, seed: 1 }, 10, 40, 40, () => TRUSTED));
  await folder.catchUp();
  const rows = await readChosenConstants(folder.folder);
  const noisy = { radio: 'lte', temperature: 1.3, levelSigmaDb: 6, missingCost: 3.5, tested: rows[0].tested };
  expect(rows).toEqual([
    { ...noisy, latitude: null, longitude: null },
    { ...noisy, latitude: 50, longitude: 4 },
  ]);
  expect(rows[0].tested).toBeGreaterThan(500);
});
