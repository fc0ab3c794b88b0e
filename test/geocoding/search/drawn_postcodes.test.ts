// Postcodes, boxes and areas that the map lacks, on one drawn map without borders of towns, before a drawn gazetteer.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { DrawnMap } from '../../kits/places/drawn_map.ts';
import { drawLayer, withGeocoder, worldPlace } from '../../kits/places/layers.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;
let world: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const street = (lat: number, lon: number, name: string, city: string, houses: Record<string, string>) => {
    map.way([[lat, lon - 0.01], [lat, lon + 0.01]], { highway: 'residential', name }); // biome-ignore format: a line
    for (const [at, [number, postcode]] of Object.entries(houses).entries()) {
      const address = { 'addr:housenumber': number, 'addr:postcode': postcode, 'addr:street': name };
      map.node([lat + 0.0002, lon + at / 1_000], { ...address, ...(city === '' ? {} : { 'addr:city': city }) });
    }
  };
  const shop = (lat: number, lon: number, tags: Record<string, string>) => map.node([lat + 0.0004, lon], tags);
  street(51.41, -0.83, 'Cedar Row', 'Workham', { 3: 'RG41 5TX' });
  shop(51.41, -0.83, { amenity: 'pub', name: 'The Three Frogs', 'addr:postcode': 'RG41 5TX' });
  street(51.42, -0.83, 'Elm Walk', 'Workham', { 9: 'RG40 2BB' });
  shop(51.42, -0.83, { amenity: 'pub', name: 'The Plough', 'addr:postcode': 'RG40 2BB' });
  shop(51.42, -0.831, { amenity: 'cafe', name: 'Elm Room', 'addr:postcode': 'RG40 2BB' });
  street(52.37, 4.88, 'Prinsenkade', 'Amstelrade', { 22: '1015 DK' });
  shop(52.37, 4.88, { amenity: 'cafe', name: 'Prins', 'addr:postcode': '1015 DK' });
  street(45.5, -73.6, 'Rue des Ormes', 'Rosebourg', { 1015: 'H2X 1Y4' });
  shop(45.5, -73.6, { amenity: 'cafe', name: 'Le Quai', 'addr:postcode': 'H2X 1Y4' });
  shop(48.2, 11.2, { amenity: 'cafe', name: 'Huber' });
  shop(40.2, -3.2, { tourism: 'hotel', name: 'Hotel Sol' });
  map.boundary(8, [53.55, 10.03], 0.05, { name: 'Hamborn' });
  map.node([53.55, 10.03], { place: 'town', name: 'Hamborn' });
  street(53.55, 10.03, 'Wendenweg', '', { 414: '20537', 12: '20537' });
  map.boundary(8, [48.1, 11.6], 0.05, { name: 'Weidenau' });
  map.node([48.1, 11.6], { place: 'town', name: 'Weidenau' });
  street(48.1, 11.6, 'Wendenweg', '', { 7: '80331' });
  map.boundary(8, [59.93, 30.3], 0.05, { name: 'Заречье' });
  map.node([59.93, 30.3], { place: 'town', name: 'Заречье' });
  map.boundary(8, [51.7, -2.2], 0.05, { name: 'Upper Brackley' });
  map.node([51.7, -2.2], { place: 'village', name: 'Upper Brackley' });
  street(51.7, -2.2, 'Pound Lane', '', { 58: 'GL8 8QQ' });
  map.rectangle(51.7003, 51.7004, -2.201, -2.2009, {
    building: 'house',
    'addr:housename': 'Rose Cottage',
    'addr:street': 'Pound Lane',
    'addr:postcode': 'GL8 8QQ',
  });
  extract = await map.importInto(folder);
  world = await drawLayer('the gazetteer', [
    worldPlace('town', 'Workham', 18, 51.41, -0.84, { countryCode: 'gb' }),
    worldPlace('city', 'Amstelrade', 16, 52.37, 4.89, { countryCode: 'nl' }),
    worldPlace('city', 'Rosebourg', 16, 45.5, -73.6, { countryCode: 'ca' }),
    worldPlace('village', 'Pub', 19, 26.2, 91.7, { countryCode: 'in' }),
    worldPlace('city', 'Farburg', 16, 50.1, 8.6, { countryCode: 'de' }),
  ]);
});
afterAll(() => rmSync(world, { recursive: true, force: true }));

function found(text: string): Promise<string[]> {
  return withGeocoder({ extract, world: join(world, 'layer') }, geocoder =>
    geocoder.search(freeTextQuestion(text)).map(({ displayName }) => displayName),
  );
}

