import { expect, test } from 'vitest';
import {
  SPELLING_NAME,
  SPELLING_OTHER,
  SPELLING_POSTCODE,
} from '../../../../src/geocoding/search/word_index/layout.ts';
import { nameSpellings, postcodeSpelling } from '../../../../src/geocoding/search/word_index/name_spellings.ts';
import type { Place } from '../../../../src/tables/places/place.ts';

function spellings(names: Record<string, string>, houseName = ''): [number, string][] {
  return nameSpellings({ names, houseName } as Place).map(({ kind, words }) => [kind, words.join(' ')]);
}

test('each name is a spelling, equal ones are one', () => {
  expect(
    spellings(
      {
        name: 'Schloss Vaduz',
        'name:de': 'Schloß Vaduz',
        'name:en': 'Vaduz Castle',
        alt_name: 'Burg;Hohe Burg',
        ref: 'A 13',
      },
      'Haus Ost',
    ),
  ).toEqual([
    [SPELLING_NAME, 'schloss vaduz'],
    [SPELLING_NAME, 'vaduz castle'],
    [SPELLING_OTHER, 'burg'],
    [SPELLING_OTHER, 'hohe burg'],
    [SPELLING_OTHER, 'a 13'],
    [SPELLING_OTHER, 'a13'],
    [SPELLING_OTHER, 'haus ost'],
  ]);
});

test('what stands in brackets may be left out', () => {
  expect(spellings({ name: 'Im Kreuz (Oberdorf)' }).map(([, words]) => words)).toEqual([
    'im kreuz oberdorf',
    'im kreuz',
  ]);
});

test('a street word may be written together with the word before it', () => {
  expect(spellings({ name: 'Alte Berliner Straße' }).map(([, words]) => words)).toEqual([
    'alte berliner strasse',
    'alte berlinerstrasse',
  ]);
});

test('a postcode is one word, a list of them none', () => {
  expect(postcodeSpelling('SW1A 1AA')).toEqual({ kind: SPELLING_POSTCODE, words: ['sw1a1aa'] });
  expect(postcodeSpelling('9490;9494')).toBeUndefined();
  expect(postcodeSpelling('')).toBeUndefined();
});
