// Words for kinds of streets as posts and registers abbreviate them, and in the languages of one country, on one map.

import { beforeAll, expect, test } from 'vitest';
import { DrawnMap, searched } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  const town = (lat: number, lon: number, name: string, streets: Record<string, string[]>) => {
    map.boundary(8, [lat, lon], 0.08, { name });
    map.node([lat, lon], { place: 'town', name });
    for (const [i, [street, numbers]] of Object.entries(streets).entries()) {
      const south = lat - 0.06 + i / 300;
      map.way([[south, lon - 0.01], [south, lon + 0.01]], { highway: 'residential', name: street }); // biome-ignore format: a line
      for (const [at, number] of numbers.entries())
        map.node([south + 0.0002, lon + at / 1_000], { 'addr:street': street, 'addr:housenumber': number });
    }
  };
  const bird = (kind: string) => [`${kind === 'Grove' ? 'Mornington' : 'Ibis'} ${kind}`, ['4']] as [string, string[]];
  const kinds =
    'Grove,Terrace,Quay,Rise,Landing,Crescent,Parade,Circuit,Boulevard,Esplanade,Retreat,Parkway,Mews,Close,Highway';
  town(-33.5, 151.1, 'Karraba', Object.fromEntries(kinds.split(',').map(bird)));
  map.node([-38.22, 145.04], { place: 'town', name: 'Mornington' });
  town(40.1, -83, 'Maple Ferry', { 'Otter Trace': ['8'], 'Otter Crossing': ['9'], 'Otter Hollow': ['10'] });
  town(6.24, -75.57, 'Medano', {
    'Carrera 43A': ['1-50'],
    'Calle 43A': ['1-50'],
    'Circular 4': ['70-32'],
    'Diagonal 7': ['3-20'],
    'Transversal 9': ['4-1'],
    'Avenida Carrera 68': ['5-6'],
  });
  town(41.2, 1.6, 'Vilanera', {
    'Avinguda de Tarragona': ['30'],
    'Passeig de la Riera': ['7'],
    'Carrer Major': ['11'],
    'Plaça del Mercat': ['2'],
    'Camí del Moro': ['5'],
  });
  town(43.3, -2.2, 'Itsasalde', { 'Zumalakarregi etorbidea': ['15'], 'Gernika kalea': ['3'], 'Elizako plaza': ['1'] });
  town(42.4, -8.6, 'Pontevella', { 'Estrada da Granxa': ['21'], 'Praza do Peirao': ['8'], 'Rúa Nova': ['6'] });
  map.node([41.2, 1.6], { amenity: 'fuel', name: 'Petroli' });
  map.node([43.3, -2.2], { amenity: 'pharmacy', name: 'Etxeberria' });
  map.node([42.4, -8.6], { shop: 'bakery', name: 'Moa' });
  extract = await map.importInto(folder);
});

test.each([
  ['4 Mornington Gr, Karraba NSW', 'Mornington Grove'],
  ['4 Mornington Grv, Karraba', 'Mornington Grove'],
  ['4 Ibis Tce, Karraba', 'Ibis Terrace'],
  ['4 Ibis Qy, Karraba', 'Ibis Quay'],
  ['4 Ibis Rse, Karraba', 'Ibis Rise'],
  ['4 Ibis Ldg, Karraba', 'Ibis Landing'],
  ['4 Ibis Cr, Karraba', 'Ibis Crescent'],
  ['4 Ibis Cres, Karraba', 'Ibis Crescent'],
  ['4 Ibis Pde, Karraba', 'Ibis Parade'],
  ['4 Ibis Cct, Karraba', 'Ibis Circuit'],
  ['4 Ibis Bvd, Karraba', 'Ibis Boulevard'],
  ['4 Ibis Esp, Karraba', 'Ibis Esplanade'],
  ['4 Ibis Rtt, Karraba', 'Ibis Retreat'],
  ['4 Ibis Pwy, Karraba', 'Ibis Parkway'],
  ['4 Ibis Mws, Karraba', 'Ibis Mews'],
  ['4 Ibis Cl, Karraba', 'Ibis Close'],
  ['8 Otter Trce, Maple Ferry', 'Otter Trace'],
  ['9 Otter Xing, Maple Ferry', 'Otter Crossing'],
  ['10 Otter Holw, Maple Ferry', 'Otter Hollow'],
])('%s is in %s', async (text, street) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^\\d+ ${street},`));
});

test.each([
  ['KR 43A 1 50 Medano', 'Carrera 43A 1-50'],
  ['Cra 43A #1-50 Medano', 'Carrera 43A 1-50'],
  ['Cr 43A # 1-50, Medano', 'Carrera 43A 1-50'],
  ['K 43A 1-50 Medano', 'Carrera 43A 1-50'],
  ['Cl 43A #1-50 Medano', 'Calle 43A 1-50'],
  ['CLL 43A 1-50 Medano', 'Calle 43A 1-50'],
  ['Cq 4 #70-32 Medano', 'Circular 4 70-32'],
  ['Dg 7 # 3-20 Medano', 'Diagonal 7 3-20'],
  ['Tv 9 # 4-1 Medano', 'Transversal 9 4-1'],
  ['Trans 9 4-1 Medano', 'Transversal 9 4-1'],
  ['AK 68 # 5-6 Medano', 'Avenida Carrera 68 5-6'],
])('%s is the house %s', async (text, house) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^${house},`));
});

test.each([
  ['avenida de Tarragona 30, Vilanera', 'Avinguda de Tarragona, 30'],
  ['avenue de Tarragona 30, Vilanera', 'Avinguda de Tarragona, 30'],
  ['Avda. de Tarragona 30, Vilanera', 'Avinguda de Tarragona, 30'],
  ['paseo de la Riera 7, Vilanera', 'Passeig de la Riera, 7'],
  ['Pº de la Riera 7, Vilanera', 'Passeig de la Riera, 7'],
  ['calle Major 11, Vilanera', 'Carrer Major, 11'],
  ['plaza del Mercat 2, Vilanera', 'Plaça del Mercat, 2'],
  ['camino del Moro 5, Vilanera', 'Camí del Moro, 5'],
  ['avenida Zumalakarregi 15, Itsasalde', 'Zumalakarregi etorbidea, 15'],
  ['Avda Zumalakarregi 15, Itsasalde', 'Zumalakarregi etorbidea, 15'],
  ['calle Gernika 3, Itsasalde', 'Gernika kalea, 3'],
  ['carretera da Granxa 21, Pontevella', 'Estrada da Granxa, 21'],
  ['plaza do Peirao 8, Pontevella', 'Praza do Peirao, 8'],
  ['calle Nova 6, Pontevella', 'Rúa Nova, 6'],
])('in the other language of the country: %s is the house %s', async (text, house) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^${house},`));
});

test.each([
  ['benzinera Vilanera', 'Petroli'],
  ['gasolinera Vilanera', 'Petroli'],
  ['botika Itsasalde', 'Etxeberria'],
  ['panadaría Pontevella', 'Moa'],
])('a kind in Catalan, Basque or Galician: %s finds %s', async (text, name) => {
  expect((await searched(extract, text))[0]).toMatch(new RegExp(`^${name},`));
});

test('a letter in a part of its own is no initial of a name', async () => {
  expect((await searched(extract, 'T Otter Trace, Maple Ferry'))[0]).toMatch(/^Otter Trace,/);
  expect(await searched(extract, 'H, Otter Trace')).toEqual([]);
});
