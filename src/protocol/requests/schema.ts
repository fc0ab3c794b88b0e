// Checks the structure of a positioning body and of a batch of submissions. Only what makes a body unusable is an
// error: an array in place of an object, an object in place of a list, a fix or a last location without a position.
// Entries and values are not checked, because one bad item must not fail a request; the reader drops it.

import { Ajv, type ErrorObject } from 'ajv';
import { isIn, LATITUDE, LONGITUDE, type Range } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { ApiError, ERRORS } from '../errors.ts';

/** A body of the right structure, with values as the client sent them. */
export interface PositionBody {
  radioType?: unknown;
  cellTowers?: readonly unknown[] | null;
  wifiAccessPoints?: readonly unknown[] | null;
  bluetoothBeacons?: readonly unknown[] | null;
  gps?: GpsBody | null;
  fallbacks?: { readonly [flag: string]: unknown } | null;
  timestamp?: unknown;
  sensors?: readonly unknown[] | null;
  geoname?: unknown;
  address?: unknown;
  indoor?: unknown;
  lastLocation?: LastLocationBody | null;
  credits?: unknown;
  expires?: unknown;
  state?: string | null;
  speedLimit?: unknown;
  confidence?: unknown;
  explain?: unknown;
}

/** A fix. Latitude and longitude are numbers or numeric strings in range; the rest is as sent. */
export interface GpsBody {
  latitude: number | string;
  longitude: number | string;
  accuracy?: unknown;
  sat?: unknown;
  age?: unknown;
  altitude?: unknown;
  altitudeAccuracy?: unknown;
  heading?: unknown;
  speed?: unknown;
}

/** A last location. lat and lng are numbers or numeric strings in range; the rest is as sent. */
export interface LastLocationBody {
  lat: number | string;
  lng: number | string;
  accuracy?: unknown;
  timestamp?: unknown;
}

const list = { type: ['array', 'null'] };

/**
 * Structure of a positioning body, as JSON Schema with one keyword of our own: `decimal` is the range of a number or of
 * its text. The bounds of JSON Schema do not apply to text.
 */
export const POSITION_STRUCTURE = {
  type: 'object',
  properties: {
    cellTowers: list,
    wifiAccessPoints: list,
    bluetoothBeacons: list,
    sensors: list,
    gps: {
      type: ['object', 'null'],
      required: ['latitude', 'longitude'],
      properties: { latitude: { decimal: LATITUDE }, longitude: { decimal: LONGITUDE } },
    },
    lastLocation: {
      type: ['object', 'null'],
      required: ['lat', 'lng'],
      properties: { lat: { decimal: LATITUDE }, lng: { decimal: LONGITUDE } },
    },
    fallbacks: { type: ['object', 'null'] },
    state: { type: ['string', 'null'] },
  },
};

/** Structure of a batch of submissions, as JSON Schema. */
export const BATCH_STRUCTURE = { type: 'object', required: ['items'], properties: { items: { type: 'array' } } };

const ajv = new Ajv({ allowUnionTypes: true });
ajv.addKeyword({
  keyword: 'decimal',
  schemaType: 'object',
  compile: (allowed: Range) => value => isIn(numberOf(value), allowed),
});

const fitsStructure = ajv.compile<PositionBody>(POSITION_STRUCTURE);

/** A batch of submitted items, each as the client sent it. */
interface BatchBody {
  items: readonly unknown[];
}

const fitsBatch = ajv.compile<BatchBody>(BATCH_STRUCTURE);

/**
 * Refuses a body that is not a batch.
 * @throws ApiError parseError that names the field
 */
export function checkBatch(body: unknown): asserts body is BatchBody {
  if (!fitsBatch(body)) throw new ApiError(ERRORS.parseError, describe(fitsBatch.errors![0]));
}

/**
 * Refuses a body whose structure is wrong.
 * @throws ApiError parseError that names the field
 */
export function checkStructure(body: unknown): asserts body is PositionBody {
  if (!fitsStructure(body)) throw new ApiError(ERRORS.parseError, describe(fitsStructure.errors![0]));
}

const KIND_OF_VALUE: Record<string, string> = { object: 'an object', array: 'an array', string: 'a string' };

function describe(error: ErrorObject): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required')
    return `${field === '' ? '' : `${field}.`}${error.params.missingProperty} is missing.`;
  if (error.keyword === 'decimal') {
    const allowed = /l(?:at|atitude)$/.test(field) ? LATITUDE : LONGITUDE;
    return `${field} must be a number from ${allowed.min} to ${allowed.max}.`;
  }
  const type = [error.params.type].flat()[0];
  return `${field === '' ? 'The body' : field} must be ${KIND_OF_VALUE[type]}.`;
}
