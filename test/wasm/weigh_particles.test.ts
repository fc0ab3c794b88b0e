import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PlainParticles } from '../../bench/micro/plain_particles.ts';
import { PlainStations } from '../../bench/micro/plain_trilaterate.ts';
import { createCore } from '../../src/core/core.ts';
import {
  MAX_PARTICLES,
  MAX_SCAN,
  STATUS_DEGENERATE,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../wasm/memory.ts';
import { uniform } from '../kits/random.ts';

const core = createCore();

function putStation(i: number, east: number, north: number, levelDbm: number, sigmaMetres = 2): void {
  core.scanEast[i] = east;
  core.scanNorth[i] = north;
  core.scanLevelDbm[i] = levelDbm;
  core.scanReferenceDbm[i] = -40;
  core.scanExponent[i] = 3;
  core.scanSigmaDb[i] = 5;
  core.scanSigmaMetres[i] = sigmaMetres;
}

function levelOf(metres: number): number {
  return -40 - 30 * Math.log10(Math.max(metres, 1));
}

/** The scan's stations around (10, 5), in both worlds. */
function putScene(stations: number, seed: number): PlainStations {
  const random = uniform(seed);
  const plain = new PlainStations();
  for (let i = 0; i < stations; i++) {
    const [east, north] = [80 * random() - 40, 80 * random() - 40];
    putStation(i, east, north, Math.round(levelOf(Math.hypot(east - 10, north - 5)) + 10 * random() - 5), 4 * random());
    plain.east[i] = core.scanEast[i];
    plain.north[i] = core.scanNorth[i];
    plain.levelDbm[i] = core.scanLevelDbm[i];
    plain.referenceDbm[i] = -40;
    plain.exponent[i] = 3;
    plain.sigmaDb[i] = 5;
    plain.sigmaMetres[i] = core.scanSigmaMetres[i];
  }
  return plain;
}

function copyParticles(): PlainParticles {
  const plain = new PlainParticles();
  plain.east.set(core.particleEast);
  plain.north.set(core.particleNorth);
  plain.bias.set(core.particleBias);
  plain.weight.set(core.particleWeight);
  return plain;
}

test('the particle that explains the levels gets the weight', () => {
  core.seedParticles(3, 1, 0, 0, 0, 0);
  core.particleEast.set([0, 30, 60]);
  putStation(0, 30, 10, levelOf(10), 0);
  putStation(1, 40, 0, levelOf(10), 0);
  expect(core.weighParticles(3, 2, 0, 0, 0, 1, 1, 0)).toBe(STATUS_OK);
  expect(core.particleWeight[1]).toBeGreaterThan(0.9);
  expect(core.resampled).toBe(false);
  expect(Math.abs(core.east - 30)).toBeLessThan(6);
});

test('weights, mean and effective number are those of plain JavaScript', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 400 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 1e6 }),
      (count, stations, seed) => {
        const scene = putScene(stations, seed);
        core.seedParticles(count, seed, 10, 5, 15, 0.2);
        const plain = copyParticles();
        expect(core.weighParticles(count, stations, 0, 0, 0, seed, 1, 0)).toBe(STATUS_OK);
        plain.weigh(scene, count, stations, seed, 1, 0);
        for (let i = 0; i < count; i++)
          expect(Math.abs(core.particleWeight[i] - plain.weight[i])).toBeLessThan(2e-4 * plain.weight[i] + 1e-7);
        expect(core.east).toBeCloseTo(plain.meanEast, 2);
        expect(core.north).toBeCloseTo(plain.meanNorth, 2);
        expect(core.effectiveParticles / plain.effective).toBeCloseTo(1, 3);
      },
    ),
    { seed: 1, numRuns: 100 },
  );
});

