// Photon (github.com/komoot/photon): a geocoder for search while typing, which answers GeoJSON. `/photon/…` is always
// Photon. At the root, `/reverse` is the specification's, unless it has a parameter that only Photon knows.

import type { Box } from '../../geo/box.ts';
import { freeTextQuestion, type SearchParts, type SearchQuestion } from '../../geocoding/search/question.ts';
import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { kindOfRank, LEVELS } from '../answers/geocodejson.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';
import { readLanguages } from '../requests/parameters.ts';
import { LIMIT_MAX, ZOOM_MAX } from '../requests/place_parameters.ts';
import {
  box,
  coordinate,
  countries,
  number,
  parameter,
  plain,
  Query,
  type Read,
  readBox,
  required,
  words,
} from '../requests/query.ts';
import { type AnsweredPlace, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';

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

const string: Schema = { type: 'string' };
/** Of all questions. */
const PLACED = {
  limit: parameter(readLimit, { type: 'integer' }, `Most places, 1..${LIMIT_MAX}; ${LIMIT_DEFAULT} without it.`),
  lang: plain('Language of names.', 'de'),
  layer: plain('Only places of this kind; may be repeated.', 'city'),
  osm_tag: plain(
    'Only places with one of these tags: `key`, `key:value`, `:value`, `key:!value`; or without: `!key`, `:!value`.',
  ),
};
const BIASED = {
  lat: number('With `lon`: places around this point come first.', string),
  lon: number('As `lat`.', string),
  zoom: number('How near they must be: the zoom of a map.', string),
  bbox: box('Only places in this box: west, south, east, north.'),
  countrycode: countries('Only places of these countries.', 'li'),
};
const API = new Query({ q: required(words('What is searched for.', 'Vad')), ...PLACED, ...BIASED });
const PART = words('Part of the address.');
const STRUCTURED = new Query({
  street: PART,
  city: PART,
  district: PART,
  county: PART,
  state: PART,
  postcode: PART,
  housenumber: PART,
  ...PLACED,
  ...BIASED,
});
const REVERSE = new Query({
  lat: coordinate(LATITUDE, 'Degrees, WGS-84.', 47.141),
  lon: coordinate(LONGITUDE, 'Degrees, WGS-84.', 9.521),
  ...PLACED,
});
/** Parts of an address in a structured question, and what they are called here. */
const PARTS = [
  ['street', 'street'],
  ['city', 'city'],
  ['district', 'city'],
  ['county', 'county'],
  ['state', 'state'],
  ['postcode', 'postalcode'],
] as const;
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

function readApi(request: DialectRequest) {
  const sent = API.read(request.url);
  if (sent.q === undefined) throw new ApiError(ERRORS.parseError, "missing search term 'q'");
  return searchOf(request, sent, sent.q, { isAutocomplete: true });
}

function readStructured(request: DialectRequest) {
  const sent = STRUCTURED.read(request.url);
  return searchOf(request, sent, '', { parts: partsOf(sent) });
}

function searchOf(
  { url, languages }: DialectRequest,
  sent: Read<typeof PLACED & typeof BIASED>,
  text: string,
  more: Partial<SearchQuestion>,
) {
  const filter = filterOf(url, sent);
  const search = freeTextQuestion(text, {
    limit: filter.layers.length + filter.tags.length > 0 ? LIMIT_MAX : filter.limit,
    viewbox: sent.bbox ?? biasOf(sent),
    isBounded: sent.bbox !== undefined,
    countryCodes: sent.countrycode,
    languages: languagesOf(sent, languages),
    ...more,
  });
  return { search, write: (places: readonly AnsweredPlace[]) => collection(places, filter) };
}

function partsOf(sent: ReturnType<typeof STRUCTURED.read>): SearchParts {
  const parts: SearchParts = {};
  for (const [name, part] of PARTS) {
    const text = sent[name];
    if (text !== undefined) parts[part] ??= text;
  }
  if (sent.housenumber !== undefined && parts.street !== undefined)
    parts.street = `${sent.housenumber} ${parts.street}`;
  const [country] = sent.countrycode;
  if (Object.keys(parts).length > 0) return parts;
  if (country === undefined) throw new ApiError(ERRORS.parseError, 'at least one of the parameters must be given');
  return { country };
}

function readReverse({ url, languages }: DialectRequest) {
  const sent = REVERSE.read(url);
  const filter = filterOf(url, sent);
  const zooms = filter.layers.map(layer => ZOOM_OF_LAYER[layer] ?? ZOOM_MAX);
  return {
    reverse: {
      latitude: sent.lat,
      longitude: sent.lon,
      zoom: zooms.length === 0 ? ZOOM_MAX : Math.max(...zooms),
      languages: languagesOf(sent, languages),
    },
    write: (places: readonly AnsweredPlace[]) => collection(places, filter),
  };
}

/** `lang=default` means names in the language of the place. */
function languagesOf({ lang: sent }: { lang: string | undefined }, header: string | undefined): string[] {
  const lang = sent ?? header;
  return lang === 'default' ? [] : readLanguages(lang);
}

function readLimit(text: string | undefined): number {
  const limit = Math.round(numberOf(text));
  return limit > 0 ? Math.min(limit, LIMIT_MAX) : LIMIT_DEFAULT;
}

function filterOf(url: string, { limit }: { limit: number }): Filter {
  return {
    limit,
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
function biasOf({ lat: latitude, lon: longitude, zoom: sent }: Read<typeof BIASED>): Box | undefined {
  if (!isIn(latitude, LATITUDE) || !isIn(longitude, LONGITUDE)) return undefined;
  const asked = Math.round(sent);
  const zoom = asked >= 0 && asked <= ZOOM_MAX ? asked : ZOOM_DEFAULT;
  const degrees = (FINEST_KILOMETRES * 2 ** (ZOOM_MAX - zoom)) / KILOMETRES_PER_DEGREE;
  return readBox([longitude - degrees, latitude - degrees, longitude + degrees, latitude + degrees].join(','), 'lat');
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
const FEATURE = closedObject({
  type: { const: 'Feature' },
  properties: closedObject({
    'osm_type?': { enum: ['N', 'W', 'R'] },
    'osm_id?': { type: 'integer', minimum: 1 },
    osm_key: TEXT,
    osm_value: TEXT,
    type: { enum: Object.keys(ZOOM_OF_LAYER) },
    'name?': TEXT,
    ...Object.fromEntries(LEVELS.map(([level]) => [`${level}?`, TEXT])),
    'countrycode?': { type: 'string', pattern: '^[A-Z]{2}$' },
    'extent?': {
      type: 'array',
      items: { type: 'number' },
      minItems: 4,
      maxItems: 4,
      description: 'West, north, east, south.',
    },
  }),
  geometry: closedObject({
    type: { const: 'Point' },
    coordinates: {
      type: 'array',
      prefixItems: [numberIn(LONGITUDE), numberIn(LATITUDE)],
      minItems: 2,
      maxItems: 2,
    },
  }),
});
const SUCCESS = { 'application/json': ref('PhotonPlaces') };
/** The dialect. */
export const PHOTON: Dialect = {
  title: 'Photon',
  wording: {
    contentType: JSON_TYPE,
    error: (row, _asker, message = row.message) => JSON.stringify({ status: row.status, message }),
  },
  error: closedObject({ status: { type: 'integer' }, message: { type: 'string' } }),
  schemas: {
    PhotonPlaces: closedObject({ type: { const: 'FeatureCollection' }, features: { type: 'array', items: FEATURE } }),
    PhotonStatus: closedObject({ status: { const: 'Ok' }, import_date: TEXT, version: TEXT }),
  },
  routes: [
    {
      method: 'GET',
      paths: ['/api', '/photon/api'],
      logged: 'search',
      read: readApi,
      operation: {
        name: 'photonSearch',
        summary: 'As Photon: find places while typing',
        description: 'The last word of `q` may be unfinished. A success costs one credit.',
        parameters: API.documented,
        success: SUCCESS,
      },
    },
    {
      method: 'GET',
      paths: ['/structured', '/photon/structured'],
      logged: 'search',
      read: readStructured,
      operation: {
        name: 'photonStructured',
        summary: 'As Photon: find an address in parts',
        description: 'At least one part must be given. A success costs one credit.',
        parameters: STRUCTURED.documented,
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
        parameters: REVERSE.documented,
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
