// Numbers by ids of OpenStreetMap, or other whole numbers, outside the object heap: a hash table with 24 to 48 bytes an
// id. A Map takes twice to four times that, and the collector walks through it.

const SLOTS_FIRST = 1_024;
/** A slot is free where its value is 0; values are stored as one more. */
const FREE = 0;

/** Whole numbers by id. */
export class IdTable {
  size = 0;
  private ids = new Float64Array(SLOTS_FIRST);
  private values = new Uint32Array(SLOTS_FIRST);

  /** The number of an id; -1 if there is none. */
  get(id: number): number {
    return this.values[this.slotOf(id)] - 1;
  }

  has(id: number): boolean {
    return this.values[this.slotOf(id)] !== FREE;
  }

  /** @param value 0..2^32 - 2 */
  set(id: number, value: number): void {
    let slot = this.slotOf(id);
    if (this.values[slot] === FREE) {
      if (++this.size * 2 > this.ids.length) {
        this.grow();
        slot = this.slotOf(id);
      }
      this.ids[slot] = id;
    }
    this.values[slot] = value + 1;
  }

  private slotOf(id: number): number {
    const { ids, values } = this;
    const mask = ids.length - 1;
    let hash = Math.imul((id ^ Math.floor(id / 2 ** 32)) | 0, 0x9e3779b1);
    hash ^= hash >>> 15;
    let slot = hash & mask;
    while (values[slot] !== FREE && ids[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  private grow(): void {
    const { ids, values } = this;
    this.ids = new Float64Array(ids.length * 2);
    this.values = new Uint32Array(ids.length * 2);
    for (let old = 0; old < ids.length; old++) {
      if (values[old] === FREE) continue;
      const slot = this.slotOf(ids[old]);
      this.ids[slot] = ids[old];
      this.values[slot] = values[old];
    }
  }
}
