// Containers for what a builder collects by the million, outside the object heap: whole numbers in chunks, and numbers
// keyed by hashes.

const CHUNK_BITS = 16;
const CHUNK_WORDS = 1 << CHUNK_BITS;

/** A list of 32-bit numbers that grows without moving. */
export class GrowingWords {
  private readonly chunks: Uint32Array[] = [];
  length = 0;

  push(word: number): void {
    if (this.length === this.chunks.length * CHUNK_WORDS) this.chunks.push(new Uint32Array(CHUNK_WORDS));
    this.chunks[this.length >>> CHUNK_BITS][this.length & (CHUNK_WORDS - 1)] = word;
    this.length++;
  }

  /** @param at 0..length-1 */
  get(at: number): number {
    return this.chunks[at >>> CHUNK_BITS][at & (CHUNK_WORDS - 1)];
  }

  set(at: number, word: number): void {
    this.chunks[at >>> CHUNK_BITS][at & (CHUNK_WORDS - 1)] = word;
  }

  /** All numbers in one array. */
  toArray(): Uint32Array {
    const all = new Uint32Array(this.length);
    for (let i = 0; i < this.chunks.length; i++) {
      const start = i * CHUNK_WORDS;
      all.set(this.chunks[i].subarray(0, Math.min(CHUNK_WORDS, this.length - start)), start);
    }
    return all;
  }
}

const SLOT_WORDS = 3; // two of the hash, one of the value
const SLOTS_FIRST = 1_024;

/** A 64-bit hash, as two words. */
interface Hash {
  high: number;
  low: number;
}

/** Positive numbers keyed by hashes; collisions are not expected among a billion keys. 12 to 24 bytes a key. */
export class HashTable {
  private slots = new Uint32Array(SLOTS_FIRST * SLOT_WORDS);
  private capacity = SLOTS_FIRST;
  private count = 0;

  /** The value of a hash; 0 if there is none. */
  get(hash: Hash): number {
    return this.slots[this.slotOf(hash.high, hash.low) + 2];
  }

  /** Sets the value of a hash. @param value above 0 */
  set(hash: Hash, value: number): void {
    if (this.count * 2 >= this.capacity) this.grow();
    const slot = this.slotOf(hash.high, hash.low);
    if (this.slots[slot + 2] === 0) this.count++;
    this.put(slot, hash.high, hash.low, value);
  }

  private slotOf(high: number, low: number): number {
    const { slots, capacity } = this;
    let slot = (low & (capacity - 1)) * SLOT_WORDS;
    while (slots[slot + 2] !== 0 && !(slots[slot] === high >>> 0 && slots[slot + 1] === low >>> 0)) {
      slot += SLOT_WORDS;
      if (slot === slots.length) slot = 0;
    }
    return slot;
  }

  private put(slot: number, high: number, low: number, value: number): void {
    this.slots[slot] = high;
    this.slots[slot + 1] = low;
    this.slots[slot + 2] = value;
  }

  private grow(): void {
    const old = this.slots;
    this.capacity *= 2;
    this.slots = new Uint32Array(this.capacity * SLOT_WORDS);
    for (let i = 0; i < old.length; i += SLOT_WORDS) {
      if (old[i + 2] !== 0) this.put(this.slotOf(old[i], old[i + 1]), old[i], old[i + 1], old[i + 2]);
    }
  }
}

/** Hashes a list of whole numbers, with two mixes in the manner of MurmurHash. */
export function hashOf(words: readonly number[]): Hash {
  let high = 0x9e3779b9 ^ words.length;
  let low = 0x85ebca6b;
  for (const word of words) {
    high = mix(high ^ word);
    low = mix(low + Math.imul(word, 0xcc9e2d51) + 0x165667b1);
  }
  return { high: mix(high ^ low) >>> 0, low: mix(low) >>> 0 };
}

function mix(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Number of a text among the distinct ones, in order of first use. */
export function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/**
 * Sorts entries by group, in stable order.
 * @returns entry numbers, and the start of each group, which is the end of the one before
 */
export function groupBy(
  entries: number,
  groups: number,
  groupOf: (entry: number) => number,
): { order: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(groups + 2);
  for (let entry = 0; entry < entries; entry++) starts[groupOf(entry) + 2]++;
  for (let group = 2; group < starts.length; group++) starts[group] += starts[group - 1];
  const order = new Uint32Array(entries);
  // Filling moves each start to the start of the next group.
  for (let entry = 0; entry < entries; entry++) order[starts[groupOf(entry) + 1]++] = entry;
  return { order, starts };
}
