// Client of Sextant: positions from what a device hears, places by words and by points, measurements. It needs `fetch`
// only, so it runs in Node, Deno, Bun and pages. Types of requests and answers are those of the service's OpenAPI
// document; `npm run generate` writes them.

import { errorOf, NotFoundError, SextantError, UnavailableError } from './errors.ts';
import type { components, operations } from './schema.ts';

export { KeyRefusedError, NotFoundError, SextantError, TooFastError, UnavailableError } from './errors.ts';

type Schemas = components['schemas'];
export type AccessPoint = Schemas['AccessPoint'];
export type Cell = Schemas['Cell'];
export type Beacon = Schemas['Beacon'];
export type Position = Schemas['Position'];
export type Place = Schemas['PlaceJsonV2'];
export type Measurement = Schemas['Measurement'];

/** What a device sees. An access point or beacon may be its address alone. */
export interface Scan extends Omit<Schemas['PositionRequest'], 'wifiAccessPoints' | 'cellTowers' | 'bluetoothBeacons'> {
  wifi?: readonly (AccessPoint | string)[];
  cells?: readonly Cell[];
  beacons?: readonly (Beacon | string)[];
  /** Name of the device, at most 20 characters. */
  device?: string;
}

/** A point, degrees. */
export interface Point {
  lat: number;
  lon: number;
  /** From 0 for its country to 18 for its house. */
  zoom?: number;
}

type SearchParameters = NonNullable<operations['search']['parameters']['query']>;
type ReverseParameters = NonNullable<operations['reverse']['parameters']['query']>;
/** Parameters of a search; lists may be lists. */
export type Search = { [N in keyof Omit<SearchParameters, 'format'>]: SearchParameters[N] | readonly string[] };
/** How places are answered. */
export type PlaceOptions = { [N in keyof Omit<ReverseParameters, 'format' | 'lat' | 'lon'>]: ReverseParameters[N] };

/** Where the service is, and how it is asked. */
export interface Options {
  /** As `https://sextant.example.org`. */
  url: string;
  /** API key; a service may let requests without one act under a key of its own. */
  key?: string;
  /** Of one try. */
  timeoutMs?: number;
  /** Further tries where the service is busy, or the key too fast. */
  retries?: number;
  /** A call waits at most so long for its next try, whatever `Retry-After` says. */
  waitMsMax?: number;
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 10_000;
const RETRIES = 3;
const WAIT_MS_MAX = 30_000;
/** Before the second try; doubled before each further one. */
const WAIT_MS = 200;
/** Statuses with which another try may be answered otherwise. */
const PASSING = new Set([0, 408, 429, 502, 503, 504]);

/** A service. Calls throw `SextantError`, and its classes. */
export class Sextant {
  private readonly options: Required<Omit<Options, 'key'>> & Pick<Options, 'key'>;

  constructor({ url, key, ...options }: Options) {
    this.options = {
      timeoutMs: TIMEOUT_MS,
      retries: RETRIES,
      waitMsMax: WAIT_MS_MAX,
      fetch: globalThis.fetch.bind(globalThis),
      ...options,
      url: new URL(url).href.replace(/\/$/, ''),
      ...(key !== undefined && { key }),
    };
  }

  /** The position of a device. @throws NotFoundError if nothing is known of what it sees */
  locate({ device, ...scan }: Scan): Promise<Position> {
    return this.ask('/v1/geolocate', { query: { id: device }, body: bodyOf(scan) });
  }

  /** Positions of at most 10,000 scans, in their order; an error in place of one that has none. */
  async locateMany(scans: readonly Scan[]): Promise<(Position | SextantError)[]> {
    const body = scans.map(({ device, ...scan }) => ({ ...bodyOf(scan), ...(device !== undefined && { id: device }) }));
    return (await this.ask<(Position | Failed)[]>('/v1/geolocate/batch', { body })).map(orError);
  }

  /** Places by words, or by parts of an address; none is an empty list. */
  search(search: string | Search): Promise<Place[]> {
    const parameters = typeof search === 'string' ? { q: search } : search;
    return this.ask('/search', { query: { addressdetails: 1, ...parameters, format: 'jsonv2' } });
  }

  /** The place at a point. @throws NotFoundError if there is none */
  async reverse({ lat, lon, zoom }: Point, options: PlaceOptions = {}): Promise<Place> {
    const query = { addressdetails: 1, ...options, lat, lon, zoom: zoom ?? options.zoom, format: 'jsonv2' };
    const found = orError(await this.ask<Place | Failed>('/reverse', { query }));
    if (found instanceof Error) throw found;
    return found;
  }

  /** Places at 10,000 points at most, in their order; an error in place of one that has none. */
  async reverseMany(points: readonly Point[], options: PlaceOptions = {}): Promise<(Place | SextantError)[]> {
    const query = { addressdetails: 1, ...options, format: 'jsonv2' };
    return (await this.ask<(Place | Failed)[]>('/reverse', { query, body: points })).map(orError);
  }

  /** Any other question, as `/lookup`, `/trail`, or a search with `explain`. @param query lists may be lists */
  get(path: string, query: object = {}): Promise<unknown> {
    return this.ask(path, { query });
  }

  /** Sends measurements; they are on the service's disk when this resolves. */
  async submit(items: readonly Measurement[]): Promise<void> {
    await this.ask('/v2/geosubmit', { body: { items } });
  }

  private async ask<T>(path: string, { query = {}, body }: { query?: object; body?: unknown }): Promise<T> {
    const { url, retries } = this.options;
    const parameters = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(parameters.map(([name, value]) => [name, textOf(value)]));
    for (let tries = 0; ; tries++) {
      const { status, parsed, waitMs } = await this.try(`${url}${path}?${search}`, body);
      if (status >= 200 && status < 300) return parsed as T;
      const error = parsed instanceof SextantError ? parsed : errorOf(status, parsed);
      if (!PASSING.has(status) || tries >= retries || waitMs > this.options.waitMsMax) throw error;
      await new Promise(resolve => setTimeout(resolve, waitMs || WAIT_MS * 2 ** tries));
    }
  }

  private async try(url: string, body: unknown): Promise<{ status: number; parsed: unknown; waitMs: number }> {
    const { key, timeoutMs, fetch } = this.options;
    try {
      const response = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...(key !== undefined && { 'x-api-key': key }), 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, parsed: parse(text), waitMs: waitOf(response.headers.get('retry-after')) };
    } catch (cause) {
      const message = `The service did not answer: ${(cause as Error).message}.`;
      return { status: 0, parsed: new UnavailableError(message, 0, 'unreachable', undefined, { cause }), waitMs: 0 };
    }
  }
}

/** A member of a list that failed. */
type Failed = { error: object | string };

function orError<T extends object>(answer: T | Failed): T | SextantError {
  if (!('error' in answer)) return answer;
  if (typeof answer.error === 'string') return new NotFoundError(answer.error, 404, 'notFound');
  return errorOf(Number((answer.error as { code?: number }).code), answer);
}

function bodyOf({ wifi, cells, beacons, ...others }: Omit<Scan, 'device'>): object {
  const entries = (list: readonly (object | string)[] | undefined) =>
    list?.map(entry => (typeof entry === 'string' ? { macAddress: entry } : entry));
  return { ...others, wifiAccessPoints: entries(wifi), cellTowers: cells, bluetoothBeacons: entries(beacons) };
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** What is no JSON, as a proxy's page, stays a text. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Milliseconds of a Retry-After: seconds, or a date; 0 for anything else. */
function waitOf(header: string | null): number {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? 0 : Math.max(0, ms);
}
