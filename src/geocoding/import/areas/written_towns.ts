// What people write as the town of their address.
//
// Borders and labels do not say it. The houses of Nendeln lie in the municipality of Eschen and write Nendeln; those of
// Mäls lie in Balzers and write Balzers. And where an extract is cut, no border holds the town at all. So houses that
// name their city (`addr:city`) answer for those around them: the country is cut into squares, and what most houses of
// a square and its eight neighbours write is the town of all of them. Only houses of the same municipality count.

import { UNITS_PER_DEGREE } from '../../../geo/units.ts';
import type { Place } from '../../../tables/places/place.ts';
import { RANK_CITY, RANK_MUNICIPALITY } from '../../../tables/places/ranks.ts';
import { SETTLEMENT_KEYS } from '../../address/address_key.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import type { Tags } from '../osm/features.ts';
import type { Area, KnownAreas } from './known_areas.ts';
import { namedRows, type RowPoint } from './rows.ts';

const CITY_KEY = 'addr:city';
/** Side of a square: about two hundred metres. */
const SQUARE_UNITS = 0.002 * UNITS_PER_DEGREE;
const NEIGHBOURS = [-1, 0, 1];
/** More than the number of squares around the Earth. */
const ROW_SQUARES = 1_000_000;
/**
 * So many houses must write a town that the map does not have where a border says which town it is; fewer may be
 * mistyped.
 */
const UNKNOWN_HOUSES_MIN = 5;

/** The town of an address as it is written. */
interface WrittenTown {
  name: string;
  /** The area of that name; undefined if the map has none. */
  area: Area | undefined;
}

interface Counted {
  /** As the first of the houses spells it. */
  name: string;
  houses: number;
}

/** Houses by the town that they write. */
export class WrittenTowns {
  private readonly areas: KnownAreas;
  /** By square: towns by municipality and match key. */
  private readonly squares = new Map<number, Map<string, Counted>>();

  constructor(areas: KnownAreas) {
    this.areas = areas;
  }

  /** Counts a house that names its town. */
  note(tags: Tags, point: RowPoint): void {
    const name = tags[CITY_KEY];
    const match = name === undefined ? '' : matchKeyOf(name);
    if (match === '') return;
    const square = squareOf(point.x, point.y);
    const towns = this.squares.get(square) ?? new Map<string, Counted>();
    this.squares.set(square, towns);
    const key = `${this.municipalityAt(point)},${match}`;
    const town = towns.get(key);
    if (town === undefined) towns.set(key, { name: name!, houses: 1 });
    else town.houses++;
  }

  /**
   * The town of an object: its own if the map has it, otherwise that of the houses around. @returns undefined if
   * borders and labels shall say it
   */
  of(tags: Tags, point: RowPoint): WrittenTown | undefined {
    const own = tags[CITY_KEY];
    const ownArea = this.areaOf(own, point);
    if (ownArea !== undefined) return { name: ownArea.names.name ?? own!, area: ownArea };
    const around = this.around(point);
    const area = this.areaOf(around?.name, point);
    // Houses speak for their neighbours about settlements; a suburb is only in the addresses that name it.
    if (area !== undefined && isSettlement(area) && area.polygon?.contains(point.x, point.y) !== false) {
      return { name: area.names.name ?? around!.name, area };
    }
    const hasBorder = this.areas.containing(point.x, point.y).some(isSettlement);
    if (around !== undefined && area === undefined && (!hasBorder || around.houses >= UNKNOWN_HOUSES_MIN)) {
      return { name: around.name, area: undefined };
    }
    return own === undefined || hasBorder ? undefined : { name: own, area: undefined };
  }

  /** The town that more than half of the houses around a point write. */
  private around(point: RowPoint): Counted | undefined {
    const { x, y } = point;
    const municipality = `${this.municipalityAt(point)},`;
    const towns = new Map<string, Counted>();
    let all = 0;
    for (const row of NEIGHBOURS) {
      for (const column of NEIGHBOURS) {
        for (const [key, { name, houses }] of this.squares.get(
          squareOf(x + column * SQUARE_UNITS, y + row * SQUARE_UNITS),
        ) ?? []) {
          if (!key.startsWith(municipality)) continue;
          const sum = towns.get(key) ?? { name, houses: 0 };
          towns.set(key, { name: sum.name, houses: sum.houses + houses });
          all += houses;
        }
      }
    }
    for (const town of towns.values()) if (2 * town.houses > all) return town;
    return undefined;
  }

  private areaOf(name: string | undefined, point: RowPoint): Area | undefined {
    return name === undefined ? undefined : namedRows(this.areas, { [CITY_KEY]: name }, point)[0];
  }

  /** Country and municipality of a point. */
  private municipalityAt({ x, y, countryCode }: RowPoint): string {
    let smallest: Area | undefined;
    for (const area of this.areas.containing(x, y)) {
      if (area.addressRank < RANK_MUNICIPALITY || area.addressRank > RANK_CITY) continue;
      if (smallest === undefined || area.addressRank > smallest.addressRank) smallest = area;
    }
    return `${countryCode} ${smallest?.osmId ?? ''}`;
  }
}

/**
 * The town of an address where it is not the largest settlement of its rows, or where that is only a label, which
 * houses confirm; otherwise empty.
 * @param rows from small to large
 */
export function townFallback(town: WrittenTown | undefined, rows: readonly (Area | undefined)[]): Place['town'] {
  if (town === undefined) return '';
  if (town.area === undefined) return town.name;
  const largest = rows.findLast(row => row !== undefined && isSettlement(row));
  return largest === town.area && largest.polygon !== undefined ? '' : town.name;
}

function isSettlement({ category, type, linkedPlace, addressRank }: Area): boolean {
  if (SETTLEMENT_KEYS.has(linkedPlace)) return true;
  return category === 'place' ? SETTLEMENT_KEYS.has(type) : category === 'boundary' && addressRank === RANK_CITY;
}

function squareOf(x: number, y: number): number {
  return Math.floor(y / SQUARE_UNITS) * ROW_SQUARES + Math.floor(x / SQUARE_UNITS);
}
