// Numbers of houses and what stands beside them, as their countries write them, on one drawn map.

import { beforeAll, describe, expect, test } from 'vitest';
import { DrawnMap, searched } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string, streets: Record<string, string[]>) => {
    map.boundary(8, [lat, lon], 0.05, { name });
    map.node([lat, lon], { place: 'town', name });
    for (const [i, [street, numbers]] of Object.entries(streets).entries()) {
      const south = lat - 0.02 + i / 200;
      map.way([[south, lon - 0.01], [south, lon + 0.01]], { highway: 'residential', name: street }); // biome-ignore format: a line
      for (const [at, number] of numbers.entries())
        map.node([south + 0.0002, lon + at / 1_000], { 'addr:street': street, 'addr:housenumber': number });
    }
  };
  town(49.25, -122.98, 'Burnham', { 'Larch Highway': ['4500', '205'], 'West 70th Avenue': ['1518', '100'] });
  town(43.6, -116.2, 'Bosworth', { 'West Idaho Street': ['1109', '4'] });
  town(-38.15, 144.36, 'Gellong', { 'Ryder Street': ['48', '7'], 'Range Street': ['11-13', '13'] });
  town(-41.3, 174.8, 'Karori Bay', { 'Tui Street': ['26', '3'] });
  town(48.5, 11.5, 'Weidenau', { Lerchenweg: ['1', '3', '12'] });
  town(21, 105.8, 'Hà Mỹ', { 'Đường Lê Sơ': ['45', '3'] });
  town(51, -1.5, 'Oakford', {
    'Millbrook Road': ['25-27'],
    'Abbey Road': ['18-30'],
    'Millbrook Road East': ['6'],
    'Oakford Lane': ['7'],
    'Larch Lane': ['40-44'],
    'The Avenue': ['9'],
  });
  map.node([50.9815, -1.5], { place: 'neighbourhood', name: 'Millbrook' });
  town(50.5, 7.9, 'Siegheim', { 'Siegufer Straße': ['5'], 'Bergische Straße': ['12-20'] });
  map.node([50.4815, 7.9], { place: 'suburb', name: 'Siegufer' });
  town(40.4, -3.7, 'Villarroca', { 'Calle Olmeda': ['1'], 'Calle del Pez': ['8-12'] });
  map.node([40.3815, -3.7], { place: 'suburb', name: 'Olmeda' });
  town(48.9, 1.9, 'Chantelieu', {
    'Clos du Pré': ['42 A bis', '42 B bis', '42 C bis'],
    'Villa Gautier': ['12 bis', '14 ter', '16B', '18', '18A', '20A'],
  });
  map.node([48.9, 1.9], { tourism: 'museum', name: 'Le Fer', 'addr:street': 'Villa Gautier', 'addr:housenumber': '3' });
  map.node([48.9, 1.901], {
    shop: 'bakery',
    name: 'Miche',
    'addr:street': 'Villa Gautier',
    'addr:housenumber': '7 bis',
  });
  extract = await map.importInto(folder);
});

function first(text: string): Promise<string> {
  return searched(extract, text).then(([found]) => `${found},`);
}

