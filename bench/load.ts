// What does an answer cost in latency while the machine is not full? Open loop: requests arrive at fixed mean rates,
// and latency counts from the scheduled arrival, so a slow server cannot slow down its own measurement. A server is
// judged at a rate only if it and the floor, each with the generator, keep less than one core busy; above that, the p99
// of a virtual machine says more about the machine. Nor should a charge wait for the writer: the service counts those
// that do.

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
/** What was measured at one rate. */
interface RateMeasured {
  rounds: Rounds;
  /** Charges that waited for the writer in these rounds, of each of Sextant's variants. */
  waited: ReadonlyMap<Variant, number>;
}

/** Measures the floor, `auto` and `pool` at every rate, with one HTTP thread and one worker each. */
export async function benchLoad(world: World, data: WorldData, settings: LoadSettings): Promise<Result> {
  const tables: Table[] = [];
  const rounds: unknown[] = [];
  const byRate = new Map<number, RateMeasured>();
  const comparison = await openComparison(VARIANTS, 1, world, data);
  try {
    for (const rate of settings.rates) {
      const loss = await probeStealTime();
      const measured = await alternate(comparison, rate, world.seed, settings);
      const table = { ...tabulate(measured, rate, settings), loss };
      printTable(table);
      tables.push(table);
      byRate.set(rate, measured);
      rounds.push(...rawRounds(rate, measured.rounds));
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

async function alternate(
  comparison: Comparison,
  rate: number,
  seed: number,
  settings: LoadSettings,
): Promise<RateMeasured> {
  const random = uniform(seed + rate);
  const rounds: Rounds = new Map(VARIANTS.map(variant => [variant, []]));
  const runRound = async (round: number): Promise<void> => {
    for (const variant of shuffled(VARIANTS, random)) {
      const pace = {
        milliseconds: settings.sliceMilliseconds,
        connections: CONNECTIONS,
        ratePerSecond: rate,
        seed: seed + round + 1,
      };
      const slice = await comparison.measure(variant, pace);
      if (round >= 0) rounds.get(variant)!.push(slice);
    }
  };
  // The first round does not count, nor the first charge after the start, which always waits.
  await runRound(-1);
  const before = await comparison.waitedCharges();
  for (let round = 0; round < settings.rounds; round++) await runRound(round);
  const after = await comparison.waitedCharges();
  return { rounds, waited: new Map([...after].map(([variant, count]) => [variant, count - before.get(variant)!])) };
}

function tabulate({ rounds, waited }: RateMeasured, rate: number, settings: LoadSettings): Omit<Table, 'loss'> {
  const rows = [...rounds].map(([variant, slices]) => {
    const all = mergeHistograms(slices.map(slice => slice.latency));
    const toFloor = (fraction: number) =>
      medianRatio(percentiles(rounds, variant, fraction), percentiles(rounds, 'floor', fraction)).toFixed(2);
    return [
      variant,
      median(percentiles(rounds, variant, 0.5)).toFixed(0),
      median(percentiles(rounds, variant, 0.99)).toFixed(0),
      percentileMicroseconds(all, 0.999).toFixed(0),
      toFloor(0.5),
      toFloor(0.99),
      median(slices.map(slice => slice.serverMicroseconds)).toFixed(0),
      median(slices.map(slice => slice.generatorMicroseconds)).toFixed(0),
      coresBusy(rounds, variant).toFixed(2),
      String(waited.get(variant) ?? ''),
    ];
  });
  return {
    title:
      `Latency, open loop, ${rate} requests/s, ${settings.rounds} rounds of ${settings.sliceMilliseconds / 1000} ` +
      `s, one HTTP thread; microseconds`,
    columns: [
      'server',
      'p50',
      'p99',
      'p99.9',
      'p50 to floor',
      'p99 to floor',
      'server us/request',
      'generator us/request',
      'cores busy',
      'charges that waited',
    ],
    rows,
  };
}

function checkPromises(byRate: Map<number, RateMeasured>): Promised[] {
  const promises = [...byRate].flatMap(([rate, measured]) => checkRate(rate, measured));
  if (promises.length > 0) return promises;
  return [
    {
      promise: 'one rate leaves server and generator under one core',
      figure: 'none does, so latency cannot be judged',
      met: false,
    },
  ];
}

/** The promises of those servers that can be judged at a rate. */
function checkRate(rate: number, { rounds: measured, waited }: RateMeasured): Promised[] {
  const isJudged = (...variants: Variant[]) => variants.every(variant => coresBusy(measured, variant) < 1);
  if (!isJudged('floor', 'control')) return [];
  const floor = percentiles(measured, 'floor', 0.5);
  const control = medianRatio(percentiles(measured, 'control', 0.5), floor);
  const promises: Promised[] = [
    {
      promise: `${rate}/s: p50 of the floor within ${FAIR} of itself`,
      figure: control.toFixed(3),
      met: Math.abs(control - 1) <= FAIR,
    },
  ];
  if (isJudged('auto')) {
    const ratio = (fraction: number) =>
      medianRatio(percentiles(measured, 'auto', fraction), percentiles(measured, 'floor', fraction));
    const [p50, p99] = [ratio(0.5), ratio(0.99)];
    promises.push(
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
    );
  }
  if (isJudged('pool')) {
    const above = median(percentiles(measured, 'pool', 0.5).map((value, round) => value - floor[round]));
    promises.push({
      promise: `${rate}/s: p50 of pool at most ${POOL_P50_ABOVE_FLOOR_MICROSECONDS} us above the floor's`,
      figure: `${above.toFixed(0)} us`,
      met: above <= POOL_P50_ABOVE_FLOOR_MICROSECONDS,
    });
  }
  for (const [variant, charges] of waited) {
    if (isJudged(variant))
      promises.push({
        promise: `${rate}/s: no charge of ${variant} waited for the writer`,
        figure: String(charges),
        met: charges === 0,
      });
  }
  return promises;
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
