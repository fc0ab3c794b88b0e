// What does a cluster cost a report, and when do all nodes answer with it?
//
// Cost: a machine alone and a node that does not learn get the same number of reports in turns, one in each request.
// Processor time counts from the first report until all have long been learned, less what the same processes use in so
// much time without reports.
//
// Lag: a report names two access points that nobody has heard, twice, with a key that is trusted. From its
// acknowledgement on, all nodes are asked for a position by these two, until each has answered with one.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { shuffled, uniform } from '../../test/kits/random.ts';
import { compileGenerator, runSlice } from '../load/generator.ts';
import type { StealTime } from '../machine.ts';
import { reportAt, writeBatchFile } from '../reports.ts';
import type { Table } from '../result.ts';
import { processNanoseconds, type Server } from '../server.ts';
import { median } from '../statistics.ts';
import type { Cluster } from './nodes.ts';

const REPORTS_A_SLICE = 1_000;
const SENDERS = 4;
/** After the last report, until all are learned and written on all nodes. */
const LEARNING_MILLISECONDS = 4_000;
const IDLE_MILLISECONDS = 10_000;
/** Between two reports whose lag is measured. */
const APART_MILLISECONDS = 270;
/** The stream of other reports. */
const STREAM_A_SECOND = 100;
const STREAM_CONNECTIONS = 2;
/** Number of its first report, after those of all slices; with a higher one its time would be in the future. */
const FIRST_OF_STREAM = 50_000;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2026-03-01T10:00:00Z');

/** What a report costs, in each round. */
export interface ReportCosts {
  /** Microseconds of processor time for a report, by process. */
  microseconds: Map<string, number[]>;
  /** Milliseconds until a report was acknowledged, all of them. */
  alone: number[];
  node: number[];
  /** Share of a core that each process uses without load. */
  idleCores: Map<string, number>;
}

/** Measures both in turns. @param first number of the first report */
export async function measureReports(cluster: Cluster, rounds: number): Promise<ReportCosts> {
  const learner = await cluster.learner();
  const [receiver, other] = cluster.nodes.filter((_, number) => number !== learner);
  const pids = new Map<string, number[]>([
    ['a machine alone', [cluster.alone.process.pid!]],
    ['the node that takes it', [receiver.process.pid!]],
    ['the learner', [cluster.nodes[learner].process.pid!]],
    ['a node that only follows', [other.process.pid!]],
    ['the servers of NATS', cluster.nats.map(({ pid }) => pid)],
  ]);
  const nanoseconds = () =>
    [...pids.values()].map(group => group.reduce((sum, pid) => sum + processNanoseconds(pid), 0));
  const during = async (work: () => Promise<unknown>): Promise<{ taken: number[]; elapsed: number }> => {
    const [before, beganMs] = [nanoseconds(), performance.now()];
    await work();
    return {
      taken: nanoseconds().map((now, i) => now - before[i]),
      elapsed: (performance.now() - beganMs) * 1e6,
    };
  };
  const idle = await during(() => delay(IDLE_MILLISECONDS));
  const cores = idle.taken.map(taken => taken / idle.elapsed);
  const names = [...pids.keys()];
  const costs: ReportCosts = {
    microseconds: new Map(names.map(name => [name, []])),
    alone: [],
    node: [],
    idleCores: new Map(names.map((name, i) => [name, cores[i]])),
  };
  const random = uniform(cluster.world.seed);
  for (let round = -1; round < rounds; round++) {
    for (const server of shuffled([cluster.alone, receiver], random)) {
      let latencies: number[] = [];
      const { taken, elapsed } = await during(async () => {
        latencies = await sendSlice(cluster, server, (round + 1) * REPORTS_A_SLICE);
        await delay(LEARNING_MILLISECONDS);
      });
      if (round < 0) continue;
      const isAlone = server === cluster.alone;
      costs[isAlone ? 'alone' : 'node'].push(...latencies);
      for (const [i, name] of names.entries())
        if ((i === 0) === isAlone)
          costs.microseconds.get(name)!.push((taken[i] - cores[i] * elapsed) / 1000 / REPORTS_A_SLICE);
    }
  }
  return costs;
}

/** Sends the reports of a slice, one in a request. @returns milliseconds until each was acknowledged */
async function sendSlice(cluster: Cluster, server: Server, first: number): Promise<number[]> {
  const latencies: number[] = [];
  let next = first;
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (next < first + REPORTS_A_SLICE) {
        const item = reportAt(cluster.world, next++);
        const beganMs = performance.now();
        await cluster.report(server, [item]);
        latencies.push(performance.now() - beganMs);
      }
    }),
  );
  return latencies;
}

