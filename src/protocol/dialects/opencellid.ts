// OpenCelliD: the position of a cell (`/cell/get`), the cells of an area (opencellid_area.ts), and measurements that
// apps upload (`/measure/…`). What is said of a cell is XML unless `format=json`; uploads are answered `0,OK`, and
// errors of theirs are a line of text.

import type { ReportDraft } from '../../intake/draft.ts';
import { kindOfNetworkType } from '../../radio/cell_kind.ts';
import { radioOfKind } from '../../radio/kind.ts';
import { numberOf } from '../../radio/read_value.ts';
import { rowsOf } from '../../transfer/files/csv_file.ts';
import { dateOrderOf } from '../../transfer/files/file_time.ts';
import { RowReader } from '../../transfer/formats/row_reports.ts';
import { Row } from '../../transfer/formats/row_table.ts';
import { TOWER_TABLE } from '../../transfer/formats/tower_collector.ts';
import { ApiError, ERRORS, type ErrorRow } from '../errors.ts';
import { closedObject, ref, type Schema } from '../json_schema.ts';
import { type Parameters, readQueryString } from '../requests/parameters.ts';
import { plain, Query, required } from '../requests/query.ts';
import {
  type AnsweredPosition,
  type Asked,
  type Dialect,
  type DialectRequest,
  type DialectRoute,
  JSON_TYPE,
} from './dialect.ts';
import { readForm } from './multipart.ts';
import { AREA_ROUTES, AREA_SCHEMAS } from './opencellid_area.ts';

const XML_TYPE = 'application/xml; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';
const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

const CELL = new Query({
  mcc: required(plain('Country code.', '1')),
  mnc: required(plain('Network code.', '1')),
  lac: plain('Area code; also `tac`.', '1'),
  tac: plain('As `lac`.'),
  cellid: required(plain('Cell id; also `cellId`.', '256001')),
  cellId: plain('As `cellid`.'),
  radio: plain('Radio type; without it all types are looked for.', 'LTE'),
  format: plain('Form of the answer.', undefined, { enum: ['xml', 'json'], default: 'xml' }),
});
/** Columns of a measurement, as the table of an app names them. */
const MEASUREMENT = [
  ...['lat', 'lon', 'mcc', 'mnc', 'sid', 'lac', 'tac', 'nid', 'cellid', 'bid', 'psc', 'pci', 'signal', 'ta'],
  ...['measured_at', 'rating', 'speed', 'direction', 'act', 'devn'],
];
const MEASUREMENT_PARAMETERS = new Set(MEASUREMENT);
const MEASUREMENTS = new Query(
  Object.fromEntries(MEASUREMENT.map(name => [name, plain('As the column of that name.')])),
);

function readCell({ url }: DialectRequest): Asked {
  const { mcc, mnc, lac, tac, cellid, cellId, radio, format } = CELL.read(url);
  const [area, id] = [lac ?? tac, cellid ?? cellId];
  if (mcc === undefined || mnc === undefined || id === undefined)
    throw new ApiError(ERRORS.parseError, 'mcc, mnc and cellid must be given.');
  const radioType = radioOfKind(kindOfNetworkType(radio));
  const cell = { radioType, mobileCountryCode: mcc, mobileNetworkCode: mnc, locationAreaCode: area, cellId: id };
  const isJson = format === 'json';
  return {
    position: { cellTowers: [cell] },
    contentType: isJson ? JSON_TYPE : XML_TYPE,
    write: ({ location, accuracy }: AnsweredPosition) => {
      const found = {
        lat: location.lat,
        lon: location.lng,
        // A cell may be found without its area or network, whatever was sent as one.
        mcc: codeOf(mcc),
        mnc: codeOf(mnc),
        lac: codeOf(area),
        cellid: codeOf(id),
        averageSignalStrength: 0,
        range: accuracy,
        samples: 1,
        changeable: isJson ? true : 1,
        radio: radioType?.toUpperCase() ?? '',
      };
      return isJson ? JSON.stringify(found) : cellXml(found);
    },
  };
}

