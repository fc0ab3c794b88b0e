// Writes data/country_people.csv (`npx node lab/country_people.ts`): for each country the town that is nearest to its
// people, and within which radii 50, 68 and 95 % of them live. That is what is known of where somebody is of whom only
// the country is known. People live in the towns of the gazetteer.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { distanceMetres } from '../src/geo/distance.ts';
import { type City, readCities } from '../src/geocoding/import/gazetteer/cities.ts';

const FILE = join(import.meta.dirname, '../data/country_people.csv');
const SHARES = [0.5, 0.68, 0.95];
/** A large town is a circle, not a point: kilometres for each of the shares. */
const LEAST_KILOMETRES = [10, 13, 20];
/** The middle is one of the largest towns. */
const CANDIDATES = 300;

const towns = (await readCities()).filter(({ population }) => population > 0);
const rows = [...Map.groupBy(towns, ({ country }) => country)].map(([country, own]) => rowOf(country, own)).sort();
writeFileSync(FILE, ['country,latitude,longitude,km50,km68,km95', ...rows, ''].join('\n'));

/** @param own towns of the country, the largest first */
function rowOf(country: string, own: readonly City[]): string {
  const sums = own.slice(0, CANDIDATES).map(middle => {
    const sum = own.reduce((metres, town) => metres + town.population * between(middle, town), 0);
    return { middle, sum };
  });
  const { middle } = sums.reduce((a, b) => (b.sum < a.sum ? b : a));
  const outward = own.map(town => [between(middle, town), town.population] as const).sort(([a], [b]) => a - b);
  const people = own.reduce((sum, { population }) => sum + population, 0);
  const radii = SHARES.map((share, i) => {
    let within = 0;
    const [metres] = outward.find(([, population]) => {
      within += population;
      return within >= share * people;
    })!;
    return Math.max(LEAST_KILOMETRES[i], Math.ceil(metres / 1000));
  });
  return [country, middle.latitude.toFixed(2), middle.longitude.toFixed(2), ...radii].join(',');
}

function between(a: City, b: City): number {
  return distanceMetres(a.latitude, a.longitude, b.latitude, b.longitude);
}