/** Processor time of a report, microseconds: on a machine alone, and the mean of those that take, learn and follow. */
export function reportMicroseconds({ microseconds }: ReportCosts): { alone: number; node: number } {
  const of = (name: string) => median(microseconds.get(name)!);
  const node = (of('the node that takes it') + of('the learner') + of('a node that only follows')) / 3;
  return { alone: of('a machine alone'), node };
}

/** What a report costs. */
export function reportTable({ microseconds, alone, node, idleCores }: ReportCosts, title: string, loss: StealTime[]) {
  const milliseconds = (latencies: readonly number[]) =>
    [0.5, 0.99].map(share => quantile(latencies, share).toFixed(1));
  const latencies = new Map([
    ['a machine alone', milliseconds(alone)],
    ['the node that takes it', milliseconds(node)],
  ]);
  return {
    title: `A report of one position, ${title}`,
    columns: ['process', 'us/report', 'acknowledged, p50 ms', 'p99 ms', 'without load, % of a core'],
    rows: Array.from(microseconds, ([name, values]) => [
      name,
      median(values).toFixed(0),
      ...(latencies.get(name) ?? ['', '']),
      (100 * idleCores.get(name)!).toFixed(1),
    ]),
    loss,
  } satisfies Table;
}

/** Milliseconds from the acknowledgement of a report until all nodes answer with it. */
export interface Lags {
  idle: number[];
  beside: number[];
}

/** Measures both. */
export async function measureLags(cluster: Cluster, folder: string, reports: number): Promise<Lags> {
  const idle = await lagsOf(cluster, 0, reports);
  const seconds = Math.ceil((reports * APART_MILLISECONDS) / 1000) + 2;
  const requestFile = join(folder, 'stream.bin');
  writeBatchFile(requestFile, cluster.world, STREAM_A_SECOND * seconds * 2, 1, [cluster.reportKey], FIRST_OF_STREAM);
  const stream = runSlice(compileGenerator(), {
    port: cluster.nodes[1].port,
    requestFile,
    connections: STREAM_CONNECTIONS,
    warmMilliseconds: 0,
    measureMilliseconds: seconds * 1000,
    ratePerSecond: STREAM_A_SECOND,
    seed: 1,
  });
  const beside = await lagsOf(cluster, reports, reports);
  await stream;
  return { idle, beside };
}

async function lagsOf(cluster: Cluster, first: number, count: number): Promise<number[]> {
  const lags: Promise<number>[] = [];
  for (let i = 0; i < count; i++) {
    lags.push(lagOf(cluster, first + i));
    await delay(APART_MILLISECONDS);
  }
  return Promise.all(lags);
}

async function lagOf(cluster: Cluster, number: number): Promise<number> {
  const wifiAccessPoints = [0, 1].map(more => ({ macAddress: addressOf(2 * number + more), signalStrength: -60 }));
  const items = [0, 1].map(day => ({
    timestamp: FIRST_MS + number * 60_000 + day * DAY_MS,
    position: { latitude: 49 + (number % 1000) / 1000, longitude: 8 + (number % 777) / 777, accuracy: 5 },
    wifiAccessPoints,
  }));
  await cluster.report(cluster.nodes[number % cluster.nodes.length], items);
  const acknowledgedMs = performance.now();
  await cluster.isAnsweredByAll(wifiAccessPoints);
  return performance.now() - acknowledgedMs;
}

/** An address that the world does not have. */
function addressOf(number: number): string {
  return `00:00:5e:${[16, 8, 0].map(shift => ((number >> shift) & 255).toString(16).padStart(2, '0')).join(':')}`;
}

/** How long a report takes to all nodes. */
export function lagTable({ idle, beside }: Lags, loss: StealTime[]): Table {
  const row = (name: string, lags: readonly number[]) => [
    name,
    String(lags.length),
    ...[0.5, 0.99, 1].map(share => quantile(lags, share).toFixed(0)),
  ];
  return {
    title: 'From the acknowledgement of a report until all nodes answer with it',
    columns: ['beside', 'reports', 'p50 ms', 'p99 ms', 'longest ms'],
    rows: [row('nothing', idle), row(`${STREAM_A_SECOND} other reports/s`, beside)],
    loss,
  };
}
