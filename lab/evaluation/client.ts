// A client of the service: a few persistent connections, one request to locate and one to contribute. It calls none of
// the service's own code, so that the evaluation measures what the server runs.

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { present } from '../../src/indoor/transfer/surveys/line_value.ts';
import type { Answer } from './accuracy.ts';
import type { Scan } from './scan.ts';

/** Number of concurrent requests. */
export const CONNECTIONS = 4;
const RESPONSE_MS_MAX = 60_000;
/** Attempts at a request that the service refuses for lack of capacity. After that the service counts as broken. */
const ATTEMPTS_MAX = 100;
const RETRY_SECONDS = 1;
const BODY_SHOWN = 300;

/** An answer, and the fallback that it names. */
export interface Guess extends Answer {
  accuracyMetres: number;
  fallback: string | undefined;
}

/** The answer to a position request. */
interface PositionAnswer {
  location: { lat: number; lng: number };
  accuracy: number;
  fallback?: string;
  indoor?: { building?: string; floorIndex?: number; room?: string };
  state?: string;
}

/** A service under evaluation. */
export class ServiceClient {
  private readonly url: URL;
  private readonly key: string;
  private readonly agent: HttpAgent;
  private readonly send: typeof httpRequest;

  /** @param url base address of the service @throws Error if it is not an address */
  constructor(url: string, key: string) {
    if (!/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new Error(`The service's address must begin with http:// or https://, not "${url}".`);
    this.url = new URL(url.endsWith('/') ? url : `${url}/`);
    this.key = key;
    const isSecure = this.url.protocol === 'https:';
    this.agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: CONNECTIONS });
    this.send = isSecure ? httpsRequest : httpRequest;
  }

  /**
   * Asks the service where a scan was made; undefined if it finds no position.
   * @throws Error with the answer if it is neither
   */
  locate(scan: Scan): Promise<Answer | undefined> {
    return this.ask(questionOf(scan));
  }

  /**
   * Does the same with the radii for all shares, in three requests.
   * @throws Error with the answer if it is neither
   */
  locateWithRadii(scan: Scan): Promise<Answer | undefined> {
    return this.askForRadii(questionOf(scan));
  }

  /**
   * Asks where a device is that is followed; undefined if the service finds no position.
   * @param id of the device
   * @param state of its last answer
   * @throws Error with the answer if it is neither
   */
  async follow(
    scan: Scan,
    id: string,
    state: string | undefined,
  ): Promise<(Answer & { state: string | undefined }) | undefined> {
    const answer = await this.question({ ...questionOf(scan), ...present({ state }) }, id);
    if (answer === undefined) return undefined;
    const { location, accuracy } = answer;
    return { latitude: location.lat, longitude: location.lng, accuracyMetres: accuracy, state: answer.state };
  }

  /**
   * Contributes scans with their truths as one batch. @throws Error with the answer when the service does not take them
   */
  async contribute(scans: readonly Scan[]): Promise<void> {
    const items = scans.map(
      ({ timeMs, latitude, longitude, accuracyMetres, cellTowers, wifiAccessPoints, bluetoothBeacons }) =>
        present({
          timestamp: timeMs,
          position: present({ latitude, longitude, accuracy: accuracyMetres }),
          ...heard({ cellTowers, wifiAccessPoints, bluetoothBeacons }),
        }),
    );
    const { status, text } = await this.post('v2/geosubmit', gzipSync(JSON.stringify({ items }), { level: 1 }), {
      'content-encoding': 'gzip',
    });
    if (status !== 200) throw refused('contribute training scans', status, text);
  }

  /** Closes the connections. */
  close(): void {
    this.agent.destroy();
  }

  /** The wider radii belong to the same position; they are not requested if nothing was found. */
  protected async askForRadii(body: object): Promise<Guess | undefined> {
    const answer = await this.ask(body);
    if (answer === undefined) return undefined;
    const [at68, at95] = await Promise.all([68, 95].map(confidence => this.ask({ ...body, confidence })));
    return { ...answer, accuracy68Metres: at68?.accuracyMetres, accuracy95Metres: at95?.accuracyMetres };
  }

  private async ask(body: object): Promise<Guess | undefined> {
    const answer = await this.question(body);
    if (answer === undefined) return undefined;
    const { location, accuracy, fallback } = answer;
    return { latitude: location.lat, longitude: location.lng, accuracyMetres: accuracy, fallback };
  }

  /** Sends a body; undefined if the service finds no position. @param id of the device */
  protected async question(body: object, id?: string): Promise<PositionAnswer | undefined> {
    const { status, text } = await this.post(
      id === undefined ? '' : `?id=${encodeURIComponent(id)}`,
      Buffer.from(JSON.stringify(body)),
      {},
    );
    if (status === 404 && text.includes('"notFound"')) return undefined;
    if (status !== 200) throw refused('locate a scan', status, text);
    return JSON.parse(text) as PositionAnswer;
  }

  /** Posts until the service has capacity: 429 and 503 say when to retry. */
  private async post(
    path: string,
    body: Buffer,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string }> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.postOnce(path, body, headers);
      if ((answer.status !== 429 && answer.status !== 503) || attempt === ATTEMPTS_MAX) return answer;
      await sleep(1000 * answer.retrySeconds);
    }
  }

  private async postOnce(
    path: string,
    body: Buffer,
    headers: Record<string, string>,
  ): Promise<{ status: number; text: string; retrySeconds: number }> {
    const url = new URL(path, this.url);
    url.searchParams.set('key', this.key);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = this.send(url, {
          agent: this.agent,
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
          timeout: RESPONSE_MS_MAX,
        });
        request.on('response', resolve);
        request.on('error', reject);
        request.on('timeout', () => request.destroy(new Error('no answer came within a minute')));
        request.end(body);
      });
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const retrySeconds = /^\d{1,3}$/.test(response.headers['retry-after'] ?? '')
        ? Number(response.headers['retry-after'])
        : RETRY_SECONDS;
      return { status: response.statusCode!, text: Buffer.concat(chunks).toString(), retrySeconds };
    } catch (error) {
      throw new Error(`The service at ${this.url.origin} cannot be asked: ${(error as Error).message}.`);
    }
  }
}

/** The request for a scan, without its truth. */
export function questionOf({ timeMs, cellTowers, wifiAccessPoints, bluetoothBeacons }: Scan): object {
  return present({ timestamp: timeMs, ...heard({ cellTowers, wifiAccessPoints, bluetoothBeacons }) });
}

/** The lists of stations that are not empty. */
function heard(
  lists: Pick<Scan, 'cellTowers' | 'wifiAccessPoints' | 'bluetoothBeacons'>,
): Record<string, readonly object[]> {
  return Object.fromEntries(Object.entries(lists).filter(([, entries]) => entries.length > 0));
}

function refused(purpose: string, status: number, text: string): Error {
  return new Error(`The service did not ${purpose}: it answered ${status} ${text.slice(0, BODY_SHOWN)}`);
}
