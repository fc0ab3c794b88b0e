// A place as a feature of GeocodeJSON 0.1.0 (github.com/geocoders/geocodejson-spec), a format with nine address levels
// that all geocoders share.

import type { AddressRow } from '../../geocoding/address/address.ts';
import type { FoundPlace } from '../../geocoding/found_place.ts';
import type { ShapeJson } from './shape_json.ts';

/** A feature. Unknown members are left out. */
export interface GeocodeFeature {
  type: 'Feature';
  properties: { geocoding: Record<string, string | number | undefined> };
  geometry: ShapeJson;
}

/** The levels of an address, each with the address rows that can fill it, best first. */
export const LEVELS: readonly (readonly [level: string, keys: readonly string[]])[] = [
  ['housenumber', ['house_number']],
  ['street', ['road']],
  ['locality', ['neighbourhood', 'quarter', 'hamlet', 'isolated_dwelling', 'locality']],
  ['district', ['city_district', 'borough', 'suburb']],
  ['postcode', ['postcode']],
  ['city', ['city', 'town', 'village', 'municipality']],
  ['county', ['county']],
  ['state', ['state']],
  ['country', ['country']],
];
/** Types of places, each up to its rank. Higher ranks are houses. */
export const KINDS: readonly (readonly [rank: number, kind: string])[] = [
  [4, 'country'],
  [9, 'state'],
  [12, 'county'],
  [16, 'city'],
  [20, 'district'],
  [25, 'locality'],
  [27, 'street'],
];

/** The feature of a place. */
export function geocodeFeature(place: FoundPlace, geometry: ShapeJson): GeocodeFeature {
  const { placeId, osmType, osmId, category, type, name, displayName } = place;
  return {
    type: 'Feature',
    properties: {
      geocoding: {
        place_id: placeId,
        osm_type: osmType,
        osm_id: osmId,
        osm_key: category,
        osm_value: type,
        type: kindOf(place),
        label: displayName,
        name: name || undefined,
        ...levels(place.address),
        country_code: textOf(place.address, 'country_code'),
      },
    },
    geometry,
  };
}

function kindOf({ placeRank }: FoundPlace): string {
  return KINDS.find(([rank]) => placeRank <= rank)?.[1] ?? 'house';
}

function levels(rows: readonly AddressRow[]): Record<string, string | undefined> {
  return Object.fromEntries(
    LEVELS.map(([level, keys]) => [level, keys.map(key => textOf(rows, key)).find(value => value !== undefined)]),
  );
}

function textOf(rows: readonly AddressRow[], key: string): string | undefined {
  return rows.find(row => row.key === key)?.value;
}
