// A small layer for one question: places with their shapes go through a real builder into one shared memory, as a server has it, and records are read from a
// list. Coordinates are steps of 0.0001 degrees, east and north of a corner; the plane of the rules does not scale longitude, so a step is a step.

import { UNITS_PER_DEGREE } from '../../../src/geo/units.ts';
import { SpatialIndex, SpatialIndexBuilder } from '../../../src/geocoding/index/spatial_index.ts';
import { reverse } from '../../../src/geocoding/reverse/reverse.ts';
import { BARE_PLACE, OSM_NODE, OSM_RELATION, OSM_WAY, type Place } from '../../../src/tables/places/place.ts';

const STEP_DEGREES = 0.0001;
const STEP_UNITS = STEP_DEGREES * UNITS_PER_DEGREE;

/** Steps east and north. */
export type Spot = readonly [east: number, north: number];

/** What a test says of a place; the rest is empty. */
export type Said = Partial<Place>;

/** Where the answer to a question stands. */
export interface Answer {
  name: string;
  spot: Spot;
}

export class DrawnPlaces {
  private readonly places: Place[] = [];
  private readonly builder = new SpatialIndexBuilder();
  private readonly latitude: number;
  private readonly longitude: number;
  private index: SpatialIndex | undefined;

  /** @param corner degrees */
  constructor(corner: readonly [latitude: number, longitude: number] = [47, 9.5]) {
    [this.latitude, this.longitude] = corner;
  }

  /** @returns id */
  point(at: Spot, said: Said): number {
    const id = this.places.push(this.complete([at], { osmType: OSM_NODE, ...said }));
    this.builder.add(id, this.places[id - 1], { kind: 'point' });
    return id;
  }

  /** @param steps east, north, east, north ...; @returns id */
  line(steps: readonly number[], said: Said): number {
    const spots = Array.from({ length: steps.length / 2 }, (_, i): Spot => [steps[2 * i], steps[2 * i + 1]]);
    const id = this.places.push(this.complete(spots, { osmType: OSM_WAY, ...said }));
    this.builder.add(id, this.places[id - 1], { kind: 'line', coordinates: this.units(spots) });
    return id;
  }

  /** @param rings without their closing points; @returns id */
  area(rings: readonly (readonly Spot[])[], said: Said): number {
    const id = this.places.push(this.complete(rings[0], { osmType: said.category === 'boundary' ? OSM_RELATION : OSM_WAY, ...said }));
    this.builder.add(id, this.places[id - 1], { kind: 'area', rings: rings.map(ring => this.units([...ring, ring[0]])) });
    return id;
  }

  house(at: Spot, houseNumber: string, parent: number, said: Said = {}): number {
    return this.point(at, { ...HOUSE, houseNumber, parent, ...said });
  }

  building(west: number, south: number, east: number, north: number, houseNumber: string, parent: number, said: Said = {}): number {
    const address = houseNumber === '' ? {} : HOUSE;
    return this.area([box(west, south, east, north)], { ...address, category: 'building', type: 'yes', houseNumber, parent, ...said });
  }

  poi(at: Spot, name: string, parent: number, said: Said = {}): number {
    return this.point(at, { ...POI, names: { name }, parent, ...said });
  }

  road(steps: readonly number[], name: string, said: Said = {}): number {
    return this.line(steps, { ...ROAD, names: { name }, ...said });
  }

  region(rings: readonly (readonly Spot[])[], name: string, rank: number, said: Said = {}): number {
    const boundary = { category: 'boundary', type: 'administrative', searchRank: rank, addressRank: rank };
    return this.area(rings, { ...boundary, names: { name }, countryCode: 'li', ...said });
  }

  node(at: Spot, name: string, rank: number, said: Said = {}): number {
    return this.point(at, {
      category: 'place',
      type: 'village',
      searchRank: rank,
      addressRank: rank,
      names: { name },
      countryCode: 'li',
      ...said,
    });
  }

  place(id: number): Place {
    const place = this.places[id - 1];
    if (place === undefined) throw new Error(`There is no place ${id}.`);
    return place;
  }

  spatialIndex(): SpatialIndex {
    if (this.index === undefined) {
      const sections = new Sections();
      this.builder.finish(sections);
      this.index = new SpatialIndex(sections.share());
    }
    return this.index;
  }

  /** What stands at a spot: the number and road of a house, the name of anything else; undefined for nothing. */
  at([east, north]: Spot, zoom = 18, countryCode = 'li'): Answer | undefined {
    const question = { latitude: this.latitude + north * STEP_DEGREES, longitude: this.longitude + east * STEP_DEGREES, zoom, countryCode };
    const hit = reverse(this.spatialIndex(), this, question);
    if (hit === undefined) return undefined;
    const place = this.place(hit.id);
    const number = hit.houseNumber || place.houseNumber;
    const road = place.parent === 0 ? '' : ` ${this.place(place.parent).names.name}`;
    const name = place.names.name ?? `${number}${road}`;
    return { name, spot: [stepsOf(hit.longitude - this.longitude), stepsOf(hit.latitude - this.latitude)] };
  }

  private complete(spots: readonly Spot[], said: Said): Place {
    const east = spots.map(spot => spot[0]);
    const north = spots.map(spot => spot[1]);
    const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
    return placeOf({
      latitude: this.latitude + middle(north) * STEP_DEGREES,
      longitude: this.longitude + middle(east) * STEP_DEGREES,
      ...said,
    });
  }

  private units(spots: readonly Spot[]): Int32Array {
    const x = Math.round(this.longitude * UNITS_PER_DEGREE);
    const y = Math.round(this.latitude * UNITS_PER_DEGREE);
    return Int32Array.from(spots.flatMap(([east, north]) => [x + east * STEP_UNITS, y + north * STEP_UNITS]));
  }
}

const HOUSE: Said = { category: 'place', type: 'house', searchRank: 30, addressRank: 30 };
const POI: Said = { category: 'shop', type: 'bakery', searchRank: 30, addressRank: 30 };
const ROAD: Said = { category: 'highway', type: 'residential', searchRank: 26, addressRank: 26 };

/** A place of which only some is said. */
export function placeOf(said: Said): Place {
  return {
    ...BARE_PLACE,
    osmType: OSM_NODE,
    osmId: 1,
    category: 'building',
    type: 'yes',
    searchRank: 30,
    addressRank: 30,
    latitude: 47,
    longitude: 9.5,
    south: 47,
    north: 47,
    west: 9.5,
    east: 9.5,
    countryCode: '',
    ...said,
  };
}

/** Corners of a rectangle. */
export function box(west: number, south: number, east: number, north: number): Spot[] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

/** Takes the sections of an index. */
export class Sections {
  private readonly written: [name: string, bytes: Uint8Array][] = [];

  section(name: string, bytes: Uint8Array): void {
    this.written.push([name, bytes]);
  }

  /** Views of them behind one another in one memory, each at a multiple of 8 bytes, behind something else. */
  share(): Map<string, Uint8Array> {
    const starts = [8];
    for (const [, bytes] of this.written) starts.push(starts.at(-1)! + Math.ceil(bytes.length / 8) * 8);
    const memory = new SharedArrayBuffer(starts.at(-1)!);
    return new Map(
      this.written.map(([name, bytes], i) => {
        const view = new Uint8Array(memory, starts[i], bytes.length);
        view.set(bytes);
        return [name, view];
      }),
    );
  }
}

function stepsOf(degrees: number): number {
  return Math.round((degrees / STEP_DEGREES) * 1000) / 1000;
}
