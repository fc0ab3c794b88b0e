// The layer `ground` of a map tile: water, woods and parks as areas with their class. The tables of an extract hold
// those that have a name, because people ask for them and reverse geocoding answers with them. Large ones are drawn
// first, and none that nobody would see.

import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { GeocoderLayer } from '../../geocoding/geocoder_layer.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { GROUNDS } from '../../geocoding/index/traits.ts';
import { EXTENT, type TilePlane } from '../tile_plane.ts';
import { TileLayer } from '../vector_tile.ts';

const ROOM_BYTES = 200_000;
const GROUNDS_ZOOM = 7;
/** The shortest side of a square as large as an area that is drawn: eight pixels of 512. */
const SIDE_MIN = EXTENT / 64;
/** Classes by the main tag. */
const CLASSES: Readonly<Record<string, string>> = {
  'natural=water': 'water',
  'waterway=riverbank': 'water',
  'waterway=dock': 'water',
  'natural=wood': 'wood',
  'landuse=forest': 'wood',
  'leisure=park': 'park',
  'leisure=garden': 'park',
  'leisure=common': 'park',
  'leisure=golf_course': 'park',
};

/** Draws water, woods and parks, large ones first. */
export function groundLayer(plane: TilePlane, { spatial, places }: GeocoderLayer): TileLayer {
  const layer = new TileLayer('ground', ROOM_BYTES);
  if (plane.zoom < GROUNDS_ZOOM) return layer;
  const { ground, groundAreas } = spatial;
  const least = (SIDE_MIN * 360 * UNITS_PER_DEGREE) / (EXTENT * 2 ** plane.zoom);
  const found: number[] = [];
  groundAreas.forEachIn(plane.box, shape => {
    if ((ground.traits(shape) & GROUNDS) !== 0 && ground.size(shape) >= least) found.push(shape);
  });
  found.sort((a, b) => ground.size(b) - ground.size(a) || a - b);
  for (const shape of found) {
    const { category, type } = readPlace(places, ground.id(shape));
    const of = CLASSES[`${category}=${type}`];
    if (of === undefined) continue;
    for (const polygon of plane.polygons(ground.ringsOf(shape))) layer.addArea(polygon, { class: of });
  }
  return layer;
}
