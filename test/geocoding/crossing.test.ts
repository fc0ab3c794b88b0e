// Crossings of two streets, in the ways in which people name them, on a drawn town with several streets of each name.
//
//                     Isla Verde
//                         |
//    Río Coca --- Río Coca+--- Río Coca ... Río Coca      in Quimbo; the same names do not meet in Otavo
//                         |
//                     Isla Verde

import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../src/api/explain/explained.ts';
import { describeSearch } from '../../src/api/explain/search.ts';
import { freeTextQuestion } from '../../src/geocoding/search/question.ts';
import { DrawnMap, inExtract } from '../kits/places/drawn_map.ts';
import { folderOfFile } from '../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const street = (name: string, ...points: [number, number][]) => map.way(points, { highway: 'residential', name });
  map.boundary(8, [-0.15, -78.45], 0.1, { name: 'Quimbo' });
  map.boundary(8, [0.45, -78.45], 0.1, { name: 'Otavo' });
  street('Isla Verde', [-0.14, -78.45], [-0.15, -78.45]);
  street('Isla Verde', [-0.15, -78.45], [-0.16, -78.45], [-0.17, -78.45]);
  // The longest way represents a street: it is three ways away from the crossing.
  street('Río Coca', [-0.15, -78.46], [-0.15, -78.45]);
  street('Río Coca', [-0.15, -78.45], [-0.15, -78.44]);
  street('Río Coca', [-0.15, -78.44], [-0.15, -78.4]);
  street('Isla Verde', [0.44, -78.45], [0.45, -78.45]);
  street('Río Coca', [0.46, -78.46], [0.46, -78.44]);
  street('Main Street', [-0.2, -78.5], [-0.2, -78.49], [-0.2, -78.48]);
  street('Oak Street', [-0.21, -78.49], [-0.2, -78.49], [-0.19, -78.49]);
  map.node([-0.12, -78.45], { amenity: 'cafe', name: 'Verde und Coca' });
  map.node([-0.12, -78.46], { shop: 'books', name: 'Main & Oak' });
  extract = await map.importInto(folder);
});

function firstOf(text: string) {
  return inExtract(extract, geocoder => {
    const [place] = geocoder.search(freeTextQuestion(text));
    return place && { name: place.name, type: place.type, at: `${place.latitude},${place.longitude}` };
  });
}

const COCA = { name: 'Isla Verde / Río Coca', type: 'crossing', at: '-0.15,-78.45' };
const OAK = { name: 'Main Street / Oak Street', type: 'crossing', at: '-0.2,-78.49' };

test.each([
  ['Isla Verde and Río Coca, Quimbo', COCA],
  ['Isla Verde y Rio Coca, Quimbo', COCA],
  ['Isla Verde & Río Coca', COCA],
  ['Isla Verde/Río Coca, Quimbo', COCA],
  ['esquina de Isla Verde y Río Coca', COCA],
  ['Isla Verde con Río Coca, Quimbo', COCA],
  ['Quimbo, Isla Verde und Río Coca', COCA],
  ['Ecke Isla Verde / Río Coca', COCA],
  ['corner of Main Street and Oak Street', OAK],
  ['Main St at Oak St', OAK],
  ['intersection of Main Street & Oak Street', OAK],
  ['Main Street @ Oak Street', OAK],
  ['Main Street x Oak Street', OAK],
  ['Main Street, corner of Oak Street', OAK],
  ['Isla Verde, esquina Río Coca, Quimbo', COCA],
  ['Isla Verde/Ecke Río Coca, Quimbo', COCA],
  ['Isla Verde, Ecke Río Coca', COCA],
  ['Kreuzung Isla Verde Río Coca, Quimbo', COCA],
  ['hoek Isla Verde Río Coca', COCA],
])('%s is the crossing', async (text, expected) => {
  expect(await firstOf(text)).toEqual(expected);
});

test('a street may be named first or second', async () => {
  expect(await firstOf('Río Coca y Isla Verde')).toEqual({ ...COCA, name: 'Río Coca / Isla Verde' });
});

test.each([
  'Isla Verde and Río Coca, Otavo',
  'Isla Verde and Oak Street',
  'Main Street and Nowhere',
  'Main Street and',
])('%s is none: the streets do not meet', async text => {
  expect((await firstOf(text))?.type).not.toBe('crossing');
});

test('a place that is called so wins', async () => {
  expect((await firstOf('Verde und Coca'))?.type).toBe('cafe');
  expect((await firstOf('Main & Oak'))?.type).toBe('books');
});

function explained(text: string) {
  return inExtract(extract, geocoder => {
    const { explained: search } = geocoder.explainSearch(freeTextQuestion(text));
    return { search, lines: textOf(describeSearch(search)).split('\n') };
  });
}

test('an explanation says which streets were tried, how many are called so, and whether they cross', async () => {
  const met = await explained('Isla Verde and Río Coca, Quimbo');
  expect(met.search.crossings).toEqual([{ first: 'Isla Verde', second: 'Río Coca', streets: [1, 1], isAnswer: true }]);
  expect(met.search.stages.at(-1)?.stage).toBe('crossing');
  expect(met.lines).toContain(
    '  Isla Verde and Río Coca: 1 street and 1 street; they cross, which is the first answer',
  );
  const apart = await explained('Isla Verde and Río Coca, Otavo');
  expect(apart.search.crossings).toEqual([{ first: 'Isla Verde', second: 'Río Coca', streets: [1, 1] }]);
  expect(apart.lines).toContain('  Isla Verde and Río Coca: 1 street and 1 street; none of them cross');
});

test('an explanation says that a place has the names of both streets', async () => {
  const { search, lines } = await explained('Main & Oak');
  expect(search.crossings).toEqual([{ first: 'Main', second: 'Oak' }]);
  expect(lines).toContain('  Main and Oak: not looked for, as the best place, or an area around it, has both names');
  expect((await explained('Isla Verde, Quimbo')).search).not.toHaveProperty('crossings');
});

test('an explanation says what a result may leave, and which part of a house a word belongs to', async () => {
  const { search, lines } = await explained('Isla Verde Nr. 7 Top 5, Quimbo');
  expect(search.words.map(({ word, role, leftBy }) => [word, role, leftBy])).toEqual([
    ['isla', undefined, undefined],
    ['verde', undefined, undefined],
    ['nr', 'number', 'named'],
    ['7', undefined, 'named'],
    ['top', 'unit', 'street'],
    ['5', 'unit', 'named'],
    ['quimbo', undefined, undefined],
  ]);
  expect(lines.find(line => line.startsWith('  top '))).toMatch(
    /^ {2}top is a part of a house; a street, or what is on one, need not explain it \(/,
  );
  expect(search.candidates[0].left).toEqual(['nr', '7', 'top', '5']);
});
