// Reads the query strings of /reverse, /search, /lookup and /status. The parameters lat, lon, zoom and q come from the
// specification, `autocomplete` is our own, and the others come from OpenStreetMap's geocoder. A parameter without a
// value counts as missing. One that is required, or that chooses what is answered, must be valid. One that asks for
// more is answered with what is known and what the form can hold. All others are ignored.

import { LAYER_NAMES } from '../../geocoding/index/place_layers.ts';
import type { OsmObject } from '../../geocoding/lookup/object_index.ts';
import type { ReverseQuestion } from '../../geocoding/reverse/hit.ts';
import type { SearchParts, SearchQuestion } from '../../geocoding/search/question.ts';
import { isIn, LATITUDE, LONGITUDE, type Range } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../tables/places/place.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { type Parameters, readLanguages, readQueryString } from './parameters.ts';
import { FEATURE_TYPE_NAMES, type PlaceFilter } from './place_filter.ts';

/** The forms of an answer besides that of the specification. */
export const FORMATS = ['json', 'jsonv2', 'geojson', 'geocodejson', 'xml'] as const;
type Format = (typeof FORMATS)[number];

/** A member that holds a shape, each in a form of its own. */
export type ShapeMember = 'geojson' | 'geokml' | 'svg' | 'geotext';

/** The form of an answer. */
export interface AnswerForm {
  /** Undefined for the form of the specification. */
  format: Format | undefined;
  /** Each place has its address; without effect if there is no format. */
  hasAddress: boolean;
  /** Each place has all its names. */
  hasNames?: boolean;
  /** Each place has the tags that are known of it besides. */
  hasTags?: boolean;
  /** The members in which each place has its shape. */
  shapes?: readonly ShapeMember[];
  /** Degrees by which shapes may be simpler; without, they are as they are. */
  threshold?: number;
  /** Layers of places that may answer for a point; all without. */
  layers?: readonly string[];
  /** Which of the places that are found are answered. */
  filter?: PlaceFilter;
  /** It says why it is so. */
  isExplained?: boolean;
}

/** The finest zoom: a house. */
export const ZOOM_MAX = 18;
/** Most characters of a search text. No address is that long. */
export const TEXT_CHARACTERS_MAX = 1_000;
/** Places that a search returns if the request names no limit. */
export const LIMIT_DEFAULT = 10;
/** Most places that a search returns. */
export const LIMIT_MAX = 50;
const VIEWBOX_NUMBERS = 4;
/** Degrees. */
const TURN = 360;
const COUNTRY_CODES_MAX = 250;
/** A list of layers is not longer. */
const LAYERS_MAX = 10;
/** Further places are answered again. */
const EXCLUDED_MAX = 250;

/** Most objects of one lookup. */
export const OBJECTS_MAX = 50;
/** An object of OpenStreetMap: the first letter of its type, and its number. */
export const OSM_OBJECT = /^([NWR])(\d{1,15})$/i;
const OSM_TYPES: Readonly<Record<string, OsmType>> = { N: OSM_NODE, W: OSM_WAY, R: OSM_RELATION };

