// From a point to a place of one layer, by the rules of OpenStreetMap's geocoder.
//
// The zoom of a query sets the greatest rank of the answer: 30 for a house, 26 a road, 16 a town, 4 a country. These
// steps are tried in order:
//
//   near     from rank 26 on: the nearest house, POI or road (near.ts)
//   around   the region of greatest rank that contains the point, and in it a nearby place node of greater rank
//   country  a nearby place node of the same country, else the country
//
// A node counts within a distance that depends on its rank. Distances are planar degrees, longitude not scaled: the
// rules mean it so, and other measures give other answers.

import { planeUnitsOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { RANK_AREA_MAX, RANK_COUNTRY, RANK_ROAD } from '../../tables/places/ranks.ts';
import { isInside } from '../index/areas.ts';
import type { PlaceReader } from '../index/place_reader.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';
import { countryBits, countryBitsOf, rankOf } from '../index/traits.ts';
import { hitAt, type PointHit, type PointQuestion, type PointRule } from './hit.ts';
import { nearestHouseOrRoad } from './near.ts';
import { acceptorOf, wantsAddresses } from './wanted_layers.ts';

/** Greatest rank of an answer, by zoom. */
const HIGHEST_RANKS = [2, 2, 2, 4, 4, 8, 10, 10, 12, 12, 16, 17, 18, 19, 22, 25, 26, 27, 30];
/** How far away a place node may be, in degrees, up to a search rank. */
const NODE_REACH: readonly (readonly [rank: number, degrees: number])[] = [
  [8, 1.8],
  [12, 0.6],
  [17, 0.16],
  [18, 0.08],
  [19, 0.04],
  [RANK_AREA_MAX, 0.02],
];

/**
 * The place that answers for a point.
 * @param places the layer's records, read only for interpolated house numbers
 * @returns undefined if the layer has nothing
 */
export function reverse(index: SpatialIndex, places: PlaceReader, question: PointQuestion): PointHit | undefined {
  const x = planeUnitsOf(question.longitude);
  const y = planeUnitsOf(question.latitude);
  const highest = highestRankOf(question.zoom);
  const areNumbersWanted = wantsAddresses(question.layers);
  const wanted = { x, y, highest, accept: acceptorOf(question.layers, places), areNumbersWanted };
  const near = highest < RANK_ROAD ? undefined : nearestHouseOrRoad(index, places, wanted);
  if (near !== undefined || !areNumbersWanted) return near;
  const highestRegion = Math.min(highest, RANK_AREA_MAX);
  return aroundPoint(index, x, y, highestRegion) ?? inCountry(index, x, y, highestRegion, question.countryCode);
}

/** The greatest rank of an answer. @param zoom 0..18 */
export function highestRankOf(zoom: number): number {
  return HIGHEST_RANKS[zoom];
}

/** How far away a place node may be, units. @param rank its search rank, at most RANK_AREA_MAX */
export function reachOfNode(rank: number): number {
  return NODE_REACH.find(([upTo]) => rank <= upTo)![1] * UNITS_PER_DEGREE;
}

function aroundPoint(index: SpatialIndex, x: number, y: number, highest: number): PointHit | undefined {
  const { regions, regionAreas, nodes } = index;
  const region = regionAreas.bestAround(x, y, (shape, best) => {
    const rank = rankOf(regions.traits(shape));
    if (rank <= RANK_COUNTRY || rank > highest) return false;
    if (best < 0) return true;
    const bestRank = rankOf(regions.traits(best));
    return rank === bestRank ? regions.size(shape) < regions.size(best) : rank > bestRank;
  });
  if (region < 0) return undefined;
  const node = nearestNode(index, x, y, {
    rule: 'placeInRegion',
    lowest: rankOf(regions.traits(region)) + 1,
    highest,
    accept: item => isInside(regions, region, nodes.x(item), nodes.y(item)),
  });
  if (node !== undefined) return { ...node, region: regions.id(region) };
  return hitAt('region', regions.id(region), regions.x(region), regions.y(region));
}

function inCountry(
  index: SpatialIndex,
  x: number,
  y: number,
  highest: number,
  countryCode: string,
): PointHit | undefined {
  const bits = countryBits(countryCode);
  if (bits === 0) return undefined;
  const node = nearestNode(index, x, y, {
    rule: 'placeInCountry',
    lowest: RANK_COUNTRY + 1,
    highest,
    accept: item => countryBitsOf(index.nodes.traits(item)) === bits,
  });
  if (node !== undefined) return node;
  const country = index.country(bits);
  return country === undefined ? undefined : hitAt('country', country.id, country.x, country.y);
}

/** Which place nodes may answer. */
interface WantedNode {
  rule: PointRule;
  /** Search ranks. */
  lowest: number;
  highest: number;
  accept: (item: number) => boolean;
}

/** The nearest node of the greatest rank that has any within its reach. */
function nearestNode(
  { nodes }: SpatialIndex,
  x: number,
  y: number,
  { rule, lowest, highest, accept }: WantedNode,
): PointHit | undefined {
  for (let rank = highest; rank >= lowest; rank--) {
    const reach = reachOfNode(rank);
    const item = nodes.nearest(x, y, 1, reach, 0, each => rankOf(nodes.traits(each)) === rank && accept(each));
    if (item >= 0) return hitAt(rule, nodes.id(item), nodes.x(item), nodes.y(item));
  }
  return undefined;
}
