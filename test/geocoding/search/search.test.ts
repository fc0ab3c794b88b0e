import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freeTextQuestion } from '../../../src/geocoding/search/question.ts';
import { searchLayers } from '../../../src/geocoding/search/search.ts';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const TOWNS = `
  li       | place=country           | Liechtenstein ; name:de=Fürstentum Liechtenstein
  schaan   | boundary=administrative | Schaan                    |      | 9494 |         | li
  vaduz    | boundary=administrative | Vaduz                     |      | 9490 |         | li
  eschen   | boundary=administrative | Eschen                    |      | 9492 |         | li
  p2011    | place=postcode          |                           |      | 2011 AE |        | li
  p9494    | place=postcode          |                           |      | 9494 |         | li
  land     | highway=residential     | Landstrasse               |      | 9494 |         | schaan li
  land2    | highway=residential     | Landstrasse               |      | 9494 |         | schaan li
  landv    | highway=residential     | Landstrasse               |      | 9490 |         | vaduz li
  feld     | highway=residential     | Feldkircher Strasse       |      | 9494 |         | schaan li
  ring     | highway=residential     | St. Martins-Ring          |      | 9492 |         | eschen li
  aule     | highway=residential     | Äulestrasse               |      | 9490 |         | vaduz li
  kreuz    | highway=residential     | Im Kreuz (Oberdorf)       |      | 9492 |         | eschen li
  h33      | place=house             |                           | 33   | 9494 | land    |
  h33a     | building=yes            |                           | 33 A | 9494 | land    |
  h12      | building=yes            |                           | 12 bis | 9494 | land2 |
  h40      | building=yes            |                           | 40-44 | 9494 | land   |
  hv33     | place=house             |                           | 33   | 9490 | landv   |
  hf5      | place=house             |                           | 5    | 9494 | feld    |
  houses   | place=houses            |                           |      | 9492 | ring    |
  adler    | amenity=restaurant      | Adler                     | 2    | 9490 | aule    |
  engel    | amenity=restaurant      | Restaurant Engel          |      | 9490 | aule    |
  nameless | amenity=restaurant      |                           |      | 9494 | land    |
  pharmacy | amenity=pharmacy        | Apotheke am Postplatz     |      | 9494 | land    |
  castle   | historic=castle         | Schloss Vaduz ; name:en=Vaduz Castle ; alt_name=Hohenliechtenstein | | 9490 | aule |
  nevsky   | amenity=place_of_worship | Святой Александр         |      | 9490 | aule    |
`;

let layer: LineLayer;

beforeAll(async () => {
  layer = await layerOf(TOWNS, {
    houses: {
      houseRange: { start: 2, end: 10, step: 2 },
      geometry: {
        kind: 'line',
        coordinates: Int32Array.of(90_000_000, 470_000_000, 90_040_000, 470_000_000, 90_040_000, 470_040_000),
      },
    },
    landv: { latitude: 47.2, longitude: 9.2 },
    hv33: { latitude: 47.2, longitude: 9.2 },
    pharmacy: { latitude: 47.1 },
  });
});

afterAll(() => layer.close());

