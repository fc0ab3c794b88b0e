// The buckets of the station cache: 128 bytes each, five entries. Words of a bucket:
//
//   0       version: even, or odd while a thread holds the bucket, or ABANDONED
//   1       generation of the entries
//   2..11   tags of the five keys, two words each
//   12..31  payloads of the five stations, four words each; a last word of zero means that the slot is free
//
// Version, generation and tags share a cache line. An entry is read between two loads of the version (a sequence lock);
// a key that is not found needs no second one, because whoever then fills the bucket must find its version unchanged.
// All stores are Atomics: they stay behind the one that locked, and before the one that unlocks, on every processor.
//
// A reader may die, or sleep for long, while it holds a bucket. The writer waits a little and then gives the bucket up
// for good: its entries are read from LMDB from then on, and whatever the reader still stores there is seen by nobody.

import { ABSENT_BITS, PACKED_STATE } from '../../../wasm/packed_station_constants.ts';
import {
  GENERATION,
  KEYS,
  PAYLOAD_WORDS,
  PAYLOADS,
  READ_ATTEMPTS,
  SLOTS,
  VERSION_UNREADABLE,
} from '../../../wasm/station_cache_constants.ts';

/** What `read` returns where it found the key. */
export const READ_HIT = -1;

const STATE = PAYLOADS + PACKED_STATE; // word that says whether a slot is free, of slot 0

/**
 * Versions are even numbers up to this, and then 0 again: 2^29 changes of one bucket while one reader answers one miss.
 */
const VERSION_MAX = 0x3ffffffe;
/** Odd, so that no reader fills it, and no version with its lock bit. */
const ABANDONED = 0x7fffffff;
/**
 * x64 never reorders loads, and the compiler moves none across the calls of `Atomics.load` on the version before and
 * behind them. Other processors may, so there every load is one of Atomics, which costs 9 ns where a plain one costs
 * under 1.
 */
const LOADS_ARE_ORDERED = process.arch === 'x64';
const LOCK_SPINS = 1_000;
/**
 * Waits of 1 ms after which the writer gives a bucket up. A living reader holds one for less than a microsecond, unless
 * it is not scheduled.
 */
const LOCK_WAITS = 20;

