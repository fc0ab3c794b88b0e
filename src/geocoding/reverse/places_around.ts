// The places around a point, level by level, with their distances: what a place had to be nearer than to be the answer.
// Only explanations list them; the answer comes from near.ts and reverse.ts, which ask the same indexes for the nearest
// alone.

import { apart, planeUnitsOf } from '../../geo/plane.ts';
import { RANK_AREA_MAX, RANK_COUNTRY, RANK_ROAD } from '../../tables/places/ranks.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';
import { GROUNDS, rankOf } from '../index/traits.ts';
import type { PointQuestion } from './hit.ts';
import { isReached, lineRolesOf, NODES, OUTLINES, REACH, ROADS } from './near.ts';
import { highestRankOf, reachOfNode } from './reverse.ts';

/** Levels of places, from small to large. */
export const POINT_LEVELS = ['house', 'street', 'place', 'area', 'suburb', 'town'] as const;
/** One of them. */
export type PointLevel = (typeof POINT_LEVELS)[number];

/** A place near a point or around it. */
export interface PlaceAround {
  level: PointLevel;
  /** Id in the layer. */
  id: number;
  /** The point is in it. */
  isAround: boolean;
  /** Its point that is nearest, units; that of an area is anywhere. */
  x: number;
  y: number;
  /** Distance on the plane of the rules, longitude not scaled, units. */
  distance: number;
}

/** Places of each level that are listed. */
export const LISTED_MAX = 5;

/** The places of an extract around a point that its zoom admits, the nearest of each level first. */
export function placesAround(index: SpatialIndex, { latitude, longitude, zoom }: PointQuestion): PlaceAround[] {
  const x = planeUnitsOf(longitude);
  const y = planeUnitsOf(latitude);
  const highest = highestRankOf(zoom);
  const roles = highest < RANK_ROAD ? 0 : lineRolesOf(highest);
  const outlines = roles & OUTLINES;
  const houses =
    outlines === 0 ? [] : [...linesAround(index, x, y, 'house', outlines | GROUNDS), ...housesAround(index, x, y)];
  const streets = roles === 0 ? [] : linesAround(index, x, y, 'street', roles & ROADS);
  return [
    ...nearestOf(houses),
    ...nearestOf(streets),
    ...nodesAround(index, x, y, Math.min(highest, RANK_AREA_MAX)),
    ...regionsAround(index, x, y, Math.min(highest, RANK_AREA_MAX)),
  ];
}

function housesAround({ houses }: SpatialIndex, x: number, y: number): PlaceAround[] {
  const next = (isNew: (item: number) => boolean) => houses.nearest(x, y, 1, REACH, NODES, isNew);
  return few(next, item => ({
    level: 'house',
    id: houses.id(item),
    isAround: false,
    x: houses.x(item),
    y: houses.y(item),
    distance: apart(x, y, houses.x(item), houses.y(item)),
  }));
}

/** Roads, or outlines of houses and POIs; squares and outlines also if the point is in them. */
function linesAround(index: SpatialIndex, x: number, y: number, level: PointLevel, roles: number): PlaceAround[] {
  const { ground, groundLines, groundAreas } = index;
  const inside = new Set<number>();
  groundAreas.forEachAround(x, y, shape => {
    if ((ground.traits(shape) & roles) !== 0 && isReached(index, shape, x, y)) inside.add(shape);
  });
  const around = [...inside].map(shape => ({ level, id: ground.id(shape), isAround: true, x, y, distance: 0 }));
  const isCandidate = (shape: number) => !inside.has(shape) && isReached(index, shape, x, y);
  const next = (isNew: (shape: number) => boolean) =>
    groundLines.nearest(x, y, REACH, roles, shape => isNew(shape) && isCandidate(shape));
  const near = few(next, shape => {
    const { square, x: atX, y: atY } = groundLines.near;
    return { level, id: ground.id(shape), isAround: false, x: atX, y: atY, distance: Math.sqrt(square) };
  });
  return [...around, ...near];
}

/** Towns, hamlets and the like that have no border. */
function nodesAround({ nodes }: SpatialIndex, x: number, y: number, highest: number): PlaceAround[] {
  const isReached = (item: number) => {
    const rank = rankOf(nodes.traits(item));
    return rank > RANK_COUNTRY && rank <= highest && apart(x, y, nodes.x(item), nodes.y(item)) <= reachOfNode(rank);
  };
  const next = (isNew: (item: number) => boolean) =>
    nodes.nearest(x, y, 1, reachOfNode(RANK_COUNTRY + 1), 0, item => isNew(item) && isReached(item));
  return few(next, item => ({
    level: 'place',
    id: nodes.id(item),
    isAround: false,
    x: nodes.x(item),
    y: nodes.y(item),
    distance: apart(x, y, nodes.x(item), nodes.y(item)),
  }));
}

/** Regions with the point in them, those of the greatest rank first. */
function regionsAround({ regions, regionAreas }: SpatialIndex, x: number, y: number, highest: number): PlaceAround[] {
  const shapes: number[] = [];
  regionAreas.forEachAround(x, y, shape => {
    if (rankOf(regions.traits(shape)) <= highest) shapes.push(shape);
  });
  shapes.sort((a, b) => rankOf(regions.traits(b)) - rankOf(regions.traits(a)) || regions.size(a) - regions.size(b));
  return shapes.map(shape => ({ level: 'area', id: regions.id(shape), isAround: true, x, y, distance: 0 }));
}

function nearestOf(places: PlaceAround[]): PlaceAround[] {
  return places.sort((a, b) => a.distance - b.distance).slice(0, LISTED_MAX);
}

/**
 * The nearest few of an index, one search each. @param next the nearest that is accepted, or -1 @param describe called
 * after the search that found it
 */
export function few<T>(next: (isNew: (item: number) => boolean) => number, describe: (item: number) => T): T[] {
  const seen = new Set<number>();
  const found: T[] = [];
  while (found.length < LISTED_MAX) {
    const item = next(each => !seen.has(each));
    if (item < 0) break;
    seen.add(item);
    found.push(describe(item));
  }
  return found;
}
