// Random points in and around real extracts: the areas around them are those that an independent program sees, no
// answer contradicts itself, and no question is too odd.

import { execFileSync, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { displayName } from '../../src/geocoding/address/display_name.ts';
import { toSpecAddress } from '../../src/geocoding/address/spec_address.ts';
import type { FoundPlace } from '../../src/geocoding/found_place.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { uniform } from '../kits/random.ts';
import {
  addressOf,
  COUNTRY_CODES,
  extractOf,
  LAND_BOXES,
  LANDS,
  type Land,
  missingExtract,
  openRealGeocoder,
  type RealGeocoder,
  realObjects,
} from './real_geocoder.ts';

const missing = missingExtract();
const hasOracle = spawnSync('python3', ['-c', 'import osmium, shapely']).status === 0;
if (missing !== undefined) console.log(`Points in real extracts are not tried: ${missing} is not there.`);
else if (!hasOracle)
  console.log('Areas around points are not compared: python3 has no osmium and shapely (pip install osmium shapely).');

const ORACLE_POINTS = 10_000;
const POINTS = 10_000;
/** Degrees: about 20 km, and two of a small land. */
const AROUND = 0.18;
const NEAR = 0.02;
/** Zoom that asks for the areas of a level. */
const ZOOM_OF_LEVEL: Readonly<Record<string, number>> = { 2: 3, 6: 8, 8: 10 };
const MEMBERS = [
  'building',
  'house_number',
  'road',
  'city_block',
  'neighbourhood',
  'city_district',
  'town',
  'municipality',
  'county',
  'state',
  'postcode',
  'country',
  'country_code',
];
/** Postcodes of the lands and of their neighbours. */
const POSTCODES: Readonly<Record<string, RegExp>> = {
  li: /^94(8[5-9]|9[0-8])$/,
  ch: /^(?!94(8[5-9]|9[0-8]))\d{4}$/,
  at: /^[1-9]\d{3}$/,
  mc: /^980\d\d$/,
  fr: /^(?!980)\d{5}$/,
  it: /^\d{5}$/,
  mt: /^[A-Z]{3} ?\d{2,4}$/,
};

interface OraclePoint {
  latitude: number;
  longitude: number;
  /** Id of the relation around it by level. */
  around: Readonly<Record<string, number>>;
}

describe.skipIf(missing !== undefined)('points in real extracts', () => {
  let real: RealGeocoder;
  beforeAll(async () => {
    real = await openRealGeocoder(true);
  });
  afterAll(() => real.close());

  const ask = (latitude: number, longitude: number, zoom: number, languages: readonly string[] = []) =>
    real.geocoder.reverse({ latitude, longitude, zoom, languages });

  test.skipIf(!hasOracle).each(LANDS)('%s: municipality, county and country are those around the point', land => {
    const wrong: string[] = [];
    for (const { latitude, longitude, around } of oraclePoints(land, 0, ORACLE_POINTS)) {
      for (const [level, id] of Object.entries(around)) {
        if (ZOOM_OF_LEVEL[level] === undefined) continue;
        const place = ask(latitude, longitude, ZOOM_OF_LEVEL[level]);
        if (place?.osmType !== 'relation' || place.osmId !== id)
          wrong.push(`level ${level} at ${latitude}, ${longitude}: ${place?.displayName}`);
      }
      const country = countryCodeOf(ask(latitude, longitude, 18));
      if ((country === COUNTRY_CODES[land]) !== (around[2] !== undefined))
        wrong.push(`${country} at ${latitude}, ${longitude}`);
    }
    expect(wrong).toEqual([]);
  });

  test.skipIf(!hasOracle)('on both sides of the borders of Monaco every answer is of the country of its side', () => {
    const wrong: string[] = [];
    for (const { latitude, longitude, around } of oraclePoints('monaco', NEAR, ORACLE_POINTS)) {
      for (const zoom of [3, 10, 14, 16, 18]) {
        const place = ask(latitude, longitude, zoom);
        const country = countryCodeOf(place);
        const isForeign = country !== 'mc' && /Monaco$|, 980\d\d /.test(place?.displayName ?? '');
        if (isForeign || (country === 'mc') !== (around[2] !== undefined))
          wrong.push(`${country} at ${latitude}, ${longitude}: ${place?.displayName}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test.each(LANDS)('%s and 20 km around: no answer contradicts itself', land => {
    const random = uniform(11);
    const [south, west, north, east] = LAND_BOXES[land];
    const wrong: string[] = [];
    for (let i = 0; i < POINTS; i++) {
      const latitude = south - AROUND + random() * (north - south + 2 * AROUND);
      const longitude = west - AROUND + random() * (east - west + 2 * AROUND);
      const zoom = i % 2 === 0 ? 18 : Math.floor(random() * 19);
      const languages = [[], ['de'], ['en', 'fr']][i % 3];
      const place = ask(latitude, longitude, zoom, languages);
      const faults = place === undefined ? [] : faultsOf(place, languages);
      if (zoom === 18) {
        const text = real.geocoder.at(latitude, longitude)?.addressText(languages);
        if (text !== (place && JSON.stringify(toSpecAddress(place.address))))
          faults.push(`another address alone: ${text}`);
        const geoname = JSON.parse(real.geocoder.at(latitude, longitude)?.geonameText() ?? '{}');
        if (geoname.country_code?.toLowerCase() !== countryCodeOf(place))
          faults.push(`geoname of ${geoname.country_code}`);
      }
      if (faults.length > 0) wrong.push(`zoom ${zoom} at ${latitude}, ${longitude}: ${place?.displayName}: ${faults}`);
    }
    expect(wrong).toEqual([]);
  });

  test('house numbers along the lines of Malta lie between those at the ends, in their order', async () => {
    const lines = await realObjects('malta', (type, tags) => type === 2 && tags['addr:interpolation'] !== undefined);
    expect(lines).toHaveLength(65);
    let numbered = 0;
    for (const { id, points } of lines) {
      const numbers: number[] = [];
      for (let i = 0; i + 1 < points.length; i++) {
        for (let step = 0.05; step < 1; step += 0.1) {
          const at = (key: 'latitude' | 'longitude') => points[i][key] + (points[i + 1][key] - points[i][key]) * step;
          const place = ask(at('latitude'), at('longitude'), 18);
          if (place?.osmType !== 'way' || place.osmId !== id) continue;
          expect(place).toMatchObject({ category: 'place', type: 'house' });
          expect(addressOf(place).road).toMatch(/^(Triq|Misraħ|Sqaq|The|[A-Z])/);
          numbers.push(Number(addressOf(place).house_number));
        }
      }
      if (numbers.length > 0) numbered++;
      const turns = numbers.slice(1).map((number, i) => Math.sign(number - numbers[i]));
      // On one line the mapped numbers themselves go up and down.
      if (id !== 200741349) expect(turns.includes(1) && turns.includes(-1), `way ${id}: ${numbers}`).toBe(false);
    }
    expect(numbered).toBeGreaterThan(50);
  });

  test('no question is too odd', () => {
    const random = uniform(21);
    const wrong: string[] = [];
    const numbers = [0, -0, 90, -90, 180, -180, 89.9999999, 179.9999999, -179.9999999, 1e-12, 47.14, 9.52];
    for (const latitude of numbers) {
      if (Math.abs(latitude) > 90) continue;
      for (const longitude of numbers) for (let zoom = 0; zoom <= 18; zoom++) ask(latitude, longitude, zoom);
    }
    for (let i = 0; i < 5_000; i++) ask(random() * 180 - 90, random() * 360 - 180, Math.floor(random() * 19));
    for (let i = 0; i < 300; i++) {
      const text = Array.from(
        { length: 1 + Math.floor(random() * 6) },
        () => ODD_WORDS[Math.floor(random() * ODD_WORDS.length)],
      ).join(i % 2 === 0 ? ' ' : ', ');
      const question = {
        ...freeTextQuestion(text),
        isAutocomplete: i % 3 === 0,
        limit: 1 + (i % 50),
        languages: i % 5 === 0 ? ['xx', 'de-AT'] : [],
      };
      const places = real.geocoder.search(question);
      expect(places.length).toBeLessThanOrEqual(question.limit);
      wrong.push(
        ...places.flatMap(place =>
          faultsOf(place, question.languages).map(fault => `${text}: ${place.displayName}: ${fault}`),
        ),
      );
    }
    expect(wrong).toEqual([]);
  });
});

/** @param margin degrees around the land */
function oraclePoints(land: Land, margin: number, count: number): OraclePoint[] {
  const [south, west, north, east] = LAND_BOXES[land];
  const box = [south - margin, west - margin, north + margin, east + margin].map(String);
  const args = ['test/geocoding/oracle_points.py', extractOf(land), ...box, String(count)];
  const lines = execFileSync('python3', args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n');
  return lines.map(line => {
    const [latitude, longitude, around] = JSON.parse(line);
    return { latitude, longitude, around };
  });
}

function countryCodeOf(place: FoundPlace | undefined): string | undefined {
  return place && addressOf(place).country_code;
}

/** A sound place says each thing once, as text, and everything of one country. */
function faultsOf(place: FoundPlace, languages: readonly string[]): string[] {
  const { address } = place;
  const spec = toSpecAddress(address);
  const { country_code: code = '', postcode } = spec;
  const faults: string[] = [];
  if (new Set(address.map(({ key }) => key)).size !== address.length) faults.push('a key twice');
  for (const { key, value } of address) {
    if (typeof key !== 'string' || typeof value !== 'string' || value.trim() === '' || value.trim() !== value)
      faults.push(`${key}=${value}`);
    if (key.startsWith('ISO') && !value.toLowerCase().startsWith(`${code}-`)) faults.push(`${key}=${value} in ${code}`);
  }
  if (place.displayName !== displayName(address, languages)) faults.push('another address');
  for (const [member, value] of Object.entries(spec))
    if (!MEMBERS.includes(member) || typeof value !== 'string') faults.push(`member ${member}`);
  if (!/^[a-z]{2}$/.test(code) || spec.country === undefined) faults.push(`country ${code} ${spec.country}`);
  if (postcode !== undefined && POSTCODES[code]?.test(postcode) === false)
    faults.push(`postcode ${postcode} in ${code}`);
  if (!(place.south <= place.north && place.importance >= 0 && place.importance <= 1))
    faults.push('numbers out of range');
  return faults;
}

const ODD_WORDS = [
  ...[
    'Landstrasse',
    '33',
    '9490',
    'Vaduz',
    'Triq',
    'il-Kbira',
    'St',
    'de',
    'la',
    'restaurant',
    'in',
    'Paris',
    'New',
    'Dorf',
    'North',
    'a',
    '12a',
    '1-3',
  ],
  ...[
    '47.14',
    "N 47°8'",
    '[amenity=restaurant]',
    '[',
    '=]',
    '"',
    "'",
    '%',
    '\u0000',
    '\ud800',
    '😀😀',
    '日本',
    'Москва',
    'القاهرة',
    'ß',
    'ﬁ',
    '\u202e',
    'ı',
    'İ',
  ],
  ...[
    'null',
    'undefined',
    '__proto__',
    'constructor',
    '../../etc',
    '<script>',
    ';',
    '0',
    '-0',
    '1e309',
    'NaN',
    '∞',
    '½',
    '١٢',
    '\t',
    '\n',
    ',,,,',
    '--',
  ],
];
