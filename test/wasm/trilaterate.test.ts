import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../../lab/evaluation/quantile.ts';
import {
  MAX_SOLVE,
  SIGNAL_ABSENT,
  STATUS_DEGENERATE,
  STATUS_NOT_CONVERGED,
  STATUS_NOT_FINITE,
  STATUS_OK,
  STATUS_TOO_FEW,
  STATUS_TOO_MANY,
} from '../../wasm/memory.ts';
import { normal, uniform } from '../kits/random.ts';
import { createSolverCore } from '../kits/solver_core.ts';

interface Station {
  east: number;
  north: number;
  levelDbm: number;
  referenceDbm: number;
  exponent: number;
  sigmaDb: number;
  sigmaMetres: number;
  weight: number;
}

const core = createSolverCore();
const USABLE = [STATUS_OK, STATUS_NOT_CONVERGED];

function station(east: number, north: number, levelDbm: number, changes: Partial<Station> = {}): Station {
  return { east, north, levelDbm, referenceDbm: -40, exponent: 3, sigmaDb: 5, sigmaMetres: 0, weight: 1, ...changes };
}

function put(stations: Station[]): void {
  stations.forEach((s, i) => {
    core.stationEast[i] = s.east;
    core.stationNorth[i] = s.north;
    core.stationLevelDbm[i] = s.levelDbm;
    core.stationReferenceDbm[i] = s.referenceDbm;
    core.stationExponent[i] = s.exponent;
    core.stationSigmaDb[i] = s.sigmaDb;
    core.stationSigmaMetres[i] = s.sigmaMetres;
    core.stationWeight[i] = s.weight;
  });
}

function solve(stations: Station[], reach = Infinity): number {
  put(stations);
  return core.trilaterate(stations.length, NaN, NaN, 0, 0, 0, reach);
}

/** The level that the model expects at a distance from a station with a known position. */
function levelOf(metres: number): number {
  return -40 - 15 * Math.log10(metres * metres + 1);
}

/** Minus log posterior as wasm/posterior.ts states it, without the prior; `core.cost` is this at the answer. */
function costAt(stations: Station[], east: number, north: number, reach: number): number {
  let cost = 0;
  let [sum, x, y, total, spread] = [0, 0, 0, 0, 0];
  for (const s of stations) {
    const measured = s.levelDbm > -200;
    const k = (10 * s.exponent) / Math.LN10;
    const offset = (measured ? s.levelDbm : -80) - s.referenceDbm;
    const ranged2 = 10 ** ((-2 * offset) / (10 * s.exponent));
    const s2 = s.sigmaMetres ** 2;
    const d2 = (east - s.east) ** 2 + (north - s.north) ** 2;
    const variance = s.sigmaDb ** 2 + (k ** 2 * s2) / (ranged2 + 2.43 * s2 + 1);
    const residual = offset + 10 * s.exponent * Math.log10(Math.sqrt(d2 + s2 + 1));
    const near2 = s2 + 1 + (measured ? reach ** 2 * ranged2 : ranged2);
    cost += s.weight * 2 * Math.log(1 + ((measured ? residual ** 2 / variance : 0) + d2 / near2) / 4);
    const centring = s.weight / (ranged2 + s2 + 1);
    sum += centring;
    x += centring * s.east;
    y += centring * s.north;
    total += s.weight;
    spread += s.weight * (ranged2 + s2 + 1);
  }
  return cost + (0.5 * total * ((east - x / sum) ** 2 + (north - y / sum) ** 2)) / (4 * spread);
}

/** Uniform and normal numbers from a seed. */
function seeded(seed: number): { uniform(): number; normal(): number } {
  const random = uniform(seed);
  return { uniform: random, normal: normal(random) };
}

test('four stations around the device place it between them', () => {
  //  b . . c
  //  . x . .      x at (30, 60)
  //  a . . d
  const corners = [
    [0, 0],
    [0, 100],
    [100, 100],
    [100, 0],
  ];
  const stations = corners.map(([east, north]) => station(east, north, levelOf(Math.hypot(east - 30, north - 60))));
  expect(solve(stations)).toBe(STATUS_OK);
  expect(Math.hypot(core.east - 30, core.north - 60)).toBeLessThan(1);
  expect(core.residualScale).toBe(1);
  for (let i = 0; i < 4; i++) expect(core.stationRobustWeight[i]).toBeGreaterThan(0.99);
});

