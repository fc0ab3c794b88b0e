// What does an answer cost in latency while the machine is not full? Open loop: requests arrive at fixed mean rates, and latency counts from the scheduled
// arrival, so a slow server cannot slow down its own measurement. A rate is judged only if server and generator together keep less than one core busy; above
// that, the p99 of a virtual machine says more about the machine.

import { shuffled, uniform } from '../test/kits/random.ts';
import { type Comparison, type Measured, openComparison, type Variant } from './comparison.ts';
import type { WorldData } from './data_folders.ts';
import { describeMachine, probeStealTime } from './machine.ts';
import { type Promised, printTable, type Result, type Table } from './result.ts';
import { median, medianRatio, mergeHistograms, percentileMicroseconds } from './statistics.ts';
import type { World } from './world.ts';

const VARIANTS: Variant[] = ['floor', 'control', 'auto', 'pool'];
const CONNECTIONS = 256;
const AUTO_P50_TO_FLOOR = 1.3;
const AUTO_P99_TO_FLOOR = 1.5;
/** How far the floor may differ from itself before a run is meaningless. */
const FAIR = 0.1;
const POOL_P50_ABOVE_FLOOR_MICROSECONDS = 250;

export interface LoadSettings {
  rounds: number;
  sliceMilliseconds: number;
  /** Arrivals a second, one value for each part. */
  rates: number[];
}

type Rounds = Map<Variant, Measured[]>;

/** Measures the floor, `auto` and `pool` at every rate, with one HTTP thread and one worker each. */
export async function benchLoad(world: World, data: WorldData, settings: LoadSettings): Promise<Result> {
  const tables: Table[] = [];
  const rounds: unknown[] = [];
  const byRate = new Map<number, Rounds>();
  const comparison = await openComparison(VARIANTS, 1, world, data);
  try {
    for (const rate of settings.rates) {
      const loss = await probeStealTime();
      const measured = await alternate(comparison, rate, world.seed, settings);
      const table = { ...tabulate(measured, rate, settings), loss };
      printTable(table);
      tables.push(table);
      byRate.set(rate, measured);
      rounds.push(...rawRounds(rate, measured));
    }
  } finally {
    await comparison.close();
  }
  return {
    bench: 'load',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { ...settings, stations: world.accessPoints, seed: world.seed },
    tables,
    promises: checkPromises(byRate),
    rounds,
  };
}

async function alternate(comparison: Comparison, rate: number, seed: number, settings: LoadSettings): Promise<Rounds> {
  const random = uniform(seed + rate);
  const measured: Rounds = new Map(VARIANTS.map(variant => [variant, []]));
  for (let round = -1; round < settings.rounds; round++) {
    for (const variant of shuffled(VARIANTS, random)) {
      const pace = { milliseconds: settings.sliceMilliseconds, connections: CONNECTIONS, ratePerSecond: rate, seed: seed + round + 1 };
      const slice = await comparison.measure(variant, pace);
      if (round >= 0) measured.get(variant)!.push(slice);
    }
  }
  return measured;
}

function tabulate(measured: Rounds, rate: number, settings: LoadSettings): Omit<Table, 'loss'> {
  const rows = [...measured].map(([variant, slices]) => {
    const all = mergeHistograms(slices.map(slice => slice.latency));
    const toFloor = (fraction: number) =>
      medianRatio(percentiles(measured, variant, fraction), percentiles(measured, 'floor', fraction)).toFixed(2);
    return [
      variant,
      median(percentiles(measured, variant, 0.5)).toFixed(0),
      median(percentiles(measured, variant, 0.99)).toFixed(0),
      percentileMicroseconds(all, 0.999).toFixed(0),
      toFloor(0.5),
      toFloor(0.99),
      median(slices.map(slice => slice.serverMicroseconds)).toFixed(0),
      median(slices.map(slice => slice.generatorMicroseconds)).toFixed(0),
      coresBusy(measured, variant).toFixed(2),
    ];
  });
  return {
    title: `Latency, open loop, ${rate} requests/s, ${settings.rounds} rounds of ${settings.sliceMilliseconds / 1000} s, one HTTP thread; microseconds`,
    columns: ['server', 'p50', 'p99', 'p99.9', 'p50 to floor', 'p99 to floor', 'server us/request', 'generator us/request', 'cores busy'],
    rows,
  };
}

function checkPromises(byRate: Map<number, Rounds>): Promised[] {
  const judged = [...byRate].filter(([, measured]) => VARIANTS.every(variant => coresBusy(measured, variant) < 1));
  if (judged.length === 0) {
    return [
      { promise: 'one rate leaves server and generator under one core', figure: 'none does, so latency cannot be judged', met: false },
    ];
  }
  return judged.flatMap(([rate, measured]) => {
    const ratio = (fraction: number) => medianRatio(percentiles(measured, 'auto', fraction), percentiles(measured, 'floor', fraction));
    const floor = percentiles(measured, 'floor', 0.5);
    const above = median(percentiles(measured, 'pool', 0.5).map((value, round) => value - floor[round]));
    const [p50, p99] = [ratio(0.5), ratio(0.99)];
    const control = medianRatio(percentiles(measured, 'control', 0.5), floor);
    return [
      { promise: `${rate}/s: p50 of the floor within ${FAIR} of itself`, figure: control.toFixed(3), met: Math.abs(control - 1) <= FAIR },
      {
        promise: `${rate}/s: p50 of auto at most ${AUTO_P50_TO_FLOOR} times the floor's`,
        figure: p50.toFixed(3),
        met: p50 <= AUTO_P50_TO_FLOOR,
      },
      {
        promise: `${rate}/s: p99 of auto at most ${AUTO_P99_TO_FLOOR} times the floor's`,
        figure: p99.toFixed(3),
        met: p99 <= AUTO_P99_TO_FLOOR,
      },
      {
        promise: `${rate}/s: p50 of pool at most ${POOL_P50_ABOVE_FLOOR_MICROSECONDS} us above the floor's`,
        figure: `${above.toFixed(0)} us`,
        met: above <= POOL_P50_ABOVE_FLOOR_MICROSECONDS,
      },
    ];
  });
}

function percentiles(measured: Rounds, variant: Variant, fraction: number): number[] {
  return measured.get(variant)!.map(slice => percentileMicroseconds(slice.latency, fraction));
}

/** Cores that a variant and its generator kept busy: the median of the rounds. */
function coresBusy(measured: Rounds, variant: Variant): number {
  return median(measured.get(variant)!.map(slice => slice.coresBusy));
}

function rawRounds(rate: number, measured: Rounds): unknown[] {
  return [...measured].map(([variant, slices]) => ({
    rate,
    rival: variant,
    p50: percentiles(measured, variant, 0.5).map(Math.round),
    p99: percentiles(measured, variant, 0.99).map(Math.round),
    p999: percentiles(measured, variant, 0.999).map(Math.round),
    coresBusy: slices.map(slice => Number(slice.coresBusy.toFixed(2))),
  }));
}
