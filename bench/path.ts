// How many requests a second does the whole positioning path sustain, compared with a server that only parses,
// validates and replies? Closed loop. In each round every variant has a slice, in a new random order, so a drift of the
// machine favours none. It also measures the cost of the radio map, compared with plain trilateration (radio_map.ts),
// and of an address with the position (addresses.ts). Requests a second depend on who else uses the machine; the
// processor time of the HTTP threads and of the whole process, in nanoseconds from the scheduler, hardly does.

import { availableParallelism } from 'node:os';
import { shuffled, uniform } from '../test/kits/random.ts';
import { type Comparison, type Measured, openComparison, type Variant } from './comparison.ts';
import type { WorldData } from './data_folders.ts';
import { FLOOR_REPLY_BYTES } from './floor_reply.ts';
import { describeMachine, probeStealTime } from './machine.ts';
import { type Promised, printTable, type Result, type Table } from './result.ts';
import { median, medianRatio } from './statistics.ts';
import type { World } from './world.ts';

const CONNECTIONS_A_THREAD = 64;
const INLINE_TO_FLOOR = 0.7;
const POOL_TO_INLINE = 0.85;
/** How far the floor may differ from itself before a run is meaningless. */
const FAIR = 0.1;

/** Of the HTTP threads, and of the whole process. */
const PROCESSOR_TIMES = ['httpMicroseconds', 'serverMicroseconds'] as const;

export interface PathSettings {
  rounds: number;
  sliceMilliseconds: number;
}

type Rounds = Map<Variant, Measured[]>;

/** Measures all variants with one thread, then with one for each core. */
export async function benchPath(world: World, data: WorldData, settings: PathSettings): Promise<Result> {
  const variants: Variant[] = ['floor', 'control', 'raw', 'inline', 'pool', 'auto'];
  const tables: Table[] = [];
  const rounds: unknown[] = [];
  let promises: Promised[] = [];
  for (const threads of availableParallelism() > 1 ? [1, availableParallelism()] : [1]) {
    const measured = await measureRounds(variants, threads, world, data, settings, tables);
    if (threads === 1) promises = [...checkPromises(measured), checkFairness(measured)];
    rounds.push(...rawRounds(threads, measured));
  }
  // Loaded only here: the servers have the numeric core to themselves.
  const { benchRadioMap } = await import('./radio_map.ts');
  const { benchAddresses } = await import('./addresses.ts');
  for (const bench of [benchRadioMap, benchAddresses]) {
    const part = await bench(world.seed, settings.rounds, settings.sliceMilliseconds);
    if (part === undefined) continue;
    tables.push(part.table);
    promises.push(...part.promises);
    rounds.push(...part.rounds);
  }
  return pathResult('path', world, settings, tables, promises, rounds);
}

/** Measures the floor against itself: a harness that favours one of two equal servers is broken. */
export async function benchFairness(world: World, settings: PathSettings): Promise<Result> {
  const tables: Table[] = [];
  const measured = await measureRounds(['floor', 'control'], 1, world, undefined, settings, tables);
  return pathResult('fair', world, settings, tables, [checkFairness(measured)], rawRounds(1, measured));
}

async function measureRounds(
  variants: Variant[],
  threads: number,
  world: World,
  data: WorldData | undefined,
  settings: PathSettings,
  tables: Table[],
): Promise<Rounds> {
  const comparison = await openComparison(variants, threads, world, data);
  try {
    const loss = await probeStealTime();
    const measured = await alternate(comparison, variants, threads, world.seed, settings);
    const table = { ...tabulate(measured, threads, comparison, settings), loss };
    printTable(table);
    tables.push(table);
    return measured;
  } finally {
    await comparison.close();
  }
}

async function alternate(
  comparison: Comparison,
  variants: Variant[],
  threads: number,
  seed: number,
  settings: PathSettings,
): Promise<Rounds> {
  const random = uniform(seed);
  const measured: Rounds = new Map(variants.map(variant => [variant, []]));
  const pace = { milliseconds: settings.sliceMilliseconds, connections: CONNECTIONS_A_THREAD * threads };
  // The first round does not count: every server compiles its hot functions and fills its caches.
  for (let round = -1; round < settings.rounds; round++) {
    for (const variant of shuffled(variants, random)) {
      const slice = await comparison.measure(variant, { ...pace, seed: seed + round + 1 });
      if (round >= 0) measured.get(variant)!.push(slice);
    }
  }
  return measured;
}

