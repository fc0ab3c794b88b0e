// What kind of place a city of the gazetteer is, by its population.
//
// Importance puts the better known of two namesakes first. It grows with the logarithm of the population: every village
// has the same, a city of ten million has 0.47. So a village is never so far behind a city of the same name that it is
// dropped from the results. A state is less important than a city of its name (New York), and a country more.

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

/** What a place is, and how large. */
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

/** Inhabitants. */
const CITY_POPULATION = 100_000;
const TOWN_POPULATION = 10_000;

/** The importance that rank 19 gives by itself. */
const VILLAGE_IMPORTANCE = 0.147;

const PART_OF_CITY = 'PPLX';
const CAPITAL = 'PPLC';
/** Capitals and other seats of an administration. */
const SEAT = /^PPL[AC]/;
/** Abandoned, destroyed or historical. Some have thousands of inhabitants: those are towns with a wrong code. */
const FORSAKEN = /^PPL(Q|H|W|CH)$/;

/** The kind of a city. */
export function kindOf({ population, featureCode }: City): Kind {
  if (featureCode === PART_OF_CITY) return SUBURB;
  if (population >= CITY_POPULATION) return CITY;
  if (population >= TOWN_POPULATION) return TOWN;
  if (population > 0 || SEAT.test(featureCode)) return VILLAGE;
  return FORSAKEN.test(featureCode) ? LOCALITY : UNSIZED;
}

/** Importance of a city, 0..1. */
export function importanceOfCity(city: City): number {
  return importanceOfPeople(city.population) + (isCapital(city) ? 0.05 : 0);
}

/**
 * Importance of a state, 0..1, by the population of its cities: a little less than that of one city with all of them,
 * and less than that of its seat of the same name (Zürich). @param namesake that seat
 */
export function importanceOfState(population: number, namesake?: City): number {
  const own = importanceOfPeople(population) - 0.05;
  return namesake === undefined ? own : Math.min(own, importanceOfCity(namesake) - 0.05);
}

/** True for the capital of a country. */
export function isCapital({ featureCode }: City): boolean {
  return featureCode === CAPITAL;
}

/** True for the seat of an administration. */
export function isSeat({ featureCode }: City): boolean {
  return SEAT.test(featureCode);
}

/** Importance of a country, 0..1, by the population of its cities. */
export function importanceOfCountry(population: number): number {
  return 0.35 + 0.035 * Math.log10(Math.max(1, population));
}

function importanceOfPeople(population: number): number {
  return VILLAGE_IMPORTANCE + 0.08 * Math.max(0, Math.log10(Math.max(1, population)) - 3);
}
