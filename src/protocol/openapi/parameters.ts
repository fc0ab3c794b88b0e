// Parameters of the operations. The names for /reverse and /search come from the sets that requests/place_question.ts
// reads. The generator throws if one of them has no description here.

import { LAYER_NAMES } from '../../geocoding/index/place_layers.ts';
import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { numberIn, type Schema } from '../json_schema.ts';
import { ID_CHARACTERS_MAX } from '../requests/parameters.ts';
import { FEATURE_TYPE_NAMES } from '../requests/place_filter.ts';
import {
  FORMATS,
  LIMIT_DEFAULT,
  LIMIT_MAX,
  LOOKUP_PARAMETERS,
  OBJECTS_MAX,
  REVERSE_PARAMETERS,
  SEARCH_PARAMETERS,
  STATUS_PARAMETERS,
  TEXT_CHARACTERS_MAX,
  ZOOM_MAX,
} from '../requests/place_question.ts';

const TEXT = { type: 'string', maxLength: TEXT_CHARACTERS_MAX };
const FLAG = { type: 'string', enum: ['0', '1'] };
const FOUR_NUMBERS = '^-?\\d+(?:\\.\\d+)?(?:,-?\\d+(?:\\.\\d+)?){3}$';

const LANGUAGES = parameter(
  'accept-language',
  { type: 'string' },
  'Preferred languages of names, as in `de-AT,de;q=0.9`; goes before the header.',
  'de',
);
const SHARED: Readonly<Record<string, Schema>> = {
  format: parameter(
    'format',
    { enum: FORMATS },
    'The form of the answer: one that clients of OpenStreetMap’s geocoder know, in place of the service’s own.',
  ),
  'accept-language': LANGUAGES,
  namedetails: parameter(
    'namedetails',
    { ...FLAG, default: '0' },
    'With the format json, jsonv2 or geojson: whether each place holds all its names.',
  ),
  extratags: parameter(
    'extratags',
    { ...FLAG, default: '0' },
    'With a `format`: whether each place holds further tags, such as `website`, `opening_hours`, `wikidata` and ' +
      '`population`; in geocodejson as `extra`.',
  ),
  polygon_geojson: parameter(
    'polygon_geojson',
    { ...FLAG, default: '0' },
    'With a `format`: whether each place holds its shape, as a member or as the geometry of its feature.',
  ),
  polygon_kml: shapeParameter('polygon_kml', 'KML, in `geokml`'),
  polygon_svg: shapeParameter('polygon_svg', 'a path of SVG, in `svg`'),
  polygon_text: shapeParameter('polygon_text', 'well-known text, in `geotext`'),
  polygon_threshold: parameter(
    'polygon_threshold',
    { type: 'number', default: 0 },
    'Degrees by which shapes may be simpler: no point that is left out is farther from the line that is left.',
  ),
};

function shapeParameter(name: string, form: string): Schema {
  return parameter(
    name,
    { ...FLAG, default: '0' },
    `With the format json or jsonv2: whether each place holds its shape as ${form}.`,
  );
}

const EXPLAIN = parameter(
  'explain',
  { ...FLAG, default: '0' },
  '1: the answer says why it is so, for keys that the operator has made with `--explain`; for others it has no effect.',
);

const LAYER = parameter(
  'layer',
  { type: 'string' },
  `Only places of these layers: ${LAYER_NAMES.join(', ')}, with commas between them.`,
  'address,poi',
);

const REVERSE: Readonly<Record<string, Schema>> = {
  lat: { ...parameter('lat', numberIn(LATITUDE), 'Degrees, WGS-84.', 47.141), required: true },
  lon: { ...parameter('lon', numberIn(LONGITUDE), 'Degrees, WGS-84.', 9.521), required: true },
  layer: LAYER,
  zoom: parameter(
    'zoom',
    { type: 'integer', minimum: 0, maximum: ZOOM_MAX, default: ZOOM_MAX },
    `How fine the answer shall be: 0 is a country, ${ZOOM_MAX} a house. With a \`format\`, a finer zoom means ` +
      `${ZOOM_MAX}.`,
  ),
  addressdetails: parameter(
    'addressdetails',
    { ...FLAG, default: '1' },
    'With a `format`: whether the answer holds the rows of the address.',
  ),
  ...SHARED,
  explain: EXPLAIN,
};

const SEARCH: Readonly<Record<string, Schema>> = {
  q: parameter(
    'q',
    TEXT,
    'What is searched for: an address in any order, a name, coordinates, a kind of place in a town. Required ' +
      'unless a part is named.',
    'Vaduz',
  ),
  amenity: parameter('amenity', TEXT, 'Part of a structured search; parts are passed over when `q` is there.'),
  street: parameter('street', TEXT, 'Part of a structured search: house number and street.'),
  city: parameter('city', TEXT, 'Part of a structured search.'),
  county: parameter('county', TEXT, 'Part of a structured search.'),
  state: parameter('state', TEXT, 'Part of a structured search.'),
  country: parameter('country', TEXT, 'Part of a structured search.'),
  postalcode: parameter('postalcode', TEXT, 'Part of a structured search.'),
  limit: parameter(
    'limit',
    { type: 'integer', default: LIMIT_DEFAULT },
    `Most places in the answer, 1..${LIMIT_MAX}. A number beyond the range means its nearer end.`,
  ),
  viewbox: parameter(
    'viewbox',
    { type: 'string', pattern: FOUR_NUMBERS },
    'Longitude and latitude of two opposite corners, in degrees. Places inside come first. If the first corner ' +
      'is over half a turn east of the second, the view lies across the antimeridian.',
    '9.4,47.0,9.7,47.3',
  ),
  bounded: parameter('bounded', { ...FLAG, default: '0' }, '1: only places inside the viewbox.'),
  countrycodes: parameter(
    'countrycodes',
    { type: 'string' },
    'Only places of these countries: ISO 3166-1 alpha-2, with commas between them.',
    'li,ch',
  ),
  exclude_place_ids: parameter(
    'exclude_place_ids',
    { type: 'string' },
    'Places not to answer, as `place_id` or as objects of OpenStreetMap, with commas between them.',
    '98525,R1155956',
  ),
  layer: LAYER,
  featureType: parameter(
    'featureType',
    { type: 'string' },
    `Only places of this type: ${FEATURE_TYPE_NAMES.join(', ')}. Also named \`featuretype\`.`,
    'city',
  ),
  featuretype: parameter('featuretype', { type: 'string' }, 'As `featureType`.'),
  autocomplete: parameter('autocomplete', { ...FLAG, default: '0' }, '1: the last word may be unfinished.'),
  addressdetails: parameter(
    'addressdetails',
    { ...FLAG, default: '0' },
    'With a `format`: whether each place holds the rows of its address.',
  ),
  ...SHARED,
  explain: EXPLAIN,
};

