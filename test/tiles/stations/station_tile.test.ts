// Tiles of stations against a search through all of them.

import { expect, test } from 'vitest';
import { KIND_LTE, KIND_NR, radioOfKind } from '../../../src/radio/kind.ts';
import { highOf, lowOf, pointOf, type WorldPoint, worldPointOf } from '../../../src/tiles/stations/place_order.ts';
import { type AboutStation, StationColumns } from '../../../src/tiles/stations/station_columns.ts';
import { SOURCE_LEARNED, SOURCE_OTHER, type StationIndex } from '../../../src/tiles/stations/station_index.ts';
import { type StationQuery, stationTile } from '../../../src/tiles/stations/station_tile.ts';
import type { TileNumbers } from '../../../src/tiles/tile_plane.ts';
import { uniform } from '../../kits/random.ts';

interface Drawn {
  kind: number;
  point: WorldPoint;
  about: AboutStation;
}

const FIRST_CELL = 8;
const WIFI = 1;

/** Stations around a few towns, some of them in the very same place. */
function drawnStations(count: number, seed: number): Drawn[] {
  const random = uniform(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const towns = Array.from({ length: 5 }, () => ({ x: below(2 ** 32), y: below(2 ** 32) }));
  return Array.from({ length: count }, (_, i) => {
    const kind = random() < 0.5 ? WIFI : random() < 0.5 ? KIND_LTE : KIND_NR;
    const town = towns[below(towns.length)];
    const spread = i % 3 === 0 ? 1 : 2 ** (12 + below(12));
    const point = { x: (town.x + below(spread)) % 2 ** 32, y: (town.y + below(spread)) % 2 ** 32 };
    const source = [SOURCE_LEARNED, 1, 2, SOURCE_OTHER][below(4)];
    const radio = kind === WIFI ? 0 : kind - FIRST_CELL;
    const about = { lastSeenDay: below(20_000), source, logSamples: below(16), isUsed: random() < 0.9, radio };
    return { kind, point, about };
  });
}

function indexOf(stations: readonly Drawn[]): StationIndex {
  const columns = (bytes: number) => new StationColumns(bytes, 10);
  const groups = { wifi: columns(6), bluetooth: columns(6), beacon: columns(20), cell: columns(11) };
  for (const [i, { kind, point, about }] of stations.entries()) {
    const key = Buffer.alloc(12);
    key.writeUInt32BE(i, 3);
    groups[kind === WIFI ? 'wifi' : 'cell'].add(point, about, key, 1);
  }
  for (const each of Object.values(groups)) for (const _ of each.sortInSteps());
  return { groups, sources: ['one', 'two'], bytes: 0 };
}

/** Stations in a tile, or in a part of one, that fit. */
function expected(stations: readonly Drawn[], { z, x, y }: TileNumbers, query: StationQuery): Drawn[] {
  const side = 2 ** (32 - z);
  const kinds = query.kind === 'wifi' ? [WIFI] : query.kind === 'cell' ? [KIND_LTE, KIND_NR] : [query.kind];
  const source = query.isLearned
    ? 0
    : query.source === undefined
      ? undefined
      : ['one', 'two'].indexOf(query.source) + 1;
  return stations.filter(
    ({ kind, point, about }) =>
      Math.floor(point.x / side) === x &&
      Math.floor(point.y / side) === y &&
      (query.kind === undefined || kinds.includes(kind)) &&
      (source === undefined || about.source === source) &&
      about.lastSeenDay >= (query.seenAfterDay ?? 0),
  );
}

const QUERIES: StationQuery[] = [
  {},
  { kind: 'wifi' },
  { kind: 'cell' },
  { kind: KIND_NR },
  { source: 'two' },
  { isLearned: true },
  { kind: KIND_LTE, source: 'one', seenAfterDay: 10_000 },
];

test('the equator and the antimeridian lie where the scheme of tiles has them, and the poles on its edge', () => {
  expect(worldPointOf(0, 0)).toEqual({ x: 2 ** 31, y: 2 ** 31 });
  expect(worldPointOf(0, -180)).toEqual({ x: 0, y: 2 ** 31 });
  expect(worldPointOf(90, 180)).toEqual({ x: 2 ** 32 - 1, y: 0 });
  expect(worldPointOf(-90, 0).y).toBe(2 ** 32 - 1);
  // Vaduz in tile 12/2156/1438.
  const { x, y } = worldPointOf(47.141, 9.5215);
  expect([x >>> 20, y >>> 20]).toEqual([2156, 1438]);
});

test('the number of a place gives the place back', () => {
  const random = uniform(1);
  for (let i = 0; i < 1_000; i++) {
    const point = { x: Math.floor(random() * 2 ** 32), y: Math.floor(random() * 2 ** 32) };
    expect(pointOf(highOf(point), lowOf(point))).toEqual(point);
  }
});

test('squares count the stations that a search through all of them finds, in the whole world and in a town', () => {
  const stations = drawnStations(20_000, 7);
  const index = indexOf(stations);
  const { x, y } = stations[0].point;
  for (const z of [0, 1, 5, 9, 12]) {
    const tile = { z, x: Math.floor(x / 2 ** (32 - z)), y: Math.floor(y / 2 ** (32 - z)) };
    for (const query of QUERIES) {
      const { squares, points } = stationTile(index, tile, query);
      expect(points).toEqual([]);
      const found = squares.map(({ west, north, side, stations: count }) => {
        expect(side).toBe(64);
        const part = { z: z + 6, x: tile.x * 64 + west / 64, y: tile.y * 64 + north / 64 };
        expect(expected(stations, part, query)).toHaveLength(count);
        return count;
      });
      const all = expected(stations, tile, query);
      expect(
        found.reduce((sum, count) => sum + count, 0),
        `${z} ${JSON.stringify(query)}`,
      ).toBe(all.length);
    }
  }
});

test('near by, each station is a point with what is known of it', () => {
  const stations = drawnStations(3_000, 8);
  const index = indexOf(stations);
  const { x, y } = stations[0].point;
  for (const z of [13, 16, 22]) {
    const tile = { z, x: Math.floor(x / 2 ** (32 - z)), y: Math.floor(y / 2 ** (32 - z)) };
    for (const query of QUERIES) {
      const { squares, points } = stationTile(index, tile, query);
      expect(squares).toEqual([]);
      const wanted = expected(stations, tile, query);
      expect(points.map(told).sort()).toEqual(wanted.map(drawn => told(drawnPoint(drawn, tile))).sort());
    }
  }
});

test('where there are more points than anybody tells apart they are squares, and where there is nothing, nothing', () => {
  const about = { lastSeenDay: 1, source: 1, logSamples: 0, isUsed: true, radio: 0 };
  const stations = Array.from({ length: 4_001 }, (_, i) => ({
    kind: WIFI,
    point: { x: 1_000 + (i % 7), y: 50 },
    about,
  }));
  const index = indexOf(stations);
  const tile = { z: 14, x: 0, y: 0 };
  expect(stationTile(index, tile, {})).toEqual({ squares: [expect.objectContaining({ stations: 4_001 })], points: [] });
  expect(stationTile(indexOf(stations.slice(1)), tile, {}).points).toHaveLength(4_000);
  expect(stationTile(index, { z: 14, x: 5, y: 5 }, {})).toEqual({ squares: [], points: [] });
  expect(stationTile(index, tile, { source: 'removed' })).toEqual({ squares: [], points: [] });
  expect(stationTile(indexOf([]), { z: 0, x: 0, y: 0 }, {})).toEqual({ squares: [], points: [] });
});

function drawnPoint({ kind, point, about }: Drawn, { z, x, y }: TileNumbers) {
  const side = 2 ** (32 - z);
  return {
    x: Math.floor(((point.x - x * side) * 4_096) / side),
    y: Math.floor(((point.y - y * side) * 4_096) / side),
    kind: radioOfKind(kind) ?? 'wifi',
    samples: 2 ** about.logSamples,
    used: about.isUsed,
    lastSeen: about.lastSeenDay === 0 ? undefined : new Date(about.lastSeenDay * 86_400_000).toISOString().slice(0, 10),
    learned: about.source === SOURCE_LEARNED,
    source: [undefined, 'one', 'two'][about.source],
  };
}

function told(point: ReturnType<typeof drawnPoint>): string {
  const { x, y, kind, samples, used, lastSeen, learned, source } = point;
  return JSON.stringify([x, y, kind, samples, used, lastSeen, learned, source]);
}
