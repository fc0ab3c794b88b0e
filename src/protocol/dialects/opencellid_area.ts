// OpenCelliD: the cells of an area, and their number, for keys that may list them. A box is as large as 10 by 10 km at
// most, and an answer has 50 cells unless more are asked for. XML unless `format` says otherwise.

import { METRES_PER_DEGREE, RADIANS_PER_DEGREE } from '../../../wasm/earth_constants.ts';
import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { KIND_CDMA, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA, radioOfKind } from '../../radio/kind.ts';
import { isIn, LATITUDE, LONGITUDE } from '../../radio/ranges.ts';
import { numberOf } from '../../radio/read_value.ts';
import { AREA_NONE } from '../../radio/unknown_cell.ts';
import { ApiError, ERRORS } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import type { CellArea, CellInArea, CellsInArea } from '../requests/cell_area.ts';
import { oneOf, type Parameter, parameter, plain, Query, required } from '../requests/query.ts';
import { type Asked, type DialectRequest, type DialectRoute, JSON_TYPE } from './dialect.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Square metres. */
const AREA_MAX = 100_000_000;
const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 1_000;
const OFFSET_MAX = 1_000_000;
const FORM_NAMES = ['xml', 'json', 'csv', 'kml'] as const;

const whole: Schema = { type: 'integer', minimum: 0 };
/** Of both questions. */
const AREA_PARAMETERS = {
  BBOX: required(
    plain('Latitude and longitude of the southwest and the northeast; also `bbox`.', '1.2,-2.6,1.29,-2.5'),
  ),
  bbox: plain('As `BBOX`.'),
  mcc: wholeTo(999, 'Only those of this country.'),
  mnc: wholeTo(32_767, 'Only those of this network; of cdma, of this system.'),
  lac: wholeTo(AREA_NONE, 'Only those of this area; also `tac`.'),
  tac: wholeTo(AREA_NONE, 'As `lac`.'),
  radio: plain('Only those of this radio type.', 'LTE'),
  format: oneOf(FORM_NAMES, 'xml', 'Form of the answer.'),
};
const AREA = new Query(AREA_PARAMETERS);
const LIST = new Query({
  ...AREA_PARAMETERS,
  limit: wholeTo(LIMIT_MAX, 'Most cells.', { minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT }),
  offset: wholeTo(OFFSET_MAX, 'How many are left out before the first.', { default: 0 }),
});

/** How OpenCelliD names radio types that have another name here. */
const RADIO_NAMES: Readonly<Record<string, string>> = { wcdma: 'UMTS', nbiot: 'NBIOT' };
/** An id of UMTS: the number of its controller, and of the cell there. */
const CONTROLLER_SHIFT = 65_536;

/** What is told of a cell, in the order of the columns. */
const COLUMNS = [
  ...['lat', 'lon', 'mcc', 'mnc', 'lac', 'cellid', 'averageSignalStrength', 'range', 'samples', 'changeable', 'radio'],
  ...['rnc', 'cid', 'tac', 'sid', 'nid', 'bid'],
] as const;

type Row = Readonly<Record<string, number | string>>;

/** A form of both answers: its content type, the cells, and their number. */
interface Form {
  type: string;
  cells(rows: readonly Row[]): string;
  count(total: number): string;
}

const FORMS: Readonly<Record<(typeof FORM_NAMES)[number], Form>> = {
  xml: {
    type: XML_TYPE,
    cells: rows =>
      `${XML_HEAD}<rsp stat="ok"><cells count="${rows.length}">${rows.map(cellXml).join('')}</cells></rsp>\n`,
    count: total => `${XML_HEAD}<rsp stat="ok"><cells count="${total}"/></rsp>\n`,
  },
  json: {
    type: JSON_TYPE,
    cells: rows => JSON.stringify({ count: rows.length, cells: rows.map(row => ({ ...row, changeable: true })) }),
    count: total => JSON.stringify({ count: total }),
  },
  csv: {
    type: 'text/csv; charset=utf-8',
    cells: rows => [COLUMNS.join(','), ...rows.map(row => COLUMNS.map(name => row[name]).join(',')), ''].join('\n'),
    count: total => `count\n${total}\n`,
  },
  kml: {
    type: 'application/vnd.google-earth.kml+xml; charset=utf-8',
    cells: rows => kml(rows.map(placemark).join('')),
    count: total => kml(`<name>${total}</name>`),
  },
};

function cellXml(row: Row): string {
  return `<cell ${COLUMNS.map(name => `${name}="${row[name]}"`).join(' ')}/>`;
}

function kml(content: string): string {
  return `${XML_HEAD}<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${content}</Document></kml>\n`;
}

function placemark(row: Row): string {
  const data = COLUMNS.map(name => `<Data name="${name}"><value>${row[name]}</value></Data>`).join('');
  const name = [row.radio, row.mcc, row.mnc, row.lac, row.cellid].join('-');
  const point = `<Point><coordinates>${row.lon},${row.lat}</coordinates></Point>`;
  return `<Placemark><name>${name}</name><ExtendedData>${data}</ExtendedData>${point}</Placemark>`;
}

function readArea({ url }: DialectRequest, isCount: boolean): Asked {
  const sent = LIST.read(url);
  const form = FORMS[sent.format];
  return {
    cells: areaOf(sent, isCount),
    contentType: form.type,
    write: ({ total, cells }: CellsInArea) => (isCount ? form.count(total) : form.cells(cells.map(rowOf))),
  };
}

