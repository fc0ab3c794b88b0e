// signatures follow
import type { Country } from './address.ts';

/**
 * The name of a country in the first of the languages that is known, otherwise in English.
 * @param code ISO 3166-1 alpha-2, in either case
 * @param languages BCP 47 tags, best first; what is no tag is passed over
 */
export function countryName(_code: string, _languages: readonly string[]): string {
  throw new Error('Signature only.');
}

/** The country of a point in degrees, by polygons; undefined on the open sea. */
export function countryOfPoint(_latitude: number, _longitude: number, _languages: readonly string[]): Country | undefined {
  throw new Error('Signature only.');
}

/**
 * The country of the networks that a request has heard: only where all their mobile country codes belong to the same one, and to no other.
 * @param mccs 0..999; codes without a country say nothing
 */
export function countryOfNetworks(_mccs: Iterable<number>, _languages: readonly string[]): Country | undefined {
  throw new Error('Signature only.');
}
