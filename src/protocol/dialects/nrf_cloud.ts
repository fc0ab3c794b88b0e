// nRF Cloud's ground fix, which trackers with Nordic modems ask: `POST /v1/location/ground-fix`. `fulfilledWith` must
// be one of the words that their library knows. A radius holds 68 % of the true positions, or 95 % with `hiConf`.

import { flagOf, numberOf } from '../../radio/read_value.ts';
import { ERRORS } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { type Members, membersOf, objectsIn, readObjectBody } from './json_body.ts';

const LISTS: Readonly<Record<string, string>> = { lte: 'lte', ltecatm: 'lte', nbiot: 'nbiot' };
/** Basic time units in one unit of our timing advance. */
const TIME_UNITS = 16;
const CONFIDENCE_LOW = 68;
const CONFIDENCE_HIGH = 95;
/** Fewer access points give no position. */
const ACCESS_POINTS_MIN = 2;

function read({ bytes }: DialectRequest): Asked {
  const body = readObjectBody(bytes);
  const { wifi, config } = body;
  const wifiAccessPoints = objectsIn(Array.isArray(wifi) ? wifi : membersOf(wifi).accessPoints);
  const cellTowers = Object.entries(LISTS).flatMap(([list, radioType]) =>
    objectsIn(body[list]).flatMap(cell => cellsOf(cell, radioType)),
  );
  const { hiConf, fallback } = membersOf(config);
  return {
    position: {
      wifiAccessPoints,
      cellTowers,
      confidence: flagOf(hiConf) ? CONFIDENCE_HIGH : CONFIDENCE_LOW,
      ...(flagOf(fallback) && { fallbacks: { lacf: 1 } }),
    },
    write: ({ location, accuracy, fallback: guess }: AnsweredPosition) =>
      JSON.stringify({
        lat: location.lat,
        lon: location.lng,
        uncertainty: accuracy,
        fulfilledWith: methodOf(cellTowers, guess === undefined && wifiAccessPoints.length >= ACCESS_POINTS_MIN),
      }),
  };
}

/** By access points, by one cell, or by several. */
function methodOf(cells: readonly Members[], isByWifi: boolean): string {
  if (isByWifi || cells.length === 0) return 'WIFI';
  return cells.length > 1 ? 'MCELL' : 'SCELL';
}

function cellsOf({ mcc, mnc, eci, tac, rsrp, adv, pci, nmr }: Members, radioType: string): Members[] {
  const network = { radioType, mobileCountryCode: mcc, mobileNetworkCode: mnc };
  return [
    {
      ...network,
      locationAreaCode: tac,
      cellId: eci,
      signalStrength: rsrp,
      timingAdvance: Math.round(numberOf(adv) / TIME_UNITS),
      primaryScramblingCode: pci,
    },
    ...objectsIn(nmr).map(neighbour => ({
      ...network,
      signalStrength: neighbour.rsrp,
      primaryScramblingCode: neighbour.pci,
    })),
  ];
}

const CELLS: Schema = { type: 'array', items: { type: 'object' } };

/** The dialect. */
export const NRF_CLOUD: Dialect = {
  title: 'nRF Cloud',
  wording: {
    contentType: JSON_TYPE,
    status: row => (row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid ? 401 : row.status),
    error: (row, _asker, message = row.message) =>
      JSON.stringify({ code: NRF_CLOUD.wording.status!(row) * 100, message }),
  },
  error: closedObject({ code: { type: 'integer' }, message: { type: 'string' } }),
  schemas: {
    GroundFix: closedObject({
      lat: { type: 'number' },
      lon: { type: 'number' },
      uncertainty: { type: 'integer', minimum: 1 },
      fulfilledWith: { enum: ['SCELL', 'MCELL', 'WIFI'] },
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/v1/location/ground-fix', '/location/ground-fix'],
      logged: 'position',
      read,
      operation: {
        name: 'groundFix',
        summary: 'As nRF Cloud: locate a device',
        description:
          '`fulfilledWith` says what the request had: two access points, several cells, or one. A success costs one ' +
          'credit.',
        body: {
          'application/json': {
            type: 'object',
            properties: {
              ...Object.fromEntries(Object.keys(LISTS).map(list => [list, CELLS])),
              wifi: { anyOf: [CELLS, { type: 'object', properties: { accessPoints: CELLS } }] },
              config: { type: 'object', properties: { hiConf: {}, fallback: {} } },
            },
          },
        },
        success: { 'application/json': ref('GroundFix') },
      },
    },
  ],
};
