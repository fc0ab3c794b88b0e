// The drawn extract of OpenStreetMap: a country with a county and three municipalities, each with the same twelve
// street names, houses along them, shops, restaurants and a church, and a river that nobody lives at.
//
//   Liechtenstein      47.04..47.28 north, 9.42..9.62 east
//     Oberland         47.06..47.25
//       Schaan         47.18..47.22
//       Vaduz          47.11..47.17
//       Balzers        47.065..47.095

import { SquareMap } from '../../kits/places/extracts.ts';
import { Dice } from '../dice.ts';

/** A municipality and the middle of its streets, degrees. */
export const MUNICIPALITIES = [
  { name: 'Vaduz', russian: 'Вадуц', postcode: '9490', lat: 47.14, half: 0.03 },
  { name: 'Schaan', russian: 'Шан', postcode: '9494', lat: 47.2, half: 0.02 },
  { name: 'Balzers', russian: 'Бальцерс', postcode: '9496', lat: 47.08, half: 0.015 },
] as const;

/** Longitude of all three. */
export const LONGITUDE = 9.52;

/** Streets that each of them has. */
export const STREETS = [
  'Äulestrasse',
  'Landstrasse',
  'Hauptstrasse',
  'Bahnhofstrasse',
  'Im Loch',
  "Rue de l'Église",
  'Feldkircher Straße',
  'St. Luziweg',
  'Heiligkreuz',
  'Rotenbodenstrasse',
  'Lettstrasse',
  'Zollstrasse',
] as const;

/** Kinds of other places, their tags and names. */
const AMENITIES: readonly [Record<string, string>, string][] = [
  [{ amenity: 'restaurant' }, 'Adler'],
  [{ amenity: 'restaurant' }, 'Zum Löwen'],
  [{ amenity: 'pharmacy' }, 'Schlossapotheke'],
  [{ shop: 'bakery' }, 'Konditorei Wanger'],
  [{ amenity: 'place_of_worship' }, 'St. Florin'],
  [{ tourism: 'museum' }, 'Kunstmuseum'],
];

const HOUSES = 14;

/** Writes the extract. */
export function writeExtract(path: string): void {
  const map = new SquareMap();
  const dice = new Dice(61);
  map.square(1, 2, { lat: 47.16, lon: LONGITUDE }, 0.12, {
    name: 'Liechtenstein',
    'name:ru': 'Лихтенштейн',
    'ISO3166-1': 'LI',
  });
  map.square(2, 6, { lat: 47.155, lon: LONGITUDE }, 0.095, { name: 'Oberland' });
  for (const [i, { name, russian, postcode, lat, half }] of MUNICIPALITIES.entries()) {
    map.square(3 + i, 8, { lat, lon: LONGITUDE }, half, { name, 'name:ru': russian });
    map.node({ lat: lat + 0.001, lon: LONGITUDE }, { place: 'town', name, 'name:ru': russian });
    for (const [row, street] of STREETS.entries()) {
      const north = lat + (row - STREETS.length / 2) * 0.0015;
      map.street(
        1000 + i * 100 + row,
        [9.51, 9.515, 9.521, 9.53].map(lon => ({ lat: north + dice.between(0, 0.0002), lon })),
        street,
      );
      for (let house = 1; house <= HOUSES; house++) {
        const position = { lat: north + (house % 2 ? 0.0003 : -0.0001), lon: 9.51 + house * 0.0013 };
        const number = dice.chance(0.1) ? `${house}a` : String(house);
        map.node(position, { building: 'house', ...addressTags(street, number, name, postcode) });
      }
      const [tags, called] = AMENITIES[row % AMENITIES.length];
      map.node(
        { lat: north + 0.0006, lon: 9.522 + row * 0.0004 },
        { ...tags, name: called, ...addressTags(street, '20', name, postcode) },
      );
    }
  }
  map.write(path);
}

function addressTags(street: string, number: string, city: string, postcode: string): Record<string, string> {
  return { 'addr:street': street, 'addr:housenumber': number, 'addr:city': city, 'addr:postcode': postcode };
}
