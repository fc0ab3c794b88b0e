import { expect, test } from 'vitest';
import { isWrittenSo } from '../../../src/geocoding/search/short_words.ts';
import { questionWords } from '../../../src/geocoding/search/words/text.ts';
import { placeOf, type Said } from '../../kits/places/place.ts';

const isMeant = (text: string, place: Said) => isWrittenSo(placeOf(place), questionWords(text));
const town = (name: string, countryCode: string): Said => ({
  category: 'place',
  type: 'town',
  addressRank: 16,
  names: { name },
  countryCode,
});
const country = (countryCode: string): Said => ({ ...town('', countryCode), type: 'country', addressRank: 4 });

test('our letters may mean any place', () => {
  expect(isMeant('li', country('li'))).toBe(true);
  expect(isMeant('A', town('Å', 'no'))).toBe(true);
});

test('other letters mean a place that is written so', () => {
  expect(isMeant('Å', town('Å', 'no'))).toBe(true);
  expect(isMeant('å', town('A', 'fr'))).toBe(false);
  expect(isMeant('Вад, li', { ...town('Vaduz', 'li'), names: { name: 'Vaduz', 'name:ru': 'Вад' } })).toBe(true);
});

test.each([
  ['Ош', 'Osh', 'kg'],
  ['Ύδρα', 'Ydra', 'gr'],
  ['つ', 'Tsu', 'jp'],
  ['上海', 'Shanghai', 'cn'],
  ['서울', 'Seoul', 'kr'],
  ['גת', 'Gat', 'il'],
])('%s is %s, where people write so', (text, name, countryCode) => {
  expect(isMeant(text, town(name, countryCode))).toBe(true);
  expect(isMeant(text, town(name, 'fr'))).toBe(false);
});

test('the code of a country is written in our letters, its names in any', () => {
  expect(isMeant('ит', country('it'))).toBe(false);
  expect(isMeant('ру', country('ru'))).toBe(false);
  expect(isMeant('США', country('us'))).toBe(true);
  expect(isMeant('中国', country('cn'))).toBe(true);
});
