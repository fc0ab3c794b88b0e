// Collects the names of places while a layer is built, and writes the index of words at the end (layout.ts).
//
// What grows with the number of places is in typed arrays outside the heap: 4 bytes a place, about 80 a document with
// its names. Houses are on disk. The heap holds only the distinct words and house numbers.

import type { Geometry } from '../../../geo/rings.ts';
import { UNITS_PER_DEGREE, unitsOf } from '../../../geo/units.ts';
import type { LayerWriter } from '../../../tables/places/layer.ts';
import type { Place } from '../../../tables/places/place.ts';
import {
  isRoad,
  RANK_AREA_MAX,
  RANK_CITY,
  RANK_COUNTRY,
  RANK_MUNICIPALITY,
  RANK_PATH,
  RANK_ROAD,
} from '../../../tables/places/ranks.ts';
import { bytesOf } from '../../index/section.ts';
import { countryNames, mainCountryNames } from '../words/country_words.ts';
import { wordsOf } from '../words/text.ts';
import { AreaSets } from './area_sets.ts';
import { GrowingWords, HashTable, hashOf } from './columns.ts';
import { DocumentTable, EMPTY_DOCUMENT } from './document_table.ts';
import { HouseTables, KindTables } from './house_tables.ts';
import {
  countryNumber,
  DOCUMENT_COUNTRY,
  DOCUMENT_LATITUDE,
  DOCUMENT_LONGITUDE,
  DOCUMENT_NAMES,
  DOCUMENT_PLACE,
  DOCUMENT_SET,
  HAS_HOUSES,
  SPELLING_NAME,
  SPELLING_OTHER,
} from './layout.ts';
import { DocumentLists } from './lists.ts';
import { aroundSpellings, nameSpellings, postcodeSpelling, type Spelling, spellingsOf } from './name_spellings.ts';
import { WordTables } from './word_tables.ts';

/** Tags besides the main one by whose values places are found: a sushi bar, a tennis court, a mosque. */
export const SEARCHED_TAGS: readonly string[] = ['cuisine', 'sport', 'religion'];
/** Values of such a tag of one place. */
const VALUES_MAX = 8;
/** Streets of one name that are in no area are one street within a square of this size, degrees. */
const LONELY_DEGREES = 0.05;
/** Size of the way that represents a street, units. It uses the word that will hold the names at the end. */
const STREET_EXTENT = DOCUMENT_NAMES;

/** Builds the index of words of one layer. */
export class SearchIndexBuilder {
  private readonly words = new WordTables();
  private readonly documents = new DocumentTable();
  private readonly documentOfPlace = new GrowingWords();
  private readonly sets = new AreaSets();
  private readonly streetOfHash = new HashTable();
  private readonly countries = new Map<number, number>();
  private readonly kinds = new KindTables();
  private readonly houses: HouseTables;

  /** @param scratchFolder existing */
  constructor(scratchFolder: string) {
    this.houses = new HouseTables(scratchFolder);
    this.documentOfPlace.push(0);
  }

  /** Adds the next place. @param id 1, 2, 3 ...; the places it refers to were added before */
  add(id: number, place: Place, geometry: Geometry): void {
    if (id !== this.documentOfPlace.length)
      throw new Error(`Place ${id} came where ${this.documentOfPlace.length} was to come.`);
    const country = this.countryOf(place);
    const spellings = nameSpellings(place);
    const document = isHouseOnly(place, spellings) ? 0 : this.addPlace(id, place, spellings, country);
    this.documentOfPlace.push(document);
    const isHouse = place.houseNumber !== '' && !place.isAddressInherited;
    if (isHouse || place.houseRange !== undefined) this.addHouse(id, place, geometry);
  }

  /** The number of the place's country, whose names are added at first sight. */
  private countryOf(place: Place): number {
    const country = countryNumber(place.countryCode);
    if (country === 0 || this.countries.has(country)) return country;
    const isItself = place.addressRank === RANK_COUNTRY && place.category !== 'highway';
    const document = isItself ? this.documents.count : this.documents.add({ ...EMPTY_DOCUMENT, country });
    this.countries.set(country, document);
    const main = mainCountryNames(place.countryCode);
    for (const name of [...main, ...countryNames(place.countryCode)])
      this.words.addOnce(document, { kind: main.has(name) ? SPELLING_NAME : SPELLING_OTHER, words: wordsOf(name) });
    return country;
  }

