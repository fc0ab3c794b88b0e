// How many observations a second does the service take in and learn from, and what do lookups cost meanwhile? An
// observation is one station in one report. It counts if it was acknowledged over HTTP and is in the station tables
// when the clock stops. The clock stops when the whole log is aggregated.
//
//   idle        lookups alone, open loop
//   saturated   two contributors that send as fast as they are answered, with lookups: the most that the service can do
//   paced       batches at a fixed rate, somewhat above the promise, with lookups: the cost of lookups meanwhile
//
// Stations are imported first. After some minutes of load they have as many reference points as they can have, so the
// saturated part comes before the paced one.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { observationsIn } from '../src/radio/query/stored.ts';
import { ObservationLog } from '../src/tables/observations/observation_log.ts';
import {
  currentGeneration,
  type Generation,
  generationPath,
  openGeneration,
} from '../src/tables/stations/generation.ts';
import { KnowledgeTables } from '../src/tables/stations/knowledge.ts';
import { prepareWorld, type WorldData } from './data_folders.ts';
import { compileGenerator, runSlice, type SliceResult } from './load/generator.ts';
import { describeMachine, probeStealTime, type StealTime } from './machine.ts';
import { writeBatchFile } from './reports.ts';
import { renderBody, scanAt, writeRequestFile } from './requests.ts';
import { printTable, type Result, type Table } from './result.ts';
import {
  freePorts,
  type Server,
  startSextant,
  stopServers,
  threadSeconds,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { percentileMicroseconds } from './statistics.ts';
import { createWorld, type World } from './world.ts';

const STATIONS = 50_000;
const REPORTS_A_BATCH = 100;
/** Batches drawn for each second of load: more than are sent, because a batch that is sent again does not count. */
const BATCHES_A_SECOND = 24;
const SENDERS = 2;
const LOOKUPS_A_SECOND = 200;
const LOOKUP_CONNECTIONS = 32;
const LOOKUP_REQUESTS = 20_000;
const POLL_MILLISECONDS = 20;

const PROMISED_A_SECOND = 12_000;
/** What the paced part offers on average: arrivals are random, and the drain takes time. */
const OFFERED_A_SECOND = 15_000;
const P50_TO_IDLE = 1.5;
/** Threads that use less of a core are not listed. */
const BUSY_SHARE = 0.01;

const SEXTANT = fileURLToPath(new URL('../src/sextant.js', import.meta.url));

/** One part of the run. */
interface Part {
  name: string;
  lookups: SliceResult;
  /** Of contributions; undefined while there are none. */
  load: SliceResult | undefined;
  reports: number;
  /** From the first batch until all that was acknowledged was learned. */
  seconds: number;
  drainSeconds: number;
  /** The greatest number of reports that were acknowledged but not yet learned. */
  backlogReports: number;
  /** Processor time by thread, seconds. */
  threads: Map<string, number>;
  loss: StealTime[];
}

/** Runs the three parts, each with so many seconds of load. @param calibrate SEXTANT_CALIBRATE of the service */
export async function benchLearn(seed: number, seconds: number, calibrate: string): Promise<Result> {
  const world = createWorld(STATIONS, seed);
  const data = await prepareWorld(world);
  const folder = mkdtempSync(join(tmpdir(), 'sextant-learn-'));
  try {
    return await measureIn(folder, world, data, seconds, calibrate);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureIn(
  folder: string,
  world: World,
  data: WorldData,
  seconds: number,
  calibrate: string,
): Promise<Result> {
  const copy = join(folder, 'data');
  cpSync(data.folder, copy, { recursive: true });
  const keys = [createContributor(copy), createContributor(copy)];
  const lookups = join(folder, 'lookups.bin');
  writeRequestFile(lookups, world, LOOKUP_REQUESTS, data.key);
  const batches = join(folder, 'batches.bin');
  const file = writeBatchFile(batches, world, BATCHES_A_SECOND * seconds, REPORTS_A_BATCH, keys);
  const later = join(folder, 'later.bin');
  writeBatchFile(later, world, BATCHES_A_SECOND * seconds, REPORTS_A_BATCH, keys, file.reports);
  const pace = OFFERED_A_SECOND / (file.observations / file.batches);
  const [port] = await freePorts(1);
  const server = startSextant('learn', port, { SEXTANT_DATA: copy, SEXTANT_CALIBRATE: calibrate });
  const parts: Part[] = [];
  try {
    await waitUntilAnswering(server, `/?key=${data.key}`, renderBody(scanAt(world, 0)));
    await waitUntilQuiet([server]);
    const watch = new Watch(copy);
    const measure = async (name: string, load?: { file: string; ratePerSecond?: number }): Promise<void> => {
      await waitUntilQuiet([server]);
      parts.push(await measurePart(server, watch, { name, seconds, lookups, seed: world.seed + parts.length, load }));
    };
    // The first lookups compile the server's functions.
    await measure('warm-up');
    parts.length = 0;
    await measure('idle');
    await measure('saturated', { file: batches });
    await measure('idle again');
    await measure('paced', { file: later, ratePerSecond: pace });
    await watch.close();
  } finally {
    await stopServers([server]);
  }
  return resultOf(parts, await countObservations(copy, parts), world, seconds, calibrate, file.batchBytes);
}

/** Makes a key that may contribute but is not trusted. @returns the key */
function createContributor(folder: string): string {
  const created = execFileSync(process.execPath, [SEXTANT, 'keys', 'create', '--contributor'], {
    env: { SEXTANT_DATA: folder },
    encoding: 'utf8',
  });
  return (JSON.parse(created) as { key: string }).key;
}

async function measurePart(
  server: Server,
  watch: Watch,
  part: {
    name: string;
    seconds: number;
    lookups: string;
    seed: number;
    load: { file: string; ratePerSecond?: number } | undefined;
  },
): Promise<Part> {
  const generator = compileGenerator();
  const loss = await probeStealTime();
  const common = { port: server.port, warmMilliseconds: 0, measureMilliseconds: part.seconds * 1000, seed: part.seed };
  const before = threadSeconds(server);
  const progress = watch.learned();
  const start = performance.now();
  watch.start();
  const lookupSlice = runSlice(generator, {
    ...common,
    requestFile: part.lookups,
    connections: LOOKUP_CONNECTIONS,
    ratePerSecond: LOOKUPS_A_SECOND,
  });
  const loadSlice =
    part.load === undefined
      ? undefined
      : runSlice(generator, {
          ...common,
          requestFile: part.load.file,
          connections: part.load.ratePerSecond === undefined ? SENDERS : SENDERS * 8,
          ...(part.load.ratePerSecond === undefined ? {} : { ratePerSecond: part.load.ratePerSecond }),
        });
  const [load, lookups] = await Promise.all([loadSlice, lookupSlice]);
  const acknowledgedMs = performance.now();
  await watch.drained();
  const end = performance.now();
  const after = threadSeconds(server);
  return {
    name: part.name,
    lookups,
    load,
    reports: watch.learned() - progress,
    seconds: (end - start) / 1000,
    drainSeconds: (end - acknowledgedMs) / 1000,
    backlogReports: watch.stop(),
    threads: new Map([...after].map(([thread, total]) => [thread, total - (before.get(thread) ?? 0)])),
    loss,
  };
}

/** Follows from outside how far the log and the tables are. */
class Watch {
  private readonly log: ObservationLog;
  private readonly generation: Generation;
  private readonly knowledge: KnowledgeTables;
  private timer: NodeJS.Timeout | undefined;
  private backlog = 0;

  constructor(folder: string) {
    this.log = new ObservationLog(folder, 'commit');
    this.generation = openGeneration(generationPath(folder, currentGeneration(folder)!));
    this.knowledge = new KnowledgeTables(this.generation);
  }

  /** Number of the last report in the tables. */
  learned(): number {
    this.generation.root.resetReadTxn();
    const { progress } = this.knowledge;
    this.generation.root.resetReadTxn();
    return progress;
  }

  start(): void {
    this.backlog = 0;
    this.timer = setInterval(() => this.behind(), 500);
  }

  /** Resolves when the whole log is in the tables. */
  async drained(): Promise<void> {
    while (this.behind() > 0) await new Promise(resolve => setTimeout(resolve, POLL_MILLISECONDS));
  }

  /** @returns the greatest backlog since `start`, reports */
  stop(): number {
    clearInterval(this.timer);
    return this.backlog;
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.generation.root.close();
  }

  private behind(): number {
    const behind = this.log.lastSequence - this.learned();
    this.backlog = Math.max(this.backlog, behind);
    return behind;
  }
}

/** Observations of each part, counted in the log, which holds a repeated batch once. */
async function countObservations(folder: string, parts: readonly Part[]): Promise<number[]> {
  const log = new ObservationLog(folder, 'commit');
  let next = 1;
  const counts = parts.map(({ reports }) => {
    let observations = 0;
    for (const end = next + reports; next < end; ) {
      for (const { report } of log.read(next, Math.min(1000, end - next))) {
        observations += observationsIn(report.observations.length);
        next++;
      }
    }
    return observations;
  });
  await log.close();
  return counts;
}

function resultOf(
  parts: readonly Part[],
  observations: readonly number[],
  world: World,
  seconds: number,
  calibrate: string,
  batchBytes: number,
): Result {
  const title =
    `${STATIONS} access points, batches of ${REPORTS_A_BATCH} reports and ${(batchBytes / 1024).toFixed(0)} KiB, ` +
    `every other one compressed, ${LOOKUPS_A_SECOND} lookups/s, ${seconds} s each, calibration ${calibrate}`;
  const idle = percentileMicroseconds(parts[0].lookups.latency, 0.5);
  const idleAgain = percentileMicroseconds(parts[2].lookups.latency, 0.5);
  const figures = parts.map((part, i) => ({
    part: part.name,
    observations: observations[i],
    perSecond: observations[i] / part.seconds,
    drainSeconds: part.drainSeconds,
    backlogReports: part.backlogReports,
    p50: percentileMicroseconds(part.lookups.latency, 0.5),
    p99: percentileMicroseconds(part.lookups.latency, 0.99),
    // The base of a part is the idle part right before it.
    toIdle: percentileMicroseconds(part.lookups.latency, 0.5) / (i < 2 ? idle : idleAgain),
    batchP50: part.load === undefined ? undefined : percentileMicroseconds(part.load.latency, 0.5) / 1000,
    generatorCores: (part.lookups.cpuSeconds + (part.load?.cpuSeconds ?? 0)) / part.seconds,
    threads: Object.fromEntries([...part.threads].filter(([, taken]) => taken / part.seconds > BUSY_SHARE)),
    loss: part.loss,
  }));
  const throughput: Table = {
    title: `Learning: ${title}`,
    columns: [
      'part',
      'observations/s',
      'drain s',
      'backlog reports',
      'batch p50 ms',
      'lookup p50 us',
      'p99 us',
      'p50 to idle',
      'generator cores',
    ],
    rows: figures.map(figure => [
      figure.part,
      figure.perSecond.toFixed(0),
      figure.drainSeconds.toFixed(2),
      String(figure.backlogReports),
      figure.batchP50?.toFixed(1) ?? '',
      figure.p50.toFixed(0),
      figure.p99.toFixed(0),
      figure.toIdle.toFixed(2),
      figure.generatorCores.toFixed(2),
    ]),
    loss: parts[1].loss,
  };
  const names = [...new Set(figures.flatMap(({ threads }) => Object.keys(threads)))];
  const threads: Table = {
    title: 'Learning: processor time of the service by thread, share of a core (microseconds an observation)',
    columns: ['thread', ...figures.map(({ part }) => part)],
    rows: [...names, 'all'].map(name => [
      name,
      ...parts.map((part, i) => {
        const taken =
          name === 'all'
            ? [...part.threads.values()].reduce((sum, value) => sum + value, 0)
            : (part.threads.get(name) ?? 0);
        const each = observations[i] === 0 ? '' : ` (${((taken * 1e6) / observations[i]).toFixed(1)})`;
        return `${(taken / part.seconds).toFixed(2)}${each}`;
      }),
    ]),
    loss: parts[3].loss,
  };
  printTable(throughput);
  printTable(threads);
  const paced = figures[3];
  return {
    bench: 'learn',
    date: new Date().toISOString(),
    machine: describeMachine(),
    settings: { seconds, stations: world.accessPoints, seed: world.seed, offeredPerSecond: OFFERED_A_SECOND },
    tables: [throughput, threads],
    promises: [
      {
        promise:
          `acknowledged and learned, drain included: at least ${PROMISED_A_SECOND} observations/s with lookups ` +
          `beside`,
        figure:
          `${paced.perSecond.toFixed(0)} of ${OFFERED_A_SECOND} offered, ${figures[1].perSecond.toFixed(0)} at ` +
          `most`,
        met: paced.perSecond >= PROMISED_A_SECOND,
      },
      {
        promise: `lookup p50 meanwhile at most ${P50_TO_IDLE} times idle`,
        figure: paced.toIdle.toFixed(2),
        met: paced.toIdle <= P50_TO_IDLE,
      },
    ],
    rounds: figures,
  };
}
