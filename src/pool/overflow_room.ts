// Limits the memory of what waits outside the ring: queries that are too large for it, and inputs of tasks.

/** Most bytes that wait at once. */
const OVERFLOW_BYTES = 64 * 1_048_576;

/** Counts the bytes that wait. */
export class OverflowRoom {
  private bytes = 0;

  /** @returns false when there is no room */
  take(bytes: number): boolean {
    // One item is always admitted: if it exceeds the limit alone, trying again would never help.
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
