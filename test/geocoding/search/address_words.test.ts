// What people write around the names and numbers of an address, on one drawn country.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineLayer, layerOf } from '../../kits/places/lines.ts';

const PLACES = `
  country  | place=country           | Liechtenstein
  zlotow   | boundary=administrative | Złotów                     |         | 77-400 |        | country
  brod     | boundary=administrative | Dolní Brod                 |         |        |        | country
  lhota    | place=village           | Horní Lhota                |         |        |        | country
  paris    | boundary=administrative | Paris                      |         |        |        | country
  moskva   | boundary=administrative | Москва                     |         |        |        | country
  wien     | boundary=administrative | Wien                       |         |        |        | country
  sydney   | boundary=administrative | Sydney                     |         |        |        | country
  polna    | highway=residential     | Polna                      |         |        |        | zlotow country
  p3       | place=house             |                            | 3       | 77-400 | polna  |
  p5       | place=house             |                            | 5       | 77-400 | polna  |
  p7       | place=house             |                            | 7       | 77-400 | polna  |
  p9       | place=house             |                            | 9/4     | 77-400 | polna  |
  p11      | place=house             |                            | 11 lok. 2 | 77-400 | polna |
  p83      | place=house             |                            | 83      | 77-400 | polna  |
  scala    | highway=residential     | Scala                      |         |        |        | zlotow country
  s5       | place=house             |                            | 5       |        | scala  |
  s5r      | place=house             |                            | 5r      |        | scala  |
  top      | highway=residential     | Top 12                     |         |        |        | zlotow country
  t5       | place=house             |                            | 5       |        | top    |
  kaprova  | highway=residential     | Kaprova                    |         |        |        | brod country
  k80      | building=yes            |                            | 2531/80 |        | kaprova |
  k12      | building=yes            |                            | 12      |        | kaprova |
  l17      | building=yes            |                            | 17      |        |        | lhota country
  lev4     | building=yes            |                            | ev.4    |        |        | lhota country
  germain  | highway=residential     | Boulevard Saint-Germain    |         | 75005  |        | paris country
  g10      | building=yes            |                            | 10      | 75005  | germain |
  g14b     | building=yes            |                            | 14 bis  | 75005  | germain |
  korolev  | highway=residential     | улица Академика Королёва   |         |        |        | moskva country
  q10      | building=yes            |                            | 10      |        | korolev |
  q10k2    | building=yes            |                            | 10 к2   |        | korolev |
  q10k2s3  | building=yes            |                            | 10 корпус 2 строение 3 | | korolev |
  czedik   | highway=residential     | Alois-Czedik-Gasse         |         | 1140   |        | wien country
  c4       | building=yes            |                            | 4       | 1140   | czedik |
  c5       | building=yes            |                            | 5       | 1140   | czedik |
  mayor    | highway=residential     | Calle Mayor                |         |        |        | sydney country
  m7       | building=yes            |                            | 7       |        | mayor  |
  high     | highway=residential     | High Street                |         |        |        | sydney country
  h4       | building=yes            |                            | 4       |        | high   |
  h12      | building=yes            |                            | 12      |        | high   |
  church   | highway=residential     | Church Road                |         |        |        | sydney country
  bema     | highway=residential     | Generała Józefa Bema       |         |        |        | zlotow country
  b6       | building=yes            |                            | 6       |        | bema   |
  b8       | building=yes            |                            | 8       |        | bema   |
`;

let layer: LineLayer;
beforeAll(async () => {
  layer = await layerOf(PLACES, { k80: { countryCode: 'cz' }, k12: { countryCode: 'cz' } });
});
afterAll(() => layer.close());

describe('words before a number', () => {
  test.each([
    'Polna Nr 7, Złotów',
    'Polna Nr. 7, Złotów',
    'Polna No. 7, Złotów',
    'Polna No:7 Złotów',
    'Polna N° 7, Złotów',
    'Polna nº 7, Złotów',
    'Polna № 7, Złotów',
    'Polna #7, Złotów',
    'n° 7, Polna, Złotów',
    'Polna nummer 7 Złotów',
    'Polna Hausnummer 7, Złotów',
    'Polna numero 7, Złotów',
    'Polna číslo 7, Złotów',
    'Polna č. 7, Złotów',
    'Polna д. 7, Złotów',
    'Polna буд. 7, Złotów',
    'Polna αρ. 7, Złotów',
    'Polna 7. szám, Złotów',
    'Polna nº7, Złotów',
    'Polna №7 Złotów',
    'Polna N7, Złotów',
    'Polna al 7, Złotów',
    'Plot No. 7, Polna, Złotów',
    'Door No 7 Polna Złotów',
    'Polna, मकान सं. ७, Złotów',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('p7');
  });

  test.each([
    'Horní Lhota 17',
    'Horní Lhota č.p. 17',
    'Horní Lhota čp. 17',
    'Horní Lhota č. p. 17',
    'č.p. 17, Horní Lhota',
  ])('%j finds the house in the village', text => {
    expect(layer.find(text)[0]).toBe('l17');
  });

  test.each(['Horní Lhota č.ev. 4', 'Horní Lhota ev. č. 4', 'Horní Lhota ev. 4'])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('lev4');
  });
});

