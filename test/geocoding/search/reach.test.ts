import { afterAll, beforeAll, expect, test } from 'vitest';
import { Budget, Candidates } from '../../../src/geocoding/search/candidates.ts';
import { Matcher } from '../../../src/geocoding/search/match.ts';
import { parseQuery, weighWords } from '../../../src/geocoding/search/query_words.ts';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { Reach } from '../../../src/geocoding/search/reach.ts';
import { termsOf } from '../../../src/geocoding/search/terms.ts';
import type { SearchIndex } from '../../../src/geocoding/search/word_index/search_index.ts';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';
import { uniform } from '../../kits/random.ts';

const LINES = `
  li     | place=country           | Liechtenstein
  vaduz  | boundary=administrative | Vaduz             |   | 9490 |      | li
  schaan | boundary=administrative | Schaan            |   | 9494 |      | li
  aule   | highway=residential     | Äulestrasse       |   |      |      | vaduz li
  other  | highway=residential     | Äulestrasse       |   |      |      | schaan li
  field  | highway=residential     | Feldstrasse       |   |      |      | schaan li
  house  | building=yes            |                   | 7 | 9490 | field |
  bovara | highway=residential     | Via G. Bovara     |   |      |      | schaan li
  verdi  | highway=residential     | Via Giuseppe Verdi |  |      |      | vaduz li
  adler  | amenity=restaurant      | Adler             |   |      | aule |
  eagle  | amenity=restaurant      | Adler             |   |      | other |
  inn    | tourism=hotel           | Hotel Vaduz       |   |      | field |
`;
const WORDS = [
  ...'Vaduz Schaan Äulestrasse Feldstrasse Adler Hotel Giuseppe G. Bovara Via Liechtenstein restaurant'.split(' '),
  ...'7 9490 Strasse Äule , , Vad Bov'.split(' '),
];

let layer: LineLayer;
beforeAll(async () => {
  // The address of the house names a town that is not around it.
  layer = await layerOf(LINES, { house: { town: 'Vaduz' } });
});
afterAll(() => layer.close());

/** What the search has when it asks which candidates of rare words may be answers. */
function searched(text: string, index: SearchIndex) {
  const question = freeTextQuestion(text);
  const read = parseQuery(question, text);
  const { needs } = read;
  const asked = weighWords(index, read);
  const terms = termsOf(index, asked, false);
  const matcher = new Matcher(index, asked, terms, question, undefined);
  const candidates = new Candidates(matcher, new Budget());
  const documents = candidates.rare();
  return { documents, needs, matcher, reach: new Reach(candidates, matcher) };
}

/** The index of a folder of a version that did not mark what the lists have. */
const unmarked = (index: SearchIndex): SearchIndex => Object.create(index, { isListed: { value: () => false } });

/** Ids of the places that may be answers. */
function mayAnswer(text: string, index: SearchIndex): number[] {
  const { documents, reach } = searched(text, index);
  layer.index.layer.release();
  return documents.filter(document => reach.mayAnswer(document)).map(document => index.place(document));
}

const LINE_KEYS = LINES.trim()
  .split('\n')
  .map(line => line.split('|')[0].trim());

test.each([
  ['Äulestrasse, Vaduz', ['aule']],
  ['Adler, Schaan', ['eagle']],
  ['Feldstrasse 7, Vaduz', ['field', 'inn']],
  ['Giuseppe Bovara, Schaan', ['bovara']],
  ['Hotel Vaduz', ['inn', 'vaduz']],
  ['Äulestrasse, Liechtenstein', ['aule', 'other']],
])('of the candidates for %s only these may be answers', (text, keys) => {
  for (const index of [layer.index, unmarked(layer.index)])
    expect(
      mayAnswer(text, index)
        .map(id => LINE_KEYS[id - 1])
        .sort(),
    ).toEqual(keys);
});

test('what cannot be an answer leaves a word that it must explain, in drawn queries', () => {
  const random = uniform(1);
  const draw = () => WORDS[Math.floor(random() * WORDS.length)];
  let ruledOut = 0;
  for (let i = 0; i < 2_000; i++) {
    const text = Array.from({ length: 2 + Math.floor(4 * random()) }, draw).join(' ');
    for (const index of [layer.index, unmarked(layer.index)]) {
      const { documents, needs, matcher, reach } = searched(text, index);
      for (const document of documents) {
        if (reach.mayAnswer(document)) continue;
        ruledOut++;
        const mask = matcher.match(document, 0)?.mask ?? 0;
        expect([text, LINE_KEYS[index.place(document) - 1], needs.always & ~mask]).not.toEqual([
          text,
          expect.anything(),
          0,
        ]);
      }
    }
  }
  layer.index.layer.release();
  expect(ruledOut).toBeGreaterThan(2_000);
});
