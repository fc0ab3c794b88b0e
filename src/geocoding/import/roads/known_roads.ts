// The roads of an import, in typed arrays while the houses stream by. They answer which road is nearest, which road of
// a name is nearest, and which road has a node.
//
// Stretches of a few segments are boxes of a Flatbush. Distances are planar, in units.

import Flatbush from 'flatbush';
import { boxOf } from '../../../geo/box.ts';
import { measure, type NearPoint } from '../../../geo/line.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { RANK_ROAD } from '../../../tables/places/ranks.ts';
import { isOneEditApart } from '../objects/match_key.ts';

/** A stored road. */
export interface KnownRoad {
  id: number;
  addressRank: number;
  /** Match key of its `name`; empty if it has none. */
  nameKey: string;
  /** ISO 3166-1 alpha-2, lower case. */
  countryCode: string;
  postcode: string;
  /** Ids of its address rows. */
  rows: readonly number[];
}

/** How far away a road may be that a house names. */
const NAMED_REACH = 0.015 * UNITS_PER_DEGREE;
/** A name with at least this many roads gets an index of its own. */
const COMMON_NAME = 64;
/** In a shorter name, one different letter means a different street. */
const LETTERS_MIN = 6;
/**
 * The search for the nearest road starts within this distance and quadruples it until something is found or the maximum
 * is reached.
 */
const NEAREST_REACH_MIN = 0.0002 * UNITS_PER_DEGREE;
const NEAREST_REACH_MAX = 0.1 * UNITS_PER_DEGREE;
const GROWTH = 4;
/** How far away the street of a line of house numbers may be. */
const STREET_REACH = 0.001 * UNITS_PER_DEGREE;

/** Numbers of a stretch: its road, and the index of the first coordinate of its first and last point. */
export const STRETCH_NUMBERS = 3;
const BOX_NUMBERS = 4;

/** All roads, in columns. */
interface RoadTables {
  roads: readonly KnownRoad[];
  /** Match keys of the names of each. */
  keys: readonly (readonly string[])[];
  /** Four numbers each: west, south, east, north. */
  boxes: Int32Array;
  coordinates: Int32Array;
  stretches: Uint32Array;
  /** First stretch of each road, then the end. */
  starts: Uint32Array;
  byName: ReadonlyMap<string, readonly number[]>;
  byNode: ReadonlyMap<number, number>;
  byWay: ReadonlyMap<number, number>;
}

/** Roads by position, name, node and way. Points are in units. */
export class KnownRoads {
  private readonly tables: RoadTables;
  private readonly index: Flatbush | undefined;
  private readonly commonNames = new Map<string, Flatbush>();
  private readonly near: NearPoint = { square: 0, x: 0, y: 0, point: 0, share: 0 };

  constructor(tables: RoadTables) {
    this.tables = tables;
    const { stretches, coordinates } = tables;
    if (stretches.length === 0) return;
    this.index = new Flatbush(stretches.length / STRETCH_NUMBERS, 16, Int32Array);
    for (let i = 0; i < stretches.length; i += STRETCH_NUMBERS) {
      const { west, south, east, north } = boxOf([coordinates.subarray(stretches[i + 1], stretches[i + 2] + 2)]);
      this.index.add(west, south, east, north);
    }
    this.index.finish();
  }

  /**
   * The nearest road with a name (a match key) within 0.015 degrees; if none has it, the nearest whose name differs by
   * one letter.
   */
  named(matchKey: string, x: number, y: number): KnownRoad | undefined {
    return this.exactlyNamed(matchKey, x, y) ?? this.nearlyNamed(matchKey, x, y);
  }

  private nearlyNamed(matchKey: string, x: number, y: number): KnownRoad | undefined {
    if (matchKey.length < LETTERS_MIN) return undefined;
    const { keys } = this.tables;
    return this.nearestWithin(x, y, NAMED_REACH, index => keys[index].some(key => isOneEditApart(key, matchKey)));
  }

  private exactlyNamed(matchKey: string, x: number, y: number): KnownRoad | undefined {
    let nearest: KnownRoad | undefined;
    let nearestSquare = Infinity;
    for (const index of this.roadsNamedNear(matchKey, x, y)) {
      const square = this.squareDistanceOf(index, x, y);
      if (square >= nearestSquare) continue;
      nearest = this.tables.roads[index];
      nearestSquare = square;
    }
    // The reach is a square, whose corners are farther away than its sides.
    return nearestSquare <= 2 * NAMED_REACH * NAMED_REACH ? nearest : undefined;
  }

