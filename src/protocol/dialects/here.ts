// HERE Network Positioning v2, as Nordic's nRF Connect SDK asks it: `POST /v2/locate`, and older firmware
// `/positioning/v1/locate`. A radius holds 68 % of the true positions unless `confidence` says otherwise.

import { CONFIDENCE } from '../../radio/ranges.ts';
import { ERRORS } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { number, plain, Query } from '../requests/query.ts';
import type { PositionBody } from '../requests/schema.ts';
import { type AnsweredPosition, type Asked, type Dialect, type DialectRequest, JSON_TYPE } from './dialect.ts';
import { type Members, membersOf, objectsIn, readObjectBody } from './json_body.ts';

/** Lists of cells, by radio type. */
const LISTS: Readonly<Record<string, string>> = {
  gsm: 'gsm',
  wcdma: 'wcdma',
  cdma: 'cdma',
  lte: 'lte',
  catm: 'lte',
  nbiot: 'nbiot',
  nr: 'nr',
};
const CONFIDENCE_DEFAULT = 68;
const PARAMETERS = new Query({
  confidence: number(`Percentage of true positions in the radius; ${CONFIDENCE_DEFAULT} without it.`),
  fallback: plain('`area` allows the location area of an unknown cell, `any` all guesses.'),
});

function read({ url, bytes }: DialectRequest): Asked {
  const { confidence, fallback = '' } = PARAMETERS.read(url);
  const body = readObjectBody(bytes);
  const position: PositionBody = {
    wifiAccessPoints: objectsIn(body.wlan).map(({ mac, rss, powrx, ssid }) => ({
      macAddress: mac,
      signalStrength: rss ?? powrx,
      ssid,
    })),
    cellTowers: Object.entries(LISTS).flatMap(([list, radioType]) =>
      objectsIn(body[list]).flatMap(cell => cellsOf(cell, radioType)),
    ),
    bluetoothBeacons: objectsIn(body.bluetooth ?? body.ble).map(({ mac, rss }) => ({
      macAddress: mac,
      signalStrength: rss,
    })),
    confidence: Number.isNaN(confidence)
      ? CONFIDENCE_DEFAULT
      : Math.min(CONFIDENCE.max, Math.max(CONFIDENCE.min, confidence)),
    fallbacks: fallbacksOf(fallback),
  };
  return {
    position,
    write: ({ location, accuracy }: AnsweredPosition) => JSON.stringify({ location: { ...location, accuracy } }),
  };
}

/** `area` allows the location area of an unknown cell, `any` whatever may be guessed. */
function fallbacksOf(text: string): { [flag: string]: number } {
  const names = text.split(',');
  return { all: names.includes('any') ? 1 : 0, ...(names.includes('area') && { lacf: 1 }) };
}

/** A cell with its neighbours, which are in its network. */
function cellsOf(cell: Members, radioType: string): Members[] {
  const { mcc, mnc, sid, nid, bsid, lac, tac, cid, rsrp, rss, rxLevel, rscp, ta, localId, nmr } = cell;
  const network = { radioType, mobileCountryCode: mcc, mobileNetworkCode: mnc ?? sid };
  const { pci, psc } = membersOf(localId);
  return [
    {
      ...network,
      locationAreaCode: tac ?? lac ?? nid,
      cellId: cid ?? bsid,
      signalStrength: rsrp ?? rss ?? rxLevel ?? rscp,
      timingAdvance: ta,
      primaryScramblingCode: pci ?? psc ?? cell.pci ?? cell.psc,
    },
    ...objectsIn(nmr).map(neighbour => {
      const { lac: area, cid: id } = membersOf(neighbour.globalIdentity);
      return {
        ...network,
        locationAreaCode: area,
        cellId: id,
        signalStrength: neighbour.rsrp ?? neighbour.rss ?? neighbour.rxLevel ?? neighbour.rscp,
        primaryScramblingCode: neighbour.pci ?? neighbour.psc,
      };
    }),
  ];
}

const CELLS: Schema = { type: 'array', items: { type: 'object' } };

/** The dialect. */
export const HERE: Dialect = {
  title: 'HERE',
  wording: {
    contentType: JSON_TYPE,
    status: row => (row === ERRORS.keyInvalid || row === ERRORS.settingsKeyInvalid ? 401 : row.status),
    error: (row, _asker, message = row.message) => {
      const status = HERE.wording.status!(row);
      const title = row === ERRORS.notFound ? 'Position not found' : message;
      return JSON.stringify({ title, status, code: `E${status}000`, cause: message, error: row.reason });
    },
  },
  error: closedObject({
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string' },
    cause: { type: 'string' },
    error: { type: 'string' },
  }),
  schemas: {
    HerePosition: closedObject({
      location: closedObject({
        lat: { type: 'number' },
        lng: { type: 'number' },
        accuracy: { type: 'integer', minimum: 1 },
      }),
    }),
  },
  routes: [
    {
      method: 'POST',
      paths: ['/v2/locate', '/positioning/v1/locate'],
      logged: 'position',
      read,
      operation: {
        name: 'hereLocate',
        summary: 'As HERE: locate a device',
        description: 'Cells in lists by their radio type, and access points. A success costs one credit.',
        parameters: PARAMETERS.documented,
        body: {
          'application/json': {
            type: 'object',
            properties: { wlan: CELLS, ...Object.fromEntries(Object.keys(LISTS).map(list => [list, CELLS])) },
          },
        },
        success: { 'application/json': ref('HerePosition') },
      },
    },
  ],
};
