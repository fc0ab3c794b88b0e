// Reads a table that somebody has, whatever its columns are, and writes it again with more of them. Its first line
// names the columns; commas, semicolons or tabs are between them. Cells are passed on as they are. A file of JSON
// lines is a table with one column, `body`.

import { createReadStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { readText } from './text_file.ts';

/** A table being read. */
export interface Table {
  /** Names of its columns. */
  header: string[];
  /** What is between two cells. */
  delimiter: string;
  /** The rows below the header. @throws Error that names the line which is no row */
  rows(): AsyncGenerator<string[]>;
  /** Bytes read so far, and of the whole file. */
  bytesDone(): number;
  bytesTotal: number;
}

const HEAD_BYTES = 65_536;
/** A longer row is none of a table. */
const ROW_BYTES_MAX = 1_048_576;
const DELIMITERS = [',', ';', '\t'];
/** A text that begins with one of these would be a formula to a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

/** Opens a table. @throws Error when the file is missing, empty or no table */
export async function openTable(path: string): Promise<Table> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new Error(`${path} does not exist, or is no file.`);
  const head = await headOf(path);
  if (head.trim() === '') throw new Error(`${path} is empty.`);
  if (head.includes('\0')) throw new Error(`${path} is no table: it holds binary data.`);
  let done = 0;
  const count = (stream: Readable): Readable =>
    stream.on('data', (chunk: Buffer) => {
      done += chunk.length;
    });
  const common = { bytesDone: () => done, bytesTotal: stat.size };
  if (/^\s*\{/.test(head))
    return { ...common, header: ['body'], delimiter: ',', rows: () => linesOf(path, count(createReadStream(path))) };
  const firstLine = head.split(/\r?\n/, 1)[0];
  if (firstLine.length === head.length && stat.size > HEAD_BYTES)
    throw new Error(`${path} is no table: its first line goes on for more than ${HEAD_BYTES / 1024} KiB.`);
  const delimiter = DELIMITERS.toSorted((a, b) => firstLine.split(b).length - firstLine.split(a).length)[0];
  const options = {
    bom: true,
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_BYTES_MAX,
  };
  const header = await headerOf(path, head, options);
  return { ...common, header, delimiter, rows: () => rowsOf(path, count(createReadStream(path)), options) };
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function headerOf(path: string, head: string, options: object): Promise<string[]> {
  const parser = parse({ ...options, to: 1 });
  parser.end(head);
  try {
    for await (const row of parser) return row;
  } catch (error) {
    throw noTable(path, error);
  }
  throw new Error(`${path} is empty.`);
}

async function* rowsOf(path: string, bytes: Readable, options: object): AsyncGenerator<string[]> {
  const parser = bytes.pipe(parse({ ...options, from: 2 }));
  // What the file cannot give, the parser must not wait for.
  bytes.on('error', error => parser.destroy(error));
  try {
    for await (const row of parser) yield row;
  } catch (error) {
    throw noTable(path, error);
  } finally {
    bytes.destroy();
  }
}

function noTable(path: string, error: unknown): Error {
  return new Error(`${path} is no table: ${(error as Error).message.replace(/\.$/, '')}.`, { cause: error });
}

async function* linesOf(path: string, bytes: Readable): AsyncGenerator<string[]> {
  const text = await readText(path, bytes);
  try {
    for await (const { lines } of text.blocks(ROW_BYTES_MAX))
      for (const line of lines) if (line.trim() !== '') yield [line];
  } finally {
    text.close();
  }
}

/** A line of a table (RFC 4180). */
export function tableLine(cells: readonly string[], delimiter: string): string {
  const isPlain = (cell: string) => !/["\r\n]/.test(cell) && !cell.includes(delimiter);
  return `${cells.map(cell => (isPlain(cell) ? cell : `"${cell.replaceAll('"', '""')}"`)).join(delimiter)}\n`;
}

/** A text of ours as a cell that no spreadsheet computes. */
export function plainCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
