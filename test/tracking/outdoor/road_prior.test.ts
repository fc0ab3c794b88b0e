import { describe, expect, test } from 'vitest';
import { alongRoads, type BesideRoads, roadReach } from '../../../src/tracking/outdoor/road_prior.ts';
import { normal, uniform } from '../../kits/random.ts';

const R50 = 1.1774;

function fix(sigmaMetres: number, eastSpeed = 0, northSpeed = 0, speedSigma = 8): BesideRoads {
  return { sigmaMetres, eastSpeed, northSpeed, speedSigma };
}

/** A straight road from north to south. */
function roadAt(eastMetres: number): number[] {
  return [eastMetres, -10_000, eastMetres, 10_000];
}

describe('one straight road', () => {
  // The likelihood of the fix, summed over a road across the reach, is a normal density across it; its length there is
  // a chord.
  test.each([0, 20, 50, 100, 140])('%d m away: the probability that the device is on it is that of Bayes', away => {
    const sigma = 50;
    const variance = sigma ** 2 + 8 ** 2;
    const reach = roadReach(sigma);
    const half = Math.sqrt(reach ** 2 - away ** 2);
    const across = Math.exp(-(away ** 2) / (2 * variance)) / Math.sqrt(2 * Math.PI * variance);
    const along = 1 - 2 * upperTail(half / Math.sqrt(variance));
    const onRoad = (0.85 * Math.PI * reach ** 2 * across * along) / (2 * half);
    const share = onRoad / (onRoad + 0.15);
    const { eastMetres, northMetres } = alongRoads(fix(sigma), roadAt(away))!;
    const expected = (share * away * sigma ** 2) / variance;
    expect(Math.abs(eastMetres - expected)).toBeLessThanOrEqual(0.01 * expected + 1e-6);
    expect(northMetres).toBeCloseTo(0, 6);
  });

  test('on it, the radius is that along a line and a little more', () => {
    const { r50Metres } = alongRoads(fix(50), roadAt(0))!;
    expect(r50Metres).toBeGreaterThan(0.6745 * 50);
    expect(r50Metres).toBeLessThan(0.8 * R50 * 50);
  });

  test('a fix that is far better than the road is wide stays', () => {
    const { eastMetres, r50Metres } = alongRoads(fix(2), roadAt(5))!;
    expect(eastMetres).toBeLessThan(0.4);
    expect(r50Metres).toBeLessThan(3.5);
  });

  test('beyond the reach there is none', () => {
    expect(alongRoads(fix(50), roadAt(roadReach(50) + 1))).toBeUndefined();
    expect(alongRoads(fix(50), [])).toBeUndefined();
    expect(alongRoads(fix(50), [0, 0, 0, 0])).toBeUndefined();
  });
});

test('between two roads that are equally near it stays in the middle', () => {
  const { eastMetres, northMetres } = alongRoads(fix(40), [...roadAt(-60), ...roadAt(60)])!;
  expect([eastMetres, northMetres]).toEqual([expect.closeTo(0, 6), expect.closeTo(0, 6)]);
});

test('a road that one drives across counts less than one along the way', () => {
  const crossing = [...roadAt(30), -10_000, 30, 10_000, 30];
  const { eastMetres, northMetres } = alongRoads(fix(40, 0, 15, 2), crossing)!;
  expect(eastMetres).toBeGreaterThan(10);
  expect(northMetres).toBeLessThan(2);
});

test('at a speed that no road explains the roads say nothing, and never what is no number', () => {
  const roads = [...roadAt(10), -1_000, 5, 1_000, 400];
  for (const speed of [0, 40, 300, 2_000, 1e6]) {
    for (const speedSigma of [0, 1.5, 1e6]) {
      const along = alongRoads(fix(40, speed, speed / 3, speedSigma), roads);
      if (along !== undefined) expect(Object.values(along).every(Number.isFinite), `${speed} ${speedSigma}`).toBe(true);
    }
  }
  expect(alongRoads(fix(0), roadAt(1))).toEqual({
    eastMetres: expect.closeTo(0, 9),
    northMetres: expect.closeTo(0, 9),
    r50Metres: expect.closeTo(0, 1),
  });
});

