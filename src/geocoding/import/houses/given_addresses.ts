// The addresses that sources give beside the map, while places are built from both. A house that several have (its
// number, its street, at most 60 metres apart) is one place, which names them all: that of the map if it has it,
// otherwise that of the source that was imported first.
//
// They are read three times: streets and towns are surveyed; once the roads are known, houses are entered by the road
// that they name; and those that no house of the map has met are stored.

import { unitsOf } from '../../../geo/units.ts';
import { MAP_SOURCE, SOURCE_SEPARATOR } from '../../../tables/places/licences.ts';
import type { Place } from '../../../tables/places/place.ts';
import { NumberList } from '../../index/section.ts';
import { numberIn } from '../../search/word_index/columns.ts';
import { houseNumbersOf } from '../../search/words/house_number.ts';
import { metresBetween } from '../areas/known_areas.ts';
import type { PostcodeCentroid } from '../areas/postcodes.ts';
import { readPostcode } from '../areas/postcodes.ts';
import { matchKeyOf } from '../objects/match_key.ts';
import type { OsmFeature } from '../osm/features.ts';
import { IdTable } from '../osm/id_table.ts';
import { type AddressSource, readAddressFile } from './address_file.ts';
import { OwnStreets } from './own_streets.ts';
import { namedParentOf, type ParentSources } from './parents.ts';

/** A house may be placed at its door or in its middle. */
const SAME_METRES = 60;
/** More than there are ways to write a house number. */
const NUMBERS = 2 ** 22;
const NUMBERS_KEPT = 50_000;
/** Numbers of a house: longitude, latitude, sources, the next of the same address or -1, 1 if it is another one. */
const HOUSE_NUMBERS = 5;
const SOURCES = 2;
const NEXT = 3;
const IS_JOINED = 4;

/** A house or street that was given, and who gave it. */
export interface GivenFeature {
  feature: OsmFeature;
  /** Names, separated. */
  source: string;
}

/** A postcode of a source, with the name of its place. */
export interface GivenPostcode extends PostcodeCentroid {
  city: string;
  source: string;
}

/** All addresses of some sources. */
export class GivenAddresses {
  /** Rows of houses that are one with another house. */
  joined = 0;
  /** Streets that no road of the map has. */
  ownStreets = 0;
  private readonly sources: readonly AddressSource[];
  private readonly streets = new OwnStreets();
  private readonly names = new SourceNames();
  /** HOUSE_NUMBERS of each, in the order of all files. */
  private readonly houses = new NumberList(Int32Array);
  private readonly byAddress = new IdTable();
  private readonly numbers = new Map<string, number>();
  private readonly streetNumbers = new Map<string, number>();
  private readonly numberKeys = new Map<string, readonly string[]>();

  constructor(sources: readonly AddressSource[]) {
    this.sources = sources;
  }

  /** Houses of all sources. */
  get count(): number {
    return this.sources.reduce((sum, { isPostcodes, count }) => sum + (isPostcodes ? 0 : count), 0);
  }

  private *read(isPostcodes: boolean): Generator<{ feature: OsmFeature; sources: number }> {
    for (const source of this.sources) {
      if (source.isPostcodes !== isPostcodes) continue;
      const sources = this.names.numberOf(source.name);
      for (const feature of readAddressFile(source)) yield { feature, sources };
    }
  }

  /** All houses, whose streets are noted. */
  *surveyed(): Generator<OsmFeature> {
    for (const { feature, sources } of this.read(false)) {
      const { tags, longitude, latitude } = feature;
      this.streets.note(tags, unitsOf(longitude), unitsOf(latitude), sources, this.names.join);
      yield feature;
    }
  }

  /** The map has a road. */
  meetRoad(road: OsmFeature): void {
    if (this.sources.length > 0) this.streets.meetRoad(road);
  }

  /** The streets of houses that no road of the map has. */
  *streetsLeft(): Generator<GivenFeature> {
    for (const { feature, sources } of this.streets.left()) {
      this.ownStreets++;
      yield { feature, source: this.names.text(sources) };
    }
  }

  /** Enters all houses by what they belong to. */
  enter(surroundings: ParentSources): void {
    for (const { feature, sources } of this.read(false)) {
      const { tags, longitude, latitude, type, id } = feature;
      const [x, y] = [unitsOf(longitude), unitsOf(latitude)];
      const parent = namedParentOf({ type, id, tags, x, y }, surroundings);
      const street = this.streetNumber(parent?.id ?? 0, tags['addr:street'] ?? tags['addr:place'] ?? '', surroundings);
      const row = this.houses.length / HOUSE_NUMBERS;
      const [key] = this.keysOf(tags['addr:housenumber'], '');
      const address = street * NUMBERS + numberIn(this.numbers, key ?? '');
      const first = this.byAddress.get(address);
      const same = this.near(first, x, y);
      if (same >= 0) this.addSource(same, sources);
      this.houses.push(x, y, sources, first, same >= 0 ? 1 : 0);
      if (same < 0) this.byAddress.set(address, row);
      else this.joined++;
    }
  }