test('resampled particles are those of plain JavaScript, over several steps', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const count = 37 * seed;
    const scene = putScene(6, seed);
    core.seedParticles(count, seed, 10, 5, 20, 0.2);
    const plain = copyParticles();
    for (let step = 1; step <= 4; step++) {
      expect(core.moveParticles(count, seed, step, 1, 0.3, 0.1, 0.15, 0.02, 0.1)).toBe(STATUS_OK);
      plain.move(count, seed, step, 1, 0.3, 0.1, 0.15, 0.02, 0.1);
      expect(core.weighParticles(count, 6, 0, 0, 0, seed, step, 2)).toBe(STATUS_OK);
      plain.weigh(scene, count, 6, seed, step, 2);
      expect(core.resampled).toBe(true);
      let others = 0;
      for (let i = 0; i < count; i++)
        if (Math.hypot(core.particleEast[i] - plain.east[i], core.particleNorth[i] - plain.north[i]) > 1e-3) others++;
      // A mark may just miss a particle's share, because the sums have single precision.
      expect(others, `seed ${seed}, step ${step}`).toBeLessThanOrEqual(Math.ceil(0.01 * count));
      plain.east.set(core.particleEast);
      plain.north.set(core.particleNorth);
      plain.bias.set(core.particleBias);
      plain.weight.set(core.particleWeight);
    }
  }
});

test('mean and covariance are those of the weighted particles', () => {
  putScene(8, 5);
  core.seedParticles(1000, 3, 10, 5, 12, 0);
  expect(core.weighParticles(1000, 8, 12, 6, 8, 1, 1, 0)).toBe(STATUS_OK);
  let [x, y, xx, xy, yy, total] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < 1000; i++) {
    const w = core.particleWeight[i];
    total += w;
    x += w * core.particleEast[i];
    y += w * core.particleNorth[i];
  }
  for (let i = 0; i < 1000; i++) {
    const w = core.particleWeight[i];
    xx += w * (core.particleEast[i] - x) ** 2;
    xy += w * (core.particleEast[i] - x) * (core.particleNorth[i] - y);
    yy += w * (core.particleNorth[i] - y) ** 2;
  }
  expect(total).toBeCloseTo(1, 5);
  expect(core.east).toBeCloseTo(x, 3);
  expect(core.north).toBeCloseTo(y, 3);
  expect(core.varianceEast).toBeCloseTo(xx, 2);
  expect(core.covariance).toBeCloseTo(xy, 2);
  expect(core.varianceNorth).toBeCloseTo(yy, 2);
});

test('systematic resampling draws each particle in proportion to its weight, to within one', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const count = 50 + 17 * seed;
    putScene(6, seed);
    core.seedParticles(count, seed, 10, 5, 20, 0.2);
    const positionOf = (i: number) => `${core.particleEast[i]} ${core.particleNorth[i]} ${core.particleBias[i]}`;
    const before = Array.from({ length: count }, (_, i) => positionOf(i));
    core.weighParticles(count, 6, 0, 0, 0, seed, 1, 0);
    const weights = Array.from(core.particleWeight.subarray(0, count));
    // The same again, now with resampling forced: the weights are equal before it.
    core.seedParticles(count, seed, 10, 5, 20, 0.2);
    expect(core.weighParticles(count, 6, 0, 0, 0, seed, 1, 2)).toBe(STATUS_OK);
    expect(core.resampled).toBe(true);
    const copies = new Map<string, number>();
    for (let i = 0; i < count; i++) copies.set(positionOf(i), (copies.get(positionOf(i)) ?? 0) + 1);
    for (let i = 0; i < count; i++) {
      const expected = count * weights[i];
      const found = copies.get(before[i]) ?? 0;
      expect(found).toBeGreaterThanOrEqual(Math.floor(expected - 0.01));
      expect(found).toBeLessThanOrEqual(Math.ceil(expected + 0.01));
      expect(core.particleWeight[i]).toBeCloseTo(1 / count, 6);
    }
  }
});

test('it resamples when fewer are effective than asked for, and not otherwise', () => {
  putScene(8, 3);
  for (const below of [0, 0.5, 1.01]) {
    core.seedParticles(500, 3, 10, 5, 20, 0);
    core.weighParticles(500, 8, 0, 0, 0, 1, 1, below);
    expect(core.resampled).toBe(core.effectiveParticles < below * 500);
  }
  expect(core.effectiveParticles).toBeLessThan(250);
});