  /** The roads of a name whose boxes are in reach. Common names, such as main street, are looked up by position. */
  private roadsNamedNear(matchKey: string, x: number, y: number): readonly number[] {
    const named = this.tables.byName.get(matchKey) ?? [];
    if (named.length < COMMON_NAME) return named.filter(index => this.isInReach(index, x, y));
    let boxes = this.commonNames.get(matchKey);
    if (boxes === undefined) {
      boxes = new Flatbush(named.length, 16, Int32Array);
      for (const index of named) {
        const [west, south, east, north] = this.tables.boxes.subarray(index * BOX_NUMBERS, (index + 1) * BOX_NUMBERS);
        boxes.add(west, south, east, north);
      }
      boxes.finish();
      this.commonNames.set(matchKey, boxes);
    }
    return boxes.search(x - NAMED_REACH, y - NAMED_REACH, x + NAMED_REACH, y + NAMED_REACH).map(i => named[i]);
  }

  private isInReach(index: number, x: number, y: number): boolean {
    const { boxes } = this.tables;
    const box = index * BOX_NUMBERS;
    if (boxes[box] > x + NAMED_REACH || boxes[box + 2] < x - NAMED_REACH) return false;
    return boxes[box + 1] <= y + NAMED_REACH && boxes[box + 3] >= y - NAMED_REACH;
  }

  /** The nearest road that has a name, up to 0.1 degrees away. */
  nearestNamed(x: number, y: number): KnownRoad | undefined {
    for (let reach = NEAREST_REACH_MIN; reach < GROWTH * NEAREST_REACH_MAX; reach *= GROWTH) {
      const road = this.nearestWithin(
        x,
        y,
        Math.min(reach, NEAREST_REACH_MAX),
        index => this.tables.keys[index].length > 0,
      );
      if (road !== undefined) return road;
    }
    return undefined;
  }

  /** The nearest street, named or not, up to 0.001 degrees away. */
  nearestStreet(x: number, y: number): KnownRoad | undefined {
    return this.nearestWithin(x, y, STREET_REACH, index => this.tables.roads[index].addressRank === RANK_ROAD);
  }

  /** The nearest of some ways that the collection was told to keep. */
  nearestOfWays(osmIds: readonly number[], x: number, y: number): KnownRoad | undefined {
    const { roads, byWay } = this.tables;
    let nearest: KnownRoad | undefined;
    let nearestSquare = Infinity;
    for (const osmId of osmIds) {
      const index = byWay.get(osmId);
      const square = index === undefined ? Infinity : this.squareDistanceOf(index, x, y);
      if (index === undefined || square >= nearestSquare) continue;
      nearest = roads[index];
      nearestSquare = square;
    }
    return nearest;
  }

  /** The named road that contains a node that the collection was told to keep. */
  ofNode(osmId: number): KnownRoad | undefined {
    const index = this.tables.byNode.get(osmId);
    return index === undefined || this.tables.keys[index].length === 0 ? undefined : this.tables.roads[index];
  }

  private nearestWithin(
    x: number,
    y: number,
    reach: number,
    isWanted: (index: number) => boolean,
  ): KnownRoad | undefined {
    const { roads, stretches } = this.tables;
    let nearest: KnownRoad | undefined;
    let nearestSquare = reach * reach;
    for (const stretch of this.index?.search(x - reach, y - reach, x + reach, y + reach) ?? []) {
      const i = stretch * STRETCH_NUMBERS;
      if (!isWanted(stretches[i])) continue;
      const square = this.squareDistanceTo(stretch, x, y);
      if (square > nearestSquare) continue;
      nearest = roads[stretches[i]];
      nearestSquare = square;
    }
    return nearest;
  }

  private squareDistanceOf(index: number, x: number, y: number): number {
    const { starts } = this.tables;
    let nearest = Infinity;
    for (let stretch = starts[index]; stretch < starts[index + 1]; stretch++)
      nearest = Math.min(nearest, this.squareDistanceTo(stretch, x, y));
    return nearest;
  }

  private squareDistanceTo(stretch: number, x: number, y: number): number {
    const { stretches, coordinates } = this.tables;
    const i = stretch * STRETCH_NUMBERS;
    measure(coordinates, stretches[i + 1] / 2, stretches[i + 2] / 2, x, y, this.near);
    return this.near.square;
  }
}
