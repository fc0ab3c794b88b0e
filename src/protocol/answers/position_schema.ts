// Schemas of the answers with a position or a country: the members that the routes write, and no others.

import { FLOOR_INDEX_MAX, FLOOR_INDEX_MIN } from '../../geo/floor.ts';
import { ADDRESS_MEMBERS } from '../../geocoding/address/spec_address.ts';
import { ANSWERED_FALLBACKS } from '../../radio/fallbacks.ts';
import { GPS_RANGES, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { closedObject, numberIn, ref, type Schema } from '../json_schema.ts';

/** Characters of ISO 3166-1 alpha-2 codes. */
const UPPER_CODE = '^[A-Z]{2}$';
const LOWER_CODE = '^[a-z]{2}$';

function buildingNumber(description: string): Schema {
  return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description };
}

/** Schemas by name. */
export const POSITION_ANSWERS: { readonly [name: string]: Schema } = {
  Position: closedObject(
    {
      location: closedObject(
        { lat: numberIn(LATITUDE), lng: numberIn(LONGITUDE) },
        '`lat` and `lng` in degrees, WGS-84.',
      ),
      accuracy: {
        type: 'integer',
        minimum: 1,
        description:
          'Radius in metres of the circle that holds the true location in half of all cases, or in ' +
          '`confidence` percent of them.',
      },
      'heading?': numberIn(GPS_RANGES.heading, 'Heading of the fix in degrees from north, where the request has one.'),
      'altitude?': numberIn(
        GPS_RANGES.altitude,
        'Altitude of the fix in metres above sea level, where the request has one.',
      ),
      'speed?': numberIn(GPS_RANGES.speed, 'Speed of the fix in m/s, where the request has one.'),
      'calculatedSpeed?': {
        type: 'integer',
        minimum: 0,
        description:
          'Speed in m/s between the last location and this one. Present when the request holds a `state` or a ' +
          '`lastLocation`.',
      },
      'geoname?': ref('Geoname'),
      'indoor?': ref('Indoor'),
      'address?': ref('Address'),
      'fallback?': {
        enum: ANSWERED_FALLBACKS,
        description:
          'The fallback that found the position; `ipf`, where it is that of the client’s address, `upstream`, where ' +
          'another service found it. Absent when a station of the request is known.',
      },
      'credits?': {
        type: 'integer',
        minimum: 0,
        description: 'Credits left, where the request asks for them and the key is prepaid.',
      },
      'expires?': {
        type: 'string',
        format: 'date',
        description: 'Last day of the key, where the request asks for it and the key expires.',
      },
      'state?': {
        type: 'string',
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'Opaque. Present when the request has an `id` and the key has a speed filter, indoor positioning or ' +
          'tracking. Send it with the next request.',
      },
      'explain?': ref('Explanation'),
      logId: ref('LogId'),
    },
    'A position. An answer with the member `location` is a success; one with the member `error` is a failure.',
  ),
  Geoname: closedObject(
    {
      'town?': { type: 'string', minLength: 1, description: 'Name of the town in English.' },
      'country?': { type: 'string', minLength: 1, description: 'Name of the country in English.' },
      'country_code?': { type: 'string', pattern: UPPER_CODE, description: 'ISO 3166-1 alpha-2, upper case.' },
    },
    'The town around a position, where the request asks for it. Members that are not known are absent.',
  ),
  Indoor: closedObject(
    {
      'buildingModelId?': buildingNumber('Number of the model of the building.'),
      'buildingId?': buildingNumber('Number of the building.'),
      'building?': { type: 'string', minLength: 1, description: 'Name of the building.' },
      'floorIndex?': {
        type: 'integer',
        minimum: FLOOR_INDEX_MIN,
        maximum: FLOOR_INDEX_MAX,
        description: 'The floor, where it is at least as likely as all others together; 0 is ground level.',
      },
      'floorLabel?': { type: 'string', minLength: 1, description: 'What the floor is called in the building.' },
      'room?': { type: 'string', minLength: 1, description: 'The room, where it holds at least half of the position.' },
    },
    'The building around a position with floor and room, from imported models and fingerprints, where the request ' +
      'asks for it. Members that are not known are absent.',
  ),
  Address: closedObject(
    Object.fromEntries(
      ADDRESS_MEMBERS.map(([member]) => [
        `${member}?`,
        { type: 'string', ...(member === 'country_code' ? { pattern: LOWER_CODE } : { minLength: 1 }) },
      ]),
    ),
    'An address. Members that are not known are absent.',
  ),
  Country: closedObject({
    country_code: { type: 'string', pattern: UPPER_CODE, description: 'ISO 3166-1 alpha-2, upper case.' },
    country_name: { type: 'string', minLength: 1, description: 'Name of the country in English.' },
    'fallback?': { const: 'ipf', description: 'Present where it is the country of the client’s address.' },
  }),
  LogId: {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      'Number of the request in the request log, which keeps it for at most seven days. Answers whose text has none ' +
      'have the header `x-log-id`.',
  },
};
