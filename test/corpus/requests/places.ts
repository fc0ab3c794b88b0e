// Coordinates and words: /reverse, /search and batches of points, in the drawn extract and all over the world, in every
// form, and with wrong parameters.

import { Dice } from '../dice.ts';
import type { CorpusRequest } from '../exchange.ts';
import { LONGITUDE, MUNICIPALITIES, STREETS } from '../world/places.ts';
import { GARBAGE, get, post } from './ask.ts';

const FORMATS = [undefined, undefined, 'json', 'jsonv2', 'geojson', 'geocodejson'];
const LANGUAGES = ['de', 'ru', 'en', 'ru,de;q=0.5', 'fr-CA,fr;q=0.9', 'xx', '*', 'de;q=0', ';;', 'ja;q=1.0,en;q=2'];
const CITIES = [
  'Paris',
  'München',
  'Munich',
  'New York',
  'São Paulo',
  'Zürich',
  'Tokyo',
  '東京',
  'Москва',
  'Reykjavík',
  'Lagos',
  'Springfield',
  'London',
  'Vienna',
  'Quito',
];
const COUNTRIES = ['France', 'Deutschland', 'Japan', 'Liechtenstein', 'United States', 'Schweiz', 'Brasil'];
const KINDS = ['restaurants', 'restaurant', 'pharmacy', 'bakery', 'museum', 'church', 'Apotheke'];

type Parameters = Record<string, string | number | undefined>;

/** All of them. */
export function* placeRequests(): Generator<CorpusRequest> {
  yield* reverse(new Dice(901), 560);
  yield* search(new Dice(902), 620);
  yield* batches(new Dice(903), 70);
  yield* wrongParameters();
  yield* byKeyInPath(new Dice(904), 90);
  yield* lookups(new Dice(905), 60);
  yield* asOpenStreetMap();
}

function* lookups(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const ids = Array.from(
      { length: dice.pick([1, 1, 2, 5, 50]) },
      () => `${dice.pick(['N', 'W', 'R', 'n', 'r'])}${dice.whole(1, 1100)}`,
    );
    const detail = formOf(dice);
    yield get('/lookup', { osm_ids: ids.join(','), ...detail }, headersOf(dice));
  }
  for (const osm_ids of [
    '',
    ',',
    'N',
    '5',
    'X5',
    'N1;N2',
    'R3,',
    ' R3 , W1000 ',
    'N1,'.repeat(51),
    `N${'9'.repeat(15)}`,
    `N${'9'.repeat(16)}`,
  ])
    yield get('/lookup', { osm_ids });
  yield get('/lookup', {});
  yield { method: 'GET', path: '/lookup?osm_ids=R3' };
  yield { method: 'GET', path: '/k/{{key:main}}/lookup?osm_ids=R3&format=json' };
  for (const path of ['/status', '/status?format=text', '/status?format=xml', '/k/any/status'])
    yield { method: 'GET', path };
  for (const path of ['/lookup', '/status']) yield { method: 'OPTIONS', path };
}

/** What clients of that geocoder may ask for besides. */
function* asOpenStreetMap(): Generator<CorpusRequest> {
  const questions: [path: string, parameters: Parameters][] = [
    ['/reverse', { lat: 47.1402, lon: 9.515 }],
    ['/reverse', { lat: 47.14, lon: 9.52, zoom: 10 }],
    ['/search', { q: 'Landstrasse, Vaduz', limit: 2 }],
    ['/lookup', { osm_ids: 'R1,R3,W1000' }],
  ];
  for (const [path, parameters] of questions) {
    for (const format of [...new Set(FORMATS), 'xml']) {
      yield get(path, { ...parameters, format, namedetails: 1 });
      yield get(path, { ...parameters, format, polygon_geojson: 1 });
    }
    for (const name of ['extratags', 'polygon_kml', 'polygon_svg', 'polygon_text', 'polygon_threshold']) {
      yield get(path, { ...parameters, format: 'json', [name]: 1 });
      yield get(path, { ...parameters, format: 'jsonv2', [name]: 1 });
      if (name === 'extratags') yield get(path, { ...parameters, format: 'geocodejson', [name]: 1 });
    }
  }
  yield post([{ lat: 47.14, lon: 9.52, zoom: 10 }], {
    path: '/reverse',
    query: '&format=geojson&polygon_geojson=1&namedetails=1&extratags=1',
  });
  for (const name of ['polygon_kml', 'polygon_svg', 'polygon_text']) {
    yield post([{ lat: 47.14, lon: 9.52, zoom: 10 }], { path: '/reverse', query: `&format=jsonv2&${name}=1` });
  }
}

