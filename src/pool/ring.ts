// The ring is the shared memory in which the requests of one HTTP thread lie while a worker answers them. Each request
// takes the space it needs at the head. Space is freed at the tail, in the same order, whatever the order of the
// answers. Nothing is copied, and nothing is queued outside the ring. Only the HTTP thread allocates and frees, so
// plain arrays keep track of the blocks.

/** Size of a ring. */
export const RING_BYTES = 4 * 1_048_576;

/** Allocates the bytes of a ring; offsets are multiples of 8. */
export class RequestRing {
  private readonly capacity: number;
  private head = 0;
  private tail = 0;
  /** Bytes taken, including wasted ends. */
  private used = 0;
  /**
   * Blocks in the order of allocation: offset, length, whether freed. Indices wrap around; the arrays double when full.
   */
  private offsets = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  private freed = new Uint8Array(1024);
  private firstBlock = 0;
  private blocks = 0;

  /** @param capacity bytes, a multiple of 8 */
  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /**
   * Takes `bytes` (rounded up to a multiple of 8) in one piece.
   * @returns the offset, or -1 when there is no room
   */
  take(bytes: number): number {
    const needed = (bytes + 7) & ~7;
    if (needed > this.capacity - this.used) return -1;
    let offset = this.head;
    if (this.used > 0 && this.head <= this.tail) {
      if (needed > this.tail - this.head) return -1;
    } else if (needed > this.capacity - this.head) {
      // The end is too short, and wasted until the block before it is given back.
      if (needed > this.tail) return -1;
      this.push(this.head, this.capacity - this.head, 1);
      offset = 0;
    }
    this.push(offset, needed, 0);
    this.head = offset + needed === this.capacity ? 0 : offset + needed;
    return offset;
  }

  /** Shortens the last block to the bytes it really needs, so that the next one begins right after it. */
  trim(bytes: number): void {
    const last = (this.firstBlock + this.blocks - 1) & (this.offsets.length - 1);
    const needed = (bytes + 7) & ~7;
    this.used -= this.lengths[last] - needed;
    this.lengths[last] = needed;
    this.head = (this.offsets[last] + needed) % this.capacity;
  }

  /** Gives the block at `offset` back. @throws Error when none was taken there. */
  give(offset: number): void {
    const mask = this.offsets.length - 1;
    let found = false;
    for (let i = 0; i < this.blocks; i++) {
      const block = (this.firstBlock + i) & mask;
      if (this.offsets[block] === offset && this.freed[block] === 0) {
        this.freed[block] = 1;
        found = true;
        break;
      }
    }
    if (!found) throw new Error(`The request ring has no block at ${offset} to give back.`);
    while (this.blocks > 0 && this.freed[this.firstBlock] === 1) {
      this.used -= this.lengths[this.firstBlock];
      this.tail = (this.offsets[this.firstBlock] + this.lengths[this.firstBlock]) % this.capacity;
      this.firstBlock = (this.firstBlock + 1) & mask;
      this.blocks--;
    }
    if (this.blocks === 0) {
      this.head = 0;
      this.tail = 0;
    }
  }

  private push(offset: number, length: number, freed: number): void {
    if (this.blocks === this.offsets.length) this.grow();
    const block = (this.firstBlock + this.blocks) & (this.offsets.length - 1);
    this.offsets[block] = offset;
    this.lengths[block] = length;
    this.freed[block] = freed;
    this.blocks++;
    this.used += length;
  }

  private grow(): void {
    const size = this.offsets.length;
    const offsets = new Int32Array(size * 2);
    const lengths = new Int32Array(size * 2);
    const freed = new Uint8Array(size * 2);
    for (let i = 0; i < this.blocks; i++) {
      const block = (this.firstBlock + i) & (size - 1);
      offsets[i] = this.offsets[block];
      lengths[i] = this.lengths[block];
      freed[i] = this.freed[block];
    }
    this.offsets = offsets;
    this.lengths = lengths;
    this.freed = freed;
    this.firstBlock = 0;
  }
}
