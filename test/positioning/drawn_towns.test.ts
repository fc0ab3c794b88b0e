// The measure of WiFi accuracy: drawn worlds with constants that the service does not know. Every assertion compares
// with the centroids of the same scans.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { stationAt } from '../../src/tables/stations/station.ts';
import { readDarmstadt, whyNoDarmstadt } from '../kits/radio/darmstadt.ts';
import {
  type Draw,
  drawScans,
  insideShare,
  type ListedStation,
  locateByCentroid,
  locateScans,
  syntheticTown,
  TOWN,
} from '../kits/radio/drawn_town.ts';
import { World } from '../kits/radio/world.ts';

/** What an import gives a listed access point without a radius. */
const R50_METRES = 35;
const R95_METRES = 230;

async function worldOf(listed: readonly ListedStation[], r95Metres = R95_METRES): Promise<World> {
  const world = new World();
  for (const { mac, position } of listed)
    world.addWifi(mac, stationAt(position[0], position[1], R50_METRES, r95Metres));
  await world.build();
  return world;
}

interface Measured {
  median: number;
  plain: number;
  inverseSquare: number;
  inside: number;
  answered: number;
}

function measure(world: World, listed: readonly ListedStation[], draw: Draw): Measured {
  const scans = drawScans(listed, draw);
  const outcome = locateScans(world, scans);
  const plain = quantile(
    locateByCentroid(scans, () => 1),
    0.5,
  );
  const inverseSquare = quantile(
    locateByCentroid(scans, signal => 1 / (signal * signal)),
    0.5,
  );
  const answered = outcome.errors.filter(Number.isFinite).length / scans.length;
  return { median: quantile(outcome.errors, 0.5), plain, inverseSquare, inside: insideShare(outcome), answered };
}

/** Path losses from a yard to a canyon of houses, and scans from the loudest to the whole air. */
const VARIANTS: [name: string, change: Partial<Draw>][] = [
  ['usual constants', {}],
  ['usual constants, any of those heard', { keep: 'any' }],
  ['few stations a scan', { heardMax: 10 }],
  ['a loud city', { referenceDbm: -30, exponent: 2.8, keep: 'any' }],
  ['a quiet city', { referenceDbm: -45, exponent: 2.8, keep: 'any' }],
  ['narrow streets', { referenceDbm: -38, exponent: 3.6, keep: 'any' }],
  ['receivers that differ by 6 dB', { receiverDb: 6, keep: 'any' }],
];

/**
 * Access points that are heard half a kilometre away: their list says so, as nobody would take them to belong together
 * otherwise.
 */
const FAR_REACHING: [name: string, change: Partial<Draw>] = [
  'a far-reaching and loud city',
  { referenceDbm: -30, exponent: 2.5, keep: 'any' },
];
const FAR_R95_METRES = 600;

function expectAccurate({ median, plain, inverseSquare, inside, answered }: Measured): void {
  expect(median).toBeLessThan(0.75 * plain);
  expect(median).toBeLessThan(0.75 * inverseSquare);
  expect(inside).toBeGreaterThan(0.4);
  expect(inside).toBeLessThan(0.6);
  expect(answered).toBeGreaterThan(0.98);
}

describe('a synthetic town', () => {
  const listed = syntheticTown(5, 6000);
  let world: World;
  beforeAll(async () => {
    world = await worldOf(listed);
  });
  afterAll(() => world.close());

  test.for(VARIANTS)(
    '%s: a quarter better than both centroids, and half of the truths within the radius',
    ([, change]) => {
      expectAccurate(measure(world, listed, { ...TOWN, points: 800, seed: 21, ...change }));
    },
  );

  test(`${FAR_REACHING[0]}: a quarter better than both centroids, and half of the truths within the radius`, async () => {
    const reaching = await worldOf(listed, FAR_R95_METRES);
    expectAccurate(measure(reaching, listed, { ...TOWN, points: 800, seed: 21, ...FAR_REACHING[1] }));
    await reaching.close();
  });

  test('stations that have moved do not widen the tail beyond that of the centroids', () => {
    const draw = { ...TOWN, points: 800, seed: 22, movedShare: 0.2 };
    const scans = drawScans(listed, draw);
    const plain = locateByCentroid(scans, () => 1);
    const { errors } = locateScans(world, scans);
    expect(quantile(errors, 0.5)).toBeLessThan(0.5 * quantile(plain, 0.5));
    expect(quantile(errors, 0.9)).toBeLessThan(0.8 * quantile(plain, 0.9));
  });
});

const missing = whyNoDarmstadt();
if (missing !== undefined) console.log(missing);

describe.skipIf(missing !== undefined)('Darmstadt', () => {
  let listed: ListedStation[];
  let world: World;
  beforeAll(async () => {
    listed = readDarmstadt();
    world = await worldOf(listed);
  });
  afterAll(() => world?.close());

  test.for([1, 2])(
    '2,000 hidden points, a tenth of the stations moved: a quarter better than both centroids (seed %i)',
    seed => {
      expectAccurate(measure(world, listed, { ...TOWN, seed }));
    },
  );

  test.for(VARIANTS.slice(1))('%s: a quarter better than both centroids', ([, change]) => {
    expectAccurate(measure(world, listed, { ...TOWN, points: 500, seed: 31, ...change }));
  });

  test(`${FAR_REACHING[0]}: a quarter better than both centroids`, async () => {
    const reaching = await worldOf(listed, FAR_R95_METRES);
    expectAccurate(measure(reaching, listed, { ...TOWN, points: 500, seed: 31, ...FAR_REACHING[1] }));
    await reaching.close();
  });
});
