// The layers `sea` and `land` of a map tile: the tile as a whole, and on it the land of the world, without its borders.
// The sea is drawn, so a viewer that shows something else while it waits for a tile covers that.

import { type Box, boxOf } from '../../geo/box.ts';
import { loadWorldMap, type WorldMap } from '../../geo/world_map.ts';
import { EXTENT, MARGIN, type TilePlane } from '../tile_plane.ts';
import { TileLayer } from '../vector_tile.ts';

const ROOM_BYTES = 200_000;

/** An area or a line with the box around it. */
interface Boxed<T> {
  box: Box;
  shape: T;
}

let world:
  | { land: Boxed<Int32Array[]>[]; borders: Boxed<WorldMap['borders'][number]>[]; middles: WorldMap['middles'] }
  | undefined;

/** The map of the world, which is read on first use. */
export function worldMap(): NonNullable<typeof world> {
  if (world === undefined) {
    const { land, borders, middles } = loadWorldMap();
    const sized = land.map(shape => ({ box: boxOf(shape), shape }));
    world = {
      land: sized.sort((a, b) => sizeOf(b.box) - sizeOf(a.box)),
      borders: borders.map(shape => ({ box: boxOf([shape.line]), shape })),
      middles,
    };
  }
  return world;
}

/** Draws sea and land, large parts first. */
export function landLayers(plane: TilePlane): TileLayer[] {
  const sea = new TileLayer('sea', ROOM_BYTES);
  const [least, most] = [-MARGIN, EXTENT + MARGIN];
  sea.addArea([[least, least, most, least, most, most, least, most, least, least]], {});
  const layer = new TileLayer('land', ROOM_BYTES);
  for (const { box, shape } of worldMap().land) {
    if (!meet(box, plane.box)) continue;
    const [outline, ...holes] = shape.map(ring => plane.ring(ring));
    if (outline.length > 0) layer.addArea([outline, ...holes.filter(({ length }) => length > 0)], {});
  }
  return [sea, layer];
}

/** True if two boxes have a point in common. */
export function meet(a: Box, b: Box): boolean {
  return a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south;
}

function sizeOf({ west, south, east, north }: Box): number {
  return (east - west) * (north - south);
}
