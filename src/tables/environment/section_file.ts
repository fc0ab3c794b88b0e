// A file of named sections of bytes that is read in place: the parts of a layer that are searched. Nothing is loaded.
// All threads read the same pages of the file, which the system reads when they are first used, and takes back when it
// needs memory.
//
// Node cannot map a file into memory, and LMDB does nothing else. A long value lies in LMDB's file in one piece, so the
// file is an LMDB environment in a folder of its own, each section is a value under its name, and a view of the map
// needs no copy. LMDB would hold a value in memory twice while it is written. So the pages are written here, and a
// section may be longer than memory (page_layout.ts):
//
//   pages 0, 1   meta pages, written last
//   page 2       a leaf: the names in ascending order, each with the first page of its value
//   then         of each section header of its page, SECTION_HEADER_BYTES, its bytes: they begin on whole 64 bytes, so
//                that typed arrays of any kind can lie over them
//
// The header of a section has its CRC-32 and is otherwise zero. The file belongs to a folder that is published as a
// whole, so nothing here waits for the disk.

import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import * as lmdb from 'lmdb';
import { openRegularFile } from '../../config/regular_file.ts';
import { checkPages } from './check_pages.ts';
import { DATA_FILE, liveMeta } from './environment_file.ts';
import { openEnvironment } from './open_environment.ts';
import * as at from './page_layout.ts';

/** Of every system; LMDB takes that of the file, not of the system. */
const PAGE_BYTES = 4_096;
const META_PAGES = 2;
const LEAF_PAGE = META_PAGES;
const FIRST_PAGE = LEAF_PAGE + 1;
/** The only transaction of the file. */
const TRANSACTION = 1;
const SECTION_HEADER_BYTES = 64 - at.PAGE_HEADER_BYTES;
/** Behind them LMDB leaves the transaction when it looks a key up. */
const NAME_BYTES_MAX = 32;
/** LMDB's limit of a value. */
const VALUE_BYTES_MAX = 0xffffffff;
/** Written in one call: the system takes no more than 2 GB. */
const CHUNK_BYTES = 256 * 1_048_576;

interface Section {
  name: Buffer;
  /** First of its pages. */
  page: number;
  pages: number;
  /** With the header. */
  bytes: number;
}

/** Writes sections into a new file, one after the other. The file can be opened when it is finished. */
export class SectionFileWriter {
  private file: number | undefined;
  private readonly sections: Section[] = [];
  private pages = FIRST_PAGE;

  /** @param folder which it creates @throws Error of the file system, also when there is a file */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.file = openSync(join(folder, DATA_FILE), 'wx');
  }

  /**
   * Adds a section of one or several parts.
   * @param name of another section than those before, at most 32 bytes
   * @param onPart called before each part; what it throws ends the work
   * @throws Error of the file system, or if the section is longer than 4 GB
   */
  add(name: string, parts: Iterable<Uint8Array>, onPart: () => void = () => {}): void {
    if (name.length > NAME_BYTES_MAX) throw new Error(`A section cannot have the name "${name}".`);
    const page = this.pages;
    const start = page * PAGE_BYTES + at.PAGE_HEADER_BYTES;
    const header = Buffer.alloc(at.PAGE_HEADER_BYTES + SECTION_HEADER_BYTES);
    let bytes = SECTION_HEADER_BYTES;
    let crc = 0;
    for (const part of parts) {
      onPart();
      crc = crc32(part, crc);
      writeAt(this.file!, part, start + bytes);
      bytes += part.length;
    }
    if (bytes > VALUE_BYTES_MAX) throw new Error(`The section "${name}" has ${bytes} bytes; 4 GB are possible.`);
    const pages = Math.ceil((at.PAGE_HEADER_BYTES + bytes) / PAGE_BYTES);
    beginPage(header, page, at.IS_OVERFLOW);
    header.writeUInt32LE(pages, at.LOWER_AT);
    header.writeUInt32LE(crc, at.PAGE_HEADER_BYTES);
    writeAt(this.file!, header, page * PAGE_BYTES);
    this.sections.push({ name: Buffer.from(name), page, pages, bytes });
    this.pages += pages;
  }

  /** Completes the file. @throws Error of the file system */
  finish(): void {
    const { sections, pages } = this;
    // What was not written reads as zeros.
    ftruncateSync(this.file!, pages * PAGE_BYTES);
    writeAt(this.file!, leafOf(sections), LEAF_PAGE * PAGE_BYTES);
    for (let page = 0; page < META_PAGES; page++)
      writeAt(this.file!, metaPage(page, sections, pages), page * PAGE_BYTES);
  }

  /** May be called twice. */
  close(): void {
    if (this.file !== undefined) closeSync(this.file);
    this.file = undefined;
  }
}

