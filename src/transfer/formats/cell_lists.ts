// Reads lists of cells with the places of their antennas, as network monitors keep and exchange them, into the columns
// of a cell table (cell_csv.ts). None of them is a measurement, and none has a time.
//
//   NetMonster   4G;MCC;MNC;CI;TAC;eNB;PCI;latitude;longitude;description;EARFCN
//   CLF 3        MCCMNC;CID;LAC;RNC;latitude;longitude;ratio;description;0        numbers may begin with 0x
//   CLF 4        MCCMNC;CID;LAC;type;latitude;longitude;ratio;description;system;label;…
//   CLF 2        CID, LAC and MCCMNC without separators, hexadecimal (2.0) or decimal (2.1), a tab, a description
//
// The cell of a node becomes the whole id: RNC and 16 bits, eNB and 8 bits. CLF 3 does not state the radio type: with
// an RNC it is UMTS, otherwise up to 65,535 GSM, up to 28 bits LTE, beyond NR. CLF 2 states no position; some
// descriptions do.
//
// Source: mroczis/netmonster-web, UserAboutNtm; nobbi.com/monitor/filesde.html (CLF 2 and 3); signalmonitoring.com;
// public writers of CLF 4.

import type { Refusal } from '../files/refused_lines.ts';

/** One form of list. */
interface CellList {
  name: string;
  /** Lines between the cells. */
  isComment(line: string): boolean;
  /** The columns of a cell table, or why there is no cell. */
  readLine(line: string): string[] | Refusal;
}

/** What is not known has this number in NetMonster. */
const UNKNOWN = '2147483647';
const BITS_16 = 2 ** 16;
const BITS_28 = 2 ** 28;
const CELLS_OF_ENB = 256;
const COLUMNS_OF_CLF_3 = 9;
const COLUMNS_OF_CLF_4 = 16;
const COLUMNS_OF_NETMONSTER = 11;
const NETMONSTER_TYPES: Readonly<Record<string, string>> = {
  '2G': 'GSM',
  '3G': 'UMTS',
  '4G': 'LTE',
  '5G': 'NR',
  CD: 'CDMA',
  CD2: 'CDMA',
};
const CLF_SYSTEMS: Readonly<Record<string, string>> = { 1: 'GSM', 2: 'CDMA', 3: 'UMTS', 4: 'LTE', 5: 'NR' };
const DEGREES = /(?<latitude>-?\d{1,2}\.\d{3,})\s*[,;/ ]\s*(?<longitude>-?\d{1,3}\.\d{3,})/;

const isComment = (line: string) => line.trim() === '' || line.startsWith('//');

/** Forms by their first line that is no comment. */
const LISTS: readonly (CellList & { form: RegExp })[] = [
  { name: 'NetMonster', form: /^(?:[2345]G|CD2?);\d*;\d*;/, isComment, readLine: readNetMonster },
  { name: 'CLF 4', form: /^\d{5,6}(?:;[^;]*){15,}$/, isComment, readLine: readClf4 },
  { name: 'CLF 3', form: /^\d{5,6};(?:0x)?[\da-f]+;(?:0x)?[\da-f]+;(?:[^;]*;){4}/i, isComment, readLine: readClf3 },
  { name: 'CLF 2.1', form: /^\d{15,16}[\t ]/, isComment, readLine: line => readClf2(line, 10) },
  { name: 'CLF 2.0', form: /^[\dA-F]{8}\d{5,6}[\t ]/i, isComment, readLine: line => readClf2(line, 16) },
];

/** The form of a list with these first lines; undefined if it is none. */
export function cellListOf(lines: readonly string[]): CellList | undefined {
  const first = lines.find(line => !isComment(line));
  return first === undefined ? undefined : LISTS.find(({ form }) => form.test(first));
}

