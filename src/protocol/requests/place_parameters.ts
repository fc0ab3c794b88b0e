// The parameters of /reverse, /search, /lookup and /status. lat, lon, zoom and q come from the specification,
// `autocomplete` is our own, and the others come from OpenStreetMap's geocoder.

import { LAYER_NAMES } from '../../geocoding/index/place_layers.ts';
import type { OsmObject } from '../../geocoding/lookup/object_index.ts';
import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { OSM_NODE, OSM_RELATION, OSM_WAY, type OsmType } from '../../tables/places/place.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { FEATURE_TYPE_NAMES } from './place_filter.ts';
import {
  box,
  coordinate,
  countries,
  flag,
  itemsOf,
  listed,
  number,
  oneOf,
  parameter,
  plain,
  Query,
  required,
  words,
} from './query.ts';

/** The forms of an answer besides that of the specification. */
export const FORMATS = ['json', 'jsonv2', 'geojson', 'geocodejson', 'xml'] as const;
/** The finest zoom: a house. */
export const ZOOM_MAX = 18;
/** Places that a search returns if the request names no limit. */
const LIMIT_DEFAULT = 10;
/** Most places that a search returns. */
export const LIMIT_MAX = 50;
/** A list of layers is not longer. */
const LAYERS_MAX = 10;
/** Further places are answered again. */
const EXCLUDED_MAX = 250;
/** Most objects of one lookup. */
const OBJECTS_MAX = 50;
/** An object of OpenStreetMap: the first letter of its type, and its number. */
export const OSM_OBJECT = /^([NWR])(\d{1,15})$/i;
const OSM_TYPES: Readonly<Record<string, OsmType>> = { N: OSM_NODE, W: OSM_WAY, R: OSM_RELATION };

/** What each place has. */
const FORM = {
  format: formIn(FORMATS),
  addressdetails: flag(true, 'With a `format`: whether the answer holds the rows of the address.'),
  namedetails: flag(false, 'With the format json, jsonv2 or geojson: whether each place holds all its names.'),
  extratags: flag(
    false,
    'With a `format`: whether each place holds further tags, such as `website`, `opening_hours`, `wikidata` and ' +
      '`population`; in geocodejson as `extra`.',
  ),
  polygon_geojson: flag(
    false,
    'With a `format`: whether each place holds its shape, as a member or as the geometry of its feature.',
  ),
  polygon_kml: shape('KML, in `geokml`'),
  polygon_svg: shape('a path of SVG, in `svg`'),
  polygon_text: shape('well-known text, in `geotext`'),
  // What is no number leaves shapes as they are.
  polygon_threshold: number(
    'Degrees by which shapes may be simpler: no point that is left out is farther from the line that is left.',
    { type: 'number', default: 0 },
  ),
  'accept-language': plain('Preferred languages of names, as in `de-AT,de;q=0.9`; goes before the header.', 'de'),
};

function formIn(forms: readonly (typeof FORMATS)[number][]) {
  return oneOf(
    forms,
    undefined,
    'The form of the answer: one that clients of OpenStreetMap’s geocoder know, in place of the service’s own.',
  );
}

function shape(form: string) {
  return flag(false, `With the format json or jsonv2: whether each place holds its shape as ${form}.`);
}

// Names that are not known are as if they were not sent.
const LAYER = parameter(
  text => itemsOf(text, LAYERS_MAX).filter(name => LAYER_NAMES.includes(name)),
  { type: 'string' },
  `Only places of these layers: ${LAYER_NAMES.join(', ')}, with commas between them.`,
  'address,poi',
);
const EXPLAIN = flag(
  false,
  '1: the answer says why it is so, for keys that the operator has made with `--explain`; for others it has no effect.',
);

function part(more: string) {
  return words(`Part of a structured search${more}`);
}

/** Of GET /reverse. */
export const REVERSE = new Query({
  lat: coordinate(LATITUDE, 'Degrees, WGS-84.', 47.141),
  lon: coordinate(LONGITUDE, 'Degrees, WGS-84.', 9.521),
  zoom: plain(
    `How fine the answer shall be: 0 is a country, ${ZOOM_MAX} a house. With a \`format\`, a finer zoom means ` +
      `${ZOOM_MAX}.`,
    undefined,
    { type: 'integer', minimum: 0, maximum: ZOOM_MAX, default: ZOOM_MAX },
  ),
  layer: LAYER,
  ...FORM,
  explain: EXPLAIN,
});

