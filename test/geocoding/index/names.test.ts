import { expect, test } from 'vitest';
import { nameIn } from '../../../src/geocoding/index/names.ts';

const NAMES = { name: 'Zürich', 'name:fr': 'Zurich', 'name:it': 'Zurigo', 'name:zh-Hant': '蘇黎世', alt_name: 'Züri' };

test.each([
  [[], 'Zürich'],
  [['it'], 'Zurigo'],
  [['rm', 'it', 'fr'], 'Zurigo'],
  [['fr-CH'], 'Zurich'],
  [['zh-Hant'], '蘇黎世'],
  [['sv'], 'Zürich'],
])('in %j the name is %s', (languages, name) => {
  expect(nameIn(NAMES, languages)).toBe(name);
});

test('what stands in for a name is better than none', () => {
  expect(nameIn({ ref: 'A 13', alt_name: 'Rheintalautobahn' }, ['de'])).toBe('A 13');
  expect(nameIn({ alt_name: 'Rheintalautobahn' }, [])).toBe('Rheintalautobahn');
  expect(nameIn({}, ['de'])).toBe('');
});
