// The roads of an import while the houses stream by, in typed arrays, their shapes on disk. They answer which road is
// nearest, which road of a name is nearest, and which road has a node.
//
// Stretches of a few segments are boxes of a Flatbush. Distances are planar, in units.

import Flatbush from 'flatbush';
import type { NearPoint } from '../../../geo/line.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Place } from '../../../tables/places/place.ts';
import { RANK_ROAD } from '../../../tables/places/ranks.ts';
import { groupBy } from '../../search/word_index/columns.ts';
import { isOneEditApart } from '../objects/match_key.ts';
import type { IdTable } from '../osm/id_table.ts';
import type { StretchShapes } from './stretch_shapes.ts';

/** A stored road. */
export interface KnownRoad extends RoadSide {
  id: number;
  /** Match key of its `name`; empty if it has none. */
  nameKey: string;
}

/** What a road has in common with many others around it. */
export type RoadSide = Pick<Place, 'addressRank' | 'countryCode' | 'postcode' | 'rows'>;

/** How far away a road may be that a house names. */
export const NAMED_REACH = 0.015 * UNITS_PER_DEGREE;
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

/** Numbers of a road: its id, the keys of its name, its side, its first key, its first stretch. */
export const ROAD_NUMBERS = 5;
const NAME_KEY = 1;
const SIDE = 2;
const FIRST_KEY = 3;
const FIRST_STRETCH = 4;
/** The number of a road that was looked for and not found yet. */
export const NO_ROAD = 2 ** 31;
/** Numbers of a stretch: its road, and its first and last point. */
export const STRETCH_NUMBERS = 3;
const BOX_NUMBERS = 4;

/** All roads, in columns. */
interface RoadTables {
  /** ROAD_NUMBERS of each, then of the end. */
  roads: Uint32Array;
  sides: readonly RoadSide[];
  /** Numbers of the match keys of the names of each, in the order of the roads. */
  keys: Uint32Array;
  keyTexts: readonly string[];
  keyNumbers: ReadonlyMap<string, number>;
  /** Four numbers each: west, south, east, north. */
  boxes: Int32Array;
  shapes: StretchShapes;
  stretches: Uint32Array<ArrayBuffer>;
  /** Four numbers of each stretch, some at a time. */
  stretchBoxes: Iterable<Int32Array>;
  /** NO_ROAD for a node that is in none. */
  byNode: IdTable;
  byWay: ReadonlyMap<number, number>;
}

/** Roads by position, name, node and way. Points are in units. */
export class KnownRoads {
  private readonly tables: RoadTables;
  /** Roads in the order of their keys; those of key k are from `starts[k]` to `starts[k + 1]`. */
  private readonly byKey: { order: Uint32Array; starts: Uint32Array };
  private readonly index: Flatbush | undefined;
  private readonly commonNames = new Map<number, Flatbush>();
  private readonly near: NearPoint = { square: 0, x: 0, y: 0, point: 0, share: 0 };

  constructor(tables: RoadTables) {
    this.tables = tables;
    const { stretches, stretchBoxes, keys, keyTexts } = tables;
    this.byKey = groupBy(keys.length, keyTexts.length, entry => keys[entry]);
    this.replaceByRoads(this.byKey.order);
    if (stretches.length === 0) return;
    this.index = new Flatbush(stretches.length / STRETCH_NUMBERS, 16, Int32Array);
    for (const part of stretchBoxes) {
      for (let at = 0; at < part.length; at += BOX_NUMBERS)
        this.index.add(part[at], part[at + 1], part[at + 2], part[at + 3]);
    }
    this.index.finish();
  }

  /** Gives disk and memory back; nothing can be asked afterwards. */
  close(): void {
    this.tables.shapes.close();
    this.tables.stretches.buffer.transfer(0);
  }

  /** @param entries indexes of keys, replaced by the roads that have them */
  private replaceByRoads(entries: Uint32Array): void {
    const roadOf = new Uint32Array(entries.length);
    for (let road = 0; road < this.count; road++)
      roadOf.fill(road, this.number(road, FIRST_KEY), this.number(road + 1, FIRST_KEY));
    for (let i = 0; i < entries.length; i++) entries[i] = roadOf[entries[i]];
  }

  private get count(): number {
    return this.tables.roads.length / ROAD_NUMBERS - 1;
  }

  /** @param member which of the numbers of a road */
  private number(index: number, member: number): number {
    return this.tables.roads[index * ROAD_NUMBERS + member];
  }

  private road(index: number): KnownRoad {
    const { sides, keyTexts, roads } = this.tables;
    const { addressRank, countryCode, postcode, rows } = sides[this.number(index, SIDE)];
    const nameKey = keyTexts[this.number(index, NAME_KEY)];
    return { id: roads[index * ROAD_NUMBERS], nameKey, addressRank, countryCode, postcode, rows };
  }

  private roadOrNone(index: number): KnownRoad | undefined {
    return index < 0 ? undefined : this.road(index);
  }

  private hasName(index: number): boolean {
    return this.number(index, FIRST_KEY) < this.number(index + 1, FIRST_KEY);
  }

  /** The match key of the main name of a road by its id; undefined for what is no road. */
  nameKeyOf(id: number): string | undefined {
    const { roads } = this.tables;
    let low = 0;
    for (let high = this.count; low < high; ) {
      const middle = (low + high) >>> 1;
      if (roads[middle * ROAD_NUMBERS] < id) low = middle + 1;
      else high = middle;
    }
    return low < this.count && roads[low * ROAD_NUMBERS] === id
      ? this.tables.keyTexts[this.number(low, NAME_KEY)]
      : undefined;
  }

