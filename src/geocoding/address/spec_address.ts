// The address object of the specification: thirteen members, all strings. `town` is a town of any size, and `building`
// is any named place that is not a road.

import type { AddressRow } from './address.ts';

/**
 * Members of the object. For each member the row keys that can fill it, best first: the larger of several places, but
 * the smaller of several quarters of a town.
 */
export const ADDRESS_MEMBERS: readonly (readonly [member: string, keys: readonly string[]])[] = [
  [
    'building',
    [
      'building',
      'house_name',
      'amenity',
      'shop',
      'office',
      'tourism',
      'leisure',
      'craft',
      'club',
      'healthcare',
      'historic',
      'railway',
      'aeroway',
      'man_made',
      'emergency',
      'military',
    ],
  ],
  ['house_number', ['house_number']],
  ['road', ['road']],
  ['city_block', ['city_block']],
  ['neighbourhood', ['neighbourhood', 'quarter']],
  ['city_district', ['city_district', 'borough', 'suburb']],
  ['town', ['city', 'town', 'village', 'hamlet']],
  ['municipality', ['municipality']],
  ['county', ['county']],
  ['state', ['state']],
  ['postcode', ['postcode']],
  ['country', ['country']],
  ['country_code', ['country_code']],
];

/** For each key of a row the number of its member, and its place among those that can fill it. */
const MEMBERS_OF_KEYS = new Map(
  ADDRESS_MEMBERS.flatMap(([, keys], member) => keys.map((key, place) => [key, { member, place }] as const)),
);

/** The address object of the specification. Unknown members are left out. */
export function toSpecAddress(rows: readonly AddressRow[]): Record<string, string> {
  const values: (string | undefined)[] = [];
  const places: number[] = [];
  for (const { key, value } of rows) {
    const of = MEMBERS_OF_KEYS.get(key);
    if (of === undefined || (values[of.member] !== undefined && places[of.member] <= of.place)) continue;
    values[of.member] = value;
    places[of.member] = of.place;
  }
  const address: Record<string, string> = {};
  for (let member = 0; member < values.length; member++) {
    const value = values[member];
    if (value !== undefined) address[ADDRESS_MEMBERS[member][0]] = value;
  }
  return address;
}
