// The road or place that a house belongs to.
//
// What mappers wrote comes before nearness. In Liechtenstein all but six houses name their street, and for some of them
// the nearest road is another one.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import { OSM_NODE, OSM_WAY, type OsmType } from '../../../tables/places/place.ts';
import { RANK_AREA_MAX, RANK_CITY, RANK_COUNTRY } from '../../../tables/places/ranks.ts';
import { type Area, type KnownAreas, metresBetween } from '../areas/known_areas.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import { cityBlockOf, houseNumberOf } from '../objects/tags.ts';
import type { OsmRelation, Tags } from '../osm/features.ts';
import { IdTable } from '../osm/id_table.ts';
import type { KnownRoad, KnownRoads } from '../roads/known_roads.ts';

/** An object that has or needs an address. */
export interface Addressed {
  type: OsmType;
  id: number;
  tags: Tags;
  /** Units. */
  x: number;
  y: number;
}

/** What a house belongs to. */
export type Parent = Pick<KnownRoad, 'id' | 'addressRank' | 'countryCode' | 'postcode' | 'rows'>;

/** Where a parent is looked for. */
export interface ParentSources {
  streets: StreetMembers;
  roads: KnownRoads;
  areas: KnownAreas;
}

/** How far away a place may be that a house names by addr:place. */
const PLACE_REACH = 0.04 * UNITS_PER_DEGREE;

const STRATEGIES: readonly ((object: Addressed, sources: ParentSources) => Parent | undefined)[] = [
  ({ type, id, x, y }, { streets, roads }) => streets.roadOf(type, id, roads, x, y),
  ({ tags, x, y }, { roads }) => byName(tags['addr:street'], name => roads.named(name, x, y)),
  ({ tags, x, y }, { areas }) => byName(tags['addr:place'], name => nearestPlace(areas, name, x, y)),
  ({ type, id, tags }, { roads }) => (type === OSM_NODE && !isInBlock(tags) ? roads.ofNode(id) : undefined),
  ({ tags, x, y }, { roads }) => (isInBlock(tags) ? undefined : roads.nearestNamed(x, y)),
  ({ x, y }, { areas }) => smallestPolygon(areas, x, y),
];

/** True for a house whose number counts in a block: it belongs to no street unless it names one. */
function isInBlock(tags: Tags): boolean {
  return cityBlockOf(tags) !== '' && houseNumberOf(tags) !== '';
}

/** The parent of an object, by the first strategy that finds one. */
export function parentOf(object: Addressed, sources: ParentSources): Parent | undefined {
  for (const find of STRATEGIES) {
    const parent = find(object, sources);
    if (parent !== undefined) return parent;
  }
  return undefined;
}

/** The parent that an object names by addr:street or addr:place. */
export function namedParentOf(object: Addressed, { roads, areas }: ParentSources): Parent | undefined {
  const { tags, x, y } = object;
  return (
    byName(tags['addr:street'], name => roads.named(name, x, y)) ??
    byName(tags['addr:place'], name => nearestPlace(areas, name, x, y))
  );
}

/** Houses and streets that relations connect. */
export class StreetMembers {
  /** All ways that are streets of such relations. */
  readonly ways: ReadonlySet<number>;
  private readonly relations: readonly OsmRelation[];
  /** Index of each member's relation. */
  private readonly byMember = new IdTable();

  /** @param relations of type associatedStreet or street */
  constructor(relations: readonly OsmRelation[]) {
    this.relations = relations;
    const ways = new Set<number>();
    for (const [index, relation] of relations.entries()) {
      for (const { type, id, role } of relation.members) {
        if (role === STREET_ROLE) {
          if (type === OSM_WAY) ways.add(id);
        } else this.byMember.set(memberKey(type, id), index);
      }
    }
    this.ways = ways;
  }

  /** The nearest way of a member's street; if none was imported, the nearest road with the relation's name. */
  roadOf(type: OsmType, id: number, roads: KnownRoads, x: number, y: number): KnownRoad | undefined {
    const relation: OsmRelation | undefined = this.relations[this.byMember.get(memberKey(type, id))];
    if (relation === undefined) return undefined;
    const ways = relation.members
      .filter(member => member.role === STREET_ROLE && member.type === OSM_WAY)
      .map(member => member.id);
    return roads.nearestOfWays(ways, x, y) ?? byName(relation.tags.name, name => roads.named(name, x, y));
  }
}

const STREET_ROLE = 'street';
const OSM_TYPES = 4;

function memberKey(type: OsmType, id: number): number {
  return id * OSM_TYPES + type;
}

function byName<T>(name: string | undefined, find: (matchKey: string) => T | undefined): T | undefined {
  const key = name === undefined ? '' : matchKeyOf(name);
  return key === '' ? undefined : find(key);
}

function nearestPlace(areas: KnownAreas, matchKey: string, x: number, y: number): Area | undefined {
  let nearest: Area | undefined;
  let nearestMetres = Infinity;
  for (const area of areas.named(matchKey)) {
    if (area.id === 0 || area.addressRank < RANK_CITY || area.addressRank > RANK_AREA_MAX) continue;
    const isAround = area.polygon?.contains(x, y) ?? false;
    if (!isAround && (Math.abs(area.x - x) > PLACE_REACH || Math.abs(area.y - y) > PLACE_REACH)) continue;
    const metres = isAround ? 0 : metresBetween(area.x, area.y, x, y);
    if (metres >= nearestMetres) continue;
    nearest = area;
    nearestMetres = metres;
  }
  return nearest;
}

function smallestPolygon(areas: KnownAreas, x: number, y: number): Area | undefined {
  let smallest: Area | undefined;
  for (const area of areas.containing(x, y)) {
    if (area.id === 0 || area.addressRank <= RANK_COUNTRY || area.addressRank > RANK_AREA_MAX) continue;
    const isSmaller =
      smallest === undefined ||
      area.addressRank > smallest.addressRank ||
      (area.addressRank === smallest.addressRank && area.polygon!.boxSize < smallest.polygon!.boxSize);
    if (isSmaller) smallest = area;
  }
  return smallest;
}
