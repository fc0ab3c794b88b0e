// A file of named sections of bytes: the parts of a layer that are searched in memory. A process loads it once, whole,
// into a SharedArrayBuffer that all threads read; a section is a view of the buffer.
//
//   "SXSECTS\n"                      8 bytes
//   format, bytes of the directory   u32, u32, little-endian
//   bytes of the file, of all        f64
//   CRC-32 of the directory          u32, and u32 of zeros
//   directory                        JSON: [{ "name", "start", "bytes", "crc" }], start from the beginning of the file
//   sections                         each on whole 64 bytes, so that typed arrays of any kind can lie over it
//
// The file belongs to a folder that is published as a whole, so nothing here waits for the disk.

import { closeSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../config/regular_file.ts';
import { ScratchFile } from './scratch_file.ts';

const MAGIC = Buffer.from('SXSECTS\n', 'latin1');
const SECTION_FORMAT = 1;
const FORMAT_AT = 8;
const DIRECTORY_BYTES_AT = 12;
const FILE_BYTES_AT = 16;
const DIRECTORY_CRC_AT = 24;
const HEADER_BYTES = 32;
/** Whole cache lines. */
const ALIGNMENT = 64;
/** Read and write in one call: the system takes no more than 2 GB. */
const CHUNK_BYTES = 256 * 1_048_576;
/** Copied at once. */
const COPY_BYTES = 4 * 1_048_576;
/** A directory of some tens of sections takes far less. */
const DIRECTORY_BYTES_MAX = 1_048_576;

interface Entry {
  name: string;
  start: number;
  bytes: number;
  crc: number;
}

/**
 * Writes sections into a new file, one after the other. They are on disk from the beginning; the directory, which
 * stands before them, is known at the end.
 */
export class SectionFileWriter {
  private readonly path: string;
  private readonly scratch: ScratchFile;
  private readonly entries: Entry[] = [];

  /** @param path in an existing folder @throws Error of the file system */
  constructor(path: string) {
    this.path = path;
    this.scratch = new ScratchFile(dirname(path));
  }

  /** Adds a section of one or several parts. @throws Error of the file system */
  add(name: string, parts: Iterable<Uint8Array>): void {
    const start = this.scratch.bytes;
    let crc = 0;
    for (const bytes of parts) {
      crc = crc32(bytes, crc);
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) this.scratch.append(bytes.subarray(at, at + CHUNK_BYTES));
    }
    this.entries.push({ name, start, bytes: this.scratch.bytes - start, crc });
  }

  /** Writes the file. @throws Error of the file system, also when it exists */
  finish(): void {
    const directory = directoryOf(this.entries);
    const text = Buffer.from(JSON.stringify(directory));
    const last = directory.at(-1);
    const fileBytes = last === undefined ? aligned(HEADER_BYTES + text.length) : aligned(last.start + last.bytes);
    const header = Buffer.alloc(HEADER_BYTES);
    MAGIC.copy(header);
    header.writeUInt32LE(SECTION_FORMAT, FORMAT_AT);
    header.writeUInt32LE(text.length, DIRECTORY_BYTES_AT);
    header.writeDoubleLE(fileBytes, FILE_BYTES_AT);
    header.writeUInt32LE(crc32(text), DIRECTORY_CRC_AT);
    const file = openSync(this.path, 'wx');
    try {
      writeAt(file, Buffer.concat([header, text]), 0);
      for (const [i, { start }] of directory.entries()) this.copySection(this.entries[i], file, start);
      // The space between and after the sections reads as zeros, even when the last ones are empty.
      ftruncateSync(file, fileBytes);
    } finally {
      closeSync(file);
    }
  }

  private copySection({ start: from, bytes }: Entry, file: number, start: number): void {
    const buffer = new Uint8Array(Math.min(bytes, COPY_BYTES));
    for (let done = 0; done < bytes; done += buffer.length) {
      const part = buffer.subarray(0, Math.min(buffer.length, bytes - done));
      this.scratch.read(part, from + done);
      writeAt(file, part, start + done);
    }
  }

  /** Gives the scratch file back. */
  close(): void {
    this.scratch.close();
  }
}

/**
 * Where each section will stand. The directory's own length decides where the first begins, and holds that number: it
 * is given room to spare.
 */
function directoryOf(sections: readonly Entry[]): Entry[] {
  const entries = sections.map(section => ({ ...section, start: 0 }));
  const room = JSON.stringify(entries).length + entries.length * 17;
  let start = aligned(HEADER_BYTES + room);
  for (const entry of entries) {
    entry.start = start;
    start = aligned(start + entry.bytes);
  }
  return entries;
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function writeAt(file: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(CHUNK_BYTES, bytes.length - done), at + done);
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