const LOOKUP: Readonly<Record<string, Schema>> = {
  osm_ids: {
    ...parameter(
      'osm_ids',
      { type: 'string', pattern: '^[\\s,]*[NWRnwr]\\d{1,15}\\s*(,\\s*([NWRnwr]\\d{1,15}\\s*)?){0,49}$' },
      `Up to ${OBJECTS_MAX} objects of OpenStreetMap, each the first letter of its type and its number, with ` +
        `commas between them.`,
      'R1155956,N240079149',
    ),
    required: true,
  },
  addressdetails: REVERSE.addressdetails,
  ...SHARED,
};

const STATUS: Readonly<Record<string, Schema>> = {
  format: parameter('format', { enum: ['text', 'json'], default: 'text' }, 'The form of the answer.'),
};

/** Parameter of the routes that answer with names. */
const LANGUAGE_HEADER = {
  name: 'Accept-Language',
  in: 'header',
  description: 'Preferred languages of names.',
  schema: { type: 'string' },
  example: 'de',
};

/** Parameters of GET /reverse. */
export const REVERSE_GET: readonly Schema[] = [
  ...[...REVERSE_PARAMETERS].map(name => described(REVERSE, name)),
  LANGUAGE_HEADER,
];
/** Parameters of POST /reverse, whose points are in the body. */
export const REVERSE_POST: readonly Schema[] = REVERSE_GET.filter(
  ({ name }) => !['lat', 'lon', 'zoom'].includes(name as string),
).map(each => (each.name === 'format' ? { ...each, schema: { enum: FORMATS.filter(name => name !== 'xml') } } : each));
/** Of GET /search. */
export const SEARCH_GET: readonly Schema[] = [
  ...[...SEARCH_PARAMETERS].map(name => described(SEARCH, name)),
  LANGUAGE_HEADER,
];

/** Of GET /lookup. */
export const LOOKUP_GET: readonly Schema[] = [
  ...[...LOOKUP_PARAMETERS].map(name => described(LOOKUP, name)),
  LANGUAGE_HEADER,
];
/** Of GET /status. */
export const STATUS_GET: readonly Schema[] = [...STATUS_PARAMETERS].map(name => described(STATUS, name));

/** Parameters of GET /. */
export const COMPACT_GET: readonly Schema[] = [
  parameter(
    'wifi',
    { type: 'string' },
    'Access points as `BSSID,SSID,RSSI` with `;` between them. SSID and RSSI may be missing, and the SSID may ' +
      'hold commas. Repeated, all count.',
    '02:00:5e:00:00:d3,,-50;02:00:5e:00:00:d4,,-60',
  ),
  parameter(
    'cells',
    { type: 'string' },
    'Cells as `RADIO,MCC,MNC,AREA,ID,DBM` with `;` between them; also named `cell`. The radio type, the area and ' +
      'what stands behind the id may be empty. Repeated, all count.',
    'lte,1,1,1,256001,-90',
  ),
];

/** Parameters of GET /trail. */
export const TRAIL_GET: readonly Schema[] = [
  {
    ...parameter(
      'mac',
      { type: 'string' },
      'Address of the access point, in any case, with `:`, `-`, `.` or nothing between the octets.',
      '02:00:5e:00:00:d3',
    ),
    required: true,
  },
];

/** Parameter of the routes that answer with positions in JSON. */
export const POSITION_POST: readonly Schema[] = [
  parameter(
    'explain',
    { ...FLAG, default: '0' },
    'As the member `explain` of the body, which wins over it. With a list of positions it stands for those ' +
      'that have no such member.',
  ),
];

/** Parameters of `#/components/parameters`, by name. */
export const SHARED_PARAMETERS: Readonly<Record<string, Schema>> = {
  DeviceId: parameter(
    'id',
    { type: 'string', maxLength: ID_CHARACTERS_MAX },
    'Device id, unique for the account. Plans by device count it, and answers hold a `state` only for requests ' +
      'that have it.',
    'bus 12',
  ),
  RequestNumber: parameter(
    'nr',
    { type: 'integer', minimum: 0 },
    'The device’s own number of the request, for the request log. Anything but a whole number from 0 is passed over.',
  ),
};

function described(descriptions: Readonly<Record<string, Schema>>, name: string): Schema {
  const found = descriptions[name];
  if (found === undefined) throw new Error(`The parameter ${name} has no description.`);
  return found;
}

function parameter(name: string, schema: Schema, description: string, example?: string | number): Schema {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}
