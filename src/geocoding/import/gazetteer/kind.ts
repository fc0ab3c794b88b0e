// What a city of the gazetteer is on the map, by how many people live there.
//
// Importance puts the better known of two places of one name first. It grows with the logarithm of the people: a village has what every village has, a city of ten
// millions 0.47. So no village is so far behind a city of its name that it is no result at all. A state is less important than a city that it shares its name
// with (New York), a country more.

import {
  RANK_AREA_MAX,
  RANK_CITY,
  RANK_SUBURB,
  RANK_SUBURB_ROW,
  RANK_TOWN,
  RANK_UNSIZED_VILLAGE,
  RANK_VILLAGE,
} from '../../../tables/places/ranks.ts';
import type { City } from './cities.ts';

/** What a place is, and how large it stands on the map. */
export interface Kind {
  type: string;
  searchRank: number;
  addressRank: number;
  /** Half the width of the box around its point, degrees, as OpenStreetMap's geocoder has it. */
  halfBox: number;
}

const CITY: Kind = { type: 'city', searchRank: RANK_CITY, addressRank: RANK_CITY, halfBox: 0.16 };
const TOWN: Kind = { type: 'town', searchRank: RANK_TOWN, addressRank: RANK_CITY, halfBox: 0.04 };
const VILLAGE: Kind = { type: 'village', searchRank: RANK_VILLAGE, addressRank: RANK_CITY, halfBox: 0.02 };
const UNSIZED: Kind = { ...VILLAGE, searchRank: RANK_UNSIZED_VILLAGE };
const SUBURB: Kind = { type: 'suburb', searchRank: RANK_SUBURB, addressRank: RANK_SUBURB_ROW, halfBox: 0.02 };
const LOCALITY: Kind = { type: 'locality', searchRank: RANK_AREA_MAX, addressRank: RANK_AREA_MAX, halfBox: 0.01 };

/** People. */
const CITY_POPULATION = 100_000;
const TOWN_POPULATION = 10_000;

/** What a place of rank 19 has without further knowledge. */
const VILLAGE_IMPORTANCE = 0.147;

const PART_OF_CITY = 'PPLX';
const CAPITAL = 'PPLC';
/** Capitals, and seats of an administration. */
const SEAT = /^PPL[AC]/;
/** Abandoned, destroyed or of the past. Some of them have thousands of people: those are towns under a wrong code. */
const FORSAKEN = /^PPL(Q|H|W|CH)$/;

/** What a city is. */
export function kindOf({ population, featureCode }: City): Kind {
  if (featureCode === PART_OF_CITY) return SUBURB;
  if (population >= CITY_POPULATION) return CITY;
  if (population >= TOWN_POPULATION) return TOWN;
  if (population > 0 || SEAT.test(featureCode)) return VILLAGE;
  return FORSAKEN.test(featureCode) ? LOCALITY : UNSIZED;
}

/** 0..1 */
export function importanceOfCity({ population, featureCode }: City): number {
  return importanceOfPeople(population) + (featureCode === CAPITAL ? 0.05 : 0);
}

/** 0..1, by the people in its cities: a little less than that of a city in which they all live. */
export function importanceOfState(population: number): number {
  return importanceOfPeople(population) - 0.05;
}

/** 0..1, by the people in its cities. */
export function importanceOfCountry(population: number): number {
  return 0.35 + 0.035 * Math.log10(Math.max(1, population));
}

function importanceOfPeople(population: number): number {
  return VILLAGE_IMPORTANCE + 0.08 * Math.max(0, Math.log10(Math.max(1, population)) - 3);
}