describe('a flat before the number', () => {
  test.each([
    ['205-4500 Larch Hwy, Burnham BC', '4500 Larch Highway'],
    ['205 - 4500 Larch Hwy, Burnham', '4500 Larch Highway'],
    ['#205 4500 Larch Hwy, Burnham', '4500 Larch Highway'],
    ['205, 4500 Larch Highway, Burnham', '4500 Larch Highway'],
    ['100-1518 West 70th Avenue, Burnham', '1518 West 70th Avenue'],
    ['PH3 - 1518 W 70th Ave, Burnham', '1518 West 70th Avenue'],
    ['PH 1518 W 70th Ave, Burnham', '1518 West 70th Avenue'],
    ['PH-4500 Larch Hwy, Burnham', '4500 Larch Highway'],
    ['Penthouse 205 4500 Larch Hwy, Burnham', '4500 Larch Highway'],
    ['4500 Larch Hwy PH 205, Burnham', '4500 Larch Highway'],
    ['7/48 Ryder Street, Gellong', '48 Ryder Street'],
    ['B2/48 Ryder St, Gellong', '48 Ryder Street'],
    ['3/26 Tui Street, Karori Bay', '26 Tui Street'],
    ['1109 W Idaho St #4, Bosworth', '1109 West Idaho Street'],
    ['1109 West Idaho Street 4, Bosworth', '1109 West Idaho Street'],
  ])('%s is the house %s', async (text, house) => {
    expect(await first(text)).toMatch(new RegExp(`^${house},`));
  });

  test('the other number is meant where the street has no house of the one next to it', async () => {
    expect(await first('205-4501 Larch Hwy, Burnham')).toMatch(/^205 Larch Highway,/);
  });

  test('a range that the map has is the house', async () => {
    expect(await first('11-13 Range Street, Gellong')).toMatch(/^11-13 Range Street,/);
  });

  test.each([
    ['1-3 Lerchenweg, Weidenau', 'Lerchenweg 1'],
    ['Lerchenweg 1-3, Weidenau', 'Lerchenweg 1'],
    ['Lerchenweg 12/3, Weidenau', 'Lerchenweg 12'],
    ['45/3 Lê Sơ, Hà Mỹ', '45 Đường Lê Sơ'],
  ])('elsewhere the first of numbers with a sign between them is the house: %s', async (text, house) => {
    expect(await first(text)).toMatch(new RegExp(`^${house},`));
  });
});

describe('the street that is named', () => {
  test.each([
    ['26 Millbrook Road, Oakford', /^(25-27 )?Millbrook Road,/],
    ['26 Millbrook Rd, Oakford', /^(25-27 )?Millbrook Road,/],
    ['6 Millbrook Road, Oakford', /^6 Millbrook Road East,/],
    ['Siegufer Straße 14, Siegheim', /^Siegufer Straße,/],
    ['Siegufer Str. 14, Siegheim', /^Siegufer Straße,/],
    ['Calle Olmeda 10, Villarroca', /^Calle Olmeda,/],
    ['C/ Olmeda 10, Villarroca', /^Calle Olmeda,/],
    ['42 Oakford Lane, Oakford', /^Oakford Lane,/],
    ['9 Avenue Oakford', /^9 The Avenue,/],
  ])('%s is no range of a street in the quarter', async (text, address) => {
    expect(await first(text)).toMatch(address);
  });

  test('a street that is not there is none of the others in the quarter', async () => {
    expect((await searched(extract, '20 Millbrook Avenue, Oakford')).filter(name => name.includes('Abbey'))).toEqual(
      [],
    );
  });
});

describe('numbers with marks', () => {
  test.each([
    ['42 clos du pré, Chantelieu', '42 [ABC] bis Clos du Pré'],
    ['42 A bis Clos du Pré, Chantelieu', '42 A bis Clos du Pré'],
    ['12B villa gautier, chantelieu', '12 bis Villa Gautier'],
    ['12 b villa gautier, chantelieu', '12 bis Villa Gautier'],
    ['12 bis villa gautier, chantelieu', '12 bis Villa Gautier'],
    ['12 villa gautier, chantelieu', '12 bis Villa Gautier'],
    ['14T villa gautier, chantelieu', '14 ter Villa Gautier'],
    ['16 bis villa gautier, chantelieu', '16B Villa Gautier'],
    ['18 villa gautier, chantelieu', '18 Villa Gautier'],
    ['18b villa gautier, chantelieu', 'Villa Gautier'],
    ['2 villa gautier, chantelieu', 'Villa Gautier'],
  ])('%s is %s', async (text, house) => {
    expect(await first(text)).toMatch(new RegExp(`^${house},`));
  });
});

describe('a named object is its address as well', () => {
  test.each([
    ['Villa Gautier 3, Chantelieu', 'Le Fer'],
    ['7 bis Villa Gautier, Chantelieu', 'Miche'],
    ['7B Villa Gautier, Chantelieu', 'Miche'],
  ])('%s is %s', async (text, name) => {
    expect(await first(text)).toMatch(new RegExp(`^${name},`));
  });
});
