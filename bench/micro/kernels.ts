// Are the compiled kernels faster than the same algorithms in plain JavaScript? Seeded inputs; rounds of both interleaved;
// the ratio is the median of the rounds' own ratios, so that a slow moment of the machine affects both.

import { Bench } from 'tinybench';
import { normal, uniform } from '../../test/kits/random.ts';
import { createSolverCore, type SolverCore } from '../../test/kits/solver_core.ts';
import { probeStealTime } from '../machine.ts';
import { median } from '../statistics.ts';
import type { MicroMeasured } from './harness.ts';
import { PlainStations, PlainTrilateration } from './plain_trilaterate.ts';

const ROUNDS = 7;
const REACH = 2;
const SCENES = 64; // different inputs in turn, so that the branch predictor cannot learn them

/** One row: median nanoseconds of a call on both sides, and the median of the paired ratios wasm / plain. */
interface CoreTiming {
  name: string;
  wasmNs: number;
  plainNs: number;
  ratio: number;
}

/** Measures every kernel both ways. */
export async function measureKernels(): Promise<MicroMeasured> {
  const loss = await probeStealTime();
  const core = createSolverCore();
  const timings: CoreTiming[] = [];
  for (const count of [5, 10, 20, 40]) timings.push(await trilateration(core, count));
  return {
    table: {
      title: 'Kernels, compiled and in plain JavaScript, medians of interleaved rounds',
      columns: ['kernel', 'compiled ns', 'plain ns', 'compiled to plain'],
      rows: timings.map(({ name, wasmNs, plainNs, ratio }) => [
        name,
        wasmNs.toFixed(0),
        plainNs.toFixed(0),
        ratio.toFixed(2),
      ]),
      loss,
    },
    promises: [],
    rounds: timings,
  };
}

/** Stations within 100 m around a device at (5, -8), one in ten of them moved by 300 m. */
function scene(count: number, seed: number): PlainStations {
  const random = uniform(seed);
  const noise = normal(random);
  const stations = new PlainStations();
  for (let i = 0; i < count; i++) {
    const east = 100 * (random() - 0.5);
    const north = 100 * (random() - 0.5);
    const metres = Math.max(Math.hypot(east - 5, north + 8), 1);
    const moved = i > 0 && i % 10 === 0 ? 300 : 0;
    stations.east[i] = east + moved;
    stations.north[i] = north;
    stations.levelDbm[i] = Math.round(-33 - 28 * Math.log10(metres) + 5 * noise());
    stations.referenceDbm[i] = -33;
    stations.exponent[i] = 2.8;
    stations.sigmaDb[i] = 7;
    stations.sigmaMetres[i] = 10;
    stations.weight[i] = 1;
  }
  return stations;
}

async function trilateration(core: SolverCore, count: number): Promise<CoreTiming> {
  const scenes = Array.from({ length: SCENES }, (_, seed) => scene(count, seed));
  const plain = new PlainTrilateration();
  let turn = 0;
  return compare(
    `trilateration, ${count} stations, inputs copied in`,
    () => {
      const stations = scenes[turn++ % SCENES];
      for (let i = 0; i < count; i++) {
        core.stationEast[i] = stations.east[i];
        core.stationNorth[i] = stations.north[i];
        core.stationLevelDbm[i] = stations.levelDbm[i];
        core.stationReferenceDbm[i] = stations.referenceDbm[i];
        core.stationExponent[i] = stations.exponent[i];
        core.stationSigmaDb[i] = stations.sigmaDb[i];
        core.stationSigmaMetres[i] = stations.sigmaMetres[i];
        core.stationWeight[i] = stations.weight[i];
      }
      core.trilaterate(count, NaN, NaN, 0, 0, 0, REACH);
    },
    () => plain.solve(scenes[turn++ % SCENES], count, REACH),
  );
}

async function compare(name: string, wasm: () => void, plain: () => void): Promise<CoreTiming> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await nanoseconds(wasm, round === 0));
    theirs.push(await nanoseconds(plain, round === 0));
  }
  return { name, wasmNs: median(ours), plainNs: median(theirs), ratio: median(ours.map((ns, i) => ns / theirs[i])) };
}

/**
 * Median time of a call. A task of tinybench makes a hundred calls, because reading the clock costs as much as a light
 * kernel.
 */
async function nanoseconds(call: () => void, warm: boolean): Promise<number> {
  const began = performance.now();
  call();
  const calls = performance.now() - began > 0.5 ? 1 : 100;
  const bench = new Bench({ time: 50, iterations: 16, warmup: warm, warmupTime: 100 });
  bench.add('call', () => {
    for (let i = 0; i < calls; i++) call();
  });
  const [task] = await bench.run();
  if (task.result.state !== 'completed')
    throw new Error(`A kernel failed while it was measured: ${task.result.state}.`);
  return (task.result.latency.p50 * 1e6) / calls;
}
