// The extract among the examples: a village drawn on top of the demo town, with a boundary, two streets, nine houses
// and a restaurant. It is written without compression, so that the file is the same whatever the version of zlib.
//
//   Demo Town           1.24..1.26 north, 2.51..2.49 west
//     Harbour Street    at 1.2503; houses 1 to 9 north of it, the restaurant Anchor at its eastern end
//     Mill Lane         at 1.2496; no houses

import { type DrawnObject, writeOsmPbf } from '../kits/places/osm_pbf.ts';

const STREET = 'Harbour Street';
const STREET_LATITUDE = 1.2503;
const LANE_LATITUDE = 1.2496;
const HOUSES = 9;

/** Writes the extract. */
export function writeVillage(path: string): void {
  writeOsmPbf(path, villageObjects(), { packing: 'raw', timestamp: 1_767_225_600, isSorted: true });
}

function villageObjects(): DrawnObject[] {
  const nodes: DrawnObject[] = [];
  const node = (lat: number, lon: number, tags: Record<string, string> = {}): number => {
    const id = nodes.length + 1;
    nodes.push({ type: 'node', id, lat, lon, tags });
    return id;
  };
  const corners = [node(1.24, -2.51), node(1.24, -2.49), node(1.26, -2.49), node(1.26, -2.51)];
  node(1.25, -2.5, { place: 'town', name: 'Demo Town' });
  const street = [node(STREET_LATITUDE, -2.5045), node(STREET_LATITUDE, -2.4955)];
  for (let house = 1; house <= HOUSES; house++) {
    node(STREET_LATITUDE + 0.0001, -2.5045 + house / 1000, {
      'addr:housenumber': String(house),
      'addr:street': STREET,
    });
  }
  node(STREET_LATITUDE - 0.0001, -2.496, {
    amenity: 'restaurant',
    name: 'Anchor',
    'addr:street': STREET,
    'addr:housenumber': '10',
  });
  const lane = [node(LANE_LATITUDE, -2.5045), node(LANE_LATITUDE, -2.4955)];
  // Wikidata has no such item.
  const named = { name: 'Demo Town', wikidata: 'Q4000000001' };
  const boundary = { type: 'boundary', boundary: 'administrative', admin_level: '8', ...named };
  return [
    ...nodes,
    { type: 'way', id: 1, nodes: [...corners, corners[0]] },
    { type: 'way', id: 2, nodes: street, tags: { highway: 'residential', name: STREET } },
    { type: 'way', id: 3, nodes: lane, tags: { highway: 'residential', name: 'Mill Lane' } },
    { type: 'relation', id: 1, members: [{ type: 'way', ref: 1, role: 'outer' }], tags: boundary },
  ];
}
