// What does the hop to a query worker add to a position? Queries over the demo town, in turns: computed in this thread,
// computed in a worker, and two wake-ups around as much idle work as a query is, which no hop between threads that
// sleep can undercut. (Without that work the thread that asks would hardly be asleep when it is woken.) Open loop at
// some rates, then a closed loop. Latency counts from the message that brings the query, as the event loop of an HTTP
// thread would. Run: node bench/micro/hop.ts [--rounds 10]

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { quantile } from '../../lab/evaluation/quantile.ts';
import { Compute, type ComputeMode } from '../../src/pool/compute.ts';
import { createDoorbell, Doorbell } from '../../src/pool/doorbell.ts';
import { QueryPool } from '../../src/pool/query_pool.ts';
import { RING_BYTES } from '../../src/pool/ring.ts';
import { createRunMemory, RunQueue } from '../../src/pool/run_queue.ts';
import { createRevision } from '../../src/tables/environment/revision.ts';
import { createLayerShare } from '../../src/tables/places/layer_share.ts';
import { WORKER_FILE } from '../../src/tasks/worker_files.ts';
import { Asked, makeDemoFolder, randomBodies } from '../../test/kits/radio/demo_queries.ts';
import { headerOf, readArguments } from '../command_line.ts';
import { median } from '../statistics.ts';
import type { HelperSetup, Pace } from './hop_threads.ts';

const RATES = [1000, 2000, 4000];
const SLICE_SECONDS = 0.5;
const CLOSED_QUERIES = 19_200;
const IN_FLIGHT = 64;
const WARM_QUERIES = 12_800;
const BODIES = 500;
const ACCESS_POINTS_MAX = 16;
/** About what a query over the demo town takes after a pause, in the worker alone. */
const WORK_MICROSECONDS = 35;

/** Answers query number `n`; a promise unless it does so at once. */
type Way = (n: number) => unknown;

interface Slice {
  microseconds: number[];
  perSecond: number;
  /** Processor time for a query, in microseconds: of this thread, and of the whole process. */
  here: number;
  process: number;
}

const { values } = readArguments(headerOf(import.meta.url), { options: { rounds: { type: 'string', default: '10' } } });
const folder = mkdtempSync(join(tmpdir(), 'sextant-hop-'));
const cache = await makeDemoFolder(folder);
const layers = createLayerShare();
const revision = createRevision();
const onError = (message: string): never => {
  throw new Error(message);
};
const options = { workerFile: WORKER_FILE, workers: 1, folder, cache, revision, layers, onError };
const pool = new QueryPool({ ...options, httpThreads: 1, ringBytes: RING_BYTES });
const pacer = startHelper({ role: 'pacer' });
const bare = { ring: new SharedArrayBuffer(8), runs: createRunMemory(), bell: createDoorbell() };
startHelper({ role: 'echo', channel: bare, workMicroseconds: WORK_MICROSECONDS });
const ways = new Map<string, Way>([
  ['inline', await computeWay('inline')],
  ['pool', await computeWay('pool')],
  [`wake-ups and ${WORK_MICROSECONDS} us of nothing`, wakeUps(new RunQueue(bare.runs), new Doorbell(bare.bell))],
]);

for (const way of ways.values()) await closedLoop(way, WARM_QUERIES);
for (const rate of RATES) await compare(`${rate} queries a second`, (way, round) => openLoop(way, rate, round + 1));
await compare(`closed loop, ${IN_FLIGHT} under way`, way => closedLoop(way, CLOSED_QUERIES));
rmSync(folder, { recursive: true });
process.exit(0);

function startHelper(workerData: HelperSetup): Worker {
  return new Worker(new URL('./hop_threads.ts', import.meta.url), { workerData });
}

async function computeWay(mode: ComputeMode): Promise<Way> {
  const compute = await Compute.open({ ...options, mode, queries: pool.channel(0) });
  const queries = randomBodies(BODIES, ACCESS_POINTS_MAX, 3).map(body => new Asked(body));
  return n => compute.submit(queries[n % BODIES])!;
}

/** Wakes a thread that wakes this one. */
function wakeUps(queue: RunQueue, bell: Doorbell): Way {
  return async () => {
    const slot = queue.post(0, 0);
    bell.ring();
    for (let seen = queue.replies; queue.stateOf(slot) === 'under way'; seen = queue.replies)
      await queue.nextReply(seen);
    queue.free(slot);
  };
}

async function compare(title: string, measure: (way: Way, round: number) => Promise<Slice>): Promise<void> {
  const slices = new Map<string, Slice[]>([...ways.keys()].map(name => [name, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, way] of round % 2 === 0 ? ways : [...ways].reverse())
      slices.get(name)!.push(await measure(way, round));
  }
  console.log(title);
  for (const [name, taken] of slices) {
    const of = (figure: (slice: Slice) => number): string => median(taken.map(figure)).toFixed(1);
    const at = (fraction: number): string => of(({ microseconds }) => quantile(microseconds, fraction));
    const [here, all, rate] = [of(slice => slice.here), of(slice => slice.process), of(slice => slice.perSecond)];
    console.log(
      `  ${name}: p50 ${at(0.5)} us, p99 ${at(0.99)} us; processor us here ${here}, process ${all}; ${rate} a second`,
    );
  }
}

/** Independent arrivals. */
function openLoop(way: Way, perSecond: number, seed: number): Promise<Slice> {
  const count = Math.round(perSecond * SLICE_SECONDS);
  return timed(
    microseconds =>
      new Promise(resolve => {
        pacer.removeAllListeners('message').on('message', async (n: number) => {
          const startMs = performance.now();
          await way(n);
          if (microseconds.push((performance.now() - startMs) * 1000) === count) resolve();
        });
        pacer.postMessage({ perSecond, count, seed } satisfies Pace);
      }),
  );
}

/** Each answer is followed by the next query, in another turn of the event loop. */
function closedLoop(way: Way, count: number): Promise<Slice> {
  return timed(async microseconds => {
    let n = 0;
    const client = async (): Promise<void> => {
      while (n < count) {
        const startMs = performance.now();
        await way(n++);
        microseconds.push((performance.now() - startMs) * 1000);
        await new Promise(resolve => setImmediate(resolve));
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, client));
  });
}

async function timed(run: (microseconds: number[]) => Promise<void>): Promise<Slice> {
  const microseconds: number[] = [];
  const [before, startMs] = [processorMicroseconds(), performance.now()];
  await run(microseconds);
  const [after, seconds] = [processorMicroseconds(), (performance.now() - startMs) / 1000];
  const queries = microseconds.length;
  return {
    microseconds,
    perSecond: queries / seconds,
    here: (after.here - before.here) / queries,
    process: (after.process - before.process) / queries,
  };
}

/** Processor time so far of this thread, the first of the process, and of all threads. */
function processorMicroseconds(): { here: number; process: number } {
  const of = (thread: string): number =>
    Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[0]) / 1000;
  const all = readdirSync('/proc/self/task').map(thread => ({ thread, microseconds: of(thread) }));
  return {
    here: all.find(({ thread }) => thread === String(process.pid))!.microseconds,
    process: all.reduce((sum, { microseconds }) => sum + microseconds, 0),
  };
}
