import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/draws.ts';
import { INTERNET, RENTED } from '../../../lab/scaling/assumptions.ts';
import type { Costs } from '../../../lab/scaling/costs.ts';
import {
  BUSY,
  borderShare,
  CACHE_BYTES,
  cheapestPlan,
  expectedShards,
  FULL,
  HOURS_A_MONTH,
  hitShare,
  hopsOf,
  LAND_KM2,
  learnersOf,
  limitsOf,
  planWith,
  REACH_KM,
  ZONE_SPARE,
} from '../../../lab/scaling/designs.ts';

/** Round figures, so that what they make can be calculated by hand. */
const COSTS: Costs = {
  position: 20,
  doubling: 1,
  cacheLookup: 0.1,
  tableLookup: 2,
  coldLookup: 10,
  coldLatency: 100,
  delta: 5,
  hopAsks: 4,
  hopAnswers: 6,
  coding: 1,
  questionBytes: 100,
  answerBytes: 300,
  tableBytes: 47,
  learnedBytes: 300,
  logBytes: 30,
  learnedPerSecond: 25_000,
  pausesPerSecond: 0,
  pauseMicroseconds: 0,
};
const WHOLE = { way: 'whole copies', shards: 1 } as const;

describe('the shards of a request', () => {
  test.each([
    [1, 16, 1],
    [4, 1, 1],
    [2, 2, 1.5],
    [3, 2, 5 / 3],
  ])('%i shards and %i keys: %f', (shards, keys, expected) => {
    expect(expectedShards(shards, keys)).toBeCloseTo(expected, 12);
  });

  test('drawn keys need as many', () => {
    const random = seededRandom(1);
    const draws = 20_000;
    let sum = 0;
    for (let i = 0; i < draws; i++) sum += new Set(Array.from({ length: 16 }, () => Math.floor(random() * 24))).size;
    expect(sum / draws).toBeCloseTo(expectedShards(24, 16), 1);
  });

  test('one of them is the own shard, now and then', () => {
    expect(hopsOf(WHOLE, 16)).toBe(0);
    expect(hopsOf({ way: 'by place', shards: 4 }, 16)).toBe(0.75);
    expect(hopsOf({ way: 'by hash', shards: 2 }, 2)).toBe(0.75);
  });
});

test('the border of a square region has what does not lie in the square within it', () => {
  expect(borderShare(1)).toBe(0);
  const side = Math.sqrt(LAND_KM2 / 16);
  expect(borderShare(16)).toBeCloseTo((side ** 2 - (side - 2 * REACH_KM) ** 2) / side ** 2, 12);
  // Regions that are all border.
  expect(borderShare(1e6)).toBe(1);
});

test('the busiest fifth gets four fifths with the exponent of Pareto, a fifth where all are equal', () => {
  expect(hitShare(0.2, Math.log(0.8) / Math.log(0.2))).toBeCloseTo(0.8, 12);
  expect(hitShare(0.2, 1)).toBeCloseTo(0.2, 12);
  expect(hitShare(1.5, 1)).toBe(1);
});

describe('a plan', () => {
  test('for whole copies in memory is requests times cost, half busy, and half more for a zone', () => {
    const demand = { ...INTERNET, accessPoints: 1e7, cells: 0 };
    const plan = planWith(WHOLE, 16, demand, COSTS, RENTED)!;
    expect(plan.inMemory).toBe(1);
    expect(plan.microseconds).toBe(20);
    expect(plan.machines).toBe(Math.ceil(((1e6 * 20e-6) / (16 * BUSY)) * ZONE_SPARE));
    expect(plan.monthly).toBeCloseTo(plan.machines * 16 * RENTED.price * HOURS_A_MONTH, 6);
    expect(plan.bytesPerSecond).toBe(0);
  });

  test('pays for look-ups beyond the memory', () => {
    const memory = FULL * 16 * RENTED.memoryBytes;
    const demand = { ...INTERNET, accessPoints: (2 * memory) / (CACHE_BYTES + 47), cells: 0 };
    const plan = planWith(WHOLE, 16, demand, COSTS, RENTED)!;
    expect(plan.inMemory).toBeCloseTo(0.5, 12);
    expect(plan.microseconds).toBeCloseTo(20 + 16 * 0.5 * (2 - 0.1 + 10), 9);
  });

  test('by hash asks for each shard that is not its own', () => {
    const demand = { ...INTERNET, accessPoints: 1e7, cells: 0, stationsPerRequest: 2 };
    const plan = planWith({ way: 'by hash', shards: 2 }, 16, demand, COSTS, RENTED)!;
    expect(plan.microseconds).toBeCloseTo(20 + 0.75 * (4 + 6 + 2 * 1), 9);
    expect(plan.bytesPerSecond).toBe(1e6 * 0.75 * 400);
    expect(plan.machines).toBe(plan.copies * 2);
  });

  test('is none where two generations do not fit on the disk, and the cheapest size otherwise', () => {
    const most = limitsOf(WHOLE, 128, COSTS, RENTED).diskStations;
    const demand = { ...INTERNET, accessPoints: most * 1.001, cells: 0 };
    expect(cheapestPlan(WHOLE, demand, COSTS, RENTED)).toBeUndefined();
    const fits = { ...demand, accessPoints: most * 0.999 };
    expect(planWith(WHOLE, 64, fits, COSTS, RENTED)).toBeUndefined();
    expect(cheapestPlan(WHOLE, fits, COSTS, RENTED)!.cores).toBe(128);
  });
});

test('shards by hash multiply what memory, disk and deltas allow', () => {
  const [one, four] = [WHOLE, { way: 'by hash', shards: 4 } as const].map(way => limitsOf(way, 16, COSTS, RENTED));
  expect(one.observations).toBe((BUSY * 1e6) / 5);
  expect(one.memoryStations).toBeCloseTo((FULL * 16 * 8 * 2 ** 30) / 80, 3);
  for (const limit of ['memoryStations', 'diskStations', 'observations'] as const)
    expect(four[limit] / one[limit]).toBeCloseTo(4, 9);
});

test('learners share the log, and what lies at borders is learned twice', () => {
  const one = learnersOf(1, INTERNET, COSTS);
  expect(one.load).toBeCloseTo((2 * 1e9) / 86_400 / 25_000, 9);
  expect(one.logBytes).toBe(365 * 1e9 * 30);
  expect(one.rebuildDays).toBeCloseTo((365 * 1e9) / 25_000 / 86_400, 9);
  const four = learnersOf(4, INTERNET, COSTS);
  expect(four.load).toBeCloseTo((one.load / 4) * (1 + borderShare(4)), 12);
});
