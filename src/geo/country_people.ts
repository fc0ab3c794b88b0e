// Where the people of a country live: its middle, and how far from there half and more of them are. It is all that is
// known of where somebody is of whom only the country is known. The table (data/country_people.csv) is computed from
// the towns of the gazetteer by lab/country_people.ts.

import { readFileSync } from 'node:fs';

/** How people are spread around the middle of their country. */
interface CountryPeople {
  /** The town that is nearest to all, degrees. */
  latitude: number;
  longitude: number;
  /** Radius within which half of them live. */
  accuracyMetres: number;
  /** Radii for 68 and 95 %, as multiples of that. */
  at68: number;
  at95: number;
}

let byCountry: ReadonlyMap<string, CountryPeople> | undefined;

/** @param country ISO 3166-1 alpha-2 @returns undefined for a country without a town */
export function peopleOf(country: string): CountryPeople | undefined {
  byCountry ??= load();
  return byCountry.get(country);
}

function load(): ReadonlyMap<string, CountryPeople> {
  const rows = readFileSync(new URL('../../data/country_people.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  return new Map(
    rows.map(row => {
      const [country, ...columns] = row.split(',');
      const [latitude, longitude, km50, km68, km95] = columns.map(Number);
      return [
        country,
        { latitude, longitude, accuracyMetres: km50 * 1000, at68: km68 / km50, at95: km95 / km50 },
      ] as const;
    }),
  );
}
