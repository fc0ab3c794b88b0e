// A CSV file as rows, one row a line. Files may be plain or gzip (told by their first bytes, whatever the name says), and `-` is standard input.
//
// The text is cut into blocks of whole lines. In a block without quotes, as all cell tables are, the commas alone separate the fields (four times as
// fast as a parser); others are read by csv-parse. A row never spans lines: a stray quote would otherwise swallow everything up to the next quote in
// the file. So when a block does not yield one row a line, its lines are read one by one, and the stray quote costs only the line it stands on.
// Memory is bounded by the block.

import { createReadStream, statSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse/sync';

/** The name of standard input among the files. */
export const STDIN = '-';

const READ_BYTES = 256 * 1024;
const HEAD_BYTES = 64 * 1024;
/** No row of any known list comes near this; what has no line break for so long is not CSV. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 10;
const QUOTE = 34;

/** A file being read. Its text is decompressed and comes without a byte order mark. */
export interface CsvFile {
  /** As in messages. */
  name: string;
  /** The rows within the first 64 KiB, from which the kind of file is told. */
  headRows: string[][];
  /** All lines, `headRows` too, in blocks. @throws Error when the file cannot be read to its end. */
  blocks(): AsyncGenerator<RowBlock>;
  /** Bytes taken from the disk so far, compressed ones where the file is compressed. */
  bytesRead(): number;
  /** Gives the file back; needed where `blocks` is not read to its end. */
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
  const name = path === STDIN ? 'standard input' : path;
  if (path !== STDIN) requireFile(path);
  let bytesRead = 0;
  const source = path === STDIN ? stdin : createReadStream(path, { highWaterMark: READ_BYTES });
  const counted = counting(source, bytes => {
    bytesRead += bytes;
  });
  const text = textOf(counted, name);
  try {
    const head = withoutMark(await readHead(text));
    if (head.length === 0) throw new Error(`${name} is empty.`);
    if (head.includes(0)) throw new Error(`${name} is not CSV: it holds binary data.`);
    const headRows = rowsOf(wholeLines(head)).filter(row => row !== undefined);
    return { name, headRows, blocks: () => blocksOf(name, head, text), bytesRead: () => bytesRead, close: () => source.destroy() };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** Bytes of the files on disk; standard input has no known size and counts as 0. @throws Error naming a file that is missing or a folder */
export function sizeOfFiles(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (path === STDIN ? 0 : requireFile(path)), 0);
}

function requireFile(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path} does not exist.`);
  if (stat.isDirectory()) throw new Error(`${path} is a folder, not a file.`);
  return stat.size;
}

async function* counting(source: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    count(chunk.length);
    yield chunk;
  }
}

/** The text of a file that may be compressed: gzip starts with 1f 8b. */
async function* textOf(source: AsyncGenerator<Buffer>, name: string): AsyncGenerator<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 2) {
    const { done, value } = await source.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
  }
  if (start[0] !== 0x1f || start[1] !== 0x8b) {
    yield start;
    yield* source;
    return;
  }
  // A failure of either stream destroys the other and comes out of the loop below, so the callback has nothing to add.
  const inflated = pipeline(Readable.from(continued(start, source)), createGunzip({ chunkSize: READ_BYTES }), () => {});
  try {
    yield* inflated as AsyncIterable<Buffer>;
  } catch (error) {
    throw new Error(`${name} is a damaged gzip file: ${(error as Error).message}.`);
  }
}

async function* continued(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function readHead(text: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const { done, value } = await text.next();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
  }
  return Buffer.concat(chunks);
}

function withoutMark(head: Buffer): Buffer {
  return head.subarray(0, 3).equals(Buffer.from('\ufeff')) ? head.subarray(3) : head;
}

/** The head without the line that it ends in the middle of. */
function wholeLines(head: Buffer): Buffer {
  return head.length < HEAD_BYTES ? head : head.subarray(0, head.lastIndexOf(NEWLINE) + 1);
}

async function* blocksOf(name: string, head: Buffer, text: AsyncGenerator<Buffer>): AsyncGenerator<RowBlock> {
  let firstLine = 1;
  let carry: Buffer = Buffer.alloc(0);
  for await (const chunk of continued(head, text)) {
    const joined = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const end = joined.lastIndexOf(NEWLINE) + 1;
    carry = joined.subarray(end);
    if (carry.length > LINE_BYTES_MAX) throw new Error(`${name} is not CSV: it goes on for more than 1 MiB without a line break.`);
    if (end === 0) continue;
    const rows = rowsOf(joined.subarray(0, end));
    yield { firstLine, rows };
    firstLine += rows.length;
  }
  if (carry.length > 0) yield { firstLine, rows: rowsOf(carry) };
}

const CSV_OPTIONS = { relax_column_count: true, relax_quotes: true, skip_records_with_error: true, record_delimiter: '\n' };

/** One row for each line of `text`. */
function rowsOf(text: Buffer): (string[] | undefined)[] {
  const lines = linesOf(text);
  if (!text.includes(QUOTE)) return lines.map(line => line.split(','));
  const rows: string[][] = parse(lines.join('\n'), CSV_OPTIONS);
  return rows.length === lines.length ? rows : lines.map(rowOfLine);
}

function linesOf(text: Buffer): string[] {
  const lines = text.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function rowOfLine(line: string): string[] | undefined {
  const rows: string[][] = parse(line, CSV_OPTIONS);
  return line === '' ? [''] : rows[0];
}
