// Other forms of the words in names of streets, on one drawn country.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const PLACES = `
  country  | place=country           | Liechtenstein
  town     | boundary=administrative | Ulanów                       |      |       |        | country
  other    | boundary=administrative | Gloversville                 |      |       |        | country
  second   | highway=residential     | 2nd Avenue                   |      | 10003 |        | town country
  s96      | building=yes            |                              | 96   | 10003 | second |
  s2       | building=yes            |                              | 2    | 10003 | second |
  third    | highway=residential     | Third Street                 |      |       |        | town country
  t3       | building=yes            |                              | 3    |       | third  |
  maja     | highway=residential     | 3 Maja                       |      |       |        | town country
  m19      | building=yes            |                              | 19   |       | maja   |
  m3       | building=yes            |                              | 3    |       | maja   |
  settembre | highway=residential    | Via XX Settembre             |      |       |        | town country
  v8       | building=yes            |                              | 8    |       | settembre |
  pawla    | highway=residential     | Jana Pawła II                |      |       |        | town country
  sovet    | highway=residential     | 3-я Советская улица          |      |       |        | town country
  rue2     | highway=residential     | Rue de la 2e Division        |      |       |        | town country
  aleje    | highway=residential     | Aleje Jerozolimskie          |      |       |        | town country
  a5       | building=yes            |                              | 5    |       | aleje  |
  penn     | highway=residential     | Pennsylvania Avenue Northwest |     | 20500 |        | town country
  p1600    | building=yes            |                              | 1600 | 20500 | penn   |
  pennse   | highway=residential     | Pennsylvania Avenue Southeast |     | 20500 |        | town country
  pse1600  | building=yes            |                              | 1600 | 20500 | pennse |
  main     | highway=residential     | Main Street                  |      |       |        | town country
  main7    | building=yes            |                              | 7    |       | main   |
  bovara   | highway=residential     | Via Giuseppe Bovara          |      |       |        | town country
  jfk      | highway=residential     | John Fitzgerald Kennedy Straat |    |       |        | town country
  garibald | highway=residential     | Via G. Garibaldi             |      |       |        | town country
  isik     | highway=residential     | Işık Sokağı                  |      |       |        | town country
  i3       | building=yes            |                              | 3    |       | isik   |
  corso    | highway=residential     | Corso Vittorio Emanuele II   |      |       |        | town country
  piazza   | highway=residential     | Piazza della Repubblica      |      |       |        | town country
  mira     | highway=residential     | проспект Мира                |      |       |        | town country
  stefana  | highway=residential     | Świętego Stefana             |      |       |        | town country
  skorup   | highway=residential     | Księdza Piotra Skorupki      |      |       |        | town country
  bdvd     | highway=residential     | Boulevard de la Liberté      |      |       |        | town country
  audio    | shop=hifi               | Audio-Design                 |      |       | main   | town country
  media    | shop=electronics        | Media Markt                  |      |       | main   | town country
  kaffee   | amenity=cafe            | Kaffee & Co.                 |      |       | main   | town country
  haupt    | highway=residential     | Haupt Straße                 |      |       |        | town country
  muller   | shop=bakery             | Müller und Söhne             |      |       | main   | town country
  nord     | highway=residential     | Nordufer                     |      |       |        | town country
  code     | place=postcode          |                              |      | 2011 AE |      | country