describe('addresses', () => {
  test.each([
    'Landstrasse 33, 9494 Schaan',
    '33 Landstrasse Schaan',
    'Schaan, Landstrasse 33',
    '9494 Schaan\nLandstrasse 33',
    'schaan\t33\tLANDSTRASSE',
    'Landstr. 33 Schaan',
    'Landstraße 33, Schaan, Liechtenstein',
    'Landstrasse 33, Schaan, LI',
    'Land Strasse 33 Schaan',
    'Landstrasse 33 9494',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('h33');
  });

  test('numbers with a letter are other houses', () => {
    expect(layer.find('Landstrasse 33a, Schaan')[0]).toBe('h33a');
    expect(layer.find('Landstrasse 33 a, Schaan')[0]).toBe('h33a');
    expect(layer.find('Landstrasse 33b, Schaan')[0]).toBe('land');
  });

  test('a number with a word behind it is one number, on any way of the street', () => {
    expect(layer.find('12 bis Landstrasse Schaan')[0]).toBe('h12');
    expect(layer.find('Landstrasse 12bis Schaan')[0]).toBe('h12');
  });

  test('a range is found as a whole and by the numbers in it', () => {
    expect(layer.find('Landstrasse 40-44 Schaan')[0]).toBe('h40');
    expect(layer.find('Landstrasse 42 Schaan')[0]).toBe('h40');
    expect(layer.find('Landstrasse 43 Schaan')[0]).toBe('land');
  });

  test('a missing house number is answered by its street', () => {
    expect(layer.find('Landstrasse 999, Schaan')[0]).toBe('land');
  });

  test('without a town all houses of the number are found', () => {
    expect(layer.find('Landstrasse 33')).toEqual(expect.arrayContaining(['h33', 'hv33']));
  });

  test('a number on a line of house numbers lies between its ends', () => {
    expect(layer.find('St. Martins-Ring 6, Eschen')[0]).toBe('houses#6');
    expect(layer.find('St. Martins-Ring 5, Eschen')[0]).toBe('ring');
    const [hits] = searchLayers([layer.index], freeTextQuestion('Sankt Martins Ring 6')).hits;
    expect(hits[0].latitude).toBeCloseTo(47, 7);
    expect(hits[0].longitude).toBeCloseTo(9.004, 7);
  });

  test('a shop is found by its name and house number', () => {
    expect(layer.find('Adler, Äulestrasse 2, Vaduz')[0]).toBe('adler');
  });
});

