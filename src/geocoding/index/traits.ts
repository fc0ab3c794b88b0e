// What the spatial index knows about a place without its record: one 32-bit word.
//
//   bits 0..7    roles: how reverse geocoding may use the place
//   bits 8..15   search rank
//   bits 16..31  country, two letters; 0 = none

import type { Geometry } from '../../geo/rings.ts';
import type { Place } from '../../tables/places/place.ts';
import { RANK_HOUSE, RANK_PATH, RANK_ROAD } from '../../tables/places/ranks.ts';
import { nameIn } from './names.ts';

/** A house number or name of its own, as a node or as an outline. */
export const ADDRESS_NODE = 1;
export const ADDRESS_OUTLINE = 2;
/** A point of interest: a shop, a bus stop, a castle. */
export const POI_NODE = 4;
export const POI_OUTLINE = 8;
/** Roads of rank 26, and smaller ones of rank 27. */
export const ROAD = 16;
export const PATH = 32;
/** An area rather than a line. */
export const AREA = 64;
/** A named area in no address that people are in: a park, a lake, a trading estate. Only areas have it. */
export const GROUNDS = 128;

/** Categories of which places without a name answer, too. */
const DESTINATIONS: ReadonlySet<string> = new Set(['amenity', 'shop', 'tourism', 'office', 'leisure', 'craft', 'club']);

/**
 * The roles of a place; 0 if it is neither house nor road. A line is a road, or a barrier or the like with an address,
 * but never a POI.
 */
export function rolesOf(place: Place, kind: Geometry['kind']): number {
  const area = kind === 'area' ? AREA : 0;
  if (place.addressRank === RANK_ROAD) return ROAD | area;
  if (place.addressRank === RANK_PATH) return PATH | area;
  const isAddress =
    place.addressRank === RANK_HOUSE &&
    !place.isAddressInherited &&
    place.type !== 'milestone' &&
    (place.houseNumber !== '' || place.houseName !== '');
  const isPoi =
    place.searchRank === RANK_HOUSE &&
    place.category !== 'place' &&
    place.category !== 'building' &&
    kind !== 'line' &&
    (DESTINATIONS.has(place.category) || Object.keys(place.names).length > 0);
  if (!isAddress && !isPoi) return 0;
  if (kind === 'point') return (isAddress ? ADDRESS_NODE : 0) | (isPoi ? POI_NODE : 0);
  return (isAddress ? ADDRESS_OUTLINE : 0) | (isPoi ? POI_OUTLINE : 0) | area;
}

/** Types of areas that people are in, by category; `undefined` for all. */
const GROUNDS_TYPES: Readonly<Record<string, readonly string[] | undefined>> = {
  leisure: undefined,
  natural: undefined,
  waterway: undefined,
  landuse: ['industrial', 'commercial', 'retail', 'allotments', 'farm', 'farmyard'],
  place: ['square', 'island', 'islet'],
  boundary: ['national_park', 'protected_area'],
};

/** True for an area that people are in and that is neither house nor road. */
export function isGrounds({ category, type, names }: Place, kind: Geometry['kind']): boolean {
  if (kind !== 'area' || !(category in GROUNDS_TYPES) || nameIn(names, []) === '') return false;
  return GROUNDS_TYPES[category]?.includes(type) ?? true;
}

/** The traits of a place. */
export function traitsOf(place: Place, roles: number): number {
  return roles | (place.searchRank << 8) | (countryBits(place.countryCode) << 16);
}

/** The search rank in traits. */
export function rankOf(traits: number): number {
  return (traits >>> 8) & 255;
}

/** The two letters of a country code as in the upper half of the word; 0 for an empty code. */
export function countryBits(code: string): number {
  return code === '' ? 0 : (code.charCodeAt(0) << 8) | code.charCodeAt(1);
}

/** The country bits in traits. */
export function countryBitsOf(traits: number): number {
  return traits >>> 16;
}

/** Hash of a house number (FNV-1a); 0 for none. */
export function numberWord(houseNumber: string): number {
  if (houseNumber === '') return 0;
  let word = 0x811c9dc5;
  for (let i = 0; i < houseNumber.length; i++) word = Math.imul(word ^ houseNumber.charCodeAt(i), 0x01000193);
  return word | 1;
}
