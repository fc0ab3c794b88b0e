// Which requests of an HTTP thread are traced, and when their steps end. It is decided when a request arrives, before
// anything is noted, and all others carry `undefined`. Records go to the main thread, which sends them to a collector
// (metrics/telemetry.ts).

import type { RequestRecord } from '../metrics/telemetry.ts';

/** Records wait for others at most so long, and at most so many. */
const WAIT_MILLISECONDS = 1_000;
const WAITING_MAX = 256;

/** The steps of a request that is traced. */
export class RequestTrace {
  readonly startedMs: number;
  readonly steps: RequestRecord['steps'] = [];
  private lastMs: number;

  /** @param startedMs of the clock of this thread */
  constructor(startedMs: number) {
    this.startedMs = startedMs;
    this.lastMs = startedMs;
  }

  /** A step ends now; it began with the end of the one before. */
  mark(name: string): void {
    const startMs = this.lastMs;
    this.lastMs = performance.now();
    this.steps.push({ name, startMs, endMs: this.lastMs });
  }
}

/** Chooses and sends. */
export class RequestTracer {
  private readonly share: number;
  private readonly send: (records: RequestRecord[]) => void;
  private waiting: RequestRecord[] = [];
  /** The body that was parsed last, and when that began; 0 = its request is not traced. */
  private parsed: Uint8Array | undefined;
  private parsedMs = 0;

  /** @param share of the requests that are traced, 0..1 */
  constructor(share: number, send: (records: RequestRecord[]) => void) {
    this.share = share;
    this.send = send;
  }

  /** A parser whose time is a step of the request that follows. */
  timed<T>(parse: (bytes: Buffer) => T): (bytes: Buffer) => T {
    return received => {
      this.parsed = received;
      this.parsedMs = this.isChosen() ? performance.now() : 0;
      return parse(received);
    };
  }

  /** @param received the body of the request @returns undefined for one that is not traced */
  begin(received: Uint8Array | undefined): RequestTrace | undefined {
    const isParsed = received !== undefined && received === this.parsed;
    this.parsed = undefined;
    if (isParsed ? this.parsedMs === 0 : !this.isChosen()) return undefined;
    const begun = new RequestTrace(isParsed ? this.parsedMs : performance.now());
    if (isParsed) begun.mark('parse');
    return begun;
  }

  private isChosen(): boolean {
    return Math.random() < this.share;
  }

  /** The request is answered. */
  end(begun: RequestTrace, request: Pick<RequestRecord, 'route' | 'method' | 'status'>): void {
    begun.mark('write');
    const { timeOrigin } = performance;
    const steps = begun.steps.map(({ name, startMs, endMs }) => {
      return { name, startMs: timeOrigin + startMs, endMs: timeOrigin + endMs };
    });
    const ends = { startMs: timeOrigin + begun.startedMs, endMs: steps.at(-1)!.endMs };
    if (this.waiting.push({ ...request, ...ends, steps }) === 1)
      setTimeout(() => this.flush(), WAIT_MILLISECONDS).unref();
    if (this.waiting.length >= WAITING_MAX) this.flush();
  }

  /** Sends what waits. */
  flush(): void {
    if (this.waiting.length > 0) this.send(this.waiting);
    this.waiting = [];
  }
}
