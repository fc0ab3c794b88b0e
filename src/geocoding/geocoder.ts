// Answers queries about places from two layers: the imported extract, and the embedded gazetteer of the world.
//
// The extract answers first. The gazetteer answers where the extract has nothing, or nothing below the country. The
// rows of one answer come from one layer, so they do not contradict each other; only the town comes from the gazetteer
// where the extract is cut and has none. The country of a point follows the extract's borders where it has them,
// otherwise the borders of the world. A house or road just across the border, in another country, is not an answer.
// Borders reach far out to sea; beyond the territorial sea nothing answers.

import { isAtSea } from '../geo/coast.ts';
import { type LayerShareState, LayerShareView } from '../tables/places/layer_share.ts';
import type { Place } from '../tables/places/place.ts';
import { RANK_CITY, RANK_COUNTRY } from '../tables/places/ranks.ts';
import { displayName } from './address/display_name.ts';
import { toSpecAddress } from './address/spec_address.ts';
import { countryCodeAt, countryOf } from './country_at.ts';
import { type Crossing, findCrossing, isCrossingMeant, placeOfCrossing } from './crossing.ts';
import { type ExplainedPoint, explainedPoint, type ShownLayers } from './explained_point.ts';
import { type ExplainedSearch, explainedSearch } from './explained_search.ts';
import { countryOfRows, type Found, type FoundPlace, foundPlace, type Geoname, rowsOf } from './found_place.ts';
import { type GeocoderLayer, type GeocoderLayers, geocoderLayer, searchable } from './geocoder_layer.ts';
import { readPlace } from './index/place_reader.ts';
import { findBesideName } from './kind_beside_name.ts';
import { KeptLocated, type Located, locateInExtract, locateInWorld } from './located.ts';
import { type OsmObject, placeOfObject } from './lookup/object_index.ts';
import { mergeHits } from './merge_hits.ts';
import { findNearby } from './nearby.ts';
import type { PointQuestion, ReverseHit, ReverseQuestion } from './reverse/hit.ts';
import { PointRecord } from './reverse/point_record.ts';
import { roadsAround } from './reverse/roads_around.ts';
import { isPartOf } from './reverse/settlement.ts';
import { wantsAddresses } from './reverse/wanted_layers.ts';
import { freeTextQuestion, isInView, middleOf, type SearchQuestion } from './search/question.ts';
import { searchLayers, searchLayersBriefly } from './search/search.ts';
import { SearchRecord } from './search/search_record.ts';
import { linkedObject } from './search/words/coordinate_links.ts';
import { wholeDegrees } from './search/words/coordinates.ts';
import { shortCodeIn, shortCodePoint } from './search/words/grid_codes.ts';
import { nearInText } from './search/words/near_words.ts';

const ZOOM_HOUSE = 18;
const ZOOM_TOWN = 10;
const ZOOM_COUNTRY = 4;
/** A point that is asked for, before its country is known. */
type Asked = Omit<PointQuestion, 'countryCode'>;
/** What a geocoder has read before its first question: searches need most. */
export type Prepared = 'searches' | 'points' | 'nothing';

/** Each layer is asked for at least this many results, so that duplicates can be recognized. */
const HITS_MIN = 10;
/** Languages of town and country names on positions. */
const GEONAME_LANGUAGES = ['en'];

/** What is at a point. */
interface PlaceAt {
  /** The address as JSON, in the form of the specification. */
  addressText(languages: readonly string[]): string;
  /** The town as JSON, with English names. */
  geonameText(): string;
}

/** The geocoder of one thread. */
export class Geocoder {
  private readonly view: LayerShareView;
  private extract: GeocoderLayer | undefined;
  private world: GeocoderLayer | undefined;
  private readonly kept = new KeptLocated();

  /**
   * Opens the current layers. @param state shared with the `LayerShareSource` of this process
   * @param prepared what is read now, and not on first use @throws Error with a full sentence if a layer cannot be used
   */
  static async open(state: LayerShareState, prepared: Prepared = 'searches'): Promise<Geocoder> {
    const geocoder = new Geocoder(new LayerShareView(state));
    if (prepared === 'searches') geocoder.prepareSearches();
    if (prepared !== 'nothing') geocoder.at(0, 0)?.geonameText();
    displayName([], []);
    geocoder.release();
    return geocoder;
  }

  private constructor(view: LayerShareView) {
    this.view = view;
  }

  /** Reads what the first search would wait for. */
  prepareSearches(): void {
    this.search(freeTextQuestion('a, 1'));
  }