`;

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(PLACES, { nord: { names: { 'name:left': 'Nordufer', 'name:right': 'Südufer' } } });
});
afterAll(() => layer.close());

describe('numbers in names', () => {
  test.each([
    ['96 Second Ave Ulanów 10003', 's96'],
    ['96 2nd Avenue, Ulanów', 's96'],
    ['96 2 Ave, Ulanów', 's96'],
    ['2 Second Avenue, Ulanów', 's2'],
    ['3rd Street 3, Ulanów', 't3'],
    ['3 3rd St, Ulanów', 't3'],
    ['3-go maja 19, Ulanów', 'm19'],
    ['ul. 3 Maja 19, Ulanów', 'm19'],
    ['3 Maja 3, Ulanów', 'm3'],
    ['3. Maja 19, Ulanów', 'm19'],
    ['Trzeciego Maja 19, Ulanów', 'm19'],
    ['III Maja 19, Ulanów', 'm19'],
    ['Via 20 Settembre 8, Ulanów', 'v8'],
    ['Via Venti Settembre 8, Ulanów', 'v8'],
    ['Jana Pawła 2, Ulanów', 'pawla'],
    ['3-й Советская', 'sovet'],
    ['Третья Советская ул.', 'sovet'],
    ['Rue de la deuxième Division', 'rue2'],
    ['Rue de la 2ème Division', 'rue2'],
    ['Rue de la IIe Division', 'rue2'],
    ['Corso Vittorio Emanuele 2', 'corso'],
    ['Corso Vittorio Emanuele Secondo', 'corso'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });
});

describe('words that are cut short', () => {
  test.each([
    ['Al. Jerozolimskie 5 Ulanów', 'a5'],
    ['al Jerozolimskie 5', 'a5'],
    ['Via G. Bovara, Ulanów', 'bovara'],
    ['Via G Bovara', 'bovara'],
    ['Via Giu. Bovara', 'bovara'],
    ['J.F. Kennedy Straat', 'jfk'],
    ['John F. Kennedystraat', 'jfk'],
    ['Via Giuseppe Garibaldi, Ulanów', 'garibald'],
    ['Işık Sk. 3 Ulanów', 'i3'],
    ['Işık Sok. 3 Ulanów', 'i3'],
    ['Işık Sokak No:3 Ulanów', 'i3'],
    ['C.so Vittorio Emanuele II', 'corso'],
    ['P.za della Repubblica', 'piazza'],
    ['пр-т Мира', 'mira'],
    ['пр. Мира', 'mira'],
    ['ul. św. Stefana', 'stefana'],
    ['ks. Skorupki', 'skorup'],
    ['ks. P. Skorupki', 'skorup'],
    ['bvd de la Liberté', 'bdvd'],
    ['bld de la Liberté', 'bdvd'],
    ['boul. de la Liberté', 'bdvd'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('a beginning alone is no name', () => {
    expect(layer.find('G., Ulanów')).not.toContain('bovara');
    expect(layer.find('Giu. Meier, Ulanów')).toEqual([]);
  });
});

describe('directions', () => {
  test.each([
    ['1600 Pennsylvania Ave NW, Ulanów, 20500', 'p1600'],
    ['1600 NW Pennsylvania Ave, Ulanów', 'p1600'],
    ['1600 Pennsylvania Ave SE, Ulanów', 'pse1600'],
    ['1600 Pennsylvania Avenue Northwest, Ulanów', 'p1600'],
    ['1600 Pennsylvania Ave North West, Ulanów', 'p1600'],
    ['7 W Main St, Ulanów', 'main7'],
    ['7 West Main Street, Ulanów', 'main7'],
    ['Main Street Ouest 7, Ulanów', 'main7'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('the other direction is another street', () => {
    expect(layer.find('1600 Pennsylvania Ave NE, Ulanów')).toEqual([]);
  });
});

describe('joined and joining words', () => {
  test.each([
    ['AudioDesign, Ulanów', 'audio'],
    ['Audio Design', 'audio'],
    ['MediaMarkt Ulanów', 'media'],
    ['Hauptstraße, Ulanów', 'haupt'],
    ['Hauptstr.', 'haupt'],
    ['Kaffee und Co', 'kaffee'],
    ['Kaffee & Co.', 'kaffee'],
    ['Kaffee + Co', 'kaffee'],
    ['Kaffee et Co', 'kaffee'],
    ['Müller & Söhne', 'muller'],
    ['Müller and Söhne', 'muller'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('both halves are needed, one after the other', () => {
    expect(layer.find('DesignAudio, Ulanów')).toEqual([]);
    expect(layer.find('AudioMarkt, Ulanów')).toEqual([]);
  });
});

test.each(['2011AE', '2011 AE', '2011ae'])('%j is the code, and its letters are no umlaut', text => {
  expect(layer.find(text)[0]).toBe('code');
});

test.each(['Nordufer, Ulanów', 'Südufer'])('%j is one side of a street', text => {
  expect(layer.find(text)[0]).toBe('nord');
});
