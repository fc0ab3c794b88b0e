// Where requests were not found: which places the service should learn or import next.
//
// It is read from the request log when somebody asks, so a request pays nothing for it, and what the log has forgotten
// is forgotten here. A request counts for the first of these that it has:
//
//   1. the fix of its own that it sent, however old
//   2. the last location that it named
//   3. a station that is known but places no device by itself, such as a single access point
//   4. the area of one of its cells: the middle of the cells of that area that are known
//   5. the country of one of its cells
//
// The first four give a square of the grid, the fifth a country; the others are counted only. The address of the client
// is never looked at, and nothing is told of who asked: no device, no key, no time of a single request.

import { countriesOfMcc } from '../geo/country.ts';
import { readCompact } from '../protocol/requests/compact.ts';
import { checkStructure, type PositionBody } from '../protocol/requests/schema.ts';
import { isCell } from '../radio/kind.ts';
import { FLAG_NO_AREA } from '../radio/query/layout.ts';
import { QueryMemory } from '../radio/query/memory.ts';
import { QueryReader } from '../radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../radio/query/writer.ts';
import { isNoPosition } from '../radio/ranges.ts';
import { numberOf } from '../radio/read_value.ts';
import { keyBytesOfKind, mccOfKey } from '../radio/station_key.ts';
import type { LoggedRequest } from '../tables/requests/record.ts';
import { type RequestFilter, RequestSearch } from '../tables/requests/search.ts';
import { AREA_KEY_BYTES, NETWORK_BYTES } from '../tables/stations/areas.ts';
import { type Generation, openLiveGeneration } from '../tables/stations/generation.ts';
import { decodeStation, stationView } from '../tables/stations/station.ts';
import { PositionQuery } from './locate.ts';

const NOT_FOUND = 404;
const ROUTES = ['position', 'compact'] as const;
/** The latest misses that are counted. */
const MISSES_MAX = 50_000;
/** Requests are looked at in pages, and none is kept. */
const PAGE = { requests: 1, bytes: 67_108_864, milliseconds: Number.POSITIVE_INFINITY };
const HOUR_MS = 3_600_000;
/** Bytes of memory for one query: a logged body is at most 64 KiB. */
const QUERY_BYTES = 1_048_576;

/** How many requests were not found. */
interface MissCounts {
  misses: number;
  /** Of these: with an access point, a beacon, a cell. */
  withWifi: number;
  withBeacons: number;
  withCells: number;
}

/** What was not found, by place. */
interface Misses extends MissCounts {
  /** ISO 8601, UTC: the earliest and the latest of them; absent where there are none. */
  from?: string;
  to?: string;
  /** There were more, and only the latest are counted. */
  isCut: boolean;
  /** Side of the squares, degrees. */
  degrees: number;
  /** Squares by their south-western corner, the most misses first. */
  squares: (MissCounts & { latitude: number; longitude: number })[];
  /** ISO 3166-1 alpha-2, the most misses first. */
  countries: (MissCounts & { country: string })[];
  /** Those of which nothing tells where they were. */
  unplaced: MissCounts;
}

/** Where a request was: in a square or a country. */
type Where = { latitude: number; longitude: number } | { country: string } | undefined;

/**
 * Counts the requests that were not found.
 * @param folder data folder
 * @param hours how far back
 * @param degrees side of the squares: one divided by a whole number
 * @throws Error when a table cannot be used
 */
export async function readMisses(folder: string, hours: number, degrees: number): Promise<Misses> {
  const counted = new CountedMisses(degrees);
  const log = RequestSearch.open(folder);
  const generation = openLiveGeneration(folder);
  try {
    const nowMs = Date.now();
    const filter: RequestFilter = { status: [NOT_FOUND, NOT_FOUND], fromMs: nowMs - hours * HOUR_MS };
    const look = (request: LoggedRequest): boolean => {
      if (isOfPosition(request)) counted.add(request, generation);
      return false;
    };
    let end: Parameters<RequestSearch['page']>[4];
    do {
      generation?.root.resetReadTxn();
      end = (await log?.page(filter, look, PAGE, nowMs, end))?.end;
    } while (end !== undefined && !counted.isFull);
  } finally {
    await generation?.root.close();
    await log?.close();
  }
  return counted.result();
}

function isOfPosition({ route }: LoggedRequest): boolean {
  return ROUTES.includes(route as (typeof ROUTES)[number]);
}

/** Counts by place. */
class CountedMisses {
  private readonly degrees: number;
  private readonly all = none();
  private readonly unplaced = none();
  private readonly squares = new Map<string, Misses['squares'][number]>();
  private readonly countries = new Map<string, Misses['countries'][number]>();
  private readonly memory = new QueryMemory(new ArrayBuffer(QUERY_BYTES));
  private first: string | undefined;
  private last: string | undefined;

  constructor(degrees: number) {
    this.degrees = degrees;
  }

