// Attacks by one hostile account on the calibration: it reports true stations at false positions, so that the radii of
// all others grow or shrink.

import { describe, expect, test } from 'vitest';
import { factorsOfVotes } from '../../../src/learning/calibration/factors_of_votes.ts';
import { GROUP_WIFI, groupOfTransmitters } from '../../../src/positioning/estimates/estimate.ts';
import { EVERYWHERE, levelsOf, placeOfVotes, regionAt } from '../../../src/tables/calibration/rows.ts';
import type { Voter } from '../../../src/tables/calibration/votes.ts';
import type { Report } from '../../../src/tables/observations/report.ts';
import { moved } from '../../kits/radio/ground.ts';
import { MeasuredWorld } from '../../kits/radio/measured_world.ts';
import { HOME, TRUSTED, type Who } from '../../kits/radio/reports.ts';
import { type Town, walks } from '../../kits/radio/walked_town.ts';
import { uniform } from '../../kits/random.ts';

const TOWN: Town = { spacing: 70, exponent: 3, sigmaDb: 5, fixMetres: 4 };
const HOSTILE: Who = 666;
const DAY_SECONDS = 86_400;
const HONEST = 6;
const REGION = regionAt(...HOME);
const WELL_KNOWN = groupOfTransmitters(GROUP_WIFI, 5);

const honest = walks(TOWN, 3, 24, 20, n => 11 + (n % HONEST));
/** Walks of the hostile account through the same town, before it lies. */
const own = walks(TOWN, 4, 20, 25, () => HOSTILE, 30 * DAY_SECONDS);

/** Moves a report. */
function at(report: Report, eastMetres: number, northMetres: number, changes: Partial<Report> = {}): Report {
  const [latitude, longitude] = moved([report.latitude, report.longitude], eastMetres, northMetres);
  return { ...report, latitude, longitude, accuracyMetres: 1, ...changes };
}

const random = uniform(9);
const ATTACKS: { [name: string]: (report: Report, n: number) => Report } = {
  'always 400 m away': report => at(report, 400, 0),
  'always 40 m away': report => at(report, 0, 40),
  'anywhere within a kilometre': report => at(report, (random() - 0.5) * 2_000, (random() - 0.5) * 2_000),
  'every tenth far away, to stretch the tail': (report, n) => at(report, n % 10 === 0 ? 300 : 0, 0),
  'every third far away': (report, n) => at(report, n % 3 === 0 ? 300 : 0, 0),
  'further away from report to report': (report, n) => at(report, n, 0),
  'each report a track of its own': (report, n) => at(report, 250, 0, { timeMs: report.timeMs + n * 7_200_000 }),
  'each report of another device': (report, n) => at(report, 250, 0, { track: 1_000 + n }),
  'where the answer to it was, to shrink the radius': (report, n) => {
    const { latitude, longitude } = honest[n % honest.length];
    return { ...report, observations: honest[n % honest.length].observations, latitude, longitude, accuracyMetres: 1 };
  },
  'in the next region, to move what holds everywhere': report => at(report, 0, 20_000),
};

/** Reports of the hostile account among those of the others, as many in each part of the log. */
function mixed(hostile: readonly Report[]): Report[] {
  const upTo = (i: number) => Math.floor((i * hostile.length) / honest.length);
  return honest.flatMap((each, i) => [each, ...hostile.slice(upTo(i), upTo(i + 1))]);
}

/** The factors, and what they would be without the votes of the hostile account. */
function factorsOf(world: MeasuredWorld): { factors: readonly number[]; without: readonly number[] } {
  const levels = levelsOf(WELL_KNOWN, REGION).map(place => world.knowledge.calibration.votes(place));
  const isHonest = ({ contributor }: Voter) => contributor !== HOSTILE;
  return { factors: factorsOfVotes(levels), without: factorsOfVotes(levels.map(voters => voters.filter(isHonest))) };
}

function expectWithin10Percent(factors: readonly number[], without: readonly number[]): void {
  expectWithin(1.1, factors, without);
}

function expectWithin(most: number, factors: readonly number[], without: readonly number[]): void {
  for (const [share, factor] of factors.entries()) {
    expect(factor / without[share]).toBeLessThanOrEqual(most);
    expect(factor / without[share]).toBeGreaterThanOrEqual(1 / most);
  }
}

describe('one hostile account among six honest ones moves no radius by more than 10 % in these attacks', () => {
  test.each(Object.keys(ATTACKS))('%s, after the others', name => {
    const world = new MeasuredWorld().learn(honest);
    expect(world.measured().tests).toBeGreaterThan(200);
    const { factors } = factorsOf(world);
    expect(factors[0]).not.toBe(1);
    world.learn(own.map(ATTACKS[name]));
    expectWithin10Percent(factorsOf(world).factors, factors);
  });

  // It then also spoils the young map, as far as the rules of learning let it, and the tests of others find that. Its
  // votes add little.
  test.each(Object.keys(ATTACKS))('by its votes: %s, among the others', name => {
    const world = new MeasuredWorld().learn(mixed(own.map(ATTACKS[name])));
    const { factors, without } = factorsOf(world);
    expectWithin10Percent(factors, without);
  });
});

// With half of all reports from the first on, it spoils the young map itself, as far as the rules of learning let it,
// and the tests of the others find that. A map also grows with what it sends: factors are compared with those of both
// logs in which it does not lie, the one without it and the one with its reports as they were.
describe('one hostile account that sends half of all reports from the first on moves a factor by less than 15 %', () => {
  const clean = () => factorsOf(new MeasuredWorld().learn(honest)).factors;
  const truthful = () => factorsOf(new MeasuredWorld().learn(mixed(own))).factors;

  test.each(Object.keys(ATTACKS))('%s', name => {
    const logs = [clean(), truthful()];
    for (const [share, factor] of factorsOf(
      new MeasuredWorld().learn(mixed(own.map(ATTACKS[name]))),
    ).factors.entries()) {
      const usual = logs.map(factors => factors[share]);
      expect(factor).toBeLessThan(1.15 * Math.max(...usual));
      expect(factor).toBeGreaterThan(Math.min(...usual) / 1.15);
    }
  });

  test.each(Object.keys(ATTACKS))('and by less than a quarter compared with the log without it: %s', name => {
    expectWithin(1.25, factorsOf(new MeasuredWorld().learn(mixed(own.map(ATTACKS[name])))).factors, clean());
  });
});

test('a hostile account has no vote where trusted reports have measured enough', () => {
  const trusted = honest.map(each => ({ ...each, contributor: TRUSTED, isTrusted: true }));
  const world = new MeasuredWorld().learn(trusted);
  const before = world.factors(WELL_KNOWN, REGION);
  world.learn(own.map(ATTACKS['always 40 m away']));
  expect(world.factors(WELL_KNOWN, REGION)).toEqual(before);
  expect(world.knowledge.calibration.votes(placeOfVotes(WELL_KNOWN, EVERYWHERE))).toHaveLength(2);
});
