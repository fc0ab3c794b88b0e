// What an explanation of a point notes besides its rule, and what it lists.

import { expect, test } from 'vitest';
import type { ExplainedPoint } from '../../src/geocoding/explained_point.ts';
import { type Drawn, withDrawn, worldPlace } from '../kits/places/layers.ts';

// The borders of the world have Vaduz (47.14, 9.52) in LI and Buchs (47.167, 9.478) in CH.
const WORLD: readonly Drawn[] = [
  worldPlace('country', 'Liechtenstein', 4, 47.15, 9.55, { countryCode: 'li' }),
  worldPlace('country', 'Switzerland', 4, 46.8, 8.2, { countryCode: 'ch' }),
  worldPlace('town', 'Vaduz', 18, 47.1415, 9.5215, { countryCode: 'li', rows: [1] }),
  worldPlace('suburb', 'Mühleholz', 21, 47.1535, 9.5165, { countryCode: 'li', rows: [3, 1] }),
  worldPlace('village', 'Buchs', 19, 47.1674, 9.4786, { countryCode: 'ch', rows: [2] }),
];

function drawn(names: string, said: Drawn['said'], box?: Drawn['box']): Drawn {
  return { said: { names: { name: names }, osmType: 3, countryCode: 'li', ...said }, ...(box && { box }) };
}

const COUNTRY = drawn(
  'Fürstentum',
  { category: 'boundary', type: 'administrative', searchRank: 4, addressRank: 4 },
  [47.1, 9.5, 47.2, 9.6],
);

function explain(latitude: number, longitude: number, extract: readonly Drawn[] | undefined): Promise<ExplainedPoint> {
  return withDrawn(
    { world: WORLD, ...(extract && { extract }) },
    geocoder => geocoder.explainReverse({ latitude, longitude, zoom: 18, languages: [] }).explained,
  );
}

function house(latitude: number, longitude: number, countryCode: string, rows: number[] = []): Drawn {
  return {
    said: {
      category: 'place',
      type: 'house',
      houseNumber: '1',
      searchRank: 30,
      addressRank: 30,
      latitude,
      longitude,
      countryCode,
      rows,
    },
  };
}

test('the nearest place is abroad: a region answers, and then the gazetteer', async () => {
  const explained = await explain(47.17, 9.54, [COUNTRY, house(47.1701, 9.5401, 'ch')]);
  expect(explained).toMatchObject({
    countryCode: 'li',
    answer: { layer: 'world', rule: 'town', displayName: 'Vaduz, Fürstentum' },
    notes: ['abroad', 'extractIsCoarse'],
    levels: [
      { level: 'house', layer: 'extract', candidates: [{ distanceMetres: 13.4, distanceDegrees: 0.00014142 }] },
      { level: 'area', layer: 'extract', candidates: [{ displayName: 'Fürstentum', contains: true }] },
      { level: 'town', layer: 'world', candidates: [{ displayName: 'Vaduz, Fürstentum', isAnswer: true }] },
    ],
  });
  expect(explained.stages.map(({ stage }) => stage)).toEqual(['country', 'extract', 'world', 'describe']);
});

test('the gazetteer names the town that the extract has not', async () => {
  const state = drawn('Sankt Gallen', {
    category: 'boundary',
    type: 'administrative',
    searchRank: 8,
    addressRank: 8,
    countryCode: 'ch',
  });
  const explained = await explain(47.1602, 9.4702, [state, house(47.1602, 9.4702, 'ch', [1])]);
  expect(explained).toMatchObject({
    answer: { layer: 'extract', rule: 'nearest', distanceMetres: 0 },
    notes: ['townOfWorld'],
  });
  expect(explained.levels.map(({ level }) => level)).toEqual(['house', 'place', 'town']);
});

test('a building is as far as its wall, although it answers with its middle', async () => {
  const square = { category: 'building', type: 'yes', houseNumber: '1', searchRank: 30, addressRank: 30 };
  const building: Drawn = { said: { ...square, countryCode: 'li', osmType: 2 }, box: [47.15, 9.53, 47.152, 9.532] };
  const { answer, levels } = await explain(47.1499, 9.531, [COUNTRY, building]);
  expect(answer).toMatchObject({ rule: 'nearest', distanceMetres: 11.1 });
  expect(levels[0]).toMatchObject({ level: 'house', candidates: [{ distanceMetres: 11.1, isAnswer: true }] });
  expect((await explain(47.151, 9.531, [COUNTRY, building])).answer).toMatchObject({
    rule: 'contains',
    distanceMetres: 0,
  });
});

test('a part of a town answers, and the town is listed beside it', async () => {
  const { answer, notes, levels } = await explain(47.153, 9.517, undefined);
  expect(answer).toMatchObject({ rule: 'partOfTown', displayName: 'Mühleholz, Vaduz, Liechtenstein' });
  expect(notes).toEqual([]);
  expect(levels).toMatchObject([
    { level: 'suburb', candidates: [{ displayName: 'Mühleholz, Vaduz, Liechtenstein', isAnswer: true }] },
    { level: 'town', candidates: [{ displayName: 'Vaduz, Liechtenstein' }] },
  ]);
});
