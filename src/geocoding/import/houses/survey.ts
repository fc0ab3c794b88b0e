// A first pass over the houses, before any is stored: which postcodes exist and where, which towns they write, and
// which nodes will be looked up later.

import { unitsOf } from '../../../geo/units.ts';
import { OSM_NODE } from '../../../tables/places/place.ts';
import type { Countries } from '../areas/countries.ts';
import type { KnownAreas } from '../areas/known_areas.ts';
import { PostcodeSurvey, readPostcode } from '../areas/postcodes.ts';
import { WrittenTowns } from '../areas/written_towns.ts';
import { houseNumberOf } from '../objects/tags.ts';
import type { OsmFeature, Tags } from '../osm/features.ts';

/** Result of the first pass. */
export interface Survey {
  postcodes: PostcodeSurvey;
  towns: WrittenTowns;
  /** Tags of the numbered nodes on lines of house numbers. */
  numberedNodes: ReadonlyMap<number, Tags>;
  /** Nodes that do not name their street and so may be part of it. */
  nodesWithoutStreet: ReadonlySet<number>;
}

/**
 * Surveys the houses of an extract.
 * @param houses features of class house
 * @param lines of house numbers
 */
export function surveyHouses(
  houses: Iterable<OsmFeature>,
  lines: readonly OsmFeature[],
  countries: Countries,
  areas: KnownAreas,
): Survey {
  const onLines = new Set<number>();
  for (const { nodeIds } of lines) for (const id of nodeIds ?? []) onLines.add(id);
  const postcodes = new PostcodeSurvey();
  const towns = new WrittenTowns(areas);
  const numberedNodes = new Map<number, Tags>();
  const nodesWithoutStreet = new Set<number>();
  for (const { type, id, tags, latitude, longitude } of houses) {
    if (tags['addr:postcode'] !== undefined || tags['addr:city'] !== undefined) {
      const x = unitsOf(longitude);
      const y = unitsOf(latitude);
      const countryCode = countries.at(x, y);
      towns.note(tags, { x, y, countryCode });
      postcodes.note(countryCode, readPostcode(tags['addr:postcode'], countryCode), x, y);
    }
    if (type !== OSM_NODE) continue;
    if (onLines.has(id) && houseNumberOf(tags) !== '') numberedNodes.set(id, tags);
    if (tags['addr:street'] === undefined && tags['addr:place'] === undefined) nodesWithoutStreet.add(id);
  }
  return { postcodes, towns, numberedNodes, nodesWithoutStreet };
}
