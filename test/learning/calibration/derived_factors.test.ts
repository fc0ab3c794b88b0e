import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { factorsOfVotes } from '../../../src/learning/calibration/factors_of_votes.ts';
import { GROUP_WIFI } from '../../../src/positioning/estimates/estimate.ts';
import { levelsOf, placeOfVotes, regionAt } from '../../../src/tables/calibration/rows.ts';
import { HOME, TRUSTED } from '../../kits/radio/reports.ts';
import { walks } from '../../kits/radio/walked_town.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { LearningFolder } from '../learning_folder.ts';

test('the factors follow from all votes once the log has taken effect, without being asked for', async () => {
  const folder = await LearningFolder.open(temporaryFolder());
  onTestFinished(() => folder.close());
  const reports = walks({ spacing: 50, exponent: 3, sigmaDb: 5, fixMetres: 3 }, 3, 12, 20, () => TRUSTED);
  await folder.contribute(reports.slice(0, 140));
  const { calibration } = folder.writer.knowledge;
  const region = regionAt(...HOME);
  const expected = () =>
    factorsOfVotes(levelsOf(GROUP_WIFI, region).map(place => calibration.votes(place))).map(Math.fround);
  const derived = () => {
    folder.generation.root.resetReadTxn();
    return calibration.published().get(placeOfVotes(GROUP_WIFI, region));
  };
  while (derived() === undefined) await nextTurn();
  expect(folder.aggregator.progress).toBe(140);
  expect(derived()).toEqual(expected());
  const before = derived();
  await folder.contribute(reports.slice(140));
  while (folder.aggregator.progress < reports.length || derived()![0] === before![0]) await nextTurn();
  expect(derived()).toEqual(expected());
  expect(folder.errors).toEqual([]);
});
