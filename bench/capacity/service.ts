// A service under load in a capacity report: one process of Sextant, and what one slice of load shows of it. An open
// loop: requests arrive when they are due, whatever the service does, and latency counts from that time.

import { readFileSync } from 'node:fs';
import { compileGenerator, runSlice } from '../load/generator.ts';
import {
  freePorts,
  type Nanoseconds,
  nanosecondsSince,
  processorNanoseconds,
  type Server,
  startSextant,
  stopServers,
  waitUntilAnswering,
  waitUntilQuiet,
} from '../server.ts';
import { countOf, type Histogram, percentileMicroseconds } from '../statistics.ts';
import type { MeasuredRate } from './fit.ts';
import type { Probe } from './prepare.ts';

const CONNECTIONS = 256;
const CLOSED_CONNECTIONS = 64;
const WARM_MILLISECONDS = 150;

/** How a service is started. */
export interface ServiceSettings {
  folder: string;
  probe: Probe;
  httpThreads: number;
  workers: number;
  cacheMegabytes: number;
  /** Folder for the profiles of all threads, written at the end. */
  profileFolder?: string;
}

/** One slice: latencies in microseconds, processor time for a request in microseconds. */
export interface SliceFigures extends MeasuredRate {
  /** Answers a second while the load lasted. */
  answers: number;
  /** The same in parts of the arrivals, about 1 if the service keeps pace. */
  answeredShare: number;
}

/** A slice with what is too large for a report. */
export interface MeasuredSlice extends SliceFigures {
  latency: Histogram;
  /** The time of the slice, microseconds of the system's monotonic clock. */
  from: number;
  to: number;
  /** Processor time of the service in the slice. */
  taken: Nanoseconds;
}

/** Memory of a process in megabytes: its own, which it needs, and pages of files, which the system can drop. */
export interface Memory {
  own: number;
  files: number;
}

/** A running service. Call `close` at the end. */
export class Service {
  private readonly server: Server;
  private readonly generator = compileGenerator();
  /** Under the profiler even an idle service is never quiet, so nothing waits for that. */
  private readonly isProfiled: boolean;
  private slices = 0;

  private constructor(server: Server, isProfiled: boolean) {
    this.server = server;
    this.isProfiled = isProfiled;
  }

  /** Starts it and waits until it answers and, unless it is profiled, has filled its cache. */
  static async start(settings: ServiceSettings): Promise<Service> {
    const { folder, probe, httpThreads, workers, cacheMegabytes, profileFolder } = settings;
    const [port] = await freePorts(1);
    const environment = {
      SEXTANT_DATA: folder,
      SEXTANT_HTTP_THREADS: String(httpThreads),
      SEXTANT_WORKERS: String(workers),
      SEXTANT_CACHE_MB: String(cacheMegabytes),
    };
    const flags =
      profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, '--cpu-prof-interval=500'];
    const server = startSextant('capacity', port, environment, { flags });
    try {
      await waitUntilAnswering(server, probe.path, probe.body);
      // With a profiler the warm-up gives the cache its time.
      if (profileFolder === undefined) await waitUntilQuiet([server]);
    } catch (error) {
      await stopServers([server]);
      throw error;
    }
    return new Service(server, profileFolder !== undefined);
  }

  /** Requests a second of a closed loop: about the most that the service can do. */
  async measureCapacity(requestFile: string, seconds: number): Promise<number> {
    const { measured } = await this.run(requestFile, seconds, undefined);
    return measured / seconds;
  }

  /** One slice of an open loop. @param hasAftermath the requests leave work behind, which is awaited and counted */
  async measure(requestFile: string, rate: number, seconds: number, hasAftermath: boolean): Promise<MeasuredSlice> {
    const before = processorNanoseconds(this.server);
    const from = monotonicMicroseconds();
    const result = await this.run(requestFile, seconds, rate);
    const to = monotonicMicroseconds();
    if (!this.isProfiled && (hasAftermath || result.sent !== result.answered)) await waitUntilQuiet([this.server]);
    const taken = nanosecondsSince(before, processorNanoseconds(this.server));
    const perRequest = (nanoseconds: number) => nanoseconds / 1000 / Math.max(1, result.answered);
    // Without any answer, nobody waited for less than the slice.
    const percentile = (share: number) =>
      result.measured === 0 ? seconds * 1e6 : percentileMicroseconds(result.latency, share);
    return {
      rate,
      samples: countOf(result.latency),
      answers: result.completed / seconds,
      answeredShare: result.completed / Math.max(1, result.arrived),
      p50: percentile(0.5),
      p99: percentile(0.99),
      p999: percentile(0.999),
      http: perRequest(taken.http),
      workers: perRequest(taken.workers),
      writer: perRequest(taken.writer),
      process: perRequest(taken.process),
      generator: perRequest(result.cpuSeconds * 1e9),
      latency: result.latency,
      from,
      to,
      taken,
    };
  }

  /** Memory now. */
  memory(): Memory {
    const status = readFileSync(`/proc/${this.server.process.pid}/status`, 'latin1');
    const megabytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)![1]) / 1024;
    return { own: megabytes('RssAnon') + megabytes('RssShmem'), files: megabytes('RssFile') };
  }

  async close(): Promise<void> {
    await stopServers([this.server]);
  }

  private run(requestFile: string, seconds: number, ratePerSecond: number | undefined) {
    this.slices++;
    return runSlice(this.generator, {
      port: this.server.port,
      requestFile,
      connections: ratePerSecond === undefined ? CLOSED_CONNECTIONS : CONNECTIONS,
      warmMilliseconds: WARM_MILLISECONDS,
      measureMilliseconds: Math.round(seconds * 1000),
      ...(ratePerSecond === undefined ? {} : { ratePerSecond, mayFallBehind: true }),
      seed: this.slices,
    });
  }
}

function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