describe('parts of a house', () => {
  test.each([
    'Polna 7 m. 5, Złotów',
    'Polna 7 m 5 Złotów',
    'Polna 7, m. 5, Złotów',
    'Polna 7 lok. 3, Złotów',
    'Polna 7/5, Złotów',
    'Polna 7, Top 5, Złotów',
    'Polna 7 Tür 5, Złotów',
    'Polna 7, Stiege 3, Tür 5, Złotów',
    'Polna 7, 3. Stock, Złotów',
    'Polna 7, 3. OG, Złotów',
    'Polna 7 Hinterhaus, Złotów',
    'Polna 7 bus 3, Złotów',
    'Polna 7 bte 5, Złotów',
    'Polna 7, boîte 5, Złotów',
    'Polna 7, bât B, Złotów',
    'Polna 7 appt 5, Złotów',
    'Polna 7, esc. A, 3º 2ª, Złotów',
    'Polna 7, 3º 2ª, Złotów',
    '3º 5ª, Polna 7, Złotów',
    'Polna 7, 3º izq., Złotów',
    'Polna 7, piso 5, Złotów',
    'Polna 7 ático, Złotów',
    'Polna 7, of. 301, Złotów',
    'Flat 5, 7 Polna, Złotów',
    'Apt 3B, 7 Polna Street, Złotów',
    'Unit 5/7 Polna, Złotów',
    'Shop 3, 7 Polna, Złotów',
    'Level 5, 7 Polna, Złotów',
    'Suite 5, 7 Polna, Złotów',
    'Polna 7, кв. 5, Złotów',
    'Polna 7, подъезд 3, этаж 5, кв. 9, Złotów',
    'Polna d. 7 kv 5, Złotów',
    'Polna 7 lgh 1102, Złotów',
    'Polna 7, 3. tv., Złotów',
    'Polna 7, st. th., Złotów',
    'Polna 7, int. 5, Złotów',
    'Polna 7, scala B, int. 5, Złotów',
    'Polna No:7 D:5, Złotów',
    'Polna 7, Kat: 3, Daire: 5, Złotów',
    'Polna 7, 3. em. 5., Złotów',
    'Polna 7, bl. 3, sc. B, et. 5, ap. 9, Złotów',
    'Polna 7, second floor, Złotów',
    'Polna 7, rez-de-chaussée, Złotów',
    'Polna 7, C.P. 5, Złotów',
    'Polna 7. 2. emelet 5. ajtó, Złotów',
    'Polna 7/II, Złotów',
    'Polna 7 st.tv., Złotów',
    'Flat No. 5, 7 Polna, Złotów',
    'Shop No 3, 7, Polna, Złotów',
    'Polna 7 II, Złotów',
    'Polna 7, kl. IV, Złotów',
    'Polna 7 B lépcsőház 3. em. 5. ajtó, Złotów',
    'Polna 7 C Blok, Daire 5, Złotów',
    'Gedung C Lantai 3, Polna 7, Złotów',
    'Polna 7 RT 05/RW 03, Złotów',
    'Polna 7 ชั้น 5 ห้อง 503, Złotów',
    'Polna 7 3층 305호, Złotów',
    'Polna 7号 5楼, Złotów',
    'Polna 7 c/o Kowalska, Złotów',
    'Polna 7, z. Hd. Kowalska, Złotów',
    'Attn: Kowalska, Polna 7, Złotów',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('p7');
  });

  test.each([
    ['Alois-Czedik-Gasse 4, Top 5, 1140 Wien', 'c4'],
    ['Top 5, Alois-Czedik-Gasse 4, 1140 Wien', 'c4'],
    ['Unit 4/12 High Street Sydney', 'h12'],
    ['Polna 99, m. 5, Złotów', 'polna'],
    ['Calle Mayor nº 7, piso 2, puerta 3', 'm7'],
    ['Calle Mayor 7, 3º B', 'm7'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test.each([
    ['Polna 9 m. 4, Złotów', 'p9'],
    ['Polna 11 lok 2, Złotów', 'p11'],
    ['Scala 5, Złotów', 's5'],
    ['Top 12 5, Złotów', 't5'],
    ['Top 12, Złotów', 'top'],
  ])('what the map has of them wins: %j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('they are left at no town', () => {
    expect(layer.find('Top 5, Wien')).toEqual([]);
    expect(layer.find('Unbekannt 7 Top 5, Wien')).toEqual([]);
  });
});

describe('postal marks', () => {
  test.each([
    '10 boulevard Saint-Germain 75005 PARIS CEDEX 05',
    '10 boulevard Saint-Germain, 75005 Paris Cedex',
    '10 boulevard Saint-Germain F-75005 Paris',
    'n° 10 boulevard Saint-Germain, Paris',
    'boulevard Saint-Germain 10, F-75005 Paris',
    '10 bd St Germain F-75005 Paris',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('g10');
  });

  test('the country of a car goes before any postcode', () => {
    expect(layer.find('A-1140 Wien')[0]).toBe('wien');
    expect(layer.find('PL-77-400 Złotów')[0]).toBe('zlotow');
  });
});

describe('words that say what an area is', () => {
  test.each([
    'Miasto Złotów, Polna 7',
    'Polna 7, gm. Złotów',
    'Gemeente Złotów, Polna 7',
    'город Złotów, Polna 7',
    'гр. Złotów, Polna 7',
    'TP. Złotów, Polna 7',
    'kod pocztowy 77-400, Polna 7',
    'CEP 77-400, Polna 7',
    'PSČ 77-400 Złotów Polna 7',
    'Τ.Κ. 77-400 Złotów Polna 7',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('p7');
  });
});

describe('words that only say what a street is', () => {
  test.each([
    'ul. Polna 7, Złotów',
    'ulica Polna 7 Złotów',
    'ul Polna 7',
    'Polna utca 7, Złotów',
    'rue Polna 7, Złotów',
    'Polna Street 7, Złotów',
    'via Polna 7 Złotów',
    'Polna gatan 7 Złotów',
    'u. Polna 7, Złotów',
    'calle Polna 7 Złotów',
  ])('%j finds the house', text => {
    expect(layer.find(text)[0]).toBe('p7');
  });

  test.each([
    ['ul. Polna, Złotów', 'polna'],
    ['ul. gen. Bema 6, Złotów', 'b6'],
    ['ul. Gen. J. Bema 6, Złotów', 'b6'],
    ['Polna NW 7, Złotów', 'p7'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });

  test('another kind of way is another street', () => {
    expect(layer.find('Church Street, Sydney')).toEqual([]);
    expect(layer.find('rue Church, Sydney')).toEqual([]);
  });

  test('the words of two languages for just a street are one', () => {
    for (const text of ['Mayor Street 7, Sydney', 'ulica Mayor 7, Sydney', 'rue High 12, Sydney', '12 via High'])
      expect(layer.find(text)[0], text).toMatch(/^(m7|h12)$/);
  });

  test('no town is meant by them', () => {
    expect(layer.find('ul. Złotów')).toEqual([]);
  });
});

describe('numbers of several parts', () => {
  test.each([
    ['Kaprova 80, Dolní Brod', 'k80'],
    ['Kaprova 2531, Dolní Brod', 'k80'],
    ['Kaprova 2531/80, Dolní Brod', 'k80'],
    ['Kaprova 4711/12, Dolní Brod', 'k12'],
    ['Kaprova č.p. 2531, Dolní Brod', 'k80'],
    ['ул. Академика Королева, д. 10, корп. 2, Москва', 'q10k2'],
    ['улица Академика Королёва 10к2, Москва', 'q10k2'],
    ['Академика Королёва 10 корпус 2, Москва', 'q10k2'],
    ['ул. Академика Королева 10 к. 2', 'q10k2'],
    ['ул. Академика Королева 10 корпус 2 строение 3', 'q10k2s3'],
    ['ул. Академика Королева 10к2 с3', 'q10k2s3'],
    ['ул. Академика Королева д. 10 к. 2 стр. 3 кв. 10', 'q10k2s3'],
    ['ul. Akademika Koroleva d. 10 kv 2', 'q10'],
    ['Generała Józefa Bema 6 und 8', 'b6'],
    ['Generała Józefa Bema 6–8', 'b6'],
    ['Generała Józefa Bema 6/8', 'b6'],
    ['Generała Józefa Bema 6+8', 'b6'],
    ['Generała Józefa Bema 6 i 8', 'b6'],
    ['Generała Józefa Bema 5 & 8', 'b8'],
    ['14 bis boulevard Saint-Germain', 'g14b'],
    ['14-bis boulevard Saint-Germain', 'g14b'],
    ['Polna 83 b, Złotów', 'polna'],
    ['Polna 83b, Złotów', 'polna'],
    ['Polna 84 b, Złotów', 'polna'],
    ['Polna 84 ter, Złotów', 'polna'],
    ['Scala 5 rosso, Złotów', 's5r'],
    ['Scala 5/r, Złotów', 's5r'],
  ])('%j finds %s', (text, key) => {
    expect(layer.find(text)[0]).toBe(key);
  });
});
