// LoRa Cloud's geolocation, which LoRaWAN servers asked for their devices until it was switched off: positions of WiFi
// scans. Positions from satellites in the form of its chips, and from the times at which gateways heard a device, are
// refused in its own words, as errors in an answer with status 200. Nothing found is 200 with `result: null`.

import { ApiError, ERRORS } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import {
  type AnsweredPosition,
  type Asked,
  type Dialect,
  type DialectRequest,
  type DialectRoute,
  JSON_TYPE,
} from './dialect.ts';
import { objectsIn, readObjectBody } from './json_body.ts';

function readWifi({ bytes }: DialectRequest): Asked {
  const { wifiAccessPoints, lorawan } = readObjectBody(bytes);
  return {
    position: { wifiAccessPoints: objectsIn(wifiAccessPoints) },
    write: ({ location, accuracy }: AnsweredPosition) =>
      JSON.stringify({
        result: {
          latitude: location.lat,
          longitude: location.lng,
          altitude: 0,
          accuracy,
          algorithmType: 'Wifi',
          numberOfGatewaysReceived: objectsIn(lorawan).length,
          numberOfGatewaysUsed: 0,
        },
        errors: [],
        warnings: [],
      }),
  };
}

/** Forms that need what this service has not, and what that is. */
const REFUSED: readonly (readonly [name: string, path: string, why: string])[] = [
  ['loraTdoa', '/api/v1/solve/tdoa', 'the times at which gateways heard a device are not evaluated'],
  [
    'loraTdoaMultiframe',
    '/api/v1/solve/tdoaMultiframe',
    'the times at which gateways heard a device are not evaluated',
  ],
  ['loraRssi', '/api/v1/solve/rssi', 'the levels at which gateways heard a device are not evaluated'],
  [
    'loraRssiMultiframe',
    '/api/v1/solve/rssiMultiframe',
    'the levels at which gateways heard a device are not evaluated',
  ],
  ['loraGnss', '/api/v1/solve/gnss_lr1110_singleframe', 'scans of satellites are not evaluated'],
];

function refusal([name, path, why]: (typeof REFUSED)[number]): DialectRoute {
  return {
    method: 'POST',
    paths: [path],
    logged: 'position',
    read: () => {
      throw new ApiError(ERRORS.parseError, `Not supported: ${why}; send WiFi scans to /api/v1/solve/loraWifi.`);
    },
    operation: {
      name,
      summary: `As LoRa Cloud: be refused at ${path.slice(path.lastIndexOf('/') + 1)}`,
      description: `Always answers with an error: ${why}.`,
      body: { 'application/json': { type: 'object' } },
      success: {},
    },
  };
}

const count: Schema = { type: 'integer', minimum: 0 };
const TEXTS: Schema = { type: 'array', items: { type: 'string' } };

/** The dialect. */
export const LORA_CLOUD: Dialect = {
  title: 'LoRa Cloud',
  wording: {
    contentType: JSON_TYPE,
    status: row => {
      if (row === ERRORS.notFound || row === ERRORS.parseError) return 200;
      return row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid ? 401 : row.status;
    },
    error: (row, _asker, message = row.message) =>
      JSON.stringify({ result: null, errors: row === ERRORS.notFound ? [] : [message], warnings: [] }),
  },
  error: closedObject({ result: { type: 'null' }, errors: TEXTS, warnings: TEXTS }),
  schemas: {
    LoraPosition: closedObject({
      result: closedObject({
        latitude: { type: 'number' },
        longitude: { type: 'number' },
        altitude: { const: 0 },
        accuracy: { type: 'integer', minimum: 1 },
        algorithmType: { const: 'Wifi' },
        numberOfGatewaysReceived: count,
        numberOfGatewaysUsed: count,
      }),
      errors: TEXTS,
      warnings: TEXTS,
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/api/v1/solve/loraWifi', '/api/v2/loraWifi'],
      logged: 'position',
      read: readWifi,
      operation: {
        name: 'loraWifi',
        summary: 'As LoRa Cloud: locate a device by its WiFi scan',
        description: 'What the gateways heard is counted and not evaluated. A success costs one credit.',
        body: {
          'application/json': {
            type: 'object',
            properties: {
              lorawan: { type: 'array' },
              wifiAccessPoints: { type: 'array', items: { type: 'object' } },
            },
          },
        },
        success: { 'application/json': ref('LoraPosition') },
      },
    },
    ...REFUSED.map(refusal),
  ],
};
