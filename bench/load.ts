// What does an answer cost in latency while the machine is not full? Open loop: requests arrive by a clock of their own at fixed rates, and latency
// counts from the scheduled arrival, so that a server which falls behind cannot slow its own measurement. A rate is judged only where server and
// generator together keep less than one core busy; above that, a virtual machine's p99 is the machine's.

import { shuffled, uniform } from '../test/kits/random.ts';
import { type Contest, type Measured, openContest, type Rival } from './contest.ts';
import type { WorldData } from './load_world.ts';
import { describeMachine, probeLoss } from './machine.ts';
import { type Promised, printTable, type Result, type Table } from './report.ts';
import { median, medianRatio, mergeHistograms, percentileMicroseconds } from './statistics.ts';
import type { World } from './world.ts';

const RIVALS: Rival[] = ['floor', 'control', 'auto', 'pool'];
const CONNECTIONS = 256;
const AUTO_P50_TO_FLOOR = 1.3;
const AUTO_P99_TO_FLOOR = 1.5;
/** How far the floor may differ from itself before a run says nothing. */
const FAIR = 0.1;
const POOL_P50_ABOVE_FLOOR_MICROSECONDS = 250;

export interface LoadSettings {
  rounds: number;
  sliceMilliseconds: number;
  /** Arrivals a second. */
  rates: number[];
}

type Rounds = Map<Rival, Measured[]>;

/** Measures the floor, `auto` and `pool` at every rate, with one HTTP thread and one worker each. */
export async function benchLoad(world: World, data: WorldData, settings: LoadSettings): Promise<Result> {
  const tables: Table[] = [];
  const rounds: unknown[] = [];
  const byRate = new Map<number, Rounds>();
  const contest = await openContest(RIVALS, 1, world, data);
  try {
    for (const rate of settings.rates) {
      const loss = await probeLoss();
      const measured = await alternate(contest, rate, world.seed, settings);
      const table = { ...tabulate(measured, rate, settings), loss };
      printTable(table);
      tables.push(table);
      byRate.set(rate, measured);
      rounds.push(...rawRounds(rate, measured));
    }
  } finally {
    await contest.close();
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

async function alternate(contest: Contest, rate: number, seed: number, settings: LoadSettings): Promise<Rounds> {
  const random = uniform(seed + rate);
  const measured: Rounds = new Map(RIVALS.map(rival => [rival, []]));
  for (let round = -1; round < settings.rounds; round++) {
    for (const rival of shuffled(RIVALS, random)) {
      const pace = { milliseconds: settings.sliceMilliseconds, connections: CONNECTIONS, ratePerSecond: rate, seed: seed + round + 1 };
      const slice = await contest.measure(rival, pace);
      if (round >= 0) measured.get(rival)!.push(slice);
    }
  }
  return measured;
}

function tabulate(measured: Rounds, rate: number, settings: LoadSettings): Omit<Table, 'loss'> {
  const rows = [...measured].map(([rival, slices]) => {
    const all = mergeHistograms(slices.map(slice => slice.latency));
    const toFloor = (fraction: number) =>
      medianRatio(percentiles(measured, rival, fraction), percentiles(measured, 'floor', fraction)).toFixed(2);
    return [
      rival,
      median(percentiles(measured, rival, 0.5)).toFixed(0),
      median(percentiles(measured, rival, 0.99)).toFixed(0),
      percentileMicroseconds(all, 0.999).toFixed(0),
      toFloor(0.5),
      toFloor(0.99),
      median(slices.map(slice => slice.serverMicroseconds)).toFixed(0),
      median(slices.map(slice => slice.generatorMicroseconds)).toFixed(0),
      coresBusy(measured, rival).toFixed(2),
    ];
  });
  return {
    title: `Latency, open loop, ${rate} requests/s, ${settings.rounds} rounds of ${settings.sliceMilliseconds / 1000} s, one HTTP thread; microseconds`,
    columns: ['server', 'p50', 'p99', 'p99.9', 'p50 to floor', 'p99 to floor', 'server us/request', 'generator us/request', 'cores busy'],
    rows,
  };
}

function checkPromises(byRate: Map<number, Rounds>): Promised[] {
  const judged = [...byRate].filter(([, measured]) => RIVALS.every(rival => coresBusy(measured, rival) < 1));
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

function percentiles(measured: Rounds, rival: Rival, fraction: number): number[] {
  return measured.get(rival)!.map(slice => percentileMicroseconds(slice.latency, fraction));
}

/** Cores that a rival and its generator kept busy, the median of the rounds. */
function coresBusy(measured: Rounds, rival: Rival): number {
  return median(measured.get(rival)!.map(slice => slice.coresBusy));
}

function rawRounds(rate: number, measured: Rounds): unknown[] {
  return [...measured].map(([rival, slices]) => ({
    rate,
    rival,
    p50: percentiles(measured, rival, 0.5).map(Math.round),
    p99: percentiles(measured, rival, 0.99).map(Math.round),
    p999: percentiles(measured, rival, 0.999).map(Math.round),
    coresBusy: slices.map(slice => Number(slice.coresBusy.toFixed(2))),
  }));
}
