// Photon (github.com/komoot/photon): a geocoder for search while typing, which answers GeoJSON. `/photon/…` is always
// Photon. At the root, `/reverse` is the specification's, unless it has a parameter that only Photon knows.

import type { Box } from '../../geo/box.ts';
import { freeTextQuestion, type SearchParts, type SearchQuestion } from '../../geocoding/search/question.ts';
import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { kindOfRank, LEVELS } from '../answers/geocodejson.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';
import { type Parameters, readLanguages, readQueryString } from '../requests/parameters.ts';
import {
  LIMIT_MAX,
  readCoordinate,
  readCountryCodes,
  readText,
  readViewbox,
  ZOOM_MAX,
} from '../requests/place_question.ts';
import { type AnsweredPlace, type Dialect, type DialectRequest, JSON_TYPE, parameter } from './dialect.ts';

const LIMIT_DEFAULT = 15;
const ZOOM_DEFAULT = 14;
/** Kilometres around the point of a search at the finest zoom; each coarser zoom doubles them. */
const FINEST_KILOMETRES = 0.25;
const KILOMETRES_PER_DEGREE = 111.2;
/** Of the map of our own zoom levels, which a layer stands for. */
const ZOOM_OF_LAYER: Readonly<Record<string, number>> = {
  house: ZOOM_MAX,
  street: 16,
  locality: 15,
  district: 14,
  city: 10,
  county: 8,
  state: 5,
  country: 3,
};

/** Parameters that all questions share. */
const SHARED = ['limit', 'lang', 'lat', 'lon', 'zoom', 'bbox', 'osm_tag', 'layer', 'countrycode'];
/** Parts of an address in a structured question, and what they are called here. */
const PARTS: ReadonlyMap<string, keyof SearchParts> = new Map([
  ['street', 'street'],
  ['city', 'city'],
  ['district', 'city'],
  ['county', 'county'],
  ['state', 'state'],
  ['postcode', 'postalcode'],
]);
const API_PARAMETERS = new Set(['q', ...SHARED]);
const STRUCTURED_PARAMETERS = new Set([...PARTS.keys(), 'housenumber', ...SHARED]);
const REVERSE_PARAMETERS = new Set(['lat', 'lon', 'limit', 'lang', 'osm_tag', 'layer', 'radius']);
/** Of these, any tells that a question at the root is for Photon. */
const ONLY_PHOTON = new Set(['limit', 'lang', 'osm_tag', 'layer', 'radius', 'distance_sort', 'query_string_filter']);
/** And these tell that it is not. */
const NEVER_PHOTON = new Set(['format', 'zoom', 'addressdetails', 'accept-language', 'extratags', 'namedetails']);

/** A filter of places by their tag. */
interface TagFilter {
  /** Empty for any. */
  key: string;
  value: string;
  /** Whether places with the tag are wanted or excluded, or those with another value of the key are wanted. */
  wants: 'tag' | 'noTag' | 'otherValue';
}

/** What is kept of the places that were found. */
interface Filter {
  limit: number;
  layers: readonly string[];
  tags: readonly TagFilter[];
}

function readSearch({ url, languages }: DialectRequest, isStructured: boolean) {
  const parameters = readQueryString(url, isStructured ? STRUCTURED_PARAMETERS : API_PARAMETERS);
  const text = isStructured ? '' : readText(parameters, 'q');
  const parts = isStructured ? readParts(parameters) : undefined;
  if (text === undefined) throw new ApiError(ERRORS.parseError, "missing search term 'q'");
  const filter = readFilter(url, parameters);
  const bbox = readViewbox(parameters.get('bbox'));
  const search: SearchQuestion = freeTextQuestion(text, {
    parts,
    limit: filter.layers.length + filter.tags.length > 0 ? LIMIT_MAX : filter.limit,
    viewbox: bbox ?? readBias(parameters),
    isBounded: bbox !== undefined,
    countryCodes: readCountryCodes(parameters.get('countrycode')),
    languages: readLanguage(parameters, languages),
    isAutocomplete: !isStructured,
  });
  return { search, write: (places: readonly AnsweredPlace[]) => collection(places, filter) };
}

function readParts(parameters: Parameters): SearchParts {
  const parts: SearchParts = {};
  for (const [name, part] of PARTS) {
    const text = readText(parameters, name);
    if (text !== undefined) parts[part] ??= text;
  }
  const houseNumber = readText(parameters, 'housenumber');
  if (houseNumber !== undefined && parts.street !== undefined) parts.street = `${houseNumber} ${parts.street}`;
  const [country] = readCountryCodes(parameters.get('countrycode'));
  if (Object.keys(parts).length > 0) return parts;
  if (country === undefined) throw new ApiError(ERRORS.parseError, 'at least one of the parameters must be given');
  return { country };
}

