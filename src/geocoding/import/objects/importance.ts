// How well known an object of the map is, from 0 to 1: larger places by their rank, and what has none beyond that of a
// house by its class (data/importance.csv). What an encyclopedia describes is known better than others of its class.
// Tables of importance, if some were imported, raise what they know by its item of Wikidata.
//
// The values of classes stay below those of settlements where objects have the name of their town (a station), and at
// zero where they have the name of what they stand beside (a bus stop).

import { readFileSync } from 'node:fs';
import type { ImportanceTable } from '../../../tables/places/importance_table.ts';
import type { Place } from '../../../tables/places/place.ts';
import { RANK_HOUSE } from '../../../tables/places/ranks.ts';
import { WELL_KNOWN } from '../../search/rank.ts';
import type { Tags } from '../osm/features.ts';
import { isNamed } from './tags.ts';

/** The importance of rank 0, and the number of ranks in which importance falls by 1. */
const IMPORTANCE_MAX = 0.40001;
const RANKS_OF_IMPORTANCE = 75;
/** Tags by which an encyclopedia is known to describe an object, and what each adds to a class of importance 1. */
const NOTABLE_TAGS: readonly (readonly [tag: string, share: number])[] = [
  ['wikidata', 0.4],
  ['wikipedia', 0.4],
];
/** Tag of the items of Wikidata that an object is, mostly one (Q64), and their numbers in it. */
const ITEM_TAG = 'wikidata';
const ITEMS = /(?<=\bQ)[1-9]\d*\b/g;
/** All other types of a category. */
const OTHER_TYPES = '*';

let table: ReadonlyMap<string, number> | undefined;

/** The importance of an object, 0..1. */
export function importanceOf(
  { category, type, searchRank }: Pick<Place, 'category' | 'type' | 'searchRank'>,
  tags: Tags,
): number {
  const byRank = Math.max(0, IMPORTANCE_MAX - searchRank / RANKS_OF_IMPORTANCE);
  if (searchRank < RANK_HOUSE || !isNamed(tags)) return byRank;
  table ??= loadTable();
  const ofClass = table.get(`${category},${type}`) ?? table.get(`${category},${OTHER_TYPES}`) ?? byRank;
  return NOTABLE_TAGS.reduce((sum, [tag, share]) => sum + (tags[tag] === undefined ? 0 : share * ofClass), ofClass);
}

/**
 * Raises the importance of a place to what the tables say of its items, if that is more: the greatest counts, so their
 * order does not matter. @returns false if no table knows it
 */
export function raiseImportance(place: Place, tables: readonly ImportanceTable[]): boolean {
  if (tables.length === 0 || place.tags[ITEM_TAG] === undefined) return false;
  const items = place.tags[ITEM_TAG].match(ITEMS) ?? [];
  const said = items.flatMap(item => tables.map(table => table.importanceOf(Number(item)) ?? -1));
  const most = Math.max(-1, ...said);
  place.importance = Math.max(place.importance, WELL_KNOWN * most);
  return most >= 0;
}

/** data/importance.csv: category, type, importance, reason. */
function loadTable(): ReadonlyMap<string, number> {
  const csv = readFileSync(new URL('../../../../data/importance.csv', import.meta.url), 'utf8');
  const rows = csv.trim().split('\n').slice(1);
  return new Map(
    rows.map(row => {
      const [category, type, importance] = row.split(',');
      return [`${category},${type}`, Number(importance)];
    }),
  );
}