  /** A house of the map is met. @returns the names of all sources that have it; empty if only the map does */
  meet(place: Place, surroundings: ParentSources): string {
    if (this.byAddress.size === 0 || place.houseNumber === '' || place.isAddressInherited) return '';
    const { parent, street, latitude, longitude, countryCode } = place;
    const [x, y] = [unitsOf(longitude), unitsOf(latitude)];
    const number = this.streetNumber(street === '' ? parent : 0, street, surroundings);
    const houses = this.houses.values();
    let sources = this.names.numberOf(MAP_SOURCE);
    let isMet = false;
    for (const key of this.keysOf(place.houseNumber, countryCode)) {
      const known = this.numbers.get(key);
      const first = known === undefined ? -1 : this.byAddress.get(number * NUMBERS + known);
      for (let row = this.near(first, x, y); row >= 0; row = this.near(houses[row * HOUSE_NUMBERS + NEXT], x, y)) {
        isMet = true;
        sources = this.names.join(sources, houses[row * HOUSE_NUMBERS + SOURCES]);
        this.joined += 1 - houses[row * HOUSE_NUMBERS + IS_JOINED];
        houses[row * HOUSE_NUMBERS + IS_JOINED] = 1;
      }
    }
    return isMet ? this.names.text(sources) : '';
  }

  /** The houses that nothing before them was. */
  *housesLeft(): Generator<GivenFeature> {
    const houses = this.houses.values();
    let at = 0;
    for (const { feature } of this.read(false)) {
      if (houses[at + IS_JOINED] === 0) yield { feature, source: this.names.text(houses[at + SOURCES]) };
      at += HOUSE_NUMBERS;
    }
  }

  /** Postcodes that no house has. @param centroids of those that houses have */
  *postcodesLeft(
    centroids: readonly PostcodeCentroid[],
    countryAt: (x: number, y: number) => string,
  ): Generator<GivenPostcode> {
    const known = new Set(centroids.map(({ countryCode, postcode }) => `${countryCode},${postcode}`));
    for (const { feature, sources } of this.read(true)) {
      const [x, y] = [unitsOf(feature.longitude), unitsOf(feature.latitude)];
      const countryCode = countryAt(x, y);
      const postcode = readPostcode(feature.tags['addr:postcode'], countryCode);
      const key = `${countryCode},${postcode}`;
      if (postcode === '' || known.has(key)) continue;
      known.add(key);
      const city = feature.tags['addr:city'] ?? '';
      yield { countryCode, postcode, x, y, city, source: this.names.text(sources) };
    }
  }

  /** A number for what houses belong to: streets of one name have one. @param street where it is not the parent */
  private streetNumber(parent: number, street: string, { roads }: ParentSources): number {
    const name = parent === 0 ? matchKeyOf(street) : (roads.nameKeyOf(parent) ?? `#${parent}`);
    return numberIn(this.streetNumbers, name);
  }

  /** The house of a chain that is the same; -1 if none is. */
  private near(first: number, x: number, y: number): number {
    const houses = this.houses.values();
    for (let row = first; row >= 0; row = houses[row * HOUSE_NUMBERS + NEXT]) {
      const at = row * HOUSE_NUMBERS;
      if (metresBetween(houses[at], houses[at + 1], x, y) <= SAME_METRES) return row;
    }
    return -1;
  }

  private addSource(row: number, sources: number): void {
    const at = row * HOUSE_NUMBERS + SOURCES;
    this.houses.values()[at] = this.names.join(this.houses.values()[at], sources);
  }

  /** The numbers that a house has, in the form that is compared. */
  private keysOf(number: string, countryCode: string): readonly string[] {
    const asked = `${countryCode} ${number}`;
    const known = this.numberKeys.get(asked);
    if (known !== undefined) return known;
    const keys = houseNumbersOf(number, countryCode).flatMap(({ key, isInRange }) => (isInRange ? [] : [key]));
    if (this.numberKeys.size === NUMBERS_KEPT) this.numberKeys.clear();
    this.numberKeys.set(asked, keys);
    return keys;
  }
}

/** Lists of names of sources, each with a number. */
class SourceNames {
  private readonly lists: (readonly string[])[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly joins = new Map<number, number>();

  numberOf(...names: string[]): number {
    const number = numberIn(this.numbers, names.join('\n'));
    if (number === this.lists.length) this.lists.push(names);
    return number;
  }

  /** The number of a list with the names of both. */
  readonly join = (a: number, b: number): number => {
    if (a === b) return a;
    const pair = a * NUMBERS + b;
    const known = this.joins.get(pair);
    if (known !== undefined) return known;
    const joined = this.numberOf(...new Set([...this.lists[a], ...this.lists[b]]));
    this.joins.set(pair, joined);
    return joined;
  };

  text(number: number): string {
    return this.lists[number].join(SOURCE_SEPARATOR);
  }
}