function writeAt(file: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(CHUNK_BYTES, bytes.length - done), position + done);
}

function beginPage(page: Buffer, number: number, flags: number): void {
  page.writeBigUInt64LE(BigInt(number), at.PAGE_NUMBER_AT);
  page.writeBigUInt64LE(BigInt(TRANSACTION), at.PAGE_TRANSACTION_AT);
  page.writeUInt16LE(flags, at.FLAGS_AT);
}

/** The page that has the names. @throws Error if it has no room for so many */
function leafOf(sections: readonly Section[]): Buffer {
  const leaf = Buffer.alloc(PAGE_BYTES);
  beginPage(leaf, LEAF_PAGE, at.IS_LEAF);
  const sorted = [...sections].sort((a, b) => Buffer.compare(a.name, b.name));
  let end = PAGE_BYTES;
  let next = at.PAGE_HEADER_BYTES;
  for (const { name, page, pages, bytes } of sorted) {
    const data = at.NODE_BYTES + name.length;
    end -= (data + at.OVERFLOW_BYTES + 1) & ~1;
    if (next + 2 > end) throw new Error(`A file cannot have ${sections.length} sections.`);
    leaf.writeUInt16LE(end - at.PAGE_HEADER_BYTES, next);
    leaf.writeUInt32LE(bytes, end);
    leaf.writeUInt16LE(at.HAS_OVERFLOW, end + at.NODE_FLAGS_AT);
    leaf.writeUInt16LE(name.length, end + at.KEY_BYTES_AT);
    name.copy(leaf, end + at.NODE_BYTES);
    for (const [i, word] of [page, TRANSACTION, pages].entries())
      leaf.writeBigUInt64LE(BigInt(word), end + data + 8 * i);
    next += 2;
  }
  leaf.writeUInt16LE(next - at.PAGE_HEADER_BYTES, at.LOWER_AT);
  leaf.writeUInt16LE(end - at.PAGE_HEADER_BYTES, at.UPPER_AT);
  return leaf;
}

function metaPage(number: number, sections: readonly Section[], pages: number): Buffer {
  const [free, main] = at.TREES_AT;
  const page = Buffer.alloc(PAGE_BYTES);
  beginPage(page, number, at.IS_META);
  page.writeUInt32LE(at.MAGIC, at.MAGIC_AT);
  page.writeUInt32LE(at.DATA_VERSION, at.VERSION_AT);
  page.writeBigUInt64LE(BigInt(pages * PAGE_BYTES), at.MAP_BYTES_AT);
  page.writeUInt32LE(PAGE_BYTES, at.PAGE_SIZE_AT);
  page.writeUInt16LE(at.HAS_NUMBER_KEYS, at.META_FLAGS_AT);
  page.writeBigUInt64LE(at.NO_ROOT, free + at.TREE_ROOT_AT);
  page.writeUInt16LE(Math.min(1, sections.length), main + at.TREE_DEPTH_AT);
  const counts = [0, Math.min(1, sections.length), pages - FIRST_PAGE, sections.length];
  for (const [i, count] of counts.entries()) page.writeBigUInt64LE(BigInt(count), main + at.TREE_COUNTS_AT + 8 * i);
  page.writeBigUInt64LE(sections.length === 0 ? at.NO_ROOT : BigInt(LEAF_PAGE), main + at.TREE_ROOT_AT);
  page.writeBigUInt64LE(BigInt(pages - 1), at.LAST_PAGE_AT);
  page.writeBigUInt64LE(BigInt(TRANSACTION), at.TRANSACTION_AT);
  return page;
}

