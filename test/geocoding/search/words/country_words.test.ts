import { expect, test } from 'vitest';
import { countryCalled, countryNames } from '../../../../src/geocoding/search/words/country_words.ts';
import { rowsOf } from '../../../../src/geocoding/search/words/vocabulary.ts';

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

test.each([
  ['uae', 'ae'],
  ['greatbritain', 'gb'],
  ['drcongo', 'cd'],
  ['ivorycoast', 'ci'],
  ['vereinigtestaatenvonamerika', 'us'],
])('%j is what people call %s', (letters, code) => {
  expect(countryCalled(letters)).toBe(code);
});

test('the table of what countries are called has real countries, and no name for two', () => {
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const names = new Map<string, string>();
  for (const [country, text] of rowsOf('country_names.csv')) {
    expect(regions.of(country), country).toBeDefined();
    for (const name of text.split(';')) {
      expect(names.get(name) ?? country, name).toBe(country);
      names.set(name, country);
    }
  }
  expect(names.size).toBeGreaterThan(200);
});
