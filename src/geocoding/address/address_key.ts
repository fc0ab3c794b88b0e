// The key of a place's row in an address.
//
// Keys are those of OpenStreetMap's geocoder, which its clients know: a road is `road`, a place is named by its tag
// (`village`), an administrative area by its level unless a place node was linked to it, and a shop by its main key. A
// district of a city is one whatever node was linked to it, unless that is a settlement.

import type { Place } from '../../tables/places/place.ts';
import { RANK_PATH, RANK_ROAD } from '../../tables/places/ranks.ts';

/** Administrative areas by half of their address rank. */
const LEVELS = [
  '',
  'continent',
  'country',
  'region',
  'state',
  'state_district',
  'county',
  'municipality',
  'city',
  'city_district',
  'suburb',
  'neighbourhood',
  'city_block',
];
/** Keys of settlements. */
export const SETTLEMENT_KEYS: ReadonlySet<string> = new Set(['city', 'town', 'village', 'hamlet']);
/** The key of a town that is no settlement on the map. */
export const TOWN_KEY = 'town';
/** The key of an area that divides a city. */
export const DISTRICT_KEY = 'city_district';
/** Letters that are in no key, or may be in none. */
const OTHER_LETTERS = /[^a-z_]/;
/** In these countries states and counties are one level higher. */
const HIGH_STATES = new Set(['no', 'se']);

/** The key of a place's row, in its own address or in that of a smaller place. */
export function addressKey(place: Place): string {
  const { category, type } = place;
  // Islands and parks are in no address; their search rank says how large they are.
  const rank = place.addressRank || place.searchRank;
  if (rank > RANK_PATH) return keyOf(category);
  if (rank >= RANK_ROAD) return 'road';
  if (type === 'postcode' || type === 'postal_code') return 'postcode';
  if (place.isDistrict && !SETTLEMENT_KEYS.has(place.linkedPlace)) return DISTRICT_KEY;
  if (place.linkedPlace !== '') return keyOf(place.linkedPlace);
  if (category === 'place') return keyOf(type);
  if (category === 'boundary' && type === 'administrative') return levelKey(rank, place.countryCode);
  return keyOf(type === 'yes' ? category : type);
}

/** The key of a part of a town by its address rank alone. */
export function keyOfRank(addressRank: number): string {
  return LEVELS[addressRank >> 1] || 'locality';
}

function levelKey(rank: number, countryCode: string): string {
  const level = rank >> 1;
  if (HIGH_STATES.has(countryCode) && (level === 3 || level === 4)) return level === 3 ? 'state' : 'county';
  return LEVELS[level] || 'administrative';
}

/** Keys are lower case and without spaces. */
function keyOf(tag: string): string {
  return OTHER_LETTERS.test(tag) ? tag.toLowerCase().replaceAll(' ', '_') : tag;
}