test('steps and levels together bring the cloud to a walking device', () => {
  core.seedParticles(1000, 1, 0, 0, 30, 0.5);
  const corners = [
    [-40, -40],
    [40, -40],
    [-40, 40],
    [40, 40],
    [0, 0],
    [20, -20],
  ];
  let [x, y] = [-20, -20];
  for (let step = 1; step <= 30; step++) {
    x += Math.sin(0.8);
    y += Math.cos(0.8);
    // The device's compass is off by 0.3: it says 0.5.
    core.moveParticles(1000, 1, step, 1, 0.5, 0.1, 0.1, 0.02, 0.1);
    corners.forEach(([east, north], i) => {
      putStation(i, east, north, levelOf(Math.hypot(east - x, north - y)));
    });
    expect(core.weighParticles(1000, corners.length, 0, 0, 0, 1, step, 0.5)).toBe(STATUS_OK);
  }
  expect(Math.hypot(core.east - x, core.north - y)).toBeLessThan(3);
  const bias = core.particleBias.subarray(0, 1000).reduce((sum, b, i) => sum + b * core.particleWeight[i], 0);
  expect(Math.abs(bias - 0.3)).toBeLessThan(0.25);
});

test('a fix alone draws the cloud, and no single station can', () => {
  core.seedParticles(2000, 1, 0, 0, 20, 0);
  expect(core.weighParticles(2000, 0, 15, 0, 5, 1, 1, 0)).toBe(STATUS_OK);
  expect(core.east).toBeGreaterThan(10);
  // Ten stations agree on the origin, one claims to be near (60, 0).
  core.seedParticles(2000, 1, 0, 0, 20, 0);
  for (let i = 0; i < 10; i++) putStation(i, 30 * Math.cos(i), 30 * Math.sin(i), levelOf(30));
  putStation(10, 60, 0, levelOf(2));
  expect(core.weighParticles(2000, 11, 0, 0, 0, 1, 1, 0)).toBe(STATUS_OK);
  expect(Math.hypot(core.east, core.north)).toBeLessThan(4);
});

test('without a scan and a fix the weights stay', () => {
  core.seedParticles(10, 1, 0, 0, 5, 0);
  expect(core.weighParticles(10, 0, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_OK);
  expect(core.particleWeight[9]).toBeCloseTo(0.1, 6);
  expect(core.effectiveParticles).toBeCloseTo(10, 4);
});

test('particles beyond the count take no part', () => {
  putScene(4, 9);
  for (const count of [1, 2, 3, 5]) {
    core.seedParticles(count, 4, 10, 5, 5, 0);
    core.particleEast.fill(1e9, count, 8);
    core.particleWeight.fill(1, count, 8);
    expect(core.weighParticles(count, 4, 0, 0, 0, 1, 1, 0)).toBe(STATUS_OK);
    expect(Math.abs(core.east - 10)).toBeLessThan(30);
    expect(core.particleWeight.subarray(0, count).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 5);
  }
});

test('none, too many, no weight, and values that are no numbers are told apart', () => {
  putScene(2, 1);
  core.seedParticles(8, 1, 0, 0, 5, 0);
  expect(core.weighParticles(0, 2, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_TOO_FEW);
  expect(core.weighParticles(8, -1, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_TOO_FEW);
  expect(core.weighParticles(MAX_PARTICLES + 1, 2, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_TOO_MANY);
  expect(core.weighParticles(8, MAX_SCAN + 1, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_TOO_MANY);
  expect(core.weighParticles(8, 2, NaN, 0, 5, 1, 1, 0.5)).toBe(STATUS_NOT_FINITE);
  expect(core.weighParticles(8, 2, 0, 0, NaN, 1, 1, 0.5)).toBe(STATUS_NOT_FINITE);
  core.particleWeight.fill(0, 0, 8);
  expect(core.weighParticles(8, 2, 0, 0, 0, 1, 1, 0.5)).toBe(STATUS_DEGENERATE);
  for (const field of [
    'scanEast',
    'scanNorth',
    'scanLevelDbm',
    'scanReferenceDbm',
    'scanExponent',
    'scanSigmaDb',
    'scanSigmaMetres',
  ] as const) {
    putScene(2, 1);
    core.seedParticles(8, 1, 0, 0, 5, 0);
    core[field][1] = NaN;
    expect(core.weighParticles(8, 2, 0, 0, 0, 1, 1, 0.5), field).toBe(STATUS_NOT_FINITE);
  }
  putScene(2, 1);
  for (const field of ['particleEast', 'particleNorth', 'particleWeight'] as const) {
    core.seedParticles(8, 1, 0, 0, 5, 0);
    core[field][3] = NaN;
    expect(core.weighParticles(8, 2, 0, 0, 0, 1, 1, 0.5), field).toBe(STATUS_NOT_FINITE);
    expect(core.particleWeight[0]).toBe(0.125);
  }
});
