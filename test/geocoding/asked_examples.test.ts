// What people typed into other geocoders and into this one, on a drawn world: two layers with a few places each.

import { beforeAll, describe, expect, test } from 'vitest';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { type Drawn, withDrawn, worldPlace } from '../kits/places/layers.ts';
import { roadOf, type Said } from '../kits/places/place.ts';

/** A place of the extract. */
const at = (latitude: number, longitude: number, countryCode: string, said: Said): Drawn => ({
  said: { importance: 0.1, latitude, longitude, countryCode, ...said },
});
const area = (name: string, rank: number, type = 'administrative'): Said => ({
  ...{ category: 'boundary', type, searchRank: rank, addressRank: rank, names: { name }, importance: 0.4 - rank / 75 },
});
const postcode = (code: string): Said => ({
  category: 'place',
  type: 'postcode',
  searchRank: 21,
  addressRank: 5,
  postcode: code,
});
const house = (number: string, parent: number, said: Said = {}): Said => ({
  category: 'place',
  type: 'house',
  houseNumber: number,
  parent,
  ...said,
});

/** Rows and parents are numbers of places in this order, from 1. */
const EXTRACT_BONUS: Drawn[] = [
  at(47.1, 9.5, 'li', area('Liechtenstein', 4)),
  at(47.14, 9.52, 'li', { ...area('Vaduz', 16), rows: [1], postcode: '9490' }),
  at(47.16, 9.51, 'li', { ...area('Schaan', 16), rows: [1], postcode: '9494' }),
  at(47.21, 9.55, 'li', { ...postcode('9486'), rows: [1] }),
  at(47.14, 9.52, 'li', { ...roadOf('Bündaweg'), rows: [2, 1] }),
  at(47.16, 9.51, 'li', { ...roadOf('Landstrasse'), rows: [3, 1] }),
  at(47.16, 9.51, 'li', house('33', 6)),
  at(47.14, 9.52, 'li', { category: 'amenity', type: 'restaurant', names: { name: 'Adler' }, parent: 5 }),
  at(47.14, 9.52, 'li', { category: 'amenity', type: 'hotel', names: { name: 'Residence' }, parent: 5 }),
  at(47.14, 9.52, 'li', { category: 'highway', type: 'bus_stop', names: { name: 'Vaduz Post' }, parent: 5 }),
  at(47.16, 9.51, 'li', { category: 'railway', type: 'station', names: { name: 'Schaan-Vaduz' }, parent: 6 }),
  at(51.5, -0.1, 'gb', { ...area('London', 16), importance: 0.3 }),
  at(51.5, -0.1, 'gb', { ...roadOf('Old Bailey'), rows: [12] }),
  at(51.5, -0.1, 'gb', house('15', 13)),
  at(51.6, -0.1, 'gb', { ...roadOf('Hatton Garden'), rows: [12] }),
  at(51.6, -0.1, 'gb', house('62', 15)),
  at(51.6, -0.1, 'gb', {
    category: 'amenity',
    type: 'college',
    names: { name: 'London College' },
    houseNumber: '62',
    parent: 15,
  }),
  at(49.5, 11.3, 'de', { ...area('Lauf an der Pegnitz', 16), postcode: '91207' }),
  at(49.5, 11.3, 'de', { ...roadOf('Turnstraße'), rows: [18], postcode: '91207' }),
  at(49.5, 11.3, 'de', house('11', 19, { postcode: '91207' })),
  at(49.5, 11.3, 'de', {
    category: 'amenity',
    type: 'police',
    names: { name: 'Polizei Lauf a.d.Pegnitz' },
    houseNumber: '11',
    parent: 19,
  }),
  at(32.5, -86.5, 'us', postcode('36067')),
  at(35.92, 14.49, 'mt', roadOf('Triq il-Wilga')),
  at(35.92, 14.49, 'mt', house('58a', 23, { alsoWritten: 'Paceville;STJ' })),
  at(35.9, 14.4, 'mt', roadOf('Triq X Farrugia')),
  at(47.17, 9.5, 'li', { ...roadOf('Oy'), rows: [3, 1] }),
];
const WORLD: Drawn[] = [
  worldPlace('country', 'Portugal', 4, 39, -8, { countryCode: 'pt', importance: 0.6 }),
  worldPlace('town', 'Baião', 18, 41, -8, { countryCode: 'pt', rows: [1], importance: 0.2 }),
  worldPlace('country', 'Australia', 4, -25, 133, { countryCode: 'au', importance: 0.6 }),
  worldPlace('town', 'Bundaberg', 18, -24, 152, { countryCode: 'au', rows: [3], importance: 0.2 }),
  worldPlace('country', 'Japan', 4, 36, 138, { countryCode: 'jp', importance: 0.6 }),
  worldPlace('country', 'Ghana', 4, 8, -1, { countryCode: 'gh', importance: 0.6 }),
  worldPlace('town', 'Foso', 18, 5, -1, { countryCode: 'gh', rows: [6], importance: 0.2 }),
  worldPlace('town', 'Placer', 18, 9, 125, { countryCode: 'ph', importance: 0.2 }),
];

