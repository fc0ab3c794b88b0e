// The index of stations by place: all stations of the live tables in the order in which tiles need them. It is made in
// steps of a few milliseconds, each with a transaction of its own, so imports and learning go on meanwhile; what
// changes after its step is missing until the index is made again. Beside the tables it reads the files of the sources,
// which have the same order, to tell which import a station comes from.

import { isCell, KIND_BEACON, KIND_BLUETOOTH, KIND_GSM, KIND_NR, KIND_WIFI } from '../../radio/kind.ts';
import { keyBytesOfKind } from '../../radio/station_key.ts';
import { formatStation } from '../../radio/station_name.ts';
import { RecordCursor, type RecordFile } from '../../tables/sources/record_file.ts';
import { openSource, readSources } from '../../tables/sources/sources.ts';
import { countStations, type Generation, openLiveGeneration } from '../../tables/stations/generation.ts';
import { decodeStation, STATE_ACTIVE, type Station, stationView } from '../../tables/stations/station.ts';
import { worldPointOf } from './place_order.ts';
import { StationColumns } from './station_columns.ts';

/** Kinds of stations that are drawn apart, and the first and last byte of their keys. */
export const STATION_GROUPS = {
  wifi: [KIND_WIFI, KIND_WIFI],
  bluetooth: [KIND_BLUETOOTH, KIND_BLUETOOTH],
  beacon: [KIND_BEACON, KIND_BEACON],
  cell: [KIND_GSM, KIND_NR],
} as const;
/** One of them. */
export type StationGroup = keyof typeof STATION_GROUPS;
/** Their names. */
export const GROUP_NAMES = Object.keys(STATION_GROUPS) as StationGroup[];

/** Number of the source of what was learned from observations. */
export const SOURCE_LEARNED = 0;
/** Of what is in no source: the demo town, and what is left of sources beyond the number that is told apart. */
export const SOURCE_OTHER = 255;
/** Of a source that the index does not know; no station has it. */
export const SOURCE_NONE = 254;
/** Sources that are told apart: the latest. */
const SOURCES_MAX = SOURCE_NONE - 1;

const SLICE_STATIONS = 1_000;

/** Stations by place. */
export interface StationIndex {
  groups: Readonly<Record<StationGroup, StationColumns>>;
  /** Names of the sources; the first has number 1. */
  sources: readonly string[];
  /** What it takes of memory. */
  bytes: number;
}

/** How far the making has come, in stations. */
export interface IndexProgress {
  done: number;
  total: number;
}

/**
 * Makes the index of the live tables. A caller that stops early must call `return`.
 * @param folder data folder
 * @param wanted groups; the others are left empty
 * @throws Error when a table cannot be used
 */
export function* makeStationIndex(
  folder: string,
  wanted: readonly StationGroup[] = GROUP_NAMES,
): Generator<IndexProgress, StationIndex, undefined> {
  const generation = openLiveGeneration(folder);
  const sources = generation === undefined ? [] : readSources(generation).slice(-SOURCES_MAX);
  const files: RecordFile[] = [];
  try {
    for (const source of sources) files.push(openSource(folder, source));
    const origins = new Origins(files);
    const total = generation === undefined ? 0 : countStations(generation);
    const progress = { done: 0, total };
    const groups: Partial<Record<StationGroup, StationColumns>> = {};
    let bytes = 0;
    for (const name of GROUP_NAMES) {
      const from = wanted.includes(name) ? generation : undefined;
      const columns = yield* emptyColumns(name, from, progress);
      if (from !== undefined) yield* readGroup(from, name, columns, origins, progress);
      for (const _ of columns.sortInSteps()) yield progress;
      groups[name] = columns;
      bytes += columns.bytes;
    }
    return { groups: groups as StationIndex['groups'], sources: sources.map(({ name }) => name), bytes };
  } finally {
    for (const file of files) file.close();
    void generation?.root.close();
  }
}

