// Answers of the geocoder, built from what was found in a layer.

import { wrapDegrees } from '../geo/angle.ts';
import type { Box } from '../geo/box.ts';
import type { Geometry } from '../geo/rings.ts';
import { licenceOf } from '../tables/places/licences.ts';
import { OSM_NODE, OSM_NONE, OSM_RELATION, OSM_WAY, type Place } from '../tables/places/place.ts';
import { isRoad, RANK_COUNTRY } from '../tables/places/ranks.ts';
import { type AddressRow, addressRows, type Country } from './address/address.ts';
import { addressKey } from './address/address_key.ts';
import { displayName } from './address/display_name.ts';
import { rowsOnRoad } from './address/rows_on_road.ts';
import type { GeocoderLayer } from './geocoder_layer.ts';
import { nameIn } from './index/names.ts';
import { type PlaceReader, readPlace } from './index/place_reader.ts';
import type { ReverseHit } from './reverse/hit.ts';

/**
 * A place as the answer to a query. Position: for a road its nearest point to the query. Its west is east of its east
 * where it lies across the antimeridian.
 */
export interface FoundPlace
  extends Pick<Place, 'latitude' | 'longitude' | 'category' | 'type' | 'importance' | 'names' | 'tags'>,
    Box {
  /** Our own id, stable within one data version; undefined for a bare country. */
  placeId: number | undefined;
  osmType: 'node' | 'way' | 'relation' | undefined;
  osmId: number | undefined;
  placeRank: number;
  /** Key of the place's own address row. */
  addressType: string;
  /** Empty if it has none. */
  name: string;
  displayName: string;
  /** Its shape; call before the geocoder is released. */
  geometry(): Geometry;
  /** Licence of the data. */
  licence: string;
  address: readonly AddressRow[];
}

/** The town around a point. Unknown members are left out. */
export interface Geoname {
  town?: string;
  country?: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country_code?: string;
}

/** A place found in a layer. */
export interface Found {
  layer: GeocoderLayer;
  hit: ReverseHit;
  /** Undefined if unknown. */
  country: Country | undefined;
  /** The town by another layer, for rows that have none, or only the label of a village. */
  otherTown?: (languages: readonly string[], label: Place | undefined) => string | undefined;
}

const OSM_TYPES = { [OSM_NONE]: undefined, [OSM_NODE]: 'node', [OSM_WAY]: 'way', [OSM_RELATION]: 'relation' } as const;
/** Half the width of the box around an interpolated house, degrees. */
const HOUSE_HALF_BOX = 0.00005;

/** The address rows of a found place. */
export function rowsOf({ layer, hit, country, otherTown }: Found, languages: readonly string[]): AddressRow[] {
  const { places, spatial } = layer;
  const place = readPlace(places, hit.id);
  const isOnRoad = isRoad(place.addressRank);
  const rows = isOnRoad
    ? rowsOnRoad(place, spatial, places, hit.latitude, hit.longitude)
    : withRegion(place, places, hit.region);
  // Where the road has left its areas it has left its town.
  const at = rows === place.rows ? place : { ...place, rows, town: isOnRoad ? '' : place.town };
  return addressRows(at, places, {
    languages,
    houseNumber: hit.houseNumber,
    country,
    ...(otherTown && { otherTown: label => otherTown(languages, label) }),
  });
}

/**
 * The rows of a place in a region, with that region: one whose rank has moved below that of the place is not among
 * them, and the streets around have it all the same.
 */
function withRegion(place: Place, places: PlaceReader, id: number | undefined): Place['rows'] {
  if (id === undefined || place.rows.includes(id)) return place.rows;
  const { addressRank } = readPlace(places, id);
  if (addressRank === 0) return place.rows;
  const ranks = place.rows.map(row => readPlace(places, row).addressRank);
  if (ranks.includes(addressRank)) return place.rows;
  const at = ranks.filter(rank => rank > addressRank).length;
  return place.rows.toSpliced(at, 0, id);
}

/**
 * Country of a place's address rows, lower case; empty if unknown. At a border a house may be in another country than
 * its road.
 */
export function countryOfRows(place: Place, places: PlaceReader): string {
  return place.rows.length > 0 || place.parent === 0 ? place.countryCode : readPlace(places, place.parent).countryCode;
}

/** The full answer. */
export function foundPlace(found: Found, languages: readonly string[]): FoundPlace {
  const { layer, hit, country } = found;
  const place = readPlace(layer.places, hit.id);
  const address = rowsOf(found, languages);
  return {
    placeId: placeIdOf(layer, hit.id),
    osmType: OSM_TYPES[place.osmType],
    osmId: place.osmType === OSM_NONE ? undefined : place.osmId,
    latitude: hit.latitude,
    longitude: hit.longitude,
    ...extentOf(place, hit),
    category: place.category,
    type: place.type,
    placeRank: place.searchRank,
    importance: place.importance,
    addressType: addressKey(place),
    name: (place.addressRank === RANK_COUNTRY && country?.name) || nameIn(place.names, languages),
    displayName: displayName(address, languages),
    names: place.names,
    tags: place.tags,
    geometry: () => (hit.houseNumber === '' ? layer.spatial.geometryOf(hit.id) : { kind: 'point' }),
    licence: licenceOf(layer.places.meta, place),
    address,
  };
}

/** Both layers count from 1, so their places get even and odd ids. */
function placeIdOf({ isWorld }: GeocoderLayer, id: number): number {
  return 2 * id + (isWorld ? 1 : 0);
}

function extentOf(
  place: Place,
  { latitude, longitude, houseNumber }: ReverseHit,
): Pick<FoundPlace, 'south' | 'north' | 'west' | 'east'> {
  if (houseNumber === '') return { south: place.south, north: place.north, west: place.west, east: place.east };
  return {
    south: latitude - HOUSE_HALF_BOX,
    north: latitude + HOUSE_HALF_BOX,
    west: wrapDegrees(longitude - HOUSE_HALF_BOX),
    east: wrapDegrees(longitude + HOUSE_HALF_BOX),
  };
}
