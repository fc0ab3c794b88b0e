// Memory of what waits outside the ring: queries too large for it, and the inputs of tasks.

/** That much may wait at once. */
const OVERFLOW_BYTES = 64 * 1_048_576;

/** Counts the bytes that wait. */
export class OverflowRoom {
  private bytes = 0;

  /** @returns false when there is no room */
  take(bytes: number): boolean {
    // One is always let in: what exceeds the limit alone would be told to try again for ever.
    if (this.bytes > 0 && this.bytes + bytes > OVERFLOW_BYTES) return false;
    this.bytes += bytes;
    return true;
  }

  /** Gives back what was taken. */
  give(bytes: number): void {
    this.bytes -= bytes;
  }

  /** True when nothing waits. */
  get isEmpty(): boolean {
    return this.bytes === 0;
  }
}
