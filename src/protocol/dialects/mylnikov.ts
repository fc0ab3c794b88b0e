// Mylnikov's open interface, which sketches for small boards have compiled in: `GET /geolocation/cell`. Its answers and
// errors are HTTP 200 with the status in `result`. It would also locate one access point, which no service should.

import { ERRORS, type ErrorRow } from '../errors.ts';
import { closedObject, ref } from '../json_schema.ts';
import { plain, Query, required } from '../requests/query.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';

const PARAMETERS = new Query({
  mcc: required(plain('Country code of the network.', '1')),
  mnc: required(plain('Network code.', '1')),
  lac: required(plain('Location area, or tracking area.', '1')),
  cellid: required(plain('Cell id.', '256001')),
});

function read({ url }: DialectRequest): Asked {
  const { mcc, mnc, lac, cellid } = PARAMETERS.read(url);
  const cell = { mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: lac, cellId: cellid };
  return {
    position: { cellTowers: [cell] },
    write: ({ location, accuracy }: AnsweredPosition) =>
      JSON.stringify({ result: 200, data: { lat: location.lat, lon: location.lng, range: accuracy } }),
  };
}

function errorText(row: ErrorRow, message: string): string {
  const desc = row === ERRORS.notFound ? 'Object was not found' : message;
  return JSON.stringify({ result: row.status, data: {}, desc });
}

/** The dialect. */
export const MYLNIKOV: Dialect = {
  title: 'Mylnikov',
  wording: {
    contentType: JSON_TYPE,
    status: () => 200,
    error: (row, _asker, message = row.message) => errorText(row, message),
  },
  error: closedObject({
    result: { type: 'integer' },
    data: closedObject({}),
    desc: { type: 'string' },
  }),
  schemas: {
    MylnikovPosition: closedObject({
      result: { const: 200 },
      data: closedObject({
        lat: { type: 'number' },
        lon: { type: 'number' },
        range: { type: 'integer', minimum: 1 },
      }),
    }),
  },
  routes: [
    {
      method: 'GET',
      paths: ['/geolocation/cell'],
      logged: 'position',
      read,
      operation: {
        name: 'mylnikovCell',
        summary: 'As Mylnikov: the position of a cell',
        description: 'A cell of any radio type. The HTTP status is 200 for errors, too. A success costs one credit.',
        parameters: PARAMETERS.documented,
        success: { 'application/json': ref('MylnikovPosition') },
      },
    },
  ],
};