const EXAMPLES: [text: string, first: string | undefined][] = [
  ['Turnstraße 11, 91207 Lauf a.d.Pegnitz', 'Turnstraße 11'],
  ['Hatton Garden 62, London', '62 Hatton Garden'],
  ['London College', 'London College'],
  ["'; DROP TABLE places; --", undefined],
  ['gh; foo()', undefined],
  ['234.23.14.5', undefined],
  ['hotels in sdfewf', undefined],
  ['Old Baiaey 15, London', '15 Old Bailey'],
  ['Baiao', 'Baião'],
  ['Bündaweg 555', 'Bündaweg'],
  ['Bündaweg 555, Schaan', undefined],
  ['Adler, Japan', undefined],
  ['Adler', 'Adler'],
  ['Landstrasse 33, Schaan', 'Landstrasse 33'],
  ['Landstrasse 33, Schaan, Japan', undefined],
  ['Vaduz Post', 'Vaduz Post'],
  ['Schaan-Vaduz', 'Schaan-Vaduz'],
  ['9486, li', '9486'],
  ['9486', '9486'],
  ['36067-1111, us', '36067'],
  ['36067', '36067'],
  ['99999, us', undefined],
  ['Triq il-Wilga 58a, Paceville', '58a Triq il-Wilga'],
  ['Triq il-Wilga 7, Paceville', 'Triq il-Wilga'],
  ['Triq il-Wilga 58a, STJ', '58a Triq il-Wilga'],
  ['Triq il-Wilga, Schaan', undefined],
  ['Rantstrasse 33, Schaan', 'Landstrasse 33'],
  ['Triq ik-Wilga 58a', '58a Triq il-Wilga'],
  ['li', 'Liechtenstein'],
  ['ли', undefined],
  ['lí', undefined],
  ['Oy', 'Oy'],
  ['Oy, li', 'Oy'],
  ['Оy', undefined],
  ['x', undefined],
  ['X Farrugia', 'Triq X Farrugia'],
  ['gj', undefined],
  ['l li', undefined],
  ['Oy in li', 'Oy'],
  ['Triq XF arrugia', 'Triq X Farrugia'],
  ['Tri qil-Wilga', 'Triq il-Wilga'],
  ['Lau fan der Pegnitz', '91207 Lauf an der Pegnitz'],
  ['Ol dBailey', 'Old Bailey'],
  ['Ol, dBailey', undefined],

  ['日本', 'Japan'],
  ['😠', undefined],
];

describe('what people type', () => {
  let firsts: (string | undefined)[];
  beforeAll(async () => {
    firsts = await withDrawn({ world: WORLD, extract: EXTRACT_BONUS }, geocoder =>
      EXAMPLES.map(([text]) => geocoder.search(freeTextQuestion(text))[0]?.displayName),
    );
  });

  test.each(EXAMPLES.map(([text, first], i) => ({ text, first, i })))('$text finds $first', ({ first, i }) => {
    if (first === undefined) expect(firsts[i]).toBeUndefined();
    else expect(`${firsts[i]},`.startsWith(`${first},`), firsts[i]).toBe(true);
  });
});
