// The layer `road` of a map tile: roads as lines with their class and, near by, name and number. Each class appears
// from a zoom on, and large roads are drawn first.
//
// Where nothing is read of a road but its class, all roads of a class are one feature; later those of one name are.

import type { GeocoderLayer } from '../../geocoding/geocoder_layer.ts';
import { readPlace } from '../../geocoding/index/place_reader.ts';
import { roadClassOf } from '../../geocoding/index/road_class.ts';
import { AREA, PATH, ROAD } from '../../geocoding/index/traits.ts';
import type { TilePlane } from '../tile_plane.ts';
import { type Attributes, TileLayer } from '../vector_tile.ts';

const ROOM_BYTES = 300_000;
/** From which zoom on roads of a class are drawn, large ones first. */
const ZOOMS: ReadonlyMap<string, number> = new Map([
  ['motorway', 5],
  ['trunk', 6],
  ['primary', 8],
  ['secondary', 9],
  ['tertiary', 11],
  ['motorway_link', 12],
  ['trunk_link', 12],
  ['primary_link', 13],
  ['secondary_link', 13],
  ['tertiary_link', 13],
  ['unclassified', 12],
  ['residential', 12],
  ['living_street', 13],
  ['pedestrian', 13],
  ['road', 13],
]);
const CLASSES = [...ZOOMS.keys()];
/** Paths, tracks and whatever is not listed. */
const OTHERS_ZOOM = 14;
/** From this zoom on names are written. */
const NAMES_ZOOM = 13;

/** Draws roads. */
export function roadLayer(plane: TilePlane, { spatial, places }: GeocoderLayer): TileLayer {
  const layer = new TileLayer('road', ROOM_BYTES);
  if (plane.zoom < Math.min(...ZOOMS.values())) return layer;
  const { ground, groundLines } = spatial;
  const found: { shape: number; order: number; roadClass: string }[] = [];
  groundLines.forEachIn(plane.box, ROAD | PATH, shape => {
    if ((ground.traits(shape) & AREA) !== 0) return;
    // Layers of versions that kept no classes have them in the records alone.
    const kept = roadClassOf(ground.link(shape));
    if (kept === undefined && plane.zoom < NAMES_ZOOM) return;
    const roadClass = kept ?? readPlace(places, ground.id(shape)).type;
    if (plane.zoom < (ZOOMS.get(roadClass) ?? OTHERS_ZOOM)) return;
    const order = CLASSES.indexOf(roadClass);
    found.push({ shape, order: order < 0 ? CLASSES.length : order, roadClass });
  });
  found.sort((a, b) => a.order - b.order || a.shape - b.shape);
  const features = new Map<string, { attributes: Attributes; lines: number[][] }>();
  for (const { shape, roadClass } of found) {
    const lines = ground.ringsOf(shape).flatMap(line => plane.lines(line));
    if (lines.length === 0) continue;
    const attributes = { class: roadClass, ...(plane.zoom >= NAMES_ZOOM && namesOf(places, ground.id(shape))) };
    const key = Object.values(attributes).join('\n');
    const known = features.get(key);
    if (known === undefined) features.set(key, { attributes, lines });
    else known.lines.push(...lines);
  }
  for (const { attributes, lines } of features.values()) layer.addLines(lines, attributes);
  return layer;
}

function namesOf(places: GeocoderLayer['places'], id: number): { name?: string; ref?: string } {
  const { name, ref } = readPlace(places, id).names;
  return { ...(name && { name }), ...(ref && { ref }) };
}
