// Features: houses, shops, peaks, lakes. Each is read, described and stored by itself.
//
// A house belongs to a road or a place and shares the rows of its address. It has rows of its own only where the shared
// ones are wrong: the object names another town, or the road runs on into a municipality that does not contain the
// house.
//
// A house number stays as it is on the map, even if it is a list or a range (`1;3`, `1-5`): it is one place, and the
// search takes the numbers apart. House numbers along a line become one place per section, with a range.

import { cutLine } from '../../../geo/line.ts';
import type { Geometry } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../../geo/units.ts';
import { OSM_WAY, type Place } from '../../../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_HOUSE } from '../../../tables/places/ranks.ts';
import type { Countries } from '../areas/countries.ts';
import type { Area } from '../areas/known_areas.ts';
import { type Postcodes, readPostcode } from '../areas/postcodes.ts';
import { areasOf, type Naming, namedRows, namingsOf, rowsAt } from '../areas/rows.ts';
import { townFallback, type WrittenTowns } from '../areas/written_towns.ts';
import type { Kind } from '../objects/classify.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import { placeOf } from '../objects/place_of.ts';
import { ranksOf } from '../objects/rank_table.ts';
import { cityBlockOf, houseNumberOf, namesOf, unitOf } from '../objects/tags.ts';
import type { OsmFeature, Tags } from '../osm/features.ts';
import type { BuildingAddress } from './buildings.ts';
import type { Section } from './interpolation.ts';
import { type Addressed, namedParentOf, type Parent, type ParentSources, parentOf } from './parents.ts';

/** What surrounds a house. */
export interface Surroundings extends ParentSources {
  postcodes: Postcodes;
  countries: Countries;
  towns: WrittenTowns;
  /** Areas by their id in the layer. */
  areaOf: (id: number) => Area | undefined;
}

/**
 * The place of an object of rank 30, or of a larger one that is in no address.
 * @param building the building with an address around it, if any
 */
export function placeOfHouse(
  feature: OsmFeature,
  kind: Kind,
  building: BuildingAddress | undefined,
  surroundings: Surroundings,
): Place {
  const { tags, geometry, latitude, longitude } = feature;
  const object = addressedOf(feature);
  const countryCode = surroundings.countries.at(object.x, object.y);
  const houseNumber = houseNumberOf(tags);
  const { category, type } = kind;
  const asRanked = ranksOf({ category, type, tags, shape: geometry.kind, countryCode });
  const ranks = houseNumber === '' ? asRanked : { searchRank: RANK_HOUSE, addressRank: RANK_HOUSE };
  const names = namesOf(tags, true);
  const subject = {
    osmType: feature.type,
    osmId: feature.id,
    category,
    type,
    names,
    geometry,
    tags,
    latitude,
    longitude,
    countryCode,
    ...ranks,
  };
  const postcode = readPostcode(tags['addr:postcode'], countryCode);

  if (ranks.searchRank < RANK_HOUSE)
    return placeOf(
      subject,
      addressOfLarger({ ...object, countryCode }, ranks.searchRank, postcode, geometry, surroundings),
    );
  const parent = parentOf(object, surroundings);
  if (building !== undefined && isOnStreetOf(building, tags, parent)) {
    const { streetKey: _, ...address } = building;
    return placeOf(subject, { ...address, postcode: postcode || building.postcode, isAddressInherited: true });
  }
  const located = { ...object, countryCode };
  const namings = namingsOf(surroundings.areas, tags, located);
  return placeOf(subject, {
    houseNumber,
    houseName: tags['addr:housename'] ?? '',
    unit: unitOf(tags),
    alsoWritten: alsoWritten(tags, namings, postcode),
    quarter: unmapped(namings, 'addr:quarter'),
    neighbourhood: unmapped(namings, 'addr:neighbourhood'),
    cityBlock: cityBlockOf(tags),
    ...addressUnder(parent, { ...located, namings }, postcode, surroundings),
  });
}

/**
 * True for an object that takes the address of the building around it, unless it names another street. A house name is
 * as good as a number.
 */
export function inherits(tags: Tags): boolean {
  return houseNumberOf(tags) === '' && tags['addr:housename'] === undefined;
}

/** Match key of the street or place that an address names; empty if it names none. */
export function streetKeyOf(tags: Tags): string {
  return matchKeyOf(tags['addr:street'] ?? tags['addr:place'] ?? '');
}

/** True unless an object names another street than the building around it. */
function isOnStreetOf(building: BuildingAddress, tags: Tags, parent: Parent | undefined): boolean {
  const own = streetKeyOf(tags);
  return own === '' || own === building.streetKey || (parent !== undefined && parent.id === building.parent);
}

/** An object and its country. */
type Located = Addressed & { countryCode: string };
/** The same with the rows that it names. */
type NamingObject = Located & { namings: readonly Naming[] };

/** The way of a section of numbers, and what its ends say. */
interface SectionNeighbours {
  way: OsmFeature;
  /** Tags of the numbered nodes at its ends. */
  firstTags: Tags;
  lastTags: Tags;
}