function* reverse(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const { lat, lon } = pointOf(dice);
    yield get(
      '/reverse',
      { lat, lon, zoom: dice.chance(0.5) ? dice.whole(0, 18) : undefined, ...formOf(dice) },
      headersOf(dice),
    );
  }
}

function* search(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const asked = dice.chance(0.8) ? { q: textOf(dice) } : partsOf(dice);
    const more: Parameters = { ...formOf(dice) };
    if (dice.chance(0.3)) more.limit = dice.pick([1, 2, 5, 50]);
    if (dice.chance(0.15)) more.countrycodes = dice.pick(['li', 'de', 'us,ca', 'LI', 'xx', 'de,,fr']);
    if (dice.chance(0.15))
      more.viewbox = dice.pick(['9.4,47.0,9.6,47.3', '9.6,47.3,9.4,47.0', '-180,-90,180,90', '2,48,3,49']);
    if (dice.chance(0.1)) more.bounded = dice.whole(0, 1);
    if (dice.chance(0.15)) more.autocomplete = 1;
    yield get('/search', { ...asked, ...more }, headersOf(dice));
  }
}

function formOf(dice: Dice): Parameters {
  const format = dice.pick(FORMATS);
  return {
    format,
    ...(format !== undefined && dice.chance(0.3) && { addressdetails: dice.whole(0, 1) }),
    ...(dice.chance(0.2) && { 'accept-language': dice.pick(LANGUAGES) }),
  };
}

function headersOf(dice: Dice): { headers: Record<string, string> } {
  return { headers: dice.chance(0.2) ? { 'accept-language': dice.pick(LANGUAGES) } : {} };
}

/** Mostly in the extract, sometimes anywhere. */
function pointOf(dice: Dice): { lat: number; lon: number } {
  const fixed = (degrees: number) => Number(degrees.toFixed(5));
  if (dice.chance(0.25)) return { lat: fixed(dice.between(-90, 90)), lon: fixed(dice.between(-180, 180)) };
  if (dice.chance(0.2)) return { lat: fixed(dice.between(35, 60)), lon: fixed(dice.between(-5, 30)) };
  const { lat, half } = dice.pick(MUNICIPALITIES);
  return { lat: fixed(lat + dice.between(-half, half)), lon: fixed(LONGITUDE + dice.between(-half, half)) };
}

function textOf(dice: Dice): string {
  const { name, russian, postcode, lat } = dice.pick(MUNICIPALITIES);
  const street = dice.pick(STREETS);
  const number = dice.whole(1, 16);
  const text = dice.pick([
    `${street} ${number}, ${name}`,
    `${street} ${number}, ${postcode} ${name}`,
    `${number} ${street} ${name} Liechtenstein`,
    `${name} ${street}`,
    street,
    name,
    russian,
    postcode,
    `${postcode} ${name}`,
    `${dice.pick(KINDS)} in ${name}`,
    dice.pick(['Adler', 'Zum Löwen', 'St. Florin', 'Kunstmuseum Schaan', 'Oberland']),
    dice.pick(CITIES),
    dice.pick(CITIES),
    `${dice.pick(CITIES)}, ${dice.pick(COUNTRIES)}`,
    dice.pick(COUNTRIES),
    `${lat}, ${LONGITUDE}`,
    "47°8'24\"N 9°31'E",
    dice.pick(['zzzzqqq', '?', '!!!', '12345678', 'a', 'str']),
  ]);
  if (dice.chance(0.15)) return mistyped(dice, text);
  return dice.chance(0.1) ? text.slice(0, dice.whole(2, text.length)) : text;
}

function mistyped(dice: Dice, text: string): string {
  const at = dice.whole(0, text.length - 1);
  return text.slice(0, at) + dice.pick(['', 'e', text[at] + text[at]]) + text.slice(at + 1);
}

function partsOf(dice: Dice): Parameters {
  const { name, postcode } = dice.pick(MUNICIPALITIES);
  const parts: Parameters = {};
  if (dice.chance(0.6)) parts.street = `${dice.pick(STREETS)} ${dice.whole(1, 15)}`;
  if (dice.chance(0.6)) parts.city = dice.chance(0.7) ? name : dice.pick(CITIES);
  if (dice.chance(0.3)) parts.postalcode = postcode;
  if (dice.chance(0.3)) parts.country = dice.pick(COUNTRIES);
  if (dice.chance(0.1)) parts.county = 'Oberland';
  if (dice.chance(0.1)) parts.state = dice.pick(['Bavaria', 'Colorado', 'Oberland']);
  if (dice.chance(0.15)) parts.amenity = dice.pick(['restaurant', 'Adler', 'pharmacy']);
  return parts;
}

