// Names, house number and address of an object, read from its tags.

import { NO_TAGS } from '../../../tables/places/place.ts';
import type { Tags } from '../osm/features.ts';

/** Keys of names in the order in which they are kept. Each may carry a language or a side: `name:de`, `name:left`. */
const NAME_KEYS = ['name', 'alt_name', 'old_name', 'official_name', 'short_name', 'loc_name', 'int_name'];
const LANGUAGE_OR_SIDE = /^([a-z]{2,3}([-_][A-Za-z0-9]+)*|left|right)$/;
/** What a road, an airport or a station is called besides its names: numbers on signs, codes in timetables. */
const REFERENCES = ['ref', 'iata', 'icao', 'railway:ref', 'ref:crs', 'faa'];
const BRAND = 'brand';

/** Tags that are kept for those who ask for them, in the order in which they are answered. */
const FURTHER_TAGS = [
  ...['website', 'contact:website', 'url', 'phone', 'contact:phone', 'mobile', 'email', 'contact:email'],
  ...[
    'opening_hours',
    'wheelchair',
    'internet_access',
    'cuisine',
    'sport',
    'religion',
    'operator',
    'network',
    'country',
    'stars',
    'ele',
  ],
  ...['wikidata', 'wikipedia', 'brand:wikidata', 'population', 'capital', 'start_date', 'heritage', 'tunnel'],
];
/** A longer value is left out. */
const TAG_CHARACTERS_MAX = 255;

const NUMBER_KEY = 'addr:housenumber';
const CONSCRIPTION_KEY = 'addr:conscriptionnumber';
const STREET_NUMBER_KEY = 'addr:streetnumber';

/**
 * The names of an object: `name` first, then other names and those by language, its reference and, if wanted, its
 * brand.
 */
export function namesOf(tags: Tags, hasBrand: boolean): Readonly<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const key of NAME_KEYS) {
    if (tags[key] !== undefined) names[key] = tags[key];
  }
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (colon < 0 || !NAME_KEYS.includes(key.slice(0, colon)) || !LANGUAGE_OR_SIDE.test(key.slice(colon + 1))) continue;
    names[key] = tags[key];
  }
  for (const key of REFERENCES) if (tags[key] !== undefined) names[key] = tags[key];
  if (hasBrand && tags[BRAND] !== undefined) names[BRAND] = tags[BRAND];
  return names;
}

/** Further tags of an object, for those who ask for them. */
export function furtherTagsOf(tags: Tags): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const key of FURTHER_TAGS) {
    const value = tags[key];
    if (value !== undefined && value.length <= TAG_CHARACTERS_MAX) kept[key] = value;
  }
  return Object.keys(kept).length === 0 ? NO_TAGS : kept;
}

/** True for an object with a name; a reference alone is not one. */
export function isNamed(tags: Tags): boolean {
  if (tags.name !== undefined) return true;
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (
      colon < 0
        ? NAME_KEYS.includes(key)
        : NAME_KEYS.includes(key.slice(0, colon)) && LANGUAGE_OR_SIDE.test(key.slice(colon + 1))
    )
      return true;
  }
  return false;
}

/** The number of a kilometre post, as it counts along its road: `km 35`; undefined for any other object. */
function postNumberOf({ highway, distance = '' }: Tags): string | undefined {
  const kilometres = highway === 'milestone' ? Number.parseFloat(distance.replace(',', '.')) : Number.NaN;
  return Number.isNaN(kilometres) ? undefined : `km ${kilometres}`;
}

/**
 * The house number as it is on the map, even if it is several: `1;3` and `1-5` are one place with that number. Where
 * houses have a conscription number and a street number, the two joined by a slash. A kilometre post counts as a house
 * on its road.
 */
export function houseNumberOf(tags: Tags): string {
  const number = tags[NUMBER_KEY];
  if (number !== undefined) return number;
  const conscription = tags[CONSCRIPTION_KEY];
  const street = tags[STREET_NUMBER_KEY];
  if (conscription === undefined) return street ?? postNumberOf(tags) ?? '';
  return street === undefined ? conscription : `${conscription}/${street}`;
}

/** The part of the house with its number that an object is: a flat, a shop. */
export function unitOf(tags: Tags): string {
  return tags['addr:unit'] ?? tags['addr:door'] ?? '';
}

/** The number of the block in which an object's house number counts; empty where houses are counted along streets. */
export function cityBlockOf(tags: Tags): string {
  return tags['addr:block_number'] ?? tags['addr:block'] ?? '';
}

/** True for an object with an address: a house number, house name, street or place. */
export function hasAddress(tags: Tags): boolean {
  return (
    tags[NUMBER_KEY] !== undefined ||
    tags['addr:street'] !== undefined ||
    tags['addr:place'] !== undefined ||
    tags['addr:housename'] !== undefined ||
    tags[CONSCRIPTION_KEY] !== undefined ||
    tags[STREET_NUMBER_KEY] !== undefined
  );
}
