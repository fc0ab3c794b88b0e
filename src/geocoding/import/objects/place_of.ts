// Builds a place from what its object says by itself. Address, parent and postcode come from its surroundings.

import { wrapDegrees } from '../../../geo/angle.ts';
import { boxAcross } from '../../../geo/antimeridian.ts';
import { type Geometry, linesOf } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Place } from '../../../tables/places/place.ts';
import type { Tags } from '../osm/features.ts';
import { importanceOf } from './importance.ts';
import { boxDegreesOf, type Ranks } from './rank_table.ts';
import { furtherTagsOf } from './tags.ts';

/** What is known about a place before its surroundings are looked at. */
interface PlaceSubject
  extends Ranks,
    Pick<Place, 'osmType' | 'osmId' | 'category' | 'type' | 'names' | 'latitude' | 'longitude' | 'countryCode'> {
  geometry: Geometry;
  /** Of its object; empty without one. */
  tags: Tags;
}

/** What the surroundings contribute. Omitted members are empty. */
interface PlaceAddress {
  subdivisionCode?: string;
  houseNumber?: string;
  houseName?: string;
  street?: string;
  streetAsWritten?: string;
  postcode?: string;
  town?: string;
  alsoWritten?: string;
  quarter?: string;
  neighbourhood?: string;
  cityBlock?: string;
  unit?: string;
  linkedPlace?: string;
  isDistrict?: boolean;
  isAddressInherited?: boolean;
  parent?: number;
  rows?: readonly number[];
  houseRange?: Place['houseRange'];
  /** Half the side of the box around a point, degrees; by default that of its type. */
  boxDegrees?: number;
}

/**
 * The place of an object. Its importance follows from its rank or class; its box is that of its shape or, for a node,
 * the usual extent of its type.
 */
export function placeOf(subject: PlaceSubject, address: PlaceAddress): Place {
  const { geometry, tags, latitude, longitude } = subject;
  const { boxDegrees = boxDegreesOf(subject.category, subject.type) } = address;
  const { south, north, west, east } = boxAround(geometry, latitude, longitude, boxDegrees);
  // Member by member: by spreading, it takes five times as long.
  return {
    osmType: subject.osmType,
    osmId: subject.osmId,
    category: subject.category,
    type: subject.type,
    names: subject.names,
    latitude,
    longitude,
    countryCode: subject.countryCode,
    searchRank: subject.searchRank,
    addressRank: subject.addressRank,
    importance: importanceOf(subject, tags),
    tags: furtherTagsOf(tags),
    south,
    north,
    west,
    east,
    subdivisionCode: address.subdivisionCode ?? '',
    houseNumber: address.houseNumber ?? '',
    houseName: address.houseName ?? '',
    street: address.street ?? '',
    streetAsWritten: address.streetAsWritten ?? '',
    postcode: address.postcode ?? '',
    town: address.town ?? '',
    alsoWritten: address.alsoWritten ?? '',
    quarter: address.quarter ?? '',
    neighbourhood: address.neighbourhood ?? '',
    cityBlock: address.cityBlock ?? '',
    unit: address.unit ?? '',
    linkedPlace: address.linkedPlace ?? '',
    isDistrict: address.isDistrict ?? false,
    isAddressInherited: address.isAddressInherited ?? false,
    parent: address.parent ?? 0,
    rows: address.rows ?? [],
    houseRange: address.houseRange,
  };
}

function boxAround(
  geometry: Geometry,
  latitude: number,
  longitude: number,
  degrees: number,
): Pick<Place, 'south' | 'north' | 'west' | 'east'> {
  if (geometry.kind === 'point') {
    return {
      south: Math.max(-90, latitude - degrees),
      north: Math.min(90, latitude + degrees),
      west: wrapDegrees(longitude - degrees),
      east: wrapDegrees(longitude + degrees),
    };
  }
  const { south, north, west, east } = boxAcross(linesOf(geometry));
  return {
    south: south / UNITS_PER_DEGREE,
    north: north / UNITS_PER_DEGREE,
    west: west / UNITS_PER_DEGREE,
    east: east / UNITS_PER_DEGREE,
  };
}

/** Stores places in the order of their ids. */
export interface PlaceSink {
  /** Stores a place. @returns its id: 1, 2, 3 ... */
  add(place: Place, geometry: Geometry): number;
}
