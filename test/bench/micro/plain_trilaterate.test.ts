// The twin in plain JavaScript is what the published ratio divides by, so it must do the same work as the compiled
// kernel: as many steps, to the same end.

import { expect, test } from 'vitest';
import { PlainStations, PlainTrilateration } from '../../../bench/micro/plain_trilaterate.ts';
import { STATUS_NOT_CONVERGED, STATUS_OK } from '../../../wasm/memory.ts';
import { uniform } from '../../kits/random.ts';
import { createSolverCore } from '../../kits/solver_core.ts';

const CASES = 2_000;
const core = createSolverCore();

/** Stations around a device, some moved far away, some without a level, some without weight. */
function drawStations(count: number, random: () => number): PlainStations {
  const stations = new PlainStations();
  for (let i = 0; i < count; i++) {
    const isMoved = random() < 0.1;
    stations.east[i] = 200 * (random() - 0.5) + (isMoved ? 500 : 0);
    stations.north[i] = 200 * (random() - 0.5);
    const metres = Math.max(Math.hypot(stations.east[i] - (isMoved ? 500 : 0) - 5, stations.north[i] + 8), 1);
    stations.levelDbm[i] = random() < 0.05 ? Number.NaN : -35 - 27 * Math.log10(metres) + 14 * (random() - 0.5);
    stations.referenceDbm[i] = -35 + 6 * (random() - 0.5);
    stations.exponent[i] = 2 + 2 * random();
    stations.sigmaDb[i] = 4 + 5 * random();
    stations.sigmaMetres[i] = 30 * random();
    stations.weight[i] = i > 1 && random() < 0.05 ? 0 : 0.2 + random();
  }
  return stations;
}

function put(stations: PlainStations, count: number): void {
  core.stationEast.set(stations.east.subarray(0, count));
  core.stationNorth.set(stations.north.subarray(0, count));
  core.stationLevelDbm.set(stations.levelDbm.subarray(0, count));
  core.stationReferenceDbm.set(stations.referenceDbm.subarray(0, count));
  core.stationExponent.set(stations.exponent.subarray(0, count));
  core.stationSigmaDb.set(stations.sigmaDb.subarray(0, count));
  core.stationSigmaMetres.set(stations.sigmaMetres.subarray(0, count));
  core.stationWeight.set(stations.weight.subarray(0, count));
}

test('the twin takes as many steps as the kernel and ends at the same place', () => {
  const random = uniform(41);
  const plain = new PlainTrilateration();
  const steps = new Set<number>();
  for (let at = 0; at < CASES; at++) {
    const count = 2 + Math.floor(40 * random());
    const reach = [1, 2, Number.POSITIVE_INFINITY][at % 3];
    const stations = drawStations(count, random);
    put(stations, count);
    const status = core.trilaterate(count, Number.NaN, Number.NaN, 0, 0, 0, reach);
    plain.solve(stations, count, reach);
    expect([STATUS_OK, STATUS_NOT_CONVERGED], `case ${at}`).toContain(status);
    expect(plain.iterations, `steps of case ${at}`).toBe(core.iterations);
    expect(Math.hypot(plain.atEast - core.east, plain.atNorth - core.north), `case ${at}`).toBeLessThan(1e-6);
    expect(plain.best).toBeCloseTo(core.cost, 8);
    expect(plain.varianceEast / core.varianceEast).toBeCloseTo(1, 8);
    expect(plain.varianceNorth / core.varianceNorth).toBeCloseTo(1, 8);
    expect(Math.abs(plain.covariance - core.covariance)).toBeLessThan(1e-8 * (core.varianceEast + core.varianceNorth));
    for (let i = 0; i < count; i++)
      expect(Math.abs(stations.robust[i] - core.stationRobustWeight[i])).toBeLessThan(1e-8);
    steps.add(core.iterations);
  }
  // The cases differ, or equal steps would say nothing.
  expect(steps.size).toBeGreaterThan(4);
});
