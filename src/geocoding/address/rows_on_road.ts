// The address rows of a point on a road.
//
// A road may run through several municipalities and is stored with the rows of its middle. At another point on it, an
// area that does not contain the point is replaced by the one of the same rank that does, and a village outside that
// area is dropped.

import { planeUnitsOf } from '../../geo/plane.ts';
import { OSM_NODE, type Place } from '../../tables/places/place.ts';
import { RANK_COUNTRY } from '../../tables/places/ranks.ts';
import { isInside } from '../index/areas.ts';
import { type PlaceReader, readPlace } from '../index/place_reader.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';

/**
 * The rows of a road at a point on it.
 * @param latitude degrees
 * @param longitude degrees
 * @returns the road's own rows if they apply at the point
 */
export function rowsOnRoad(
  road: Place,
  index: SpatialIndex,
  places: PlaceReader,
  latitude: number,
  longitude: number,
): readonly number[] {
  const { regions, regionAreas } = index;
  const shapes = new Map<number, number>();
  regionAreas.forEachAround(planeUnitsOf(longitude), planeUnitsOf(latitude), shape =>
    shapes.set(regions.id(shape), shape),
  );
  const isWrong = (id: number) => !shapes.has(id) && isArea(readPlace(places, id));
  if (!road.rows.some(isWrong)) return road.rows;

  const rows: number[] = [];
  const exchanged: (number | undefined)[] = [];
  for (const id of road.rows) {
    if (!isWrong(id)) {
      rows.push(id);
      continue;
    }
    const { addressRank } = readPlace(places, id);
    const right = [...shapes.keys()].find(other => readPlace(places, other).addressRank === addressRank);
    if (right !== undefined) rows.push(right);
    exchanged.push(right && shapes.get(right));
  }
  return rows.filter(id => {
    const { osmType, latitude, longitude } = readPlace(places, id);
    const isIn = (shape: number | undefined) =>
      shape !== undefined && isInside(regions, shape, planeUnitsOf(longitude), planeUnitsOf(latitude));
    return osmType !== OSM_NODE || exchanged.every(isIn);
  });
}

/** True for a place with borders of its own in the layer. The country is decided elsewhere. */
function isArea({ osmType, addressRank }: Place): boolean {
  return osmType !== OSM_NODE && addressRank > RANK_COUNTRY;
}
