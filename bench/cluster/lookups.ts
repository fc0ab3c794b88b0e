// What does a cluster cost a lookup, and what do more nodes carry? A machine alone and one, two and three nodes are
// loaded in turns in a closed loop, with the same tables. What counts is the processor time of all threads: of the
// machine alone, or of all nodes and of the servers of NATS, less what they use without load. Since no lookup leaves its node, nodes on machines of
// their own do not get into each other's way; on this machine they share its cores, so lookups a second are calculated
// from the processor time. The queue of each node is simulated with it, as in lab/scaling/fan_out.ts.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measuredCosts } from '../../lab/scaling/costs.ts';
import { simulateFanOut } from '../../lab/scaling/fan_out.ts';
import { shuffled, uniform } from '../../test/kits/random.ts';
import { compileGenerator, runSlice } from '../load/generator.ts';
import type { StealTime } from '../machine.ts';
import { writeRequestFile } from '../requests.ts';
import type { Table } from '../result.ts';
import { processNanoseconds, type Server } from '../server.ts';
import { median, medianRatio } from '../statistics.ts';
import type { Cluster } from './nodes.ts';

const REQUESTS = 60_000;
const CONNECTIONS = 16;
const WARM_MILLISECONDS = 300;
const IDLE_MILLISECONDS = 5_000;
/** Simulated lookups at each load, and the latency that they may have. */
const SIMULATED = 10_000;
const P99_MICROSECONDS = 5_000;
/** A node works for no more of its time than this, whatever the latency. */
const LOAD_MAX = 0.95;
const BISECTIONS = 8;
/** Reports a second on the whole cluster, beside which lookups a second are calculated. */
const REPORT_RATES = [0, 100, 500];

/** Microseconds of processor time for a lookup in each round, by what was loaded. */
export interface LookupCosts {
  alone: number[];
  /** With one, two and three nodes that are loaded. */
  nodes: number[][];
}

/** Measures all of them in turns. All three nodes run all the time. */
export async function measureLookups(
  cluster: Cluster,
  folder: string,
  { rounds, sliceMilliseconds }: { rounds: number; sliceMilliseconds: number },
): Promise<LookupCosts> {
  const generator = compileGenerator();
  const requestFile = join(folder, 'lookups.bin');
  writeRequestFile(requestFile, cluster.world, REQUESTS, cluster.key);
  const aloneNanoseconds = () => processNanoseconds(cluster.alone.process.pid!);
  const nodesNanoseconds = () => cluster.processorNanoseconds();
  const idle = new Map<() => number, number>();
  for (const nanoseconds of [aloneNanoseconds, nodesNanoseconds]) idle.set(nanoseconds, await idleCores(nanoseconds));
  const slice = async (servers: readonly Server[], nanoseconds: () => number, seed: number): Promise<number> => {
    const [before, beganMs] = [nanoseconds(), performance.now()];
    const slices = await Promise.all(
      servers.map(({ port }, i) =>
        runSlice(generator, {
          port,
          requestFile,
          connections: CONNECTIONS,
          warmMilliseconds: WARM_MILLISECONDS,
          measureMilliseconds: sliceMilliseconds,
          seed: seed * servers.length + i,
        }),
      ),
    );
    const answered = slices.reduce((sum, each) => sum + each.answered, 0);
    const background = idle.get(nanoseconds)! * (performance.now() - beganMs) * 1e6;
    return (nanoseconds() - before - background) / 1000 / answered;
  };
  const costs: LookupCosts = { alone: [], nodes: cluster.nodes.map(() => []) };
  const random = uniform(cluster.world.seed);
  for (let round = -1; round < rounds; round++) {
    for (const count of shuffled([0, ...cluster.nodes.map((_, i) => i + 1)], random)) {
      const cost =
        count === 0
          ? await slice([cluster.alone], aloneNanoseconds, round + 1)
          : await slice(cluster.nodes.slice(0, count), nodesNanoseconds, round + 1);
      // The first round does not count: every server compiles its hot functions.
      if (round >= 0) (count === 0 ? costs.alone : costs.nodes[count - 1]).push(cost);
    }
  }
  return costs;
}