function* batches(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const points = Array.from({ length: dice.pick([0, 1, 2, 5, 20, 20, 90]) }, (): unknown => {
      if (dice.chance(0.15))
        return dice.pick([
          null,
          5,
          'x',
          [],
          {},
          { lat: 1 },
          { lon: 1 },
          { lat: 91, lon: 0 },
          { lat: 1, lon: 1, zoom: 19 },
          { lat: '47.14', lon: '9.52' },
        ]);
      return { ...pointOf(dice), ...(dice.chance(0.4) && { zoom: dice.whole(0, 18) }) };
    });
    const form = Object.entries(formOf(dice)).filter(([, value]) => value !== undefined);
    const query = form.map(([name, value]) => `&${name}=${encodeURIComponent(value!)}`).join('');
    yield post(points, { path: '/reverse', query, key: dice.pick(['main', 'prepaid']), ...headersOf(dice) });
  }
  yield post(Array(10_001).fill(0), { path: '/reverse' });
  yield post(
    Array(1000)
      .fill({ lat: 47.14, lon: 9.52, padding: 'x'.repeat(280) })
      .concat(5),
    { path: '/reverse' },
  );
  yield post({ points: [], padding: 'x'.repeat(300_000) }, { path: '/reverse' });
  yield post([], { path: '/reverse', query: '&format=xml' });
  yield post([{ lat: 1, lon: 2, zoom: 25 }], { path: '/reverse', query: '&format=json' });
}

function* wrongParameters(): Generator<CorpusRequest> {
  const point = { lat: 47.1398, lon: 9.5152 };
  const values = [
    '',
    'x',
    '90',
    '-90',
    '90.0001',
    '-90.0001',
    '180',
    '-180',
    '180.0001',
    '1e1',
    ' 47 ',
    '0x10',
    'NaN',
    'Infinity',
    '47,1',
    '--1',
  ];
  for (const name of ['lat', 'lon']) for (const value of values) yield get('/reverse', { ...point, [name]: value });
  for (const zoom of ['', '-1', '0', '18', '19', '25', '1.5', 'x', '1e1']) {
    yield get('/reverse', { ...point, zoom });
    yield get('/reverse', { ...point, zoom, format: 'jsonv2' });
  }
  for (const format of ['', 'xml', 'JSON', 'json ', 'html']) {
    yield get('/reverse', { ...point, format });
    yield get('/search', { q: 'Vaduz', format });
  }
  yield get('/reverse', {});
  yield get('/reverse', { lat: 1 });
  yield get('/reverse', point, { query: '&lat=1' });
  for (const q of [
    '',
    ' ',
    'x'.repeat(1000),
    'x'.repeat(1001),
    'é'.repeat(1000),
    '\u0000',
    '\ud83d\ude80',
    '%',
    '+',
    'a+b',
    ',,,',
    '((',
    "'; drop table",
  ])
    yield get('/search', { q });
  for (const value of GARBAGE)
    yield get('/search', {
      q: 'Vaduz',
      limit: String(value),
      bounded: String(value),
      addressdetails: String(value),
      format: 'json',
    });
  for (const limit of ['0', '-1', '51', '1e9', '2.5', '']) yield get('/search', { q: 'Hauptstrasse', limit });
  for (const viewbox of ['', '1,2,3', '1,2,3,4,5', 'a,b,c,d', '0,0,0,0', '-999,-999,999,999', '1,2,3,NaN'])
    yield get('/search', { q: 'Vaduz', viewbox, bounded: 1 });
  for (const query of [
    '&q=%ff',
    '&q=%zz',
    '&q=Va%64uz',
    '&q=Vaduz&q=Schaan',
    '&q',
    '&q=',
    '&city=',
    '&city=Vaduz&street=',
    '&unknown=1',
    '&Q=Vaduz',
    '&q=Landstrasse+4,+Vaduz',
    '&x=%ff&q=Vaduz',
    '&%71=Vaduz',
  ]) {
    yield get('/search', {}, { query });
  }
  for (const city of ['x'.repeat(1001), ' ']) yield get('/search', { city });
}

function* byKeyInPath(dice: Dice, count: number): Generator<CorpusRequest> {
  for (let i = 0; i < count; i++) {
    const { lat, lon } = pointOf(dice);
    const format = dice.pick(FORMATS);
    const form = format === undefined ? '' : `&format=${format}`;
    const before = `/k/{{key:${dice.pick(['main', 'prepaid', 'demo'] as const)}}}`;
    if (i % 3 === 0) yield { method: 'GET', path: `${before}/reverse?lat=${lat}&lon=${lon}${form}` };
    else if (i % 3 === 1)
      yield { method: 'GET', path: `${before}/search?q=${encodeURIComponent(textOf(dice))}${form}` };
    else yield { method: 'POST', path: `${before}/reverse?x=1${form}`, body: JSON.stringify([{ lat, lon }]) };
  }
}
