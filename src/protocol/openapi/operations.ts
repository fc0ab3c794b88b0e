// The operations: the parameters and body of each, its successful answers, and the rows of the error table with which
// it fails.

import { ref, type Schema } from '../json_schema.ts';
import {
  REVERSE_BATCH as BATCH_QUERY,
  REVERSE as REVERSE_QUERY,
  SEARCH as SEARCH_QUERY,
} from '../requests/place_parameters.ts';
import { POSITIONS_MAX } from '../requests/positions.ts';
import { type ErrorName, responsesOf } from './errors.ts';
import * as examples from './examples.ts';
import { COMPACT_GET, LANGUAGE_HEADER, POSITION_POST } from './parameters.ts';

/** An operation, on whatever path. */
export interface Operation {
  readonly name: string;
  readonly tag: 'positions' | 'places' | 'submissions' | 'health';
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Schema[];
  readonly requestBody?: Schema;
  /** Responses by status. */
  readonly success: Readonly<Record<string, Schema>>;
  readonly errors: readonly ErrorName[];
  /** Errors are lines of text with their own status number. */
  readonly isCompact?: true;
  /** It needs no key. */
  readonly isOpen?: true;
}

/** Errors of every operation that needs a key. */
export const ALWAYS = [
  'parseError',
  'keyInvalid',
  'accessNotConfigured',
  'ipRefererBlocked',
  'deviceLimitExceeded',
  'userRateLimitExceeded',
  'internalError',
  'backendError',
] as const;
const WITH_BODY = ['requestTimeout', 'bodyTooLarge', 'encodingUnsupported'] as const;

/** Headers that let a page of any origin read an answer. */
const PAGE_HEADERS = {
  'access-control-allow-origin': { $ref: '#/components/headers/AllowOrigin' },
  'access-control-expose-headers': { $ref: '#/components/headers/ExposeHeaders' },
};
/** Header of an answer whose text has no room for the `logId`. */
const LOG_ID_HEADER = { 'x-log-id': { $ref: '#/components/headers/LogId' } };
/** Headers of the answers of the geocoder and to submissions. */
export const OPEN_HEADERS = { ...PAGE_HEADERS, ...LOG_ID_HEADER };

const POSITION_BODY = {
  accessPoints: { summary: 'Three access points of the demo town', value: examples.ACCESS_POINTS },
  fix: { summary: 'A fix, with town and address', value: examples.DESCRIBED_FIX },
};

/** POST /: a position. */
export const POSITION: Operation = {
  name: 'position',
  tag: 'positions',
  summary: 'Locate a device',
  description:
    'Answers with the estimated location of a device that heard cells, access points or beacons, or that has a ' +
    'fix. A success costs one credit, and one more ' +
    'where it holds an address. A request with a fix of age 0 and a cell or an access point contributes to the ' +
    'tables and costs nothing. ' +
    'After a `notFound`, the same request should not be repeated for 24 hours.',
  parameters: POSITION_POST,
  requestBody: jsonBody('PositionRequest', POSITION_BODY, false),
  success: {
    200: {
      description: 'The location.',
      content: jsonContent(ref('Position'), {
        accessPoints: { value: examples.POSITION },
        fix: { value: examples.DESCRIBED_POSITION },
      }),
    },
  },
  errors: [...ALWAYS, ...WITH_BODY, 'settingsKeyInvalid', 'creditsExceeded', 'notFound', 'strayLimitExceeded'],
};

/** POST /v1/geolocate/batch. */
export const POSITION_BATCH: Operation = {
  name: 'positionBatch',
  tag: 'positions',
  summary: 'Locate many devices',
  description:
    `Takes a list of up to ${POSITIONS_MAX} bodies of positions, each with an \`id\` and an \`nr\` of its own. ` +
    `Answers with a list in their order, each element what ` +
    'a request of its own would be answered, with its own `logId`, or an error in its place, also where it is ' +
    'not JSON. Each is limited and charged as if it came alone. The list leaves in ' +
    'parts as they are found. A body may have up to 64 MB.',
  parameters: POSITION_POST,
  requestBody: jsonBody('PositionBatch', { fleet: { value: examples.FLEET } }, true),
  success: {
    200: {
      description: 'One element for each position.',
      headers: LOG_ID_HEADER,
      content: jsonContent(
        { type: 'array', items: { anyOf: [ref('Position'), ref('Error')] } },
        { fleet: { value: examples.FLEET_ANSWERS } },
      ),
    },
  },
  errors: ['parseError', 'keyInvalid', 'internalError', 'backendError', ...WITH_BODY],
};

