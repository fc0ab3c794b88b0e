// An extract for the tests of the geocoder's routes: a country with a county and two municipalities in it, whose main streets have the same name.
//
//   Liechtenstein      47.04..47.28 north, 9.42..9.62 east
//     Oberland         47.06..47.25
//       Schaan         47.18..47.22; Äulestrasse at 47.20 with house 3, and at 47.21 a street with an absurd name
//       Vaduz          47.11..47.17; Äulestrasse at 47.14 with houses 1 to 9, and the restaurant Adler

import { join } from 'node:path';
import { importExtracts } from '../../../src/geocoding/import/import_extracts.ts';
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

/** Imports the extract into a data folder that nobody serves. */
export async function importDrawnExtract(folder: string): Promise<void> {
  await importExtracts({ folder, files: [writeDrawnExtract(join(folder, 'drawn.osm.pbf'))], onProgress: () => {} });
}

/** Writes the extract. @returns the path */
export function writeDrawnExtract(path: string): string {
  const map = new DrawnMap();
  map.square(1, 2, { lat: 47.16, lon: 9.52 }, 0.12, { name: 'Liechtenstein', 'name:ru': 'Лихтенштейн', 'ISO3166-1': 'LI' });
  map.square(2, 6, { lat: 47.155, lon: 9.52 }, 0.095, { name: 'Oberland' });
  map.square(3, 8, { lat: 47.14, lon: 9.52 }, 0.03, { name: 'Vaduz', 'name:ru': 'Вадуц' });
  map.square(4, 8, { lat: 47.2, lon: 9.52 }, 0.02, { name: 'Schaan' });
  map.settlement('Vaduz', 'Вадуц', 47.141);
  map.settlement('Schaan', 'Шан', 47.201);
  map.street(1, 47.14);
  map.street(2, 47.2);
  map.street(3, ABSURD_STREET.lat, 'Langweg'.repeat(1286));
  for (let number = 1; number <= 9; number++) map.house(String(number), 'Vaduz', '9490', { lat: HOUSE.lat, lon: 9.512 + number / 1000 });
  map.house('3', 'Schaan', '9494', { lat: 47.2002, lon: 9.515 });
  map.node(RESTAURANT, { amenity: 'restaurant', name: 'Adler', 'addr:street': STREET, 'addr:housenumber': '11', 'addr:postcode': '9490' });
  writeOsmPbf(path, map.objects());
  return path;
}

interface Position {
  lat: number;
  lon: number;
}

class DrawnMap {
  private readonly nodes: DrawnObject[] = [];
  private readonly ways: DrawnObject[] = [];
  private readonly relations: DrawnObject[] = [];

  node(position: Position, tags: Record<string, string> = {}): number {
    const id = this.nodes.length + 1;
    this.nodes.push({ type: 'node', id, ...position, tags });
    return id;
  }

  /** A boundary. @param half half its side, degrees */
  square(id: number, level: number, { lat, lon }: Position, half: number, tags: Record<string, string>): void {
    const corners = [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ].map(([east, north]) => this.node({ lat: lat + north * half, lon: lon + east * half }));
    this.ways.push({ type: 'way', id: 100 + id, nodes: [...corners, corners[0]] });
    this.relations.push({
      type: 'relation',
      id,
      members: [{ type: 'way', ref: 100 + id, role: 'outer' }],
      tags: { type: 'boundary', boundary: 'administrative', admin_level: String(level), ...tags },
    });
  }

  settlement(name: string, russian: string, lat: number): void {
    this.node({ lat, lon: 9.52 }, { place: 'town', name, 'name:ru': russian });
  }

  street(id: number, lat: number, name = STREET): void {
    const nodes = [9.505, 9.535].map(lon => this.node({ lat, lon }));
    this.ways.push({ type: 'way', id, nodes, tags: { highway: 'residential', name } });
  }

  house(number: string, city: string, postcode: string, position: Position): void {
    this.node(position, {
      building: 'house',
      'addr:housenumber': number,
      'addr:street': STREET,
      'addr:city': city,
      'addr:postcode': postcode,
    });
  }

  objects(): DrawnObject[] {
    return [...this.nodes, ...this.ways, ...this.relations];
  }
}
