// The nearest house, POI or road on the ground, and then a better answer close by:
//
//   1. the nearest of all; an area that contains the point is at distance 0, and the smallest of several wins
//   2. for a road, if houses are wanted: the house of that road nearest to the road's point, if it is hardly farther
//   away than the road
//   3. inside the area of a house or POI: the nearest node in that area, unless it has another house number
//   4. where that is farther away than what is at hand, the smallest park, lake or the like that contains the point
//   5. an interpolated house number, if its line is nearer than the answer so far; it must belong to the road, if that
//   was found
//
// Distances are planar degrees, longitude not scaled.

import { lengthOf, type NearPoint, pointAlong } from '../../geo/line.ts';
import { apart } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import type { HouseRange } from '../../tables/places/place.ts';
import { RANK_HOUSE, RANK_ROAD } from '../../tables/places/ranks.ts';
import { isInside } from '../index/areas.ts';
import { type PlaceReader, readPlace } from '../index/place_reader.ts';
import { isOnGround } from '../index/road_class.ts';
import { distanceToLines } from '../index/segments.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';
import { ADDRESS_NODE, ADDRESS_OUTLINE, AREA, GROUNDS, PATH, POI_NODE, POI_OUTLINE, ROAD } from '../index/traits.ts';
import { hitAt, type PointHit, type PointRule } from './hit.ts';
import type { Accept } from './wanted_layers.ts';

/** Greatest distance of a result, units. The centroid of an area must not be farther either. */
export const REACH = 0.007 * UNITS_PER_DEGREE;
/** Greatest distance of interpolated numbers if nothing else was found. */
const RANGE_REACH = 0.006 * UNITS_PER_DEGREE;
/** Results this much farther than the nearest count as equally near. */
const FUZZINESS = 0.001 * UNITS_PER_DEGREE;

/** Nearer than this, a house or road answers although the point is in a park; as farther ones are hardly farther. */
const AT_HAND = FUZZINESS;

/** Roles of roads. */
export const ROADS = ROAD | PATH;
/** Roles of houses and POIs that are points. */
export const NODES = ADDRESS_NODE | POI_NODE;
/** Roles of houses and POIs that are lines. */
export const OUTLINES = ADDRESS_OUTLINE | POI_OUTLINE;

/** The answer so far: an item of `houses` or a shape of `ground`; the other is -1. */
interface Nearest {
  rule: PointRule;
  house: number;
  shape: number;
  /** Distance from the query point, units. */
  distance: number;
  /** The point to return, units. */
  x: number;
  y: number;
}

/** What is looked for near a point. */
interface Wanted {
  /** Longitude and latitude, whole units. */
  x: number;
  y: number;
  /** Greatest rank wanted: 26, 27 or 30. */
  highest: number;
  /** What may answer; all without. */
  accept: Accept | undefined;
  /** Numbers on a line of house numbers may answer, too. */
  areNumbersWanted: boolean;
}

/** The nearest house, POI or road. */
export function nearestHouseOrRoad(index: SpatialIndex, places: PlaceReader, wanted: Wanted): PointHit | undefined {
  const { x, y, highest, areNumbersWanted } = wanted;
  const areHousesWanted = highest >= RANK_HOUSE;
  const nearest = nearestOfAll(index, wanted);
  if (!areHousesWanted) return nearest === undefined ? undefined : hitOf(index, nearest);
  const grounds = nearest === undefined || nearest.distance > AT_HAND ? groundsAround(index, wanted, nearest) : -1;
  if (grounds >= 0)
    return hitAt('contains', index.ground.id(grounds), index.ground.x(grounds), index.ground.y(grounds));
  if (nearest === undefined) return areNumbersWanted ? numberInRange(index, places, x, y, RANGE_REACH, 0) : undefined;
  if (isRoad(index, nearest)) {
    const house = houseOfRoad(index, x, y, nearest);
    const reach = house?.distance ?? FUZZINESS;
    return numberInRange(index, places, x, y, reach, index.ground.id(nearest.shape)) ?? hitOf(index, house ?? nearest);
  }
  if (nearest.distance > 0) {
    const number = areNumbersWanted ? numberInRange(index, places, x, y, nearest.distance, 0) : undefined;
    return number ?? hitOf(index, nearest);
  }
  return hitOf(index, nodeInside(index, nearest, wanted) ?? nearest);
}

