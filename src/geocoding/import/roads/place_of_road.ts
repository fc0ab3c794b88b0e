// Streets and paths as places: lines with address rows and a postcode of their own.

import { linesOf } from '../../../geo/geometry.ts';
import { unitsOf } from '../../../geo/units.ts';
import { OSM_WAY, type Place } from '../../../tables/places/place.ts';
import { RANK_ROAD } from '../../../tables/places/ranks.ts';
import type { Countries } from '../areas/countries.ts';
import type { KnownAreas } from '../areas/known_areas.ts';
import { type Postcodes, readPostcode } from '../areas/postcodes.ts';
import { namedRows, rowsAt } from '../areas/rows.ts';
import { townBesides, type WrittenTowns } from '../areas/written_towns.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import { placeOf } from '../objects/place_of.ts';
import { ranksOf } from '../objects/rank_table.ts';
import { namesOf } from '../objects/tags.ts';
import type { OsmFeature } from '../osm/features.ts';
import type { RoadCollection } from './collection.ts';
import type { KnownRoad } from './known_roads.ts';

/** What surrounds a road. */
interface RoadSurroundings {
  areas: KnownAreas;
  postcodes: Postcodes;
  countries: Countries;
  towns: WrittenTowns;
}

/** The place of a road, at the middle of its line. */
export function placeOfRoad(feature: OsmFeature, { areas, postcodes, countries, towns }: RoadSurroundings): Place {
  const { type: osmType, id: osmId, tags, geometry, latitude, longitude } = feature;
  const x = unitsOf(longitude);
  const y = unitsOf(latitude);
  const countryCode = countries.at(x, y);
  const point = { x, y, countryCode };
  const type = tags.highway;
  const ranks = ranksOf({ category: 'highway', type, tags, shape: geometry.kind, countryCode });
  const town = towns.of(tags, point);
  const areasAround = rowsAt(areas, point, RANK_ROAD, [
    ...(town?.area === undefined ? [] : [town.area]),
    ...namedRows(areas, tags, point),
  ]);
  const rows = areasAround.map(({ id }) => id);
  const postcode =
    readPostcode(tags['addr:postcode'] ?? tags.postal_code, countryCode) || postcodes.at(x, y, countryCode);
  const subject = {
    osmType,
    osmId,
    category: 'highway',
    type,
    names: namesOf(tags, false),
    geometry,
    latitude,
    longitude,
    countryCode,
  };
  return placeOf({ ...subject, ...ranks }, { postcode, rows, town: townBesides(town, areasAround) });
}

/** Adds a stored road to the collection in which houses look for theirs. */
export function keepRoad(
  roads: RoadCollection,
  { type, id: osmId, geometry, nodeIds }: OsmFeature,
  place: Place,
  id: number,
): void {
  const { addressRank, countryCode, postcode, rows } = place;
  const road: KnownRoad = { id, addressRank, nameKey: matchKeyOf(place.names.name ?? ''), countryCode, postcode, rows };
  const way = type === OSM_WAY && nodeIds !== undefined ? { id: osmId, nodeIds } : undefined;
  roads.add(road, linesOf(geometry), place.names, way);
}
