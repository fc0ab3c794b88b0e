import { expect, test } from 'vitest';
import { runTableJob } from '../../src/jobs/table_jobs.ts';
import { readMeasuredAccuracy } from '../../src/learning/calibration/measured_accuracy.ts';
import { ObservationLog } from '../../src/tables/observations/observation_log.ts';
import { packReports } from '../../src/tables/observations/report.ts';
import { Owner } from '../../src/writer/owner.ts';
import type { OwnerOptions } from '../../src/writer/owner_options.ts';
import { TRUSTED } from '../kits/radio/reports.ts';
import { walks } from '../kits/radio/walked_town.ts';
import { temporaryFolder } from '../kits/temporary_folder.ts';

const TOWN = { spacing: 40, exponent: 3, sigmaDb: 5, fixMetres: 3 };

/** Walks of one month are reported, and learned by an owner. @returns how many reports were tested so far */
async function learn(folder: string, month: number, calibrates: boolean | undefined): Promise<number> {
  const log = new ObservationLog(folder, 'commit');
  await log.append(packReports(walks(TOWN, 3 + month, 6, 20, () => TRUSTED, month * 40 * 86_400)), Date.now());
  await log.close();
  const options: OwnerOptions = {
    folder,
    sync: 'commit',
    logMegabytes: 1,
    keepObservations: 'forever',
    calibrates,
    onError: error => {
      throw error;
    },
    runTableJob,
  };
  const owner = await Owner.open(options);
  await owner.run({ verb: 'aggregate', action: 'all' }, { folder, sync: 'commit', onProgress: () => {} });
  await owner.close();
  return (await readMeasuredAccuracy(folder)).find(({ month }) => month === 'any')?.tested ?? 0;
}

test('reports are tested if the owner is told to, and by commands if they were before', async () => {
  const folder = temporaryFolder();
  expect(await learn(folder, 0, false)).toBe(0);
  expect(await learn(folder, 1, undefined)).toBe(0);
  const tested = await learn(folder, 2, true);
  expect(tested).toBeGreaterThan(50);
  const testedByCommand = await learn(folder, 3, undefined);
  expect(testedByCommand).toBeGreaterThan(tested);
  expect(await learn(folder, 4, false)).toBe(testedByCommand);
});

test('commands test the first reports of a new folder, as a service does by default', async () => {
  expect(await learn(temporaryFolder(), 0, undefined)).toBeGreaterThan(50);
});
