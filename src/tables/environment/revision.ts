// A word of shared memory that counts changes of tables: a look at it is all that a thread needs while none has
// changed.

/** The memory, for all threads. */
export function createRevision(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
}

/** Makes all readers look at their tables again. @param memory from `createRevision` */
export function announceChange(memory: SharedArrayBuffer): void {
  Atomics.add(new Int32Array(memory), 0, 1);
}
