// A body in shared memory, which grows as its pieces come. Threads pass it on without a copy.

import type { BodyPieces } from './body.ts';

/** Puts the pieces of a body together in shared memory. */
export class SharedPieces implements BodyPieces {
  private readonly memory: SharedArrayBuffer;

  /** @param capBytes most bytes */
  constructor(capBytes: number) {
    // This reserves address space only; memory is used as the body grows.
    this.memory = new SharedArrayBuffer(0, { maxByteLength: capBytes });
  }

  add(piece: Uint8Array): void {
    const start = this.memory.byteLength;
    this.memory.grow(start + piece.length);
    new Uint8Array(this.memory).set(piece, start);
  }

  join(): Buffer {
    return Buffer.from(this.memory, 0, this.memory.byteLength);
  }
}
