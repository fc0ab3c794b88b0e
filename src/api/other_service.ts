// Sends JSON to another service: the one that is asked where nothing is found (`--upstream`), or the one that gets the
// positions of webhooks (`--hook-forward`). A service that is slow or out of order must not slow this one down: each
// request has a time-out, few are under way at a time, and after some failures in a row none is sent for a while.

/** Limits of the requests of one HTTP thread. */
interface Limits {
  /** Of one request. */
  milliseconds: number;
  /** Requests under way. */
  atOnce: number;
  /** Failures in a row after which it rests. */
  failures: number;
  /** How long it then rests. */
  restMilliseconds: number;
}

const LIMITS: Limits = { milliseconds: 3_000, atOnce: 16, failures: 5, restMilliseconds: 30_000 };
/** An answer takes a hundred bytes. */
const ANSWER_BYTES_MAX = 65_536;
/** Status of a service that has not found a position, which is no failure. */
const NOT_FOUND = 404;

/** Another service. */
export class OtherService {
  private readonly flag: string;
  private readonly url: string;
  private readonly onError: (message: string) => void;
  private readonly limits: Limits;
  private underWay = 0;
  private failures = 0;
  private restsUntilMs = Number.NEGATIVE_INFINITY;

  /** @param flag that names it @param onError is told when it begins to rest */
  constructor(flag: string, url: string, onError: (message: string) => void, limits: Partial<Limits> = {}) {
    this.flag = flag;
    this.url = url;
    this.onError = onError;
    this.limits = { ...LIMITS, ...limits };
  }

  /** Sends a body of JSON. @returns the answer; undefined if there is none, for whatever reason */
  async post(body: string): Promise<string | undefined> {
    if (this.underWay >= this.limits.atOnce || performance.now() < this.restsUntilMs) return undefined;
    this.underWay++;
    try {
      const text = await this.send(body);
      this.failures = 0;
      return text;
    } catch (error) {
      this.countFailure(error as Error);
      return undefined;
    } finally {
      this.underWay--;
    }
  }

  /** @returns the answer; undefined if nothing was found @throws Error when there is no answer */
  private async send(body: string): Promise<string | undefined> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(this.limits.milliseconds),
    });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > ANSWER_BYTES_MAX) throw new Error(`its answer is longer than ${ANSWER_BYTES_MAX} bytes`);
      chunks.push(chunk);
    }
    if (response.status === NOT_FOUND) return undefined;
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return Buffer.concat(chunks).toString();
  }

  /** The address may hold a key, so it is not named. */
  private countFailure({ name, message }: Error): void {
    if (++this.failures < this.limits.failures) return;
    this.failures = 0;
    this.restsUntilMs = performance.now() + this.limits.restMilliseconds;
    const why = name === 'TimeoutError' ? 'it took too long' : message;
    this.onError(
      `The service of ${this.flag} fails (${why}); nothing is sent to it for ${this.limits.restMilliseconds / 1000} s.`,
    );
  }
}
