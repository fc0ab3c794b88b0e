// Places as JSON: in the form of the specification, and in the forms that clients of OpenStreetMap's geocoder expect. Missing values are left out, never null.

import type { AddressRow } from '../../geocoding/address/address.ts';
import { toSpecAddress } from '../../geocoding/address/spec_address.ts';
import type { FoundPlace } from '../../geocoding/found_place.ts';
import type { AnswerForm, ShapeMember } from '../requests/place_question.ts';
import { type GeocodeFeature, geocodeFeature } from './geocodejson.ts';
import { type ShapeJson, shapeJson } from './shape_json.ts';
import { kmlOf, svgOf, wktOf } from './shape_text.ts';

/** What those clients understand as "nothing found". */
export const UNABLE_TO_GEOCODE = '{"error":"Unable to geocode"}';

/** The number and message of a geocoder without data. */
const NO_PLACES_STATUS = 700;
const NO_PLACES = 'No database';

/** A seventh decimal is a centimetre. */
const DECIMALS = 7;

/** The body of an answered /reverse. */
export function reverseText(place: FoundPlace, form: AnswerForm): string {
  const { format } = form;
  if (format === undefined) return JSON.stringify({ address: toSpecAddress(place.address) });
  if (format === 'json' || format === 'jsonv2') return JSON.stringify(item(place, form));
  return collectionText([place], form, undefined);
}

/** The body of an answered /search or /lookup, with or without places. @param query text of the search */
export function searchText(places: readonly FoundPlace[], form: AnswerForm, query: string | undefined): string {
  const { format } = form;
  if (format === undefined) return JSON.stringify(places.map(specItem));
  if (format === 'json' || format === 'jsonv2') return JSON.stringify(places.map(place => item(place, form)));
  return collectionText(places, form, query);
}

/** The body of /status, as OpenStreetMap's geocoder has it. @param builtAt of the places, ISO 8601; undefined if there are none */
export function statusText(isJson: boolean, builtAt: string | undefined, version: string): string {
  if (!isJson) return builtAt === undefined ? `ERROR: ${NO_PLACES}` : 'OK';
  if (builtAt === undefined) return JSON.stringify({ status: NO_PLACES_STATUS, message: NO_PLACES });
  const dataUpdated = builtAt.replace(/\.\d+Z$/, '+00:00');
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
    ...(form.shapes && shapesOf(place, form.shapes)),
  };
}

/** How each member writes a shape. */
const SHAPE_TEXTS: Readonly<Record<ShapeMember, (shape: ShapeJson) => unknown>> = {
  geojson: shape => shape,
  geokml: kmlOf,
  svg: svgOf,
  geotext: wktOf,
};

function shapesOf(place: FoundPlace, members: readonly ShapeMember[]): object {
  const shape = shapeOf(place);
  return Object.fromEntries(members.map(member => [member, SHAPE_TEXTS[member](shape)]));
}

/** The members that an item and the properties of a feature have in common. */
function described(place: FoundPlace, { hasAddress, hasNames, hasTags }: AnswerForm): object {
  const { type, placeRank, importance, addressType, name, displayName, address, names } = place;
  return {
    type,
    place_rank: placeRank,
    importance: rounded(importance),
    addresstype: addressType,
    name,
    display_name: displayName,
    ...(hasAddress && { address: addressObject(address) }),
    ...(hasNames && { namedetails: names }),
    // The import keeps no tags besides.
    ...(hasTags && { extratags: {} }),
  };
}

function collectionText(places: readonly FoundPlace[], form: AnswerForm, query: string | undefined): string {
  const licence = [...new Set(places.map(place => place.licence))].join('; ');
  if (form.format === 'geojson') {
    return JSON.stringify({ type: 'FeatureCollection', licence, features: places.map(place => feature(place, form)) });
  }
  const features: GeocodeFeature[] = places.map(place => geocodeFeature(place, geometryOf(place, form)));
  return JSON.stringify({ type: 'FeatureCollection', geocoding: { version: '0.1.0', attribution: licence, query }, features });
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

function geometryOf(place: FoundPlace, { shapes }: AnswerForm): ShapeJson {
  return shapes?.includes('geojson') ? shapeOf(place) : { type: 'Point', coordinates: pointOf(place) };
}

function shapeOf(place: FoundPlace): ShapeJson {
  return shapeJson(place.geometry(), pointOf(place));
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
