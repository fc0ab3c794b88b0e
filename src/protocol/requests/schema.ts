// Checks the structure of a positioning body and of a batch of submissions. Only what makes a body unusable is an
// error: an array in place of an object, an object in place of a list. Entries and values are not checked, because one
// bad item must not fail a request; the reader drops it.

import type { Sent } from '../../radio/query/members.ts';
import { ApiError, ERRORS } from '../errors.ts';

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

/** A structure, as JSON Schema with no more than this. */
interface Structure {
  required?: readonly string[];
  properties: Readonly<Record<string, { type: string | readonly string[] }>>;
}

const refuseOtherPositions = refusing(POSITION_STRUCTURE);
const refuseOtherBatches = refusing(BATCH_STRUCTURE);

/**
 * Refuses a body that is not a batch.
 * @throws ApiError parseError that names the field
 */
export function checkBatch(body: unknown): asserts body is BatchBody {
  refuseOtherBatches(body);
}

/**
 * Refuses a body whose structure is wrong.
 * @throws ApiError parseError that names the field
 */
export function checkStructure(body: unknown): asserts body is PositionBody {
  refuseOtherPositions(body);
}

/** What checks a structure; the first member that does not fit is in the error message. */
function refusing({ required = [], properties }: Structure): (body: unknown) => void {
  const members = Object.entries(properties).map(([name, { type }]) => ({
    name,
    types: [type].flat(),
    isRequired: required.includes(name),
  }));
  return body => {
    if (typeOf(body) !== 'object') refuse('The body', 'object');
    for (const { name, types, isRequired } of members) {
      const value = (body as Record<string, unknown>)[name];
      if (value !== undefined && !types.includes(typeOf(value))) refuse(name, types[0]);
      if (value === undefined && isRequired) throw new ApiError(ERRORS.parseError, `${name} is missing.`);
    }
  };
}

/** The type of a value of JSON, as JSON Schema calls it. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const KIND_OF_VALUE: Record<string, string> = { object: 'an object', array: 'an array', string: 'a string' };

function refuse(what: string, type: string): never {
  throw new ApiError(ERRORS.parseError, `${what} must be ${KIND_OF_VALUE[type]}.`);
}
