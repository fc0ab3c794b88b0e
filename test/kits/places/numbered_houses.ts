// Drawn places for tests: a country, a town in it, its road and the road's houses.

import { LayerWriter } from '../../../src/tables/places/layer.ts';
import { OSM_RELATION, OSM_WAY, type Place } from '../../../src/tables/places/place.ts';
import { boundaryOf, placeOf, roadOf, type Said } from './place.ts';

/** A house in Liechtenstein, or what is given. */
export function drawnPlace(given: Said): Place {
  return placeOf({ category: 'place', type: 'house', countryCode: 'li', ...given });
}

/** Ids in the drawn world. */
export const COUNTRY = 1;
export const TOWN = 2;
export const ROAD = 3;
export const FIRST_HOUSE = 4;

/** The drawn world. @param houses how many stand at its road, numbered from 1 */
export function* drawnWorld(houses: number, town = 'Vaduz'): Generator<Place> {
  yield drawnPlace({ osmType: OSM_RELATION, osmId: 1155955, ...boundaryOf('Liechtenstein', 4) });
  const names = { name: town, 'name:ru': 'Вадуц' };
  yield drawnPlace({ category: 'place', type: 'town', searchRank: 16, addressRank: 16, names, rows: [COUNTRY] });
  yield drawnPlace({ osmType: OSM_WAY, ...roadOf('Äulestraße'), rows: [TOWN, COUNTRY] });
  for (let n = 1; n <= houses; n++)
    yield drawnPlace({ osmId: n, houseNumber: String(n), parent: ROAD, latitude: 47 + n / 1e5 });
}

/** Writes the drawn world as a layer, with an index of one section that holds `mark`. @returns the folder */
export async function writeDrawnLayer(folder: string, houses: number, town = 'Vaduz', mark = 7): Promise<string> {
  const writer = new LayerWriter(folder);
  for (const place of drawnWorld(houses, town)) writer.put(place);
  writer.section('points', Uint8Array.of(mark, 2, 3));
  await writer.finish({ licence: 'ODbL', sources: ['drawn'] });
  return folder;
}
