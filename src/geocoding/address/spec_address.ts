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

/** The address object of the specification. Unknown members are left out. */
export function toSpecAddress(rows: readonly AddressRow[]): Record<string, string> {
  const address: Record<string, string> = {};
  for (const [member, keys] of ADDRESS_MEMBERS) {
    for (const key of keys) {
      const row = rows.find(each => each.key === key);
      if (row === undefined) continue;
      address[member] = row.value;
      break;
    }
  }
  return address;
}
