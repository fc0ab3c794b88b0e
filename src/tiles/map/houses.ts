// The layers `building`, `house` and `poi` of a map tile: outlines of houses that have an address, house numbers, and
// what has a name beside them, such as a shop or a stop.

import type { GeocoderLayer } from '../../geocoding/geocoder_layer.ts';
import { nameIn } from '../../geocoding/index/names.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { ADDRESS_NODE, ADDRESS_OUTLINE, AREA, POI_NODE } from '../../geocoding/index/traits.ts';
import { isInTile, type TilePlane } from '../tile_plane.ts';
import { rounded, TileLayer } from '../vector_tile.ts';

const BUILDING_BYTES = 200_000;
const HOUSE_BYTES = 100_000;
const POI_BYTES = 50_000;
const BUILDINGS_ZOOM = 15;
/** From this zoom on there are house numbers and points of interest. */
const HOUSES_ZOOM = 16;

/** Draws outlines of houses, large ones first. */
export function buildingLayer(plane: TilePlane, { spatial: { ground, groundLines } }: GeocoderLayer): TileLayer {
  const layer = new TileLayer('building', BUILDING_BYTES);
  if (plane.zoom < BUILDINGS_ZOOM) return layer;
  const found: number[] = [];
  groundLines.forEachIn(plane.box, ADDRESS_OUTLINE, shape => {
    if ((ground.traits(shape) & AREA) !== 0) found.push(shape);
  });
  found.sort((a, b) => ground.size(b) - ground.size(a) || a - b);
  for (const shape of found) for (const polygon of plane.polygons(ground.ringsOf(shape))) layer.addArea(polygon, {});
  return layer;
}

/** Writes house numbers and names of points of interest, the best known first. */
export function houseLayers(plane: TilePlane, { spatial: { houses }, places }: GeocoderLayer): TileLayer[] {
  const house = new TileLayer('house', HOUSE_BYTES);
  const poi = new TileLayer('poi', POI_BYTES);
  if (plane.zoom < HOUSES_ZOOM) return [];
  const found: { x: number; y: number; name: string; class: string; importance: number }[] = [];
  houses.forEachIn(plane.box, item => {
    const x = Math.round(plane.x(houses.x(item)));
    const y = Math.round(plane.y(houses.y(item)));
    if (!isInTile(x, y)) return;
    const traits = houses.traits(item);
    const place = readPlace(places, houses.id(item));
    if ((traits & (ADDRESS_NODE | ADDRESS_OUTLINE)) !== 0 && place.houseNumber !== '')
      house.addPoint(x, y, { number: place.houseNumber });
    const name = nameIn(place.names, []);
    if ((traits & POI_NODE) !== 0 && name !== '')
      found.push({ x, y, name, class: place.type, importance: rounded(place.importance) });
  });
  found.sort((a, b) => b.importance - a.importance);
  for (const { x, y, name, class: of, importance } of found) poi.addPoint(x, y, { name, class: of, importance });
  return [house, poi];
}
