// The constants of radio maps by network: in drawn cities that are quieter or noisier than the networks of the source's
// constants, tests choose others.

import { describe, expect, onTestFinished, test } from 'vitest';
import { quantile } from '../../../src/evaluation/quantile.ts';
import { groupOfMap, isOfMap } from '../../../src/positioning/estimates/estimate.ts';
import { Locator } from '../../../src/positioning/locate.ts';
import { KIND_LTE } from '../../../src/radio/kind.ts';
import { OBSERVATION_BYTES, OBSERVATION_SIGNAL } from '../../../src/radio/query/layout.ts';
import { QueryMemory } from '../../../src/radio/query/memory.ts';
import { QueryWriter, queryBytes } from '../../../src/radio/query/writer.ts';
import { placeOfVotes, regionAt } from '../../../src/tables/calibration/places.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import { type City, drives } from '../../kits/radio/driven_city.ts';
import { moved } from '../../kits/radio/ground.ts';
import { MeasuredWorld } from '../../kits/radio/measured_world.ts';
import { HOME, TRUSTED, type Who } from '../../kits/radio/reports.ts';
import { answerAt } from '../../kits/radio/station_folder.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { LearningFolder } from '../learning_folder.ts';

const QUIET: City = { siteMetres: 500, sigmaDb: 1, heard: 3, seed: 1 };
const NOISY: City = { siteMetres: 500, sigmaDb: 8, heard: 7, seed: 1 };
const USUAL: City = { siteMetres: 500, sigmaDb: 2, heard: 7, seed: 2 };
const GROUP = groupOfMap(KIND_LTE, 0);
const REGION = regionAt(...HOME);
const LATER_SECONDS = 10_000_000;
const trusted = () => TRUSTED;

/** Median errors in metres by the constants of the source, and by those chosen. */
function medians(world: MeasuredWorld, asked: readonly Report[]): { asFitted: number; chosen: number } {
  const answers = asked.flatMap(report => world.locate(report).filter(({ estimate }) => isOfMap(estimate.group)));
  expect(answers.length).toBeGreaterThan(0.9 * asked.length);
  return {
    asFitted: quantile(
      answers.map(({ asFitted }) => asFitted.errorMetres),
      0.5,
    ),
    chosen: quantile(
      answers.map(({ errorMetres }) => errorMetres),
      0.5,
    ),
  };
}

describe('in a drawn city', () => {
  test.each([
    ['that is quiet, where devices report few cells, the likelihood is sharper', QUIET, 1],
    ['that is noisy, levels may differ more', NOISY, 2],
  ] as const)('%s', (_, city, variant) => {
    for (const seed of [1, 2]) {
      const world = new MeasuredWorld().learn(drives({ ...city, seed }, 10 * seed, 60, 60, trusted));
      expect(world.variant(GROUP, REGION)).toBe(variant);
      const asked = drives({ ...city, seed }, 10 * seed + 1, 100, 6, trusted, LATER_SECONDS);
      const { asFitted, chosen } = medians(world, asked);
      expect(chosen).toBeLessThan(0.9 * asFitted);
      const inside = world.inside(asked);
      for (const [i, share] of [0.5, 0.68, 0.95].entries())
        expect(Math.abs(inside[i] - share)).toBeLessThanOrEqual(0.1);
    }
  });

  test('where the constants of the source are good, they stay', () => {
    const world = new MeasuredWorld().learn(drives(USUAL, 20, 60, 60, trusted));
    expect(world.variant(GROUP, REGION)).toBe(0);
  });
});

test('what is chosen does not depend on where batches begin and end', () => {
  const reports = drives(NOISY, 5, 30, 12, n => (n % 4 === 0 ? TRUSTED : n % 4));
  const dumps = [1, 7, 100, 10_000].map(batch => new MeasuredWorld().learn(reports, batch).dump());
  expect(new Set(dumps).size).toBe(1);
  expect(dumps[0]).toMatch(/^43/m);
});

