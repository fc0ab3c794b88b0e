// What an object of the map is: its main tag, and whether it is an area, a road or a feature.
//
// One object becomes one place. Of several main tags the first in this order counts: boundaries and settlements, roads,
// destinations (amenities, shops), then objects that matter only with a name or an address, and last the bare address.
// Unnamed street furniture and private pools are left out: nobody searches for them, and they would come between a
// query and its house. What people look for by its kind (a defibrillator, a lighthouse) needs no name to be found, and
// none of the latter answers for a point.

import { OSM_NODE, OSM_RELATION, type OsmType } from '../../../tables/places/place.ts';
import { RANK_HOUSE } from '../../../tables/places/ranks.ts';
import { rowsOf } from '../../search/words/vocabulary.ts';
import type { FeatureClass, Tags } from '../osm/features.ts';
import { isRoadType, ranksOf } from './rank_table.ts';
import { hasAddress, houseNumberOf, isNamed } from './tags.ts';

/** The main tag of an object. */
export interface Kind {
  category: string;
  type: string;
  featureClass: FeatureClass;
}

/** Tag of a line along which house numbers run. */
export const INTERPOLATION_KEY = 'addr:interpolation';
export const POSTAL_CODE = 'postal_code';

/** Roads that matter only with a name. */
const MINOR_ROADS = new Set(['service', 'cycleway', 'path', 'footway', 'steps', 'bridleway', 'track']);
const LINK = '_link';

/** Destinations. */
const DESTINATION_KEYS = ['amenity', 'shop', 'tourism', 'office', 'leisure', 'craft', 'club'];
/** These matter only with a name or an address. */
const ADDRESSED_KEYS = ['historic', 'healthcare'];
/** These matter only with a name. */
const NAMED_KEYS = [
  'man_made',
  'aeroway',
  'aerialway',
  'military',
  'railway',
  'mountain_pass',
  'natural',
  'waterway',
  'bridge',
];
/** Some of these count without a name (data/unnamed_kinds.csv). */
const UNNAMED_KEYS = ['emergency', ...ADDRESSED_KEYS, ...NAMED_KEYS];
const ALL_KEYS = new Set([...DESTINATION_KEYS, ...UNNAMED_KEYS]);

const NAMED_ONLY = new Set([
  'amenity=bench',
  'amenity=waste_basket',
  'leisure=swimming_pool',
  'leisure=garden',
  'leisure=common',
  'leisure=track',
]);
const NEVER = new Set([
  'amenity=parking_space',
  'amenity=parking_entrance',
  'amenity=waste_disposal',
  'amenity=hunting_stand',
  'railway=rail',
  'railway=abandoned',
  'railway=disused',
  'railway=razed',
  'railway=construction',
  'railway=proposed',
  'natural=coastline',
]);
const ADMIN_LEVEL = /^([2-9]|1[0-2])$/;

/**
 * The main tag of an object.
 * @param isClosed true for relations and for ways that end where they begin
 * @returns undefined for an object that is not imported
 */
export function classify(type: OsmType, tags: Tags, isClosed: boolean): Kind | undefined {
  const isArea = type !== OSM_NODE && isClosed;
  const named = isNamed(tags);
  return (
    boundaryOf(tags, isArea, named) ??
    settlementOf(type, tags, isClosed, named) ??
    roadOf(type, tags, named) ??
    destinationOf(tags, named) ??
    landuseOf(tags, isArea, named) ??
    addressOf(type, tags, named)
  );
}

function boundaryOf(tags: Tags, isArea: boolean, named: boolean): Kind | undefined {
  const type = tags.boundary;
  if (type === undefined || !isArea) return undefined;
  if (type === POSTAL_CODE && tags.postal_code !== undefined)
    return { category: 'boundary', type, featureClass: 'area' };
  if (!named) return undefined;
  if (type !== 'administrative') return { category: 'boundary', type, featureClass: 'house' };
  return ADMIN_LEVEL.test(tags.admin_level ?? '') ? { category: 'boundary', type, featureClass: 'area' } : undefined;
}

