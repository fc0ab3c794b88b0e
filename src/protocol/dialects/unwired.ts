// Unwired Labs' LocationAPI: `POST /v2/process`. Its clients count a 4xx as no answer at all, so errors are 200 with
// `status: "error"` and a `message`; `balance` is always there.

import { flagOf } from '../../radio/read_value.ts';
import { ERRORS, type ErrorRow } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { plain, Query, required } from '../requests/query.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { type Members, membersOf, objectsIn, readObjectBody, textOf } from './json_body.ts';

/** One cell. */
const CELL = new Query({
  radio: plain('Radio type of the cell; without it all types are looked for.', 'lte'),
  mcc: required(plain('Country code of the network.', '1')),
  mnc: required(plain('Network code.', '1')),
  lac: required(plain('Location area, or tracking area.', '1')),
  cid: required(plain('Cell id.', '256001')),
});
/** What a key without credits to count has left. */
const BALANCE_UNLIMITED = 1_000_000;

function read({ bytes }: DialectRequest): Asked {
  const body = readObjectBody(bytes);
  const { token, radio, mcc, mnc, cells, wifi, bt, fallbacks, address } = body;
  const withAddress = flagOf(address) === true || Number(address) === 2;
  return {
    key: textOf(token),
    position: {
      radioType: radio,
      cellTowers: objectsIn(cells).map(cell => cellOf(cell, mcc, mnc)),
      wifiAccessPoints: objectsIn(wifi).map(({ bssid, signal, ssid, channel, frequency, age }) => ({
        macAddress: bssid,
        signalStrength: signal,
        ssid,
        channel,
        frequency,
        age,
      })),
      bluetoothBeacons: objectsIn(bt).map(({ addr, rssi, name }) => ({ macAddress: addr, signalStrength: rssi, name })),
      fallbacks: flagsOf(fallbacks),
      ...(withAddress && { address: 1 }),
      credits: 1,
    },
    write: answerText,
  };
}

/** One cell in the query, as firmware without a way to post asks. */
function readCell({ url }: DialectRequest): Asked {
  const { radio, mcc, mnc, lac, cid } = CELL.read(url);
  return {
    position: { radioType: radio, cellTowers: [cellOf({ lac, cid }, mcc, mnc)], credits: 1 },
    write: answerText,
  };
}

function answerText({ location, accuracy, credits, fallback, address }: AnsweredPosition): string {
  return JSON.stringify({
    status: 'ok',
    balance: credits ?? BALANCE_UNLIMITED,
    lat: location.lat,
    lon: location.lng,
    accuracy,
    fallback,
    address: address && lineOf(address),
    address_detail: address,
  });
}

/** An address in one line. */
function lineOf(address: Readonly<Record<string, string>>): string {
  return Object.entries(address)
    .filter(([key]) => key !== 'country_code')
    .map(([, value]) => value)
    .join(', ');
}

/** A cell by short names. @param mcc of cells that name none @param mnc of cells that name none */
export function cellOf(cell: Members, mcc?: unknown, mnc?: unknown): Members {
  const { radio, lac, cid, psc, signal, ta, tA } = cell;
  return {
    radioType: radio,
    mobileCountryCode: cell.mcc ?? mcc,
    mobileNetworkCode: cell.mnc ?? mnc,
    locationAreaCode: lac,
    cellId: cid,
    primaryScramblingCode: psc,
    signalStrength: signal,
    timingAdvance: ta ?? tA,
  };
}

/** Fallbacks as flags, or as a list of those that are allowed. `scf` and others of theirs change nothing. */
function flagsOf(fallbacks: unknown): { [flag: string]: unknown } {
  if (Array.isArray(fallbacks)) return Object.fromEntries(fallbacks.map(name => [String(name), 1]));
  return { ...membersOf(fallbacks) };
}

/** `message` of an error, in the words that its clients know. */
function messageOf(row: ErrorRow, message: string): string {
  if (row === ERRORS.notFound) return 'No matches found';
  if (row === ERRORS.keyInvalid) return 'Invalid token';
  if (row === ERRORS.creditsExceeded) return 'Out of credits';
  if (row.status === 429) return 'Rate limit exceeded';
  return row === ERRORS.parseError ? `Invalid request: ${message}` : message;
}

const LIST: Schema = { type: 'array', items: { type: 'object' } };

/** The dialect. */
export const UNWIRED: Dialect = {
  title: 'Unwired Labs',
  wording: {
    contentType: JSON_TYPE,
    status: () => 200,
    error: (row, _asker, message = row.message) =>
      JSON.stringify({ status: 'error', message: messageOf(row, message), balance: 0 }),
  },
  error: closedObject({ status: { const: 'error' }, message: { type: 'string' }, balance: { const: 0 } }),
  schemas: {
    UnwiredPosition: closedObject({
      status: { const: 'ok' },
      balance: { type: 'integer', minimum: 0 },
      lat: { type: 'number' },
      lon: { type: 'number' },
      accuracy: { type: 'integer', minimum: 1 },
      'fallback?': { type: 'string' },
      'address?': { type: 'string' },
      'address_detail?': ref('Address'),
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/v2/process', '/v2/process.php'],
      logged: 'position',
      read,
      operation: {
        name: 'unwiredProcess',
        summary: 'As Unwired Labs: locate a device',
        description:
          'The key may stand in `token`. `balance` is 1,000,000 for keys that are not prepaid. A success costs one ' +
          'credit, and one more with an address. The HTTP status is 200 for errors, too.',
        body: {
          'application/json': {
            type: 'object',
            properties: {
              token: { type: 'string' },
              radio: {},
              mcc: {},
              mnc: {},
              cells: LIST,
              wifi: LIST,
              fallbacks: {},
            },
          },
        },
        success: { 'application/json': ref('UnwiredPosition') },
      },
    },
    {
      method: 'GET',
      paths: ['/v2/process.php', '/v2/process'],
      logged: 'position',
      read: readCell,
      operation: {
        name: 'unwiredCell',
        summary: 'As Unwired Labs: locate a device by one cell of a query',
        description: 'As by `POST`. A success costs one credit.',
        parameters: CELL.documented,
        success: { 'application/json': ref('UnwiredPosition') },
      },
    },
  ],
};