/** What the types of LMDB do not name. */
interface Root extends ReturnType<typeof openEnvironment> {
  readonly dbAddress: number;
  /** @returns something else if the value is of that transaction */
  getBinaryFast(key: Buffer, options?: { ifNotTxnId?: number }): Buffer | undefined;
}
/** Functions of its addon. */
const { nativeAddon } = lmdb as unknown as {
  nativeAddon: {
    /** The value of the key that was looked up last, in the map. @param database its `dbAddress` */
    getSharedByBinary(database: number, keyBytes: number): Buffer<ArrayBuffer>;
    /** Takes the memory from a buffer, and from its views, which then have no bytes. */
    detachBuffer(buffer: ArrayBuffer): void;
  };
};

/** The sections of a file, mapped into memory for one thread. Nothing may write to them: that ends the process. */
export class SectionFile {
  /** Views of the map by name. After `close` they are empty. */
  readonly sections: ReadonlyMap<string, Uint8Array>;
  private readonly root: Root;
  private readonly values: readonly Buffer<ArrayBuffer>[];

  /**
   * Opens a file, also when other threads have it open.
   * @throws Error with the reason, as the end of an error message without a full stop, when it is cut, foreign or of
   *   another version
   */
  constructor(folder: string) {
    requireLength(folder);
    this.root = openEnvironment(folder, { readOnly: true }) as Root;
    const names = Array.from(this.root.getKeys(), key => Buffer.from(key));
    this.values = names.map(name => this.valueOf(name));
    this.root.resetReadTxn();
    this.sections = new Map(
      names.map((name, i) => [name.toString(), new Uint8Array(this.values[i].buffer, SECTION_HEADER_BYTES)]),
    );
  }

  private valueOf(name: Buffer): Buffer<ArrayBuffer> {
    // Says that the value is that of its transaction, and so does not copy it. Afterwards LMDB has the key.
    this.root.getBinaryFast(name, { ifNotTxnId: TRANSACTION });
    return nativeAddon.getSharedByBinary(this.root.dbAddress, name.length);
  }

  /** Reads every byte. @throws Error with the reason when one is damaged */
  check(): void {
    for (const [i, [name, bytes]] of [...this.sections].entries()) {
      if (crc32(bytes) !== this.values[i].readUInt32LE()) throw new Error(`its section "${name}" is damaged`);
    }
  }

  /** Ends the map. Views of it, which would end the process if one were read, are emptied. */
  async close(): Promise<void> {
    for (const { buffer } of this.values) nativeAddon.detachBuffer(buffer);
    await this.root.close();
  }
}

/**
 * Checks every byte of a file. Nobody may be writing it.
 * @throws Error with the reason, as the end of an error message without a full stop
 */
export function checkSectionFile(folder: string): void {
  requireLength(folder);
  // A page that names another one beyond the file would end the process.
  checkPages(folder);
  const file = new SectionFile(folder);
  try {
    file.check();
  } finally {
    void file.close();
  }
}

/** To read behind the end of a file would end the process. */
function requireLength(folder: string): void {
  const file = openRegularFile(join(folder, DATA_FILE));
  try {
    const { pageBytes, lastPage } = liveMeta(file);
    const { size } = fstatSync(file);
    const wanted = (lastPage + 1) * pageBytes;
    if (size !== wanted) throw new Error(`it has ${size} bytes where ${wanted} were written`);
  } finally {
    closeSync(file);
  }
}
