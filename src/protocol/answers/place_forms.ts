// Places as JSON: in the form of the specification, and in the forms that clients of OpenStreetMap's geocoder expect.
// Missing values are left out, never null.

import type { AddressRow } from '../../geocoding/address/address.ts';
import { toSpecAddress } from '../../geocoding/address/spec_address.ts';
import type { ExplainedPoint } from '../../geocoding/explained_point.ts';
import type { ExplainedSearch } from '../../geocoding/explained_search.ts';
import type { FoundPlace } from '../../geocoding/found_place.ts';
import type { AnswerForm, ShapeMember } from '../requests/place_question.ts';
import { type GeocodeFeature, geocodeFeature, type ShapeJson, shapeJson } from './geocodejson.ts';
import { errorXml, placesXml, resultXml, type WrittenPlace } from './place_xml.ts';
import { kmlOf, svgOf, wktOf } from './shape_text.ts';

/** What those clients understand as "nothing found". */
const UNABLE_TO_GEOCODE = 'Unable to geocode';

/** The number and message of a geocoder without data. */
const NO_PLACES_STATUS = 700;
const NO_PLACES = 'No database';

/** A seventh decimal is a centimetre. */
const DECIMALS = 7;

/** The body of an answered /reverse. @param explain why it is so, where that is asked */
export function reverseText(place: FoundPlace, form: AnswerForm, explain?: ExplainedPoint): string {
  const { format } = form;
  if (format === undefined) return JSON.stringify(withExplanation({ address: toSpecAddress(place.address) }, explain));
  if (format === 'json' || format === 'jsonv2') return JSON.stringify(withExplanation(item(place, form), explain));
  if (format === 'xml') return resultXml(writtenPlace(place, form), form);
  return collectionText([place], form, undefined, explain);
}

/** The same in the form of the specification, which has nothing but the address. @param address as JSON */
export function addressBody(address: string): string {
  return `{"address":${address}}`;
}

/** The body of a /reverse in one of the other forms if there is no place. @param explain why, where that is asked */
export function unableText({ format }: AnswerForm, explain: ExplainedPoint | undefined): string {
  if (format === 'xml') return errorXml(UNABLE_TO_GEOCODE);
  return JSON.stringify(withExplanation({ error: UNABLE_TO_GEOCODE }, explain));
}

/**
 * The body of an answered /search or /lookup, with or without places.
 * @param query text of the search
 * @param explain why it is so, where that is asked; in a list it is a member of the first place
 */
export function searchText(
  places: readonly FoundPlace[],
  form: AnswerForm,
  query: string | undefined,
  explain?: ExplainedSearch,
): string {
  const { format } = form;
  if (format === undefined) return JSON.stringify(withFirst(places.map(specItem), explain));
  if (format === 'json' || format === 'jsonv2')
    return JSON.stringify(
      withFirst(
        places.map(place => item(place, form)),
        explain,
      ),
    );
  if (format === 'xml')
    return placesXml(
      places.map(place => writtenPlace(place, form)),
      form,
      query,
    );
  return collectionText(places, form, query, explain);
}

/** What XML says of a place. */
function writtenPlace(place: FoundPlace, form: AnswerForm): WrittenPlace {
  const { shapes, hasTags } = form;
  return { place, shape: shapes && shapeOf(place, form), tags: hasTags ? place.tags : undefined };
}

/** A list whose first item has the explanation of all. */
function withFirst(items: object[], explain: ExplainedSearch | undefined): object[] {
  return explain === undefined ? items : items.map((each, at) => (at === 0 ? withExplanation(each, explain) : each));
}

/**
 * The body of /status, as OpenStreetMap's geocoder has it. @param updatedAt of the places, ISO 8601; undefined if
 * there are none
 */
export function statusText(isJson: boolean, updatedAt: string | undefined, version: string): string {
  if (!isJson) return updatedAt === undefined ? `ERROR: ${NO_PLACES}` : 'OK';
  if (updatedAt === undefined) return JSON.stringify({ status: NO_PLACES_STATUS, message: NO_PLACES });
  const dataUpdated = updatedAt.replace(/\.\d+Z$/, '+00:00');
  return JSON.stringify({ status: 0, message: 'OK', data_updated: dataUpdated, software_version: version });
}

