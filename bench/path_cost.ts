// What the whole path of a position takes in processor time, as a ratio to the floor: of all threads of both servers, a
// request, in short turns. It is recorded (path_cost.json, by processor: their caches differ), and a test holds the path
// to it.
//
// Programs that run beside take caches away, from the two servers not alike: on a busy machine the ratio differs by up
// to a tenth from run to run. But then the floor itself takes much more than it did when the ratio was recorded. So a
// measurement counts only where the floor takes hardly more than then.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { openComparison } from './comparison.ts';
import { prepareWorld } from './data_folders.ts';
import { median } from './statistics.ts';
import { createWorld } from './world.ts';

/** How much more than recorded the path may take. */
export const MORE_AT_MOST = 1.03;
/** How much more than recorded the floor may take on a machine that is quiet enough. */
const FLOOR_MORE_AT_MOST = 1.1;

const RECORDS = fileURLToPath(new URL('./path_cost.json', import.meta.url));
/** Few enough that all is loaded in a second. */
const STATIONS = 20_000;
const SEED = 1;
const CONNECTIONS = 64;
/** Turns that do not count: both servers compile their hot functions. */
const WARM_TURNS = 12;
/** Turns after which a busy machine is known. */
const FIRST_TURNS = 8;
const TURNS = 48;
/** Behind the 300 ms with which a turn begins, and which count as well. */
const TURN_MILLISECONDS = 200;
/** Measurements of which the median is recorded. */
const TIMES = 8;

/** One measurement. */
export interface PathCost {
  /** Processor time of a position to that of the floor: median of the turns. */
  ratio: number;
  /** Processor time of a request to the floor, microseconds: median of the turns. */
  floorMicroseconds: number;
}

/** What is recorded of a kind of processor. */
type Recorded = PathCost & { date: string; node: string };

/**
 * Measures the ratio, which takes about a minute.
 * @param floorMost microseconds that the floor may take
 * @returns undefined where it takes more: the machine is busy
 */
export async function measurePathCost(floorMost = Number.POSITIVE_INFINITY): Promise<PathCost | undefined> {
  const world = createWorld(STATIONS, SEED);
  const comparison = await openComparison(['floor', 'auto'], 1, world, await prepareWorld(world));
  const taken: Record<'floor' | 'auto', number[]> = { floor: [], auto: [] };
  try {
    for (let turn = 0; turn < WARM_TURNS + TURNS; turn++) {
      const pace = { milliseconds: TURN_MILLISECONDS, connections: CONNECTIONS, seed: SEED + turn };
      for (const variant of turn % 2 === 0 ? (['floor', 'auto'] as const) : (['auto', 'floor'] as const)) {
        const { serverMicroseconds } = await comparison.measure(variant, pace);
        if (turn >= WARM_TURNS) taken[variant].push(serverMicroseconds);
      }
      if (taken.floor.length >= FIRST_TURNS && median(taken.floor) > floorMost) return undefined;
    }
  } finally {
    await comparison.close();
  }
  return {
    ratio: median(taken.auto.map((microseconds, turn) => microseconds / taken.floor[turn])),
    floorMicroseconds: median(taken.floor),
  };
}

/** What the path may take on this processor, and the floor; undefined where nothing is recorded. */
export function limitsOfPathCost(): PathCost | undefined {
  const recorded = readRecords()[processor()];
  return (
    recorded && {
      ratio: recorded.ratio * MORE_AT_MOST,
      floorMicroseconds: recorded.floorMicroseconds * FLOOR_MORE_AT_MOST,
    }
  );
}

/** Measures the ratio several times, prints each, and records the medians. */
export async function recordPathCost(): Promise<void> {
  const measured: PathCost[] = [];
  while (measured.length < TIMES) {
    measured.push((await measurePathCost())!);
    const { ratio, floorMicroseconds } = measured.at(-1)!;
    console.log(`${measured.length} of ${TIMES}: ${ratio.toFixed(4)}, floor ${floorMicroseconds.toFixed(1)} us`);
  }
  const medianOf = (member: keyof PathCost) => Number(median(measured.map(each => each[member])).toFixed(4));
  const recorded: Recorded = {
    ratio: medianOf('ratio'),
    floorMicroseconds: medianOf('floorMicroseconds'),
    date: new Date().toISOString(),
    node: process.version,
  };
  writeFileSync(RECORDS, `${JSON.stringify({ ...readRecords(), [processor()]: recorded }, undefined, 2)}\n`);
}

function readRecords(): Record<string, Recorded> {
  return existsSync(RECORDS) ? JSON.parse(readFileSync(RECORDS, 'utf8')) : {};
}

function processor(): string {
  return cpus()[0].model.trim();
}
