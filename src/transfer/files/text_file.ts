// Reads a text file as lines. Files may be plain or gzip, recognised by their first bytes and not by their names, and
// `-` is standard input. Memory is bounded: the text is read in blocks of whole lines, and a line has a greatest
// length.

import { createReadStream, statSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { STDIN } from '../../tables/sources/source_name.ts';

const READ_BYTES = 256 * 1024;
const HEAD_BYTES = 64 * 1024;
/** No line of a list comes near this; a file without a line break for so long is no list. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 10;
/** A reader of XML takes milliseconds for so much. */
const PIECE_CHARACTERS = 256 * 1024;
const NOTHING = Buffer.alloc(0);

/** A file being read. Its text is decompressed and comes without a byte order mark. */
export interface TextFile {
  /** As in messages. */
  name: string;
  /** The first 64 KiB, or all. */
  head: Buffer;
  /** The whole lines of `head`; also the last line of a file that ends there. */
  headLines: string[];
  /**
   * All lines, including those of `head`, in blocks: one for each piece that was read, without a line where none has
   * ended, so that whoever reads can stop in the middle of a long line. @throws Error when the file cannot be read to
   * its end, or a line is too long, naming the last line that could be read
   */
  blocks(lineBytesMax?: number): AsyncGenerator<LineBlock>;
  /** Bytes read from disk so far, before decompression. */
  bytesRead(): number;
  /** Closes the file; needed when `blocks` is not read to its end. */
  close(): void;
}

/** Consecutive lines, without their line breaks. */
interface LineBlock {
  /** Line number of the first, from 1. */
  firstLine: number;
  lines: string[];
}

/**
 * Opens a text file and reads its head.
 * @param path a path, or `-` for `stdin`
 * @throws Error when the file is missing, empty, or a damaged gzip file
 */
export function openText(path: string, stdin: Readable): Promise<TextFile> {
  if (path === STDIN) return readText('standard input', stdin);
  requireFile(path);
  return readText(path, createReadStream(path, { highWaterMark: READ_BYTES }));
}

/**
 * The same for an open stream.
 * @param name of the stream in messages
 */
export async function readText(name: string, source: Readable): Promise<TextFile> {
  let bytesRead = 0;
  let linesRead = 0;
  const fail = (failed: string, error: unknown) =>
    new Error(`${name} ${failed}${afterLine(linesRead)}: ${(error as Error).message}.`);
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of source) {
        bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw fail('cannot be read', error);
    }
  }
  const text = textOf(counted(), error => fail('is a damaged gzip file', error));
  async function* blocks(lineBytesMax = LINE_BYTES_MAX): AsyncGenerator<LineBlock> {
    for await (const bytes of wholeLines(name, head, text, lineBytesMax, () => linesRead)) {
      const lines = linesOf(bytes);
      yield { firstLine: linesRead + 1, lines };
      linesRead += lines.length;
    }
  }
  let head: Buffer;
  try {
    head = withoutMark(await readHead(text));
    if (head.length === 0) throw new Error(`${name} is empty.`);
  } catch (error) {
    source.destroy();
    throw error;
  }
  const headLines = linesOf(head.length < HEAD_BYTES ? head : head.subarray(0, head.lastIndexOf(NEWLINE) + 1));
  return { name, head, headLines, blocks, bytesRead: () => bytesRead, close: () => source.destroy() };
}

/** The last good line of a file, for error messages. */
function afterLine(line: number): string {
  return line === 0 ? '' : ` after line ${line.toLocaleString('en')}`;
}

/**
 * Bytes of the files on disk; standard input has no known size and counts as 0. @throws Error naming a file that is
 * missing or a folder
 */
export function sizeOfFiles(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + (path === STDIN ? 0 : requireFile(path)), 0);
}

function requireFile(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new Error(`${path} does not exist.`);
  if (stat.isDirectory()) throw new Error(`${path} is a folder, not a file.`);
  return stat.size;
}

/** The text of a file that may be compressed: gzip starts with 1f 8b. */
async function* textOf(source: AsyncGenerator<Buffer>, damaged: (error: unknown) => Error): AsyncGenerator<Buffer> {
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
    throw damaged(error);
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

/** The text in pieces that end where a line does; an empty one for each piece of the file in which none does. */
async function* wholeLines(
  name: string,
  head: Buffer,
  text: AsyncGenerator<Buffer>,
  lineBytesMax: number,
  linesRead: () => number,
): AsyncGenerator<Buffer> {
  // Pieces of a line are joined once, at its end: joining each to those before would take the square of its length.
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const requireLine = (bytes: number): void => {
    if (bytes <= lineBytesMax) return;
    const most = `${lineBytesMax / 1_048_576} MiB`;
    throw new Error(`${name} goes on for more than ${most} without a line break${afterLine(linesRead())}.`);
  };
  for await (const chunk of continued(head, text)) {
    const first = chunk.indexOf(NEWLINE);
    requireLine(begunBytes + (first < 0 ? chunk.length : first));
    const end = first < 0 ? 0 : chunk.lastIndexOf(NEWLINE) + 1;
    yield end === 0 ? NOTHING : Buffer.concat([...begun, chunk.subarray(0, end)]);
    if (end > 0) {
      begun = [];
      begunBytes = 0;
    }
    const rest = chunk.subarray(end);
    begun.push(rest);
    begunBytes += rest.length;
    requireLine(begunBytes);
  }
  if (begunBytes > 0) yield Buffer.concat(begun);
}

function linesOf(text: Buffer): string[] {
  const lines = text.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map(line => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

/**
 * The text of lines in pieces, for what reads text as it comes: one line may be long, and between two pieces it can
 * stop. There is at least one piece, which may be empty.
 */
export function* piecesOf(lines: readonly string[]): Generator<string> {
  const text = lines.length === 0 ? '' : `${lines.join('\n')}\n`;
  let at = 0;
  do {
    yield text.slice(at, at + PIECE_CHARACTERS);
    at += PIECE_CHARACTERS;
  } while (at < text.length);
}