/** Parameters that ask for a shape, and the members that hold it. */
const SHAPE_PARAMETERS: ReadonlyMap<string, ShapeMember> = new Map([
  ['polygon_geojson', 'geojson'],
  ['polygon_kml', 'geokml'],
  ['polygon_svg', 'svg'],
  ['polygon_text', 'geotext'],
]);
/** Parameters of all routes that say what each place has. */
const FORM_PARAMETERS = [
  'format',
  'addressdetails',
  'namedetails',
  'extratags',
  ...SHAPE_PARAMETERS.keys(),
  'polygon_threshold',
  'accept-language',
];
const PARTS = [
  'amenity',
  'street',
  'city',
  'county',
  'state',
  'country',
  'postalcode',
] as const satisfies (keyof SearchParts)[];
/** Query parameters of GET and POST /reverse, besides the key and the device id. */
export const REVERSE_PARAMETERS: ReadonlySet<string> = new Set([
  ...['lat', 'lon', 'zoom', 'layer'],
  ...FORM_PARAMETERS,
  'explain',
]);
/** Of GET /lookup. */
export const LOOKUP_PARAMETERS: ReadonlySet<string> = new Set(['osm_ids', ...FORM_PARAMETERS]);
/** Of GET /status. */
export const STATUS_PARAMETERS: ReadonlySet<string> = new Set(['format']);
/** Query parameters of GET /search, besides the key and the device id. */
export const SEARCH_PARAMETERS: ReadonlySet<string> = new Set([
  ...PARTS,
  'q',
  'limit',
  'viewbox',
  'bounded',
  'countrycodes',
  'autocomplete',
  'exclude_place_ids',
  'layer',
  'featureType',
  'featuretype',
  ...FORM_PARAMETERS,
  'explain',
]);

/**
 * The question of a GET /reverse.
 * @param url as received
 * @param languages value of the header Accept-Language
 * @throws ApiError parseError that names the parameter
 */
export function readReverse(
  url: string,
  languages: string | undefined,
): { question: ReverseQuestion; form: AnswerForm } {
  const parameters = readQueryString(url, REVERSE_PARAMETERS);
  const form = readPointForm(parameters);
  return {
    question: {
      latitude: readCoordinate('lat', parameters.get('lat'), LATITUDE),
      longitude: readCoordinate('lon', parameters.get('lon'), LONGITUDE),
      zoom: readZoom(parameters.get('zoom'), form),
      languages: readLanguages(parameters.get('accept-language') || languages),
    },
    form,
  };
}

/**
 * The form and the languages of a batch of points, which is in the body. @throws ApiError parseError that names the
 * parameter
 */
export function readBatchForm(url: string, languages: string | undefined): { languages: string[]; form: AnswerForm } {
  const parameters = readQueryString(url, REVERSE_PARAMETERS);
  const form = readPointForm(parameters);
  // The elements of the list are JSON.
  if (form.format === 'xml') throw formatError(FORMATS.filter(name => name !== 'xml'));
  return { languages: readLanguages(parameters.get('accept-language') || languages), form };
}

/**
 * The question of a GET /search.
 * @param url as received
 * @param languages value of the header Accept-Language
 * @throws ApiError parseError that names the parameter
 */
export function readSearch(url: string, languages: string | undefined): { question: SearchQuestion; form: AnswerForm } {
  const parameters = readQueryString(url, SEARCH_PARAMETERS);
  const text = readText(parameters, 'q');
  const parts = text === undefined ? readParts(parameters) : undefined;
  if (text === undefined && parts === undefined) throw parseError('q is missing.');
  const limit = readLimit(parameters.get('limit'));
  const filter = readFilter(parameters, limit);
  return {
    question: {
      text: text ?? '',
      parts,
      // What is left out must not take the place of what is answered.
      limit: filter === undefined ? limit : LIMIT_MAX,
      viewbox: readViewbox(parameters.get('viewbox')),
      isBounded: readFlag(parameters.get('bounded'), false),
      countryCodes: readCountryCodes(parameters.get('countrycodes')),
      languages: readLanguages(parameters.get('accept-language') || languages),
      isAutocomplete: readFlag(parameters.get('autocomplete'), false),
    },
    form: { ...readForm(parameters, false), ...(filter && { filter }) },
  };
}

/**
 * The objects of a GET /lookup.
 * @param url as received
 * @param languages value of the header Accept-Language
 * @throws ApiError parseError that names the parameter
 */
