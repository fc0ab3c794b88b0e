import { readFileSync } from 'node:fs';
import { borders, feature, iso1A2Code } from '@rapideditor/country-coder';
import { expect, test } from 'vitest';
import { countriesOfMcc, countryAt, countryBeyond, isInCountry } from '../../src/geo/country.ts';
import { uniform } from '../kits/random.ts';

/** The package's types say less of the geometry than is there. */
const FEATURES = borders.features as unknown as {
  properties: { iso1A2?: string };
  geometry: { coordinates: [number, number][][][] } | null;
}[];

test.each([
  ['Berlin', 52.52, 13.405, 'DE'],
  ['Montevideo', -34.905, -56.191, 'UY'],
  ['Nairobi', -1.286, 36.817, 'KE'],
  ['Tokyo', 35.68, 139.69, 'JP'],
  ['Honolulu', 21.307, -157.858, 'US'],
  ['Monte Carlo', 43.7397, 7.4273, 'MC'],
  ['Nice', 43.7, 7.266, 'FR'],
  ['St Peter in the Vatican', 41.9022, 12.4539, 'VA'],
  ['the Colosseum', 41.8902, 12.4922, 'IT'],
  ['Basel', 47.5596, 7.5886, 'CH'],
  ['Lörrach, by Basel', 47.614, 7.665, 'DE'],
  ['Saint-Louis, by Basel', 47.59, 7.55, 'FR'],
  ['Strasbourg', 48.5734, 7.7521, 'FR'],
  ['Kehl', 48.5726, 7.8155, 'DE'],
  ['Suva', -18.1416, 178.4419, 'FJ'],
  ['Taveuni, where the antimeridian crosses it', -16.79, 180, 'FJ'],
  ['Taveuni from the other side', -16.85, -179.98, 'FJ'],
  ['Uelen in Chukotka', 66.16, -169.81, 'RU'],
  ['Anadyr', 64.73, 177.5, 'RU'],
  ['the south pole', -90, 0, 'AQ'],
])('%s lies in its country', (_, latitude, longitude, country) => {
  expect(countryAt(latitude, longitude)).toBe(country);
});

test.each([
  ['San Juan', 18.4655, -66.1057, 'PR'],
  ['Saint Helier', 49.1868, -2.1068, 'JE'],
  ['Sark, of Guernsey', 49.433, -2.361, 'GG'],
  ['Georgetown on Ascension', -7.928, -14.411, 'SH'],
  ['Kralendijk on Bonaire', 12.144, -68.265, 'BQ'],
  ['Longyearbyen', 78.223, 15.626, 'SJ'],
  ['Las Palmas, without a code of its own', 28.124, -15.43, 'ES'],
  ['Paris, in France and not in its metropolitan part', 48.8566, 2.3522, 'FR'],
  ['Pristina', 42.663, 21.162, 'XK'],
  ['Kyrenia, in Cyprus for the standard', 35.34, 33.32, 'CY'],
])('%s has the code of its territory', (_, latitude, longitude, country) => {
  expect(countryAt(latitude, longitude)).toBe(country);
});

test.each([
  ['the middle of the Atlantic', 30, -40],
  ['the north pole', 90, 0],
  ['null island', 0, 0],
  ['no latitude', Number.NaN, 10],
  ['no longitude', 50, Number.NaN],
  ['beyond the pole', 91, 10],
  ['beyond the antimeridian', 50, 190],
])('%s has no country', (_, latitude, longitude) => {
  expect(countryAt(latitude, longitude)).toBeUndefined();
});

test('points drawn over the world and along borders have the country that the package itself gives', () => {
  const random = uniform(20261121);
  const different: unknown[] = [];
  for (let i = 0; i < 2000; i++) {
    const isNearBorder = i % 2 === 1;
    const [longitude, latitude] = isNearBorder
      ? nearBorder(random)
      : [random() * 360 - 180, (Math.asin(random() * 2 - 1) * 180) / Math.PI];
    const expected = packageAnswer(latitude, longitude);
    const country = countryAt(latitude, longitude);
    if (country !== expected) different.push({ latitude, longitude, country, expected });
  }
  expect(different).toEqual([]);
});

test('the margin reaches as far outside the border as it says, and not further', () => {
  // East of Kehl's bridge the border with France is the Rhine, 0.9 km from the town.
  expect(isInCountry(48.5726, 7.8155, 'FR', 500)).toBe(false);
  expect(isInCountry(48.5726, 7.8155, 'FR', 2000)).toBe(true);
  expect(isInCountry(48.5726, 7.8155, 'DE', 0)).toBe(true);
  // Monaco is two kilometres wide: no point of a coarse circle need meet it.
  expect(isInCountry(43.7, 7.266, 'MC', 20_000)).toBe(true);
  expect(isInCountry(43.7, 7.266, 'MC', 5000)).toBe(false);
  // An enclave lies in the hole of its neighbour, whose edge is near.
  expect(isInCountry(41.9022, 12.4539, 'IT', 1000)).toBe(true);
  expect(isInCountry(48.137, 11.575, 'AT', 20_000)).toBe(false);
  expect(isInCountry(48.137, 11.575, 'AT', 80_000)).toBe(true);
});