/** Roles of lines that may be the answer. @param highest greatest rank wanted: 26, 27 or 30 */
export function lineRolesOf(highest: number): number {
  if (highest >= RANK_HOUSE) return ROADS | OUTLINES;
  return highest === RANK_ROAD ? ROAD : ROADS;
}

/** True for a line on the ground, and for an area whose centroid is within reach. */
export function isReached({ ground }: SpatialIndex, shape: number, x: number, y: number): boolean {
  const traits = ground.traits(shape);
  if ((traits & AREA) !== 0) return apart(x, y, ground.x(shape), ground.y(shape)) <= REACH;
  return (traits & ROADS) === 0 || isOnGround(ground.link(shape));
}

/**
 * The smallest park, lake or the like that contains a point, or -1. Where there is neither house nor road it may be of
 * any size below that of the region.
 */
function groundsAround(index: SpatialIndex, { x, y, accept }: Wanted, nearest: Nearest | undefined): number {
  const { ground, groundAreas, regions, regionAreas } = index;
  const found = groundAreas.bestAround(x, y, (shape, best) => {
    const traits = ground.traits(shape);
    if ((traits & GROUNDS) === 0 || (best >= 0 && ground.size(shape) >= ground.size(best))) return false;
    return accept === undefined || accept(traits, ground.id(shape));
  });
  if (found < 0 || isReached(index, found, x, y)) return found;
  if (nearest !== undefined) return -1;
  const isSmaller = (shape: number, best: number) => best < 0 || regions.size(shape) < regions.size(best);
  const region = regionAreas.bestAround(x, y, isSmaller);
  return region < 0 || ground.size(found) < regions.size(region) ? found : -1;
}

function nearestOfAll(index: SpatialIndex, { x, y, highest, accept }: Wanted): Nearest | undefined {
  const { ground, groundAreas, groundLines, houses } = index;
  const roles = lineRolesOf(highest);
  const isNear = (shape: number) =>
    isReached(index, shape, x, y) && (accept === undefined || accept(ground.traits(shape), ground.id(shape)));
  const area = groundAreas.bestAround(x, y, (shape, best) => {
    if ((ground.traits(shape) & roles) === 0 || !isNear(shape)) return false;
    if (best < 0 || ground.size(shape) < ground.size(best)) return true;
    return ground.size(shape) === ground.size(best) && ground.id(shape) < ground.id(best);
  });
  const house =
    highest < RANK_HOUSE ? -1 : houses.nearest(x, y, 1, area < 0 ? REACH : 0, NODES, ofHouses(index, accept));
  const distance = house < 0 ? REACH : houses.distance;
  const shape = area < 0 ? groundLines.nearest(x, y, distance, roles, isNear) : -1;
  if (shape >= 0 && (house < 0 || groundLines.near.square < distance * distance)) return foundLine(index, shape);
  if (house >= 0) return { rule: 'nearest', house, shape: -1, distance, x: houses.x(house), y: houses.y(house) };
  if (area < 0) return undefined;
  // On a square the query point itself is the nearest point of it; a house is at its centroid.
  const isSquare = (ground.traits(area) & ROADS) !== 0;
  return {
    rule: 'contains',
    house: -1,
    shape: area,
    distance: 0,
    x: isSquare ? x : ground.x(area),
    y: isSquare ? y : ground.y(area),
  };
}

function ofHouses({ houses }: SpatialIndex, accept: Accept | undefined): ((item: number) => boolean) | undefined {
  return accept && (item => accept(houses.traits(item), houses.id(item)));
}

function foundLine({ ground, groundLines: { near } }: SpatialIndex, shape: number): Nearest {
  const distance = Math.sqrt(near.square);
  if ((ground.traits(shape) & ROADS) !== 0)
    return { rule: 'nearest', house: -1, shape, distance, x: near.x, y: near.y };
  return { rule: 'nearest', house: -1, shape, distance, x: ground.x(shape), y: ground.y(shape) };
}

/** The house of a road nearest to the road's point. */
function houseOfRoad(index: SpatialIndex, x: number, y: number, road: Nearest): Nearest | undefined {
  const { ground, houses } = index;
  const id = ground.id(road.shape);
  const reach = Math.min(REACH, road.distance + FUZZINESS);
  const house = houses.nearest(road.x, road.y, 1, FUZZINESS, ADDRESS_NODE | ADDRESS_OUTLINE, item => {
    return houses.parent(item) === id && distanceToHouse(index, x, y, item) <= reach;
  });
  if (house < 0 || houses.distance >= FUZZINESS) return undefined;
  return {
    rule: 'houseOfRoad',
    house,
    shape: -1,
    distance: distanceToHouse(index, x, y, house),
    x: houses.x(house),
    y: houses.y(house),
  };
}

