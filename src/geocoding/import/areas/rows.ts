// The rows of an address above the street: one place per rank, from the quarter to the country.
//
// Candidates are the polygons around the point and the settlements near it that have no polygon. They are taken from
// large to small, and the first of each rank counts: places that the object itself names, then polygons, then nodes. A
// node counts only if it is inside the smallest polygon taken so far and in the same country, so that a village across
// the border is left out.

import { RANK_AREA_MAX } from '../../../tables/places/ranks.ts';
import { POSTAL_CODE } from '../objects/classify.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import type { Tags } from '../osm/features.ts';
import { type Area, type KnownAreas, metresBetween } from './known_areas.ts';

/** A tag that names a place of the address, and the address ranks that the place may have. */
interface NamingTag {
  key: string;
  rankMin: number;
  rankMax: number;
}

const NAMING_TAGS: readonly NamingTag[] = [
  { key: 'addr:state', rankMin: 5, rankMax: 10 },
  { key: 'addr:province', rankMin: 5, rankMax: 12 },
  { key: 'addr:county', rankMin: 10, rankMax: 13 },
  { key: 'addr:district', rankMin: 10, rankMax: 18 },
  { key: 'addr:municipality', rankMin: 12, rankMax: 16 },
  { key: 'addr:city', rankMin: 13, rankMax: 20 },
  { key: 'addr:town', rankMin: 13, rankMax: 20 },
  { key: 'addr:village', rankMin: 13, rankMax: 20 },
  { key: 'addr:suburb', rankMin: 17, rankMax: 22 },
  { key: 'addr:hamlet', rankMin: 17, rankMax: 25 },
  { key: 'addr:quarter', rankMin: 20, rankMax: 25 },
  { key: 'addr:neighbourhood', rankMin: 20, rankMax: 25 },
];
/** How far away a place named by a tag may be: the reach of a town, about 0.16 degrees. */
const NAMED_METRES = 18_000;

/** A point that needs an address. */
export interface RowPoint {
  /** Units. */
  x: number;
  y: number;
  /** ISO 3166-1 alpha-2, lower case. */
  countryCode: string;
}

/** Order within a rank. */
const NAMED = 0;
const POLYGON = 1;
const NODE = 2;

interface Candidate {
  area: Area;
  order: typeof NAMED | typeof POLYGON | typeof NODE;
  metres: number;
}

/** A place that an object names as a row of its address. */
export interface Naming {
  /** The tag. */
  key: string;
  name: string;
  /** Undefined if there is no such place nearby. */
  area: Area | undefined;
}

/** What an object's tags name as rows of its address, in the order of the tags in an address. */
export function namingsOf(areas: KnownAreas, tags: Tags, point: RowPoint): Naming[] {
  const namings: Naming[] = [];
  for (const tag of NAMING_TAGS) {
    const name = tags[tag.key];
    if (name !== undefined) namings.push({ key: tag.key, name, area: nearestNamed(areas, name, tag, point) });
  }
  return namings;
}

/** The places of namings that exist nearby. */
export function areasOf(namings: readonly Naming[]): Area[] {
  const areas: Area[] = [];
  for (const { area } of namings) if (area !== undefined) areas.push(area);
  return areas;
}

/**
 * The places that an object's tags name as rows of its address.
 * @returns only those that exist nearby
 */
export function namedRows(areas: KnownAreas, tags: Tags, point: RowPoint): Area[] {
  return areasOf(namingsOf(areas, tags, point));
}

/** The nearest place with a name that a tag may give. */
function nearestNamed(
  areas: KnownAreas,
  name: string,
  { rankMin, rankMax }: NamingTag,
  { x, y, countryCode }: RowPoint,
): Area | undefined {
  let nearest: Area | undefined;
  let nearestMetres = NAMED_METRES;
  for (const area of areas.named(matchKeyOf(name))) {
    if (!isRow(area, rankMax + 1) || area.addressRank < rankMin || area.countryCode !== countryCode) continue;
    const metres = area.polygon?.contains(x, y) ? -1 : metresBetween(area.x, area.y, x, y);
    if (metres >= nearestMetres) continue;
    nearest = area;
    nearestMetres = metres;
  }
  return nearest;
}

/**
 * The rows of the address of a point.
 * @param rankEnd only places with a lower address rank are taken
 * @param named places that the object itself names
 * @returns from small to large
 */
export function rowsAt(areas: KnownAreas, point: RowPoint, rankEnd: number, named: readonly Area[]): Area[] {
  const { x, y, countryCode } = point;
  const candidates: Candidate[] = [];
  for (const area of named) if (area.addressRank < rankEnd) candidates.push({ area, order: NAMED, metres: 0 });
  for (const area of areas.containing(x, y)) {
    if (isRow(area, rankEnd)) candidates.push({ area, order: POLYGON, metres: metresBetween(area.x, area.y, x, y) });
  }
  for (const area of areas.nodesNear(x, y)) {
    if (isRow(area, rankEnd) && area.countryCode === countryCode)
      candidates.push({ area, order: NODE, metres: metresBetween(area.x, area.y, x, y) });
  }
  candidates.sort((a, b) => a.area.addressRank - b.area.addressRank || a.order - b.order || a.metres - b.metres);

  const rows: Area[] = [];
  let rank = 0;
  let smallest: Area | undefined;
  for (const { area, order } of candidates) {
    if (area.addressRank === rank) continue;
    if (order === NODE && smallest?.polygon?.contains(area.x, area.y) === false) continue;
    rank = area.addressRank;
    rows.push(area);
    if (area.polygon?.contains(x, y)) smallest = area;
  }
  return rows.reverse();
}

/** True for a stored area that may be in an address above a rank. */
function isRow(area: Area, rankEnd: number): boolean {
  return (
    area.id > 0 &&
    area.addressRank > 0 &&
    area.addressRank < rankEnd &&
    area.addressRank <= RANK_AREA_MAX &&
    area.type !== POSTAL_CODE
  );
}
