// An extract with one town: a street along a parallel, and houses along the street.

import { type DrawnObject, writeOsmPbf } from './osm_pbf.ts';

const LATITUDE = 47.14;
const LONGITUDE = 9.52;

/** Writes the extract. @param houses numbered from 1; each adds a place @returns the path */
export function writeTown(path: string, houses: number, town = 'Vaduz'): string {
  writeOsmPbf(path, drawTown(houses, town));
  return path;
}

/** Places that an import makes of it beside the houses: the town and its street. */
export const PLACES_BESIDE_HOUSES = 2;

function* drawTown(houses: number, town: string): Generator<DrawnObject> {
  yield { type: 'node', id: 1, lat: LATITUDE, lon: LONGITUDE, tags: { place: 'town', name: town } };
  yield { type: 'node', id: 2, lat: LATITUDE, lon: LONGITUDE };
  yield { type: 'node', id: 3, lat: LATITUDE, lon: LONGITUDE + 0.1 };
  for (let n = 1; n <= houses; n++) {
    const tags = { 'addr:housenumber': String(n), 'addr:street': 'Aeulestrasse' };
    yield { type: 'node', id: 3 + n, lat: LATITUDE + 0.0002, lon: LONGITUDE + (0.1 * n) / houses, tags };
  }
  yield { type: 'way', id: 1, nodes: [2, 3], tags: { highway: 'residential', name: 'Aeulestrasse' } };
}
