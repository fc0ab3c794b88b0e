// Reads the rows of a table (RFC 4180), of which each is for itself: what is wrong with one costs no other.
//
// A cell in quotes may go on over lines. So a quote that is left open would swallow what follows, up to the next quote
// anywhere. Therefore a row of several lines counts only if its quotes close where a cell ends, within a few lines,
// and it has as many cells as the table has columns. Otherwise the quote is a stray one, and costs its line alone.

import { type Encoding, hasForeignBytes } from './encoding.ts';
import type { TextFile } from './text_file.ts';

/** A row of a table. */
export interface TableRow {
  /** On which it begins, from 1. */
  line: number;
  /** As many as the table has columns. */
  cells: string[];
  /** The same as the file has them, where they are more than texts. */
  values?: readonly unknown[];
  /** Cells beyond the columns: nobody knows which ones. */
  beyond: string[];
  /** What is wrong with the row; undefined where it can be read. */
  fault: string | undefined;
}

/** How rows are written. */
interface RowForm {
  delimiter: string;
  encoding: Encoding;
  /** Of the first row. */
  firstLine: number;
  columns: number;
}

/** A longer row is none of a table. */
const ROW_BYTES_MAX = 1_048_576;
/** A cell that goes on over more has a stray quote. */
const ROW_LINES_MAX = 100;
const LINES_CHARACTERS_MAX = 65_536;

/**
 * The rows of a table from a line on.
 * @throws Error naming a line that is too long, or holds bytes that are none of the encoding
 */
export async function* tableRows(text: TextFile, form: RowForm): AsyncGenerator<TableRow> {
  let lines: string[] = [];
  let first = 1;
  for await (const block of text.blocks(ROW_BYTES_MAX)) {
    lines = lines.concat(block.lines);
    const taken = yield* wholeRows(lines, first, false, form);
    lines = lines.slice(taken);
    first += taken;
  }
  yield* wholeRows(lines, first, true, form);
}

/** @returns how many lines they take */
function* wholeRows(
  lines: readonly string[],
  first: number,
  isEnd: boolean,
  form: RowForm,
): Generator<TableRow, number> {
  let at = 0;
  while (at < lines.length) {
    const line = first + at;
    if (hasForeignBytes(lines[at], form.encoding))
      throw new Error(`Line ${line} has bytes that are none of ${form.encoding.name}; name the encoding of the table.`);
    if (line < form.firstLine || lines[at] === '') {
      at++;
      continue;
    }
    const read = rowAt(lines, at, isEnd, form);
    if (read === undefined) break;
    yield rowOf(read.cells, form, line, read.isStray);
    at += read.lines;
  }
  return at;
}

/** The row that begins with a line; undefined if it goes on beyond the lines. */
function rowAt(
  lines: readonly string[],
  at: number,
  isEnd: boolean,
  { delimiter, columns }: RowForm,
): { cells: string[]; lines: number; isStray: boolean } | undefined {
  let text = lines[at];
  const stray = { cells: text.split(delimiter), lines: 1, isStray: true };
  for (let count = 1; count <= ROW_LINES_MAX && text.length <= LINES_CHARACTERS_MAX + lines[at].length; count++) {
    const cells = readCells(text, delimiter);
    if (cells === 'stray') return stray;
    if (cells !== 'open')
      return count > 1 && cells.length !== columns ? stray : { cells, lines: count, isStray: false };
    const next = lines[at + count];
    if (next === undefined) return isEnd ? stray : undefined;
    text += `\n${next}`;
  }
  return stray;
}

/** The cells of a text; `open` where a quote is not closed, and `stray` where one is closed in the middle of a cell. */
export function readCells(text: string, delimiter: string): string[] | 'open' | 'stray' {
  if (!text.includes('"')) return text.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at) : text.indexOf(delimiter, at);
    if (isQuoted && end < 0) return 'open';
    const cell = text.slice(at, end < 0 ? undefined : end);
    cells.push(isQuoted ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end < 0 || end === text.length) return cells;
    if (text[end] !== delimiter) return 'stray';
    at = end;
  }
}

/** Behind the quote that closes a cell; -1 if none does. */
function endOfQuoted(text: string, at: number): number {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? -1 : end + 1;
}

function rowOf(read: readonly string[], { columns, delimiter }: RowForm, line: number, isStray: boolean): TableRow {
  const cells = Array.from({ length: columns }, (_, i) => read[i] ?? '');
  // Spreadsheets write empty cells behind the last column.
  const beyond = read.slice(columns).some(cell => cell !== '') ? read.slice(columns) : [];
  const name = delimiter === '\t' ? 'tab' : delimiter === ',' ? 'comma' : delimiter === ';' ? 'semicolon' : delimiter;
  const tooMany = `line ${line} has ${read.length} cells for ${columns} columns: a cell with a ${name} needs quotes`;
  const stray = `line ${line} has a stray quote: one in a cell is written twice`;
  return { line, cells, beyond, fault: isStray ? stray : beyond.length > 0 ? tooMany : undefined };
}
