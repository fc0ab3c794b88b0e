// Ranks: how large a place is, from 0 for the world to 30 for a house; the smaller the number, the larger the place.
//
// Each place has two. The search rank says how important it is and how far away a point may be that it answers for. The
// address rank says which row of an address it fills; 0 means none. data/ranks.csv gives both by tag; the numbers below
// are those that the program decides by. A rank of 28 occurs in that table alone, so what is finer than a path (27) is
// treated as a house.

export const RANK_COUNTRY = 4;
/** Address rank of a postcode as a place of its own. */
export const RANK_POSTCODE = 5;
export const RANK_STATE = 8;
/** Address rank of an area drawn for a postcode. */
export const RANK_POSTAL_AREA = 11;
export const RANK_COUNTY = 12;
/** From this address rank to that of a city, a row names the municipality of a street. */
export const RANK_MUNICIPALITY = 13;
/** Search rank of a city; address rank of settlements of every size. */
export const RANK_CITY = 16;
export const RANK_TOWN = 18;
/** Address rank, by its level alone, of an administrative area that divides cities. */
export const RANK_DISTRICT = 18;
export const RANK_VILLAGE = 19;
/** Search rank of a village of the gazetteer whose population is unknown: often a part of another. */
export const RANK_UNSIZED_VILLAGE = 20;
/** Search rank of a part of a city in the gazetteer, which knows a place's kind by its rank. */
export const RANK_SUBURB = 21;
/** Address rank of a suburb. */
export const RANK_SUBURB_ROW = 20;
/** The finest address rank of settlements that may lie inside a boundary of the same rank. */
export const RANK_SETTLEMENT_MAX = 23;
/** The finest rank of an area; also that of a locality. */
export const RANK_AREA_MAX = 25;
export const RANK_ROAD = 26;
/** Paths, tracks and service roads. */
export const RANK_PATH = 27;
/** Houses, points of interest, and whatever data/ranks.csv does not name. The highest rank. */
export const RANK_HOUSE = 30;

/** True for the rank of a road, a street or a path. */
export function isRoad(rank: number): boolean {
  return rank >= RANK_ROAD && rank <= RANK_PATH;
}
