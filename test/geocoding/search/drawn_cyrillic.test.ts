// Names in Cyrillic letters, asked for in the Latin forms of several countries and keyboards, on one drawn map.

import { beforeAll, expect, test } from 'vitest';
import { DrawnMap, searched } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string, streets: Record<string, string>) => {
    map.boundary(8, [lat, lon], 0.05, { name });
    map.node([lat, lon], { place: 'town', name });
    for (const [i, [street, number]] of Object.entries(streets).entries()) {
      const south = lat - 0.02 + i / 200;
      map.way([[south, lon - 0.01], [south, lon + 0.01]], { highway: 'residential', name: street }); // biome-ignore format: a line
      map.node([south + 0.0002, lon], { 'addr:street': street, 'addr:housenumber': number });
    }
  };
  town(42.5, 25.5, 'Стара Липа', { 'улица Хаджи Димитър': '12', 'улица Цар Иван Асен': '7' });
  map.node([42.5, 25.5], { amenity: 'restaurant', name: 'Щастливеца' });
  map.node([42.5, 25.501], { amenity: 'cafe', name: 'Цветница' });
  town(55.7, 37.6, 'Новогорск', { 'улица Юных Ленинцев': '14', 'улица Чехова': '8', 'Школьный переулок': '2' });
  town(50.45, 30.5, 'Новомлинськ', { 'вулиця Хмельницького': '6' });
  extract = await map.importInto(folder);
});

test.each([
  ['Shtastliveca', 'Щастливеца'],
  ['Shchastlivetsa', 'Щастливеца'],
  ['Štastliveca Stara Lipa', 'Щастливеца'],
  ['Cvetnica Stara Lipa', 'Цветница'],
  ['Tzvetnitza, Stara Lipa', 'Цветница'],
  ['Zwetniza Stara Lipa', 'Цветница'],
  ['Hadji Dimitar 12 Stara Lipa', 'улица Хаджи Димитър 12'],
  ['Hadzhi Dimitur 12 Stara Lipa', 'улица Хаджи Димитър 12'],
  ['Khadzhi Dimitar 12', 'улица Хаджи Димитър 12'],
  ['Tzar Ivan Asen 7, Stara Lipa', 'улица Цар Иван Асен 7'],
  ['Junych Leninzew 14', 'улица Юных Ленинцев, 14'],
  ['Yunykh Lenintsev 14', 'улица Юных Ленинцев, 14'],
  ['Iunyh Lenincev 14', 'улица Юных Ленинцев, 14'],
  ['Tschechowa 8, Nowogorsk', 'улица Чехова, 8'],
  ['Tchekhova 8, Novogorsk', 'улица Чехова, 8'],
  ['Schkolny 2, Novogorsk', 'Школьный переулок, 2'],
  ['Shkolnyj pereulok 2, Novogorsk', 'Школьный переулок, 2'],
  ['Khmelnytskoho 6', 'вулиця Хмельницького, 6'],
  ['Chmelnyckoho 6, Novomlynsk', 'вулиця Хмельницького, 6'],
])('%s finds %s', async (text, first) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^${first},`));
});

test.each(['Bratusha 3, Stara Lipa', 'Prunych Loninzag 14'])('%s is nothing', async text => {
  expect(await searched(extract, text)).toEqual([]);
});
