// A drawn country of any size, to measure how search grows with what is loaded. Of a thousand places one is a
// municipality, about 130 are streets, 60 shops and the rest houses. A county has 100 municipalities, a state ten
// counties. Names are drawn as they are given: a few street names are in every town, and each town has some that only
// it has. Two streets in three end in a word that streets have in common.

import { BARE_PLACE, OSM_NODE, type Place } from '../../src/tables/places/place.ts';
import { uniform } from '../../test/kits/random.ts';
import type { Drawing } from './checkouts.ts';

const TOWN_PLACES = 1_000;
const COUNTY_TOWNS = 100;
const STATE_COUNTIES = 10;
const STREETS = 130;
const SHOPS = 60;
const HOUSES_MAX = 12;
const SYLLABLES =
  'ba be bi bo bu da de di do du fa fe ga ge go ha he ho ka ke ki ko la le li lo lu ma me mi mo mu na ne no pa pe po ra re ri ro ru sa se si so ta te ti to tu va ve vi vo wa we zu'.split(
    ' ',
  );
const COMMON_NAMES = 400;
const ENDINGS = ['Street', 'Road', 'Lane', 'Avenue', 'Way'];
const SHOP_TYPES = ['bakery', 'supermarket', 'clothes', 'books', 'bicycle'];
/** Degrees between towns. */
const TOWN_DEGREES = 0.1;
const GRID_TOWNS = 120;

/** Draws a country. @param count places, at least */
export function* drawPlaces(count: number, seed: number): Drawing {
  const random = uniform(seed);
  const common = Array.from({ length: COMMON_NAMES }, () => drawName(random));
  let id = 0;
  const point = { kind: 'point' } as const;
  const put = (said: Partial<Place>): [Place, typeof point] => {
    id++;
    const { latitude = 0, longitude = 0 } = said;
    return [
      {
        ...BARE_PLACE,
        osmType: OSM_NODE,
        osmId: id,
        category: 'place',
        type: 'house',
        searchRank: 30,
        addressRank: 30,
        latitude,
        longitude,
        south: latitude,
        north: latitude,
        west: longitude,
        east: longitude,
        countryCode: 'xx',
        ...said,
      },
      point,
    ];
  };
  const region = (name: string, rank: number, rows: number[]) =>
    put({
      category: 'boundary',
      type: 'administrative',
      names: { name },
      searchRank: rank,
      addressRank: rank,
      importance: 0.4 - rank / 75,
      rows,
    });
  let [state, county] = [0, 0];
  yield region(drawName(random), 4, []);
  for (let town = 0; id < count; town++) {
    if (town % (COUNTY_TOWNS * STATE_COUNTIES) === 0) {
      yield region(drawName(random), 8, [1]);
      state = id;
    }
    if (town % COUNTY_TOWNS === 0) {
      yield region(drawName(random), 12, [state, 1]);
      county = id;
    }
    const [latitude, longitude] = [
      -40 + TOWN_DEGREES * Math.floor(town / GRID_TOWNS),
      -30 + TOWN_DEGREES * (town % GRID_TOWNS),
    ];
    const near = () => ({
      latitude: latitude + random() * TOWN_DEGREES,
      longitude: longitude + random() * TOWN_DEGREES,
    });
    yield region(drawName(random), 16, [county, state, 1]);
    const rows = [id, county, state, 1];
    const last = id + TOWN_PLACES;
    const streets: number[] = [];
    const postcode = `${10_000 + town}`;
    for (let i = 0; i < STREETS; i++) {
      const own = random() < 0.5 ? common[Math.floor(random() ** 2 * COMMON_NAMES)] : drawName(random);
      const name = random() < 0.67 ? `${own} ${ENDINGS[Math.floor(random() ** 2 * ENDINGS.length)]}` : own;
      yield put({
        category: 'highway',
        type: 'residential',
        names: { name },
        searchRank: 26,
        addressRank: 26,
        importance: 0.053,
        rows,
        ...near(),
      });
      streets.push(id);
    }
    for (let i = 0; i < SHOPS; i++) {
      const name = random() < 0.3 ? common[i] : `${drawName(random)} ${drawName(random)}`;
      const parent = streets[Math.floor(random() * STREETS)];
      yield put({ category: 'shop', type: SHOP_TYPES[i % SHOP_TYPES.length], names: { name }, parent, ...near() });
    }
    for (let at = 0; id < last; at = (at + 1) % STREETS) {
      for (let number = 1; number <= HOUSES_MAX * random(); number++)
        yield put({ houseNumber: `${number}`, parent: streets[at], postcode, ...near() });
    }
  }
}

/** A name such as `Lorina`. */
export function drawName(random: () => number): string {
  const count = 2 + Math.floor(random() * 3);
  const name = Array.from({ length: count }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join('');
  return name[0].toUpperCase() + name.slice(1);
}
