// A file of named sections of bytes, as versions before section_file.ts wrote it: the parts of a layer that are
// searched. A process loads it once, whole, into a SharedArrayBuffer that all threads read; a section is a view of the
// buffer.
//
//   "SXSECTS\n"                      8 bytes
//   format, bytes of the directory   u32, u32, little-endian
//   bytes of the file, of all        f64
//   CRC-32 of the directory          u32, and u32 of zeros
//   directory                        JSON: [{ "name", "start", "bytes", "crc" }], start from the beginning of the file
//   sections                         each on whole 64 bytes, so that typed arrays of any kind can lie over it

import { closeSync, fstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../config/regular_file.ts';

const MAGIC = Buffer.from('SXSECTS\n', 'latin1');
const SECTION_FORMAT = 1;
const FORMAT_AT = 8;
const DIRECTORY_BYTES_AT = 12;
const FILE_BYTES_AT = 16;
const DIRECTORY_CRC_AT = 24;
const HEADER_BYTES = 32;
/** Whole cache lines. */
const ALIGNMENT = 64;
/** Read in one call: the system takes no more than 2 GB. */
const CHUNK_BYTES = 256 * 1_048_576;
/** A directory of some tens of sections takes far less. */
const DIRECTORY_BYTES_MAX = 1_048_576;

interface Entry {
  name: string;
  start: number;
  bytes: number;
  crc: number;
}

/**
 * Reads a file of sections into shared memory and checks every byte of it.
 * @throws Error with the reason, as the end of an error message without a full stop, when the file is damaged, foreign
 *   or of a newer version
 */
export function loadSections(path: string): SharedArrayBuffer {
  const file = openRegularFile(path);
  try {
    const { size } = fstatSync(file);
    const header = Buffer.alloc(HEADER_BYTES);
    readAt(file, header, Math.min(size, HEADER_BYTES));
    if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error('it is no index of places');
    const format = header.readUInt32LE(FORMAT_AT);
    if (format > SECTION_FORMAT)
      throw new Error(`it has format ${format} of a newer Sextant, and this version reads format ${SECTION_FORMAT}`);
    const wanted = header.readDoubleLE(FILE_BYTES_AT);
    if (format !== SECTION_FORMAT || wanted !== size)
      throw new Error(`it has ${size} bytes where ${wanted} were written`);
    const buffer = new SharedArrayBuffer(size);
    readAt(file, new Uint8Array(buffer), size);
    checkSections(buffer);
    return buffer;
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, into: Uint8Array, bytes: number): void {
  for (let done = 0; done < bytes; ) {
    const read = readSync(file, into, done, Math.min(CHUNK_BYTES, bytes - done), done);
    if (read === 0) throw new Error(`it ends after ${done} bytes`);
    done += read;
  }
}

function checkSections(buffer: SharedArrayBuffer): void {
  const bytes = new Uint8Array(buffer);
  for (const { name, start, bytes: length, crc } of readDirectory(buffer)) {
    if (!(start % ALIGNMENT === 0 && length >= 0 && start + length <= bytes.length))
      throw new Error(`its section "${name}" stands outside of it`);
    if (crc32(bytes.subarray(start, start + length)) !== crc) throw new Error(`its section "${name}" is damaged`);
  }
}

/**
 * The sections of a loaded file, as views of it; each begins on whole 64 bytes.
 * @param buffer from `loadSections`, in any thread
 */
export function sectionsOf(buffer: SharedArrayBuffer): Map<string, Uint8Array> {
  return new Map(readDirectory(buffer).map(({ name, start, bytes }) => [name, new Uint8Array(buffer, start, bytes)]));
}

function readDirectory(buffer: SharedArrayBuffer): Entry[] {
  const header = Buffer.from(buffer, 0, HEADER_BYTES);
  const length = header.readUInt32LE(DIRECTORY_BYTES_AT);
  if (length > Math.min(DIRECTORY_BYTES_MAX, buffer.byteLength - HEADER_BYTES))
    throw new Error('its directory is damaged');
  // The JSON is copied first: decoders refuse shared memory.
  const text = Buffer.from(new Uint8Array(buffer, HEADER_BYTES, length));
  if (crc32(text) !== header.readUInt32LE(DIRECTORY_CRC_AT)) throw new Error('its directory is damaged');
  return JSON.parse(text.toString());
}
