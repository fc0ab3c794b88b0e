// Areas as people name them: countries by other names, states by their codes, whether or not the layer has them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

/** Ashford lies in a state that is on the map, Milton in one that is not; both are in Australia. */
const LAND = `
  au      | place=country           | Australia
  vic     | boundary=administrative | Victoria   |    |      |      | au
  ashford | place=town              | Ashford    |    | 3001 |      | vic au
  milton  | place=town              | Milton     |    | 2538 |      | au
  high    | highway=residential     | High Street |   | 3001 |      | ashford vic au
  high2   | highway=residential     | High Street |   | 2538 |      | milton au
  h7      | place=house             |            | 7  | 3001 | high |
  m7      | place=house             |            | 7  | 2538 | high2 |
  gb      | place=country           | United Kingdom
  london  | place=town              | London     |    |      |      | gb
`;
const GB = { countryCode: 'gb', latitude: 51.5 };
const AU = { countryCode: 'au' };

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(LAND, {
    ...Object.fromEntries(['au', 'ashford', 'milton', 'high', 'high2', 'h7', 'm7'].map(key => [key, AU])),
    vic: { ...AU, searchRank: 8, addressRank: 8, subdivisionCode: 'AU-VIC' },
    gb: GB,
    london: GB,
  });
});
afterAll(() => layer.close());

describe('countries by what they are called', () => {
  test.each([
    ['London, Great Britain', 'london'],
    ['London, G.B.', 'london'],
    ['Britain', 'gb'],
    ['Grande Bretagne', 'gb'],
    ['London, UK', 'london'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('another country is no name of this one', () => {
    expect(layer.find('London, Holland')).toEqual([]);
    expect(layer.find('Ashford, Great Britain')).toEqual([]);
  });
});

describe('states by name and code', () => {
  test.each([
    ['7 High Street, Ashford VIC 3001', 'h7'],
    ['7 High Street, Ashford, Victoria', 'h7'],
    ['7 High Street, Milton NSW 2538', 'm7'],
    ['7 High Street, Milton, New South Wales', 'm7'],
    ['Milton (NSW)', 'milton'],
    ['VIC', 'vic'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('a place in a state that the layer has is in no other', () => {
    expect(layer.find('7 High Street, Ashford NSW')).not.toContain('h7');
    expect(layer.find('Ashford, New South Wales')).toEqual([]);
  });

  test('a state that the layer has explains only what is in it', () => {
    expect(layer.find('Milton, Victoria')).toEqual([]);
  });

  test('a state of another country explains nothing', () => {
    expect(layer.find('Milton, California')).toEqual([]);
    expect(layer.find('London, NSW')).toEqual([]);
  });
});

/** Towns in states that are not on the map, beside villages of countries whose codes are those of the states. */
const CODES = `
  br     | place=country       | Brazil
  us     | place=country       | United States
  ch     | place=country       | Switzerland
  sc     | place=country       | Seychelles
  ar     | place=country       | Argentina
  be     | place=country       | Belgium
  ca     | place=country       | Canada
  ge     | place=country       | Georgia
  anse   | place=village       | Anse Kerlan    |      | | | sc
  pueblo | place=village       | Pueblo Quieto  |      | | | ar
  dorp   | place=village       | Kerkdorp       |      | | | be
  bear   | place=village       | Bear Falls     |      | | | ca
  gori   | place=village       | Gorisi         |      | | | ge
  tanga  | place=town          | Tangará do Vale |     | | | br
  briar  | place=town          | Briarport      |      | | | us
  sacra  | place=town          | Sacravale      |      | | | us
  kirch  | place=town          | Kirchau        |      | | | ch
  elm    | place=town          | Elmhurst       |      | | | us
  rua    | highway=residential | Rua das Palmeiras |   | | | tanga br
  hick   | highway=residential | Hickory Lane   |      | | | briar us
  gasse  | highway=residential | Mühlegasse     |      | | | kirch ch
  d      | highway=residential | D Street       |      | | | sacra us
  d1200  | place=house         |                | 1200 | | d |
  canal  | highway=residential | Canal Road     |      | | | elm us
`;

describe('the code of a state that is also a country', () => {
  let codes: LineLayer;
  beforeAll(async () => {
    const countries = {
      br: 'br tanga rua',
      us: 'us briar sacra elm hick d d1200 canal',
      ch: 'ch kirch gasse',
      sc: 'sc anse',
      ar: 'ar pueblo',
      be: 'be dorp',
      ca: 'ca bear',
      ge: 'ge gori',
    };
    const details = Object.entries(countries).flatMap(([countryCode, keys]) =>
      keys
        .split(' ')
        .map(key => [key, { countryCode, ...(key.length === 2 ? { searchRank: 4, addressRank: 4 } : {}) }]),
    );
    codes = await layerOf(CODES, Object.fromEntries(details));
  });
  afterAll(() => codes.close());

  test.each([
    ['Rua das Palmeiras, Tangará do Vale, SC', 'rua'],
    ['Hickory Lane, Briarport, AR', 'hick'],
    ['Hickory Lane, Briarport AR', 'hick'],
    ['1200 D St, Sacravale, CA', 'd1200'],
    ['Mühlegasse, Kirchau BE', 'gasse'],
    ['Elmhurst, GA', 'elm'],
    ['Elmhurst, Georgia', 'elm'],
    ['Gorisi, GE', 'gori'],
    ['Gorisi, Georgia', 'gori'],
    ['Anse Kerlan, SC', 'anse'],
  ])('%j finds %s', (text, key) => {
    expect(codes.find(text)).toEqual([key]);
  });

  test.each([
    ['the street is in another town', 'Canal Road, Briarport, AR'],
    ['the town is in no such state', 'Briarport, SP'],
    ['the country by its name', 'Briarport, Argentina'],
    ['the country by its name', 'Sacravale, Canada'],
  ])('%s: %s is nowhere', (_, text) => {
    expect(codes.find(text)).toEqual([]);
  });
});