/** The place of a section of house numbers along a line; undefined if it belongs to no street. */
export function placeOfSection(
  section: Section,
  { way, firstTags, lastTags }: SectionNeighbours,
  surroundings: Surroundings,
): Place | undefined {
  const { coordinates, range } = section;
  const { x, y } = middleOf(coordinates);
  const { streets, roads, countries } = surroundings;
  const countryCode = countries.at(x, y);
  const at = (tags: Tags) => ({ type: way.type, id: way.id, tags, x, y });
  const parent =
    streets.roadOf(OSM_WAY, way.id, roads, x, y) ??
    namedParentOf(at(way.tags), surroundings) ??
    namedParentOf(at(firstTags), surroundings) ??
    namedParentOf(at(lastTags), surroundings) ??
    roads.nearestStreet(x, y);
  if (parent === undefined) return undefined;
  const postcode =
    readPostcode(firstTags['addr:postcode'], countryCode) || readPostcode(lastTags['addr:postcode'], countryCode);
  const geometry = isLine(coordinates) ? ({ kind: 'line', coordinates } as const) : ({ kind: 'point' } as const);
  const located = { ...at(way.tags), countryCode };
  const namings = namingsOf(surroundings.areas, way.tags, located);
  return placeOf(
    {
      osmType: way.type,
      osmId: way.id,
      category: 'place',
      type: 'house',
      names: {},
      geometry,
      tags: {},
      latitude: y / UNITS_PER_DEGREE,
      longitude: x / UNITS_PER_DEGREE,
      countryCode,
      searchRank: RANK_HOUSE,
      addressRank: RANK_HOUSE,
    },
    { ...addressUnder(parent, { ...located, namings }, postcode, surroundings), houseRange: range },
  );
}

/** An object with its position in units. */
function addressedOf({ type, id, tags, latitude, longitude }: OsmFeature): Addressed {
  return { type, id, tags, x: unitsOf(longitude), y: unitsOf(latitude) };
}

/**
 * The street that a house names, if the map has no such road (the nearest one's name would be made up) or if the road's
 * main name differs.
 */
function ownStreet(
  { type, id, tags, x, y }: Addressed,
  { streets, roads }: Surroundings,
): { street?: string; streetAsWritten?: string } {
  const name = tags['addr:street'];
  if (name === undefined) return {};
  const key = matchKeyOf(name);
  const road = streets.roadOf(type, id, roads, x, y) ?? roads.named(key, x, y);
  if (road === undefined) return { street: name };
  return road.nameKey === key ? {} : { streetAsWritten: name };
}

/** What an address names that is not on the map, and a postcode that is none of its country; separated by `;`. */
function alsoWritten(tags: Tags, namings: readonly Naming[], postcode: string): string {
  const names = new Set<string>();
  for (const { name, area } of namings) if (area === undefined) names.add(name);
  const written = [...names].join(';');
  const foreign = postcode === '' ? (tags['addr:postcode'] ?? '') : '';
  return written === '' || foreign === '' ? written + foreign : `${written};${foreign}`;
}

/** What an address names as a part of its town that the map does not have; otherwise empty. */
function unmapped(namings: readonly Naming[], key: string): string {
  const naming = namings.find(each => each.key === key);
  return naming === undefined || naming.area !== undefined ? '' : naming.name;
}

/** Parent, street, postcode and rows of a house. */
function addressUnder(parent: Parent | undefined, object: NamingObject, postcode: string, surroundings: Surroundings) {
  const { x, y, countryCode, tags } = object;
  const isAbroad = parent !== undefined && parent.countryCode !== countryCode;
  const ownPostcode = postcode || (!isAbroad && parent?.postcode) || surroundings.postcodes.at(x, y, countryCode);
  const { rows, town } = ownRows(isAbroad ? undefined : parent, object, surroundings);
  // Without rows of its own it would have those of a road across the border.
  if (isAbroad && rows.length === 0)
    return { parent: 0, street: tags['addr:street'] ?? '', rows, town, postcode: ownPostcode };
  return { parent: parent?.id ?? 0, ...ownStreet(object, surroundings), rows, town, postcode: ownPostcode };
}

/**
 * Ids of a house's own rows, none if those of its parent are right; and its town, if it is not the largest settlement
 * of the rows.
 */
function ownRows(
  parent: Parent | undefined,
  object: NamingObject,
  { areas, areaOf, towns }: Surroundings,
): { rows: number[]; town: string } {
  const { x, y } = object;
  const written = towns.of(object.namings, object);
  const named = areasOf(object.namings);
  if (written?.area !== undefined && !named.includes(written.area)) named.unshift(written.area);
  const rankEnd = parent === undefined || parent.addressRank > RANK_AREA_MAX ? RANK_AREA_MAX + 1 : parent.addressRank;
  if (parent !== undefined) {
    const rows = parent.rows.map(areaOf);
    const isMissing = named.some(area => area.addressRank < rankEnd && !rows.includes(area));
    const isOutside = rows.some(area => area?.polygon?.contains(x, y) === false && !named.includes(area));
    if (!isMissing && !isOutside) return { rows: [], town: townFallback(written, rows) };
  }
  const rows = rowsAt(areas, object, rankEnd, named);
  return { rows: rows.map(({ id }) => id), town: townFallback(written, rows) };
}

/** Rows and postcode of an object that is in no address and has no street: a lake, a peak. */
function addressOfLarger(
  object: Located,
  rank: number,
  postcode: string,
  { kind }: Geometry,
  { areas, postcodes }: Surroundings,
) {
  const { x, y, countryCode } = object;
  return {
    rows: rowsAt(areas, object, rank, namedRows(areas, object.tags, object)).map(({ id }) => id),
    postcode: postcode || (kind === 'point' ? postcodes.at(x, y, countryCode) : ''),
  };
}

/** The point halfway along a line, or the only point. */
function middleOf(coordinates: Int32Array): { x: number; y: number } {
  const [x, y] = isLine(coordinates) ? cutLine(coordinates, 0.5, 0.5) : coordinates;
  return { x, y };
}

function isLine(coordinates: Int32Array): boolean {
  return coordinates.length > 2;
}
