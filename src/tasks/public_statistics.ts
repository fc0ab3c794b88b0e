// What a public page may tell of the stations: how many there are of each kind, how many are new by month, and squares
// of five kilometres in which there are many. Nothing of it is about one station: only those that lookups use count,
// so an account alone adds nothing; a number under the least is not told, and others are rounded down. A home has some
// ten addresses (bands and networks of a router, a few devices), so the least is that of five homes.
//
// All stations are read for it, a bounded piece for each who asks, and what was counted is told for a day.

import { RADIANS_PER_DEGREE } from '../../wasm/earth_constants.ts';
import type { Answerer } from '../answer/answerer.ts';
import { radioOfKind } from '../radio/kind.ts';
import { countStations, openLiveGeneration } from '../tables/stations/generation.ts';
import { decodeStation, STATE_ACTIVE, type Station, stationView } from '../tables/stations/station.ts';
import { GROUP_NAMES, STATION_GROUPS } from '../tiles/stations/station_index.ts';

/** Fewer are not told. */
const LEAST = 50;
/** Of a square one learns only which of these it reaches. */
const CLASSES = [5_000, 500, LEAST];
/** Height of a square: five kilometres. */
const ROW_DEGREES = 0.045;
const ROWS = 180 / ROW_DEGREES;
/** More squares are not told, the emptiest first. */
const SQUARES_MAX = 20_000;
const MONTHS_MAX = 24;
const DAY_MS = 86_400_000;
const WORK_MILLISECONDS = 40;
const SLICE_STATIONS = 1_000;

/** What is told. */
export interface PublicStatistics {
  isReady: boolean;
  /** Stations that were read so far, and how many there are: rounded as all. */
  done: number;
  total: number;
  /** Stations that lookups use, by kind. */
  kinds: Record<string, number>;
  /** Those first seen in a month, YYYY-MM, the latest last. */
  months: [month: string, stations: number][];
  squares: PublicSquare[];
}

/** A square with at least so many stations: its south-western corner, and its sides in degrees. */
interface PublicSquare {
  latitude: number;
  longitude: number;
  high: number;
  wide: number;
  atLeast: number;
}

interface Counts {
  kinds: Map<string, number>;
  months: Map<string, number>;
  squares: Map<number, number>;
}

type Steps = Generator<Pick<PublicStatistics, 'done' | 'total'>, PublicStatistics, undefined>;

/** Those of this thread, by data folder. */
const kept = new Map<string, { steps: Steps; told: PublicStatistics; madeMs: number }>();

/** Tells the statistics, or how far their making has come. @throws Error when a table cannot be used */
export function publicStatistics(_: Answerer, { folder }: { folder: string }): PublicStatistics {
  const known = kept.get(folder);
  const isOld = known === undefined || (known.told.isReady && Date.now() - known.madeMs > DAY_MS);
  const work = isOld ? { steps: count(folder), told: toldOf(emptyCounts(), false), madeMs: 0 } : known;
  kept.set(folder, work);
  const begunMs = performance.now();
  while (!work.told.isReady && performance.now() - begunMs < WORK_MILLISECONDS) {
    const { done, value } = next(folder, work.steps);
    if (done) [work.told, work.madeMs] = [value, Date.now()];
    else work.told = { ...work.told, done: rounded(value.done), total: rounded(value.total) };
  }
  return work.told;
}

/** The next one begins anew after an error. */
function next(folder: string, steps: Steps): ReturnType<Steps['next']> {
  try {
    return steps.next();
  } catch (error) {
    kept.delete(folder);
    throw error;
  }
}

/** Counts all stations in steps, each with a transaction of its own. */
export function* count(folder: string): Steps {
  const generation = openLiveGeneration(folder);
  const counts = emptyCounts();
  if (generation === undefined) return toldOf(counts, true);
  const { root, stations } = generation;
  try {
    const total = countStations(generation);
    let done = 0;
    for (const group of GROUP_NAMES) {
      const [first, last] = STATION_GROUPS[group];
      let start: Buffer | undefined = Buffer.of(first);
      while (start !== undefined) {
        let key: Buffer | undefined;
        for (const entry of stations.getRange({ start, end: Buffer.of(last + 1), limit: SLICE_STATIONS })) {
          key = entry.key;
          done++;
          add(counts, radioOfKind(entry.key[0]) ?? group, decodeStation(stationView(entry.value), 0));
        }
        root.resetReadTxn();
        start = key && Buffer.concat([key, Buffer.of(0)]);
        yield { done, total };
      }
    }
  } finally {
    void root.close();
  }
  return toldOf(counts, true);
}

function emptyCounts(): Counts {
  return { kinds: new Map(), months: new Map(), squares: new Map() };
}

function add({ kinds, months, squares }: Counts, kind: string, station: Station): void {
  if (station.state !== STATE_ACTIVE) return;
  raise(kinds, kind);
  if (station.firstSeenDay > 0) raise(months, new Date(station.firstSeenDay * DAY_MS).toISOString().slice(0, 7));
  const row = Math.min(ROWS - 1, Math.floor((station.latitude + 90) / ROW_DEGREES));
  raise(squares, row * ROWS * 2 + Math.floor((station.longitude + 180) / wideOf(row)));
}

function raise<T>(counts: Map<T, number>, key: T): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Width of the squares of a row, degrees: five kilometres or a little more, and a whole number of them around. */
function wideOf(row: number): number {
  const latitude = (row + 0.5) * ROW_DEGREES - 90;
  return 360 / Math.max(1, Math.floor((360 * Math.cos(latitude * RADIANS_PER_DEGREE)) / ROW_DEGREES));
}

function toldOf({ kinds, months, squares }: Counts, isReady: boolean): PublicStatistics {
  const total = rounded([...kinds.values()].reduce((sum, each) => sum + each, 0));
  const many = [...squares].filter(([, stations]) => stations >= LEAST).sort((a, b) => b[1] - a[1]);
  return {
    isReady,
    done: total,
    total,
    kinds: Object.fromEntries(toldCounts(kinds)),
    months: toldCounts(months).sort().slice(-MONTHS_MAX),
    squares: many.slice(0, SQUARES_MAX).map(([square, stations]) => squareOf(square, stations)),
  };
}

function toldCounts(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].map(([key, value]): [string, number] => [key, rounded(value)]).filter(([, value]) => value > 0);
}

function squareOf(square: number, stations: number): PublicSquare {
  const row = Math.floor(square / (ROWS * 2));
  const wide = wideOf(row);
  const [latitude, longitude] = [row * ROW_DEGREES - 90, (square % (ROWS * 2)) * wide - 180];
  const [south, west, across] = [latitude, longitude, wide].map(each => Math.round(each * 1e5) / 1e5);
  const atLeast = CLASSES.find(each => stations >= each)!;
  return { latitude: south, longitude: west, high: ROW_DEGREES, wide: across, atLeast };
}

/** Two digits, rounded down; 0 for what is not told. */
function rounded(stations: number): number {
  if (stations < LEAST) return 0;
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(stations)) - 1);
  return Math.floor(stations / unit) * unit;
}