/**
 * Distance of a house node, or of the outline whose centroid the item is; 0 inside it, infinite if the centroid is out
 * of reach.
 */
function distanceToHouse({ ground, houses }: SpatialIndex, x: number, y: number, item: number): number {
  const distance = apart(x, y, houses.x(item), houses.y(item));
  if ((houses.traits(item) & ADDRESS_OUTLINE) === 0) return distance;
  const shape = houses.link(item);
  const isArea = (ground.traits(shape) & AREA) !== 0;
  if (isArea && distance > REACH) return Number.POSITIVE_INFINITY;
  return isArea && isInside(ground, shape, x, y) ? 0 : distanceToLines(ground, shape, x, y);
}

/** The nearest node inside the area that was found; it must have the area's house number, if that has one. */
function nodeInside(index: SpatialIndex, { shape }: Nearest, { x, y, accept }: Wanted): Nearest | undefined {
  const { ground, houses } = index;
  if (shape < 0 || (ground.traits(shape) & AREA) === 0) return undefined;
  const number = ground.link(shape);
  const house = houses.nearest(x, y, 1, FUZZINESS, NODES, item => {
    if (accept !== undefined && !accept(houses.traits(item), houses.id(item))) return false;
    return (number === 0 || houses.link(item) === number) && isInside(ground, shape, houses.x(item), houses.y(item));
  });
  return house < 0
    ? undefined
    : { rule: 'nodeInside', house, shape: -1, distance: houses.distance, x: houses.x(house), y: houses.y(house) };
}

/**
 * The interpolated number on the nearest line.
 * @param reach the line must be nearer, units
 * @param road the line must belong to this road; 0 = any
 */
function numberInRange(
  { ranges, rangeLines }: SpatialIndex,
  places: PlaceReader,
  x: number,
  y: number,
  reach: number,
  road: number,
): PointHit | undefined {
  const shape = rangeLines.nearest(x, y, reach, ADDRESS_OUTLINE, each => road === 0 || ranges.parent(each) === road);
  if (shape < 0 || rangeLines.near.square >= reach * reach) return undefined;
  const id = ranges.id(shape);
  const { houseRange } = readPlace(places, id);
  if (houseRange === undefined)
    throw new Error(`Place ${id} is indexed as a range of house numbers, but its record has none.`);
  const ring = ranges.firstRing(shape);
  const found = numberAt(
    houseRange,
    ranges.coordinates,
    ranges.rings[ring],
    ranges.rings[ring + 1] - 1,
    rangeLines.near,
  );
  return hitAt('houseNumber', id, found.x, found.y, found.houseNumber);
}

function isRoad({ ground }: SpatialIndex, { shape }: Nearest): boolean {
  return shape >= 0 && (ground.traits(shape) & ROADS) !== 0;
}

function hitOf({ ground, houses }: SpatialIndex, { rule, house, shape, x, y }: Nearest): PointHit {
  return hitAt(rule, house >= 0 ? houses.id(house) : ground.id(shape), x, y);
}

/** A number of a range and its position. */
interface RangeNumber {
  houseNumber: string;
  /** Units. */
  x: number;
  y: number;
}

/**
 * The number of a range nearest to a point on its line.
 * @param coordinates array that contains the line; pairs, longitude first, units
 * @param first point of the line
 * @param last point of the line
 * @param near point of the line
 */
export function numberAt(
  range: HouseRange,
  coordinates: Int32Array,
  first: number,
  last: number,
  near: NearPoint,
): RangeNumber {
  const total = lengthOf(coordinates, 2 * first, 2 * last);
  const before = lengthOf(coordinates, 2 * first, 2 * near.point);
  const within = near.point < last ? near.share * lengthOf(coordinates, 2 * near.point, 2 * near.point + 2) : 0;
  const position = total === 0 ? 0 : (before + within) / total;
  const width = range.end - range.start;
  const steps = Math.min(Math.round((width * position) / range.step), Math.floor(width / range.step));
  const number = range.start + steps * range.step;
  const [x, y] = pointAlong(
    coordinates,
    2 * first,
    2 * last,
    width === 0 ? 0 : (total * (number - range.start)) / width,
  );
  return { houseNumber: String(number), x, y };
}
