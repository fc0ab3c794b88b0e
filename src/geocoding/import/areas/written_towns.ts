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
import { NumberList } from '../../index/section.ts';
import { numberIn } from '../../search/word_index/columns.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import type { Tags } from '../osm/features.ts';
import { IdTable } from '../osm/id_table.ts';
import type { Area, KnownAreas } from './known_areas.ts';
import { type Naming, namedRows, type RowPoint } from './rows.ts';

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

/** Numbers of an entry: a town in a square, its name as the first house there spells it, the houses, the next entry. */
const ENTRY_NUMBERS = 4;

/** Houses by the town that they write. */
export class WrittenTowns {
  private readonly areas: KnownAreas;
  /** First entry of each square. */
  private readonly squares = new IdTable();
  private readonly entries = new NumberList(Uint32Array);
  /** Numbers of towns, by municipality and match key, and the number of the municipality of each. */
  private readonly towns = new Map<string, number>();
  private readonly municipalityOf: number[] = [];
  private readonly municipalities = new Map<string, number>();
  private readonly names = new Map<string, number>();
  private readonly nameTexts: string[] = [];

  constructor(areas: KnownAreas) {
    this.areas = areas;
  }

  /** Counts a house that names its town. */
  note(tags: Tags, point: RowPoint): void {
    const name = tags[CITY_KEY];
    const match = name === undefined ? '' : matchKeyOf(name);
    if (match === '') return;
    const municipality = this.municipalityAt(point);
    const town = numberIn(this.towns, `${municipality},${match}`);
    if (town === this.municipalityOf.length) this.municipalityOf.push(numberIn(this.municipalities, municipality));
    const square = squareOf(point.x, point.y);
    const first = this.squares.get(square);
    for (let at = first; at >= 0; at = this.next(at)) {
      if (this.entries.values()[at * ENTRY_NUMBERS] !== town) continue;
      this.entries.values()[at * ENTRY_NUMBERS + 2]++;
      return;
    }
    const number = numberIn(this.names, name!);
    if (number === this.nameTexts.length) this.nameTexts.push(name!);
    this.squares.set(square, this.entries.length / ENTRY_NUMBERS);
    this.entries.push(town, number, 1, first + 1);
  }

  /** The entry after another one of its square; -1 after the last. */
  private next(at: number): number {
    return this.entries.values()[at * ENTRY_NUMBERS + 3] - 1;
  }

  /**
   * The town of an object: its own if the map has it, otherwise that of the houses around. @param namings of its tags
   * @returns undefined if borders and labels shall say it
   */
  of(namings: readonly Naming[], point: RowPoint): WrittenTown | undefined {
    const { name: own, area: ownArea } = namings.find(({ key }) => key === CITY_KEY) ?? {};
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
    const municipality = this.municipalities.get(this.municipalityAt(point));
    const entries = this.entries.values();
    const towns = new Map<number, Counted>();
    let all = 0;
    for (const row of NEIGHBOURS) {
      for (const column of NEIGHBOURS) {
        const square = squareOf(x + column * SQUARE_UNITS, y + row * SQUARE_UNITS);
        for (let at = this.squares.get(square); at >= 0; at = this.next(at)) {
          const [town, name, houses] = entries.subarray(at * ENTRY_NUMBERS, (at + 1) * ENTRY_NUMBERS);
          if (this.municipalityOf[town] !== municipality) continue;
          const sum = towns.get(town);
          if (sum === undefined) towns.set(town, { name: this.nameTexts[name], houses });
          else sum.houses += houses;
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
