// Names that several objects share, and kinds in the languages of an extract, on a drawn town.

import { beforeAll, describe, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { wordsOf } from '../../../src/geocoding/search/words/text.ts';
import { kindsCalled } from '../../../src/geocoding/search/words/vocabulary.ts';
import { DrawnMap, inExtract } from '../../kits/places/drawn_map.ts';
import { folderOfFile } from '../../kits/temporary_folder.ts';

const folder = folderOfFile();
let extract: string;

beforeAll(async () => {
  const map = new DrawnMap();
  map.boundary(8, [53.9, 27.5], 0.2, { name: 'Заречье' });
  map.node([53.9, 27.5], { place: 'town', name: 'Заречье' });
  map.way([[53.9, 27.49], [53.9, 27.51]], { highway: 'residential', name: 'Садовая улица' }); // biome-ignore format: a line
  // Each name is that of a stop, a car park and a stand in front of what was built there.
  const sights = {
    'Seamuseum Hallgrim': { tourism: 'museum', wikidata: 'Q1' },
    'Arena Nordfeld': { leisure: 'stadium' },
    'Burg Falkenau': { historic: 'castle' },
    'Fort Ostend': { railway: 'station' },
    'Quarter Mulgrave': { place: 'quarter' },
  };
  for (const [i, [name, tags]] of Object.entries(sights).entries()) {
    const lat = 53.9 + i / 100;
    map.node([lat, 27.5005], { name, highway: 'bus_stop' });
    map.node([lat, 27.5006], { name, highway: 'bus_stop' });
    map.node([lat, 27.5001], { name, amenity: 'parking' });
    map.node([lat, 27.5002], { name, amenity: 'bicycle_rental' });
    map.node([lat, 27.5003], { name, shop: 'gift' });
    map.node([lat, 27.5], { name, ...tags });
  }
  map.node([53.9001, 27.5], { amenity: 'restaurant', name: 'Лада' });
  map.node([53.9051, 27.5], { amenity: 'restaurant', name: 'Волна' });
  map.node([53.9061, 27.5], { amenity: 'pharmacy', name: '№ 5' });
  extract = await map.importInto(folder);
});

function kindsFound(text: string): Promise<string[]> {
  return inExtract(extract, geocoder =>
    geocoder.search(freeTextQuestion(text)).map(({ category, type }) => `${category}=${type}`),
  );
}

test.each([
  ['Seamuseum Hallgrim', 'tourism=museum'],
  ['Arena Nordfeld', 'leisure=stadium'],
  ['Burg Falkenau', 'historic=castle'],
  ['Fort Ostend', 'railway=station'],
  ['Quarter Mulgrave', 'place=quarter'],
])(
  'of all that is called %s, the %s is first, the shop before stands and stops, and each kind there once',
  async (name, first) => {
    const found = await kindsFound(name);
    expect(found[0]).toBe(first);
    expect(found[1]).toBe('shop=gift');
    expect(found.slice(2).sort()).toEqual(['amenity=bicycle_rental', 'amenity=parking', 'highway=bus_stop']);
  },
);

test.each(['рестораны в Заречье', 'Заречье ресторан', 'ресторани Заречье', 'éttermek Заречье', 'レストラン Заречье'])(
  '%s finds both',
  async text => {
    expect(await kindsFound(text)).toEqual(['amenity=restaurant', 'amenity=restaurant']);
  },
);

test('a pharmacy is found in many languages', async () => {
  for (const word of [
    'аптека',
    'eczane',
    'farmacia',
    'Apotheke',
    'apteka',
    'lékárna',
    'φαρμακείο',
    '薬局',
    '약국',
    'صيدلية',
  ])
    expect(await kindsFound(`${word}, Заречье`), word).toEqual(['amenity=pharmacy']);
});

describe('words for kinds', () => {
  test.each([
    ['baños', 'amenity=toilets'],
    ['hôtel', 'tourism=hotel'],
    ['бензиностанция', 'amenity=fuel'],
    ['sairaala', 'amenity=hospital'],
    ['supermercados', 'shop=supermarket'],
    ['muzea', 'tourism=museum'],
    ['ガソリンスタンド', 'amenity=fuel'],
    ['nádraží', 'railway=station'],
  ])('%s is %s', (word, kind) => {
    expect(kindsCalled(wordsOf(word).join(' '))).toContain(kind);
  });
});
