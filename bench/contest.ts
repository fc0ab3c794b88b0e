// The rivals of one measurement, all alive at once and asked in turns with the same requests: the floor, the floor a second time as control (what
// it differs from itself is the noise of the run), and Sextant with its core inline, in the pool, or where `auto` puts it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnswerCheck, checkAnswers } from './answers.ts';
import { compileGenerator, runSlice, type SliceResult } from './load/generator.ts';
import { prepareFolder, removeFolder, type WorldData } from './load_world.ts';
import { renderBody, sightingAt, writeRequestFile } from './requests.ts';
import {
  freePorts,
  processorSeconds,
  residentMegabytes,
  type Server,
  startFloor,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { mergeHistograms } from './statistics.ts';
import { SECTORS, type World } from './world.ts';

export type Rival = 'floor' | 'control' | 'inline' | 'pool' | 'auto';

/** Distinct requests: enough that the stations they name overflow a processor's caches at ten million stations. */
const REQUESTS = 60_000;
/** HTTP threads that one generator process keeps busy with room to spare. */
const THREADS_A_GENERATOR = 4;
const WARM_MILLISECONDS = 300;

/** One rival's slice. */
export interface Measured extends SliceResult {
  rival: Rival;
  seconds: number;
  requestsPerSecond: number;
  /** Processor time of the server per request, microseconds. */
  serverMicroseconds: number;
  generatorMicroseconds: number;
  /** Cores that server and generator kept busy together. */
  coresBusy: number;
}

/** How a slice is loaded: closed loop without a rate. */
export interface Pace {
  milliseconds: number;
  connections: number;
  ratePerSecond?: number;
  seed: number;
}

export interface Contest {
  /** Mean bytes of a request body. */
  readonly bodyBytes: number;
  /** What the answers of Sextant's variants were worth. */
  readonly answers: ReadonlyMap<Rival, AnswerCheck>;
  measure(rival: Rival, pace: Pace): Promise<Measured>;
  /** Resident memory of each server now, megabytes. */
  memory(): Record<string, number>;
  close(): Promise<void>;
}

/**
 * Starts the rivals with so many HTTP threads each (and as many workers) and waits until all answer.
 * @param data stations and key; undefined where only floors compete
 */
export async function openContest(rivals: readonly Rival[], threads: number, world: World, data: WorldData | undefined): Promise<Contest> {
  const generator = compileGenerator();
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const key = data?.key ?? 'no-key-is-asked-for-by-the-floor';
  const requestFile = join(folder, 'requests.bin');
  const bodyBytes = writeRequestFile(requestFile, world, REQUESTS, key);
  const ports = await freePorts(rivals.length);
  const servers = new Map(rivals.map((rival, i) => [rival, startRival(rival, ports[i], threads, world, data)]));
  const answers = new Map<Rival, AnswerCheck>();
  const close = async () => {
    await stopServers([...servers.values()]);
    rmSync(folder, { recursive: true });
    for (const rival of rivals) if (data !== undefined) removeFolder(data, rival);
  };
  try {
    for (const server of servers.values()) await waitUntilAnswering(server, `/?key=${key}`, renderBody(sightingAt(world, 0)));
    await waitUntilQuiet([...servers.values()]);
    for (const [rival, server] of servers) {
      if (rival !== 'floor' && rival !== 'control') answers.set(rival, await checkAnswers(server, world, `/?key=${key}`));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const measure = async (rival: Rival, pace: Pace): Promise<Measured> => {
    const server = servers.get(rival);
    if (server === undefined) throw new Error(`${rival} takes no part in this contest.`);
    const generators = Math.ceil(threads / THREADS_A_GENERATOR);
    const before = processorSeconds(server);
    const start = performance.now();
    const slices = await Promise.all(
      Array.from({ length: generators }, (_, i) =>
        runSlice(generator, {
          port: server.port,
          requestFile,
          connections: Math.ceil(pace.connections / generators),
          warmMilliseconds: WARM_MILLISECONDS,
          measureMilliseconds: pace.milliseconds,
          ...(pace.ratePerSecond === undefined ? {} : { ratePerSecond: pace.ratePerSecond / generators }),
          seed: pace.seed * generators + i,
        }),
      ),
    );
    const elapsed = (performance.now() - start) / 1000;
    return summarise(rival, slices, pace.milliseconds / 1000, elapsed, processorSeconds(server) - before);
  };
  const memory = () => Object.fromEntries([...servers].map(([rival, server]) => [rival, residentMegabytes(server)]));
  return { bodyBytes, answers, measure, memory, close };
}

function startRival(rival: Rival, port: number, threads: number, world: World, data: WorldData | undefined): Server {
  if (rival === 'floor' || rival === 'control') return startFloor(rival, port, threads);
  if (data === undefined) throw new Error(`${rival} needs a data folder.`);
  return startSextant(rival, port, {
    SEXTANT_DATA: prepareFolder(data, rival),
    SEXTANT_HTTP_THREADS: String(threads),
    SEXTANT_WORKERS: String(threads),
    SEXTANT_COMPUTE: rival,
    SEXTANT_CACHE_MB: String(cacheMegabytes(world)),
  });
}

/** The 33 bytes a station that DESIGN allows: speed is measured with the memory that is promised. */
function cacheMegabytes(world: World): number {
  return Math.ceil(((world.accessPoints + world.sites * SECTORS) * 33) / 2 ** 20);
}

function summarise(rival: Rival, slices: SliceResult[], seconds: number, elapsed: number, serverSeconds: number): Measured {
  const sum = (field: Exclude<keyof SliceResult, 'latency'>) => slices.reduce((total, slice) => total + slice[field], 0);
  const answered = sum('answered');
  const cpuSeconds = sum('cpuSeconds');
  return {
    rival,
    seconds,
    sent: sum('sent'),
    answered,
    measured: sum('measured'),
    succeeded: sum('succeeded'),
    notFound: sum('notFound'),
    failed: sum('failed'),
    cpuSeconds,
    latency: mergeHistograms(slices.map(slice => slice.latency)),
    requestsPerSecond: sum('measured') / seconds,
    serverMicroseconds: (serverSeconds * 1e6) / answered,
    generatorMicroseconds: (cpuSeconds * 1e6) / answered,
    coresBusy: (serverSeconds + cpuSeconds) / elapsed,
  };
}
