import { describe, expect, test } from 'vitest';
import { isExplained, matchesScript } from '../../../src/geocoding/search/answer_rules.ts';
import { requiredWords } from '../../../src/geocoding/search/required_words.ts';
import { questionWords } from '../../../src/geocoding/search/words/text.ts';
import { placeOf, type Said } from '../../kits/places/place.ts';

const ROAD = { isHouse: false, isOnStreet: false, searchRank: 26, said: 1 };
const HOUSE = { ...ROAD, isHouse: true };
const TOWN = { ...ROAD, searchRank: 18 };
const COUNTRY = { ...ROAD, searchRank: 4 };

/** True if a result that explains some words of a text explains it. */
function explains(text: string, explained: string, result = ROAD): boolean {
  const words = questionWords(text);
  const said = new Set(questionWords(explained).map(word => word.text));
  const mask = words.reduce((all, word, at) => (said.has(word.text) ? all | (1 << at) : all), 0);
  return isExplained(requiredWords(words), { ...result, mask });
}

test('every word must be explained', () => {
  expect(explains('Adler, Japan', 'Adler Japan')).toBe(true);
  expect(explains('Adler, Japan', 'Adler')).toBe(false);
  expect(explains('hotels in sdfewf', 'hotels')).toBe(false);
});

describe('what may be left', () => {
  test('joining words and words for what an area is, unless there are no others', () => {
    expect(explains('hotels in the city of Vaduz', 'hotels Vaduz')).toBe(true);
    expect(explains('Au', '')).toBe(false);
    expect(explains('Markt', 'Markt')).toBe(true);
  });

  test('a number at a street, and at a town beside its name, but not at a country', () => {
    expect(explains('Landstrasse 555', 'Landstrasse')).toBe(true);
    expect(explains('555, Landstrasse', 'Landstrasse')).toBe(true);
    expect(explains('99999 Vaduz', 'Vaduz', TOWN)).toBe(true);
    expect(explains('99999 Vaduz', 'Vaduz', { ...TOWN, said: 0.45 })).toBe(false);
    expect(explains('99999, Vaduz', 'Vaduz', TOWN)).toBe(false);
    expect(explains('99999 Liechtenstein', 'Liechtenstein', COUNTRY)).toBe(false);
  });

  test('no long word because it has a digit', () => {
    expect(explains('Vaduz x7f9qqqq', 'Vaduz', TOWN)).toBe(false);
  });

  test('the floor, as the number', () => {
    expect(explains('Landstrasse 33, zweiter Stock', 'Landstrasse 33', HOUSE)).toBe(true);
    expect(explains('Landstrasse 33, zweiter Stock', 'Landstrasse')).toBe(true);
    expect(explains('Landstrasse 33, zweiter Stock', '33', HOUSE)).toBe(false);
    expect(explains('zweiter Stock, Liechtenstein', 'Liechtenstein', COUNTRY)).toBe(false);
  });

  test('whatever else stands beside a part of a house, if the house was found', () => {
    expect(explains('Landstrasse 33, Wohnung Meier', 'Landstrasse 33', HOUSE)).toBe(true);
    expect(explains('Landstrasse 33, Wohnung Meier', 'Landstrasse')).toBe(false);
  });

  test('the last four digits of a ZIP+4 code', () => {
    expect(explains('36067-1111, us', '36067 us', TOWN)).toBe(true);
    expect(explains('36067-1111', '36067', TOWN)).toBe(true);
    expect(explains('36067 1111, us', '36067 us', TOWN)).toBe(false);
  });

  test('a word that is said twice', () => {
    const words = questionWords('São Lourenço, São Paulo');
    expect(isExplained(requiredWords(words), { ...TOWN, mask: 0b1011 })).toBe(true);
    expect(isExplained(requiredWords(words), { ...TOWN, mask: 0b1010 })).toBe(false);
  });
});

test('digits alone are the name of an area', () => {
  expect(explains('9490', '9490', TOWN)).toBe(true);
  expect(explains('9490', '9490', ROAD)).toBe(false);
  expect(explains('9', '9', { ...TOWN, said: 0.5 })).toBe(false);
});

test('short words alone are the whole name, or the street of a house', () => {
  const part = { ...ROAD, said: 0.9 };
  expect(explains('X', 'X', part)).toBe(false);
  expect(explains('in Au', 'Au', part)).toBe(false);
  expect(explains('Au 5', 'Au 5', part)).toBe(false);
  expect(explains('Au 5', 'Au 5', { ...HOUSE, said: 0.9 })).toBe(true);
  expect(explains('X', 'X', ROAD)).toBe(true);
  expect(explains('LGT', 'LGT', part)).toBe(true);
  expect(explains('льм', 'льм', part)).toBe(false);
  expect(explains('X Vaduz', 'X Vaduz', part)).toBe(true);
});

test('a single letter is an area or a way, and no house or shop', () => {
  for (const [result, isMeant] of [
    [COUNTRY, true],
    [TOWN, true],
    [ROAD, true],
    [{ ...ROAD, searchRank: 27 }, true],
    [{ ...ROAD, searchRank: 28 }, false],
    [HOUSE, true],
    [{ ...HOUSE, searchRank: 30 }, false],
  ] as const)
    expect(explains('a', 'a', result)).toBe(isMeant);
  expect(explains('ab', 'ab', { ...ROAD, searchRank: 30 })).toBe(true);
  expect(isExplained(requiredWords(questionWords('a'), true), { ...ROAD, searchRank: 30, mask: 1 })).toBe(true);
});

test('beside short words alone only "in" may be left', () => {
  expect(explains('l MU', 'MU', COUNTRY)).toBe(false);
  expect(explains('il by a z', 'a z', COUNTRY)).toBe(false);
  expect(explains('Oy in FR', 'Oy FR', TOWN)).toBe(true);
  expect(explains('Adler by FR', 'Adler FR', TOWN)).toBe(true);
  expect(explains('La O', 'La O', TOWN)).toBe(true);
});

test('a word that is not finished is not short', () => {
  const words = questionWords('va');
  expect(isExplained(requiredWords(words, true), { ...TOWN, mask: 1, said: 0.5 })).toBe(true);
});

const isMeant = (text: string, place: Said) => matchesScript(placeOf(place), questionWords(text));
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
