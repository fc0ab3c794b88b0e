// Limits the memory of what waits outside the ring: queries that are too large for it, and inputs of tasks. Whoever
// has much waiting may take no more than what then is left over, so one owner gets half of the room at most, two get
// a third each, and there is always some for who has nothing waiting.
//
// Source: the dynamic threshold of Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet
// switches" (1998), with factor 1.

/** Most bytes that wait at once. */
const OVERFLOW_BYTES = 64 * 1_048_576;
/** Stands for the account where it is not known. As it stands for many, it may take all that is left. */
export const OWNER_UNKNOWN = 0;

/** Counts the bytes that wait. */
export class OverflowRoom {
  private bytes = 0;
  /** By owner. */
  private readonly shares = new Map<number, number>();

  /** @param owner number of an account, or OWNER_UNKNOWN @returns false when there is no room */
  take(owner: number, bytes: number): boolean {
    const left = OVERFLOW_BYTES - this.bytes;
    const share = owner === OWNER_UNKNOWN ? 0 : (this.shares.get(owner) ?? 0);
    // One item is always admitted: if it exceeds the limit alone, trying again would never help.
    if (this.bytes > 0 && (bytes > left || (share > 0 && share + bytes > left))) return false;
    this.bytes += bytes;
    if (owner !== OWNER_UNKNOWN) this.shares.set(owner, share + bytes);
    return true;
  }

  /** Gives back what an owner took. */
  give(owner: number, bytes: number): void {
    this.bytes -= bytes;
    const left = (this.shares.get(owner) ?? 0) - bytes;
    if (left > 0) this.shares.set(owner, left);
    else this.shares.delete(owner);
  }

  /** True when nothing waits. */
  get isEmpty(): boolean {
    return this.bytes === 0;
  }
}
