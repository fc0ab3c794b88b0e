import { expect, onTestFinished, test } from 'vitest';
import { readMeasuredAccuracy } from '../../../src/learning/calibration/measured_accuracy.ts';
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
  // A report that heard fewer than two known access points has no estimate, nor one of which a single device decides.
  expect(july.tested).toBeGreaterThanOrEqual(90);
  expect(all.tested).toBe(june.tested + july.tested);
  expect(all.median).toBeGreaterThan(1);
  expect(all.p95).toBeGreaterThan(all.median);
  for (const row of rows)
    expect(row.insideShare <= row.inside68Share && row.inside68Share <= row.inside95Share).toBe(true);
});
