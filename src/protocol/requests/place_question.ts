// The questions of /reverse, /search, /lookup and /status, made of their parameters. One that asks for more is answered
// with what is known and what the form can hold.

import type { OsmObject } from '../../geocoding/lookup/object_index.ts';
import type { ReverseQuestion } from '../../geocoding/reverse/hit.ts';
import type { SearchParts, SearchQuestion } from '../../geocoding/search/question.ts';
import { numberOf } from '../../radio/read_value.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { readLanguages } from './parameters.ts';
import { FEATURE_TYPE_NAMES, type PlaceFilter } from './place_filter.ts';
import {
  type FORMATS,
  LIMIT_MAX,
  LOOKUP,
  REVERSE,
  REVERSE_BATCH,
  SEARCH,
  STATUS,
  ZOOM_MAX,
} from './place_parameters.ts';

/** A member that holds a shape, each in a form of its own. */
export type ShapeMember = 'geojson' | 'geokml' | 'svg' | 'geotext';

/** The form of an answer. */
export interface AnswerForm {
  /** Undefined for the form of the specification. */
  format: (typeof FORMATS)[number] | undefined;
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

/** The members that hold a shape, by the parameters that ask for them. */
const SHAPES = [
  ['polygon_geojson', 'geojson'],
  ['polygon_kml', 'geokml'],
  ['polygon_svg', 'svg'],
  ['polygon_text', 'geotext'],
] as const;
const PARTS = [
  'amenity',
  'street',
  'city',
  'county',
  'state',
  'country',
  'postalcode',
] as const satisfies (keyof SearchParts)[];

type SearchSent = ReturnType<typeof SEARCH.read>;
type PointSent = ReturnType<typeof REVERSE_BATCH.read>;

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
  const sent = REVERSE.read(url);
  const form = pointFormOf(sent);
  return {
    question: {
      latitude: sent.lat,
      longitude: sent.lon,
      zoom: readZoom(sent.zoom, form),
      languages: languagesOf(sent, languages),
    },
    form,
  };
}

/**
 * The form and the languages of a batch of points, which is in the body. @throws ApiError parseError that names the
 * parameter
 */
export function readBatchForm(url: string, languages: string | undefined): { languages: string[]; form: AnswerForm } {
  const sent = REVERSE_BATCH.read(url);
  return { languages: languagesOf(sent, languages), form: pointFormOf(sent) };
}

/**
 * The question of a GET /search.
 * @param url as received
 * @param languages value of the header Accept-Language
 * @throws ApiError parseError that names the parameter
 */
export function readSearch(url: string, languages: string | undefined): { question: SearchQuestion; form: AnswerForm } {
  const sent = SEARCH.read(url);
  const { q: text, limit } = sent;
  const parts = text === undefined ? partsOf(sent) : undefined;
  if (text === undefined && parts === undefined) throw new ApiError(ERRORS.parseError, 'q is missing.');
  const filter = filterOf(sent, limit);
  return {
    question: {
      text: text ?? '',
      parts,
      // What is left out must not take the place of what is answered.
      limit: filter === undefined ? limit : LIMIT_MAX,
      viewbox: sent.viewbox,
      isBounded: sent.bounded,
      countryCodes: sent.countrycodes,
      languages: languagesOf(sent, languages),
      isAutocomplete: sent.autocomplete,
    },
    form: { ...formOf(sent), ...(filter && { filter }) },
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
  const sent = LOOKUP.read(url);
  return { objects: sent.osm_ids, languages: languagesOf(sent, languages), form: formOf(sent) };
}

/**
 * True if the answer of a GET /status shall be JSON. @throws ApiError parseError for another form than text and json
 */
export function readStatus(url: string): boolean {
  return STATUS.read(url).format === 'json';
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
    throw new ApiError(ERRORS.parseError, `zoom must be a whole number from 0 to ${ZOOM_MAX}.`);
  return zoom;
}

function languagesOf(
  { 'accept-language': sent }: { 'accept-language'?: string | undefined },
  header?: string,
): string[] {
  return readLanguages(sent ?? header);
}

function pointFormOf(sent: PointSent): AnswerForm {
  const { layer: layers } = sent;
  return { ...formOf(sent), ...(layers.length > 0 && { layers }) };
}

function formOf(sent: Omit<PointSent, 'layer' | 'explain'> & { explain?: boolean }): AnswerForm {
  const { format, addressdetails: hasAddress, namedetails, extratags, polygon_threshold: threshold } = sent;
  const shapes = SHAPES.filter(([name]) => sent[name]).map(([, member]) => member);
  return {
    format,
    hasAddress,
    ...(namedetails && { hasNames: true }),
    ...(extratags && { hasTags: true }),
    ...(shapes.length > 0 && { shapes, ...(threshold > 0 && { threshold }) }),
    ...(sent.explain && { isExplained: true }),
  };
}

function partsOf(sent: SearchSent): SearchParts | undefined {
  const parts: SearchParts = {};
  for (const name of PARTS) {
    const text = sent[name];
    if (text !== undefined) parts[name] = text;
  }
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** Names that are not known are as if they were not sent. */
function filterOf(sent: SearchSent, limit: number): PlaceFilter | undefined {
  const { exclude_place_ids: excluded, layer: layers } = sent;
  const type = sent.featureType ?? sent.featuretype;
  const featureType = FEATURE_TYPE_NAMES.find(name => name === type);
  if (excluded.length + layers.length === 0 && featureType === undefined) return undefined;
  return {
    limit,
    ...(excluded.length > 0 && { excluded }),
    ...(layers.length > 0 && { layers }),
    ...(featureType !== undefined && { featureType }),
  };
}