/** The name of station `at` of a group. */
export function nameOfStation(group: StationGroup, columns: StationColumns, at: number): string {
  return formatStation(Buffer.concat([Buffer.of(kindAt(group, columns, at)), columns.keyOf(at)]));
}

/** Its kind byte. */
export function kindAt(group: StationGroup, columns: StationColumns, at: number): number {
  return STATION_GROUPS[group][0] + columns.aboutOf(at).radio;
}

/** Columns with room for the stations that there are: counting takes 40 milliseconds a million. */
function* emptyColumns(
  name: StationGroup,
  generation: Generation | undefined,
  progress: IndexProgress,
): Generator<IndexProgress, StationColumns, undefined> {
  const [first, last] = STATION_GROUPS[name];
  let count = 0;
  for (let next = 0; generation !== undefined && next < 256 * (last - first + 1); next++) {
    const start = Buffer.of(first + (next >> 8), next & 255);
    const end = (next & 255) < 255 ? Buffer.of(start[0], start[1] + 1) : Buffer.of(start[0] + 1);
    count += generation.stations.getKeysCount({ start, end });
    if ((next & 15) !== 15) continue;
    // A read transaction that stays open while the thread does other work keeps old pages.
    generation.root.resetReadTxn();
    yield progress;
  }
  return new StationColumns(keyBytesOfKind(first) - 1, count);
}

function* readGroup(
  { root, stations }: Generation,
  name: StationGroup,
  columns: StationColumns,
  origins: Origins,
  progress: IndexProgress,
): Generator<IndexProgress, void, undefined> {
  const [first, last] = STATION_GROUPS[name];
  const end = Buffer.of(last + 1);
  for (let start = Buffer.of(first); ; ) {
    let key: Buffer | undefined;
    for (const entry of stations.getRange({ start, end, limit: SLICE_STATIONS })) {
      key = entry.key;
      addStation(columns, key, decodeStation(stationView(entry.value), 0), first, origins);
      progress.done++;
    }
    root.resetReadTxn();
    if (key === undefined) return;
    start = Buffer.concat([key, Buffer.of(0)]);
    yield progress;
  }
}

function addStation(columns: StationColumns, key: Buffer, station: Station, firstKind: number, origins: Origins): void {
  const { latitude, longitude, lastSeenDay, samples, state, isLearned } = station;
  const listed = origins.of(key);
  const about = {
    lastSeenDay,
    source: isLearned ? SOURCE_LEARNED : listed,
    logSamples: Math.floor(Math.log2(samples)),
    isUsed: state === STATE_ACTIVE,
    radio: key[0] - firstKind,
  };
  columns.add(worldPointOf(latitude, longitude), about, key, 1);
}

/** Finds the sources of stations that are asked for in the order of their keys. */
class Origins {
  private readonly cells: Cursors;
  private readonly others: Cursors;

  /** @param files of the sources, in the order of their import */
  constructor(files: readonly RecordFile[]) {
    const ofLength = (kind: number): Cursors =>
      files.flatMap((file, i) =>
        file.keyBytes >= keyBytesOfKind(kind) && file.keyBytes < keyBytesOfKind(kind) + 4
          ? [{ cursor: new RecordCursor(file), number: i + 1 }]
          : [],
      );
    this.cells = ofLength(KIND_GSM);
    this.others = ofLength(KIND_WIFI);
  }

  /** The source imported last that has the station. */
  of(key: Buffer): number {
    let found = SOURCE_OTHER;
    for (const { cursor, number } of isCell(key[0]) ? this.cells : this.others) {
      while (!cursor.isAtEnd && orderOf(key, cursor) > 0) cursor.advance();
      if (!cursor.isAtEnd && orderOf(key, cursor) === 0) found = number;
    }
    return found;
  }
}

type Cursors = readonly { cursor: RecordCursor; number: number }[];

/** Above zero when a key comes after that at a cursor. */
function orderOf(key: Buffer, { bytes, at }: RecordCursor): number {
  return key.compare(bytes, at, at + key.length);
}
