// Schemas of request bodies. The structure, which decides whether a body is refused, comes from requests/schema.ts. The
// ranges come from the range tables: a value outside its range is ignored, and so is an entry without an identity.

import { FALLBACKS } from '../../radio/fallbacks.ts';
import { RADIO_TYPES } from '../../radio/kind.ts';
import type { MemberOf } from '../../radio/query/members.ts';
import {
  CONFIDENCE,
  GPS_RANGES,
  LATITUDE,
  LONGITUDE,
  RADIUS_METRES,
  SENSOR_RANGES,
  SPEED_LIMIT,
} from '../../radio/ranges.ts';
import { integerIn, numberIn, openObject, ref, type Schema } from '../json_schema.ts';
import { ID_CHARACTERS_MAX } from '../requests/parameters.ts';
import { ZOOM_MAX } from '../requests/place_parameters.ts';
import { POINTS_MAX } from '../requests/points.ts';
import { POSITIONS_MAX } from '../requests/positions.ts';
import { BATCH_STRUCTURE, POSITION_STRUCTURE } from '../requests/schema.ts';
import { ACTIVITIES } from '../requests/sensors.ts';
import {
  accessPointSchema,
  addressedBeaconSchema,
  beaconSchema,
  CELL_WORDS,
  cellSchemas,
  OLD_CELL_WORDS,
} from './station_schemas.ts';

const TIME = {
  type: ['number', 'string'],
  description:
    'Seconds or milliseconds since 1970, or a date: `2006-01-02T15:04:05Z`, `2006-01-02 15:04:05`. A date ' +
    'without a zone is in UTC.',
};
const RADIO_TYPE = {
  enum: RADIO_TYPES,
  description:
    'Of cells that name none themselves. Also read: any case, `NB-IoT`, and `umts` for wcdma. A cell without ' +
    'any is gsm where its ids fit gsm.',
};
const DEGREES = 'Degrees, WGS-84. A number as text is read as well. Without it the object is passed over.';
const LATITUDE_DEGREES = numberIn(LATITUDE, DEGREES);
const LONGITUDE_DEGREES = numberIn(LONGITUDE, DEGREES);
const CELLS = { type: 'array', items: ref('Cell') };
const ACCESS_POINTS = { type: 'array', items: ref('AccessPoint') };
const BEACONS = { type: 'array', items: ref('Beacon') };

/** Schemas by name. */
export function requestSchemas(): Record<string, Schema> {
  return {
    PositionRequest: positionRequest(),
    PositionBatch: {
      type: 'array',
      maxItems: POSITIONS_MAX,
      items: {
        allOf: [
          ref('PositionRequest'),
          openObject({
            id: {
              type: 'string',
              maxLength: ID_CHARACTERS_MAX,
              description: 'As the parameter `id`, which stands for positions without one.',
            },
            nr: { type: 'integer', minimum: 0, description: 'As the parameter `nr`.' },
          }),
        ],
      },
    },
    Cell: {
      description: 'A cell of one of the six radio types. Entries that fit none of them are skipped.',
      anyOf: cellSchemas(CELL_WORDS),
    },
    AccessPoint: accessPointSchema('macAddress', 'signalStrength'),
    Beacon: beaconSchema(),
    Sensor: openObject({
      pressure: numberIn(SENSOR_RANGES.pressure, 'hPa.'),
      steps: numberIn(SENSOR_RANGES.steps, 'Steps since the last request.'),
      heading: numberIn(SENSOR_RANGES.heading, 'Degrees from north.'),
      activity: { enum: ACTIVITIES },
    }),
    Points: {
      type: 'array',
      maxItems: POINTS_MAX,
      items: openObject(
        {
          lat: numberIn(LATITUDE),
          lon: numberIn(LONGITUDE),
          zoom: { type: 'integer', minimum: 0, maximum: ZOOM_MAX, default: ZOOM_MAX },
        },
        ['lat', 'lon'],
      ),
    },
    Batch: {
      ...BATCH_STRUCTURE,
      description:
        'Measurements. Each path reads all three forms of an item. An item that the rules of intake refuse ' +
        'spoils no other and is no error.',
      properties: {
        items: {
          ...BATCH_STRUCTURE.properties.items,
          items: { anyOf: [ref('Measurement'), ref('FlatMeasurement'), ref('OldMeasurement')] },
        },
      },
    },
    ...measurements(),
  };
}

