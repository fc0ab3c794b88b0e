// The layer `land` of a map tile: the land of the world, without its borders. What is beside it is sea.

import { type Box, boxOf } from '../../geo/box.ts';
import { loadWorldMap, type WorldMap } from '../../geo/world_map.ts';
import type { TilePlane } from '../tile_plane.ts';
import { TileLayer } from '../vector_tile.ts';

const ROOM_BYTES = 200_000;

/** An area or a line with the box around it. */
interface Boxed<T> {
  box: Box;
  shape: T;
}

let world: { land: Boxed<Int32Array[]>[]; borders: Boxed<Int32Array>[] } | undefined;

/** The map of the world, which is read on first use. */
export function worldMap(): NonNullable<typeof world> {
  if (world === undefined) {
    const { land, borders }: WorldMap = loadWorldMap();
    const sized = land.map(shape => ({ box: boxOf(shape), shape }));
    world = {
      land: sized.sort((a, b) => sizeOf(b.box) - sizeOf(a.box)),
      borders: borders.map(shape => ({ box: boxOf([shape]), shape })),
    };
  }
  return world;
}

/** Draws the land, large parts first. */
export function landLayer(plane: TilePlane): TileLayer {
  const layer = new TileLayer('land', ROOM_BYTES);
  for (const { box, shape } of worldMap().land) {
    if (!meet(box, plane.box)) continue;
    const [outline, ...holes] = shape.map(ring => plane.ring(ring));
    if (outline.length > 0) layer.addArea([outline, ...holes.filter(({ length }) => length > 0)], {});
  }
  return layer;
}

/** True if two boxes have a point in common. */
export function meet(a: Box, b: Box): boolean {
  return a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south;
}

function sizeOf({ west, south, east, north }: Box): number {
  return (east - west) * (north - south);
}