describe('a postcode, or the first half of one', () => {
  test.each([
    ['pub RG41', 'The Three Frogs'],
    ['RG40 pub', 'The Plough'],
    ['pub in RG41 5TX', 'The Three Frogs'],
    ['cafe in 1015', 'Prins'],
    ['cafe 1015 DK', 'Prins'],
    ['café H2X', 'Le Quai'],
    ['pub RG41 Workham', 'The Three Frogs'],
  ])('%s finds only what is in it', async (text, name) => {
    const all = await found(text);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatch(new RegExp(`^${name},`));
  });

  test.each([
    ['nothing of the kind is there', 'hotel RG41'],
    ['nothing of the kind is there', 'hotel in 1015'],
    ['no such postcode is on the map', 'hotel RG42'],
    ['the town is far from it', 'RG41 Farburg'],
    ['the street is far from it', 'Wendenweg 7, RG41 5TX'],
  ])('%s: %s is nowhere', async (_, text) => {
    expect(await found(text)).toEqual([]);
  });

  test.each([
    ['RG41 5TX Workham', 'RG41 5TX'],
    ['Workham RG41 5TX', 'RG41 5TX'],
    ['1015 DK Amstelrade', '1015 DK'],
    ['H2X 1Y4, Rosebourg', 'H2X 1Y4'],
    ['RG41 Workham', 'Workham'],
    ['3 Cedar Row, Workham RG41', '3 Cedar Row'],
    ['1015 Rue des Ormes', '1015 Rue des Ormes'],
    ['1016 Rue des Ormes', 'Rue des Ormes'],
    ['1015 Elm Walk', 'Elm Walk'],
    ['Wendenweg 7, 80331 Weidenau', 'Wendenweg 7'],
    ['Wendenweg 7, 20537', 'Wendenweg, 20537 Hamborn'],
    ['Elm Walk 9, RG41 5TX', '9 Elm Walk'],
  ])('%s finds %s', async (text, first) => {
    expect((await found(text))[0]).toMatch(new RegExp(`^${first}`));
  });
});

describe('a post-office box', () => {
  test.each([
    'P.O. Box 12, Workham',
    'PO Box No. 12, Workham',
    'GPO Box 12 Workham',
    'Private Bag 12, Workham',
    'Locked Bag 12, Workham',
  ])('%s is left out', async text => {
    expect((await found(text))[0]).toMatch(/^Workham/);
  });

  test.each([
    'Postfach 1234, 20537 Hamborn',
    'Postfach 12 34 56, 20537 Hamborn',
    'Postfach 123456 20537 Hamborn',
    'BP 12, 20537 Hamborn',
    'CS 10234, 20537 Hamborn',
    'TSA 12345, 20537 Hamborn',
    'Apdo. 12, 20537 Hamborn',
    'Apartado de Correos 12, 20537 Hamborn',
    'Apartat de correus 12, 20537 Hamborn',
    'Casella Postale 12, 20537 Hamborn',
    'Caixa Postal 12, 20537 Hamborn',
    'Case postale 12, 20537 Hamborn',
    'Postbus 12, 20537 Hamborn',
    'Postboks 12, 20537 Hamborn',
    'Box 12, 20537 Hamborn',
    'PL 12, 20537 Hamborn',
    'Skr. poczt. 12, 20537 Hamborn',
    'P.P. 12, 20537 Hamborn',
    'Pf. 12, 20537 Hamborn',
    'C.P. 12, 20537 Hamborn',
    'Τ.Θ. 12, 20537 Hamborn',
    'P.K. 12, 20537 Hamborn',
    'ת.ד. 12, 20537 Hamborn',
    'ص.ب 12, 20537 Hamborn',
    'S.L.P. 12, 20537 Hamborn',
  ])('%s is left out', async text => {
    expect((await found(text))[0]).toMatch(/^20537/);
  });

  test('it is left out in Cyrillic', async () => {
    expect((await found('а/я 15, Заречье'))[0]).toMatch(/^Заречье/);
  });

  test('a house that is named too is meant, and never by the number of the box', async () => {
    expect((await found('Postfach 12, Wendenweg 414, 20537 Hamborn'))[0]).toMatch(/^Wendenweg 414/);
    expect((await found('Wendenweg 414, Postfach 12, Hamborn'))[0]).toMatch(/^Wendenweg 414/);
    expect((await found('Postfach 12, Wendenweg, Hamborn'))[0]).toMatch(/^Wendenweg,/);
  });

  test('a box in no town is nowhere', async () => {
    expect(await found('PO Box 12')).toEqual([]);
    expect(await found('Postfach 12, Xylobrook')).toEqual([]);
  });
});

describe('an area that the map lacks', () => {
  test.each([
    ['Wendenweg 414, Xylobrook 20537 Hamborn', 'Wendenweg 414'],
    ['Wendenweg 414, Xylobrook Hamborn', 'Wendenweg 414'],
    ['Wendenweg 414 Xylobrook, 20537 Hamborn', 'Wendenweg 414'],
    ['Wendenweg 414, Xylobrook, 20537 Hamborn', 'Wendenweg 414'],
    ['58 Pound Lane, Xylo Hill Upper Brackley GL8 8QQ', '58 Pound Lane'],
    ['Rose Cottage, Pound Lane, Upper Brackley, Xyldown, GL8 8QQ', 'Rose Cottage'],
    ['Rose Cottage, Pound Lane, Upper Brackley, Co. Xylmore', 'Rose Cottage'],
    ['Rose Cottage, Pound Lane, Xylo Hill Upper Brackley', 'Rose Cottage'],
  ])('%s is %s', async (text, first) => {
    expect((await found(text))[0]).toMatch(new RegExp(`^${first},`));
  });

  test.each([
    ['a word in the name of the street', '58 Pound Xylo Lane, Upper Brackley'],
    ['a house by name without its street', 'Rose Cottage, Upper Brackley, Xyldown'],
    ['another town', 'Wendenweg 414, Weidenau 20537 Hamborn'],
    ['no town is named', 'Wendenweg 414, Xylobrook Germany'],
  ])('%s is none: %s', async (_, text) => {
    expect((await found(text)).filter(name => /^(58|Rose|Wendenweg)/.test(name))).toEqual([]);
  });
});
