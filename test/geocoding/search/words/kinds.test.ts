import { expect, test } from 'vitest';
import { kindInText, kindsCalled } from '../../../../src/geocoding/search/words/kinds.ts';
import { wordsOf } from '../../../../src/geocoding/search/words/text.ts';

test.each([
  ['Apotheke', 'amenity=pharmacy'],
  ['pharmacies', 'amenity=pharmacy'],
  ['train station', 'railway=station'],
  ['Bäckereien', 'shop=bakery'],
  ['châteaux', 'historic=castle'],
])('%s is %s', (name, kind) => {
  expect(kindsCalled(wordsOf(name).join(' '))).toContain(kind);
});

test('what is no kind is none', () => {
  expect(kindsCalled('vaduz')).toEqual([]);
});

test('a tag in brackets is taken out of the text', () => {
  expect(kindInText('Vaduz [ amenity = fast_food ] Zentrum')).toEqual({
    kind: 'amenity=fast_food',
    rest: 'Vaduz   Zentrum',
  });
  expect(kindInText('Vaduz [amenity]')).toBeUndefined();
});