function readNetMonster(line: string): string[] | Refusal {
  const fields = line.split(';').map(field => (field.trim() === UNKNOWN ? '' : field.trim()));
  if (fields.length < COLUMNS_OF_NETMONSTER) return wrongCount(fields, COLUMNS_OF_NETMONSTER);
  const [type, mcc, network, cell, area, node, code, latitude, longitude] = fields;
  const radio = NETMONSTER_TYPES[type];
  if (radio === undefined) return { rule: 'radio type', why: `the radio type "${type}" is unknown` };
  // Of CDMA: nothing, network id, base station, nothing, nothing, system.
  if (radio === 'CDMA') return tableRow([radio, '0', code, network, cell, ''], latitude, longitude);
  const id = radio === 'UMTS' ? umtsId(cell, node) : radio === 'LTE' ? lteId(cell, node) : cell;
  return typeof id === 'string'
    ? tableRow([radio, mcc, network, area, id, radio === 'GSM' ? '' : code], latitude, longitude)
    : id;
}

function readClf3(line: string): string[] | Refusal {
  const fields = line.split(';').map(field => field.trim());
  if (fields.length < COLUMNS_OF_CLF_3) return wrongCount(fields, COLUMNS_OF_CLF_3);
  const [network, cell, area, node] = [fields[0], ...fields.slice(1, 4).map(decimal)];
  const id = Number(cell);
  const radio = Number(node) > 0 ? 'UMTS' : id < BITS_16 ? 'GSM' : id < BITS_28 ? 'LTE' : 'NR';
  const whole = radio === 'UMTS' ? umtsId(cell, node) : cell;
  return typeof whole === 'string' ? clfRow(radio, network, area, whole, fields[4], fields[5]) : whole;
}

function readClf4(line: string): string[] | Refusal {
  const fields = line.split(';').map(field => field.trim());
  if (fields.length < COLUMNS_OF_CLF_4) return wrongCount(fields, COLUMNS_OF_CLF_4);
  const [network, cell, area, , latitude, longitude, , , system] = fields;
  const radio = CLF_SYSTEMS[system];
  if (radio === undefined) return { rule: 'radio type', why: `the system "${system}" is unknown` };
  const id = radio === 'UMTS' ? umtsId(decimal(cell), '') : decimal(cell);
  return typeof id === 'string' ? clfRow(radio, network, decimal(area), id, latitude, longitude) : id;
}

function readClf2(line: string, radix: 10 | 16): string[] | Refusal {
  const digits = radix === 10 ? 5 : 4;
  const [codes = ''] = line.split(/[\t ]/, 1);
  const degrees = DEGREES.exec(line.slice(codes.length))?.groups;
  if (degrees === undefined)
    return { rule: 'position', why: 'CLF 2 has no column for the position, and the description states none' };
  const [cell, area] = [codes.slice(0, digits), codes.slice(digits, 2 * digits)].map(text =>
    String(Number.parseInt(text, radix)),
  );
  return clfRow('GSM', codes.slice(2 * digits), area, cell, degrees.latitude, degrees.longitude);
}

function clfRow(radio: string, network: string, area: string, cell: string, latitude: string, longitude: string) {
  return tableRow([radio, network.slice(0, 3), network.slice(3), area, cell, ''], latitude, longitude);
}

/** The columns of a cell table; none of the lists has the last seven. */
function tableRow(identity: readonly string[], latitude: string, longitude: string): string[] {
  return [...identity, longitude, latitude, '', '', '', '', '', ''];
}

/** Digits without leading zeros, of a number that may begin with 0x. Anything else stays, for the message. */
function decimal(text: string): string {
  return /^(?:0x[\da-f]{1,9}|\d{1,11})$/i.test(text) ? String(Number(text)) : text;
}

function umtsId(cell: string, node: string): string | Refusal {
  if (Number(cell) >= BITS_16) return cell;
  if (Number(node) > 0) return String(Number(node) * BITS_16 + Number(cell));
  return { rule: 'cell id', why: `the UMTS cell id "${cell}" lacks its RNC` };
}

function lteId(cell: string, node: string): string {
  return Number(node) > 0 && Number(cell) < CELLS_OF_ENB ? String(Number(node) * CELLS_OF_ENB + Number(cell)) : cell;
}

function wrongCount(fields: readonly string[], expected: number): Refusal {
  return { rule: 'columns', why: `there are ${fields.length} columns instead of ${expected}` };
}