/** A code as it was sent; 0 for what is no number. */
function codeOf(text: string | undefined): number {
  const code = numberOf(text);
  return Number.isFinite(code) ? code : 0;
}

function cellXml(found: object): string {
  const attributes = Object.entries(found).map(([name, value]) => `${name}="${value}"`);
  return `${XML_HEAD}<rsp stat="ok"><cell ${attributes.join(' ')}/></rsp>\n`;
}

/** A table of measurements in a form, whose member `datafile` it is. */
function readCsv({ bytes }: DialectRequest): Asked {
  const form = readForm(bytes);
  const [head, ...lines] = (form.get('datafile') ?? '').split(/\r?\n/);
  const columns = head.split(',').map(name => name.trim().replaceAll('"', '').toLowerCase());
  const missing = TOWER_TABLE.required.find(names => !names.some(name => columns.includes(name)));
  if (missing !== undefined) throw new ApiError(ERRORS.parseError, `datafile has no column ${missing[0]}.`);
  const rows = rowsOf(lines, ',');
  const at = columns.indexOf(TOWER_TABLE.time[0]);
  const reader = new RowReader({
    name: 'datafile',
    table: TOWER_TABLE,
    columns,
    order: dateOrderOf(rows.map(row => row?.[at] ?? '')),
    // A row that is no measurement does not keep the others from being stored.
    refuse: () => {},
  });
  for (const [i, row] of rows.entries()) if (row !== undefined && row.length > 1) reader.add(i + 2, row);
  return {
    key: form.get('key'),
    reports: reader.end().map(({ draft }) => itemOf(draft)),
    stored: '0,OK',
    contentType: TEXT_TYPE,
  };
}

/** One measurement in parameters, of the query or of a form. */
function readMeasurement({ url, bytes }: DialectRequest): Asked {
  const sent: Parameters = bytes.length === 0 ? readQueryString(url, MEASUREMENT_PARAMETERS) : formOf(bytes, url);
  const columns = new Map(MEASUREMENT.map((name, i) => [name, i]));
  const row = new Row(
    columns,
    MEASUREMENT.map(name => sent.get(name) ?? ''),
  );
  const station = TOWER_TABLE.readRow(row);
  if ('why' in station) throw new ApiError(ERRORS.parseError, `${station.why}.`);
  const draft = { ...station.begin(), [station.list]: [station.entry] };
  const item = { ...itemOf(draft), timestamp: row.text('measured_at') };
  return {
    key: sent.get('key'),
    reports: [item],
    stored: 'Your measurement has been inserted',
    contentType: TEXT_TYPE,
  };
}

/** The fields of a form in a body, and those of the query. */
function formOf(bytes: Buffer, url: string): Parameters {
  const known = new Set([...MEASUREMENT, 'key']);
  const isMultipart = bytes.toString('latin1', 0, 2) === '--';
  const inBody = isMultipart ? readForm(bytes) : readQueryString(`?${bytes.toString()}`, known);
  return new Map([...readQueryString(url, MEASUREMENT_PARAMETERS), ...inBody]);
}

/** A measurement as an item of a batch. */
function itemOf(draft: ReportDraft): object {
  const { timeMs, latitude, longitude, accuracyMetres, altitude, heading, speed, cellTowers } = draft;
  const position = { latitude, longitude, accuracy: accuracyMetres, altitude, heading, speed };
  return { timestamp: timeMs, position, cellTowers };
}

/** Numbers of the errors that apps know. */
const CODES: readonly (readonly [status: number, code: number, message: string])[] = [
  [404, 1, 'Cell not found'],
  [401, 2, 'Invalid API key'],
  [400, 3, 'Invalid input data'],
  [403, 7, 'Daily limit exceeded'],
  [429, 6, 'Too many requests'],
];
const NOT_LISTED = [ERRORS.accessNotConfigured.status, 4, 'Your API key must be white listed'] as const;
const FAILED = 5;

