// A small layer for one question: places with their shapes go through a real builder into one shared memory, as a
// server has it, and records are read from a list. Coordinates are steps of 0.0001 degrees, east and north of a corner;
// the plane of the rules does not scale longitude, so a step is a step.

import { UNITS_PER_DEGREE } from '../../../src/geo/units.ts';
import { SpatialIndex, SpatialIndexBuilder } from '../../../src/geocoding/index/spatial_index.ts';
import type { PointHit, PointQuestion, PointRule } from '../../../src/geocoding/reverse/hit.ts';
import { placesAround } from '../../../src/geocoding/reverse/places_around.ts';
import { reverse } from '../../../src/geocoding/reverse/reverse.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type Place } from '../../../src/tables/places/place.ts';
import { boundaryOf, placeOf, roadOf, type Said, STEP_DEGREES, type Step, unitsOfSteps } from './place.ts';

/** Where the answer to a question stands. */
export interface Answer {
  name: string;
  spot: Step;
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
  point(at: Step, said: Said): number {
    const id = this.places.push(this.complete([at], { osmType: OSM_NODE, ...said }));
    this.builder.add(id, this.places[id - 1], { kind: 'point' });
    return id;
  }

  /** @param steps east, north, east, north ...; @returns id */
  line(steps: readonly number[], said: Said): number {
    const spots = Array.from({ length: steps.length / 2 }, (_, i): Step => [steps[2 * i], steps[2 * i + 1]]);
    const id = this.places.push(this.complete(spots, { osmType: OSM_WAY, ...said }));
    this.builder.add(id, this.places[id - 1], { kind: 'line', coordinates: this.units(spots) });
    return id;
  }

  /** @param rings without their closing points; @returns id */
  area(rings: readonly (readonly Step[])[], said: Said): number {
    const id = this.places.push(
      this.complete(rings[0], { osmType: said.category === 'boundary' ? OSM_RELATION : OSM_WAY, ...said }),
    );
    this.builder.add(id, this.places[id - 1], {
      kind: 'area',
      rings: rings.map(ring => this.units([...ring, ring[0]])),
    });
    return id;
  }

  house(at: Step, houseNumber: string, parent: number, said: Said = {}): number {
    return this.point(at, { ...HOUSE, houseNumber, parent, ...said });
  }

  building(
    west: number,
    south: number,
    east: number,
    north: number,
    houseNumber: string,
    parent: number,
    said: Said = {},
  ): number {
    const address = houseNumber === '' ? {} : HOUSE;
    return this.area([box(west, south, east, north)], {
      ...address,
      category: 'building',
      type: 'yes',
      houseNumber,
      parent,
      ...said,
    });
  }

  poi(at: Step, name: string, parent: number, said: Said = {}): number {
    return this.point(at, { ...POI, names: { name }, parent, ...said });
  }

  road(steps: readonly number[], name: string, said: Said = {}): number {
    return this.line(steps, { ...roadOf(name), ...said });
  }

  region(rings: readonly (readonly Step[])[], name: string, rank: number, said: Said = {}): number {
    return this.area(rings, { ...boundaryOf(name, rank), countryCode: 'li', ...said });
  }

  node(at: Step, name: string, rank: number, said: Said = {}): number {
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
  at(spot: Step, zoom = 18, countryCode = 'li'): Answer | undefined {
    const hit = this.hitAt(spot, zoom, countryCode);
    if (hit === undefined) return undefined;
    const place = this.place(hit.id);
    const number = hit.houseNumber || place.houseNumber;
    const road = place.parent === 0 ? '' : ` ${this.place(place.parent).names.name}`;
    const name = place.names.name ?? `${number}${road}`;
    return { name, spot: [stepsOf(hit.longitude - this.longitude), stepsOf(hit.latitude - this.latitude)] };
  }

  /** The rule by which it answers, and its name. */
  ruleAt(spot: Step, zoom = 18): [rule: PointRule | undefined, name: string | undefined] {
    return [this.hitAt(spot, zoom, 'li')?.rule, this.at(spot, zoom)?.name];
  }

  /** The places around a spot as explanations list them: level, name, and steps away. */
  around(spot: Step, zoom = 18): [level: string, name: string, steps: number][] {
    return placesAround(this.spatialIndex(), this.questionAt(spot, zoom, 'li')).map(({ level, id, distance }) => {
      const { names, houseNumber } = this.place(id);
      return [level, names.name ?? houseNumber, stepsOf(distance / UNITS_PER_DEGREE)];
    });
  }

  private hitAt(spot: Step, zoom: number, countryCode: string): PointHit | undefined {
    return reverse(this.spatialIndex(), this, this.questionAt(spot, zoom, countryCode));
  }

  private questionAt([east, north]: Step, zoom: number, countryCode: string): PointQuestion {
    return {
      latitude: this.latitude + north * STEP_DEGREES,
      longitude: this.longitude + east * STEP_DEGREES,
      zoom,
      countryCode,
    };
  }

  private complete(spots: readonly Step[], said: Said): Place {
    const east = spots.map(spot => spot[0]);
    const north = spots.map(spot => spot[1]);
    const middle = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2;
    return placeOf({
      latitude: this.latitude + middle(north) * STEP_DEGREES,
      longitude: this.longitude + middle(east) * STEP_DEGREES,
      ...said,
    });
  }

  private units(spots: readonly Step[]): Int32Array {
    return unitsOfSteps(spots, [this.latitude, this.longitude]);
  }
}

const HOUSE: Said = { category: 'place', type: 'house', searchRank: 30, addressRank: 30 };
const POI: Said = { category: 'shop', type: 'bakery', searchRank: 30, addressRank: 30 };

/** Corners of a rectangle. */
export function box(west: number, south: number, east: number, north: number): Step[] {
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
