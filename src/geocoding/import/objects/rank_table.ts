// The ranks (tables/places/ranks.ts) of places by their tags, read from data/ranks.csv. A country whose administrative
// levels differ has rows of its own. Whatever no row matches has rank 30.

import { readFileSync } from 'node:fs';
import type { Geometry } from '../../../geo/rings.ts';
import { RANK_HOUSE } from '../../../tables/places/ranks.ts';
import type { Tags } from '../osm/features.ts';

/** Ranks of a place, 0..30 each; address rank 0 means that it is in no address. */
export interface Ranks {
  searchRank: number;
  addressRank: number;
}

/** A key of the table. */
interface RankedKind {
  category: string;
  type: string;
  tags: Tags;
  shape: Geometry['kind'];
  /** ISO 3166-1 alpha-2, lower case; may be empty. */
  countryCode: string;
}

interface Row extends Ranks {
  /** Half the side of the box around a node, degrees. */
  boxDegrees: number;
}

/** Half the side of the box around a node of unknown extent, degrees. */
const BOX_DEGREES = 0.00005;

const HOUSE: Row = { searchRank: RANK_HOUSE, addressRank: RANK_HOUSE, boxDegrees: BOX_DEGREES };

/** Rows by country, category, type and level: a text of all four would be made anew for each question. */
type RankTable = Map<string, Map<string, Map<string, Map<string, Row>>>>;

let table: RankTable | undefined;

/** The ranks of a place by its tags. `capital=yes` improves the search rank by one. */
export function ranksOf({ category, type, tags, shape, countryCode }: RankedKind): Ranks {
  // A highway node, such as a bus stop, is not a road.
  if (category === 'highway' && shape === 'point') return HOUSE;
  // The tag `water` refines natural=water.
  const { searchRank, addressRank } =
    category === 'natural' && type === 'water' && tags.water !== undefined
      ? (rowOf('water', tags.water, '', '') ?? find(category, type, '', countryCode))
      : find(category, type, tags.admin_level ?? '', countryCode);
  const isCapital =
    tags.capital === 'yes' && (category === 'place' || category === 'boundary') && searchRank < RANK_HOUSE;
  return { searchRank: isCapital ? searchRank - 1 : searchRank, addressRank };
}

/** Half the side of the box that approximates the extent of a node, degrees. */
export function boxDegreesOf(category: string, type: string): number {
  return rowOf(category, type, '', '')?.boxDegrees ?? BOX_DEGREES;
}

/** True for values of `highway` that are roads. */
export function isRoadType(type: string): boolean {
  return type !== '*' && rowOf('highway', type, '', '') !== undefined;
}

function find(category: string, type: string, level: string, countryCode: string): Row {
  const levelOf = category === 'boundary' && type === 'administrative' ? level : '';
  return (
    rowOf(category, type, levelOf, countryCode) ??
    rowOf(category, type, levelOf, '') ??
    (levelOf === '' ? rowOf(category, '*', '', '') : undefined) ??
    HOUSE
  );
}

function rowOf(category: string, type: string, level: string, countryCode: string): Row | undefined {
  table ??= loadTable();
  return table.get(countryCode)?.get(category)?.get(type)?.get(level);
}

/**
 * data/ranks.csv: countries separated by spaces, category, type (`*` = all others), administrative level, ranks, box in
 * degrees.
 */
function loadTable(): RankTable {
  const lines = readFileSync(new URL('../../../../data/ranks.csv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1);
  const rows: RankTable = new Map();
  for (const line of lines) {
    const [countries, category, type, level, search, address, box] = line.split(',');
    const row = {
      searchRank: Number(search),
      addressRank: Number(address),
      boxDegrees: box === '' ? BOX_DEGREES : Number(box),
    };
    for (const country of countries.split(' ')) mapIn(mapIn(mapIn(rows, country), category), type).set(level, row);
  }
  return rows;
}

/** The map under a key of another one, a new one if there is none. */
function mapIn<T>(maps: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const known = maps.get(key) ?? new Map<string, T>();
  maps.set(key, known);
  return known;
}