test('roads of a country are told apart from none by as much as fixes of 300 m tell', () => {
  expect(roadReach(300)).toBeGreaterThan(900);
  expect(roadReach(300.1)).toBe(0);
});

/**
 * Places along the streets of a drawn town, 25 x 25 blocks with sides of 60 to 180 m, and some beside them; each with a
 * fix that errs by a normal distribution.
 */
function drawTown(seed: number, count: number, sigma: number, offRoads: number) {
  const random = uniform(seed);
  const noise = normal(random);
  const lines = (): number[] => {
    const at = [-1_500];
    for (let i = 0; i < 24; i++) at.push(at[i] + 60 + 120 * random());
    return at;
  };
  const [easts, norths] = [lines(), lines()];
  const roads = [
    ...easts.flatMap(east => [east, -1_500, east, 1_500]),
    ...norths.flatMap(north => [-1_500, north, 1_500, north]),
  ];
  return Array.from({ length: count }, () => {
    const isOff = random() < offRoads;
    const isAlongEast = random() < 0.5;
    const pick = (of: number[]) => of[Math.floor(random() * of.length)];
    const [anyEast, anyNorth] = [1_000 * (2 * random() - 1), 1_000 * (2 * random() - 1)];
    const east = isOff || isAlongEast ? anyEast : pick(easts) + 4 * noise();
    const north = isOff || !isAlongEast ? anyNorth : pick(norths) + 4 * noise();
    const [seenEast, seenNorth] = [east + sigma * noise(), north + sigma * noise()];
    const pieces = roads.map((metres, i) => metres - (i % 2 === 0 ? seenEast : seenNorth));
    return { truth: { east: east - seenEast, north: north - seenNorth }, pieces };
  });
}

test.each([15, 30, 60])('in a drawn town fixes of %d m become better, and half of the truths are inside', sigma => {
  const places = drawTown(7, 4_000, sigma, 0.15);
  let before = 0;
  let after = 0;
  let inside = 0;
  for (const { truth, pieces } of places) {
    const along = alongRoads(fix(sigma), pieces);
    const error = Math.hypot(truth.east - (along?.eastMetres ?? 0), truth.north - (along?.northMetres ?? 0));
    before += Math.hypot(truth.east, truth.north);
    after += error;
    if (error <= (along?.r50Metres ?? R50 * sigma)) inside++;
  }
  console.log(
    `Fixes of ${sigma} m: mean ${(before / 4_000).toFixed(1)} m, by the streets ${(after / 4_000).toFixed(1)} ` +
      `m, ${(inside / 40).toFixed(1)} % inside.`,
  );
  expect(after).toBeLessThan(before);
  expect(inside / 4_000).toBeGreaterThan(0.45);
  expect(inside / 4_000).toBeLessThan(0.55);
});

test('who is beside the streets loses little by them', () => {
  let before = 0;
  let after = 0;
  for (const { truth, pieces } of drawTown(8, 4_000, 30, 1)) {
    const along = alongRoads(fix(30), pieces);
    before += Math.hypot(truth.east, truth.north);
    after += Math.hypot(truth.east - (along?.eastMetres ?? 0), truth.north - (along?.northMetres ?? 0));
  }
  expect(after).toBeLessThan(1.1 * before);
});

/** Probability of a normal distribution beyond so many standard deviations, by its integral. */
function upperTail(from: number): number {
  let sum = 0;
  for (let x = from + 0.0005; x < from + 10; x += 0.001) sum += 0.001 * Math.exp((-x * x) / 2);
  return sum / Math.sqrt(2 * Math.PI);
}
