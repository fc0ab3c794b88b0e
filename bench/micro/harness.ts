// Compares small operations with tinybench. The cases of a group take turns for a number of rounds, and a figure is the
// median of the rounds' medians. Each call runs many operations, so that the cost of reading the clock does not matter.

import { Bench } from 'tinybench';
import { shuffled } from '../../test/kits/random.ts';
import { probeStealTime } from '../machine.ts';
import type { Promised, Table } from '../result.ts';
import { median, medianRatio } from '../statistics.ts';

const ROUNDS = 7;
const WARM_MILLISECONDS = 200;
const MEASURE_MILLISECONDS = 100;
/**
 * A call should take about this long: much longer than reading the clock, much shorter than a scheduler's time slice.
 */
const CALL_LIMIT_MILLISECONDS = 20;

export interface MicroCase {
  name: string;
  /** Number of operations in one call of `run`. */
  operations: number;
  /** Runs the operations and returns a value that depends on all of them, so that none is optimised away. */
  run(): unknown;
  /** Longest time of one operation, if the design sets a limit. */
  limitNanoseconds?: number;
}

/** Cases that answer one question; the others are compared with the first. */
export interface MicroGroup {
  title: string;
  cases: MicroCase[];
}

/** The figures of a group. */
export interface MicroMeasured {
  table: Table;
  promises: Promised[];
  rounds: unknown[];
}

/**
 * Measures one group.
 * @param random decides the order of the cases in each round
 * @throws Error if a call takes too long for its median to mean anything
 */
export async function measureGroup(group: MicroGroup, random: () => number): Promise<MicroMeasured> {
  const loss = await probeStealTime();
  const nanoseconds = new Map(group.cases.map(({ name }) => [name, [] as number[]]));
  for (const each of group.cases) timeOnce(each, WARM_MILLISECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of shuffled(group.cases, random))
      nanoseconds.get(each.name)!.push(timeOnce(each, MEASURE_MILLISECONDS));
  }
  const base = nanoseconds.get(group.cases[0].name)!;
  return {
    table: {
      title: `${group.title}, medians of ${ROUNDS} interleaved rounds`,
      columns: ['case', 'ns', 'range', `to ${group.cases[0].name}`],
      rows: [...nanoseconds].map(([name, values]) => [
        name,
        figure(median(values)),
        `${figure(Math.min(...values))}..${figure(Math.max(...values))}`,
        medianRatio(values, base).toPrecision(3),
      ]),
      loss,
    },
    promises: group.cases.flatMap(({ name, limitNanoseconds }) => {
      if (limitNanoseconds === undefined) return [];
      const value = median(nanoseconds.get(name)!);
      return [
        {
          promise: `${name} takes at most ${limitNanoseconds} ns`,
          figure: `${figure(value)} ns`,
          met: value <= limitNanoseconds,
        },
      ];
    }),
    rounds: [...nanoseconds].map(([name, values]) => ({
      name,
      nanoseconds: values.map(value => Number(value.toFixed(1))),
    })),
  };
}

/** Median nanoseconds of one operation over the calls that fit into this many milliseconds. */
function timeOnce(each: MicroCase, milliseconds: number): number {
  const bench = new Bench({ time: milliseconds, iterations: 5, warmup: false, throws: true });
  bench.add(each.name, () => void each.run(), { async: false });
  bench.runSync();
  const result = bench.tasks[0].result;
  if (result.state !== 'completed') throw new Error(`${each.name} was not measured: ${result.state}.`);
  if (result.latency.p50 > CALL_LIMIT_MILLISECONDS)
    throw new Error(`One call of ${each.name} takes ${result.latency.p50.toFixed(0)} ms; give it fewer operations.`);
  return (result.latency.p50 * 1e6) / each.operations;
}

function figure(nanoseconds: number): string {
  return nanoseconds < 100 ? nanoseconds.toFixed(1) : nanoseconds.toFixed(0);
}