describe('names', () => {
  test.each([
    ['Sankt Martins-Ring', 'ring'],
    ['Saint Martins Ring', 'ring'],
    ['Feldkircherstrasse', 'feld'],
    ['Feldkircherstr', 'feld'],
    ['Aeulestrasse', 'aule'],
    ['Aulestrasse', 'aule'],
    ['Im Kreuz', 'kreuz'],
    ['Vaduz Castle', 'castle'],
    ['Hohenliechtenstein', 'castle'],
    ['svyatoy aleksandr', 'nevsky'],
    ['СВЯТОЙ АЛЕКСАНДР', 'nevsky'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('ways of one street in one municipality are one result', () => {
    expect(layer.find('Landstrasse Schaan').filter(key => key.startsWith('land'))).toHaveLength(1);
  });

  test('the place that is called so goes before those that have it in their name', () => {
    expect(layer.find('Vaduz')[0]).toBe('vaduz');
  });
});

describe('areas', () => {
  test.each([
    ['9494', 'p9494'],
    ['9494 Liechtenstein', 'p9494'],
    ['2011AE', 'p2011'],
    ['2011 AE', 'p2011'],
    ['Liechtenstein', 'li'],
    ['LI', 'li'],
    ['リヒテンシュタイン', 'li'],
    ['Vaduz, Liechtenstein', 'vaduz'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });
});

describe('kinds', () => {
  test.each(['restaurants in Vaduz', 'Vaduz restaurant', 'ristoranti a Vaduz', '[amenity=restaurant] Vaduz'])(
    '%j',
    text => {
      expect(layer.find(text).slice(0, 2).sort()).toEqual(['adler', 'engel']);
    },
  );

  test('a place without a name is found by its kind', () => {
    expect(layer.find('restaurants in Schaan')[0]).toBe('nameless');
  });

  test('a kind in brackets alone gives all of that kind, and no others', () => {
    expect(layer.find('[amenity=pharmacy]')).toEqual(['pharmacy']);
  });

  test('a kind and a name find what is not called by its kind', () => {
    expect(layer.find('Restaurant Adler')[0]).toBe('adler');
  });
});

describe('mistyped words', () => {
  test.each([
    ['Ladnstrasse 33, Schaan', 'h33'],
    ['Landstrase 33, Shaan', 'h33'],
    ['Lnadstrrasse 33, Schaan', 'h33'],
    ['Vaudz', 'vaduz'],
    ['Esche', 'eschen'],
    ['Lichtenstien', 'li'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('a short word has one edit only, a number none', () => {
    expect(layer.find('Vzdzu')).toEqual([]);
    expect(layer.find('9495')).toEqual([]);
  });
});

describe('unfinished words', () => {
  test.each([
    ['Vad', 'vaduz'],
    ['v', 'vaduz'],
    ['Landstrasse 33 Sch', 'h33'],
    ['Feldk', 'feld'],
    ['Landstr', 'land'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text, { isAutocomplete: true })).toContain(key);
  });

  test('words are finished unless they may go on', () => {
    expect(layer.find('Feldk')).toEqual([]);
  });
});

describe('what the question bounds', () => {
  const viewbox = { west: 9.1, south: 47.1, east: 9.3, north: 47.3 };

  test('places in the view come first, and alone where it bounds', () => {
    expect(layer.find('Landstrasse', { viewbox })[0]).toBe('landv');
    expect(layer.find('Landstrasse', { viewbox, isBounded: true })).toEqual(['landv']);
    expect(layer.find('Landstrasse 33, Schaan', { viewbox, isBounded: true })).not.toContain('h33');
  });

  test('a view may cross the date line', () => {
    expect(layer.find('Landstrasse', { viewbox: { ...viewbox, west: 170, east: 9.3 }, isBounded: true })).toContain(
      'landv',
    );
  });

  test('only the countries that are asked for', () => {
    expect(layer.find('Vaduz', { countryCodes: ['ch'] })).toEqual([]);
    expect(layer.find('Vaduz', { countryCodes: ['ch', 'li'] })[0]).toBe('vaduz');
  });

  test('at most as many as asked for', () => {
    expect(layer.find('Landstrasse', { limit: 1 })).toHaveLength(1);
  });
});

describe('structured questions', () => {
  test.each([
    [{ street: '33 Landstrasse', city: 'Schaan' }, 'h33'],
    [{ street: 'Landstrasse 33', postalcode: '9490', country: 'Liechtenstein' }, 'hv33'],
    [{ amenity: 'Adler', city: 'Vaduz' }, 'adler'],
    [{ amenity: 'pharmacy', country: 'Liechtenstein' }, 'pharmacy'],
    [{ city: 'Vaduz', country: 'li' }, 'vaduz'],
    [{ postalcode: '9494' }, 'p9494'],
  ])('%j finds %s', (parts, key) => {
    expect(layer.find('', { parts })[0]).toBe(key);
  });

  test('the city is no part of a name', () => {
    expect(layer.find('', { parts: { city: 'Vaduz' } })).not.toContain('castle');
  });
});

describe('coordinates', () => {
  test('alone they are the answer', () => {
    expect(searchLayers([layer.index], freeTextQuestion('47.14, 9.52'))).toEqual({
      point: { latitude: 47.14, longitude: 9.52 },
      hits: [[]],
    });
  });

  test('beside words they say which of several places is meant', () => {
    expect(layer.find('47.2 9.2 Landstrasse')[0]).toBe('landv');
    expect(layer.find('Landstrasse 47.0 9.0')[0]).toBe('land');
  });
});

describe('anything', () => {
  test('words that match nothing lower the score and fail nothing', () => {
    expect(layer.find('Landstrasse 33, Schaan, Zweiter Stock')[0]).toBe('h33');
  });

  test.each([
    '',
    ' ',
    ',,,',
    'xyzzy qwrtpl',
    '\u0000\uFFFF',
    '%00%',
    '🦄🦄',
    '💥'.repeat(300),
    '[=]',
    '[amenity=]',
    '((((',
    'a'.repeat(5000),
  ])('%j finds nothing', text => {
    expect(layer.find(text)).toEqual([]);
  });

  test('no text makes it fail, and no order of the words changes the best answer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (text, isAutocomplete) => {
        layer.find(text, { isAutocomplete });
      }),
    );
    fc.assert(
      fc.property(
        fc.shuffledSubarray(['Landstrasse', '33', '9494', 'Schaan', 'Liechtenstein'], { minLength: 5 }),
        words => {
          expect(layer.find(words.join(', '))[0]).toBe('h33');
        },
      ),
    );
  });
});