function areaOf(
  { BBOX, bbox, radio, mcc, mnc, lac, tac, offset, limit }: ReturnType<typeof LIST.read>,
  isCount: boolean,
): CellArea {
  const kind = radio === undefined ? undefined : kindOfNetworkType(radio);
  if (kind === 0) throw inputError('radio is not known.');
  return {
    box: boxOf(BBOX ?? bbox ?? ''),
    kind,
    mcc,
    mnc,
    area: lac ?? tac,
    offset: offset ?? 0,
    limit: isCount ? 0 : Math.max(1, limit ?? LIMIT_DEFAULT),
  };
}

/** Southern latitude, western longitude, northern latitude, eastern longitude. */
function boxOf(text: string): CellArea['box'] {
  const numbers = text.split(',').map(numberOf);
  const [south, west, north, east] = numbers;
  const isBox =
    numbers.length === 4 &&
    [south, north].every(latitude => isIn(latitude, LATITUDE)) &&
    [west, east].every(longitude => isIn(longitude, LONGITUDE)) &&
    south <= north &&
    west <= east;
  if (!isBox)
    throw inputError('BBOX must be four degrees: latitude and longitude of the southwest and of the northeast.');
  const height = (north - south) * METRES_PER_DEGREE;
  const width = (east - west) * METRES_PER_DEGREE * Math.cos(((south + north) / 2) * RADIANS_PER_DEGREE);
  if (height * width > AREA_MAX) throw inputError(`BBOX must have at most ${AREA_MAX / 1e6} square kilometres.`);
  return { south, west, north, east };
}

/** A whole number from 0; a larger one than the most means that. It is undefined if it is not sent. */
function wholeTo(most: number, description: string, schema: Schema = {}): Parameter<number | undefined> {
  const read = (text: string | undefined, name: string) => {
    if (text === undefined) return undefined;
    const sent = numberOf(text);
    if (!Number.isInteger(sent) || sent < 0) throw inputError(`${name} must be a whole number from 0.`);
    return Math.min(most, sent);
  };
  return parameter(read, { ...whole, ...schema }, description);
}

function inputError(message: string): ApiError {
  return new ApiError(ERRORS.parseError, message);
}

/** What is no part of a cell's identity is 0, as the level is, which is not known. */
function rowOf({ kind, mcc, mnc, area, cell, latitude, longitude, r95Metres, samples }: CellInArea): Row {
  const code = area === AREA_NONE ? 0 : area;
  const isCdma = kind === KIND_CDMA;
  const hasController = kind === KIND_WCDMA && cell >= CONTROLLER_SHIFT;
  const name = radioOfKind(kind)!;
  return {
    lat: Number(latitude.toFixed(6)),
    lon: Number(longitude.toFixed(6)),
    mcc: Math.max(0, mcc),
    mnc,
    lac: code,
    cellid: cell,
    averageSignalStrength: 0,
    range: Math.max(1, Math.round(r95Metres)),
    samples,
    changeable: 1,
    radio: RADIO_NAMES[name] ?? name.toUpperCase(),
    rnc: hasController ? Math.floor(cell / CONTROLLER_SHIFT) : 0,
    cid: hasController ? cell % CONTROLLER_SHIFT : 0,
    tac: [KIND_LTE, KIND_NBIOT, KIND_NR].includes(kind) ? code : 0,
    sid: isCdma ? mnc : 0,
    nid: isCdma ? code : 0,
    bid: isCdma ? cell : 0,
  };
}

const number: Schema = { type: 'number' };
const string: Schema = { type: 'string' };

/** Schemas of their answers. */
export const AREA_SCHEMAS: Readonly<Record<string, Schema>> = {
  OpenCelliDCells: closedObject({
    count: { ...whole, description: 'Of this answer.' },
    cells: {
      type: 'array',
      items: closedObject({
        ...Object.fromEntries(COLUMNS.map(name => [name, name === 'lat' || name === 'lon' ? number : whole])),
        averageSignalStrength: { const: 0 },
        range: { type: 'integer', minimum: 1, description: 'Metres that hold 95 % of those who hear it.' },
        changeable: { const: true },
        radio: string,
      }),
    },
  }),
  OpenCelliDCount: closedObject({ count: whole }),
};

const TEXTS = { 'application/xml': string, 'text/csv': string, 'application/vnd.google-earth.kml+xml': string };

/** Its routes. */
export const AREA_ROUTES: readonly DialectRoute[] = [
  {
    method: 'GET',
    paths: ['/cell/getInArea'],
    logged: 'cells',
    read: request => readArea(request, false),
    operation: {
      name: 'openCellIdInArea',
      summary: 'As OpenCelliD: list the cells of an area',
      description:
        `For keys that the operator has made with \`--cells\`. At most ${AREA_MAX / 1e6} square kilometres. Each ` +
        'cell costs a credit.',
      parameters: LIST.documented,
      success: { 'application/json': ref('OpenCelliDCells'), ...TEXTS },
    },
  },
  {
    method: 'GET',
    paths: ['/cell/getInAreaSize'],
    logged: 'cells',
    read: request => readArea(request, true),
    operation: {
      name: 'openCellIdInAreaSize',
      summary: 'As OpenCelliD: count the cells of an area',
      description: 'For the same keys. Costs a credit.',
      parameters: AREA.documented,
      success: { 'application/json': ref('OpenCelliDCount'), ...TEXTS },
    },
  },
];
