import { expect, test } from 'vitest';
import { kindInText } from '../../../../src/geocoding/search/search.ts';
import { wordsOf } from '../../../../src/geocoding/search/words/text.ts';
import {
  isCompoundEnding,
  kindsCalled,
  otherSpellings,
  wordsInRole,
} from '../../../../src/geocoding/search/words/vocabulary.ts';

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

test.each([
  ['st', ['saint', 'sankt', 'street']],
  ['saint', ['st', 'sankt']],
  ['av', ['avenu', 'avenida']],
  ['rd', ['road']],
  ['bd', ['boulevard']],
  ['pl', ['place', 'platz']],
  ['tr', ['triq']],
  ['al', ['aleje', 'aleja', 'alameda']],
  ['nw', ['northwest', 'nordwest']],
  ['sok', ['sokagi', 'sokak']],
  ['prt', ['prospekt']],
  ['cso', ['corso']],
  ['landstr', ['landstrasse']],
  ['landstrasse', ['landstr']],
])('%s may be %j', (word, spellings) => {
  expect(otherSpellings(word)).toEqual(expect.arrayContaining(spellings));
});

test('what stands for two words does not make them one', () => {
  expect(otherSpellings('saint')).not.toContain('street');
});

test('an ending alone is no compound', () => {
  expect(otherSpellings('astr')).not.toContain('astrasse');
  expect(isCompoundEnding('strasse')).toBe(true);
  expect(isCompoundEnding('landstrasse')).toBe(false);
});

test('no word is its own other spelling', () => {
  for (const word of ['strasse', 'st', 'platz', 'avenu']) expect(otherSpellings(word)).not.toContain(word);
});

test('words that a result need not explain have a role, folded as words of a query are', () => {
  expect(wordsInRole('stop').has('bei')).toBe(true);
  expect(wordsInRole('areaType').has('furstentum')).toBe(true);
  expect(wordsInRole('unit').has('tur')).toBe(true);
  expect(wordsInRole('stop').has('vaduz')).toBe(false);
});

test('and joins names in every language', () => {
  for (const word of ['and', 'und', 'et', 'y', 'e', 'i', 'och', 'og', 'en', 'ja', 've', 'kai'])
    expect(wordsInRole('stop').has(word) || wordsInRole('and').has(word), word).toBe(true);
});