/** GET /: a position in the compact form. */
export const COMPACT: Operation = {
  name: 'compactPosition',
  tag: 'positions',
  summary: 'Locate a device in the compact form',
  description:
    'Answers access points in the query string with one line of text, for devices that cannot write JSON. A ' +
    'success costs one credit.',
  parameters: COMPACT_GET,
  success: {
    200: {
      description: 'The location: degrees, and the radius in metres.',
      headers: LOG_ID_HEADER,
      content: { 'text/plain': { schema: ref('CompactPosition'), example: examples.COMPACT_LINE } },
    },
  },
  errors: [...ALWAYS, 'creditsExceeded', 'notFound', 'strayLimitExceeded'],
  isCompact: true,
};

const COUNTRY_SUCCESS = {
  200: {
    description: 'The country.',
    headers: OPEN_HEADERS,
    content: jsonContent(ref('Country'), { country: { value: examples.COUNTRY } }),
  },
};

/** POST /v1/country. */
export const COUNTRY: Operation = {
  name: 'country',
  tag: 'places',
  summary: 'Find the country of a device',
  description:
    'Takes the body of a position. The country is that of the position, or else that of the networks it hears, ' +
    'where those are of one country only, or that of the client’s address, if the operator has a database of them. ' +
    'A success costs one credit; nothing is contributed.',
  parameters: [],
  requestBody: jsonBody('PositionRequest', { cell: { value: examples.COUNTRY_QUESTION } }, false),
  success: COUNTRY_SUCCESS,
  errors: [...ALWAYS, ...WITH_BODY, 'creditsExceeded', 'notFound', 'strayLimitExceeded'],
};

/** GET /v1/country, which has no body and so nothing to locate but the client's address. */
export const COUNTRY_WITHOUT_BODY: Operation = {
  name: 'countryWithoutBody',
  tag: 'places',
  summary: 'Ask for a country without saying anything',
  description:
    'The country of the client’s address, if the operator has a database of them (`--geoip`): a request without a ' +
    'body has nothing else that could be located.',
  parameters: [],
  success: COUNTRY_SUCCESS,
  errors: [...ALWAYS, 'creditsExceeded', 'notFound'],
};

/** GET /reverse. */
export const REVERSE: Operation = {
  name: 'reverse',
  tag: 'places',
  summary: 'Find the address of a point',
  description: 'A success costs one credit.',
  parameters: [...REVERSE_QUERY.documented, LANGUAGE_HEADER],
  success: {
    200: {
      description: 'The address; or, with a `format`, that there is none.',
      headers: OPEN_HEADERS,
      content: placeContent(
        {
          anyOf: [
            ...['Reverse', 'PlaceJson', 'PlaceJsonV2', 'PlacesGeoJson', 'PlacesGeocodeJson', 'UnableToGeocode'].map(
              ref,
            ),
          ],
        },
        { specified: { value: examples.REVERSE.specified }, jsonv2: { value: examples.REVERSE.jsonv2 } },
      ),
    },
  },
  errors: [...ALWAYS, 'creditsExceeded', 'notFound'],
};

/** POST /reverse. */
export const REVERSE_BATCH: Operation = {
  name: 'reverseBatch',
  tag: 'places',
  summary: 'Find the addresses of many points',
  description:
    'Answers with a list in the order of the points, each element what GET /reverse answers for that point, or ' +
    'an error in its place. The list leaves in parts ' +
    'as they are found. Each address costs one credit, and the balance must cover all points.',
  parameters: [...BATCH_QUERY.documented, LANGUAGE_HEADER],
  requestBody: jsonBody('Points', { points: { value: examples.POINTS } }, true),
  success: {
    200: {
      description: 'One element for each point.',
      headers: OPEN_HEADERS,
      content: jsonContent(
        {
          type: 'array',
          items: {
            anyOf: [
              ...[
                'Reverse',
                'PlaceJson',
                'PlaceJsonV2',
                'PlacesGeoJson',
                'PlacesGeocodeJson',
                'UnableToGeocode',
                'PointError',
              ].map(ref),
            ],
          },
        },
        { points: { value: examples.POINT_ANSWERS } },
      ),
    },
  },
  errors: [...ALWAYS, ...WITH_BODY, 'creditsExceeded'],
};