function tabulate(
  measured: Rounds,
  threads: number,
  comparison: Comparison,
  settings: PathSettings,
): Omit<Table, 'loss'> {
  const memory = comparison.memory();
  const floor = throughputs(measured, 'floor');
  const rows = [...measured].map(([variant, slices]) => {
    const ratios = slices.map((slice, round) => slice.requestsPerSecond / floor[round]);
    const check = comparison.answers.get(variant);
    const answers = slices.reduce((sum, slice) => sum + slice.answered, 0);
    const positions = slices.reduce((sum, slice) => sum + slice.succeeded, 0);
    return [
      variant,
      median(throughputs(measured, variant)).toFixed(0),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`,
      ...PROCESSOR_TIMES.flatMap(field => [
        median(processorTimes(measured, variant, field)).toFixed(1),
        medianRatio(processorTimes(measured, variant, field), processorTimes(measured, 'floor', field)).toFixed(2),
      ]),
      median(slices.map(slice => slice.generatorMicroseconds)).toFixed(1),
      check === undefined ? '' : `${((100 * positions) / answers).toFixed(1)} %`,
      check === undefined ? '' : check.medianErrorMetres.toFixed(0),
      (check?.replyBytes ?? FLOOR_REPLY_BYTES).toFixed(0),
      String(memory[variant]),
    ];
  });
  return {
    title:
      `Whole path, closed loop, ${threads} HTTP thread${threads === 1 ? '' : 's'}, ` +
      `${CONNECTIONS_A_THREAD * threads} connections, ` +
      `${settings.rounds} rounds, bodies of ${comparison.bodyBytes.toFixed(0)} bytes`,
    columns: [
      'server',
      'requests/s',
      'to floor',
      'range',
      'HTTP us/request',
      'HTTP to floor',
      'process us/request',
      'process to floor',
      'generator us/request',
      'answered 200',
      'median error m',
      'reply bytes',
      'resident MB',
    ],
    rows,
  };
}

function checkPromises(measured: Rounds): Promised[] {
  const inline = medianRatio(throughputs(measured, 'inline'), throughputs(measured, 'floor'));
  const pool = medianRatio(throughputs(measured, 'pool'), throughputs(measured, 'inline'));
  return [
    {
      promise: `inline sustains at least ${INLINE_TO_FLOOR} of the floor's requests a second`,
      figure: inline.toFixed(3),
      met: inline >= INLINE_TO_FLOOR,
    },
    {
      promise: `pool sustains at least ${POOL_TO_INLINE} of inline's requests a second`,
      figure: pool.toFixed(3),
      met: pool >= POOL_TO_INLINE,
    },
  ];
}

function checkFairness(measured: Rounds): Promised {
  const control = medianRatio(throughputs(measured, 'control'), throughputs(measured, 'floor'));
  return {
    promise: `the floor is within ${FAIR} of itself`,
    figure: control.toFixed(3),
    met: Math.abs(control - 1) <= FAIR,
  };
}

function throughputs(measured: Rounds, variant: Variant): number[] {
  return measured.get(variant)!.map(slice => slice.requestsPerSecond);
}

/** Processor time for each request, microseconds. */
function processorTimes(measured: Rounds, variant: Variant, field: (typeof PROCESSOR_TIMES)[number]): number[] {
  return measured.get(variant)!.map(slice => slice[field]);
}

function rawRounds(threads: number, measured: Rounds): unknown[] {
  return [...measured].map(([variant, slices]) => ({
    threads,
    rival: variant,
    requestsPerSecond: slices.map(slice => Math.round(slice.requestsPerSecond)),
    httpMicroseconds: slices.map(slice => Number(slice.httpMicroseconds.toFixed(2))),
    serverMicroseconds: slices.map(slice => Number(slice.serverMicroseconds.toFixed(2))),
    generatorMicroseconds: slices.map(slice => Number(slice.generatorMicroseconds.toFixed(2))),
  }));
}

function pathResult(
  bench: string,
  world: World,
  settings: PathSettings,
  tables: Table[],
  promises: Promised[],
  rounds: unknown[],
): Result {
  return {
    bench,
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { ...settings, stations: world.accessPoints, seed: world.seed },
    tables,
    promises,
    rounds,
  };
}