  private addPlace(id: number, place: Place, spellings: readonly Spelling[], country: number): number {
    const set = this.setOf(place);
    const isStreet = isRoad(place.searchRank) && spellings.length > 0;
    const document = isStreet
      ? this.addStreet(id, place, spellings[0], set, country)
      : this.documents.add({ id, place, set, country, parent: this.parentOf(place) });
    for (const spelling of spellings) {
      if (isStreet) this.words.addOnce(document, spelling);
      else this.words.add(document, spelling);
    }
    const postcode = postcodeSpelling(place.postcode);
    if (postcode !== undefined) {
      this.words.addOnce(document, postcode);
      // The name of a postcode is its code.
      if (isPostcode(place)) this.words.addOnce(document, { kind: SPELLING_NAME, words: postcode.words });
    }
    for (const spelling of aroundSpellings(place)) this.words.addOnce(document, spelling);
    if (!isStreet && isKind(place)) this.addKinds(place, document);
    return document;
  }

  private addKinds({ category, type, tags }: Place, document: number): void {
    this.kinds.add(`${category}=${type}`, document);
    for (const key of SEARCHED_TAGS) {
      const values = new Set(tags[key]?.split(';', VALUES_MAX).map(value => value.trim().toLowerCase()));
      for (const value of values) this.kinds.add(`${key}=${value}`, document);
    }
  }

  /**
   * The street of a place: its road, or what it names itself and the map does not have: a street, or the part of a town
   * whose blocks are counted.
   */
  private parentOf(place: Place): number {
    const name = place.street || (place.cityBlock === '' ? '' : place.quarter + place.neighbourhood);
    return name === '' ? this.roadOf(place) : this.unmappedStreet(place, name);
  }

  private roadOf({ parent }: Place): number {
    return parent === 0 ? 0 : this.documentOfPlace.get(parent);
  }

  /** A street that only its houses name: no place represents it. */
  private unmappedStreet(place: Place, name: string): number {
    const spellings = spellingsOf(name);
    const road = this.roadOf(place);
    if (spellings.length === 0) return road;
    // A block may have no street, but an area around it.
    const isInArea = place.rows.length === 0 && road !== 0 && this.documents.searchRank(road) <= RANK_AREA_MAX;
    const areas = isInArea ? [road, ...this.sets.areas(this.documents.get(road, DOCUMENT_SET))] : [];
    const set = isInArea ? this.sets.numberOf(areas) : this.setOf(place);
    const hash = hashOf([...this.municipalityOf(place, set), ...this.words.tokensOf(spellings[0])]);
    const known = this.streetOfHash.get(hash);
    if (known !== 0) return known;
    const { latitude, longitude } = place;
    const street = { latitude, longitude, searchRank: RANK_ROAD, addressRank: RANK_ROAD, importance: 0 };
    const document = this.documents.add({
      id: 0,
      place: street,
      set,
      country: countryNumber(place.countryCode),
      parent: 0,
    });
    this.streetOfHash.set(hash, document);
    for (const spelling of spellings) this.words.add(document, spelling);
    return document;
  }

  /** All ways of one name in one municipality are one document, represented by the largest. */
  private addStreet(id: number, place: Place, name: Spelling, set: number, country: number): number {
    const hash = hashOf([...this.municipalityOf(place, set), ...this.words.tokensOf(name)]);
    const extent = Math.round((place.north - place.south + place.east - place.west) * UNITS_PER_DEGREE);
    const known = this.streetOfHash.get(hash);
    if (known === 0) {
      const document = this.documents.add({ id, place, set, country, parent: 0 });
      this.streetOfHash.set(hash, document);
      this.documents.set(document, STREET_EXTENT, extent);
      return document;
    }
    if (extent > this.documents.get(known, STREET_EXTENT)) {
      this.documents.set(known, STREET_EXTENT, extent);
      this.documents.set(known, DOCUMENT_PLACE, id);
      this.documents.set(known, DOCUMENT_LATITUDE, unitsOf(place.latitude));
      this.documents.set(known, DOCUMENT_LONGITUDE, unitsOf(place.longitude));
    }
    const areas = [...this.sets.areas(this.documents.get(known, DOCUMENT_SET)), ...this.sets.areas(set)];
    this.documents.set(known, DOCUMENT_SET, this.sets.numberOf(areas));
    return known;
  }

  /**
   * What tells apart streets of one name: the municipality, the largest of several, and no community of municipalities;
   * else what is nearest to one.
   */
  private municipalityOf(place: Pick<Place, 'latitude' | 'longitude'>, set: number): number[] {
    const areas = this.sets.areas(set).map(area => ({ area, rank: this.documents.addressRank(area) }));
    const municipal = areas.map(({ rank }) => rank).filter(rank => rank >= RANK_MUNICIPALITY && rank <= RANK_CITY);
    const finest = Math.max(...municipal);
    const found =
      areas.findLast(({ rank }) => rank === finest) ??
      areas.find(({ rank }) => rank > RANK_COUNTRY && rank < RANK_MUNICIPALITY) ??
      areas.findLast(({ rank }) => rank > RANK_CITY);
    if (found !== undefined) return [found.area];
    return [0, Math.round(place.latitude / LONELY_DEGREES), Math.round(place.longitude / LONELY_DEGREES)];
  }