test('the margin of a point at the end of a row of latitude reaches into the next', () => {
  // Liechtenstein's southern end lies at 47.05: the point is in the row below.
  expect(isInCountry(46.99, 9.5, 'LI', 5000)).toBe(false);
  expect(isInCountry(46.99, 9.5, 'LI', 10_000)).toBe(true);
});

test('the margin crosses the antimeridian', () => {
  // Tuvalu ends west of it, at 179.9 degrees and less.
  expect(isInCountry(-8.5, -179.9, 'TV', 10_000)).toBe(false);
  expect(isInCountry(-8.5, -179.9, 'TV', 100_000)).toBe(true);
});

test('the margin of a point at a pole, and of no point, is none', () => {
  expect(isInCountry(90, 0, 'RU', 20_000)).toBe(false);
  expect(isInCountry(-90, 0, 'AQ', 20_000)).toBe(true);
  expect(isInCountry(Number.NaN, 0, 'DE', 20_000)).toBe(false);
  expect(isInCountry(50, Number.NaN, 'DE', 20_000)).toBe(false);
});

test('a country code of networks names all countries where they are on the air', () => {
  expect(countriesOfMcc(262)).toEqual(['DE']);
  expect(countriesOfMcc(310)).toContain('PR');
  expect(countriesOfMcc(316)).toEqual(countriesOfMcc(310));
  expect(countriesOfMcc(234)).toEqual(['GB', 'GG', 'JE', 'IM']);
  expect(countriesOfMcc(340)).toEqual(['GP', 'MQ', 'GF', 'BL', 'MF']);
  expect(countriesOfMcc(425)).toEqual(['IL', 'PS']);
});

test('codes that are not assigned, and those of test, private and international networks, have no country', () => {
  for (const mcc of [-1, 0, 1, 203, 263, 800, 901, 999, 1000]) expect(countriesOfMcc(mcc), `${mcc}`).toEqual([]);
});

test('every country of a network is one of the borders, and every line of the table is in order', () => {
  const codes = new Set(FEATURES.map(({ properties }) => properties.iso1A2));
  const rows = readFileSync('data/mcc.csv', 'utf8').trim().split('\n').slice(1);
  expect(rows.length).toBeGreaterThan(220);
  let last = '';
  for (const row of rows) {
    expect(row).toMatch(/^\d{3},([A-Z]{2}( [A-Z]{2})*)?,[^,]+$/);
    expect(row > last, row).toBe(true);
    last = row;
    for (const country of countriesOfMcc(Number(row.slice(0, 3)))) expect(codes, row).toContain(country);
  }
});

function nearBorder(random: () => number): [number, number] {
  const polygons = FEATURES.flatMap(({ geometry }) => geometry?.coordinates ?? []);
  const ring = polygons[Math.floor(random() * polygons.length)][0];
  const [longitude, latitude] = ring[Math.floor(random() * ring.length)];
  const place = [longitude + (random() - 0.5) * 0.2, latitude + (random() - 0.5) * 0.2] as [number, number];
  return Math.abs(place[0]) > 180 || Math.abs(place[1]) > 90 ? [longitude, latitude] : place;
}

/**
 * Codes that the standard only reserves, as EA for Ceuta and Melilla, count as their country; Northern Cyprus has none
 * in the package.
 */
function packageAnswer(latitude: number, longitude: number): string | undefined {
  const found = feature([longitude, latitude], { level: 'territory', withProp: 'iso1A2' })?.properties;
  if (found?.isoStatus === 'excRes') return iso1A2Code([longitude, latitude], { level: 'country' }) ?? undefined;
  const isNorthernCyprus = latitude > 35 && latitude < 36.5 && longitude > 32 && longitude < 35.5;
  return found?.iso1A2 ?? (isNorthernCyprus ? 'CY' : undefined);
}

/** In Austria, a hundred metres from Liechtenstein; the borders of the world are not so exact. */
const BEYOND = [47.2178, 9.5713] as const;

test('without better borders those of the world decide', () => {
  expect(countryBeyond(...BEYOND, () => false)).toBe('li');
  expect(countryBeyond(47.14, 9.52, () => false)).toBe('li');
});

test('a point beyond better borders belongs to the neighbour, and a point of another country to that', () => {
  expect(countryBeyond(...BEYOND, code => code === 'li')).toBe('at');
  expect(countryBeyond(47.5, 9.75, code => code === 'li')).toBe('at');
});

test('on the sea beyond better borders there is no country, nor on the open sea', () => {
  expect(countryBeyond(35.75, 14.4, code => code === 'mt')).toBe('');
  expect(countryBeyond(30, -40, () => false)).toBe('');
});
