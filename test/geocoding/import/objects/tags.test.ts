import { expect, test } from 'vitest';
import { furtherTagsOf, houseNumberOf, isNamed, namesOf } from '../../../../src/geocoding/import/objects/tags.ts';

test('further tags are those that are asked for, in one order, unless they are too long', () => {
  const tags = { name: 'x', population: '5696', website: 'https://x.li', shop: 'yes', 'addr:street': 'x' };
  expect(Object.entries(furtherTagsOf(tags))).toEqual([
    ['website', 'https://x.li'],
    ['population', '5696'],
  ]);
  expect(furtherTagsOf({ website: 'x'.repeat(256), phone: 'x'.repeat(255) })).toEqual({ phone: 'x'.repeat(255) });
  expect(furtherTagsOf({ constructor: 'x', highway: 'residential' })).toEqual({});
});

test('names are kept with their languages, the name itself first', () => {
  const tags = {
    'name:de': 'Genf',
    alt_name: 'Genava',
    name: 'Genève',
    'old_name:fr': 'Genabum',
    ref: 'GE',
    brand: 'B',
    highway: 'x',
  };
  expect(Object.entries(namesOf(tags, false))).toEqual([
    ['name', 'Genève'],
    ['alt_name', 'Genava'],
    ['name:de', 'Genf'],
    ['old_name:fr', 'Genabum'],
    ['ref', 'GE'],
  ]);
  expect(namesOf(tags, true)).toHaveProperty('brand', 'B');
});

test('airports and stations have their codes', () => {
  const tags = { aeroway: 'aerodrome', name: 'Flughafen', icao: 'EDXY', iata: 'XYZ' };
  expect(namesOf(tags, false)).toEqual({ name: 'Flughafen', iata: 'XYZ', icao: 'EDXY' });
  expect(namesOf({ railway: 'station', name: 'Quay Street', 'ref:crs': 'QYS' }, false)).toHaveProperty(
    'ref:crs',
    'QYS',
  );
  expect(namesOf({ railway: 'station', name: 'Bahnhof', 'railway:ref': 'XB' }, false)).toHaveProperty(
    'railway:ref',
    'XB',
  );
  expect(isNamed({ aeroway: 'aerodrome', icao: 'EDXY' })).toBe(false);
});

test('what is said about a name is no name', () => {
  expect(namesOf({ name: 'A', 'name:etymology:wikidata': 'Q1', 'name:pronunciation': 'B' }, false)).toEqual({
    name: 'A',
  });
});

test('the sides of a street have names', () => {
  const tags = { highway: 'residential', 'name:left': 'Nordufer', 'name:right': 'Südufer' };
  expect(namesOf(tags, false)).toEqual({ 'name:left': 'Nordufer', 'name:right': 'Südufer' });
  expect(isNamed(tags)).toBe(true);
});

test('a number on signs does not make an object a named one', () => {
  expect(isNamed({ ref: 'A13' })).toBe(false);
  expect(isNamed({ 'name:de': 'Ruggell' })).toBe(true);
  expect(isNamed({ official_name: 'Gemeinde Ruggell' })).toBe(true);
});

test('house numbers stay as they stand on the map', () => {
  expect(houseNumberOf({ 'addr:housenumber': '1;3' })).toBe('1;3');
  expect(houseNumberOf({ 'addr:housenumber': '1-5' })).toBe('1-5');
  expect(houseNumberOf({ 'addr:conscriptionnumber': '123', 'addr:streetnumber': '7' })).toBe('123/7');
  expect(houseNumberOf({ 'addr:streetnumber': '7' })).toBe('7');
  expect(houseNumberOf({})).toBe('');
});
