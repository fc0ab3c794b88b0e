import { describe, expect, test } from 'vitest';
import { KIND_WIFI } from '../../../src/radio/kind.ts';
import { trackOfBatch } from '../../../src/tables/observations/report.ts';
import { moved } from '../../kits/radio/ground.ts';
import { MeasuredWorld } from '../../kits/radio/measured_world.ts';
import { HOME, report, TRUSTED } from '../../kits/radio/reports.ts';
import { deviceMac, macKey } from '../../kits/radio/stations.ts';
import { type Town, walks } from '../../kits/radio/walked_town.ts';

const TOWN: Town = { spacing: 60, exponent: 3, sigmaDb: 5, fixMetres: 4 };
const trusted = () => TRUSTED;
const here = [1, 2, 3].map(n => ({ key: macKey(deviceMac(n)), dbm: -60 }));

/** Reports from one place, `stepSeconds` apart. */
function standing(count: number, startSeconds: number, stepSeconds: number, changes = {}) {
  return Array.from({ length: count }, (_, n) => report(TRUSTED, HOME, startSeconds + n * stepSeconds, here, changes));
}

describe('a report is tested before it is learned', () => {
  test('never by what its own track has taught', () => {
    const world = new MeasuredWorld().learn(standing(40, 0, 60));
    expect(world.measured().tests).toBe(0);
    // Another track an hour later finds what the first one taught.
    world.learn(standing(7, 10_000, 60));
    expect(world.measured().tests).toBe(7);
  });

  test('of a device with a name, by nothing that it taught in the hours before', () => {
    const device = { track: 4711 };
    const world = new MeasuredWorld().learn(standing(20, 0, 3_600, device));
    expect(world.measured().tests).toBe(0);
    world.learn(standing(1, 20 * 3_600 + 13 * 3_600, 0, device));
    expect(world.measured().tests).toBe(1);
  });

  test('two tracks under one key, interleaved, are told apart by where they are', () => {
    const far = moved(HOME, 20_000, 0);
    const there = here.map(({ dbm }, n) => ({ key: macKey(deviceMac(100 + n)), dbm }));
    const pair = (n: number, start: number) => [
      report(TRUSTED, HOME, start + n * 10, here),
      report(TRUSTED, far, start + n * 10, there),
    ];
    const world = new MeasuredWorld().learn(Array.from({ length: 30 }, (_, n) => pair(n, 0)).flat());
    expect(world.measured().tests).toBe(0);
    world.learn(Array.from({ length: 5 }, (_, n) => pair(n, 10_000)).flat());
    expect(world.measured().tests).toBe(10);
  });

  test('a poor fix tests nothing', () => {
    const world = new MeasuredWorld().learn(standing(5, 0, 60)).learn(standing(5, 10_000, 60, { accuracyMetres: 80 }));
    expect(world.measured().tests).toBe(0);
  });

  test('one of a track in 20 seconds where there were 500 tests, all without times of their own', () => {
    const world = new MeasuredWorld().learn(standing(40, 0, 60)).learn(standing(510, 10_000, 1));
    // The first ones reach 500 tests, at 10,500 s. One more is at 10,500 s, none later.
    expect(world.measured().tests).toBe(501);
    world.learn(standing(200, 20_000, 1));
    expect(world.measured().tests).toBe(511);
    world.learn(standing(30, 30_000, 1, { isTimed: false, track: trackOfBatch(1, 'batch') }));
    expect(world.measured().tests).toBe(541);
  });

  test('and is learned exactly as it would be untested', () => {
    const reports = walks(TOWN, 7, 12, 40, trusted);
    const world = new MeasuredWorld().learn(reports);
    const untested = new MeasuredWorld();
    untested.learnUntested(reports);
    expect(world.stations()).toEqual(untested.stations());
    expect(world.measured().tests).toBeGreaterThan(100);
  });
});

describe('what tests find', () => {
  test('does not depend on where batches begin and end', () => {
    const reports = walks(TOWN, 5, 12, 40, n => (n % 3 === 0 ? TRUSTED : n % 3));
    const dumps = [1, 7, 100, 10_000].map(batch => new MeasuredWorld().learn(reports, batch).dump());
    expect(new Set(dumps).size).toBe(1);
    expect(dumps[0].split('\n').length).toBeGreaterThan(20);
  });

  test('is forgotten with the tracks once they are over, but for the counts', () => {
    const reports = walks(TOWN, 5, 80, 3, trusted);
    const world = new MeasuredWorld().learn(reports);
    const rows = world.dump().split('\n');
    expect(rows.filter(row => row.startsWith('54')).length).toBe(1);
    const tracksBefore = new Set(rows.filter(row => row.startsWith('42')).map(row => row.slice(2, 18)));
    expect(tracksBefore.size).toBe(1);
  });
});

test('radii are tested with the scale that they begin with', () => {
  const reports = walks(TOWN, 5, 12, 40, trusted);
  const [plain, scaled] = [1, 1_000].map(factor => {
    const world = new MeasuredWorld();
    world.knowledge.generation.root.transactionSync(() =>
      world.knowledge.calibration.setPrior(KIND_WIFI, [factor, factor, factor]),
    );
    return world.learn(reports).measured();
  });
  expect(plain.tests).toBe(scaled.tests);
  expect(plain.inside[0]).toBeLessThan(plain.tests);
  expect(scaled.inside[0]).toBe(scaled.tests);
});

// Two of each: path loss, density and noise. Where walks happen to lead makes a log differ from the next by some
// percent, so two are drawn.
const DRAWN: readonly (Town & { what: string })[] = [2.3, 3.5].flatMap(exponent =>
  [35, 50].flatMap(spacing =>
    [3, 8].map(sigmaDb => ({
      what:
        `${exponent === 2.3 ? 'open' : 'built up'}, ${spacing === 35 ? 'dense' : 'sparse'}, ` +
        `${sigmaDb === 3 ? 'quiet' : 'noisy'}`,
      spacing,
      exponent,
      sigmaDb,
      fixMetres: 3,
    })),
  ),
);

describe('in a town nobody fitted anything to the radii are honest after 2,000 reports', () => {
  test.each(DRAWN)('$what', town => {
    const logs = [11, 111].map(seed => {
      const world = new MeasuredWorld().learn(walks(town, seed, 50, 40, trusted));
      const asked = walks(town, seed + 1, 200, 3, trusted, 10_000_000);
      return { inside: world.inside(asked), raw: world.inside(asked, false) };
    });
    // The priors are off by more than what is left.
    expect(Math.abs((logs[0].raw[0] + logs[1].raw[0]) / 2 - 0.5)).toBeGreaterThan(0.1);
    for (const [i, share] of [0.5, 0.68, 0.95].entries()) {
      const [one, other] = logs.map(({ inside }) => inside[i]);
      expect(Math.abs((one + other) / 2 - share)).toBeLessThanOrEqual(0.05);
      expect(Math.max(Math.abs(one - share), Math.abs(other - share))).toBeLessThanOrEqual(0.1);
    }
  });
});
