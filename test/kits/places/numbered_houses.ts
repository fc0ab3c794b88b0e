// Drawn places for tests: a country, a town in it, its road and the road's houses.

import { LayerWriter } from '../../../src/tables/places/layer.ts';
import { BARE_PLACE, OSM_NODE, OSM_RELATION, OSM_WAY, type Place } from '../../../src/tables/places/place.ts';

/** A place with nothing but a position, and what is given. */
export function drawnPlace(given: Partial<Place>): Place {
  const { latitude = 47, longitude = 9.5 } = given;
  return {
    ...BARE_PLACE,
    osmType: OSM_NODE,
    osmId: 1,
    category: 'place',
    type: 'house',
    searchRank: 30,
    addressRank: 30,
    latitude,
    longitude,
    south: latitude,
    north: latitude,
    west: longitude,
    east: longitude,
    countryCode: 'li',
    ...given,
  };
}

/** Ids in the drawn world. */
export const COUNTRY = 1;
export const TOWN = 2;
export const ROAD = 3;
export const FIRST_HOUSE = 4;

/** The drawn world. @param houses how many stand at its road, numbered from 1 */
export function* drawnWorld(houses: number, town = 'Vaduz'): Generator<Place> {
  yield drawnPlace({
    osmType: OSM_RELATION,
    osmId: 1155955,
    category: 'boundary',
    type: 'administrative',
    searchRank: 4,
    addressRank: 4,
    names: { name: 'Liechtenstein' },
  });
  yield drawnPlace({
    category: 'place',
    type: 'town',
    searchRank: 16,
    addressRank: 16,
    names: { name: town, 'name:ru': 'Вадуц' },
    rows: [COUNTRY],
  });
  yield drawnPlace({
    osmType: OSM_WAY,
    category: 'highway',
    type: 'residential',
    searchRank: 26,
    addressRank: 26,
    names: { name: 'Äulestraße' },
    rows: [TOWN, COUNTRY],
  });
  for (let n = 1; n <= houses; n++) yield drawnPlace({ osmId: n, houseNumber: String(n), parent: ROAD, latitude: 47 + n / 1e5 });
}

/** Writes the drawn world as a layer, with an index of one section that holds `mark`. @returns the folder */
export async function writeDrawnLayer(folder: string, houses: number, town = 'Vaduz', mark = 7): Promise<string> {
  const writer = new LayerWriter(folder);
  for (const place of drawnWorld(houses, town)) writer.put(place);
  writer.section('points', Uint8Array.of(mark, 2, 3));
  await writer.finish({ licence: 'ODbL', sources: ['drawn'] });
  return folder;
}
