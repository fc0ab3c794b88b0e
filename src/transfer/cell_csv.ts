// Reads cell tables of OpenCelliD and of the Mozilla Location Service: the same fourteen columns, longitude before
// latitude, with or without a header.
//
// Their `range` is the only measure of size, and is taken as the 50 % radius. More than half of the cells have its
// floor of 1,000 m, for which it says little. How many truths lie inside it no set at hand can tell (lab/accuracy.md).

import { kindOfNetworkType } from '../radio/cell_kind.ts';
import { KIND_CDMA } from '../radio/kind.ts';
import { CODE_ABSENT } from '../radio/query/layout.ts';
import { cellRangesOfKind, isIn, type Range } from '../radio/ranges.ts';
import { networkNumber, writeCellKey } from '../radio/station_key.ts';
import { isUnknownCell } from '../radio/unknown_cell.ts';
import type { RecordSort } from '../tables/environment/record_sort.ts';
import { encodeStation, STATE_ACTIVE } from '../tables/stations/station.ts';
import { readDay, readDecimal, readInteger, readSamples, refusePosition } from './files/csv_file.ts';
import type { Refusal } from './files/refused_lines.ts';

const COLUMNS = 'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averagesignal'.split(
  ',',
);

/** Metres of a cell without a range: the floor of published ranges, at which more than half of them lie. */
const R50_METRES_DEFAULT = 1000;
/** If both axes are normal, 95 % of distances lie within 2.08 times the 50 % radius. */
const R95_TO_R50 = 2.08;

/**
 * Recognises a cell table by its first rows.
 * @returns true when the first row is a header
 * @throws Error naming what is missing when the file is no cell table
 */
export function recogniseCellTable(name: string, headRows: readonly string[][]): boolean {
  const first = headRows[0] ?? [];
  const columns = first.map(column => column.trim().toLowerCase());
  if (columns[0] === 'radio') {
    const wrong = COLUMNS.findIndex((column, i) => columns[i] !== column);
    if (wrong < 0 && columns.length === COLUMNS.length) return true;
    throw new Error(`${name} is not a cell table: its header must read ${COLUMNS.join(',')}.`);
  }
  if (headRows.some(row => row.length === COLUMNS.length && kindOfNetworkType(row[0].trim()) !== 0)) return false;
  throw new Error(
    `${name} is not a cell table: none of its first ${headRows.length} lines has the 14 columns ${COLUMNS.join(',')}.`,
  );
}

/** Adds the cell of one row to the records, or returns why it is refused. Records have 12 bytes of key. */
export function addCell(row: readonly string[], records: RecordSort): Refusal | undefined {
  if (row.length !== COLUMNS.length)
    return { rule: 'columns', why: `there are ${row.length} columns instead of ${COLUMNS.length}` };
  const kind = kindOfNetworkType(row[0].trim());
  if (kind === 0) return { rule: 'radio type', why: `the radio type "${row[0]}" is unknown` };
  const ranges = cellRangesOfKind(kind);
  const mcc = readInteger(row[1]);
  const network = readInteger(row[2]);
  const area = readInteger(row[3]);
  const cell = readInteger(row[4]);
  if (!isIn(mcc, ranges.mobileCountryCode)) return outOfRange('network', 'mcc', row[1], ranges.mobileCountryCode);
  if (!isIn(network, ranges.mobileNetworkCode)) return outOfRange('network', 'net', row[2], ranges.mobileNetworkCode);
  if (!isIn(area, ranges.locationAreaCode)) return outOfRange('area', 'area', row[3], ranges.locationAreaCode);
  if (!isIn(cell, ranges.cellId)) return outOfRange('cell id', 'cell', row[4], ranges.cellId);
  if (isUnknownCell(kind, kind === KIND_CDMA ? -1 : mcc, network, area, cell))
    return { rule: 'fake identity', why: `devices send ${row.slice(1, 5).join('-')} for a cell that they do not know` };
  const longitude = readDecimal(row[6]);
  const latitude = readDecimal(row[7]);
  const misplaced = refusePosition(latitude, longitude);
  if (misplaced !== undefined) return misplaced;

  const range = readDecimal(row[8]);
  const r50Metres = range > 0 ? range : R50_METRES_DEFAULT;
  const at = records.next();
  writeCellKey(records.bytes, at, kind, networkNumber(kind, mcc, network), area, cell);
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
    code: readCode(row[5], ranges.primaryScramblingCode),
    isLearned: false,
  });
  return undefined;
}

/**
 * Scrambling code or physical cell id. The lists write -1, 0 or nothing when it is unknown, so a true 0 is lost too.
 */
function readCode(text: string, allowed: Range): number {
  const code = readInteger(text);
  return code > 0 && isIn(code, allowed) ? code : CODE_ABSENT;
}

function outOfRange(rule: string, column: string, text: string, { min, max, also }: Range): Refusal {
  return {
    rule,
    why: `${column} "${text}" is not a whole number from ${min} to ${max}${also > max ? ` or ${also}` : ''}`,
  };
}
