// AWS IoT Core Device Location: `POST /position-estimate` (GetPositionEstimate). The answer is a GeoJSON point whose
// radius holds 68 % of the true positions. Its clients sign their requests, and a signature is not checked here: the
// key comes in the path of the endpoint.

import { ERRORS, type ErrorRow } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import type { PositionBody } from '../requests/schema.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { type Members, membersOf, objectsIn, readObjectBody } from './json_body.ts';

/** Percentage of true positions in its radius. */
const CONFIDENCE = 68;

/** What a list of cells calls the parts of one. */
interface CellNames {
  radioType: string;
  /** Area and id of the cell, in that order. */
  area: string;
  id: string;
  level: string;
  /** Objects with the code by which neighbours without an id are told apart, and with neighbours. */
  local: string;
  code?: string;
  neighbours: string;
  timingAdvance?: string;
}

/** Lists of cells. */
const LISTS: Readonly<Record<string, CellNames>> = {
  Gsm: {
    radioType: 'gsm',
    area: 'Lac',
    id: 'GeranCid',
    level: 'RxLevel',
    local: 'GsmLocalId',
    neighbours: 'GsmNmr',
    timingAdvance: 'GsmTimingAdvance',
  },
  Wcdma: {
    radioType: 'wcdma',
    area: 'Lac',
    id: 'UtranCid',
    level: 'Rscp',
    local: 'WcdmaLocalId',
    code: 'Psc',
    neighbours: 'WcdmaNmr',
  },
  Lte: {
    radioType: 'lte',
    area: 'Tac',
    id: 'EutranCid',
    level: 'Rsrp',
    local: 'LteLocalId',
    code: 'Pci',
    neighbours: 'LteNmr',
    timingAdvance: 'LteTimingAdvance',
  },
  Cdma: {
    radioType: 'cdma',
    area: 'NetworkId',
    id: 'BaseStationId',
    level: 'PilotPower',
    local: 'CdmaLocalId',
    neighbours: 'CdmaNmr',
  },
};

function read({ bytes }: DialectRequest): Asked {
  const { WiFiAccessPoints, CellTowers, Timestamp } = readObjectBody(bytes);
  const towers = membersOf(CellTowers);
  const position: PositionBody = {
    wifiAccessPoints: objectsIn(WiFiAccessPoints).map(({ MacAddress, Rss }) => ({
      macAddress: MacAddress,
      signalStrength: Rss,
    })),
    cellTowers: Object.entries(LISTS).flatMap(([list, names]) =>
      objectsIn(towers[list]).flatMap(cell => cellsOf(cell, names)),
    ),
    confidence: CONFIDENCE,
  };
  return { position, write: (answer: AnsweredPosition) => answerText(answer, Timestamp) };
}

/** A cell with its neighbours, which are in its network. */
function cellsOf(cell: Members, names: CellNames): Members[] {
  const { radioType, area, id, level, local, code = '', neighbours, timingAdvance = '' } = names;
  const network = { radioType, mobileCountryCode: cell.Mcc, mobileNetworkCode: cell.Mnc ?? cell.SystemId };
  return [
    {
      ...network,
      locationAreaCode: cell[area],
      cellId: cell[id],
      signalStrength: cell[level],
      timingAdvance: cell[timingAdvance],
      primaryScramblingCode: membersOf(cell[local])[code],
    },
    ...objectsIn(cell[neighbours]).map(neighbour => {
      const identity = { ...neighbour, ...membersOf(neighbour.GlobalIdentity) };
      return {
        ...network,
        locationAreaCode: identity[area],
        cellId: identity[id],
        signalStrength: neighbour[level],
        primaryScramblingCode: neighbour[code],
      };
    }),
  ];
}

/** @param sent when the device measured, seconds since 1970; anything else means now */
function answerText({ location, accuracy }: AnsweredPosition, sent: unknown): string {
  const timeMs = typeof sent === 'number' ? sent * 1_000 : Number.NaN;
  const time = new Date(timeMs);
  return JSON.stringify({
    type: 'Point',
    coordinates: [location.lng, location.lat],
    properties: {
      horizontalAccuracy: accuracy,
      horizontalConfidenceLevel: CONFIDENCE / 100,
      timestamp: (Number.isNaN(time.getTime()) ? new Date() : time).toISOString(),
    },
  });
}

function statusOf(row: ErrorRow): number {
  return row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid ? 403 : row.status;
}

/** Name of an exception, by which its clients know an error. */
function exceptionOf(row: ErrorRow): string {
  if (row === ERRORS.notFound) return 'ResourceNotFoundException';
  const status = statusOf(row);
  if (status === 403) return 'AccessDeniedException';
  if (status === 429) return 'ThrottlingException';
  return status >= 500 ? 'InternalServerException' : 'ValidationException';
}

const LIST: Schema = { type: 'array', items: { type: 'object' } };

/** The dialect. */
export const AWS_IOT: Dialect = {
  title: 'AWS IoT',
  wording: {
    contentType: JSON_TYPE,
    status: statusOf,
    error: (row, _asker, message = row.message) => JSON.stringify({ __type: exceptionOf(row), message }),
  },
  error: closedObject({ __type: { type: 'string' }, message: { type: 'string' } }),
  schemas: {
    AwsPosition: closedObject({
      type: { const: 'Point' },
      coordinates: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 },
      properties: closedObject({
        horizontalAccuracy: { type: 'integer', minimum: 1 },
        horizontalConfidenceLevel: { const: CONFIDENCE / 100 },
        timestamp: { type: 'string', format: 'date-time' },
      }),
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/position-estimate'],
      logged: 'position',
      read,
      operation: {
        name: 'awsPositionEstimate',
        summary: 'As AWS IoT Device Location: locate a device',
        description: 'Access points, and cells in lists by their radio type. A success costs one credit.',
        body: {
          'application/json': {
            type: 'object',
            properties: {
              WiFiAccessPoints: LIST,
              CellTowers: {
                type: 'object',
                properties: Object.fromEntries(Object.keys(LISTS).map(list => [list, LIST])),
              },
              Timestamp: { type: 'number' },
            },
          },
        },
        success: { 'application/json': ref('AwsPosition') },
      },
    },
  ],
};
