// Checks the structure of a positioning body and of a batch of submissions. Only what makes a body unusable is an
// error: an array in place of an object, an object in place of a list. Entries and values are not checked, because one
// bad item must not fail a request; the reader drops it.

import type { ErrorObject } from 'ajv';
import type { Sent } from '../../radio/query/members.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { fitsBatch, fitsPosition } from './structure_checks.mjs';

/** A body of the right structure, with values as the client sent them. */
export interface PositionBody extends Sent<'body'>, Sent<'rest'> {
  cellTowers?: readonly unknown[] | null;
  wifiAccessPoints?: readonly unknown[] | null;
  bluetoothBeacons?: readonly unknown[] | null;
  gps?: GpsBody | null;
  fallbacks?: { readonly [flag: string]: unknown } | null;
  sensors?: readonly unknown[] | null;
  lastLocation?: LastLocationBody | null;
  state?: string | null;
  considerIp?: unknown;
}

/** A fix, as sent. */
export interface GpsBody {
  latitude?: unknown;
  longitude?: unknown;
  accuracy?: unknown;
  sat?: unknown;
  age?: unknown;
  altitude?: unknown;
  altitudeAccuracy?: unknown;
  heading?: unknown;
  speed?: unknown;
}

/** A last location, as sent. */
export interface LastLocationBody {
  lat?: unknown;
  lng?: unknown;
  accuracy?: unknown;
  timestamp?: unknown;
}

const list = { type: ['array', 'null'] };
const object = { type: ['object', 'null'] };

/** Structure of a positioning body, as JSON Schema. */
export const POSITION_STRUCTURE = {
  type: 'object',
  properties: {
    cellTowers: list,
    wifiAccessPoints: list,
    bluetoothBeacons: list,
    sensors: list,
    gps: object,
    lastLocation: object,
    fallbacks: object,
    state: { type: ['string', 'null'] },
  },
};

/** Structure of a batch of submissions, as JSON Schema. */
export const BATCH_STRUCTURE = { type: 'object', required: ['items'], properties: { items: { type: 'array' } } };

/** A batch of submitted items, each as the client sent it. */
interface BatchBody {
  items: readonly unknown[];
}

/**
 * Refuses a body that is not a batch.
 * @throws ApiError parseError that names the field
 */
export function checkBatch(body: unknown): asserts body is BatchBody {
  if (!fitsBatch(body)) throw new ApiError(ERRORS.parseError, describe(fitsBatch.errors![0]));
}

/**
 * Refuses a body that is not an object, or whose lists and objects are something else.
 * @throws ApiError parseError that names the field
 */
export function checkStructure(body: unknown): asserts body is PositionBody {
  if (!fitsPosition(body)) throw new ApiError(ERRORS.parseError, describe(fitsPosition.errors![0]));
}

const KIND_OF_VALUE: Record<string, string> = { object: 'an object', array: 'an array', string: 'a string' };

function describe(error: ErrorObject): string {
  const field = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'required') return `${error.params.missingProperty} is missing.`;
  const type = [error.params.type].flat()[0];
  return `${field === '' ? 'The body' : field} must be ${KIND_OF_VALUE[type]}.`;
}
