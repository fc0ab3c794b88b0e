import { expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { type Drawn, withDrawn, worldPlace } from '../kits/places/layers.ts';

/** Names and licences of what is found, best first. */
function found(text: string, world: readonly Drawn[], extract: readonly Drawn[], more = {}): Promise<string[]> {
  return withDrawn({ world, extract }, geocoder =>
    geocoder.search(freeTextQuestion(text, more)).map(({ displayName, licence }) => `${displayName} by ${licence}`),
  );
}

/** An administrative area of the extract: a point, or with a shape. */
function area(
  name: string,
  rank: number,
  latitude: number,
  longitude: number,
  said: Drawn['said'] = {},
  box?: Drawn['box'],
): Drawn {
  const administrative = { category: 'boundary', type: 'administrative', osmType: 3 } as const;
  return {
    said: {
      ...administrative,
      names: { name },
      searchRank: rank,
      addressRank: rank,
      latitude,
      longitude,
      countryCode: 'de',
      ...said,
    },
    ...(box && { box }),
  };
}

const GERMANY = worldPlace('country', 'Germany', 4, 51, 10, { countryCode: 'de', importance: 0.6 });
const TOWN = worldPlace('town', 'Frankfurt', 18, 52.34, 14.55, { countryCode: 'de', rows: [1], importance: 0.27 });
const CITY = worldPlace('city', 'Frankfurt', 16, 50.11, 8.68, {
  countryCode: 'de',
  rows: [1],
  importance: 0.37,
  names: { name: 'Frankfurt' },
});

test('places of one name far apart are two, that of the extract first', async () => {
  expect(
    await found('Frankfurt', [GERMANY, TOWN], [area('Frankfurt', 16, 50.11, 8.68, { importance: 0.187 })]),
  ).toEqual(['Frankfurt, Germany by the extract', 'Frankfurt, Germany by the gazetteer']);
});

test.each(['Wang', 'Sass', 'Ober Au', 'Oberdorf'])(
  '%j of the extract comes before its namesake in the gazetteer',
  async name => {
    const town = worldPlace('town', name, 18, 16, 103, { countryCode: 'de', rows: [1], importance: 0.24 });
    const locality = area(name, 25, 47.1, 9.5, { category: 'place', type: 'locality', importance: 0.067 });
    expect((await found(name, [GERMANY, town], [locality]))[0]).toBe(`${name}, Germany by the extract`);
  },
);

test('what both layers have stands as far up as the gazetteer has it', async () => {
  const extract = [
    area('Frankfurt', 16, 52.3, 14.5, { importance: 0.19 }),
    area('Frankfurt', 16, 50.1, 8.65, { importance: 0.18 }),
  ];
  expect(
    await withDrawn({ world: [GERMANY, TOWN, CITY], extract }, geocoder =>
      geocoder.search(freeTextQuestion('Frankfurt')).map(({ latitude }) => latitude),
    ),
  ).toEqual([50.1, 52.3]);
});

test('names are the same with and without marks, and in any language that both have', async () => {
  const world = [
    GERMANY,
    worldPlace('city', 'Munich', 16, 48.137, 11.575, {
      countryCode: 'de',
      rows: [1],
      names: { name: 'Munich', 'name:de': 'München' },
    }),
  ];
  expect(await found('München', world, [area('MUNCHEN', 16, 48.14, 11.58)])).toEqual([
    'MUNCHEN, Germany by the extract',
  ]);
});

test('a shop or a road that is called like a town does not hide it', async () => {
  const road = area('Frankfurt', 26, 50.111, 8.681, { category: 'highway', type: 'residential', osmType: 2 });
  expect(await found('Frankfurt', [GERMANY, CITY], [road])).toEqual([
    'Frankfurt, Germany by the gazetteer',
    'Frankfurt, Germany by the extract',
  ]);
});

test('a state is the same wherever its middle is, but not its capital', async () => {
  const state = worldPlace('state', 'Bremen', 8, 53.2, 8.7, { countryCode: 'de', rows: [1], importance: 0.3 });
  expect(await found('Bremen', [GERMANY, state], [area('Bremen', 8, 53.0, 8.9)])).toEqual([
    'Bremen, Germany by the extract',
  ]);
  expect(await found('Bremen', [GERMANY, state], [area('Bremen', 16, 53.2, 8.7)])).toHaveLength(2);
});

test('inside of a country that the extract has, the gazetteer finds nothing, not even the country', async () => {
  const world = [GERMANY, TOWN, worldPlace('village', 'Frankfurt', 19, 40, -90, { countryCode: 'us' })];
  const country = area(
    'Deutschland',
    4,
    51,
    10,
    { names: { name: 'Deutschland', 'name:en': 'Germany' } },
    [47, 6, 55, 15],
  );
  expect(await found('Frankfurt', world, [country])).toEqual(['Frankfurt, United States by the gazetteer']);
  expect(await found('Germany', world, [country])).toEqual(['Deutschland by the extract']);
});

test('words that one layer explains are no typing errors in the other', async () => {
  const world = [
    GERMANY,
    worldPlace('town', 'Oversdorf', 18, 50, 8, { countryCode: 'de', rows: [1], importance: 0.3 }),
  ];
  expect(await found('Obersdorf', world, [area('Obersdorf', 16, 48, 10)])).toEqual([
    'Obersdorf, Germany by the extract',
  ]);
  expect(await found('Obersdorf', world, [area('Adorf', 16, 48, 10)])).toEqual(['Oversdorf, Germany by the gazetteer']);
});

test('several words that one layer has but for a letter are not looked for with typing errors in the next', async () => {
  const world = [
    GERMANY,
    worldPlace('town', 'Oberswald Bayern', 18, 50, 8, { countryCode: 'de', rows: [1], importance: 0.3 }),
  ];
  const extract = [area('Oberswild Bayern', 16, 48, 10)];
  expect(await found('Oberswuld Bayern', world, extract)).toEqual(['Oberswild Bayern, Germany by the extract']);
  expect(await found('Oberswuld', world, extract)).toHaveLength(2);
});

test('typing errors are looked for if the best result leaves words unexplained, though a worse one explains them', async () => {
  const island = worldPlace('country', 'Ox', 4, 10, 10, { countryCode: 'fr', importance: 1 });
  const town = worldPlace('town', 'Feldkirchen', 18, 50, 8, { countryCode: 'fr', rows: [2], importance: 0.3 });
  const path = area('Feldkircher Steig zum Bach am Wald', 27, 48, 10, { category: 'highway', type: 'path' });
  expect(await found('Feldkircher Ox', [GERMANY, island, town], [path])).toContain(
    'Feldkirchen, France by the gazetteer',
  );
});

test('no more are found than asked for', async () => {
  const world = [GERMANY, TOWN, CITY];
  expect(
    await found('Frankfurt', world, [area('Frankfurt', 16, 40, -90, { countryCode: 'us' })], { limit: 2 }),
  ).toHaveLength(2);
});

test('a village on another continent comes after all that the extract has, unless the view is there', async () => {
  const india = worldPlace('country', 'India', 4, 22, 79, { countryCode: 'in', importance: 0.6 });
  const village = worldPlace('village', 'Pub', 19, 27, 80, { countryCode: 'in', rows: [1], importance: 0.2 });
  const bar = { category: 'amenity', type: 'bar', addressRank: 30, importance: 0.01 };
  const extract = [area('Pub', 30, 51.4, -0.8, { ...bar, countryCode: 'gb' })];
  expect((await found('Pub', [india, village], extract))[0]).toMatch(/by the extract$/);
  const viewbox = { south: 26, north: 28, west: 79, east: 81 };
  expect((await found('Pub', [india, village], extract, { viewbox }))[0]).toMatch(/by the gazetteer$/);
  const town = { ...village, said: { ...village.said, searchRank: 16, importance: 0.5 } };
  expect((await found('Pub', [india, town], extract))[0]).toMatch(/by the gazetteer$/);
});