function positionRequest(): Schema {
  const { properties } = POSITION_STRUCTURE;
  const { lastLocation } = properties;
  return {
    ...POSITION_STRUCTURE,
    description: 'All members are optional; null is the same as absent, and unknown members are passed over.',
    properties: {
      radioType: RADIO_TYPE,
      cellTowers: { ...properties.cellTowers, items: ref('Cell') },
      wifiAccessPoints: {
        ...properties.wifiAccessPoints,
        items: ref('AccessPoint'),
        description: 'At least two different access points give a location; one alone never does.',
      },
      bluetoothBeacons: { ...properties.bluetoothBeacons, items: ref('Beacon') },
      gps: fixSchema(),
      fallbacks: fallbacksSchema(),
      considerIp: flag(
        'Where nothing is found, answers the place of the client’s address, if the operator has a database of them ' +
          '(`--geoip`). The default is 1 on `/v1/geolocate`, `/geolocation/v1/geolocate` and `/v1/country`, and 0 ' +
          'elsewhere.',
      ),
      timestamp: {
        ...TIME,
        description: `Time of the observation; by default that of its arrival. ${TIME.description}`,
      },
      sensors: { ...properties.sensors, items: ref('Sensor') },
      geoname: flag('Adds town and country to the answer.', 0),
      address: flag('Adds the address to the answer, which costs a credit more. The default is the key’s.'),
      indoor: flag('Asks for the building, which costs a credit more where one is found. The default is the key’s.'),
      lastLocation: {
        ...lastLocation,
        description:
          'An earlier location, for the speed filter and `calculatedSpeed`. Without a readable timestamp it is ' +
          'not used.',
        properties: {
          lat: LATITUDE_DEGREES,
          lng: LONGITUDE_DEGREES,
          accuracy: numberIn(RADIUS_METRES, 'Metres.'),
          timestamp: TIME,
        },
      },
      credits: flag('Adds the credits left to the answer, where the key is prepaid.', 0),
      expires: flag('Adds the last day of the key to the answer, where it has one.', 0),
      state: { ...properties.state, description: 'The `state` of the last answer to the same device.' },
      speedLimit: numberIn(
        SPEED_LIMIT,
        'm/s above which a position is refused as not found; 0 is no limit. The default is the key’s.',
      ),
      confidence: {
        ...numberIn(CONFIDENCE, 'Percent of true locations that the answered radius shall hold.'),
        default: CONFIDENCE.min,
      },
      explain: flag(
        'Adds to the position how it came about, for keys that the operator has made with `--explain`; for ' +
          'others it has no effect.',
        0,
      ),
    } satisfies Record<MemberOf<'body'> | Exclude<MemberOf<'rest'>, 'id' | 'nr'> | 'considerIp', Schema>,
  };
}

/** The fix of a position body. */
function fixSchema(): Schema {
  const { gps } = POSITION_STRUCTURE.properties;
  return {
    ...gps,
    description:
      'The latest fix. With age 0 and a cell or an access point, the request contributes to the tables. It ' +
      'costs nothing if the answer is the fix itself, or rests on a new one of at most 20 m.',
    properties: {
      latitude: LATITUDE_DEGREES,
      longitude: LONGITUDE_DEGREES,
      accuracy: numberIn(RADIUS_METRES, 'Radius in metres that holds the location in half of all cases.'),
      sat: integerIn(GPS_RANGES.sat, 'Satellites. No effect: the accuracy says already what they are worth.'),
      age: numberIn(GPS_RANGES.age, 'Seconds. An older fix is as if it had not been sent.'),
      altitude: numberIn(GPS_RANGES.altitude, 'Metres above sea level.'),
      altitudeAccuracy: numberIn(GPS_RANGES.altitudeAccuracy, 'Metres. No effect.'),
      heading: numberIn(GPS_RANGES.heading, 'Degrees from north.'),
      speed: numberIn(GPS_RANGES.speed, 'm/s.'),
    },
  };
}

