// Draws the tiles of maps, each kind by a row of a table. A worker keeps the tiles that it was last asked for, until
// what they are drawn of changes.

import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Answerer } from '../answer/answerer.ts';
import { VERSION } from '../config/version.ts';
import { RecentlyUsed } from '../tables/environment/recently_used.ts';
import { drawMapTile, mapRevision } from '../tiles/map/map_tile.ts';
import { type TileNumbers, ZOOM_MAX } from '../tiles/tile_plane.ts';

/** A kind of tiles. */
interface TileKind {
  /** Names what its tiles are drawn of: as long as it is the same, so are they. */
  revision(answerer: Answerer): string;
  /** Draws a Mapbox vector tile. @throws Error when a record is damaged */
  draw(answerer: Answerer, numbers: TileNumbers): Buffer;
}

/** All kinds, by the name in their path. */
const TILE_KINDS = {
  map: {
    revision: ({ geocoder }) => mapRevision(geocoder.layers),
    draw: ({ geocoder }, numbers) => drawMapTile(geocoder.layers, numbers),
  },
} as const satisfies Readonly<Record<string, TileKind>>;

type TileKindName = keyof typeof TILE_KINDS;

/** A tile that is asked for. */
interface TileQuestion {
  kind: TileKindName;
  numbers: TileNumbers;
  /** That of the tile which the client has already. */
  etag: string | undefined;
}

/** A tile. */
export interface DrawnTile {
  /** Entity tag: it changes with what the tile is drawn of. */
  etag: string;
  /** The tile, compressed by gzip; undefined if the client has it already. */
  bytes?: Uint8Array;
}

/** Memory of the tiles that are kept, for each kind. */
const KEPT_BYTES = 16 * 1_048_576;

/** The kept tiles of each kind, and what they were drawn of. */
const kept = new Map<TileKindName, { revision: string; tiles: RecentlyUsed<Uint8Array> }>();

/** Draws a tile, unless it is kept or the client has it. @throws Error when a record is damaged */
export function drawTile(answerer: Answerer, { kind, numbers, etag: had }: TileQuestion): DrawnTile {
  const revision = TILE_KINDS[kind].revision(answerer);
  const etag = `"${hash('sha256', `${VERSION} ${revision}`).slice(0, 16)}"`;
  if (had === etag) return { etag };
  let own = kept.get(kind);
  if (own?.revision !== revision) {
    own = { revision, tiles: new RecentlyUsed(KEPT_BYTES) };
    kept.set(kind, own);
  }
  const key = keyOf(numbers);
  let bytes = own.tiles.get(key);
  if (bytes === undefined) {
    bytes = gzipSync(TILE_KINDS[kind].draw(answerer, numbers));
    own.tiles.set(key, bytes, bytes.length);
  }
  return { etag, bytes };
}

function keyOf({ z, x, y }: TileNumbers): number {
  const side = 2 ** ZOOM_MAX;
  return (z * side + x) * side + y;
}
