import { expect, test } from 'vitest';
import { isCompoundEnding, otherSpellings } from '../../../../src/geocoding/search/words/abbreviations.ts';

test.each([
  ['st', ['saint', 'sankt', 'street']],
  ['saint', ['st', 'sankt']],
  ['av', ['avenu', 'avenida']],
  ['rd', ['road']],
  ['bd', ['boulevard']],
  ['pl', ['place', 'platz']],
  ['tr', ['triq']],
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
