// Draws tiles of stations, and tells what the index of stations holds. Each call does at most a piece of the making of
// the index (tiles/stations/index_keeper.ts); until the first one is made there are no tiles.

import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Answerer } from '../answer/answerer.ts';
import { VERSION } from '../config/version.ts';
import { IndexKeeper, type KeptIndex } from '../tiles/stations/index_keeper.ts';
import type { IndexProgress } from '../tiles/stations/station_index.ts';
import {
  countByKind,
  type Focus,
  focusOf,
  type StationPoint,
  type StationQuery,
  type StationTile,
  stationTile,
} from '../tiles/stations/station_tile.ts';
import type { TileNumbers } from '../tiles/tile_plane.ts';
import { TileLayer, tileOf } from '../tiles/vector_tile.ts';
import type { DrawnTile } from './draw_tile.ts';

/** A tile that is asked for. */
interface StationTileQuestion {
  /** Data folder. */
  folder: string;
  numbers: TileNumbers;
  query: StationQuery;
  /** That of the tile which the client has already. */
  etag: string | undefined;
}

/** What the index holds, or how far its making has come. */
export interface StationSummary extends IndexProgress {
  isReady: boolean;
  /** ISO 8601, UTC: when it was made. */
  madeAt?: string;
  /** Stations by kind, those of cells by radio. */
  kinds: Record<string, number>;
  /** Sources by which tiles can be filtered, in the order of their import. */
  sources: readonly string[];
  /** Where most stations are. */
  focus: Focus;
  /** What it takes of memory. */
  bytes: number;
}

/** Work on the index for each call while there is none, and beside a tile that is drawn. */
const MAKING_MILLISECONDS = 40;
const RENEWING_MILLISECONDS = 10;
/** Bytes of a layer: 4,000 points of 60 bytes and their names. */
const LAYER_BYTES = 2_097_152;

const summaries = new WeakMap<KeptIndex, StationSummary>();
/** Those of this thread. */
const keepers = new Map<string, IndexKeeper>();

function keeperOf(folder: string): IndexKeeper {
  const keeper = keepers.get(folder) ?? new IndexKeeper(folder);
  keepers.set(folder, keeper);
  return keeper;
}

/** Draws a tile. @returns undefined while the index is being made @throws Error when a table cannot be used */
export function drawStationTile(
  _answerer: Answerer,
  { folder, numbers, query, etag: had }: StationTileQuestion,
): DrawnTile | undefined {
  const keeper = keeperOf(folder);
  const kept = keeper.work(keeper.isReady ? RENEWING_MILLISECONDS : MAKING_MILLISECONDS);
  if (kept === undefined) return undefined;
  const etag = `"${hash('sha256', JSON.stringify([VERSION, kept.version, query])).slice(0, 16)}"`;
  if (had === etag) return { etag };
  return { etag, bytes: gzipSync(encode(stationTile(kept.index, numbers, query)), { level: 1 }) };
}

/** Tells of the index. @throws Error when a table cannot be used */
export function summariseStations(_answerer: Answerer, { folder }: { folder: string }): StationSummary {
  const keeper = keeperOf(folder);
  const kept = keeper.work(MAKING_MILLISECONDS);
  if (kept === undefined)
    return {
      isReady: false,
      ...keeper.progress,
      kinds: {},
      sources: [],
      focus: { latitude: 0, longitude: 0, zoom: 0 },
      bytes: 0,
    };
  const known = summaries.get(kept) ?? summaryOf(kept);
  summaries.set(kept, known);
  return known;
}

function summaryOf({ index, madeMs }: KeptIndex): StationSummary {
  const kinds = countByKind(index);
  const total = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const madeAt = new Date(madeMs).toISOString();
  const { sources, bytes } = index;
  return { isReady: true, done: total, total, madeAt, kinds, sources, focus: focusOf(index), bytes };
}

function encode({ squares, points }: StationTile): Buffer {
  const density = new TileLayer('density', LAYER_BYTES);
  for (const { west, north, side, stations } of squares) {
    const [east, south] = [west + side, north + side];
    density.addArea([[west, north, east, north, east, south, west, south, west, north]], { stations });
  }
  const layer = new TileLayer('stations', LAYER_BYTES);
  for (const point of points) layer.addPoint(point.x, point.y, attributesOf(point));
  return tileOf([density, layer]);
}

/** Tiles know no yes and no: they are 1 and 0. */
function attributesOf({ name, kind, samples, used, learned, lastSeen, source }: StationPoint) {
  return {
    name,
    kind,
    samples,
    used: used ? 1 : 0,
    learned: learned ? 1 : 0,
    ...(lastSeen !== undefined && { lastSeen }),
    ...(source !== undefined && { source }),
  };
}