test('the answer is the minimum of the cost, found by searching a grid', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seeded(seed);
    const count = 4 + Math.floor(12 * random.uniform());
    const stations = Array.from({ length: count }, () => {
      const [east, north] = [120 * random.uniform() - 60, 120 * random.uniform() - 60];
      const level = levelOf(Math.hypot(east - 10, north + 5)) + 5 * random.normal();
      return station(east, north, random.uniform() < 0.1 ? NaN : Math.round(level), {
        sigmaMetres: 20 * random.uniform(),
        weight: 0.5 + random.uniform(),
      });
    });
    const reach = seed % 3 === 0 ? Infinity : 2;
    expect(USABLE).toContain(solve(stations, reach));
    expect(costAt(stations, core.east, core.north, reach)).toBeCloseTo(core.cost, 6);
    let lowest = Infinity;
    for (let east = -80; east <= 80; east += 2) {
      for (let north = -80; north <= 80; north += 2) lowest = Math.min(lowest, costAt(stations, east, north, reach));
    }
    // A second minimum may be a little lower, but not by an amount that matters.
    expect(core.cost).toBeLessThan(lowest + (reach === 2 ? 0.25 : 1.5));
  }
});

test('the covariance is the inverse of the curvature where the stations agree', () => {
  const stations = Array.from({ length: 12 }, (_, i) => {
    const [east, north] = [50 * Math.cos(i * 0.5236), 30 * Math.sin(i * 0.5236)];
    return station(east, north, levelOf(Math.hypot(east - 3, north - 4)), { sigmaMetres: 0 });
  });
  expect(solve(stations)).toBe(STATUS_OK);
  const [x, y, h] = [core.east, core.north, 0.05];
  const at = (dx: number, dy: number) => costAt(stations, x + dx * h, y + dy * h, Infinity);
  const xx = (at(1, 0) - 2 * at(0, 0) + at(-1, 0)) / (h * h);
  const yy = (at(0, 1) - 2 * at(0, 0) + at(0, -1)) / (h * h);
  const xy = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h * h);
  const determinant = xx * yy - xy * xy;
  expect(core.varianceEast / (yy / determinant)).toBeCloseTo(1, 1);
  expect(core.varianceNorth / (xx / determinant)).toBeCloseTo(1, 1);
});

/** Errors over many seeded scenes with some stations moved by 300 m. */
function errorsOf(movedShare: number): { median: number; p90: number; centroid: number } {
  const random = seeded(7);
  const errors: number[] = [];
  const centroidErrors: number[] = [];
  for (let scene = 0; scene < 800; scene++) {
    let [sum, x, y] = [0, 0, 0];
    const stations = Array.from({ length: 10 }, (_, i) => {
      const [east, north] = [100 * random.uniform() - 50, 100 * random.uniform() - 50];
      const level = Math.round(levelOf(Math.hypot(east, north)) + 5 * random.normal());
      const angle = 2 * Math.PI * random.uniform();
      const moved = i < 10 * movedShare ? 300 : 0;
      const s = station(
        east + 10 * random.normal() + moved * Math.cos(angle),
        north + 10 * random.normal() + moved * Math.sin(angle),
        level,
        { sigmaMetres: 10 },
      );
      const power = 10 ** (level / 20);
      sum += power;
      x += power * s.east;
      y += power * s.north;
      return s;
    });
    expect(USABLE).toContain(solve(stations, 2));
    errors.push(Math.hypot(core.east, core.north));
    centroidErrors.push(Math.hypot(x / sum, y / sum));
  }
  return { median: quantile(errors, 0.5), p90: quantile(errors, 0.9), centroid: quantile(centroidErrors, 0.5) };
}

test('a tenth of the stations moved by 300 m does no harm', () => {
  const clean = errorsOf(0);
  const moved = errorsOf(0.1);
  expect(clean.median).toBeLessThan(clean.centroid);
  expect(moved.median).toBeLessThan(1.12 * clean.median);
  expect(moved.p90).toBeLessThan(1.2 * clean.p90);
  expect(moved.centroid).toBeGreaterThan(1.6 * clean.centroid);
});

