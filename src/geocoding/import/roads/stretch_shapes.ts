// The shapes of stretches of roads while houses look for theirs: the bulk of what is known of roads. They are on disk,
// in blocks that hold each stretch whole; those around the last houses stay in memory.

import { measure, type NearPoint } from '../../../geo/line.ts';
import { BlockCache } from '../../../tables/environment/block_cache.ts';
import type { ScratchFile, ScratchFiles } from '../../../tables/environment/scratch_file.ts';

/** A power of two. */
const BLOCK_POINTS = 512;
const BLOCK_BYTES = BLOCK_POINTS * 8;

/** Shapes by the number of their first point: call `add`, then `finish`, then `measure`. */
export class StretchShapes {
  private readonly file: ScratchFile | undefined;
  private readonly memoryBytes: number;
  /** All blocks, where none is on disk. */
  private readonly blocks: Int32Array[] = [];
  private cache: BlockCache<Int32Array> | undefined;
  private filling = new Int32Array(BLOCK_POINTS * 2);
  /** Points so far, those that blocks lack at their ends included. */
  private points = 0;

  /**
   * @param scratch by default all stays in memory
   * @param memoryBytes that shapes on disk may take in memory
   */
  constructor(scratch: ScratchFiles | undefined, memoryBytes: number) {
    this.file = scratch?.open();
    this.memoryBytes = memoryBytes;
  }

  /** Adds a stretch. @param coordinates of at most a block's points @returns the number of its first point */
  add(coordinates: Int32Array): number {
    const count = coordinates.length / 2;
    const used = this.points % BLOCK_POINTS;
    if (used + count > BLOCK_POINTS) this.points += BLOCK_POINTS - used;
    const first = this.points;
    if (first > 0 && first % BLOCK_POINTS === 0) this.flush();
    this.filling.set(coordinates, (first % BLOCK_POINTS) * 2);
    this.points += count;
    return first;
  }

  /** No stretch can be added afterwards. */
  finish(): void {
    this.flush();
    if (this.file !== undefined)
      this.cache = new BlockCache(
        this.file,
        BLOCK_BYTES,
        this.memoryBytes,
        (buffer, at) => new Int32Array(buffer, at, BLOCK_POINTS * 2),
      );
  }

  /** The nearest point of a stretch (geo/line.ts). @param first, last numbers of its points @param near the result */
  measure(first: number, last: number, x: number, y: number, near: NearPoint): void {
    const number = Math.floor(first / BLOCK_POINTS);
    const block = this.cache === undefined ? this.blocks[number] : this.cache.load(number);
    const at = first % BLOCK_POINTS;
    measure(block, at, at + last - first, x, y, near);
  }

  /** Gives disk and memory back. */
  close(): void {
    this.cache?.close();
  }

  private flush(): void {
    if (this.file !== undefined) this.file.append(new Uint8Array(this.filling.buffer));
    else {
      this.blocks.push(this.filling);
      this.filling = new Int32Array(BLOCK_POINTS * 2);
    }
  }
}