function settlementOf(type: OsmType, tags: Tags, isClosed: boolean, named: boolean): Kind | undefined {
  if (type !== OSM_NODE && tags[INTERPOLATION_KEY] !== undefined && houseNumberOf(tags) === '') {
    return type === OSM_RELATION ? undefined : { category: 'place', type: 'houses', featureClass: 'area' };
  }
  const place = tags.place;
  if (place === undefined || place === 'no' || place === 'house' || place === 'houses' || !named) return undefined;
  return type === OSM_NODE || isClosed ? { category: 'place', type: place, featureClass: 'area' } : undefined;
}

function roadOf(type: OsmType, tags: Tags, named: boolean): Kind | undefined {
  const highway = tags.highway;
  if (highway === undefined) return undefined;
  if (type === OSM_NODE || !isRoadType(highway)) {
    const isStreetFurniture =
      highway === 'street_lamp' || highway === 'crossing' || highway === 'proposed' || highway === 'razed';
    const isWanted = named || isUnnamedKind('highway', highway);
    return isWanted && !isStreetFurniture && !hasDestination(tags)
      ? { category: 'highway', type: highway, featureClass: 'house' }
      : undefined;
  }
  if (type === OSM_RELATION && tags.name === undefined) return undefined;
  return named || !(MINOR_ROADS.has(highway) || highway.endsWith(LINK))
    ? { category: 'highway', type: highway, featureClass: 'road' }
    : undefined;
}

function hasDestination(tags: Tags): boolean {
  return DESTINATION_KEYS.some(key => tags[key] !== undefined && tags[key] !== 'no');
}

function destinationOf(tags: Tags, named: boolean): Kind | undefined {
  // Most objects have none of the keys, and fewer tags than there are keys.
  if (!hasKeyOf(ALL_KEYS, tags)) return undefined;
  for (const key of DESTINATION_KEYS)
    if (isWanted(key, tags, named, true)) return { category: key, type: tags[key], featureClass: 'house' };
  const addressed = named || hasOwnAddress(tags);
  for (const key of ADDRESSED_KEYS)
    if (isWanted(key, tags, named, addressed)) return { category: key, type: tags[key], featureClass: 'house' };
  for (const key of NAMED_KEYS)
    if (isWanted(key, tags, named, named)) return { category: key, type: tags[key], featureClass: 'house' };
  for (const key of UNNAMED_KEYS)
    if (tags[key] !== undefined && isUnnamedKind(key, tags[key]))
      return { category: key, type: tags[key], featureClass: 'house' };
  return undefined;
}

function hasKeyOf(keys: ReadonlySet<string>, tags: Tags): boolean {
  for (const key in tags) if (keys.has(key)) return true;
  return false;
}

let unnamedKinds: ReadonlySet<string> | undefined;

/** True for what people look for by its kind, whether or not it has a name (data/unnamed_kinds.csv). */
function isUnnamedKind(category: string, type: string): boolean {
  unnamedKinds ??= new Set(rowsOf('unnamed_kinds.csv').map(row => row.join('=')));
  return unnamedKinds.has(`${category}=${type}`);
}

function isWanted(key: string, tags: Tags, named: boolean, condition: boolean): boolean {
  const value = tags[key];
  if (value === undefined || value === 'no' || !condition) return false;
  const tag = `${key}=${value}`;
  return !NEVER.has(tag) && (named || !NAMED_ONLY.has(tag));
}

/** An area by its land use. With a house number it is a house. */
function landuseOf(tags: Tags, isArea: boolean, named: boolean): Kind | undefined {
  const type = tags.landuse;
  if (type === undefined || !named || !isArea || houseNumberOf(tags) !== '') return undefined;
  const { addressRank } = ranksOf({ category: 'landuse', type, tags, shape: 'area', countryCode: '' });
  return { category: 'landuse', type, featureClass: addressRank < RANK_HOUSE ? 'area' : 'house' };
}

function addressOf(type: OsmType, tags: Tags, named: boolean): Kind | undefined {
  const isAddressed = hasOwnAddress(tags);
  const building = tags.building;
  if (building !== undefined && building !== 'no' && (named || isAddressed))
    return { category: 'building', type: building, featureClass: 'house' };
  // The address on an unwanted road may be that of its surroundings.
  if (!isAddressed || (tags.highway !== undefined && type !== OSM_NODE)) return undefined;
  return { category: 'place', type: 'house', featureClass: 'house' };
}

function hasOwnAddress(tags: Tags): boolean {
  return hasAddress(tags) && (houseNumberOf(tags) !== '' || tags['addr:housename'] !== undefined);
}
