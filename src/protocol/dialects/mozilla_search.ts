// The first interface of Mozilla's location service, which older firmware still has compiled in: `POST /v1/search`. Its
// later ones are our own (`/v1/geolocate`, `/v1/submit`).

import { ERRORS } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { objectsIn, readObjectBody } from './json_body.ts';
import { cellOf } from './unwired.ts';

function read({ bytes }: DialectRequest): Asked {
  const { radio, cell, wifi } = readObjectBody(bytes);
  return {
    position: {
      radioType: radio,
      cellTowers: objectsIn(cell).map(each => cellOf(each)),
      wifiAccessPoints: objectsIn(wifi).map(({ key, signal, channel, frequency }) => ({
        macAddress: key,
        signalStrength: signal,
        channel,
        frequency,
      })),
    },
    write: ({ location, accuracy, fallback }: AnsweredPosition) =>
      JSON.stringify({ status: 'ok', lat: location.lat, lon: location.lng, accuracy, fallback }),
  };
}

const LIST: Schema = { type: 'array', items: { type: 'object' } };

/** The dialect. */
export const MOZILLA_SEARCH: Dialect = {
  title: 'Mozilla Search',
  wording: {
    contentType: JSON_TYPE,
    status: row => (row === ERRORS.notFound ? 200 : row.status),
    error: (row, _asker, message = row.message) =>
      row === ERRORS.notFound
        ? JSON.stringify({ status: 'not_found' })
        : JSON.stringify({ status: 'error', errors: [{ name: row.reason, description: message }] }),
  },
  error: closedObject({
    status: { enum: ['not_found', 'error'] },
    'errors?': {
      type: 'array',
      items: closedObject({ name: { type: 'string' }, description: { type: 'string' } }),
    },
  }),
  schemas: {
    MozillaPosition: closedObject({
      status: { const: 'ok' },
      lat: { type: 'number' },
      lon: { type: 'number' },
      accuracy: { type: 'integer', minimum: 1 },
      'fallback?': { type: 'string' },
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/v1/search'],
      logged: 'position',
      read,
      operation: {
        name: 'mozillaSearch',
        summary: "As Mozilla's first interface: locate a device",
        description: 'Cells and access points by short names. Not found is 200. A success costs one credit.',
        body: { 'application/json': { type: 'object', properties: { radio: {}, cell: LIST, wifi: LIST } } },
        success: { 'application/json': ref('MozillaPosition') },
      },
    },
  ],
};
