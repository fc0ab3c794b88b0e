// Cell tables of OpenCelliD and of the Mozilla Location Service: the same fourteen columns, longitude before latitude, with or without a header.
//
// Their `range` is the only measure of size. Against Belgian drives with known positions, half of the places where a cell was seen lie within 0.98
// of it (reference: 886 scans), so it is the 50 % radius. It says little for the many cells where it stands at its floor of 1,000 m.

import { CODE_ABSENT } from '../../wasm/layout.ts';
import { KIND_CDMA, KIND_GSM, KIND_LTE, KIND_NBIOT, KIND_NR, KIND_WCDMA } from '../radio/kind.ts';
import { writeCellKey } from '../radio/station_key.ts';
import { encodeStation, STATE_ACTIVE } from '../tables/station.ts';
import type { RecordSort } from './record_sort.ts';
import type { Refusal } from './refusal.ts';
import { readDay, readDecimal, readInteger, readSamples, refusePosition } from './row_values.ts';

const COLUMNS = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averagesignal'.split(',');

/** Metres of a cell without a range: the floor of the published ones, where more than half of them stand. */
const R50_METRES_DEFAULT = 1000;
/** Of a distance whose two axes are normal: 95 % lie within 2.08 times the radius of 50 %. */
const R95_TO_R50 = 2.08;

interface CellRanges {
  kind: number;
  networkMax: number;
  areaMin: number;
  areaMax: number;
  cellMax: number;
  codeMax: number;
}

const GSM: CellRanges = { kind: KIND_GSM, networkMax: 999, areaMin: 0, areaMax: 65_535, cellMax: 65_535, codeMax: -1 };
const CDMA: CellRanges = { kind: KIND_CDMA, networkMax: 32_767, areaMin: 0, areaMax: 65_535, cellMax: 65_535, codeMax: -1 };
const WCDMA: CellRanges = { kind: KIND_WCDMA, networkMax: 999, areaMin: 0, areaMax: 65_535, cellMax: 268_435_455, codeMax: 511 };
const LTE: CellRanges = { ...WCDMA, kind: KIND_LTE };
const NBIOT: CellRanges = { ...WCDMA, kind: KIND_NBIOT };
const NR: CellRanges = { kind: KIND_NR, networkMax: 999, areaMin: 1, areaMax: 16_777_215, cellMax: 68_719_476_735, codeMax: 1023 };
/** The one value within the range of a 24-bit tracking area code that no network may use. */
const NR_AREA_RESERVED = 16_777_214;

const RANGES_BY_RADIO: Record<string, CellRanges> = {
  GSM,
  CDMA,
  UMTS: WCDMA,
  WCDMA,
  LTE,
  NBIOT,
  'NB-IOT': NBIOT,
  NR,
};

/**
 * Tells from its first rows whether a file is a cell table.
 * @returns true when its first row is a header
 * @throws Error naming what is missing when it is not
 */
export function recogniseCellTable(name: string, headRows: readonly string[][]): boolean {
  const first = headRows[0] ?? [];
  const columns = first.map(column => column.trim().toLowerCase());
  if (columns[0] === 'radio') {
    const wrong = COLUMNS.findIndex((column, i) => columns[i] !== column);
    if (wrong < 0 && columns.length === COLUMNS.length) return true;
    throw new Error(`${name} is not a cell table: its header must read ${COLUMNS.join(',')}.`);
  }
  if (headRows.some(row => row.length === COLUMNS.length && rangesOf(row[0]) !== undefined)) return false;
  throw new Error(`${name} is not a cell table: none of its first ${headRows.length} lines has the 14 columns ${COLUMNS.join(',')}.`);
}

function rangesOf(radio: string): CellRanges | undefined {
  return RANGES_BY_RADIO[radio] ?? RANGES_BY_RADIO[radio.trim().toUpperCase()];
}

/** Adds the cell of one row to the records, or tells why not. Records have 12 bytes of key. */
export function addCell(row: readonly string[], records: RecordSort): Refusal | undefined {
  if (row.length !== COLUMNS.length) return { rule: 'columns', why: `there are ${row.length} columns instead of ${COLUMNS.length}` };
  const ranges = rangesOf(row[0]);
  if (ranges === undefined) return { rule: 'radio type', why: `the radio type "${row[0]}" is unknown` };
  const mcc = readInteger(row[1]);
  const network = readInteger(row[2]);
  const area = readInteger(row[3]);
  const cell = readInteger(row[4]);
  if (!(mcc >= 0 && mcc <= 999)) return outOfRange('network', 'mcc', row[1], 0, 999);
  if (!(network >= 0 && network <= ranges.networkMax)) return outOfRange('network', 'net', row[2], 0, ranges.networkMax);
  if (!(area >= ranges.areaMin && area <= ranges.areaMax) || (ranges === NR && area === NR_AREA_RESERVED)) {
    return outOfRange('area', 'area', row[3], ranges.areaMin, ranges.areaMax);
  }
  if (!(cell >= 0 && cell <= ranges.cellMax)) return outOfRange('cell id', 'cell', row[4], 0, ranges.cellMax);
  const longitude = readDecimal(row[6]);
  const latitude = readDecimal(row[7]);
  const misplaced = refusePosition(latitude, longitude);
  if (misplaced !== undefined) return misplaced;

  const range = readDecimal(row[8]);
  const r50Metres = range > 0 ? range : R50_METRES_DEFAULT;
  const at = records.next();
  writeCellKey(records.bytes, at, ranges.kind, mcc, network, area, cell);
  encodeStation(records.view, at + records.keyBytes, {
    latitude,
    longitude,
    r50Metres,
    r95Metres: r50Metres * R95_TO_R50,
    samples: readSamples(row[9]),
    firstSeenDay: readDay(row[11]),
    lastSeenDay: readDay(row[12]),
    state: STATE_ACTIVE,
    referenceDbm: 0,
    exponent: 0,
    code: readCode(row[5], ranges.codeMax),
  });
  return undefined;
}

/** Scrambling code or physical cell id. The lists write -1, 0 or nothing where it is unknown, so a true 0 is lost with them. */
function readCode(text: string, codeMax: number): number {
  const code = readInteger(text);
  return code > 0 && code <= codeMax ? code : CODE_ABSENT;
}

function outOfRange(rule: string, column: string, text: string, low: number, high: number): Refusal {
  return { rule, why: `${column} "${text}" is not a whole number from ${low} to ${high}` };
}
