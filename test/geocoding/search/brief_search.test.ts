// A brief search has the answer that any search has, or none.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { freeTextQuestion, type SearchQuestion } from '../../../src/geocoding/search/question.ts';
import { searchLayers, searchLayersBriefly } from '../../../src/geocoding/search/search.ts';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

/** More than a brief search compares. */
const BENCHES = 700;

const LINES = `
  li    | place=country           | Liechtenstein
  vaduz | boundary=administrative | Vaduz       |   | 9490 |      | li
  aule  | highway=residential     | Äulestrasse |   | 9490 |      | vaduz li
  house | building=yes            |             | 3 | 9490 | aule |
  adler | amenity=restaurant      | Adler       | 5 | 9490 | aule |
  view  | amenity=bench           | Bänkli Aussicht |   |    |      | vaduz li
  ${Array.from({ length: BENCHES }, (_, i) => `b${i} | amenity=bench | Bänkli ${i} | | | | vaduz li`).join('\n')}
  ${Array.from({ length: BENCHES }, (_, i) => `a${i} | amenity=bench | Aussicht ${i} | | | | vaduz li`).join('\n')}
`;

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(LINES);
});
afterAll(() => layer.close());

const both = (text: string, more: Partial<SearchQuestion> = {}) => {
  const question = freeTextQuestion(text, more);
  const answers = [searchLayers([layer.index], question), searchLayersBriefly([layer.index], question)];
  layer.index.layer.release();
  return answers;
};

test.each([
  'Äulestrasse 3, 9490 Vaduz',
  'Äulestr. 3',
  'Adler Vaduz',
  'restaurant in Vaduz',
  '9490',
  'Liechtenstein',
  '47.1, 9.5',
  'Bänkli 17',
  'li',
  '',
])('what is found as it is written is found: %s', text => {
  const [usual, brief] = both(text);
  expect(brief).toEqual(usual);
  expect(brief).toBeDefined();
});

test('the beginning of a word is found', () => {
  const [usual, brief] = both('Äule', { isAutocomplete: true });
  expect(brief).toEqual(usual);
});

test.each([['Aeulestrase 3, Vaduz'], ['Xyzzyqwk'], ['Bänkli Aussicht Vaduz']])('there is none for %s', text => {
  const [usual, brief] = both(text);
  expect(brief).toBeUndefined();
  expect(usual).toBeDefined();
});
