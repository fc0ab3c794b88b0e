// Positions of nodes, on disk in the order of their ids, so that memory does not grow with the map. A few blocks of
// them stay in memory: neighbouring ways have neighbouring nodes.
//
// Nodes are sorted by id and version (tables/environment/record_sort.ts); files usually hold them in that order, and
// then they are only copied. Of a node that occurs twice the newest version stays.

import { BlockCache } from '../../../tables/environment/block_cache.ts';
import { RecordSort } from '../../../tables/environment/record_sort.ts';
import { ScratchFile } from '../../../tables/environment/scratch_file.ts';
import { NumberList } from '../../index/section.ts';
import { idOf, versionedId } from './versions.ts';

/** A power of two. */
const BLOCK_NODES = 512;
/** An id, then longitude and latitude of each node, column by column. */
const BLOCK_BYTES = BLOCK_NODES * 16;
const KEY_BYTES = 8;
const VALUE_BYTES = 8;
const RECORD_WORDS = (KEY_BYTES + VALUE_BYTES) / 4;
/** Added to versioned ids, so that they sort as unsigned numbers. */
const KEY_ZERO = 2 ** 52;
const WORD = 2 ** 32;

/** The nodes of all files: call `add`, then `finish`, then `find`, and at last `close`. */
export class NodeStore {
  /** Distinct nodes, after `finish`. */
  size = 0;
  private readonly sort: RecordSort;
  private readonly file: ScratchFile;
  private readonly blocks: BlockCache<Block>;
  /** First id of each block. */
  private readonly firsts = new NumberList(Float64Array);
  private block = new Block(new ArrayBuffer(BLOCK_BYTES), 0);
  private number = -1;
  private at = 0;

  /**
   * @param scratchFolder existing
   * @param memoryBytes that blocks may take
   */
  constructor(scratchFolder: string, memoryBytes: number) {
    this.sort = new RecordSort(scratchFolder, KEY_BYTES, VALUE_BYTES);
    this.file = new ScratchFile(scratchFolder);
    this.blocks = new BlockCache(this.file, BLOCK_BYTES, memoryBytes, (buffer, at) => new Block(buffer, at));
  }

  /**
   * @param version 1 or more; of equal ones the node that is added last counts
   * @param longitude, latitude ten-millionths of a degree
   * @throws BadDataError for an id beyond 2^39
   */
  add(id: number, version: number, longitude: number, latitude: number): void {
    const key = versionedId(id, version) + KEY_ZERO;
    const { sort } = this;
    const at = sort.next();
    sort.view.setUint32(at, Math.floor(key / WORD));
    sort.view.setUint32(at + 4, key >>> 0);
    sort.view.setInt32(at + KEY_BYTES, longitude);
    sort.view.setInt32(at + KEY_BYTES + 4, latitude);
  }

  /** Orders all nodes and keeps each once, in its newest version. */
  finish(): void {
    const filled = new Block(new ArrayBuffer(BLOCK_BYTES), 0);
    for (const { bytes, count } of this.sort.batches()) {
      const view = new DataView(bytes.buffer, bytes.byteOffset);
      for (let at = 0; at < count * RECORD_WORDS * 4; at += RECORD_WORDS * 4) {
        const id = idOf(view.getUint32(at) * WORD + view.getUint32(at + 4) - KEY_ZERO);
        const isNewer = filled.count > 0 && filled.ids[filled.count - 1] === id;
        if (!isNewer && filled.count === BLOCK_NODES) this.append(filled);
        if (!isNewer && filled.count++ === 0) this.firsts.push(id);
        filled.ids[filled.count - 1] = id;
        filled.positions[2 * filled.count - 2] = view.getInt32(at + KEY_BYTES);
        filled.positions[2 * filled.count - 1] = view.getInt32(at + KEY_BYTES + 4);
      }
    }
    if (filled.count > 0) this.append(filled);
    this.sort.close();
  }

  /** Looks for a node. @returns true if it is there, and `longitude` and `latitude` are its */
  find(id: number): boolean {
    if (this.at + 1 < BLOCK_NODES && this.block.ids[this.at + 1] === id) {
      this.at++;
      return true;
    }
    const number = this.blockOf(id);
    if (number < 0) return false;
    if (number !== this.number) {
      this.block = this.blocks.load(number);
      this.number = number;
    }
    const { ids } = this.block;
    let low = 0;
    let high = BLOCK_NODES;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    if (ids[low] !== id) return false;
    this.at = low;
    return true;
  }

  /** Of the node found last, ten-millionths of a degree. */
  get longitude(): number {
    return this.block.positions[this.at * 2];
  }

  get latitude(): number {
    return this.block.positions[this.at * 2 + 1];
  }

  /** Gives disk and memory back. */
  close(): void {
    this.blocks.close();
  }

  private append(block: Block): void {
    this.file.append(block.bytes);
    this.size += block.count;
    block.clear();
  }

  /** The block in which a node would be; -1 before the first. */
  private blockOf(id: number): number {
    const firsts = this.firsts.values();
    const { number } = this;
    if (number >= 0 && firsts[number] <= id && (number + 1 === firsts.length || id < firsts[number + 1])) return number;
    let low = 0;
    let high = firsts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (firsts[middle] <= id) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** Nodes of neighbouring ids; after the last one there are infinite ids. */
class Block {
  /** While it is filled. */
  count = 0;
  readonly bytes: Uint8Array;
  readonly ids: Float64Array;
  readonly positions: Int32Array;

  /** @param at where its memory begins in a buffer */
  constructor(buffer: ArrayBuffer, at: number) {
    this.bytes = new Uint8Array(buffer, at, BLOCK_BYTES);
    this.ids = new Float64Array(buffer, at, BLOCK_NODES);
    this.positions = new Int32Array(buffer, at + BLOCK_NODES * 8, BLOCK_NODES * 2);
    this.clear();
  }

  clear(): void {
    this.count = 0;
    this.ids.fill(Infinity);
  }
}
