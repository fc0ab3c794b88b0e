// Addresses that name an area which the map does not have.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const LAND = `
  gb     | place=country           | United Kingdom
  thorn  | place=town              | Thornbrook  |    | OX9 9ZZ | | gb
  mill   | place=town              | Millford    |    | OX9 8AA | | gb
  lane   | highway=residential     | Church Lane |    | OX9 9ZZ | | thorn gb
  lane2  | highway=residential     | Church Lane |    | OX9 8AA | | mill gb
  only   | highway=residential     | Pound Hill  |    | OX9 9ZZ | | thorn gb
  h10    | place=house             |             | 10 | OX9 9ZZ | lane |
  m10    | place=house             |             | 10 | OX9 8AA | lane2 |
  p3     | place=house             |             | 3  | OX9 9ZZ | only |
  moor   | place=suburb            | Little Moor |    |         | | thorn gb
`;

let layer: LineLayer;
beforeAll(async () => {
  const keys = ['gb', 'thorn', 'mill', 'lane', 'lane2', 'only', 'h10', 'm10', 'p3', 'moor'];
  const south = { mill: 0.2, lane2: 0.2, m10: 0.2 };
  layer = await layerOf(
    LAND,
    Object.fromEntries(
      keys.map(key => [key, { countryCode: 'gb', latitude: 51.7 - (south[key as keyof typeof south] ?? 0) }]),
    ),
  );
});
afterAll(() => layer.close());

describe('an area that nothing knows', () => {
  test.each([
    ['10, Church Lane, Thornbrook, Oxfordshire, OX9 9ZZ', 'h10'],
    ['10 Church Lane, Thornbrook, Oxfordshire', 'h10'],
    ['10 Church Lane, Millford, South Oxfordshire OX9 8AA', 'm10'],
    ['10 Church Lane Thornbrook Oxfordshire OX9 9ZZ', 'h10'],
    ['Pound Hill 3, Thornbrook, Oxfordshire', 'p3'],
    ['10 Church Lane, OX9 9ZZ Thornbrook-Netherend', 'h10'],
    ['10 Church Lane, OX9 9ZZ Thornbrook 1 - Netherend', 'h10'],
    ['10 Church Lane, Upper Parish, Thornbrook, Netherend District', 'h10'],
    ['Kel. Karet, Kec. Setia, 10 Church Lane, Thornbrook', 'h10'],
    ['Karet Mahallesi, Church Lane 10 Thornbrook', 'h10'],
    ['Residence Lilas, 10 Church Lane, Thornbrook', 'h10'],
    ['10 Church Lane, Thornbrook VI. ker.', 'h10'],
    ['10 Church Lane, Little Moor, Thornbrook', 'h10'],
    ['Church Lane, Thornbrook, Oxfordshire', 'lane'],
    ['99 Church Lane, Thornbrook, Oxfordshire', 'lane'],
  ])('%j is the house %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test.each([
    ['another town of the map', 'Pound Hill 3, Thornbrook, Millford'],
    ['another town, and more', 'Pound Hill 3, Thornbrook, Millford Heights'],
    ['a state of another country', '10 Church Lane, Thornbrook, California'],
    ['another country', '10 Church Lane, Thornbrook, Holland'],
    ['a kind', '10 Church Lane, Thornbrook, Pharmacy'],
    ['a street and no town', 'Church Lane, Oxfordshire'],
    ['a part of the name of a street', 'Lane, Thornbrook, Oxfordshire'],
    ['a street and a word beside it', 'Church Lane Oxfordshire, Thornbrook'],
    ['no town', '10 Church Lane, Oxfordshire'],
    ['an area before the address', 'Oxfordshire, 10 Church Lane, Thornbrook'],
    ['two areas', '10 Church Lane, Thornbrook, Oxfordshire, Wessex'],
    ['a word of the street', '10 Church Xyzzy Lane, Thornbrook'],
  ])('%s is no such area', (_, text) => {
    expect(layer.find(text)).toEqual([]);
  });
});

// As the gazetteer: towns and states, and no houses. A short name of Colmark is Co.
const TOWNS = `
  us     | place=country | United States
  wessex | place=state   | Wessex          |    | | | us
  col    | place=state   | Colmark ; short_name=Co |    | | | us
  thorn  | place=town    | Thornbrook      |    | | | wessex us
  thorn2 | place=town    | Thornbrook      |    | | | col us
  story  | place=village | Story           |    | | | col us
`;

describe('a county that the gazetteer does not have', () => {
  let towns: LineLayer;
  beforeAll(async () => {
    const ranks = { searchRank: 8, addressRank: 8 };
    const details = { us: {}, wessex: ranks, col: { ...ranks, latitude: 40 }, thorn: {}, thorn2: {}, story: {} };
    towns = await layerOf(
      TOWNS,
      Object.fromEntries(Object.entries(details).map(([key, said]) => [key, { countryCode: 'us', ...said }])),
    );
  });
  afterAll(() => towns.close());

  test.each([
    ['no place has the word', 'Thornbrook, Quixshire County, Wessex'],
    ['it is in no country', 'Thornbrook, Quixshire County, Wessex, USA'],
    ['two of them', 'Thornbrook, Quixshire County, Zweith District, Wessex, USA'],
    ['a village elsewhere has the name', 'Thornbrook, Story County, Wessex'],
    ['nothing says that it is a county', 'Thornbrook, Quixshire, Wessex'],
  ])('%s: %s is the town in the state', (_, text) => {
    expect(towns.find(text)).toEqual(['thorn']);
  });

  test('county is also written co, but is no code of a state', () => {
    expect(towns.find('Thornbrook, Co')).toEqual(['thorn2']);
    expect(towns.find('Thornbrook, Quixshire County')).toEqual([]);
  });

  test.each([
    'Thornbrook, Quixshire',
    'Quixshire, Thornbrook, Wessex',
    'Thornbrook, Wessex, Quixshire',
    'Thornbrook, Quixshire, Zweith, Wessex',
    'Thornbrook, Quixshire County, XX',
    'Thornbrook Quixshire Wessex',
  ])('%s is nowhere', text => {
    expect(towns.find(text)).toEqual([]);
  });
});
