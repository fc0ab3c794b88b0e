// Boundaries, settlements and quarters: from map objects to ranked, linked and nested areas, and from those to places.

import { Polygon } from '../../../geo/polygon.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../../geo/units.ts';
import { OSM_NODE, type Place } from '../../../tables/places/place.ts';
import { RANK_DISTRICT, RANK_POSTAL_AREA, RANK_STATE } from '../../../tables/places/ranks.ts';
import { classify, POSTAL_CODE } from '../objects/classify.ts';
import { placeOf } from '../objects/place_of.ts';
import { ranksOf } from '../objects/rank_table.ts';
import { namesOf } from '../objects/tags.ts';
import type { OsmFeature, OsmRelation } from '../osm/features.ts';
import { Countries, countryCodeOf } from './countries.ts';
import { type Area, KnownAreas } from './known_areas.ts';
import { linkPlaces, nestRanks } from './link.ts';
import { type Postcodes, postcodeRankOf, readPostcode } from './postcodes.ts';
import { namedRows, rowsAt } from './rows.ts';

const ISO_SUBDIVISION = 'ISO3166-2';

/** The areas of an extract, from large to small, and lookups over them. */
export interface GatheredAreas {
  areas: readonly Area[];
  known: KnownAreas;
  countries: Countries;
  /** Settlements merged with their boundary. */
  linked: number;
}

/**
 * Ranks, links and nests the areas of an extract.
 * @param features of class area, without lines of house numbers
 * @param boundaries boundary relations by id
 */
export function gatherAreas(
  features: readonly OsmFeature[],
  boundaries: ReadonlyMap<number, OsmRelation>,
): GatheredAreas {
  const borders = features.flatMap(({ tags, geometry }) => {
    const code = countryCodeOf(tags);
    return code !== '' && geometry.kind === 'area' ? [{ code, rings: geometry.rings }] : [];
  });
  const countries = new Countries(borders);
  const areas = features.map(feature => areaOf(feature, countries));
  const kept = linkPlaces(areas, boundaries);
  // A linked boundary has moved to the centre of its settlement.
  for (const area of kept)
    if (area.linkedPlace !== '') area.countryCode = countryCodeOf(area.tags) || countries.at(area.x, area.y);
  nestRanks(kept);
  // Areas in no address come last: they may lie in all the others, and none of those in them.
  const order = (area: Area) => area.addressRank || Infinity;
  kept.sort((a, b) => order(a) - order(b) || a.searchRank - b.searchRank);
  return { areas: kept, known: new KnownAreas(kept), countries, linked: areas.length - kept.length };
}

/** The place of an area whose larger areas were added before. Also sets the area's rows and postcode. */
export function placeOfArea(area: Area, known: KnownAreas, postcodes: Postcodes): Place {
  const { osmType, osmId, category, type, geometry, x, y, searchRank, addressRank, countryCode, tags, isDistrict } =
    area;
  const isPostalArea = type === POSTAL_CODE;
  area.rows = rowsAt(known, area, addressRank || searchRank, namedRows(known, tags, area)).map(({ id }) => id);
  area.postcode = postcodeOf(area, postcodes);
  const names = isPostalArea && area.names.name === undefined ? { name: tags.postal_code, ...area.names } : area.names;
  const subject = { osmType, osmId, category, type, names, geometry, tags, searchRank, addressRank, countryCode };
  return placeOf(
    { ...subject, latitude: y / UNITS_PER_DEGREE, longitude: x / UNITS_PER_DEGREE },
    {
      subdivisionCode: tags[ISO_SUBDIVISION] ?? '',
      postcode: area.postcode,
      linkedPlace: area.linkedPlace,
      isDistrict,
      rows: area.rows,
    },
  );
}

/** An area with the ranks that its tags give. */
function areaOf(feature: OsmFeature, countries: Countries): Area {
  const { type: osmType, id, tags, geometry } = feature;
  const { category, type } = classify(osmType, tags, geometry.kind === 'area')!;
  const x = unitsOf(feature.longitude);
  const y = unitsOf(feature.latitude);
  const countryCode = countryCodeOf(tags) || countries.at(x, y);
  const ranks =
    type === POSTAL_CODE
      ? { searchRank: postcodeRankOf(countryCode), addressRank: RANK_POSTAL_AREA }
      : ranksOf({ category, type, tags, shape: geometry.kind, countryCode });
  const isAdministrative = category === 'boundary' && type === 'administrative';
  return {
    osmType,
    osmId: id,
    category,
    type,
    tags,
    names: namesOf(tags, false),
    geometry,
    polygon: geometry.kind === 'area' ? new Polygon(geometry.rings) : undefined,
    x,
    y,
    adminLevel: isAdministrative ? Number(tags.admin_level) : 0,
    isDistrict: isAdministrative && ranks.addressRank === RANK_DISTRICT,
    ...ranks,
    countryCode,
    linkedPlace: isAdministrative ? (tags.place ?? '') : '',
    id: 0,
    postcode: '',
    rows: [],
  };
}

function postcodeOf({ osmType, tags, polygon, x, y, countryCode, searchRank }: Area, postcodes: Postcodes): string {
  const own = readPostcode(tags['addr:postcode'] ?? tags.postal_code, countryCode);
  // A state, or what is larger, has no postcode of its own.
  if (own !== '' || searchRank <= RANK_STATE) return own;
  if (polygon !== undefined) return postcodes.inside(polygon, countryCode);
  return osmType === OSM_NODE ? postcodes.at(x, y, countryCode) : '';
}