/** Of POST /reverse, whose points are in the body. The elements of its answer are JSON. */
export const REVERSE_BATCH = new Query({
  layer: LAYER,
  ...FORM,
  format: formIn(FORMATS.filter(form => form !== 'xml')),
  explain: EXPLAIN,
});

/** Of GET /search. */
export const SEARCH = new Query({
  amenity: part('; parts are passed over when `q` is there.'),
  street: part(': house number and street.'),
  city: part('.'),
  county: part('.'),
  state: part('.'),
  country: part('.'),
  postalcode: part('.'),
  q: words(
    'What is searched for: an address in any order, a name, coordinates, a kind of place in a town. Required ' +
      'unless a part is named.',
    'Vaduz',
  ),
  limit: parameter(
    readLimit,
    { type: 'integer', default: LIMIT_DEFAULT },
    `Most places in the answer, 1..${LIMIT_MAX}. A number beyond the range means its nearer end.`,
  ),
  viewbox: box(
    'Longitude and latitude of two opposite corners, in degrees. Places inside come first. If the first corner ' +
      'is over half a turn east of the second, the view lies across the antimeridian.',
    '9.4,47.0,9.7,47.3',
  ),
  bounded: flag(false, '1: only places inside the viewbox.'),
  countrycodes: countries('Only places of these countries: ISO 3166-1 alpha-2, with commas between them.', 'li,ch'),
  autocomplete: flag(false, '1: the last word may be unfinished.'),
  exclude_place_ids: listed(
    EXCLUDED_MAX,
    'Places not to answer, as `place_id` or as objects of OpenStreetMap, with commas between them.',
    '98525,R1155956',
  ),
  layer: LAYER,
  featureType: plain(`Only places of this type: ${FEATURE_TYPE_NAMES.join(', ')}. Also named \`featuretype\`.`, 'city'),
  featuretype: plain('As `featureType`.'),
  ...FORM,
  addressdetails: flag(false, 'With a `format`: whether each place holds the rows of its address.'),
  explain: EXPLAIN,
});

/** Of GET /lookup. */
export const LOOKUP = new Query({
  osm_ids: required(
    parameter(
      readObjects,
      { type: 'string', pattern: '^[\\s,]*[NWRnwr]\\d{1,15}\\s*(,\\s*([NWRnwr]\\d{1,15}\\s*)?){0,49}$' },
      `Up to ${OBJECTS_MAX} objects of OpenStreetMap, each the first letter of its type and its number, with commas ` +
        'between them.',
      'R1155956,N240079149',
    ),
  ),
  ...FORM,
});

/** Of GET /status. */
export const STATUS = new Query({ format: oneOf(['text', 'json'], 'text', 'The form of the answer.') });

/** A whole number; a value out of range means the nearest limit. */
function readLimit(text: string | undefined, name: string): number {
  if (text === undefined) return LIMIT_DEFAULT;
  const limit = numberOf(text);
  if (!Number.isInteger(limit)) throw new ApiError(ERRORS.parseError, `${name} must be a whole number.`);
  return Math.min(LIMIT_MAX, Math.max(1, limit));
}

function readObjects(text: string | undefined, name: string): OsmObject[] {
  const texts = itemsOf(text);
  if (texts.length === 0) throw new ApiError(ERRORS.parseError, `${name} is missing.`);
  if (texts.length > OBJECTS_MAX)
    throw new ApiError(ERRORS.parseError, `${name} must have at most ${OBJECTS_MAX} objects.`);
  return texts.map(object => readObject(object, name));
}

/** @throws ApiError parseError for anything else */
export function readObject(text: string, name: string): OsmObject {
  const match = OSM_OBJECT.exec(text);
  if (match === null)
    throw new ApiError(ERRORS.parseError, `${name} must be objects as N1, W2 or R3, with commas between them.`);
  return { type: OSM_TYPES[match[1].toUpperCase()], id: Number(match[2]) };
}
