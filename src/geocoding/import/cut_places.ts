// The places of a region out of a larger layer. Records and shapes are read from the layer, and indexed again. A place
// that is kept keeps those that its address names: its road, its town and its country, wherever they are.

import type { Box } from '../../geo/box.ts';
import { countryAt } from '../../geo/country.ts';
import { type Geometry, isInside, linesOf } from '../../geo/rings.ts';
import { unitsOf } from '../../geo/units.ts';
import type { LayerReader } from '../../tables/places/layer.ts';
import type { LayerMeta } from '../../tables/places/layer_meta.ts';
import type { Place } from '../../tables/places/place.ts';
import { countryOfRows } from '../found_place.ts';
import { readPlace } from '../index/place_reader.ts';
import { SpatialIndex } from '../index/spatial_index.ts';
import { rolesOf } from '../index/traits.ts';
import { LayerBuilder } from './layer_builder.ts';

/** Only what is in this region is kept. */
export interface Region {
  /** What is in a box, or reaches into it; degrees. */
  box?: Box;
  /** What is in a country, ISO 3166-1 alpha-2, upper case. */
  country?: string;
}

/** A place with its shape, and the number of places that are kept. */
interface KeptPlace {
  place: Place;
  geometry: Geometry;
  kept: number;
}

/** Places between two updates of progress. */
const PLACES_PER_UPDATE = 5_000;

/**
 * The places of a region in their order, as if there were no others.
 * @param tell called often with what is done of all; what it throws ends the work
 * @throws Error with a full sentence when there are none
 */
export function* placesOfRegion(
  reader: LayerReader,
  region: Region,
  tell: (done: number, total: number) => void,
): Generator<KeptPlace> {
  const { count } = reader.meta;
  const spatial = new SpatialIndex(reader.sections);
  const shapeOf = shapesOf(spatial, count);
  const follow = (done: number) => {
    if (done % PLACES_PER_UPDATE === 0) tell(done, 2 * count);
  };
  const isKept = keptPlaces(reader, shapeOf, region, follow);
  const kept = isKept.reduce((sum, each) => sum + each, 0);
  if (kept === 0) throw new Error('There are no places in this region.');
  /** New numbers by old ones. */
  const ids = new Uint32Array(count + 1);
  let last = 0;
  for (let id = 1; id <= count; id++) {
    follow(count + id);
    if (isKept[id] === 0) continue;
    const place = readPlace(reader, id);
    ids[id] = ++last;
    const renumbered = { ...place, parent: ids[place.parent], rows: place.rows.map(row => ids[row]) };
    yield { place: renumbered, geometry: shapeOf(id, place), kept };
  }
}

/**
 * Makes a layer of the places of a region.
 * @param from folder of the layer that has them
 * @param to folder to make
 * @param tell called often with what is done of all; what it throws ends the work
 * @throws Error with a full sentence; `to` can then be removed
 */
export async function cutPlaces(
  from: LayerReader,
  to: string,
  region: Region,
  tell: (done: number, total: number) => void,
): Promise<void> {
  const builder = LayerBuilder.start(to);
  try {
    for (const { place, geometry } of placesOfRegion(from, region, tell)) builder.add(place, geometry);
    await builder.finish(aboutPart(from.meta, builder.count), tell);
  } catch (error) {
    await builder.abandon();
    throw error;
  }
}

/** What a part of a layer says of itself. @param count places in it */
export function aboutPart({ extracts = [], ...meta }: LayerMeta, count: number): LayerMeta {
  const share = count / meta.count;
  return { ...meta, count, extracts: extracts.map(kept => ({ ...kept, objects: Math.round(kept.objects * share) })) };
}

type ShapeOf = (id: number, place: Place) => Geometry;

/** The shapes of a layer. It keeps none of a line that answers no point, which must not become a point that does. */
function shapesOf(spatial: SpatialIndex, count: number): ShapeOf {
  const isPoint = new Uint8Array(count + 1);
  spatial.houses.forEachIn({ west: -Infinity, south: -Infinity, east: Infinity, north: Infinity }, item => {
    isPoint[spatial.houses.id(item)] = 1;
  });
  return (id, place) => {
    const shape = spatial.geometryOf(id);
    if (shape.kind !== 'point' || isPoint[id] === 1 || rolesOf(place, 'point') === 0) return shape;
    const at = [unitsOf(place.longitude), unitsOf(place.latitude)];
    return { kind: 'line', coordinates: Int32Array.of(...at, ...at) };
  };
}

/** 1 for each place that is kept, by its number. */
function keptPlaces(reader: LayerReader, shapeOf: ShapeOf, region: Region, tell: (done: number) => void): Uint8Array {
  const { count } = reader.meta;
  const isKept = new Uint8Array(count + 1);
  if (region.box === undefined && region.country === undefined) return isKept.fill(1, 1);
  // A place stands behind those that it names.
  for (let id = count; id > 0; id--) {
    tell(count - id);
    const place = readPlace(reader, id);
    if (isKept[id] === 0 && !isWanted(place, () => shapeOf(id, place), region, reader)) continue;
    isKept[id] = 1;
    for (const named of [place.parent, ...place.rows]) if (named > 0) isKept[named] = 1;
  }
  return isKept;
}

function isWanted(place: Place, geometry: () => Geometry, { box, country }: Region, reader: LayerReader): boolean {
  if (box !== undefined && !reaches(place, geometry, box)) return false;
  if (country === undefined) return true;
  const code = countryOfRows(place, reader).toUpperCase() || countryAt(place.latitude, place.longitude);
  return code === country;
}

/** True for a place of which a part is in a box. */
function reaches(place: Place, geometry: () => Geometry, box: Box): boolean {
  const { west, south, east, north } = box;
  if (place.longitude >= west && place.longitude <= east && place.latitude >= south && place.latitude <= north)
    return true;
  if (place.west > east || place.east < west || place.south > north || place.north < south) return false;
  const shape = geometry();
  if (linesOf(shape).some(line => meets(line, box))) return true;
  return shape.kind === 'area' && isInside(shape.rings, unitsOf(west), unitsOf(south));
}

/** True if a line meets a box: each edge is cut off at one side after the other. @param line units */
function meets(line: Int32Array, box: Box): boolean {
  const [west, south, east, north] = [box.west, box.south, box.east, box.north].map(unitsOf);
  for (let i = 2; i < line.length; i += 2) {
    const [x, y] = [line[i - 2], line[i - 1]];
    const [dx, dy] = [line[i] - x, line[i + 1] - y];
    let [first, last] = [0, 1];
    for (const [step, room] of [
      [-dx, x - west],
      [dx, east - x],
      [-dy, y - south],
      [dy, north - y],
    ]) {
      // An edge along a side is on one side of it as a whole.
      if (step === 0 && room < 0) last = -1;
      else if (step < 0) first = Math.max(first, room / step);
      else if (step > 0) last = Math.min(last, room / step);
    }
    if (first <= last) return true;
  }
  return false;
}
