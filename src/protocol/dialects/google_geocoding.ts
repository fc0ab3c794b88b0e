// Google's Geocoding API. Its clients look at `status` and not at the HTTP status, which is 200 for every answer.

import type { Box } from '../../geo/box.ts';
import { freeTextQuestion, type SearchParts } from '../../geocoding/search/question.ts';
import { plusCodeOf } from '../../geocoding/search/words/grid_codes.ts';
import { LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { kindOfRank } from '../answers/geocodejson.ts';
import { ApiError, ERRORS, type ErrorRow } from '../errors.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';
import { readLanguages } from '../requests/parameters.ts';
import { OSM_OBJECT, readObject, ZOOM_MAX } from '../requests/place_parameters.ts';
import { parameter, plain, Query, readBox, readCoordinate, readCountryCodes, words } from '../requests/query.ts';
import { type AnsweredPlace, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';

const PARAMETERS = new Query({
  address: words('What is searched for.', 'Vaduz'),
  components: plain('Filters: `country`, `postal_code`, `locality`, `route`, `administrative_area`.', 'country:LI'),
  bounds: parameter(readBounds, { type: 'string' }, 'Places in this box come first: `south,west|north,east`.'),
  latlng: words('A point.', '47.141,9.521'),
  place_id: words('The `place_id` of an answer.'),
  language: plain('Language of names.', 'de'),
  result_type: plain('Only a place of such a type, with `|` between them.', 'locality'),
  location_type: plain('Only a place that is so exact, with `|` between them.'),
});
type Sent = ReturnType<typeof PARAMETERS.read>;

/** The types of a place by its kind; the first is its own. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  country: ['country', 'political'],
  state: ['administrative_area_level_1', 'political'],
  county: ['administrative_area_level_2', 'political'],
  city: ['locality', 'political'],
  district: ['sublocality_level_1', 'sublocality', 'political'],
  locality: ['neighborhood', 'political'],
  street: ['route'],
  house: ['street_address'],
};
/** Zoom at which a point has an answer of this type. */
const ZOOM_OF_TYPE: Readonly<Record<string, number>> = {
  street_address: ZOOM_MAX,
  premise: ZOOM_MAX,
  point_of_interest: ZOOM_MAX,
  route: 16,
  neighborhood: 15,
  sublocality: 14,
  sublocality_level_1: 14,
  locality: 10,
  administrative_area_level_2: 8,
  administrative_area_level_1: 5,
  country: 3,
};
/** The types of the rows of an address, by their keys. */
const ROW_TYPES: Readonly<Record<string, readonly string[]>> = {
  building: ['premise'],
  house_number: ['street_number'],
  road: ['route'],
  neighbourhood: ['neighborhood', 'political'],
  quarter: ['sublocality_level_2', 'sublocality', 'political'],
  suburb: TYPES.district,
  city_district: TYPES.district,
  borough: TYPES.district,
  municipality: ['administrative_area_level_3', 'political'],
  county: TYPES.county,
  state: TYPES.state,
  postcode: ['postal_code'],
  country: TYPES.country,
};
/** Keys of settlements, the largest first. It is the locality, and those that lie in it are its quarters. */
const SETTLEMENTS = ['city', 'town', 'village', 'hamlet'];
/** Types of a house, whatever else is in it. */
const HOUSE_TYPES = ['street_address', 'premise'];
const USE_TYPES = ['establishment', 'point_of_interest'];
/** Components of a question, and the parts of an address that they are. */
const COMPONENTS: ReadonlyMap<string, keyof SearchParts> = new Map([
  ['postal_code', 'postalcode'],
  ['locality', 'city'],
  ['route', 'street'],
  ['administrative_area', 'state'],
]);
/** How exact a place is. */
const LOCATION_TYPES: Readonly<Record<string, string>> = { house: 'ROOFTOP', street: 'GEOMETRIC_CENTER' };
/** A point has a view of this half height and width, degrees. */
const VIEW_DEGREES = 0.00135;

function read({ url, languages: header }: DialectRequest): Asked {
  const sent = PARAMETERS.read(url);
  const languages = readLanguages(sent.language ?? header);
  const placeId = sent.place_id;
  if (placeId !== undefined) {
    const objects = OSM_OBJECT.test(placeId) ? [readObject(placeId, 'place_id')] : [];
    return { objects, languages, write: (places: readonly AnsweredPlace[]) => resultsText(places, 'NOT_FOUND') };
  }
  const latlng = sent.latlng;
  return latlng === undefined ? readAddress(sent, languages) : readPoint(sent, latlng, languages);
}

function readPoint(sent: Sent, latlng: string, languages: string[]): Asked {
  const [latitude, longitude] = latlng.split(',');
  const types = listOf(sent.result_type);
  const locationTypes = listOf(sent.location_type);
  // What a house is used for stands nearer than its address.
  const houseType = types.some(type => USE_TYPES.includes(type))
    ? undefined
    : types.find(type => HOUSE_TYPES.includes(type));
  const zooms = types.map(type => ZOOM_OF_TYPE[type] ?? ZOOM_MAX);
  const reverse = {
    latitude: readCoordinate('latlng', latitude, LATITUDE),
    longitude: readCoordinate('latlng', longitude, LONGITUDE),
    zoom: zooms.length === 0 ? ZOOM_MAX : Math.max(...zooms),
    languages,
    layers: houseType === undefined ? undefined : ['address'],
  };
  const isAsked = (place: AnsweredPlace): boolean =>
    (types.length === 0 || typesOf(place, houseType).some(type => types.includes(type))) &&
    (locationTypes.length === 0 || locationTypes.includes(locationTypeOf(place)));
  return {
    reverse,
    write: (places: readonly AnsweredPlace[]) => {
      const plusCode = { global_code: plusCodeOf(reverse.latitude, reverse.longitude) };
      return resultsText(places.filter(isAsked), 'ZERO_RESULTS', { plusCode, houseType });
    },
  };
}

function readAddress(sent: Sent, languages: string[]): Asked {
  const address = sent.address;
  const components = listOf(sent.components).map(text => text.split(':', 2) as [string, string?]);
  const valuesOf = (name: string) => components.flatMap(([key, value]) => (key === name && value ? [value] : []));
  const countries = valuesOf('country');
  const countryCodes = readCountryCodes(countries.join(','));
  const parts: SearchParts = {};
  for (const [name, part] of COMPONENTS) {
    const [value] = valuesOf(name);
    if (value !== undefined) parts[part] = value;
  }
  // What is no code is a name.
  const named = countries.find(country => readCountryCodes(country).length === 0);
  if (named !== undefined || (address === undefined && Object.keys(parts).length === 0 && countries.length > 0))
    parts.country = named ?? countries[0];
  if (address === undefined && Object.keys(parts).length === 0)
    throw new ApiError(
      ERRORS.parseError,
      "Invalid request. Missing the 'address', 'components', 'latlng' or 'place_id' parameter.",
    );
  const text = address === undefined ? '' : [address, ...Object.values(parts)].join(', ');
  const search = freeTextQuestion(text, {
    parts: address === undefined ? parts : undefined,
    limit: 5,
    viewbox: sent.bounds,
    countryCodes,
    languages,
  });
  return { search, write: (places: readonly AnsweredPlace[]) => resultsText(places, 'ZERO_RESULTS', { address }) };
}

/** `south,west|north,east` in the order of a view box. */
function readBounds(text: string | undefined, name: string): Box | undefined {
  const [southWest = '', northEast = ''] = (text ?? '').split('|');
  const corners = [southWest, northEast].map(corner => corner.split(',').reverse().join(','));
  return text === undefined ? undefined : readBox(corners.join(','), name);
}

function listOf(text: string | undefined): string[] {
  return (text ?? '').split('|').filter(item => item !== '');
}

/** What was asked for. */
interface Wanted {
  address?: string | undefined;
  plusCode?: { global_code: string };
  /** The type of a house that is wanted for its address. */
  houseType?: string | undefined;
}

/** @param otherwise status if there is none */
function resultsText(
  places: readonly AnsweredPlace[],
  otherwise: string,
  { address, plusCode, houseType }: Wanted = {},
): string {
  const results = places.map(place => ({ ...resultOf(place, address), types: typesOf(place, houseType) }));
  return JSON.stringify({ plus_code: plusCode, results, status: results.length === 0 ? otherwise : 'OK' });
}

function resultOf(place: AnsweredPlace, address: string | undefined): object {
  const { display_name, osm_type, osm_id, place_id = 0, boundingbox } = place;
  const [lat, lng] = [Number(place.lat), Number(place.lon)];
  const [south, north, west, east] = boundingbox.map(Number);
  const bounds = { northeast: { lat: north, lng: east }, southwest: { lat: south, lng: west } };
  const isPoint = south === north && west === east;
  const around = {
    northeast: { lat: lat + VIEW_DEGREES, lng: lng + VIEW_DEGREES },
    southwest: { lat: lat - VIEW_DEGREES, lng: lng - VIEW_DEGREES },
  };
  const isPartial = address !== undefined && !hasNumbersOf(address, display_name);
  return {
    address_components: componentsOf(place),
    formatted_address: display_name,
    geometry: {
      bounds: isPoint ? undefined : bounds,
      location: { lat, lng },
      location_type: locationTypeOf(place),
      viewport: isPoint ? around : bounds,
    },
    partial_match: isPartial ? true : undefined,
    place_id: osm_type === undefined ? `P${place_id}` : `${osm_type[0].toUpperCase()}${osm_id}`,
    plus_code: { global_code: plusCodeOf(lat, lng) },
  };
}

/** Every word with a figure of what was searched for stands in what was found: the house, not only its street. */
function hasNumbersOf(address: string, found: string): boolean {
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu) ?? [];
  const known = new Set(wordsOf(found));
  return wordsOf(address).every(word => known.has(word));
}

function componentsOf({ address }: AnsweredPlace): object[] {
  return Object.entries(address).flatMap(([key, name]) => {
    const types = SETTLEMENTS.includes(key) ? settlementTypes(key, address) : ROW_TYPES[key];
    if (types === undefined) return [];
    return [{ long_name: name, short_name: shortNameOf(key, name, address), types }];
  });
}

function shortNameOf(key: string, name: string, address: Readonly<Record<string, string>>): string {
  if (key === 'country') return address.country_code?.toUpperCase() ?? name;
  const code = key === 'state' ? address['ISO3166-2-lvl4'] : undefined;
  return code?.slice(code.indexOf('-') + 1) ?? name;
}

function settlementTypes(key: string, address: Readonly<Record<string, string>>): readonly string[] {
  return key === SETTLEMENTS.find(each => address[each] !== undefined) ? TYPES.city : TYPES.district;
}

/** @param houseType what a house with a number is, whatever is in it */
function typesOf(place: AnsweredPlace, houseType: string | undefined): readonly string[] {
  const { place_rank, category, addresstype, address } = place;
  const kind = kindOfRank(place_rank);
  if (SETTLEMENTS.includes(addresstype)) return settlementTypes(addresstype, address);
  if (houseType !== undefined && kind === 'house' && address.house_number !== undefined) return [houseType];
  const isAddress = kind !== 'house' || category === 'building' || category === 'place';
  return isAddress ? TYPES[kind] : USE_TYPES;
}

function locationTypeOf({ place_rank }: AnsweredPlace): string {
  return LOCATION_TYPES[kindOfRank(place_rank)] ?? 'APPROXIMATE';
}

/** The `status` of an error. */
function statusOf(row: ErrorRow): string {
  if (row === ERRORS.notFound) return 'ZERO_RESULTS';
  if (row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid) return 'REQUEST_DENIED';
  if (row.status === 403) return 'OVER_DAILY_LIMIT';
  if (row.status === 429) return 'OVER_QUERY_LIMIT';
  return row.status < 500 ? 'INVALID_REQUEST' : 'UNKNOWN_ERROR';
}

const string: Schema = { type: 'string' };
const TEXT: Schema = { type: 'string', minLength: 1 };
const POINT = closedObject({ lat: { type: 'number' }, lng: { type: 'number' } });
const BOX = closedObject({ northeast: POINT, southwest: POINT });
const PLUS_CODE = closedObject({ global_code: { type: 'string', pattern: '^[2-9A-Z]{8}\\+[2-9A-Z]{2}$' } });
const TYPE_LIST = { type: 'array', items: TEXT, minItems: 1 };
const RESULT = closedObject({
  address_components: {
    type: 'array',
    items: closedObject({ long_name: TEXT, short_name: TEXT, types: TYPE_LIST }),
  },
  formatted_address: string,
  geometry: closedObject({
    'bounds?': BOX,
    location: closedObject({ lat: numberIn(LATITUDE), lng: numberIn(LONGITUDE) }),
    location_type: { enum: ['ROOFTOP', 'GEOMETRIC_CENTER', 'APPROXIMATE'] },
    viewport: BOX,
  }),
  'partial_match?': { const: true, description: 'A number of the address is not in the result.' },
  place_id: { ...TEXT, description: 'The object of OpenStreetMap, such as R1155956, which `place_id` takes.' },
  plus_code: PLUS_CODE,
  types: TYPE_LIST,
});

/** The dialect. */
export const GOOGLE_GEOCODING: Dialect = {
  title: 'Google Geocoding',
  wording: {
    contentType: JSON_TYPE,
    status: () => 200,
    error: (row, _asker, message = row.message) =>
      JSON.stringify({ error_message: message, results: [], status: statusOf(row) }),
  },
  error: closedObject({
    error_message: string,
    results: { type: 'array', maxItems: 0 },
    status: {
      enum: [
        'ZERO_RESULTS',
        'REQUEST_DENIED',
        'OVER_DAILY_LIMIT',
        'OVER_QUERY_LIMIT',
        'INVALID_REQUEST',
        'UNKNOWN_ERROR',
      ],
    },
  }),
  schemas: {
    GoogleResults: closedObject({
      'plus_code?': PLUS_CODE,
      results: { type: 'array', items: RESULT },
      status: { enum: ['OK', 'ZERO_RESULTS', 'NOT_FOUND'] },
    }),
  },
  routes: [
    {
      method: 'GET',
      paths: ['/maps/api/geocode/json'],
      logged: 'search',
      read,
      operation: {
        name: 'googleGeocode',
        summary: 'As Google Geocoding: find places, or the place at a point',
        description:
          'One of `address`, `components`, `latlng` and `place_id` must be there. A success costs one credit. The ' +
          'HTTP status is 200 for errors, too: `status` tells.',
        parameters: PARAMETERS.documented,
        success: { 'application/json': ref('GoogleResults') },
      },
    },
  ],
};
