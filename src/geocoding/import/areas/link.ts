// A municipality is often on the map twice: as a boundary, and as a node with its name in the middle. The two become
// one place. The boundary takes over the node's names, address rank, position and type of settlement, and the node is
// dropped.

import { OSM_NODE, OSM_RELATION } from '../../../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_CITY, RANK_ROAD, RANK_SETTLEMENT_MAX } from '../../../tables/places/ranks.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import type { OsmRelation } from '../osm/features.ts';
import { type Area, KnownAreas } from './known_areas.ts';

/** Added to the rank of an area inside another of the same rank. */
const NESTED = 2;
/** Key for the node's name if the boundary has another. */
const OTHER_NAME = '_place_name';

/**
 * Links boundaries to settlements. In order of preference: the relation's label node; a node inside with the same name
 * and the type that the boundary's own `place` tag gives; one with the same wikidata entry; one with the same name and
 * rank.
 * @param areas boundaries and settlements; linked boundaries are modified
 * @param relations boundary relations by id
 * @returns the areas without the linked nodes
 */
export function linkPlaces(areas: readonly Area[], relations: ReadonlyMap<number, OsmRelation>): Area[] {
  const nodes = areas.filter(
    area => area.category === 'place' && area.osmType === OSM_NODE && area.searchRank < RANK_ROAD,
  );
  const byId = new Map(nodes.map(node => [node.osmId, node]));
  const byWikidata = Map.groupBy(
    nodes.filter(node => node.tags.wikidata !== undefined),
    node => node.tags.wikidata,
  );
  const named = new KnownAreas(nodes);
  const linked = new Set<Area>();
  const boundaries = areas.filter(area => area.category === 'boundary' && area.type === 'administrative');
  // If a municipality and a city share name and position, the larger comes first.
  boundaries.sort((a, b) => a.adminLevel - b.adminLevel);
  const finders = [labelOf, sameKind, sameEntry, sameName];
  for (const find of finders) {
    for (const boundary of boundaries) {
      if (linked.has(boundary)) continue;
      const node = find(boundary);
      if (node === undefined) continue;
      linked.add(node);
      linked.add(boundary);
      takeOver(boundary, node);
    }
  }
  return areas.filter(area => area.osmType !== OSM_NODE || !linked.has(area));

  function labelOf(boundary: Area): Area | undefined {
    const relation = boundary.osmType === OSM_RELATION ? relations.get(boundary.osmId) : undefined;
    const label = relation?.members.find(member => member.role === 'label' && member.type === OSM_NODE);
    const node = label === undefined ? undefined : byId.get(label.id);
    return node === undefined || linked.has(node) ? undefined : node;
  }

  function sameKind(boundary: Area): Area | undefined {
    const { place } = boundary.tags;
    return place === undefined ? undefined : sameNamed(boundary).find(node => node.type === place);
  }

  function sameEntry(boundary: Area): Area | undefined {
    const { wikidata } = boundary.tags;
    return wikidata === undefined
      ? undefined
      : byWikidata.get(wikidata)?.find(node => !linked.has(node) && isInside(boundary, node));
  }

  function sameName(boundary: Area): Area | undefined {
    return sameNamed(boundary).find(node => hasRankOf(boundary, node));
  }

  function sameNamed(boundary: Area): Area[] {
    const { name } = boundary.names;
    return name === undefined
      ? []
      : named.named(matchKeyOf(name)).filter(node => !linked.has(node) && isInside(boundary, node));
  }
}

function isInside({ polygon }: Area, node: Area): boolean {
  return polygon?.contains(node.x, node.y) ?? false;
}

function hasRankOf(boundary: Area, node: Area): boolean {
  return boundary.addressRank > 0 ? boundary.addressRank === node.addressRank : boundary.searchRank === node.searchRank;
}

/** The boundary's own names take precedence; the node's other names are added. */
function takeOver(boundary: Area, node: Area): void {
  const names: Record<string, string> = { ...boundary.names };
  for (const key in node.names) names[key] ??= node.names[key];
  if (node.names.name !== undefined && names.name !== node.names.name) names[OTHER_NAME] = node.names.name;
  boundary.names = names;
  boundary.linkedPlace = node.type;
  if (node.addressRank > 0) boundary.addressRank = node.addressRank;
  if (isInside(boundary, node)) {
    boundary.x = node.x;
    boundary.y = node.y;
  }
}

/**
 * Separates nested areas by rank. An administrative boundary inside another of the same or a higher rank gets that rank
 * + 2; a settlement of rank 16..23 inside a boundary of the same rank gets its own + 2, until there is none.
 * @param areas are modified
 */
export function nestRanks(areas: readonly Area[]): void {
  const known = new KnownAreas(areas);
  const boundaries = areas.filter(isRanked);
  boundaries.sort((a, b) => a.adminLevel - b.adminLevel);
  for (const boundary of boundaries) {
    const parents = known
      .containing(boundary.x, boundary.y)
      .filter(other => isRanked(other) && other.adminLevel < boundary.adminLevel)
      .sort((a, b) => b.addressRank - a.addressRank);
    if (parents.length > 0 && parents[0].addressRank >= boundary.addressRank) {
      boundary.addressRank = Math.min(RANK_AREA_MAX, parents[0].addressRank + NESTED);
    }
  }
  for (const place of areas) {
    if (place.category !== 'place' || place.addressRank < RANK_CITY || place.addressRank > RANK_SETTLEMENT_MAX)
      continue;
    const ranks = known.containing(place.x, place.y).flatMap(other => (isRanked(other) ? [other.addressRank] : []));
    // Nested boundaries may have the next ranks, too.
    while (ranks.includes(place.addressRank) && place.addressRank + NESTED <= RANK_AREA_MAX)
      place.addressRank += NESTED;
  }
}

function isRanked(area: Area): boolean {
  return area.category === 'boundary' && area.type === 'administrative' && area.addressRank > 0;
}