  /** Where the set of areas around a place begins. */
  private setOf(place: Place): number {
    if (place.rows.length > 0) return this.sets.numberOf(place.rows.map(row => this.documentOfPlace.get(row)));
    const road = this.roadOf(place);
    return road === 0 ? 0 : this.documents.get(road, DOCUMENT_SET);
  }

  private addHouse(id: number, place: Place, geometry: Geometry): void {
    const document = this.houseDocumentOf(place);
    if (document === 0) return;
    const postcode = this.postcodeOf(document, place);
    this.addAddress(document, place);
    if (place.houseRange === undefined) this.houses.addHouse(document, id, place, postcode);
    else
      this.houses.addLine(document, {
        place: id,
        postcode,
        range: place.houseRange,
        coordinates: coordinatesOf(place, geometry),
      });
  }

  /** Adds to a street what the address of one of its houses names: another spelling of the street, and areas. */
  private addAddress(document: number, place: Place): void {
    for (const { words } of spellingsOf(place.streetAsWritten))
      this.words.addOnce(document, { kind: SPELLING_OTHER, words });
    for (const spelling of aroundSpellings(place)) this.words.addOnce(document, spelling);
    if (place.rows.length === 0) return;
    const areas = [
      ...this.sets.areas(this.documents.get(document, DOCUMENT_SET)),
      ...this.sets.areas(this.setOf(place)),
    ];
    this.documents.set(document, DOCUMENT_SET, this.sets.numberOf(areas.filter(area => area !== document)));
  }

  /** The street under which a house is found, or the smallest area around it if it has none. */
  private houseDocumentOf(place: Place): number {
    const document = this.parentOf(place) || (place.rows.length === 0 ? 0 : this.documentOfPlace.get(place.rows[0]));
    if (document === 0) return 0;
    const street = place.rows.length === 0 ? document : this.streetOnThisSide(place, document);
    this.documents.set(street, DOCUMENT_COUNTRY, this.documents.get(street, DOCUMENT_COUNTRY) | HAS_HOUSES);
    return street;
  }

  /** Where a border runs along a street, its other side is another street of that name, in the house's municipality. */
  private streetOnThisSide(place: Place, document: number): number {
    const names = this.words.firstSpellings(document);
    const rank = this.documents.searchRank(document);
    if (names.length === 0 || !isRoad(rank)) return document;
    const set = this.setOf(place);
    const hash = hashOf([...this.municipalityOf(place, set), ...names[0].tokens]);
    const known = this.streetOfHash.get(hash);
    if (known !== 0) return known;
    const street = this.documents.copy(document);
    this.documents.set(street, DOCUMENT_SET, set);
    for (const name of names) this.words.copy(name, street);
    this.streetOfHash.set(hash, street);
    return street;
  }

  /** Token of a house's postcode, which is added to its street too; -1 for none. */
  private postcodeOf(document: number, place: Place): number {
    const spelling = postcodeSpelling(place.postcode);
    if (spelling === undefined) return -1;
    this.words.addOnce(document, spelling);
    return this.words.tokenOf(spelling.words[0]);
  }

  /** Writes the index: entries of the layer's databases of words, and sections whose names begin with `search.`. */
  finish(writer: LayerWriter): void {
    const documents = this.documents.toArray();
    const sets = this.sets.toArray();
    const lists = new DocumentLists(documents, sets);
    const tokens = this.words.finish(writer, documents, lists);
    writer.section('search.documents', bytesOf(documents));
    writer.section('search.sets', bytesOf(sets));
    writer.section('search.countries', bytesOf(Uint32Array.from([...this.countries].flat())));
    this.houses.write(writer, tokens);
    this.kinds.write(writer, lists);
  }

  /** Gives the scratch files back; may be called twice. */
  close(): void {
    this.houses.close();
  }
}

/** True for a house or an unnamed building, which is found only under its street. */
function isHouseOnly(place: Place, spellings: readonly Spelling[]): boolean {
  if (spellings.length > 0 || place.searchRank <= RANK_PATH) return false;
  return place.category === 'place' || place.category === 'building';
}

function isPostcode({ type }: Place): boolean {
  return type === 'postcode' || type === 'postal_code';
}

/** The points of a line, otherwise the position alone; units. */
function coordinatesOf({ latitude, longitude }: Place, geometry: Geometry): Int32Array {
  // They are kept, and the shape may be a view of something larger.
  if (geometry.kind === 'line') return geometry.coordinates.slice();
  return Int32Array.of(unitsOf(longitude), unitsOf(latitude));
}

/** True for places that queries may name by their kind. */
function isKind({ category, type }: Place): boolean {
  return category !== 'boundary' && type !== '';
}
