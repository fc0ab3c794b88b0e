// Addresses as their countries write them, on one drawn map.

import { beforeAll, expect, test } from 'vitest';
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
  map.boundary(4, [48.5, 11.5], 0.4, { name: 'Bayern', 'ISO3166-2': 'DE-BY' });
  town(48.5, 11.5, 'Weidenau', { Lerchenweg: ['4'] });
  map.boundary(4, [45.8, 9.4], 0.4, { name: 'Lombardia', 'ISO3166-2': 'IT-25' });
  town(45.8, 9.4, 'Pieve Alta', { 'Via Tommaso Grossi': ['12'] });
  town(44.9, 9.4, 'Borgo Secco', { 'Via Tommaso Grossi': ['14'] });
  town(46.9, 13.5, 'Moosdorf', { Birkengasse: ['3'] });
  town(21, 105.8, 'Hà Mỹ', { 'Đường Lê Sơ': ['45/3'] });
  town(45.5, -73.6, 'Rosebourg', { 'Rue Sainte-Odile Ouest': ['1200'] });
  town(59.9, 10.7, 'Fjellby', { Kirkeveien: ['64B'] });
  town(51.6, -0.2, 'Quayhaven', { 'Harbour Row': ['6'] });
  const row = { 'addr:street': 'Harbour Row', 'addr:housenumber': '4' };
  for (const unit of [1, 2, 3])
    map.node([51.581, -0.2 + unit / 1_000], { ...row, 'addr:unit': `${unit}`, 'addr:housename': `Berth ${unit}` });
  map.node([51.581, -0.194], { ...row, 'addr:unit': '3b', 'addr:housename': 'Berth 3b' });
  extract = await map.importInto(folder);
});

test.each([
  ['Lerchenweg 4, Weidenau, Bavaria, Germany', 'Lerchenweg 4'],
  ['Lerchenweg 4, Weidenau, Baviera', 'Lerchenweg 4'],
  ['Lerchenweg 4, Weidenau, BY', 'Lerchenweg 4'],
  ['Bavière', 'Bayern'],
  ['Lombardy', 'Lombardia'],
  ['Via Tommaso Grossi 12, Pieve Alta (LC)', 'Via Tommaso Grossi 12'],
  ['Via Tommaso Grossi 12, Pieve Alta LC, Lombardy', 'Via Tommaso Grossi 12'],
  ['Via Tommaso Grossi 14 - Borgo Secco PC', 'Via Tommaso Grossi 14'],
  ['Birkengasse 3, Moosdorf, Ktn', 'Birkengasse 3'],
  ['45/3 Lê Sơ Hà Mỹ', '45/3 Đường Lê Sơ'],
  ['1200 Ste-Odile Street West, Rosebourg, Que.', '1200 Rue Sainte-Odile Ouest'],
  ['1200 St Odile St W, Rosebourg, PQ', '1200 Rue Sainte-Odile Ouest'],
  ['Kirkevn. 64B Fjellby', 'Kirkeveien 64B'],
  ['Kirkevegen 64 B Fjellby', 'Kirkeveien 64B'],
  ['Via TG 12, Pieve Alta', 'Via Tommaso Grossi 12'],
  ['12 TG Pieve Alta', 'undefined'],
  ['Via TX 12, Pieve Alta', 'undefined'],
])('%s finds %s', async (text, first) => {
  const [found] = await searched(extract, text);
  expect(`${found},`).toMatch(new RegExp(`^${first},`));
});

test.each([
  ['Unit 3, 4 Harbour Row, Quayhaven', 'Berth 3, 4'],
  ['4 Harbour Row, Flat 2', 'Berth 2, 4'],
  ['2/4 Harbour Row Quayhaven', 'Berth 2, 4'],
  ['Shop No. 1, 4 Harbour Row', 'Berth 1, 4'],
  ['Harbour Row 4 apt 3b', 'Berth 3b, 4'],
  ['Unit 2, 6 Harbour Row', '6'],
  ['Unit 9, 4 Harbour Row', 'Berth 1, 4'],
  ['4 Harbour Row', 'Berth 1, 4'],
])('what the map has of parts of a house wins: %s finds %s', async (text, first) => {
  const [found] = await searched(extract, text);
  expect(`${found},`).toMatch(new RegExp(`^${first} Harbour Row,`));
});

test.each(['Lerchenweg 4, Weidenau, Hessen', 'Lerchenweg 4, Weidenau, NRW', 'Lerchenweg 4, Weidenau, Tirol'])(
  '%s contradicts',
  async text => {
    expect(await searched(extract, text)).toEqual([]);
  },
);
