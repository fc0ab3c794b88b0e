// A table of importance: how well known items of Wikidata are. The data folder keeps each that was imported beside the
// copies of its extracts (extract_files.ts), and the places are built with them.
//
//   header, then 6 bytes for each item in ascending order, big-endian: its number u32 (64 for Q64), and its importance
//   u16, in units of 1/65,535
//
// So 10 million items take 60 MB of disk. In memory is the first item of each block alone, 80 KB.

import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { openRegularFile } from '../../config/regular_file.ts';
import type { KeptImportance } from './layer_meta.ts';

/** An item of Wikidata, such as 64 for Q64, and its importance, 0..1. */
export type RatedItem = readonly [item: number, importance: number];

/** As long as two items. */
const HEADER = Buffer.from('importance 1');
const ITEM_BYTES = 6;
const ITEM_MAX = 0xffffffff;
const UNITS = 65_535;
/** Read at once. */
const BLOCK_ITEMS = 512;
const BLOCK_BYTES = BLOCK_ITEMS * ITEM_BYTES;

/**
 * Writes a table.
 * @param items ascending, none twice
 * @param onBlock called before each block; what it throws ends the work
 * @returns how many items there are, and the CRC-32 of their bytes
 */
export function writeImportanceTable(
  path: string,
  items: Iterable<RatedItem>,
  onBlock: () => void,
): Pick<KeptImportance, 'items' | 'crc'> {
  const file = openSync(path, 'wx', 0o600);
  const block = Buffer.alloc(BLOCK_BYTES);
  let [used, count, crc] = [0, 0, 0];
  const flush = () => {
    onBlock();
    crc = crc32(block.subarray(0, used), crc);
    for (let done = 0; done < used; ) done += writeSync(file, block, done, used - done);
    used = 0;
  };
  try {
    writeSync(file, HEADER);
    for (const [item, importance] of items) {
      block.writeUInt32BE(item, used);
      block.writeUInt16BE(Math.round(importance * UNITS), used + 4);
      used += ITEM_BYTES;
      count++;
      if (used === BLOCK_BYTES) flush();
    }
    flush();
    return { items: count, crc };
  } finally {
    closeSync(file);
  }
}

/** A table that is read in place, by one thread. */
export class ImportanceTable {
  /** How many items it has. */
  readonly items: number;
  private readonly file: number;
  /** First item of each block. */
  private readonly firsts: Uint32Array;
  private readonly block = Buffer.alloc(BLOCK_BYTES);
  private read = -1;

  /** @throws Error when it is missing, or none */
  constructor(path: string) {
    this.file = openRegularFile(path);
    const header = Buffer.alloc(HEADER.length);
    readSync(this.file, header, 0, header.length, 0);
    this.items = (fstatSync(this.file).size - HEADER.length) / ITEM_BYTES;
    if (!header.equals(HEADER) || !Number.isInteger(this.items)) {
      closeSync(this.file);
      throw new Error(`${path} is no table of importance, or a damaged one.`);
    }
    this.firsts = new Uint32Array(Math.ceil(this.items / BLOCK_ITEMS));
    const first = Buffer.alloc(4);
    for (let i = 0; i < this.firsts.length; i++) {
      readSync(this.file, first, 0, first.length, HEADER.length + i * BLOCK_BYTES);
      this.firsts[i] = first.readUInt32BE();
    }
  }

  /** The importance of an item, 0..1; undefined where the table does not have it. */
  importanceOf(item: number): number | undefined {
    if (!(item <= ITEM_MAX)) return undefined;
    const block = lastUpTo(item, this.firsts.length, i => this.firsts[i]);
    if (block < 0) return undefined;
    const { length } = this.blockAt(block);
    const at = ITEM_BYTES * lastUpTo(item, length / ITEM_BYTES, i => this.block.readUInt32BE(i * ITEM_BYTES));
    return this.block.readUInt32BE(at) === item ? this.block.readUInt16BE(at + 4) / UNITS : undefined;
  }

  /** How many items of another table are not in this one. */
  countMissing(other: ImportanceTable): number {
    let missing = 0;
    for (const block of other.blocks())
      for (let at = 0; at < block.length; at += ITEM_BYTES)
        if (this.importanceOf(block.readUInt32BE(at)) === undefined) missing++;
    return missing;
  }

  /** CRC-32 of all items. */
  crc(): number {
    let crc = 0;
    for (const block of this.blocks()) crc = crc32(block, crc);
    return crc;
  }

  close(): void {
    closeSync(this.file);
  }

  private *blocks(): Generator<Buffer> {
    for (let i = 0; i < this.firsts.length; i++) yield this.blockAt(i);
  }

  private blockAt(number: number): Buffer {
    const bytes = ITEM_BYTES * Math.min(BLOCK_ITEMS, this.items - number * BLOCK_ITEMS);
    if (this.read !== number) readSync(this.file, this.block, 0, bytes, HEADER.length + number * BLOCK_BYTES);
    this.read = number;
    return this.block.subarray(0, bytes);
  }
}

/** The last of some ascending numbers that is not above one; -1 if all are. */
function lastUpTo(number: number, count: number, at: (i: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(middle) > number) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}

/** What is wrong with a table that was kept; undefined if nothing is. */
export function problemWithImportance(path: string, { items, crc }: KeptImportance): string | undefined {
  let table: ImportanceTable;
  try {
    table = new ImportanceTable(path);
  } catch {
    return 'its table is missing or damaged';
  }
  try {
    return table.items === items && table.crc() === crc ? undefined : 'its table is damaged';
  } finally {
    table.close();
  }
}