function statusOf(row: ErrorRow): number {
  return row === ERRORS.keyInvalid ? 401 : row.status;
}

function worded(row: ErrorRow, url: string, message: string): { contentType: string; text: string } {
  const known = row === ERRORS.accessNotConfigured ? NOT_LISTED : CODES.find(([status]) => status === statusOf(row));
  const [, code, info] = known ?? [0, FAILED, message];
  if (/^\/+measure\b/.test(url)) {
    const line = row === ERRORS.bodyTooLarge ? 'Exceeded filesize limit.' : `Err: ${message}`;
    return { contentType: TEXT_TYPE, text: row === ERRORS.keyInvalid ? 'Err: Invalid token' : line };
  }
  if (/[?&]format=json(?:&|$)/.test(url))
    return { contentType: JSON_TYPE, text: JSON.stringify({ error: info, code }) };
  return { contentType: XML_TYPE, text: `${XML_HEAD}<rsp stat="fail"><err info="${info}" code="${code}"/></rsp>\n` };
}

const number: Schema = { type: 'number' };
const string: Schema = { type: 'string' };
const STORED = { 'text/plain': { type: 'string', enum: ['0,OK', 'Your measurement has been inserted'] } };

function addRoute(method: 'GET' | 'POST', name: string): DialectRoute {
  return {
    method,
    paths: ['/measure/add'],
    logged: 'submit',
    read: readMeasurement,
    operation: {
      name,
      summary: 'As OpenCelliD: contribute a measurement',
      description: 'In parameters of the query or a form. Costs nothing.',
      parameters: MEASUREMENTS.documented,
      ...(method === 'POST' && { body: { 'multipart/form-data': { type: 'object' } } }),
      success: STORED,
    },
  };
}

/** The dialect. */
export const OPENCELLID: Dialect = {
  title: 'OpenCelliD',
  wording: {
    contentType: XML_TYPE,
    status: statusOf,
    error: (row, { url }, message = row.message) => worded(row, url, message),
  },
  error: { anyOf: [string, closedObject({ error: string, code: { type: 'integer' } })] },
  errorTypes: ['application/xml', 'application/json', 'text/plain'],
  schemas: {
    OpenCelliDCell: closedObject({
      lat: number,
      lon: number,
      mcc: number,
      mnc: number,
      lac: number,
      cellid: number,
      'averageSignalStrength?': { const: 0 },
      range: { type: 'integer', minimum: 1 },
      'samples?': { const: 1 },
      'changeable?': { const: true },
      'radio?': string,
    }),
    ...AREA_SCHEMAS,
  },
  routes: [
    {
      method: 'GET',
      paths: ['/cell/get'],
      logged: 'position',
      read: readCell,
      operation: {
        name: 'openCellIdGet',
        summary: 'As OpenCelliD: find a cell',
        description: 'XML unless `format=json`. `samples` and the level are not told. A success costs one credit.',
        parameters: CELL.documented,
        success: { 'application/json': ref('OpenCelliDCell'), 'application/xml': string },
      },
    },
    {
      method: 'POST',
      paths: ['/measure/uploadCsv'],
      logged: 'submit',
      read: readCsv,
      operation: {
        name: 'openCellIdUpload',
        summary: 'As OpenCelliD: contribute a table of measurements',
        description:
          'A form with `key` and `datafile`, of up to 256 KB. Rows that are no measurements are left out. It is free.',
        body: {
          'multipart/form-data': { type: 'object', properties: { key: string, appId: string, datafile: string } },
        },
        success: STORED,
      },
    },
    ...AREA_ROUTES,
    addRoute('GET', 'openCellIdAdd'),
    addRoute('POST', 'openCellIdAddForm'),
  ],
};