/** Exactly the members of the specification. */
function specItem(place: FoundPlace): object {
  const { placeId, osmType, osmId, category, type, placeRank, importance, displayName, licence } = place;
  return {
    place_id: placeId,
    licence,
    osm_type: osmType,
    osm_id: osmId,
    boundingbox: boundingBox(place),
    ...position(place),
    display_name: displayName,
    place_rank: placeRank,
    category,
    type,
    importance: rounded(importance),
  };
}

function item(place: FoundPlace, form: AnswerForm): object {
  return {
    place_id: place.placeId,
    licence: place.licence,
    osm_type: place.osmType,
    osm_id: place.osmId,
    ...position(place),
    [form.format === 'json' ? 'class' : 'category']: place.category,
    ...described(place, form),
    boundingbox: boundingBox(place),
    ...(form.shapes && shapesOf(place, form.shapes, form)),
  };
}

/** How each member writes a shape. */
const SHAPE_TEXTS: Readonly<Record<ShapeMember, (shape: ShapeJson) => unknown>> = {
  geojson: shape => shape,
  geokml: kmlOf,
  svg: svgOf,
  geotext: wktOf,
};

function shapesOf(place: FoundPlace, members: readonly ShapeMember[], form: AnswerForm): object {
  const shape = shapeOf(place, form);
  return Object.fromEntries(members.map(member => [member, SHAPE_TEXTS[member](shape)]));
}

/** The members that an item and the properties of a feature have in common. */
function described(place: FoundPlace, { hasAddress, hasNames, hasTags }: AnswerForm): object {
  const { type, placeRank, importance, addressType, name, displayName, address, names, tags } = place;
  return {
    type,
    place_rank: placeRank,
    importance: rounded(importance),
    addresstype: addressType,
    name,
    display_name: displayName,
    ...(hasAddress && { address: addressObject(address) }),
    ...(hasNames && { namedetails: names }),
    ...(hasTags && { extratags: tags }),
  };
}

function collectionText(
  places: readonly FoundPlace[],
  form: AnswerForm,
  query: string | undefined,
  explain: ExplainedPoint | ExplainedSearch | undefined,
): string {
  const licence = [...new Set(places.map(place => place.licence))].join('; ');
  if (form.format === 'geojson') {
    const features = places.map(place => feature(place, form));
    return JSON.stringify(withExplanation({ type: 'FeatureCollection', licence, features }, explain));
  }
  const features: GeocodeFeature[] = places.map(place =>
    geocodeFeature(place, geometryOf(place, form), form.hasTags === true),
  );
  const geocoding = { version: '0.1.0', attribution: licence, query };
  return JSON.stringify(withExplanation({ type: 'FeatureCollection', geocoding, features }, explain));
}

function withExplanation(body: object, explain: ExplainedPoint | ExplainedSearch | undefined): object {
  return explain === undefined ? body : { ...body, explain };
}

function feature(place: FoundPlace, form: AnswerForm): object {
  const { placeId, osmType, osmId, category, west, south, east, north } = place;
  return {
    type: 'Feature',
    properties: { place_id: placeId, osm_type: osmType, osm_id: osmId, category, ...described(place, form) },
    bbox: [west, south, east, north].map(rounded),
    geometry: geometryOf(place, form),
  };
}

function geometryOf(place: FoundPlace, form: AnswerForm): ShapeJson {
  return form.shapes?.includes('geojson') ? shapeOf(place, form) : { type: 'Point', coordinates: pointOf(place) };
}

function shapeOf(place: FoundPlace, { threshold }: AnswerForm): ShapeJson {
  return shapeJson(place.geometry(), pointOf(place), threshold);
}

function pointOf({ latitude, longitude }: FoundPlace): [longitude: number, latitude: number] {
  return [rounded(longitude), rounded(latitude)];
}

function position({ latitude, longitude }: FoundPlace): { lat: string; lon: string } {
  return { lat: latitude.toFixed(DECIMALS), lon: longitude.toFixed(DECIMALS) };
}

/** The box in the order of those clients: latitudes first. */
function boundingBox({ south, north, west, east }: FoundPlace): string[] {
  return [south, north, west, east].map(degrees => degrees.toFixed(DECIMALS));
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function addressObject(rows: readonly AddressRow[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}