export function readLookup(
  url: string,
  languages: string | undefined,
): { objects: OsmObject[]; languages: string[]; form: AnswerForm } {
  const parameters = readQueryString(url, LOOKUP_PARAMETERS);
  const texts = (parameters.get('osm_ids') ?? '')
    .split(',')
    .map(text => text.trim())
    .filter(text => text !== '');
  if (texts.length === 0) throw parseError('osm_ids is missing.');
  if (texts.length > OBJECTS_MAX) throw parseError(`osm_ids must have at most ${OBJECTS_MAX} objects.`);
  return {
    objects: texts.map(readObject),
    languages: readLanguages(parameters.get('accept-language') || languages),
    form: readForm(parameters, true),
  };
}

/** @throws ApiError parseError for anything else */
export function readObject(text: string): OsmObject {
  const match = OSM_OBJECT.exec(text);
  if (match === null) throw parseError('osm_ids must be objects as N1, W2 or R3, with commas between them.');
  return { type: OSM_TYPES[match[1].toUpperCase()], id: Number(match[2]) };
}

/**
 * True if the answer of a GET /status shall be JSON. @throws ApiError parseError for another form than text and json
 */
export function readStatus(url: string): boolean {
  const format = readQueryString(url, STATUS_PARAMETERS).get('format') || 'text';
  if (format !== 'text' && format !== 'json') throw parseError('format must be one of text, json.');
  return format === 'json';
}

/**
 * A latitude or longitude, in degrees.
 * @param name of the parameter or member
 * @throws ApiError parseError when it is missing, not a number or out of range
 */
export function readCoordinate(name: string, value: unknown, allowed: Range): number {
  if (value === undefined || value === null || value === '') throw parseError(`${name} is missing.`);
  const number = numberOf(value);
  if (!isIn(number, allowed)) throw parseError(`${name} must be a number from ${allowed.min} to ${allowed.max}.`);
  return number;
}

/**
 * The level of detail, 0..18. Map controls send the zoom of their map; a finer one than 18 means 18.
 * @throws ApiError parseError when it is not a whole number, or out of range
 */
export function readZoom(value: unknown, { format }: AnswerForm): number {
  if (value === undefined || value === null || value === '') return ZOOM_MAX;
  const zoom = numberOf(value);
  if (Number.isInteger(zoom) && zoom > ZOOM_MAX && format !== undefined) return ZOOM_MAX;
  if (!Number.isInteger(zoom) || zoom < 0 || zoom > ZOOM_MAX)
    throw parseError(`zoom must be a whole number from 0 to ${ZOOM_MAX}.`);
  return zoom;
}

function formatError(formats: readonly string[]): ApiError {
  return parseError(`format must be one of ${formats.join(', ')}.`);
}

function readPointForm(parameters: Parameters): AnswerForm {
  const layers = readLayers(parameters);
  return { ...readForm(parameters, true), ...(layers.length > 0 && { layers }) };
}

/** Names that are not known are as if they were not sent. */
function readLayers(parameters: Parameters): string[] {
  const names = (parameters.get('layer') ?? '').split(',', LAYERS_MAX).map(text => text.trim());
  return names.filter(name => LAYER_NAMES.includes(name));
}

function readForm(parameters: Parameters, hasAddress: boolean): AnswerForm {
  const sent = parameters.get('format') || undefined;
  const format = FORMATS.find(known => known === sent);
  if (sent !== format) throw formatError(FORMATS);
  const hasNames = readFlag(parameters.get('namedetails'), false);
  const hasTags = readFlag(parameters.get('extratags'), false);
  // What is no number leaves shapes as they are.
  const threshold = numberOf(parameters.get('polygon_threshold'));
  const shapes: ShapeMember[] = [];
  for (const [name, member] of SHAPE_PARAMETERS) if (readFlag(parameters.get(name), false)) shapes.push(member);
  return {
    format,
    hasAddress: readFlag(parameters.get('addressdetails'), hasAddress),
    ...(hasNames && { hasNames }),
    ...(hasTags && { hasTags }),
    ...(shapes.length > 0 && { shapes, ...(threshold > 0 && { threshold }) }),
    ...(readFlag(parameters.get('explain'), false) && { isExplained: true }),
  };
}

