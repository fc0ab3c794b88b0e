// Reads a CSV file as rows, one row a line.
//
// A block of lines without quotes, as in all cell tables, is split at the commas, four times as fast as by a parser;
// other blocks are read by csv-parse. A row never spans lines, because a stray quote would then swallow everything up
// to the next quote in the file. So when a block does not yield one row a line, its lines are read one by one, and a
// stray quote costs only its own line.

import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import type { Refusal } from './refused_lines.ts';
import { openText, type TextFile } from './text_file.ts';

/** A file being read. */
export interface CsvFile {
  /** As in messages. */
  name: string;
  /** The rows within the first 64 KiB, by which the type of the file is recognised. */
  headRows: string[][];
  /** All lines, including `headRows`, in blocks. @throws Error when the file cannot be read to its end. */
  blocks(): AsyncGenerator<RowBlock>;
  /** Bytes read from disk so far, before decompression. */
  bytesRead(): number;
  /** Closes the file; needed when `blocks` is not read to its end. */
  close(): void;
}

/** Rows of consecutive lines; a line that is no CSV by itself is `undefined`, an empty line `['']`. */
export interface RowBlock {
  /** Line number of the first row, from 1. */
  firstLine: number;
  rows: (string[] | undefined)[];
}

/**
 * Opens a CSV file and reads its head.
 * @param path a path, or `-` for `stdin`
 * @throws Error when the file is missing, empty, binary, or a damaged gzip file
 */
export async function openCsv(path: string, stdin: Readable): Promise<CsvFile> {
  const text = await openText(path, stdin);
  if (!text.head.includes(0)) return csvOf(text);
  text.close();
  throw new Error(`${text.name} is not CSV: it holds binary data.`);
}

/** A text file taken as CSV. @param delimiter one character */
export function csvOf(text: TextFile, delimiter = ','): CsvFile {
  async function* blocks(): AsyncGenerator<RowBlock> {
    for await (const { firstLine, lines } of text.blocks()) yield { firstLine, rows: rowsOf(lines, delimiter) };
  }
  const headRows = rowsOf(text.headLines, delimiter).filter(row => row !== undefined);
  return { name: text.name, headRows, blocks, bytesRead: text.bytesRead, close: text.close };
}

const CSV_OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  skip_records_with_error: true,
  record_delimiter: '\n',
};

/** One row for each line. */
export function rowsOf(lines: readonly string[], delimiter: string): (string[] | undefined)[] {
  if (!lines.some(line => line.includes('"'))) return lines.map(line => line.split(delimiter));
  const rows: string[][] = parse(lines.join('\n'), { ...CSV_OPTIONS, delimiter });
  return rows.length === lines.length ? rows : lines.map(line => rowOfLine(line, delimiter));
}

function rowOfLine(line: string, delimiter: string): string[] | undefined {
  const rows: string[][] = parse(line, { ...CSV_OPTIONS, delimiter });
  return line === '' ? [''] : rows[0];
}

// Reads values of a row: strictly when a value identifies or locates a station, leniently when it is additional.

const DAY_SECONDS = 86_400;
const DAY_MAX = 65_535;
/** Numbers above this are milliseconds: as seconds they would lie in the year 5138. */
const SECONDS_MAX = 1e11;
/** Degrees around 0, 0 without any land: such positions come from broken receivers and empty columns. */
const NULL_ISLAND_DEGREES = 1;

/** A whole number, digits with an optional minus sign; NaN for anything else. */
export function readInteger(text: string): number {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
}

/** A decimal number; NaN for anything else, the empty text too. */
export function readDecimal(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

/** Days since 1970-01-01 of a Unix time in seconds or milliseconds or an ISO 8601 date; 0 where there is none. */
export function readDay(text: string | undefined): number {
  if (text === undefined || text === '') return 0;
  const number = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text.slice(0, 10)) / 1000 : readDecimal(text);
  const seconds = number > SECONDS_MAX ? number / 1000 : number;
  const day = Math.floor(seconds / DAY_SECONDS);
  return day > 0 && day <= DAY_MAX ? day : 0;
}

/** Observations behind a row: a whole number from 1; 1 where there is none. */
export function readSamples(text: string | undefined): number {
  return Math.max(readInteger(text ?? '') || 1, 1);
}

/** Why a position is not usable; undefined when it is. Degrees. */
export function refusePosition(latitude: number, longitude: number): Refusal | undefined {
  if (!(latitude >= -90 && latitude <= 90))
    return { rule: 'position', why: 'the latitude is not a number from -90 to 90' };
  if (!(longitude >= -180 && longitude <= 180))
    return { rule: 'position', why: 'the longitude is not a number from -180 to 180' };
  if (Math.abs(latitude) < NULL_ISLAND_DEGREES && Math.abs(longitude) < NULL_ISLAND_DEGREES) {
    return {
      rule: 'null island',
      why: `the position ${latitude}, ${longitude} is within a degree of 0, 0, where no land is`,
    };
  }
  return undefined;
}