  /** The place at a point, as fine as the zoom asks; undefined on the open sea. */
  reverse(question: ReverseQuestion): FoundPlace | undefined {
    this.refresh();
    return this.placeAt(question, undefined);
  }

  /** Its address alone, as JSON in the form of the specification. */
  addressText(question: ReverseQuestion): string | undefined {
    this.refresh();
    const located = this.locate(question);
    return located && this.written(located, question.languages);
  }

  /** The same, and why. */
  explainReverse(question: ReverseQuestion): { place: FoundPlace | undefined; explained: ExplainedPoint } {
    this.refresh();
    const record = new PointRecord(question);
    const place = this.placeAt(question, record);
    return { place, explained: explainedPoint(record, this.shown(question.languages)) };
  }

  /** What is at a point, located once for all uses; valid until `release`. Undefined on the open sea. */
  at(latitude: number, longitude: number): PlaceAt | undefined {
    this.refresh();
    const located = this.locate({ latitude, longitude, zoom: ZOOM_HOUSE });
    if (located === undefined) return undefined;
    return {
      addressText: languages => this.written(located, languages),
      geonameText: () => (located.geoname ??= JSON.stringify(this.geonameOf(located))),
    };
  }

  /** The roads around a point (reverse/roads_around.ts); the gazetteer has none. */
  roadsAround(latitude: number, longitude: number, reachMetres: number, hasPaths: boolean): readonly number[] {
    this.refresh();
    return this.extract === undefined
      ? []
      : roadsAround(this.extract.spatial, latitude, longitude, reachMetres, hasPaths);
  }

  /** The places that match a search, best first. */
  search(question: SearchQuestion): FoundPlace[] {
    this.refresh();
    return this.searched(question)!;
  }

  /** The same within a millisecond; undefined if it takes longer. */
  searchBriefly(question: SearchQuestion): FoundPlace[] | undefined {
    this.refresh();
    return this.searched(question, undefined, true);
  }

  /** The same, and why. */
  explainSearch(question: SearchQuestion): { places: FoundPlace[]; explained: ExplainedSearch } {
    this.refresh();
    const record = new SearchRecord();
    const places = this.searched(question, record)!;
    return { places, explained: explainedSearch(record, this.shown(question.languages)) };
  }

  /** @returns undefined only if it must be brief and is not */
  private searched(question: SearchQuestion, record?: SearchRecord, isBrief = false): FoundPlace[] | undefined {
    const near = nearInText(question.text);
    const searchWords = () => this.searchedAsWritten(question, record, isBrief);
    if (near === undefined) {
      const found = searchWords();
      if (found?.length !== 0) return found;
      return isBrief ? undefined : findBesideName(question, (...asked) => this.searchedAsWritten(...asked)!, record);
    }
    // What it is near to is a name: a text full of such words is searched for once.
    const search = (each: SearchQuestion) => this.searchedAsWritten(each, each.around && record)!;
    return isBrief ? undefined : findNearby(near, question, search, () => searchWords()!);
  }

  /** The same without what is near to it. */
  private searchedAsWritten(
    question: SearchQuestion,
    record?: SearchRecord,
    isBrief = false,
  ): FoundPlace[] | undefined {
    const object = linkedObject(question.text);
    const linked = object === undefined ? [] : this.lookup([object], question.languages);
    if (linked.length > 0) return linked;
    if (isBrief && shortCodeIn(question.text) !== undefined) return undefined;
    const short = this.shortCodeAt(question);
    return short === undefined
      ? this.searchedByWords(question, record, isBrief)
      : this.searchPoint(short, question, record);
  }

  /** @returns undefined only if it must be brief and is not */
  private searchedByWords(
    question: SearchQuestion,
    record: SearchRecord | undefined,
    isBrief: boolean,
  ): FoundPlace[] | undefined {
    const { languages, limit } = question;
    const wide = { ...question, limit: Math.max(limit, HITS_MIN) };
    const extract = searchable(this.extract);
    const layers = [extract, this.world].filter(layer => layer !== undefined);
    const indexes = layers.map(({ words }) => words);
    const found = isBrief ? searchLayersBriefly(indexes, wide) : searchLayers(indexes, wide, record);
    if (found === undefined) return undefined;
    const { point, hits } = found;
    if (point !== undefined) return layers.length === 0 ? [] : this.searchPoint(point, question, record);
    const answerOf = (layer: GeocoderLayer | undefined) => layer && { layer, hits: hits[layers.indexOf(layer)] };
    const merged = mergeHits(answerOf(extract), answerOf(this.world), limit, question.viewbox !== undefined);
    record?.stage('merge');
    const degrees = merged.length === 0 ? wholeDegrees(question.text, languages) : undefined;
    if (degrees !== undefined) return layers.length === 0 ? [] : this.searchPoint(degrees, question, record);
    const places = merged.map(({ layer, hit }) => this.describe(layer, hit, languages));
    const isCrossing = !question.around && extract !== undefined && isCrossingMeant(question, places[0], record);
    if (isCrossing && isBrief) return undefined;
    record?.stage('describe');
    const crossing = isCrossing && findCrossing(extract!, question, record);
    if (crossing) places.unshift(this.describeCrossing(extract!, crossing, languages));
    if (isCrossing) record?.stage('crossing');
    return places.slice(0, limit);
  }