/** @throws ApiError parseError for a text that is too long */
export function readText(parameters: Parameters, name: string): string | undefined {
  const text = parameters.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > TEXT_CHARACTERS_MAX)
    throw parseError(`${name} must have at most ${TEXT_CHARACTERS_MAX} characters.`);
  return text;
}

function readParts(parameters: Parameters): SearchParts | undefined {
  const parts: SearchParts = {};
  for (const name of PARTS) {
    const text = readText(parameters, name);
    if (text !== undefined) parts[name] = text;
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Names that are not known are as if they were not sent. */
function readFilter(parameters: Parameters, limit: number): PlaceFilter | undefined {
  const excluded = (parameters.get('exclude_place_ids') ?? '')
    .split(',', EXCLUDED_MAX)
    .map(text => text.trim())
    .filter(text => text !== '');
  const layers = readLayers(parameters);
  const type = parameters.get('featureType') || parameters.get('featuretype') || '';
  const featureType = FEATURE_TYPE_NAMES.find(name => name === type);
  if (excluded.length + layers.length === 0 && featureType === undefined) return undefined;
  return {
    limit,
    ...(excluded.length > 0 && { excluded }),
    ...(layers.length > 0 && { layers }),
    ...(featureType !== undefined && { featureType }),
  };
}

/** A whole number; a value out of range means the nearest limit. */
function readLimit(text: string | undefined): number {
  if (text === undefined || text === '') return LIMIT_DEFAULT;
  const limit = numberOf(text);
  if (!Number.isInteger(limit)) throw parseError('limit must be a whole number.');
  return Math.min(LIMIT_MAX, Math.max(1, limit));
}

/** Longitude and latitude of two opposite corners. Latitudes are cut off at the poles. */
export function readViewbox(text: string | undefined): SearchQuestion['viewbox'] {
  if (text === undefined || text === '') return undefined;
  const numbers = text.split(',').map(numberOf);
  if (numbers.length !== VIEWBOX_NUMBERS || !numbers.every(Number.isFinite)) {
    throw parseError('viewbox must be four numbers: longitude and latitude of two opposite corners.');
  }
  const [x1, y1, x2, y2] = numbers;
  return { ...readStretch(x1, x2), south: cut(Math.min(y1, y2)), north: cut(Math.max(y1, y2)) };
}

/**
 * The longitudes of a view. Its corners may stand in any order, but if the first is over half a turn east of the
 * second, the view lies across the antimeridian, and its west is east of its east. Map controls also count on beyond
 * 180 degrees.
 */
function readStretch(x1: number, x2: number): { west: number; east: number } {
  const isAcross = x1 - x2 > TURN / 2;
  const west = isAcross ? x1 : Math.min(x1, x2);
  const east = isAcross ? x2 + TURN : Math.max(x1, x2);
  if (east - west >= TURN) return { west: LONGITUDE.min, east: LONGITUDE.max };
  return { west: west === LONGITUDE.max ? LONGITUDE.min : wrapped(west), east: wrapped(east) };
}

function wrapped(degrees: number): number {
  return isIn(degrees, LONGITUDE) ? degrees : degrees - TURN * Math.round(degrees / TURN);
}

function cut(latitude: number): number {
  return Math.min(LATITUDE.max, Math.max(LATITUDE.min, latitude));
}

/** Codes in lower case; what is none is ignored. */
export function readCountryCodes(text: string | undefined): string[] {
  const codes = (text ?? '').split(',', COUNTRY_CODES_MAX).map(code => code.trim().toLowerCase());
  return codes.filter(code => /^[a-z]{2}$/.test(code));
}

function readFlag(text: string | undefined, absent: boolean): boolean {
  if (text === undefined || text === '') return absent;
  return text !== '0' && text !== 'false';
}

function parseError(message: string): ApiError {
  return new ApiError(ERRORS.parseError, message);
}