function readReverse({ url, languages }: DialectRequest) {
  const parameters = readQueryString(url, REVERSE_PARAMETERS);
  const filter = readFilter(url, parameters);
  const zooms = filter.layers.map(layer => ZOOM_OF_LAYER[layer] ?? ZOOM_MAX);
  return {
    reverse: {
      latitude: readCoordinate('lat', parameters.get('lat'), LATITUDE),
      longitude: readCoordinate('lon', parameters.get('lon'), LONGITUDE),
      zoom: zooms.length === 0 ? ZOOM_MAX : Math.max(...zooms),
      languages: readLanguage(parameters, languages),
    },
    write: (places: readonly AnsweredPlace[]) => collection(places, filter),
  };
}

/** `lang=default` means names in the language of the place. */
function readLanguage(parameters: Parameters, header: string | undefined): string[] {
  const lang = parameters.get('lang') || header;
  return lang === 'default' ? [] : readLanguages(lang);
}

function readFilter(url: string, parameters: Parameters): Filter {
  const limit = Math.round(numberOf(parameters.get('limit')));
  return {
    limit: limit > 0 ? Math.min(limit, LIMIT_MAX) : LIMIT_DEFAULT,
    layers: valuesOf(url, 'layer').flatMap(value => value.split(',')),
    tags: valuesOf(url, 'osm_tag').map(readTag),
  };
}

/** All values of a parameter that may be repeated. */
function valuesOf(url: string, name: string): string[] {
  const start = url.indexOf('?');
  return start < 0 ? [] : new URLSearchParams(url.slice(start)).getAll(name).filter(value => value !== '');
}

/** `key`, `key:value`, `:value`; with `!` before all of it or before a bare value what has none, else `key:!value`. */
function readTag(text: string): TagFilter {
  const [key, value = ''] = text.replaceAll('!', '').split(':');
  const isOther = key !== '' && value !== '' && !text.startsWith('!');
  return { key, value, wants: !text.includes('!') ? 'tag' : isOther ? 'otherValue' : 'noTag' };
}

/** The box around the point of a search, whose places come first; finer with the zoom. */
function readBias(parameters: Parameters): Box | undefined {
  const [latitude, longitude] = [numberOf(parameters.get('lat')), numberOf(parameters.get('lon'))];
  if (!isIn(latitude, LATITUDE) || !isIn(longitude, LONGITUDE)) return undefined;
  const asked = Math.round(numberOf(parameters.get('zoom')));
  const zoom = asked >= 0 && asked <= ZOOM_MAX ? asked : ZOOM_DEFAULT;
  const degrees = (FINEST_KILOMETRES * 2 ** (ZOOM_MAX - zoom)) / KILOMETRES_PER_DEGREE;
  return readViewbox([longitude - degrees, latitude - degrees, longitude + degrees, latitude + degrees].join(','));
}

function collection(places: readonly AnsweredPlace[], { limit, layers, tags }: Filter): string {
  const kept = places.filter(
    place => (layers.length === 0 || layers.includes(kindOfRank(place.place_rank))) && fitsTags(place, tags),
  );
  return JSON.stringify({ type: 'FeatureCollection', features: kept.slice(0, limit).map(feature) });
}

/** One of the tags that are wanted, if any are, and none that is excluded. */
function fitsTags({ category, type }: AnsweredPlace, tags: readonly TagFilter[]): boolean {
  const fits = ({ key, value, wants }: TagFilter): boolean =>
    (key === '' || key === category) && (value === '' || (value === type) === (wants !== 'otherValue'));
  const wanted = tags.filter(({ wants }) => wants !== 'noTag');
  const excluded = tags.filter(({ wants }) => wants === 'noTag');
  return (wanted.length === 0 || wanted.some(fits)) && !excluded.some(fits);
}

function feature(place: AnsweredPlace): object {
  const { address, osm_type, osm_id, category, type, name, place_rank, boundingbox } = place;
  const [south, north, west, east] = boundingbox.map(Number);
  const kind = kindOfRank(place_rank);
  const levels = LEVELS.map(([level, keys]) => [level, keys.map(key => address[key]).find(value => value)]);
  const isPoint = south === north && west === east;
  return {
    type: 'Feature',
    properties: {
      osm_type: osm_type?.[0].toUpperCase(),
      osm_id,
      osm_key: category,
      osm_value: type,
      type: kind,
      ...Object.fromEntries(levels),
      // A place does not name itself twice.
      ...(name !== '' && kind !== 'house' && { [kind]: undefined }),
      name: name || undefined,
      countrycode: address.country_code?.toUpperCase(),
      extent: isPoint ? undefined : [west, north, east, south],
    },
    geometry: { type: 'Point', coordinates: [Number(place.lon), Number(place.lat)] },
  };
}

/** Photon's own status. */
function readStatus() {
  return {
    status: (builtAt: string | undefined, version: string) =>
      builtAt === undefined
        ? { ...ERRORS.backendError, message: 'No database' }
        : JSON.stringify({ status: 'Ok', import_date: builtAt, version }),
  };
}

/** True for a question to /reverse with a parameter that only Photon knows. */
function isForPhoton(url: string): boolean {
  const names = url
    .slice(url.indexOf('?') + 1)
    .split('&')
    .map(pair => pair.split('=', 1)[0]);
  return names.some(name => ONLY_PHOTON.has(name)) && !names.some(name => NEVER_PHOTON.has(name));
}