test('a moved station has a small robust weight', () => {
  const stations = Array.from({ length: 10 }, (_, i) => station(40 * Math.cos(i), 40 * Math.sin(i), levelOf(40)));
  stations.push(station(400, 0, levelOf(20)));
  expect(solve(stations, 2)).toBe(STATUS_OK);
  for (let i = 0; i < 10; i++) expect(core.stationRobustWeight[i]).toBeGreaterThan(0.5);
  expect(core.stationRobustWeight[10]).toBeLessThan(0.2);
});

test('a nearby station with an uncertain position gives way to certain ones', () => {
  const certain = [
    station(-50, 0, levelOf(50)),
    station(50, 0, levelOf(50)),
    station(0, 50, levelOf(50)),
    station(0, -50, levelOf(50)),
  ];
  solve([...certain, station(60, 60, levelOf(10), { sigmaMetres: 0 })]);
  const drawn = Math.hypot(core.east, core.north);
  solve([...certain, station(60, 60, levelOf(10), { sigmaMetres: 60 })]);
  expect(Math.hypot(core.east, core.north)).toBeLessThan(drawn);
});

test('a single station places the device at its position, with the ring of its level as uncertainty', () => {
  expect(solve([station(12, -7, -90, { sigmaDb: 6, sigmaMetres: 10 }), station(50, 50, -50, { weight: 0 })])).toBe(
    STATUS_OK,
  );
  expect(core.east).toBeCloseTo(12, 9);
  expect(core.north).toBeCloseTo(-7, 9);
  expect(core.covariance).toBe(0);
  expect(core.varianceEast).toBe(core.varianceNorth);
  // Drawn: distance 10^((50 + 6 g) / 30), any direction, and the station's own 10 m along each axis.
  const random = seeded(17);
  let squares = 0;
  const draws = 200_000;
  for (let i = 0; i < draws; i++) {
    const metres = 10 ** ((50 + 6 * random.normal()) / 30);
    squares += (metres * Math.cos(2 * Math.PI * random.uniform()) + 10 * random.normal()) ** 2;
  }
  expect(Math.sqrt(core.varianceEast / (squares / draws))).toBeCloseTo(1, 1);
});

test('stations without levels place the device at their centre', () => {
  expect(solve([station(0, 0, NaN), station(30, 0, SIGNAL_ABSENT), station(15, 20, NaN)])).toBe(STATUS_OK);
  expect(core.east).toBeCloseTo(15, 3);
  expect(core.north).toBeCloseTo(20 / 3, 0);
});

test('a tight prior wins over the stations, a loose one does not', () => {
  const stations = [station(-50, 0, levelOf(50)), station(50, 0, levelOf(50)), station(0, 50, levelOf(50))];
  put(stations);
  expect(core.trilaterate(3, NaN, NaN, 40, 40, 0.1, 2)).toBe(STATUS_OK);
  expect(Math.hypot(core.east - 40, core.north - 40)).toBeLessThan(0.1);
  expect(core.trilaterate(3, NaN, NaN, 40, 40, 1e5, 2)).toBe(STATUS_OK);
  expect(Math.hypot(core.east, core.north)).toBeLessThan(8);
});

test('a given start decides between two mirror images', () => {
  // On a line both sides explain the levels equally well.
  const stations = [-60, -20, 20, 60].map(east => station(east, 0, levelOf(Math.hypot(east, 30))));
  put(stations);
  expect(core.trilaterate(4, 0, 25, 0, 0, 0, Infinity)).toBe(STATUS_OK);
  expect(core.north).toBeGreaterThan(20);
  expect(core.trilaterate(4, 0, -25, 0, 0, 0, Infinity)).toBe(STATUS_OK);
  expect(core.north).toBeLessThan(-20);
});

test('the order of the stations and an extra one of no weight change nothing', () => {
  const random = seeded(11);
  const stations = Array.from({ length: 9 }, () =>
    station(100 * random.uniform(), 100 * random.uniform(), -60 - 30 * random.uniform()),
  );
  solve(stations, 2);
  const [east, north] = [core.east, core.north];
  solve([...stations].reverse(), 2);
  expect(core.east).toBeCloseTo(east, 3);
  expect(core.north).toBeCloseTo(north, 3);
  solve([...stations, station(900, 900, -30, { weight: 0 })], 2);
  expect(core.east).toBeCloseTo(east, 9);
  expect(core.stationRobustWeight[9]).toBe(0);
});

