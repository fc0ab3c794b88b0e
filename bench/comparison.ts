// Compares variants of a server, all running at once and loaded in turns with the same requests: the floor, the floor a
// second time as control (its difference from the floor is the noise of the run), the floor on `node:http` alone, and
// Sextant with its core inline, in the pool, or where `auto` puts it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnswerCheck, checkAnswers } from './check_answers.ts';
import { prepareFolder, removeFolder, type WorldData } from './data_folders.ts';
import { compileGenerator, runSlice, type SliceResult } from './load/generator.ts';
import { renderBody, scanAt, writeRequestFile } from './requests.ts';
import {
  followWaitedCharges,
  freePorts,
  type Nanoseconds,
  nanosecondsSince,
  processorNanoseconds,
  residentMegabytes,
  type Server,
  startFloor,
  startRawFloor,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from './server.ts';
import { mergeHistograms } from './statistics.ts';
import { SECTORS, type World } from './world.ts';

export type Variant = 'floor' | 'control' | 'raw' | 'inline' | 'pool' | 'auto';

/**
 * Distinct requests: enough stations to overflow the caches of a processor, with ten million stations in the tables. A
 * small world has fewer.
 */
const REQUESTS = 60_000;
/** HTTP threads that one generator process can easily keep busy. */
const THREADS_A_GENERATOR = 4;
const WARM_MILLISECONDS = 300;
/** A service tells within a second how many charges waited. */
const TELL_MILLISECONDS = 1_500;

/** The slice of one variant. */
export interface Measured extends SliceResult {
  variant: Variant;
  seconds: number;
  requestsPerSecond: number;
  /** Processor time of the server's HTTP threads per request, microseconds. */
  httpMicroseconds: number;
  /** The same of all of its threads. */
  serverMicroseconds: number;
  generatorMicroseconds: number;
  /** Cores that server and generator kept busy together. */
  coresBusy: number;
}

/** The load of a slice. Without a rate it is a closed loop. */
export interface Pace {
  milliseconds: number;
  connections: number;
  ratePerSecond?: number;
  seed: number;
}

export interface Comparison {
  /** Mean bytes of a request body. */
  readonly bodyBytes: number;
  /** The check of the answers of Sextant's variants. */
  readonly answers: ReadonlyMap<Variant, AnswerCheck>;
  measure(variant: Variant, pace: Pace): Promise<Measured>;
  /** Charges that waited for the writer so far, of each of Sextant's variants. */
  waitedCharges(): Promise<Map<Variant, number>>;
  /** Current resident memory of each server, megabytes. */
  memory(): Record<string, number>;
  close(): Promise<void>;
}

/**
 * Starts the variants, each with this number of HTTP threads and as many workers, and waits until all answer.
 * @param data stations and key; undefined if there are only floors
 */
export async function openComparison(
  variants: readonly Variant[],
  threads: number,
  world: World,
  data: WorldData | undefined,
): Promise<Comparison> {
  const generator = compileGenerator();
  const folder = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
  const key = data?.key ?? 'no-key-is-asked-for-by-the-floor';
  const requestFile = join(folder, 'requests.bin');
  const bodyBytes = writeRequestFile(requestFile, world, Math.min(REQUESTS, world.accessPoints), key);
  const ports = await freePorts(variants.length);
  const servers = new Map(
    variants.map((variant, i) => [variant, startVariant(variant, ports[i], threads, world, data)]),
  );
  const waited = [...servers]
    .filter(([variant]) => !isFloor(variant))
    .map(([variant, server]) => [variant, followWaitedCharges(server)] as const);
  const answers = new Map<Variant, AnswerCheck>();
  const close = async () => {
    await stopServers([...servers.values()]);
    rmSync(folder, { recursive: true });
    for (const variant of variants) if (data !== undefined) removeFolder(data, variant);
  };
  try {
    for (const server of servers.values())
      await waitUntilAnswering(server, `/?key=${key}`, renderBody(scanAt(world, 0)));
    await waitUntilQuiet([...servers.values()]);
    for (const [variant, server] of servers) {
      if (!isFloor(variant)) answers.set(variant, await checkAnswers(server, world, `/?key=${key}`));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const measure = async (variant: Variant, pace: Pace): Promise<Measured> => {
    const server = servers.get(variant);
    if (server === undefined) throw new Error(`${variant} takes no part in this comparison.`);
    const generators = Math.ceil(threads / THREADS_A_GENERATOR);
    const before = processorNanoseconds(server);
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
    return summarise(
      variant,
      slices,
      pace.milliseconds / 1000,
      elapsed,
      nanosecondsSince(before, processorNanoseconds(server)),
    );
  };
  const waitedCharges = async () => {
    await new Promise(resolve => setTimeout(resolve, TELL_MILLISECONDS));
    return new Map(waited.map(([variant, count]) => [variant, count()]));
  };
  const memory = () =>
    Object.fromEntries([...servers].map(([variant, server]) => [variant, residentMegabytes(server)]));
  return { bodyBytes, answers, measure, waitedCharges, memory, close };
}

function isFloor(variant: Variant): boolean {
  return variant === 'floor' || variant === 'control' || variant === 'raw';
}

function startVariant(
  variant: Variant,
  port: number,
  threads: number,
  world: World,
  data: WorldData | undefined,
): Server {
  if (isFloor(variant)) return (variant === 'raw' ? startRawFloor : startFloor)(variant, port, threads);
  if (data === undefined) throw new Error(`${variant} needs a data folder.`);
  return startSextant(variant, port, {
    SEXTANT_DATA: prepareFolder(data, variant),
    SEXTANT_HTTP_THREADS: String(threads),
    SEXTANT_WORKERS: String(threads),
    SEXTANT_COMPUTE: variant,
    SEXTANT_CACHE_MB: String(cacheMegabytes(world)),
    // For waitedCharges: nothing is logged for single requests.
    SEXTANT_LOG_LEVEL: 'debug',
  });
}

/** 33 bytes for each station, the promised memory: speed is measured with no more. */
export function cacheMegabytes(world: World): number {
  return Math.ceil(((world.accessPoints + world.sites * SECTORS) * 33) / 2 ** 20);
}

function summarise(
  variant: Variant,
  slices: SliceResult[],
  seconds: number,
  elapsed: number,
  server: Nanoseconds,
): Measured {
  const sum = (field: Exclude<keyof SliceResult, 'latency'>) =>
    slices.reduce((total, slice) => total + slice[field], 0);
  const answered = sum('answered');
  const cpuSeconds = sum('cpuSeconds');
  return {
    variant,
    seconds,
    arrived: sum('arrived'),
    sent: sum('sent'),
    answered,
    measured: sum('measured'),
    completed: sum('completed'),
    succeeded: sum('succeeded'),
    notFound: sum('notFound'),
    failed: sum('failed'),
    cpuSeconds,
    latency: mergeHistograms(slices.map(slice => slice.latency)),
    requestsPerSecond: sum('measured') / seconds,
    httpMicroseconds: server.http / 1000 / answered,
    serverMicroseconds: server.process / 1000 / answered,
    generatorMicroseconds: (cpuSeconds * 1e6) / answered,
    coresBusy: (server.process / 1e9 + cpuSeconds) / elapsed,
  };
}