const TEXT: Schema = { type: 'string', minLength: 1 };
const FEATURE = closedObject(
  {
    type: { const: 'Feature' },
    properties: closedObject(
      {
        osm_type: { enum: ['N', 'W', 'R'] },
        osm_id: { type: 'integer', minimum: 1 },
        osm_key: TEXT,
        osm_value: TEXT,
        type: { enum: Object.keys(ZOOM_OF_LAYER) },
        name: TEXT,
        ...Object.fromEntries(LEVELS.map(([level]) => [level, TEXT])),
        countrycode: { type: 'string', pattern: '^[A-Z]{2}$' },
        extent: {
          type: 'array',
          items: { type: 'number' },
          minItems: 4,
          maxItems: 4,
          description: 'West, north, east, south.',
        },
      },
      ['osm_key', 'osm_value', 'type'],
    ),
    geometry: closedObject(
      {
        type: { const: 'Point' },
        coordinates: {
          type: 'array',
          prefixItems: [numberIn(LONGITUDE), numberIn(LATITUDE)],
          minItems: 2,
          maxItems: 2,
        },
      },
      ['type', 'coordinates'],
    ),
  },
  ['type', 'properties', 'geometry'],
);
const SUCCESS = { 'application/json': ref('PhotonPlaces') };
const string: Schema = { type: 'string' };
const PLACED = [
  parameter('limit', { type: 'integer' }, `Most places, 1..${LIMIT_MAX}; ${LIMIT_DEFAULT} without it.`),
  parameter('lang', string, 'Language of names.', 'de'),
  parameter('layer', string, 'Only places of this kind; may be repeated.', 'city'),
  parameter(
    'osm_tag',
    string,
    'Only places with one of these tags: `key`, `key:value`, `:value`, `key:!value`; or without: `!key`, `:!value`.',
  ),
];
const BIASED = [
  parameter('lat', string, 'With `lon`: places around this point come first.'),
  parameter('lon', string, 'As `lat`.'),
  parameter('zoom', string, 'How near they must be: the zoom of a map.'),
  parameter('bbox', string, 'Only places in this box: west, south, east, north.'),
  parameter('countrycode', string, 'Only places of these countries.', 'li'),
];

/** The dialect. */
export const PHOTON: Dialect = {
  title: 'Photon',
  wording: {
    contentType: JSON_TYPE,
    error: (row, _asker, message = row.message) => JSON.stringify({ status: row.status, message }),
  },
  error: closedObject({ status: { type: 'integer' }, message: { type: 'string' } }, ['status', 'message']),
  schemas: {
    PhotonPlaces: closedObject({ type: { const: 'FeatureCollection' }, features: { type: 'array', items: FEATURE } }, [
      'type',
      'features',
    ]),
    PhotonStatus: closedObject({ status: { const: 'Ok' }, import_date: TEXT, version: TEXT }, [
      'status',
      'import_date',
      'version',
    ]),
  },
  routes: [
    {
      method: 'GET',
      paths: ['/api', '/photon/api'],
      logged: 'search',
      read: request => readSearch(request, false),
      operation: {
        name: 'photonSearch',
        summary: 'As Photon: find places while typing',
        description: 'The last word of `q` may be unfinished. A success costs one credit.',
        parameters: [
          { ...parameter('q', string, 'What is searched for.', 'Vad'), required: true },
          ...PLACED,
          ...BIASED,
        ],
        success: SUCCESS,
      },
    },
    {
      method: 'GET',
      paths: ['/structured', '/photon/structured'],
      logged: 'search',
      read: request => readSearch(request, true),
      operation: {
        name: 'photonStructured',
        summary: 'As Photon: find an address in parts',
        description: 'At least one part must be given. A success costs one credit.',
        parameters: [
          ...[...PARTS.keys(), 'housenumber'].map(name => parameter(name, string, 'Part of the address.')),
          ...PLACED,
          ...BIASED,
        ],
        success: SUCCESS,
      },
    },
    {
      method: 'GET',
      paths: ['/photon/reverse'],
      logged: 'reverse',
      instead: { path: '/reverse', isMeant: isForPhoton },
      read: readReverse,
      operation: {
        name: 'photonReverse',
        summary: 'As Photon: find the place at a point',
        description:
          'Also answered at `/reverse` if the request has one of `limit`, `lang`, `layer`, `osm_tag`, `radius`, ' +
          '`distance_sort`, `query_string_filter`, and none of the parameters of OpenStreetMap’s geocoder. A success ' +
          'costs one credit.',
        parameters: [
          { ...parameter('lat', numberIn(LATITUDE), 'Degrees, WGS-84.', 47.141), required: true },
          { ...parameter('lon', numberIn(LONGITUDE), 'Degrees, WGS-84.', 9.521), required: true },
          ...PLACED,
        ],
        success: SUCCESS,
      },
    },
    {
      method: 'GET',
      paths: ['/photon/status'],
      logged: 'status',
      read: readStatus,
      operation: {
        name: 'photonStatus',
        summary: 'As Photon: ask whether the geocoder is ready',
        description: 'Needs no key and costs nothing.',
        success: { 'application/json': ref('PhotonStatus') },
        isOpen: true,
      },
    },
  ],
};