test('512 stations are solved and 513 refused', () => {
  const random = seeded(13);
  const stations = Array.from({ length: MAX_SOLVE }, () => {
    const [east, north] = [200 * random.uniform() - 100, 200 * random.uniform() - 100];
    return station(east, north, levelOf(Math.hypot(east, north)) + 5 * random.normal());
  });
  expect(solve(stations, 2)).toBe(STATUS_OK);
  expect(Math.hypot(core.east, core.north)).toBeLessThan(3);
  expect(core.trilaterate(MAX_SOLVE + 1, NaN, NaN, 0, 0, 0, 2)).toBe(STATUS_TOO_MANY);
});

test('none, no weight, and values that are no numbers are told apart', () => {
  expect(core.trilaterate(0, NaN, NaN, 0, 0, 0, 2)).toBe(STATUS_TOO_FEW);
  expect(solve([station(0, 0, -60, { weight: 0 }), station(9, 0, -60, { weight: 0 })])).toBe(STATUS_DEGENERATE);
  const fine = station(0, 0, -60);
  for (const field of Object.keys(fine) as (keyof Station)[]) {
    expect(solve([fine, { ...fine, [field]: Infinity }]), field).toBe(STATUS_NOT_FINITE);
    if (field !== 'levelDbm') expect(solve([fine, { ...fine, [field]: NaN }]), field).toBe(STATUS_NOT_FINITE);
  }
  for (const changes of [{ exponent: 0 }, { sigmaDb: 0 }, { sigmaMetres: -1 }, { weight: -1 }]) {
    expect(solve([{ ...fine, ...changes }])).toBe(STATUS_NOT_FINITE);
  }
  put([fine]);
  for (const reach of [0, -1, NaN]) expect(core.trilaterate(1, NaN, NaN, 0, 0, 0, reach)).toBe(STATUS_NOT_FINITE);
  for (const sigma of [NaN, -1]) expect(core.trilaterate(1, NaN, NaN, 0, 0, sigma, 2)).toBe(STATUS_NOT_FINITE);
  expect(core.trilaterate(1, NaN, NaN, NaN, 0, 5, 2)).toBe(STATUS_NOT_FINITE);
});

test('whatever the stations say, an answer is finite and its covariance positive definite', () => {
  const anyStation = fc.record({
    east: fc.oneof(fc.constantFrom(0, 1e8, -1e8), fc.double({ min: -1e3, max: 1e3, noNaN: true })),
    north: fc.oneof(fc.constantFrom(0, 1e8), fc.double({ min: -1e3, max: 1e3, noNaN: true })),
    levelDbm: fc.oneof(fc.constantFrom(NaN, SIGNAL_ABSENT, 1000, -199), fc.integer({ min: -140, max: -20 })),
    referenceDbm: fc.integer({ min: -1000, max: 1000 }),
    exponent: fc.double({ min: 0.03, max: 100, noNaN: true }),
    sigmaDb: fc.double({ min: 0.02, max: 1000, noNaN: true }),
    sigmaMetres: fc.oneof(fc.constantFrom(0, 1e8), fc.double({ min: 0, max: 1e3, noNaN: true })),
    weight: fc.oneof(fc.constantFrom(0, 1e6, 5e-324), fc.double({ min: 0, max: 10, noNaN: true })),
  });
  const reach = fc.constantFrom(Infinity, 1e-3, 2, 1e200);
  fc.assert(
    fc.property(fc.array(anyStation, { minLength: 1, maxLength: 12 }), reach, (stations, reachValue) => {
      const status = solve(stations, reachValue);
      expect([STATUS_OK, STATUS_NOT_CONVERGED, STATUS_DEGENERATE]).toContain(status);
      if (status === STATUS_DEGENERATE) return;
      for (const value of [core.east, core.north, core.cost, core.residualScale]) expect(value).not.toBeNaN();
      expect(core.varianceEast).toBeGreaterThan(0);
      expect(core.varianceNorth).toBeGreaterThan(0);
      expect(core.covariance ** 2).toBeLessThanOrEqual(core.varianceEast * core.varianceNorth);
    }),
    { seed: 3, numRuns: 3000 },
  );
});
