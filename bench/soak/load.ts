// The mixed load of a soak: recorded requests of the corpus for all routes that find something, and contributors.
// Requests are due at even times, whether earlier ones are answered or not, and their latency counts from the time at
// which they were due. Contributors keep pace with the requests, so that the rate says how much of everything is sent.

import { setTimeout as delay } from 'node:timers/promises';
import type { RequestSource } from '../../test/fuzz/draw_request.ts';
import { Wire } from '../../test/fuzz/wire.ts';
import type { ServiceProcess } from '../../test/kits/service_process.ts';
import { type Contributor, makeContributors } from '../../test/service/contributor.ts';

/** What was measured since the last look. */
export interface Measured {
  requests: number;
  contributions: number;
  /** Milliseconds. */
  latencies: number[];
  /** Answers that are faults, and requests without an answer. */
  faults: string[];
}

const CONNECTIONS = 16;
const FIRST_FAULT = 500;
const BUSY = 503;
/** One contribution, of about eighteen reports in the mean, for so many requests. */
const REQUESTS_A_CONTRIBUTION = 20;
const LOOK_MILLISECONDS = 10;
const CONTRIBUTOR_CREDITS = 1_000_000_000;

/** Loads a service until it is told to stop. */
export class SoakLoad {
  measured: Measured = { requests: 0, contributions: 0, latencies: [], faults: [] };
  private readonly service: ServiceProcess;
  private readonly source: RequestSource;
  private isOver = false;
  /** Contributions that are due, less those that were sent. */
  private owed = 0;
  private running: Promise<unknown> | undefined;

  constructor(service: ServiceProcess, source: RequestSource) {
    this.service = service;
    this.source = source;
  }

  /** Starts. @param rate requests a second; without it each connection asks again when it is answered */
  async start(seed: number, rate?: number): Promise<void> {
    this.isOver = false;
    this.owed = 0;
    const { contributors } = await makeContributors(this.service, CONTRIBUTOR_CREDITS, seed);
    const everyMilliseconds = rate === undefined ? 0 : (1000 * CONNECTIONS) / rate;
    const contributing = contributors.slice(0, 2).map(contributor => this.contribute(contributor));
    const asking = Array.from({ length: CONNECTIONS }, (_, i) => this.ask(seed, i, everyMilliseconds));
    this.running = Promise.all([...contributing, ...asking]);
  }

  /** What was measured since the last call. */
  take(): Measured {
    const { measured } = this;
    this.measured = { requests: 0, contributions: 0, latencies: [], faults: [] };
    return measured;
  }

  /** Ends the load, and waits for the answers under way. */
  async stop(): Promise<void> {
    this.isOver = true;
    await this.running;
  }

  private async contribute(contributor: Contributor): Promise<void> {
    while (!this.isOver) {
      if (this.owed < 1) {
        await delay(LOOK_MILLISECONDS);
        continue;
      }
      this.owed--;
      try {
        await contributor.contribute(this.service.url, () => false);
        contributor.forget();
      } catch (error) {
        this.measured.faults.push((error as Error).message);
      }
      this.measured.contributions++;
    }
  }

  private async ask(seed: number, connection: number, everyMilliseconds: number): Promise<void> {
    const wire = new Wire(this.service.port);
    let dueMs = performance.now() + (everyMilliseconds * connection) / CONNECTIONS;
    for (let number = connection; !this.isOver; number += CONNECTIONS) {
      const early = dueMs - performance.now();
      if (early > 1) await delay(early);
      const { bytes, method, path } = this.source.recorded(seed + number);
      const beganMs = everyMilliseconds === 0 ? performance.now() : dueMs;
      try {
        const { status } = await wire.ask(bytes, method === 'HEAD');
        if (status >= FIRST_FAULT && status !== BUSY)
          this.measured.faults.push(`${method} ${path.slice(0, 100)} was answered ${status}.`);
      } catch (error) {
        wire.close();
        this.measured.faults.push((error as Error).message);
      }
      this.measured.latencies.push(performance.now() - beganMs);
      this.measured.requests++;
      this.owed += 1 / REQUESTS_A_CONTRIBUTION;
      dueMs += everyMilliseconds;
    }
    wire.close();
  }
}
