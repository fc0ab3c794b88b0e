// Reads a table that somebody has, whatever its columns and its encoding are, and writes it again with more of them, in
// the same encoding. Its first line names the columns; commas, semicolons, tabs or bars are between them, or what a
// line before it says, as spreadsheets write it (`sep=;`). Cells are passed on as they are. A file of JSON lines is a
// table with one column, `body`. A Parquet file is a table whose cells are texts of its values.

import { statSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { KeyValue } from 'hyparquet';
import { asUtf8, type Encoding, encodingOf, fitted, inEncoding } from './encoding.ts';
import { numberColumn, type ParquetColumn, parquetColumn, textOfValue } from './parquet_columns.ts';
import { openParquet } from './parquet_table.ts';
import { readCells, type TableRow, tableRows } from './table_rows.ts';
import { fileSource, isParquetFile, type TableSource } from './table_source.ts';
import { readText, type TextFile } from './text_file.ts';

/** How a table is written. */
interface Shape {
  /** Names of its columns. */
  header: string[];
  /** What is between two cells. */
  delimiter: string;
  /** The line before the header that names the delimiter; mostly empty. */
  lead: string;
  /** Number of the line below the header. */
  firstLine: number;
}

/** A table being read. */
export interface Table extends Shape {
  encoding: Encoding;
  /** It is a file of JSON lines, whose rows are the lines. */
  isJson: boolean;
  /** Of a Parquet file: how it is written again, with rows' values. */
  parquet?: { columns: ParquetColumn[]; metadata: KeyValue[] };
  /** The rows below the header. @throws Error when the file cannot be read to its end */
  rows(): AsyncGenerator<TableRow>;
  /** A text as the encoding of the table can hold it. */
  fitted(text: string): string;
  /** A text of lines in the encoding of the table. */
  encoded(lines: AsyncIterable<string>): AsyncGenerator<Buffer>;
  /** Bytes read so far, and of the whole file. */
  bytesDone(): number;
  bytesTotal: number;
}

const UTF_8: Encoding = { name: 'utf-8', hasMark: false, isGuessed: false };
const HEAD_BYTES = 65_536;
const DELIMITERS = [',', ';', '\t', '|'];
const LEAD = /^sep=(.)\s*$/i;
/** A file of requests: one column, written as CSV. */
const JSON_LINES: Shape = { header: ['body'], delimiter: ',', lead: '', firstLine: 1 };
/** A text that begins with one of these would be a formula to a spreadsheet. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Opens a table.
 * @param told the encoding, from whoever has the table
 * @throws Error when the file is missing, empty or no table, or its encoding is not known
 */
export async function openTable(path: string, told?: string): Promise<Table> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new Error(`${path} does not exist, or is no file.`);
  if (isParquetFile(path)) return openParquetTable(path, stat.size, told);
  return openTableOf(fileSource(path), told);
}

/** @throws Error as `openParquet`, and for an encoding */
async function openParquetTable(path: string, bytesTotal: number, told: string | undefined): Promise<Table> {
  if (told !== undefined) throw new Error(`${path} is a Parquet file, whose texts are UTF-8; leave --encoding out.`);
  const file = await openParquet({ name: path, bytes: bytesTotal }, value =>
    value == null ? value : textOfValue(value),
  );
  const { header, bytesDone } = file;
  const own = file.columns.map(column => parquetColumn(column, column.element.name === file.geometry));
  const ofPoint = header.slice(0, header.length - own.length).map(name => numberColumn(name, 'DOUBLE'));
  const columns = [...ofPoint, ...own];
  return {
    ...{ header, bytesDone, bytesTotal, isJson: false, delimiter: ',', lead: '', firstLine: 1 },
    encoding: UTF_8,
    parquet: { columns, metadata: file.geo ?? [] },
    async *rows() {
      for await (const { line, cells: values } of file.rows([...header.keys()])) {
        const cells = columns.map(({ text }, i) => text(values[i]));
        yield { line, cells, values, beyond: [], fault: undefined };
      }
    },
    fitted: cell => cell,
    encoded: lines => inEncoding(lines, UTF_8),
  };
}

/** The same for a file in an archive, or a compressed one. */
export async function openTableOf(source: TableSource, told?: string): Promise<Table> {
  const { name: path, bytes: bytesTotal } = source;
  if (bytesTotal === 0) throw new Error(`${path} is empty.`);
  const encoding = await encodingOf(source, told);
  const { text, close } = await openDecoded(source, encoding);
  close();
  const { head, headLines } = text;
  if (head.toString().trim() === '') throw new Error(`${path} is empty.`);
  if (head.includes(0)) throw new Error(`${path} is no table: it holds binary data.`);
  let reading: Awaited<ReturnType<typeof openDecoded>> | undefined;
  const shape = head.toString().trimStart().startsWith('{') ? JSON_LINES : shapeOf(path, headLines);
  return {
    ...shape,
    encoding,
    isJson: shape === JSON_LINES,
    async *rows() {
      reading = await openDecoded(source, encoding);
      try {
        if (shape === JSON_LINES) yield* jsonRows(reading.text);
        else yield* tableRows(reading.text, { ...shape, encoding, columns: shape.header.length });
      } finally {
        reading.close();
      }
    },
    fitted: cell => fitted(cell, encoding),
    encoded: lines => inEncoding(lines, encoding),
    bytesDone: () => reading?.bytesDone() ?? 0,
    bytesTotal,
  };
}

/** @throws Error when it cannot be read */
async function openDecoded(
  source: TableSource,
  encoding: Encoding,
): Promise<{ text: TextFile; bytesDone(): number; close(): void }> {
  let done = 0;
  const bytes = await source.open(read => {
    done += read;
  });
  const text = await readText(source.name, Readable.from(asUtf8(bytes, encoding)));
  const close = (): void => {
    text.close();
    bytes.destroy();
  };
  return { text, bytesDone: () => done, close };
}

/** The header of a table, and how its rows are written. @throws Error when its first line is none of a table */
function shapeOf(path: string, headLines: readonly string[]): Shape {
  const first = headLines.findIndex(line => line !== '');
  if (first < 0) throw new Error(`${path} is no table: its first line goes on for more than ${HEAD_BYTES / 1024} KiB.`);
  const said = LEAD.exec(headLines[first])?.[1];
  const at = said === undefined ? first : first + 1;
  const line = headLines[at] ?? '';
  const counted = DELIMITERS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0];
  const delimiter = said ?? counted;
  const header = readCells(line, delimiter);
  if (!Array.isArray(header)) throw new Error(`${path} is no table: its line ${at + 1} has a stray quote.`);
  return { header, delimiter, lead: said === undefined ? '' : `sep=${said}\n`, firstLine: at + 2 };
}

async function* jsonRows(text: TextFile): AsyncGenerator<TableRow> {
  for await (const { firstLine, lines } of text.blocks())
    for (const [i, line] of lines.entries())
      if (line.trim() !== '') yield { line: firstLine + i, cells: [line], beyond: [], fault: undefined };
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
