// Follows the pages of an LMDB file before LMDB does. The library trusts what a page says: a page number beyond the
// file, or a node beyond its page, ends the process by a signal, without a word. Here pages are read as plain bytes,
// and a page that cannot be what its parent says is an error.
//
// The pages nearest to the roots are read, at most so many that a start is not delayed: all of a small table, such as
// that of the accounts, and of a large one the upper levels of its trees. That each page of the next level lies in the
// file is known without reading it. The rest is what `sextant check` is for.
//
// A tree has the same depth everywhere. No table of ours has duplicate keys, so their forms are damage too.

import { closeSync, existsSync, fstatSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegularFile } from '../../config/regular_file.ts';
import { DATA_FILE, liveMeta, type Tree } from './environment_file.ts';
import {
  FLAGS,
  FLAGS_AT,
  HAS_OVERFLOW,
  HAS_TREE,
  IS_BRANCH,
  IS_LEAF,
  IS_OVERFLOW,
  KEY_BYTES_AT,
  LOWER_AT,
  NO_ROOT,
  NODE_BYTES,
  NODE_FLAGS_AT,
  OVERFLOW_BYTES,
  PAGE_HEADER_BYTES,
  PAGE_NUMBER_AT,
  TREE_BYTES,
  TREE_DEPTH_AT,
  TREE_ROOT_AT,
  UPPER_AT,
} from './page_layout.ts';

/** 16 MiB: some twenty milliseconds where the system has them in memory. */
const PAGES_MAX = 4_096;

const HIGH = 2 ** 32;

/** A page to read. */
interface Wanted {
  page: number;
  /** Levels of the tree from here on; 1 = a leaf, 0 = the first of some overflow pages. */
  levels: number;
}

/**
 * Follows the pages of the LMDB file in a folder. Nobody may write to it meanwhile.
 * @throws Error with the reason, without a full stop, when a page is damaged; nothing was changed
 */
export function checkPages(folder: string, pagesMax = PAGES_MAX): void {
  const path = join(folder, DATA_FILE);
  if (!existsSync(path)) return;
  const file = openRegularFile(path);
  try {
    if (fstatSync(file).size > 0) new PageWalk(file).run(pagesMax);
  } finally {
    closeSync(file);
  }
}

/** One walk, level by level. */
class PageWalk {
  private readonly file: number;
  private readonly bytes: Buffer;
  /** Pages that a transaction may have used, and that the file holds. */
  private readonly pages: number;
  private readonly seen: Uint8Array;
  private wanted: Wanted[] = [];

  constructor(file: number) {
    const { pageBytes, lastPage, trees } = liveMeta(file);
    this.file = file;
    this.bytes = Buffer.alloc(pageBytes);
    this.pages = Math.min(lastPage + 1, Math.floor(fstatSync(file).size / pageBytes));
    this.seen = new Uint8Array((this.pages >> 3) + 1);
    for (const tree of trees) this.wantTree(tree, 0);
  }

  run(pagesMax: number): void {
    for (let left = pagesMax; this.wanted.length > 0 && left > 0; ) {
      const level = this.wanted.sort((a, b) => a.page - b.page).slice(0, left);
      left -= level.length;
      this.wanted = [];
      for (const { page, levels } of level) this.read(page, levels);
    }
  }

  private read(page: number, levels: number): void {
    const { bytes } = this;
    readSync(this.file, bytes, 0, bytes.length, page * bytes.length);
    const flags = bytes.readUInt16LE(FLAGS_AT);
    const kind = levels === 0 ? IS_OVERFLOW : levels === 1 ? IS_LEAF : IS_BRANCH;
    requireSound(Number(bytes.readBigUInt64LE(PAGE_NUMBER_AT)) === page && (flags & FLAGS) === kind, page);
    if (kind !== IS_OVERFLOW) this.readNodes(page, levels);
  }

  private readNodes(page: number, levels: number): void {
    const { bytes } = this;
    const lower = PAGE_HEADER_BYTES + bytes.readUInt16LE(LOWER_AT);
    const upper = PAGE_HEADER_BYTES + bytes.readUInt16LE(UPPER_AT);
    requireSound(lower % 2 === 0 && lower <= upper && upper <= bytes.length && lower > PAGE_HEADER_BYTES, page);
    for (let at = PAGE_HEADER_BYTES; at < lower; at += 2) {
      const node = PAGE_HEADER_BYTES + bytes.readUInt16LE(at);
      requireSound(node >= upper && node + NODE_BYTES <= bytes.length, page);
      const data = node + NODE_BYTES + bytes.readUInt16LE(node + KEY_BYTES_AT);
      requireSound(data <= bytes.length, page);
      const low = bytes.readUInt32LE(node);
      const high = bytes.readUInt16LE(node + NODE_FLAGS_AT);
      if (levels > 1) this.want(low + high * HIGH, levels - 1, 1, page);
      else this.readLeaf(page, data, low, high);
    }
  }

  /** @param data where the data of a node begins @param length that it says it has */
  private readLeaf(page: number, data: number, length: number, flags: number): void {
    const { bytes } = this;
    const stored = flags === HAS_OVERFLOW ? OVERFLOW_BYTES : length;
    requireSound(data + stored <= bytes.length && flags <= HAS_TREE, page);
    if (flags === HAS_OVERFLOW) {
      const pages = Math.floor((PAGE_HEADER_BYTES - 1 + length) / bytes.length) + 1;
      this.want(Number(bytes.readBigUInt64LE(data)), 0, pages, page);
    } else if (flags === HAS_TREE) {
      requireSound(length === TREE_BYTES, page);
      this.wantTree(
        { depth: bytes.readUInt16LE(data + TREE_DEPTH_AT), root: bytes.readBigUInt64LE(data + TREE_ROOT_AT) },
        page,
      );
    }
  }

  private wantTree({ root, depth }: Tree, parent: number): void {
    if (root !== NO_ROOT) this.want(Number(root), depth, 1, parent);
  }

  /** Notes pages that must be in the file, each once. @param parent page that names the first of them */
  private want(first: number, levels: number, count: number, parent: number): void {
    requireSound(first + count <= this.pages && (levels === 0 || levels < 64), parent);
    for (let page = first; page < first + count; page++) {
      requireSound((this.seen[page >> 3] & (1 << (page & 7))) === 0, parent);
      this.seen[page >> 3] |= 1 << (page & 7);
    }
    this.wanted.push({ page: first, levels });
  }
}

function requireSound(isSound: boolean, page: number): void {
  if (!isSound) throw new Error(`its data file is damaged at page ${page}`);
}