/** Cores that processes use without load. @param nanoseconds their processor time so far */
async function idleCores(nanoseconds: () => number): Promise<number> {
  const [before, beganMs] = [nanoseconds(), performance.now()];
  await delay(IDLE_MILLISECONDS);
  return (nanoseconds() - before) / 1e6 / (performance.now() - beganMs);
}

/** What a lookup costs. */
export function lookupTable({ alone, nodes }: LookupCosts, title: string, loss: StealTime[]): Table {
  const row = (name: string, costs: readonly number[]) => {
    const ratios = costs.map((cost, round) => cost / alone[round]);
    const range = `${Math.min(...ratios).toFixed(2)}..${Math.max(...ratios).toFixed(2)}`;
    return [name, median(costs).toFixed(1), medianRatio(costs, alone).toFixed(2), range];
  };
  return {
    title: `Processor time of a lookup, ${title}`,
    columns: ['loaded', 'us/lookup', 'to a machine alone', 'in the rounds'],
    rows: [
      row('a machine alone', alone),
      ...nodes.map((costs, i) => row(`${i + 1} of ${nodes.length} nodes, with NATS`, costs)),
    ],
    loss,
  };
}

/**
 * Lookups a second of a machine alone and of one to three nodes, with one core each.
 * @param reportMicroseconds processor time of a report on a machine alone, and on each node, since all write it
 */
export function capacityTable(
  { alone, nodes }: LookupCosts,
  reportMicroseconds: { alone: number; node: number },
  loss: StealTime[],
): Table {
  const [aloneWork, nodeWork] = [median(alone), median(nodes[0])];
  const [aloneLoad, nodeLoad] = [highestLoad(aloneWork), highestLoad(nodeWork)];
  const perSecond = (count: number, reports: number): number => {
    const free = 1 - (reports * reportMicroseconds[count === 0 ? 'alone' : 'node']) / 1e6;
    const each = count === 0 ? aloneLoad / aloneWork : (count * nodeLoad) / nodeWork;
    return Math.max(0, free) * each * 1e6;
  };
  return {
    title: `Lookups a second, one core a node, simulated, p99 within ${P99_MICROSECONDS / 1000} ms`,
    columns: ['nodes', ...REPORT_RATES.flatMap(rate => [`beside ${rate} reports/s`, 'to alone']), 'one node lost'],
    rows: ['a machine alone', ...nodes.map((_, i) => String(i + 1))].map((name, count) => [
      name,
      ...REPORT_RATES.flatMap(rate => {
        const lookups = perSecond(count, rate);
        return [lookups.toFixed(0), (lookups / perSecond(0, rate)).toFixed(2)];
      }),
      // The others have its lookups then.
      count < 2 ? '0' : perSecond(count - 1, 0).toFixed(0),
    ]),
    loss,
  };
}

/** The share of its time that a node may work, with pauses as in lab/scaling.md. @param work microseconds of a lookup */
function highestLoad(work: number): number {
  const { pausesPerSecond, pauseMicroseconds } = measuredCosts();
  const p99 = (load: number): number =>
    simulateFanOut({
      ...{ shards: 1, keys: 1, copies: 1, frontWork: work, shardWork: 0, network: 0, load },
      ...{ pausesPerSecond, pauseMicroseconds, timeout: 0, hedge: Number.POSITIVE_INFINITY },
      ...{ requests: SIMULATED, seed: 1 },
    }).p99;
  let [low, high] = [0, LOAD_MAX];
  for (let i = 0; i < BISECTIONS; i++) {
    const load = (low + high) / 2;
    if (p99(load) <= P99_MICROSECONDS) low = load;
    else high = load;
  }
  return low;
}