  /** Where a short plus code is, by the place that is named beside it or else by the view. */
  private shortCodeAt(question: SearchQuestion): { latitude: number; longitude: number } | undefined {
    const code = shortCodeIn(question.text);
    if (code === undefined) return undefined;
    const isAlone = code.rest === '';
    const near = isAlone ? middleOf(question.viewbox) : this.searched({ ...question, text: code.rest, limit: 1 })?.[0];
    return near && shortCodePoint(code.digits, near);
  }

  private describeCrossing(layer: GeocoderLayer, crossing: Crossing, languages: readonly string[]): FoundPlace {
    const { latitude, longitude } = crossing;
    const [first, second] = [crossing.first, crossing.second].map(id =>
      this.describe(layer, { id, latitude, longitude, houseNumber: '' }, languages),
    );
    return placeOfCrossing(first, second, languages);
  }

  private describe(layer: GeocoderLayer, hit: ReverseHit, languages: readonly string[]): FoundPlace {
    const code = countryOfRows(readPlace(layer.places, hit.id), layer.places);
    return foundPlace({ layer, hit, country: countryOf(this.extract, code, languages) }, languages);
  }

  /** What explanations show of the layers. */
  private shown(languages: readonly string[]): ShownLayers {
    const { extract, world } = this;
    return { extract, world, describe: (layer, hit) => this.describe(layer, hit, languages) };
  }

  /** The places of objects of OpenStreetMap, in their order; objects that the extract does not have are left out. */
  lookup(objects: readonly OsmObject[], languages: readonly string[]): FoundPlace[] {
    this.refresh();
    const { extract: layer } = this;
    if (layer === undefined) return [];
    const ids = objects.map(object => placeOfObject(layer.places, object)).filter(id => id !== undefined);
    return [...new Set(ids)].map(id => {
      const place = readPlace(layer.places, id);
      const hit = { id, latitude: place.latitude, longitude: place.longitude, houseNumber: '' };
      return this.describe(layer, hit, languages);
    });
  }

  /** The layers as they are now, for who draws them; valid until `release`. */
  get layers(): GeocoderLayers {
    this.refresh();
    return { extract: this.extract, world: this.world };
  }

  /**
   * Up to when the extracts have the changes of the map, the oldest of them; where one does not say it, and for the
   * gazetteer, when the places were built. ISO 8601, UTC; undefined without any places.
   */
  updatedAt(): string | undefined {
    const { extract, world } = this.layers;
    const { builtAt, extracts = [] } = (extract ?? world)?.places.meta ?? {};
    const times = extracts.flatMap(({ kind, upTo }) => (kind === undefined ? [upTo ?? builtAt!] : [])).sort();
    return times[0] ?? builtAt;
  }

  /** Ends the read transactions; call before the thread waits. The next query picks up a new layer. */
  release(): void {
    this.view.release();
  }

  close(): Promise<void> {
    return this.view.close();
  }

  private refresh(): void {
    const { extract, world } = this.view.layers();
    if (extract?.n !== this.extract?.n || world?.n !== this.world?.n) this.kept.clear();
    this.extract = geocoderLayer(extract, false, this.extract);
    this.world = geocoderLayer(world, true, this.world);
  }

  /** What is at coordinates given in a search text. */
  private searchPoint(
    point: { latitude: number; longitude: number },
    question: SearchQuestion,
    record: SearchRecord | undefined,
  ): FoundPlace[] {
    const { languages, countryCodes, isBounded } = question;
    const { latitude, longitude } = point;
    if (isBounded && !isInView(question, latitude, longitude)) return [];
    const asked = { ...point, zoom: ZOOM_HOUSE };
    const way = record && new PointRecord(asked);
    if (record !== undefined) record.point = way;
    const found = this.find(asked, languages, way);
    if (found === undefined) return [];
    if (countryCodes.length > 0 && !countryCodes.includes(found.country?.code ?? '')) return [];
    const place = foundPlace(found, languages);
    way?.stage('describe');
    return [place];
  }