test('answers are made by what is chosen, and a rebuild chooses the same', async () => {
  const path = temporaryFolder();
  const cache = createCacheMemory(1);
  const folder = await LearningFolder.open(path, true, new StationCache(cache));
  onTestFinished(() => folder.close());
  await folder.contribute(drives(NOISY, 10, 40, 40, trusted));
  await folder.catchUp();
  const locator = new Locator(path, cache);
  onTestFinished(() => locator.close());
  const { variants } = folder.writer.knowledge.calibration.published();
  expect([...variants.values()]).toEqual([2, 2]);
  const world = new MeasuredWorld(folder.writer.knowledge);
  let moved = 0;
  for (const report of drives(NOISY, 11, 20, 5, trusted, LATER_SECONDS)) {
    const { estimate, calibrated, asFitted } = world.locate(report)[0];
    const answer = locate(locator, report);
    expect([answer?.latitude, answer?.longitude]).toEqual([estimate.latitude, estimate.longitude]);
    expect(answer!.accuracyMetres / calibrated[0]).toBeCloseTo(1, 5);
    if (asFitted.latitude !== estimate.latitude) moved++;
  }
  expect(moved).toBeGreaterThan(50);
  const before = folder.dump();
  await folder.rebuild();
  expect(folder.dump()).toBe(before);
});

function locate(locator: Locator, { observations }: Report) {
  const count = observations.length / OBSERVATION_BYTES;
  const memory = new QueryMemory(new ArrayBuffer(queryBytes(count)));
  const writer = new QueryWriter(memory);
  writer.begin(0);
  writer.addStored(observations, 0, 0, count);
  writer.end();
  locator.locate(memory, 0);
  locator.release();
  return answerAt(memory);
}

const HOSTILE: Who = 666;
const HONEST = 6;
const random = uniform(9);

/**
 * What one who lies sends: reports of the same drives as others, changed so that one variant or another looks better or
 * worse than it is.
 */
const ATTACKS: { [name: string]: (report: Report, n: number) => Report } = {
  'levels that are noise': report => levels(report, dbm => dbm + Math.round(40 * (random() - 0.5))),
  'levels of one device that is 20 dB deaf': report => levels(report, dbm => dbm - 20),
  'levels that are all alike': report => levels(report, () => -80),
  'only the serving cell': report => ({ ...report, observations: report.observations.slice(0, OBSERVATION_BYTES) }),
  'every second cell left out': report => ({
    ...report,
    observations: Buffer.concat(
      Array.from({ length: Math.ceil(report.observations.length / OBSERVATION_BYTES / 2) }, (_, i) =>
        report.observations.slice(2 * i * OBSERVATION_BYTES, (2 * i + 1) * OBSERVATION_BYTES),
      ),
    ),
  }),
  'positions 400 m off': report => at(report, 400, 0),
  'positions anywhere within a kilometre': report => at(report, (random() - 0.5) * 2_000, (random() - 0.5) * 2_000),
  'each report a track of its own': (report, n) => ({
    ...levels(report, () => -80),
    timeMs: report.timeMs + n * 7_200_000,
  }),
  'each report of another device': (report, n) => ({ ...levels(report, () => -80), track: 1_000 + n }),
  'the same report again and again': (report, n) => ({ ...report, timeMs: report.timeMs + n * 1_800_000 }),
};

function levels(report: Report, change: (dbm: number) => number): Report {
  const observations = Buffer.from(report.observations);
  for (let at = 0; at < observations.length; at += OBSERVATION_BYTES) {
    const dbm = observations.readInt16LE(at + OBSERVATION_SIGNAL);
    observations.writeInt16LE(Math.min(-44, Math.max(-140, change(dbm))), at + OBSERVATION_SIGNAL);
  }
  return { ...report, observations };
}

function at(report: Report, eastMetres: number, northMetres: number): Report {
  const [latitude, longitude] = moved([report.latitude, report.longitude], eastMetres, northMetres);
  return { ...report, latitude, longitude };
}

describe('one hostile account that comes after six honest ones does not move the choice', () => {
  test.each([
    ['noisy', NOISY, 2],
    ['quiet', QUIET, 1],
    ['usual', USUAL, 0],
  ] as const)('in the %s city', async (_, city, variant) => {
    const world = new MeasuredWorld().learn(drives(city, 10, 90, 30, n => 11 + (n % HONEST)));
    expect(world.variant(GROUP, REGION)).toBe(variant);
    const lies = drives(city, 11, 30, 30, () => HOSTILE, LATER_SECONDS);
    for (const [name, attack] of Object.entries(ATTACKS)) {
      const attacked = (await world.copy()).learn(lies.map(attack));
      const comparisons = attacked.knowledge.calibration.comparisons(placeOfVotes(GROUP, REGION));
      expect(comparisons.some(({ contributor }) => contributor === HOSTILE)).toBe(true);
      expect(attacked.variant(GROUP, REGION), name).toBe(variant);
    }
  });
});
