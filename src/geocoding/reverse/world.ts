// From a point to a place of the gazetteer, whose places are points. Only the borders of countries say what lies where.
//
//   zoom    answer
//   14..18  the part of a city, if one is nearer than the town and belongs to it
//   10..18  the town: the settlement of the same country with the least weighted distance (settlement.ts)
//    5..9   the state, or that of the nearest settlement if there is no town nearby
//    0..4   the country
//
// If there is no finer answer, a coarser one takes its place. Distances are on the ground, with a degree of longitude
// as long as it is at the point.

import { METRES_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { longitudeScale } from '../../geo/angle.ts';
import { planeUnitsOf } from '../../geo/plane.ts';
import { UNITS_PER_DEGREE } from '../../geo/units.ts';
import { RANK_STATE, RANK_SUBURB, RANK_TOWN, RANK_UNSIZED_VILLAGE } from '../../tables/places/ranks.ts';
import { type PlaceReader, readPlace } from '../index/place_reader.ts';
import type { SpatialIndex } from '../index/spatial_index.ts';
import { countryBits, countryBitsOf, rankOf } from '../index/traits.ts';
import { hitAt, type PointHit, type PointQuestion, type PointRule } from './hit.ts';
import { few, LISTED_MAX } from './places_around.ts';
import { SETTLEMENT_RANKS, SETTLEMENT_REACH_METRES, weightOfSettlement } from './settlement.ts';

/** A settlement near a point, or a part of one. */
export interface SettlementAround {
  level: 'town' | 'suburb';
  /** Id in the layer. */
  id: number;
  /** Units. */
  x: number;
  y: number;
  distanceMetres: number;
  /** Distance by which towns are compared (settlement.ts). */
  weightedMetres: number;
}

const ZOOM_STATE = 5;
const ZOOM_TOWN = 10;
const ZOOM_SUBURB = 14;

/** Four in five pairs of neighbouring cities this far apart are in the same state. */
const STATE_REACH_METRES = 100_000;
const SUBURB_REACH_METRES = 2_000;

/** A limit that is divided and multiplied by a weight must not fall below itself. */
const ROUNDED = 1 + 1e-9;
const UNITS_PER_METRE = UNITS_PER_DEGREE / METRES_PER_DEGREE;

/**
 * The place of the gazetteer that answers for a point.
 * @returns undefined if the point has no country or the country has no place
 */
export function reverseWorld(index: SpatialIndex, places: PlaceReader, question: PointQuestion): PointHit | undefined {
  const country = countryBits(question.countryCode);
  if (country === 0) return undefined;
  const { zoom } = question;
  const search = new Search(index, question, country);
  const town = zoom < ZOOM_STATE ? -1 : search.town();
  if (town >= 0 && zoom >= ZOOM_TOWN) {
    const suburb =
      zoom < ZOOM_SUBURB
        ? -1
        : search.nearest(Math.min(SUBURB_REACH_METRES, search.townMetres), RANK_SUBURB, RANK_SUBURB);
    const isOfTown = suburb >= 0 && readPlace(places, index.nodes.id(suburb)).rows.includes(index.nodes.id(town));
    return isOfTown ? search.hit('partOfTown', suburb) : search.hit('town', town);
  }
  const neighbour =
    town >= 0 || zoom < ZOOM_STATE ? town : search.nearest(STATE_REACH_METRES, RANK_STATE + 1, RANK_SUBURB);
  const state = neighbour < 0 ? undefined : stateOf(readPlace(places, index.nodes.id(neighbour)).rows, places);
  if (state !== undefined) return state;
  const found = index.country(country);
  return found === undefined ? undefined : hitAt('country', found.id, found.x, found.y);
}

/** The settlements of the gazetteer around a point, and the nearest parts of cities, with their distances in metres. */
export function settlementsAround(index: SpatialIndex, question: PointQuestion): SettlementAround[] {
  const country = countryBits(question.countryCode);
  if (country === 0) return [];
  const search = new Search(index, question, country);
  const towns = SETTLEMENT_RANKS.flatMap(rank =>
    search.around(SETTLEMENT_REACH_METRES, rank, weightOfSettlement(rank)),
  );
  towns.sort((a, b) => a.weightedMetres - b.weightedMetres);
  const suburbs = search.around(SUBURB_REACH_METRES, RANK_SUBURB, 1);
  return [
    ...(question.zoom < ZOOM_SUBURB ? [] : suburbs.map(each => ({ ...each, level: 'suburb' as const }))),
    ...towns.slice(0, LISTED_MAX).map(each => ({ ...each, level: 'town' as const })),
  ];
}

function stateOf(rows: readonly number[], places: PlaceReader): PointHit | undefined {
  for (const id of rows) {
    const { addressRank, latitude, longitude } = readPlace(places, id);
    if (addressRank === RANK_STATE) return { id, latitude, longitude, houseNumber: '', rule: 'state' };
  }
  return undefined;
}

/** Searches around a point among the places of one country. */
class Search {
  private readonly nodes: SpatialIndex['nodes'];
  private readonly country: number;
  private readonly x: number;
  private readonly y: number;
  private readonly scale: number;
  /** Distance of the last town found. */
  townMetres = 0;

  constructor(index: SpatialIndex, { latitude, longitude }: PointQuestion, country: number) {
    this.nodes = index.nodes;
    this.country = country;
    this.x = planeUnitsOf(longitude);
    this.y = planeUnitsOf(latitude);
    this.scale = longitudeScale((latitude * Math.PI) / 180);
  }

  /** The settlement with the least weighted distance, or -1. */
  town(): number {
    const bound = this.boundOfTown();
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const rank of SETTLEMENT_RANKS) {
      const weight = weightOfSettlement(rank);
      const limit = Math.min(SETTLEMENT_REACH_METRES, (Math.min(least, bound) * weight) / UNITS_PER_METRE);
      const item = this.nearest(limit, rank, rank);
      if (item < 0 || this.nodes.distance / weight >= least) continue;
      least = this.nodes.distance / weight;
      this.townMetres = this.nodes.distance / UNITS_PER_METRE;
      best = item;
    }
    return best;
  }

  /** No town is farther, in weighted units: the nearest of the small ones, which are many, bounds all searches. */
  private boundOfTown(): number {
    const item = this.nearest(SETTLEMENT_REACH_METRES, RANK_TOWN, RANK_UNSIZED_VILLAGE);
    if (item < 0) return Number.POSITIVE_INFINITY;
    return (ROUNDED * this.nodes.distance) / weightOfSettlement(rankOf(this.nodes.traits(item)));
  }

  /** The nearest place of these ranks, or -1. */
  nearest(metres: number, lowest: number, highest: number): number {
    const { nodes, country } = this;
    return nodes.nearest(this.x, this.y, this.scale, metres * UNITS_PER_METRE, 0, item => {
      const traits = nodes.traits(item);
      const rank = rankOf(traits);
      return rank >= lowest && rank <= highest && countryBitsOf(traits) === country;
    });
  }

  /** The nearest few places of a rank. */
  around(metres: number, rank: number, weight: number): Omit<SettlementAround, 'level'>[] {
    const { nodes, country } = this;
    const next = (isNew: (item: number) => boolean) =>
      nodes.nearest(this.x, this.y, this.scale, metres * UNITS_PER_METRE, 0, item => {
        const traits = nodes.traits(item);
        return isNew(item) && rankOf(traits) === rank && countryBitsOf(traits) === country;
      });
    return few(next, item => {
      const distanceMetres = nodes.distance / UNITS_PER_METRE;
      return {
        id: nodes.id(item),
        x: nodes.x(item),
        y: nodes.y(item),
        distanceMetres,
        weightedMetres: distanceMetres / weight,
      };
    });
  }

  hit(rule: PointRule, item: number): PointHit {
    return hitAt(rule, this.nodes.id(item), this.nodes.x(item), this.nodes.y(item));
  }
}
