import { describe, expect, test } from 'vitest';
import { moveToRing, ringOfTiming } from '../../../src/positioning/cells/ring.ts';
import { KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from '../../../src/radio/kind.ts';
import { stationAt } from '../../../src/tables/stations/station.ts';
import { metresTo, moved, type Position } from '../../kits/radio/ground.ts';
import { HeardWorld } from '../../kits/radio/heard_world.ts';

const MAST: Position = [49.87, 8.65];
const SITE = 4_711 * 256;

test.each([
  [KIND_GSM, 0, 277],
  [KIND_GSM, 63, 35_145],
  [KIND_LTE, 0, 39],
  [KIND_LTE, 1_282, 100_125],
  [KIND_NBIOT, 10, 820],
  [KIND_NR, 3_938_304, 300_299],
  [KIND_NR, 1_024, 117],
])('kind %d, timing advance %d is %d metres away', (kind, timing, metres) => {
  expect(ringOfTiming(kind, timing)?.metres).toBeCloseTo(metres, -1);
});

test('umts has no ring', () => {
  expect(ringOfTiming(KIND_WCDMA, 3)).toBeUndefined();
});

describe('on a ring', () => {
  const ring = { metres: 1_000, halfStepMetres: 39 };
  const site = { east: 0, north: 0, sigmaMetres: 50 };

  test('a narrow sector is placed in its direction, at the distance', () => {
    const placed = moveToRing({ east: 600, north: 800, r50Metres: 60 }, 2_000, ring, site);
    expect(placed?.east).toBeCloseTo(600, -1);
    expect(placed?.north).toBeCloseTo(800, -1);
    expect(placed?.r50Metres).toBeLessThan(150);
  });

  test('a cell around the mast stays there, as wide as the ring', () => {
    const placed = moveToRing({ east: 0, north: 0, r50Metres: 400 }, 900, ring, site);
    expect(placed).toMatchObject({ east: 0, north: 0 });
    expect(placed?.r50Metres).toBeCloseTo(835, -1);
  });

  test('a cell without a known site stays, and its radius is what the ring leaves from an antenna off its middle', () => {
    expect(moveToRing({ east: 5, north: 7, r50Metres: 300 }, 700, ring, undefined)).toEqual({
      east: 5,
      north: 7,
      r50Metres: 661,
    });
    expect(moveToRing({ east: 5, north: 7, r50Metres: 3_000 }, 7_000, ring, undefined)?.r50Metres).toBe(3_000);
  });

  test('a distance far beyond the coverage is rejected', () => {
    expect(moveToRing({ east: 300, north: 0, r50Metres: 100 }, 200, ring, site)).toBeUndefined();
  });
});

test('the timing advance moves a device along the direction of its sector', async () => {
  const world = await HeardWorld.open();
  const sectors = [moved(MAST, 0, 400), moved(MAST, 350, -200), moved(MAST, -350, -200)];
  for (const [s, place] of sectors.entries())
    await world.import(SITE + s, { ...stationAt(...place, 250, 900), samples: 30 });
  const far = world.locate([{ cell: SITE, level: -90, serving: true, timing: 12 }]);
  const near = world.locate([{ cell: SITE, level: -90, serving: true, timing: 1 }]);
  expect(metresTo(world.locate([{ cell: SITE, level: -90, serving: true }]), sectors[0])).toBeLessThan(1);
  expect(metresTo(far, MAST)).toBeGreaterThan(800);
  expect(metresTo(far, moved(MAST, 0, 900))).toBeLessThan(100);
  expect(metresTo(near, MAST)).toBeLessThan(120);
  expect(near?.accuracyMetres).toBeLessThan(far?.accuracyMetres ?? 0);
});

test('a site of two sectors, or of one that is elsewhere, has no position', async () => {
  const world = await HeardWorld.open();
  await world.import(SITE, { ...stationAt(...MAST, 250, 900), samples: 30 });
  await world.import(SITE + 1, { ...stationAt(...moved(MAST, 300, 0), 250, 900), samples: 30 });
  await world.import(SITE + 2, { ...stationAt(...moved(MAST, 90_000, 0), 250, 900), samples: 30 });
  const located = world.locate([{ cell: SITE, level: -90, serving: true, timing: 12 }]);
  expect(metresTo(located, MAST)).toBeLessThan(1);
  expect(located?.accuracyMetres).toBeGreaterThan(
    1.5 * (world.locate([{ cell: SITE, level: -90, serving: true }])?.accuracyMetres ?? 0),
  );
});