/** The flags that turn fallbacks on. */
function fallbacksSchema(): Schema {
  const { fallbacks } = POSITION_STRUCTURE.properties;
  return {
    ...fallbacks,
    description: 'What to try for cells that are not known. A fallback may answer with a wrong location.',
    properties: {
      all: flag(
        `Turns on ${FALLBACKS.filter(({ isInAll }) => isInAll)
          .map(({ name }) => name)
          .join(', ')}. A flag named itself wins.`,
        0,
      ),
      ...Object.fromEntries(FALLBACKS.map(({ name }) => [name, flag(FALLBACK_MEANINGS[name])])),
      ipf: flag('As `considerIp`, over which it wins. Not turned on by `all`; `"all": 0` turns it off.'),
    },
  };
}

const FALLBACK_MEANINGS: Record<(typeof FALLBACKS)[number]['name'], string> = {
  w4f: 'Compares only the four least significant hexadecimal digits of a wcdma cell id.',
  nbcidf: 'Looks for a slightly different cell id.',
  cidf: 'Looks by MCC, MNC and cell id only.',
  mncf: 'Looks by MCC, LAC and cell id only.',
  ratf: 'Looks among the other radio types.',
  rncidf: 'Looks by MCC, MNC and RNC id, the first part of the cell id.',
  lacf: 'Answers with the centre and the radius of the location area.',
  cidxf: 'Looks by cell id only, in all networks of the country. Not turned on by `all`.',
};

/** Measurements in the three forms of the Mozilla family. */
function measurements(): Record<string, Schema> {
  const place = {
    latitude: numberIn(LATITUDE),
    longitude: numberIn(LONGITUDE),
    accuracy: { type: 'number', description: 'Metres.' },
    age: { type: 'number', description: 'Milliseconds by which the position is older than the measurement.' },
    altitude: { type: 'number', description: 'Metres above sea level.' },
    heading: { type: 'number', description: 'Degrees from north.' },
    speed: { type: 'number', description: 'm/s.' },
    floor: {
      type: 'number',
      description:
        'Index of the floor, a whole number from -50 to 200; 0 is the ground level. Anything else, such as ' +
        '-99, counts as not sent.',
    },
    source: {
      type: 'string',
      description:
        'How the position was found: `gps`, `gnss`, `fused`, `fixed`, `manual`, `query`. One from a query is refused.',
    },
  };
  const heard = {
    radioType: RADIO_TYPE,
    wifiAccessPoints: ACCESS_POINTS,
    bluetoothBeacons: BEACONS,
    cellTowers: CELLS,
  };
  return {
    Measurement: openObject(
      { timestamp: TIME, position: openObject(place, ['latitude', 'longitude']), ...heard },
      ['position'],
      'An item of /v2/geosubmit.',
    ),
    FlatMeasurement: openObject(
      { timestamp: TIME, ...place, ...heard },
      ['latitude', 'longitude'],
      'An item of /v1/geosubmit.',
    ),
    OldMeasurement: openObject(
      {
        lat: place.latitude,
        lon: place.longitude,
        accuracy: place.accuracy,
        altitude: place.altitude,
        heading: place.heading,
        speed: place.speed,
        floor: place.floor,
        time: TIME,
        radio: RADIO_TYPE,
        wifi: { type: 'array', items: accessPointSchema('key', 'signal') },
        blue: { type: 'array', items: addressedBeaconSchema('key', 'signal') },
        cell: { type: 'array', items: { anyOf: cellSchemas(OLD_CELL_WORDS) } },
      },
      ['lat', 'lon'],
      'An item of /v1/submit.',
    ),
  };
}

function flag(description: string, byDefault?: 0 | 1): Schema {
  return { enum: [0, 1], ...(byDefault !== undefined && { default: byDefault }), description };
}
