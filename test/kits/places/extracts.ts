// Extracts for the tests of imports and of the geocoder's routes. The larger one is a country with a county and two
// municipalities in it, whose main streets have the same name; the other one is a town with one street and as many
// houses as a test wants.
//
//   Liechtenstein      47.04..47.28 north, 9.42..9.62 east
//     Oberland         47.06..47.25
//       Schaan         47.18..47.22; Äulestrasse at 47.20 with house 3, and at 47.21 a street with an absurd name
//       Vaduz          47.11..47.17; Äulestrasse at 47.14 with houses 1 to 9, and the restaurant Adler

import { join } from 'node:path';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
import type { Tags } from '../../../src/geocoding/import/osm/features.ts';
import { type DrawnObject, writeOsmPbf } from './osm_pbf.ts';

/** House 3 in Vaduz, degrees. */
export const HOUSE = { lat: 47.1402, lon: 9.515 };
/** Beside the restaurant. */
export const RESTAURANT = { lat: 47.1398, lon: 9.522 };
/** On a street whose name has 9,000 letters. */
export const ABSURD_STREET = { lat: 47.21, lon: 9.52 };
/** Open sea. */
export const SEA = { lat: 30, lon: -40 };
const STREET = 'Äulestrasse';

/** Places that an import makes of a town beside the houses: the town and its street. */
export const PLACES_BESIDE_HOUSES = 2;

/** Imports the country into a data folder that nobody serves. */
export async function importDrawnExtract(folder: string): Promise<void> {
  await importExtracts({ folder, files: [writeDrawnExtract(join(folder, 'drawn.osm.pbf'))], onProgress: () => {} });
}

/** Writes the country. @returns the path */
export function writeDrawnExtract(path: string): string {
  const map = new SquareMap();
  map.square(1, 2, { lat: 47.16, lon: 9.52 }, 0.12, {
    name: 'Liechtenstein',
    'name:ru': 'Лихтенштейн',
    'ISO3166-1': 'LI',
  });
  map.square(2, 6, { lat: 47.155, lon: 9.52 }, 0.095, { name: 'Oberland' });
  map.square(3, 8, { lat: 47.14, lon: 9.52 }, 0.03, { name: 'Vaduz', 'name:ru': 'Вадуц' });
  map.square(4, 8, { lat: 47.2, lon: 9.52 }, 0.02, { name: 'Schaan' });
  map.node({ lat: 47.141, lon: 9.52 }, { place: 'town', name: 'Vaduz', 'name:ru': 'Вадуц' });
  map.node({ lat: 47.201, lon: 9.52 }, { place: 'town', name: 'Schaan', 'name:ru': 'Шан' });
  const along = (lat: number) => [9.505, 9.535].map(lon => ({ lat, lon }));
  map.street(1, along(47.14), STREET);
  map.street(2, along(47.2), STREET);
  map.street(3, along(ABSURD_STREET.lat), 'Langweg'.repeat(1286));
  const house = { building: 'house', 'addr:city': 'Vaduz', 'addr:postcode': '9490' };
  for (let number = 1; number <= 9; number++)
    map.house(String(number), STREET, { lat: HOUSE.lat, lon: 9.512 + number / 1000 }, house);
  map.house('3', STREET, { lat: 47.2002, lon: 9.515 }, { ...house, 'addr:city': 'Schaan', 'addr:postcode': '9494' });
  map.house('11', STREET, RESTAURANT, { amenity: 'restaurant', name: 'Adler', 'addr:postcode': '9490' });
  return map.write(path);
}

/** Writes a town. @param houses numbered from 1; each adds a place @returns the path */
export function writeTown(path: string, houses: number, name = 'Vaduz'): string {
  const [lat, lon, length] = [47.14, 9.52, 0.1];
  const map = new SquareMap();
  map.node({ lat, lon }, { place: 'town', name });
  const ends = [lon, lon + length].map(east => ({ lat, lon: east }));
  map.street(1, ends, 'Aeulestrasse');
  for (let n = 1; n <= houses; n++)
    map.house(String(n), 'Aeulestrasse', { lat: lat + 0.0002, lon: lon + (length * n) / houses });
  return map.write(path);
}

interface Point {
  lat: number;
  lon: number;
}

/** A map of squares, streets and houses, object by object. */
export class SquareMap {
  private readonly nodes: DrawnObject[] = [];
  private readonly ways: DrawnObject[] = [];
  private readonly relations: DrawnObject[] = [];

  node(point: Point, tags: Tags = {}): number {
    const id = this.nodes.length + 1;
    this.nodes.push({ type: 'node', id, ...point, tags });
    return id;
  }

  /** A boundary. @param half half its side, degrees */
  square(id: number, level: number, { lat, lon }: Point, half: number, tags: Tags): void {
    const corners = [-1, 1].flatMap(east =>
      [-east, east].map(north => this.node({ lat: lat + north * half, lon: lon + east * half })),
    );
    this.ways.push({ type: 'way', id: 100 + id, nodes: [...corners, corners[0]] });
    this.relations.push({
      type: 'relation',
      id,
      members: [{ type: 'way', ref: 100 + id, role: 'outer' }],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: String(level), ...tags },
    });
  }

  street(id: number, points: readonly Point[], name: string): void {
    const nodes = points.map(point => this.node(point));
    this.ways.push({ type: 'way', id, nodes, tags: { highway: 'residential', name } });
  }

  house(number: string, street: string, point: Point, tags: Tags = {}): void {
    this.node(point, { ...tags, 'addr:housenumber': number, 'addr:street': street });
  }

  write(path: string): string {
    writeOsmPbf(path, [...this.nodes, ...this.ways, ...this.relations]);
    return path;
  }
}
