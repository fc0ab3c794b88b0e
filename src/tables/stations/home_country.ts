// A cell belongs to the country of its network. A cell reported elsewhere was mistaken for another, or was carried
// there.

import { countriesOfMcc, countryAt, isInCountry } from '../../geo/country.ts';
import { KIND_CDMA } from '../../radio/kind.ts';
import { mccOfKey } from '../../radio/station_key.ts';

/**
 * How far cells are heard across a border: about the range of GSM. Of 249,000 published cells of three countries none
 * lies further out.
 */
const BORDER_MARGIN_METRES = 30_000;

/**
 * True when a cell's position lies in a country of its MCC or near its border. Also true when the code names no
 * country: test, private and international networks, and cdma, whose keys have no MCC.
 * @param key of a cell, at `offset` of the bytes
 */
export function isAtHome(key: Uint8Array, offset: number, latitude: number, longitude: number): boolean {
  if (key[offset] === KIND_CDMA) return true;
  const countries = countriesOfMcc(mccOfKey(key, offset));
  if (countries.length === 0) return true;
  const country = countryAt(latitude, longitude);
  if (country !== undefined && countries.includes(country)) return true;
  for (const home of countries) if (isInCountry(latitude, longitude, home, BORDER_MARGIN_METRES)) return true;
  return false;
}

/**
 * True when a position lies inside a country of an MCC, without any margin. Also true when the code names no country.
 * @param mcc 0..999; -1 for cdma
 */
export function isInside(mcc: number, latitude: number, longitude: number): boolean {
  const countries = mcc < 0 ? [] : countriesOfMcc(mcc);
  if (countries.length === 0) return true;
  const country = countryAt(latitude, longitude);
  return country !== undefined && countries.includes(country);
}

/** Reads borders and codes, some 40 ms, so that no request waits for them. */
export function prepareHomeCountries(): void {
  isInside(262, 50, 9);
}
