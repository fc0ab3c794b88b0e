// The names and the house number of an object, as its tags give them.

import type { Tags } from '../osm/features.ts';

/** Keys of names, in the order in which they are kept. Each may have a language behind it: `name:de`. */
const NAME_KEYS = ['name', 'alt_name', 'old_name', 'official_name', 'short_name', 'loc_name', 'int_name'];
const LANGUAGE = /^[a-z]{2,3}([-_][A-Za-z0-9]+)*$/;
/** Names of a road or a shop that are not its name. */
const REFERENCE = 'ref';
const BRAND = 'brand';

const NUMBER_KEY = 'addr:housenumber';
const CONSCRIPTION_KEY = 'addr:conscriptionnumber';
const STREET_NUMBER_KEY = 'addr:streetnumber';

/** What an object is called: `name` first, then its other names, each also by language, its number on signs and, of what sells under one, its brand. */
export function namesOf(tags: Tags, hasBrand: boolean): Readonly<Record<string, string>> {
  const names: Record<string, string> = {};
  for (const key of NAME_KEYS) {
    if (tags[key] !== undefined) names[key] = tags[key];
  }
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (colon < 0 || !NAME_KEYS.includes(key.slice(0, colon)) || !LANGUAGE.test(key.slice(colon + 1))) continue;
    names[key] = tags[key];
  }
  if (tags[REFERENCE] !== undefined) names[REFERENCE] = tags[REFERENCE];
  if (hasBrand && tags[BRAND] !== undefined) names[BRAND] = tags[BRAND];
  return names;
}

/** True of an object with a name; a number on signs alone is none. */
export function isNamed(tags: Tags): boolean {
  if (tags.name !== undefined) return true;
  for (const key in tags) {
    const colon = key.indexOf(':');
    if (colon < 0 ? NAME_KEYS.includes(key) : NAME_KEYS.includes(key.slice(0, colon)) && LANGUAGE.test(key.slice(colon + 1))) return true;
  }
  return false;
}

/**
 * The house number as it stands on the map, also where it is several: `1;3` and `1-5` are one place with that number. Where houses have a number of the
 * village and another of the street, both with a slash between them.
 */
export function houseNumberOf(tags: Tags): string {
  const number = tags[NUMBER_KEY];
  if (number !== undefined) return number;
  const conscription = tags[CONSCRIPTION_KEY];
  const street = tags[STREET_NUMBER_KEY];
  if (conscription === undefined) return street ?? '';
  return street === undefined ? conscription : `${conscription}/${street}`;
}

/** True of an object that says where it stands: by house number, house name, street or place. */
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
