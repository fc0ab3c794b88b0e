// A small synthetic country for questions about addresses, drawn from a seed. It has as many houses, roads and
// municipalities as Liechtenstein, in a real layer on disk.
//
// Municipalities are in a row, in two counties. Roads cross them in both directions, five blocks each. Houses stand
// along the roads, alternately as nodes and as buildings, and every tenth has a shop inside.

import type { Geometry } from '../../src/geo/rings.ts';
import { SpatialIndexBuilder } from '../../src/geocoding/index/spatial_index.ts';
import { LayerWriter } from '../../src/tables/places/layer.ts';
import { OSM_WAY } from '../../src/tables/places/place.ts';
import { boundaryOf, boxOf, placeOf, roadOf, type Said, unitsOf } from '../../test/kits/places/place.ts';
import { uniform } from '../../test/kits/random.ts';

const SOUTH = 47;
const WEST = 9.5;
const MUNICIPALITIES = 11;
/** Degrees. */
const MUNICIPALITY_HEIGHT = 0.02;
const WIDTH = 0.1;
const BLOCK = 0.002;
const ROAD_BLOCKS = 5;
const HOUSES_PER_ROAD = 9;
const HOUSE_WIDTH = 0.0001;

/**
 * Draws the country.
 * @param folder to create
 * @returns latitude and longitude of its houses, degrees
 */
export function drawLand(folder: string, seed: number): Promise<number[]> {
  return new Land(folder, uniform(seed)).draw();
}

class Land {
  private readonly writer: LayerWriter;
  private readonly index = new SpatialIndexBuilder();
  private readonly random: () => number;
  private readonly houses: number[] = [];

  constructor(folder: string, random: () => number) {
    this.writer = new LayerWriter(folder);
    this.random = random;
  }

  async draw(): Promise<number[]> {
    const height = MUNICIPALITIES * MUNICIPALITY_HEIGHT;
    const country = this.region('Drawn Land', 4, SOUTH, height, []);
    const counties = ['South', 'North'].map((name, i) =>
      this.region(name, 12, SOUTH + (i * height) / 2, height / 2, [country]),
    );
    for (let i = 0; i < MUNICIPALITIES; i++) {
      const south = SOUTH + i * MUNICIPALITY_HEIGHT;
      const rows = [counties[i < MUNICIPALITIES / 2 ? 0 : 1], country];
      this.roads(south, [this.region(`Municipality ${i}`, 16, south, MUNICIPALITY_HEIGHT, rows), ...rows], `949${i}`);
    }
    this.index.finish(this.writer);
    await this.writer.finish({ licence: 'drawn', sources: [] });
    return this.houses;
  }

  private roads(south: number, rows: number[], postcode: string): void {
    const stretch = ROAD_BLOCKS * BLOCK;
    for (let along = 0; along < WIDTH / BLOCK; along++) {
      for (let far = 0; far < MUNICIPALITY_HEIGHT / stretch; far++) {
        this.road(south + far * stretch, WEST + along * BLOCK, true, rows, postcode);
      }
    }
    for (let along = 0; along < MUNICIPALITY_HEIGHT / BLOCK; along++) {
      for (let far = 0; far < WIDTH / stretch; far++)
        this.road(south + along * BLOCK, WEST + far * stretch, false, rows, postcode);
    }
  }

  private road(south: number, west: number, isNorthward: boolean, rows: number[], postcode: string): void {
    const points = Array.from({ length: 3 * ROAD_BLOCKS }, (_, i) => {
      const ahead = (i * BLOCK) / 3;
      const aside = (this.random() * BLOCK) / 20;
      return isNorthward ? [west + aside, south + ahead] : [west + ahead, south + aside];
    });
    const coordinates = unitsOf(points.flat());
    const road = this.add(south, west, { ...roadOf(`Road ${this.writer.count}`), rows }, { kind: 'line', coordinates });
    for (let i = 1; i <= HOUSES_PER_ROAD; i++) {
      const ahead = (i * ROAD_BLOCKS * BLOCK) / (HOUSES_PER_ROAD + 1);
      const aside = ((i % 2) - 0.5) * 3 * HOUSE_WIDTH;
      this.house(south + (isNorthward ? ahead : aside), west + (isNorthward ? aside : ahead), {
        houseNumber: `${i}`,
        parent: road,
        postcode,
      });
    }
  }

  private house(latitude: number, longitude: number, said: Said): void {
    this.houses.push(latitude, longitude);
    const isArea = this.houses.length % 4 === 0;
    const half = HOUSE_WIDTH / 2;
    const walls = boxOf([latitude - half, longitude - half, latitude + half, longitude + half]);
    this.add(latitude, longitude, said, isArea ? walls : { kind: 'point' });
    if (this.houses.length % 20 !== 0) return;
    const shop = { category: 'shop', type: 'bakery', isAddressInherited: true, names: { name: 'Bakery' } };
    this.add(latitude + HOUSE_WIDTH / 3, longitude, { ...said, ...shop }, { kind: 'point' });
  }

  private region(name: string, rank: number, south: number, height: number, rows: number[]): number {
    const said = { ...boundaryOf(name, rank), names: { name, 'name:de': name }, rows };
    return this.add(south, WEST, said, boxOf([south, WEST, south + height, WEST + WIDTH]));
  }

  private add(latitude: number, longitude: number, said: Said, geometry: Geometry): number {
    const place = placeOf({
      osmType: OSM_WAY,
      osmId: this.writer.count + 1,
      latitude,
      longitude,
      countryCode: 'li',
      ...said,
    });
    const id = this.writer.put(place);
    this.index.add(id, place, geometry);
    return id;
  }
}
