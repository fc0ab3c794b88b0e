// Blocks of a scratch file that are read in any order. As many as are allowed stay in memory, each in the slot of its
// number: neighbours are read together, and those of one region do not drive each other out.

import type { ScratchFile } from './scratch_file.ts';

/** Larger than what the allocator keeps for later (32 MB): so it goes back to the system when the cache is closed. */
const SLAB_BYTES = 64 * 1_048_576;

/** Reads blocks of one size. `T` is what a block is read as: views of its bytes. */
export class BlockCache<T> {
  private readonly file: ScratchFile;
  private readonly blockBytes: number;
  private readonly viewOf: (buffer: ArrayBuffer, at: number) => T;
  private readonly slots: (Slot<T> | undefined)[];
  /** Memory of the blocks, in large pieces; of the last one so much is used. */
  private readonly slabs: ArrayBuffer[] = [];
  private slabUsed = SLAB_BYTES;

  /**
   * @param file in which blocks stand one after the other
   * @param blockBytes a power of two, of at most 64 MB
   * @param memoryBytes that blocks may take
   * @param viewOf makes the views of a block, whose memory begins there in a buffer and is read again and again
   */
  constructor(
    file: ScratchFile,
    blockBytes: number,
    memoryBytes: number,
    viewOf: (buffer: ArrayBuffer, at: number) => T,
  ) {
    this.file = file;
    this.blockBytes = blockBytes;
    this.viewOf = viewOf;
    this.slots = new Array(Math.max(1, Math.floor(memoryBytes / blockBytes)));
  }

  /** A block; valid until another one is asked for. @param number from 0 on */
  load(number: number): T {
    const at = number % this.slots.length;
    const slot = this.slots[at] ?? this.newSlot();
    if (slot.number !== number) {
      slot.number = number;
      this.file.read(slot.bytes, number * this.blockBytes);
      this.slots[at] = slot;
    }
    return slot.block;
  }

  /** Gives file and memory back. */
  close(): void {
    this.file.close();
    // The collector would come for them much later: nothing of their kind is made any more.
    for (const slab of this.slabs.splice(0)) slab.transfer(0);
  }

  private newSlot(): Slot<T> {
    if (this.slabUsed === SLAB_BYTES) {
      this.slabs.push(new ArrayBuffer(SLAB_BYTES));
      this.slabUsed = 0;
    }
    const buffer = this.slabs.at(-1)!;
    const at = this.slabUsed;
    this.slabUsed += this.blockBytes;
    return { number: -1, bytes: new Uint8Array(buffer, at, this.blockBytes), block: this.viewOf(buffer, at) };
  }
}

interface Slot<T> {
  number: number;
  bytes: Uint8Array;
  block: T;
}