  /**
   * The nearest road with a name (a match key) within 0.015 degrees; if none has it, the nearest whose name differs by
   * one letter.
   */
  named(matchKey: string, x: number, y: number): KnownRoad | undefined {
    const index = this.exactlyNamed(matchKey, x, y);
    return this.roadOrNone(index < 0 ? this.nearlyNamed(matchKey, x, y) : index);
  }

  private nearlyNamed(matchKey: string, x: number, y: number): number {
    if (matchKey.length < LETTERS_MIN) return -1;
    const { keys, keyTexts } = this.tables;
    return this.nearestWithin(x, y, NAMED_REACH, index => {
      const end = this.number(index + 1, FIRST_KEY);
      for (let at = this.number(index, FIRST_KEY); at < end; at++)
        if (isOneEditApart(keyTexts[keys[at]], matchKey)) return true;
      return false;
    });
  }

  private exactlyNamed(matchKey: string, x: number, y: number): number {
    let nearest = -1;
    let nearestSquare = Infinity;
    this.forEachNamedNear(matchKey, x, y, index => {
      const square = this.squareDistanceOf(index, x, y);
      if (square > nearestSquare || (square === nearestSquare && index > nearest)) return;
      nearest = index;
      nearestSquare = square;
    });
    // The reach is a square, whose corners are farther away than its sides.
    return nearestSquare <= 2 * NAMED_REACH * NAMED_REACH ? nearest : -1;
  }

  /**
   * Visits the roads of a name whose boxes are in reach. Common names, such as main street, are looked up by position.
   */
  private forEachNamedNear(matchKey: string, x: number, y: number, visit: (index: number) => void): void {
    const key = this.tables.keyNumbers.get(matchKey);
    if (key === undefined) return;
    const { order, starts } = this.byKey;
    const first = starts[key];
    const end = starts[key + 1];
    if (end - first < COMMON_NAME) {
      for (let at = first; at < end; at++) if (this.isInReach(order[at], x, y)) visit(order[at]);
      return;
    }
    const boxes = this.commonNames.get(key) ?? this.indexCommonName(key, order.subarray(first, end));
    for (const i of boxes.search(x - NAMED_REACH, y - NAMED_REACH, x + NAMED_REACH, y + NAMED_REACH))
      visit(order[first + i]);
  }

  private indexCommonName(key: number, named: Uint32Array): Flatbush {
    const { boxes } = this.tables;
    const index = new Flatbush(named.length, 16, Int32Array);
    for (const road of named) {
      const at = road * BOX_NUMBERS;
      index.add(boxes[at], boxes[at + 1], boxes[at + 2], boxes[at + 3]);
    }
    index.finish();
    this.commonNames.set(key, index);
    return index;
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
      const index = this.nearestWithin(x, y, Math.min(reach, NEAREST_REACH_MAX), each => this.hasName(each));
      if (index >= 0) return this.road(index);
    }
    return undefined;
  }

  /** The nearest street, named or not, up to 0.001 degrees away. */
  nearestStreet(x: number, y: number): KnownRoad | undefined {
    const { sides } = this.tables;
    const isStreet = (index: number) => sides[this.number(index, SIDE)].addressRank === RANK_ROAD;
    return this.roadOrNone(this.nearestWithin(x, y, STREET_REACH, isStreet));
  }

  /** The nearest of some ways that the collection was told to keep. */
  nearestOfWays(osmIds: readonly number[], x: number, y: number): KnownRoad | undefined {
    let nearest = -1;
    let nearestSquare = Infinity;
    for (const osmId of osmIds) {
      const index = this.tables.byWay.get(osmId);
      const square = index === undefined ? Infinity : this.squareDistanceOf(index, x, y);
      if (index === undefined || square >= nearestSquare) continue;
      nearest = index;
      nearestSquare = square;
    }
    return this.roadOrNone(nearest);
  }

  /** The named road that contains a node that the collection was told to keep. */
  ofNode(osmId: number): KnownRoad | undefined {
    const index = this.tables.byNode.get(osmId);
    return index < 0 || index === NO_ROAD || !this.hasName(index) ? undefined : this.road(index);
  }

  private nearestWithin(x: number, y: number, reach: number, isWanted: (index: number) => boolean): number {
    const { stretches } = this.tables;
    let nearest = -1;
    let nearestSquare = reach * reach;
    for (const stretch of this.index?.search(x - reach, y - reach, x + reach, y + reach) ?? []) {
      const road = stretches[stretch * STRETCH_NUMBERS];
      if (!isWanted(road)) continue;
      const square = this.squareDistanceTo(stretch, x, y);
      if (square > nearestSquare || (square === nearestSquare && nearest >= 0 && road > nearest)) continue;
      nearest = road;
      nearestSquare = square;
    }
    return nearest;
  }

  private squareDistanceOf(index: number, x: number, y: number): number {
    const end = this.number(index + 1, FIRST_STRETCH);
    let nearest = Infinity;
    for (let stretch = this.number(index, FIRST_STRETCH); stretch < end; stretch++)
      nearest = Math.min(nearest, this.squareDistanceTo(stretch, x, y));
    return nearest;
  }

  private squareDistanceTo(stretch: number, x: number, y: number): number {
    const { stretches, shapes } = this.tables;
    const i = stretch * STRETCH_NUMBERS;
    shapes.measure(stretches[i + 1], stretches[i + 2], x, y, this.near);
    return this.near.square;
  }
}
