// The country at a point, and its name.

import { countryBeyond } from '../geo/country.ts';
import type { Country } from './address/address.ts';
import { countryName } from './address/country_names.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { nameIn } from './index/names.ts';
import { readPlace } from './index/place_reader.ts';
import { countryBits } from './index/traits.ts';

/** Its code, lower case; empty on the open sea. */
export function countryCodeAt(extract: GeocoderLayer | undefined, latitude: number, longitude: number): string {
  const around = extract?.spatial.countryAround(latitude, longitude);
  if (extract !== undefined && around !== undefined) return readPlace(extract.places, around).countryCode;
  return countryBeyond(latitude, longitude, code => extract?.spatial.hasBordersOf(countryBits(code)) ?? false);
}

/** Code and name. If no language is requested, countries of the extract have their local names. */
export function countryOf(
  extract: GeocoderLayer | undefined,
  code: string,
  languages: readonly string[],
): Country | undefined {
  if (code === '') return undefined;
  const own = languages.length > 0 ? undefined : extract?.spatial.country(countryBits(code));
  const ownName = own === undefined ? '' : nameIn(readPlace(extract!.places, own.id).names, languages);
  return { code, name: ownName || countryName(code, languages) };
}
