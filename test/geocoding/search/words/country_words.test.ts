import { expect, test } from 'vitest';
import { countryNames } from '../../../../src/geocoding/search/words/country_words.ts';

test('a country is known by its code and in many languages', () => {
  expect(countryNames('de')).toEqual(
    expect.arrayContaining(['de', 'Germany', 'Deutschland', 'Allemagne', 'Germania', 'ドイツ']),
  );
  expect(countryNames('us')).toEqual(expect.arrayContaining(['US', 'United States']));
});

test('what is no code has no names', () => {
  expect(countryNames('')).toEqual([]);
  expect(countryNames('deu')).toEqual([]);
});