/** The answers of /search and /lookup, by format. */
export const PLACE_LIST = {
  anyOf: [
    ...['Place', 'PlaceJson', 'PlaceJsonV2'].map(name => ({ type: 'array', items: ref(name) })),
    ref('PlacesGeoJson'),
    ref('PlacesGeocodeJson'),
  ],
};

/** GET /search. */
export const SEARCH: Operation = {
  name: 'search',
  tag: 'places',
  summary: 'Find places by words',
  description:
    'The best place comes first. Nothing found is an empty list and costs nothing; a success costs one credit.',
  parameters: [...SEARCH_QUERY.documented, LANGUAGE_HEADER],
  success: {
    200: {
      description: 'The places.',
      headers: OPEN_HEADERS,
      content: placeContent(PLACE_LIST, {
        specified: { value: examples.SEARCH.specified },
        geojson: { value: examples.SEARCH.geojson },
        geocodejson: { value: examples.SEARCH.geocodejson },
      }),
    },
  },
  errors: [...ALWAYS, 'creditsExceeded'],
};

/** POST /v2/geosubmit. */
export const GEOSUBMIT: Operation = submission('geosubmit', examples.BATCH, {
  200: {
    description: 'All is stored.',
    headers: OPEN_HEADERS,
    content: jsonContent({ type: 'object', additionalProperties: false }, { stored: { value: {} } }),
  },
});
/** POST /v1/geosubmit. */
export const GEOSUBMIT_V1: Operation = {
  ...GEOSUBMIT,
  name: 'geosubmitV1',
  requestBody: jsonBody('Batch', { batch: { value: examples.FLAT_BATCH } }, true),
};
/** POST /v1/submit. */
export const SUBMIT_V1: Operation = submission('submitV1', examples.OLD_BATCH, {
  204: { description: 'All is stored.', headers: OPEN_HEADERS },
});

function submission(name: string, batch: unknown, success: Operation['success']): Operation {
  return {
    name,
    tag: 'submissions',
    summary: 'Contribute measurements',
    description:
      'Takes batches of up to 64 MB, plain or compressed, and answers once they are stored. What the rules of ' +
      'intake refuse is counted and not answered. ' +
      'Contributions cost nothing. The three paths read the same forms.',
    parameters: [],
    requestBody: jsonBody('Batch', { batch: { value: batch } }, true),
    success,
    errors: [...ALWAYS, ...WITH_BODY, 'storageExceeded'],
  };
}

/** OPTIONS of a route. @param methods value of the header */
export function preflightResponses(methods: string): Schema {
  return {
    ...responsesOf([]),
    204: {
      description: 'What browsers ask before a request from another page. It needs no key.',
      headers: {
        ...PAGE_HEADERS,
        'access-control-allow-methods': { required: true, schema: { const: methods } },
        'access-control-allow-headers': { required: true, schema: { const: '*, authorization' } },
        'access-control-max-age': { required: true, schema: { const: '86400' } },
      },
    },
  };
}

function jsonBody(schema: string, bodies: Schema, required: boolean): Schema {
  return { required, content: jsonContent(ref(schema), bodies) };
}

/** Places as JSON, or as XML with that format. @param values examples by name */
export function placeContent(schema: Schema, values: Schema): Schema {
  return { ...jsonContent(schema, values), 'text/xml': { schema: { type: 'string', pattern: '^<\\?xml ' } } };
}

/** A body of JSON. @param values examples by name */
export function jsonContent(schema: Schema, values: Schema): Schema {
  return { 'application/json': { schema, examples: values } };
}
