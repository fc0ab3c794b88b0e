// Opened records that a thread keeps because they are asked for again: those that were used last, as many as fit into a
// number of bytes. So a campus of a hundred small buildings is kept as well as three airports, and neither takes more
// memory than that.

/** Values by number. */
export class RecentlyUsed<V> {
  private readonly bytesMax: number;
  /** The one that was not used for longest comes first. */
  private readonly kept = new Map<number, { value: V; bytes: number }>();
  private bytes = 0;

  /** @param bytesMax together; a single value may be larger, and is then the only one */
  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get(id: number): V | undefined {
    const found = this.kept.get(id);
    if (found === undefined) return undefined;
    this.kept.delete(id);
    this.kept.set(id, found);
    return found.value;
  }

  /** Keeps a value. @param bytes what it takes, about */
  set(id: number, value: V, bytes: number): void {
    this.drop(id);
    for (const oldest of this.kept.keys()) {
      if (this.bytes + bytes <= this.bytesMax) break;
      this.drop(oldest);
    }
    this.kept.set(id, { value, bytes });
    this.bytes += bytes;
  }

  private drop(id: number): void {
    this.bytes -= this.kept.get(id)?.bytes ?? 0;
    this.kept.delete(id);
  }
}