  get isFull(): boolean {
    return this.all.misses >= MISSES_MAX;
  }

  add(request: LoggedRequest, generation: Generation | undefined): void {
    if (this.isFull) return;
    const { time } = request;
    if (this.first === undefined || time < this.first) this.first = time;
    if (this.last === undefined || time > this.last) this.last = time;
    const body = bodyOf(request);
    const query = body && this.queryOf(body);
    const where = body && query && whereOf(body, query, generation);
    for (const counts of [this.all, this.countsOf(where)]) {
      counts.misses++;
      if (query === undefined) continue;
      if (query.wifi > 0) counts.withWifi++;
      if (query.bluetooth > 0) counts.withBeacons++;
      if (query.cells > 0) counts.withCells++;
    }
  }

  result(): Misses {
    return {
      ...this.all,
      ...(this.first !== undefined && { from: this.first, to: this.last! }),
      isCut: this.isFull,
      degrees: this.degrees,
      squares: [...this.squares.values()].sort((a, b) => b.misses - a.misses),
      countries: [...this.countries.values()].sort((a, b) => b.misses - a.misses),
      unplaced: this.unplaced,
    };
  }

  private countsOf(where: Where): MissCounts {
    if (where === undefined) return this.unplaced;
    if ('country' in where) {
      const { country } = where;
      return kept(this.countries, country, () => ({ country, ...none() }));
    }
    const latitude = this.cornerOf(where.latitude);
    const longitude = this.cornerOf(where.longitude);
    return kept(this.squares, `${latitude} ${longitude}`, () => ({ latitude, longitude, ...none() }));
  }

  private cornerOf(value: number): number {
    const perDegree = Math.round(1 / this.degrees);
    return Math.floor(value * perDegree) / perDegree;
  }

  /** The body as the service reads it; undefined where it does not fit. */
  private queryOf(body: PositionBody): QueryReader | undefined {
    const query = new PositionQuery(body, 0, 0, 0);
    if (queryBytes(query.observations, 0) > QUERY_BYTES) return undefined;
    query.write(new QueryWriter(this.memory), 0);
    return new QueryReader(this.memory, 0);
  }
}

function none(): MissCounts {
  return { misses: 0, withWifi: 0, withBeacons: 0, withCells: 0 };
}

function kept<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** The body of a logged request; undefined for one that is cut or was none. */
function bodyOf({ route, request, query = '' }: LoggedRequest): PositionBody | undefined {
  if (route === 'compact') return readCompact(new URLSearchParams(query.slice(query.indexOf('?') + 1)).getAll('wifi'));
  try {
    checkStructure(request);
    return request as PositionBody;
  } catch {
    // A body that is cut counts without a place.
    return undefined;
  }
}

function whereOf({ gps, lastLocation }: PositionBody, query: QueryReader, generation: Generation | undefined): Where {
  for (const [sentLatitude, sentLongitude] of [
    [gps?.latitude, gps?.longitude],
    [lastLocation?.lat, lastLocation?.lng],
  ]) {
    const [latitude, longitude] = [numberOf(sentLatitude), numberOf(sentLongitude)];
    if (!isNoPosition(latitude, longitude, 0)) return { latitude, longitude };
  }
  return (generation && (whereOfStation(query, generation) ?? whereOfArea(query, generation))) ?? whereOfCountry(query);
}

/** The place of the first station that is known. */
function whereOfStation(query: QueryReader, { stations }: Generation): Where {
  for (let i = 0; i < query.observations; i++) {
    const record = stations.getBinary(keyAt(query, i));
    if (record !== undefined) return decodeStation(stationView(record), 0);
  }
  return undefined;
}

/** The middle of the first area that is known. */
function whereOfArea(query: QueryReader, { areas }: Generation): Where {
  for (let i = query.firstCell; i < query.observations; i++) {
    if (query.observationFlags(i) & FLAG_NO_AREA) continue;
    const cell = keyAt(query, i);
    const area = Buffer.concat([cell.subarray(0, NETWORK_BYTES), cell.subarray(-(AREA_KEY_BYTES - NETWORK_BYTES))]);
    const record = areas.getBinary(area);
    if (record !== undefined) return decodeStation(stationView(record), 0);
  }
  return undefined;
}

/** The first country of a network. */
function whereOfCountry(query: QueryReader): Where {
  for (let i = query.firstCell; i < query.observations; i++) {
    const mcc = isCell(query.kind(i)) ? mccOfKey(query.memory.u8, query.at(i)) : -1;
    const [country] = mcc < 0 ? [] : countriesOfMcc(mcc);
    if (country !== undefined) return { country };
  }
  return undefined;
}

/** The key of an observation, as LMDB has it. */
function keyAt(query: QueryReader, i: number): Buffer {
  const at = query.at(i);
  return Buffer.from(query.memory.u8.subarray(at, at + keyBytesOfKind(query.kind(i))));
}