/** One thread's view of the buckets. `base` is always the index of a bucket's first word. */
export class CacheBuckets {
  private readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  /**
   * Copies the payload of a key to `out`. @returns READ_HIT, or the version seen without the key: odd when nobody may
   * fill the bucket
   */
  read(base: number, generation: number, low: number, high: number, out: Int32Array, outAt: number): number {
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const version = Atomics.load(this.words, base);
      if ((version & 1) === 1) continue;
      const at = this.word(base + GENERATION) === generation ? this.payloadOf(base, low, high) : 0;
      if (at === 0) return version;
      for (let i = 0; i < PAYLOAD_WORDS; i++) out[outAt + i] = this.word(at + i);
      if (Atomics.load(this.words, base) === version) return READ_HIT;
    }
    return VERSION_UNREADABLE;
  }

  /**
   * Any thread: puts an entry into a bucket that nobody has changed since `version` was read.
   * @param evict whether another present station may give way
   * @returns false when the bucket was unchanged but full; then it still is both
   */
  fill(
    base: number,
    version: number,
    generation: number,
    low: number,
    high: number,
    payload: Int32Array,
    payloadAt: number,
    evict: boolean,
  ): boolean {
    const words = this.words;
    if ((version & 1) === 1 || Atomics.compareExchange(words, base, version, version | 1) !== version) return true;
    this.startGeneration(base, generation);
    const slot = this.slotFor(base, version, low, high, evict);
    if (slot >= 0) this.put(base, slot, low, high, payload, payloadAt);
    // An unchanged bucket keeps its version, so that other fills succeed. No plain store: the writer may have given the
    // bucket up.
    Atomics.compareExchange(words, base, version | 1, slot >= 0 ? nextVersion(version) : version);
    return slot >= 0;
  }

  /**
   * Writer only: makes the entry of a key what the payload says; every fill of the bucket that is under way fails.
   * @returns whether it has a slot now
   */
  write(
    base: number,
    generation: number,
    low: number,
    high: number,
    payload: Int32Array,
    payloadAt: number,
    evict: boolean,
  ): boolean {
    const version = this.lock(base);
    if (version === ABANDONED) return false;
    this.startGeneration(base, generation);
    const slot = this.slotFor(base, version, low, high, evict);
    if (slot >= 0) this.put(base, slot, low, high, payload, payloadAt);
    Atomics.store(this.words, base, nextVersion(version));
    return slot >= 0;
  }

  /** Writer only: takes a key out; every fill of the bucket that is under way fails. */
  remove(base: number, generation: number, low: number, high: number): void {
    const version = this.lock(base);
    if (version === ABANDONED) return;
    this.startGeneration(base, generation);
    const at = this.payloadOf(base, low, high);
    if (at !== 0) Atomics.store(this.words, at + 3, 0);
    Atomics.store(this.words, base, nextVersion(version));
  }

  /**
   * Writer only: moves one entry of a full bucket to the other bucket of its key, if that has a free slot. A reader
   * that passes the other bucket before the move and this one after it misses an entry that exists, and asks LMDB:
   * slower, not wrong.
   * @param otherOf the other bucket of the key with this tag
   */
  makeRoom(base: number, generation: number, otherOf: (low: number, high: number, base: number) => number): boolean {
    const words = this.words;
    const version = this.lock(base);
    if (version === ABANDONED) return false;
    let moved = false;
    for (let slot = 0; slot < SLOTS && !moved; slot++) {
      const low = words[base + KEYS + slot * 2];
      const high = words[base + KEYS + slot * 2 + 1];
      const other = otherOf(low, high, base);
      if (other === base || !this.hasFreeSlot(other, generation)) continue;
      moved = this.write(other, generation, low, high, words, base + PAYLOADS + slot * PAYLOAD_WORDS, false);
      if (moved) this.free(base, slot);
    }
    Atomics.store(words, base, nextVersion(version));
    return moved;
  }

  /** Low nibble of the state of a slot, 0 when it is free. */
  stateOf(base: number, slot: number, generation: number): number {
    if (Atomics.load(this.words, base + GENERATION) !== generation || Atomics.load(this.words, base) === ABANDONED)
      return 0;
    return Atomics.load(this.words, base + STATE + slot * PAYLOAD_WORDS) & ABSENT_BITS;
  }

  private hasFreeSlot(base: number, generation: number): boolean {
    if (Atomics.load(this.words, base) === ABANDONED) return false;
    if (Atomics.load(this.words, base + GENERATION) !== generation) return true;
    for (let slot = 0; slot < SLOTS; slot++)
      if (Atomics.load(this.words, base + STATE + slot * PAYLOAD_WORDS) === 0) return true;
    return false;
  }

  private word(at: number): number {
    return LOADS_ARE_ORDERED ? this.words[at] : Atomics.load(this.words, at);
  }

  /** Where the payload of a key is; 0 when it has none. */
  private payloadOf(base: number, low: number, high: number): number {
    for (let slot = 0; slot < SLOTS; slot++) {
      const key = base + KEYS + slot * 2;
      if (this.word(key) !== low || this.word(key + 1) !== high) continue;
      const at = base + PAYLOADS + slot * PAYLOAD_WORDS;
      if (this.word(at + 3) !== 0) return at;
    }
    return 0;
  }

  // Everything below is for the thread that holds the bucket.

  /** Entries of another generation are none. */
  private startGeneration(base: number, generation: number): void {
    if (this.words[base + GENERATION] === generation) return;
    for (let slot = 0; slot < SLOTS; slot++) this.free(base, slot);
    Atomics.store(this.words, base + GENERATION, generation);
  }

  private free(base: number, slot: number): void {
    Atomics.store(this.words, base + STATE + slot * PAYLOAD_WORDS, 0);
  }

  private put(base: number, slot: number, low: number, high: number, payload: Int32Array, payloadAt: number): void {
    const words = this.words;
    Atomics.store(words, base + KEYS + slot * 2, low);
    Atomics.store(words, base + KEYS + slot * 2 + 1, high);
    const at = base + PAYLOADS + slot * PAYLOAD_WORDS;
    for (let i = 0; i < PAYLOAD_WORDS; i++) Atomics.store(words, at + i, payload[payloadAt + i]);
  }

  /** The key's own slot, a free one, one of an absent station, or, if asked, one after the other in turn; else -1. */
  private slotFor(base: number, version: number, low: number, high: number, evict: boolean): number {
    const own = this.payloadOf(base, low, high);
    if (own !== 0) return (own - base - PAYLOADS) / PAYLOAD_WORDS;
    let absent = -1;
    for (let slot = 0; slot < SLOTS; slot++) {
      const state = this.words[base + STATE + slot * PAYLOAD_WORDS];
      if (state === 0) return slot;
      if ((state & ABSENT_BITS) === ABSENT_BITS) absent = slot;
    }
    if (absent >= 0 || !evict) return absent;
    return (version >> 1) % SLOTS;
  }

  /** Writer only. @returns the version, or ABANDONED */
  private lock(base: number): number {
    const words = this.words;
    for (let waits = 0; ; waits++) {
      let version = 0;
      for (let spin = 0; spin < LOCK_SPINS; spin++) {
        version = Atomics.load(words, base);
        if (version === ABANDONED) return ABANDONED;
        if ((version & 1) === 0 && Atomics.compareExchange(words, base, version, version | 1) === version)
          return version;
      }
      if (
        waits >= LOCK_WAITS &&
        (version & 1) === 1 &&
        Atomics.compareExchange(words, base, version, ABANDONED) === version
      )
        return ABANDONED;
      Atomics.wait(words, base, version | 1, 1);
    }
  }
}

function nextVersion(version: number): number {
  return (version + 2) & VERSION_MAX;
}
