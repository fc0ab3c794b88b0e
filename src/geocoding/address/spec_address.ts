// The address object of the specification: thirteen members, all strings. Towns of every size are its `town`, and so on; a place that is not a road and has
// a name is its `building`.

import type { AddressRow } from './address.ts';

/** For each member the rows that can be it, best first: the larger place where a point lies in several, but the smaller quarter of a town. */
const MEMBERS: readonly (readonly [member: string, keys: readonly string[]])[] = [
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

/** The address object of the specification. Members that are not known are left out. */
export function toSpecAddress(rows: readonly AddressRow[]): Record<string, string> {
  const address: Record<string, string> = {};
  for (const [member, keys] of MEMBERS) {
    for (const key of keys) {
      const row = rows.find(each => each.key === key);
      if (row === undefined) continue;
      address[member] = row.value;
      break;
    }
  }
  return address;
}