  private placeAt(question: ReverseQuestion, record: PointRecord | undefined): FoundPlace | undefined {
    const found = this.find(question, question.languages, record);
    const place = found && foundPlace(found, question.languages);
    record?.stage('describe');
    return place;
  }

  private find(asked: Asked, languages: readonly string[], record: PointRecord | undefined): Found | undefined {
    const located = this.locate(asked, record);
    return located && this.foundOf(located, languages, record);
  }

  /** Where the extract has no town around a house or road, or only the label of a village, the gazetteer names it. */
  private foundOf({ layer, hit, countryCode }: Located, languages: readonly string[], record?: PointRecord): Found {
    const found = { layer, hit, country: countryOf(this.extract, countryCode, languages) };
    return layer.isWorld
      ? found
      : { ...found, otherTown: (preferred, label) => this.townOfWorld(found, preferred, label, record) };
  }

  private written(located: Located, languages: readonly string[]): string {
    const asked = languages.join();
    if (located.written?.languages !== asked) {
      const rows = rowsOf(this.foundOf(located, languages), languages);
      located.written = { languages: asked, text: JSON.stringify(toSpecAddress(rows)) };
    }
    return located.written.text;
  }

  private geonameOf(located: Located): Geoname {
    const found = this.foundOf(located, GEONAME_LANGUAGES);
    const town = townOf(found, GEONAME_LANGUAGES) ?? this.townOfWorld(found, GEONAME_LANGUAGES);
    const geoname: Geoname = town === undefined ? {} : { town };
    if (found.country !== undefined)
      Object.assign(geoname, { country: found.country.name, country_code: found.country.code.toUpperCase() });
    return geoname;
  }

  private locate(asked: Asked, record?: PointRecord): Located | undefined {
    const located = this.locateOnLand(asked, record);
    if (record !== undefined) record.answer = located && { isWorld: located.layer.isWorld, hit: located.hit };
    return located;
  }

  private locateOnLand(asked: Asked, record: PointRecord | undefined): Located | undefined {
    const located = this.locateInLayers(asked, record);
    // Houses, roads and towns are on land, and nearer than the territorial sea is wide.
    if (located === undefined || located.searchRank >= RANK_CITY) return located;
    const coasts = this.world?.coasts;
    if (coasts === undefined || !isAtSea(coasts, asked.latitude, asked.longitude)) return located;
    record?.note('atSea');
    return undefined;
  }

  private locateInLayers(
    { latitude, longitude, zoom, layers }: Asked,
    record: PointRecord | undefined,
  ): Located | undefined {
    const countryCode = countryCodeAt(this.extract, latitude, longitude);
    const question = { latitude, longitude, zoom, layers, countryCode };
    record?.begin(question);
    const own = this.extract && locateInExtract(this.extract, question, this.kept, record);
    if (this.extract !== undefined) record?.stage('extract');
    if (own !== undefined && (zoom <= ZOOM_COUNTRY || own.searchRank > RANK_COUNTRY)) return own;
    if (this.extract !== undefined) record?.note(own === undefined ? 'extractHasNone' : 'extractIsCoarse');
    // The gazetteer has towns and countries.
    const far = this.world && wantsAddresses(layers) ? locateInWorld(this.world, question) : undefined;
    record?.stage('world');
    return own !== undefined && (far === undefined || far.searchRank <= RANK_COUNTRY) ? own : far;
  }

  /**
   * The town from the gazetteer if the extract has none. @param label of the village if it has only that: the village
   * may be a town, or a part of one
   */
  private townOfWorld(
    { layer, hit, country }: Found,
    languages: readonly string[],
    label?: Place,
    record?: PointRecord,
  ): string | undefined {
    if (this.world === undefined || layer.isWorld || country === undefined) return undefined;
    const { latitude, longitude } = label ?? hit;
    const located = locateInWorld(this.world, { latitude, longitude, zoom: ZOOM_TOWN, countryCode: country.code });
    if (
      located === undefined ||
      (label !== undefined && !isPartOf(label, readPlace(this.world.places, located.hit.id)))
    )
      return undefined;
    record?.note('townOfWorld');
    return townOf({ ...located, country }, languages);
  }
}

function townOf(found: Found, languages: readonly string[]): string | undefined {
  return toSpecAddress(rowsOf(found, languages)).town;
}
