// What the first bytes of a file hold: text, plain or gzip, or the first tables of a ZIP archive, whose directory is at
// its end. Each file of an archive has a header before it, too (APPNOTE.TXT, 4.3.7).

import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createGunzip, createInflateRaw } from 'node:zlib';
import { GZIP_MARK, isTable, type TableSource, ZIP_MARK } from './table_source.ts';

/** Of each text so much is taken. */
const TEXT_BYTES_MAX = 262_144;
/** Read-me files and licences often come first. */
const ENTRIES_MAX = 20;
/** Offsets in the header of an entry. */
const METHOD_AT = 8;
const PACKED_BYTES_AT = 18;
const NAME_BYTES_AT = 26;
const EXTRA_BYTES_AT = 28;
const NAME_AT = 30;
const STORED = 0;
const DEFLATED = 8;
const NEWLINE = 10;
/** What is cut ends where it ends. */
const CUT = { finishFlush: constants.Z_SYNC_FLUSH };

/** The beginning of a table, in whole lines. */
export interface Beginning extends TableSource {
  /** More of it follows. */
  isCut: boolean;
}

/**
 * The beginnings of the tables in the first bytes of a file.
 * @param isCut more bytes follow
 * @param name of the file in messages
 * @throws Error when it is damaged
 */
export async function beginningsOf(first: Buffer, isCut: boolean, name: string): Promise<Beginning[]> {
  if (first.indexOf(ZIP_MARK) === 0) return beginningsInZip(first, isCut, name);
  if (first.indexOf(GZIP_MARK) !== 0) return [beginningOf(name, first, isCut)];
  return [beginningOf(name, await unpacked(name, first, createGunzip(CUT)), isCut)];
}

async function beginningsInZip(first: Buffer, isArchiveCut: boolean, archive: string): Promise<Beginning[]> {
  const found: Beginning[] = [];
  for (let at = 0; at >= 0 && at + NAME_AT < first.length && found.length < ENTRIES_MAX; ) {
    const nameEnd = at + NAME_AT + first.readUInt16LE(at + NAME_BYTES_AT);
    const name = first.toString('utf8', at + NAME_AT, nameEnd);
    const start = nameEnd + first.readUInt16LE(at + EXTRA_BYTES_AT);
    // It may be stated behind the content; then the next header tells the end.
    const stated = first.readUInt32LE(at + PACKED_BYTES_AT);
    const next = first.indexOf(ZIP_MARK, start + stated);
    const content = first.subarray(start, stated > 0 ? start + stated : next < 0 ? first.length : next);
    const isCut = next < 0 && (stated > 0 ? start + stated > first.length : isArchiveCut);
    const text = isTable(name) ? await contentOf(archive, content, first.readUInt16LE(at + METHOD_AT)) : undefined;
    if (text !== undefined) found.push(beginningOf(`${archive}/${name}`, text, isCut));
    at = next;
  }
  return found;
}

/** The content of an entry; undefined where it is packed in an unusual way. */
async function contentOf(archive: string, packed: Buffer, method: number): Promise<Buffer | undefined> {
  if (method === STORED) return packed;
  return method === DEFLATED ? unpacked(archive, packed, createInflateRaw(CUT)) : undefined;
}

/** @throws Error when the bytes are damaged */
async function unpacked(name: string, packed: Buffer, by: Transform): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of pipeline(Readable.from([packed]), by, () => {}) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > TEXT_BYTES_MAX) break;
    }
  } catch (error) {
    throw new Error(`${name} is damaged: ${(error as Error).message}.`, { cause: error });
  }
  return Buffer.concat(chunks);
}

function beginningOf(name: string, text: Buffer, isPackedCut: boolean): Beginning {
  const isCut = isPackedCut || text.length > TEXT_BYTES_MAX;
  const begin = text.subarray(0, TEXT_BYTES_MAX);
  const newline = begin.lastIndexOf(NEWLINE) + 1;
  // In UTF-16 a line break has a second byte.
  const whole = isCut ? begin.subarray(0, newline + (begin[newline] === 0 ? 1 : 0)) : begin;
  return { name, bytes: whole.length, isCut, open: async () => Readable.from([whole]) };
}
