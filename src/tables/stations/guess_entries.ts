// The table of the memory of guesses (guesses.ts), in shared memory: entries of pairs, which a hash finds, and what has
// changed. All threads read and write it without a lock: an entry is claimed by compare-and-swap, and its words are
// written before its account.

import {
  CLAIMED,
  COUNT_BITS,
  ENTRY_COUNT,
  ENTRY_DEVICE,
  ENTRY_WORDS,
  FREE,
  isOver,
  OWN,
  OWN_SECOND,
  weekAt,
} from '../requests/guess_entry.ts';

/** Words of the header, beside those of the rules. */
const WORD_USED = 1;
/** A bit for each part of the bits of changed entries. */
const WORD_CHANGED = 3;
/** The week in which entries were counted as used. */
const WORD_USED_WEEK = 4;
const HEADER_WORDS = 32;

const ENTRIES = 1 << 21;
/** Entries in which a pair may stand. */
const WINDOW = 64;
/** Entries that are used at most. So full, one window in 250,000 has no free entry. */
export const ENTRIES_USED_MAX = ENTRIES / 2;
const CHANGED_WORDS = (ENTRIES + WINDOW) / 32;
const CHANGED_PARTS = 32;
const PART_WORDS = Math.ceil(CHANGED_WORDS / CHANGED_PARTS);
/** Bits of the pairs that may have an entry, 32 a word: 128 KiB. */
const SOUGHT_WORDS = 1 << 15;
/** Words of the memory. It takes memory only where there are entries. */
export const GUESSES_WORDS = HEADER_WORDS + SOUGHT_WORDS + CHANGED_WORDS + (ENTRIES + WINDOW) * ENTRY_WORDS;

/** Looks at an entry that another thread writes, which takes a microsecond. */
const SPINS = 10_000;
/** Milliseconds to wait for it afterwards: it may have lost its processor meanwhile. */
const WAITS_MAX = 500;

/** Results of `find` and `claim`: there is no entry; there is no room for one. */
const NONE = -1;
export const FULL = -2;

// Multipliers of murmur3's fmix32 (public domain).
const MIX_FIRST = 0x85ebca6b;
const MIX_SECOND = 0xc2b2ae35;

/** One thread's view. Times are milliseconds since 1970. An entry is told by the index of its first word. */
export class GuessEntries {
  readonly header: Int32Array;
  readonly words: Int32Array;
  private readonly sought: Int32Array;
  private readonly changed: Int32Array;

  /** @param buffer shared by all threads @param byte where GUESSES_WORDS words begin, zeroed at first */
  constructor(buffer: SharedArrayBuffer, byte: number) {
    this.header = new Int32Array(buffer, byte, HEADER_WORDS);
    this.sought = new Int32Array(buffer, byte + HEADER_WORDS * 4, SOUGHT_WORDS);
    this.changed = new Int32Array(buffer, byte + (HEADER_WORDS + SOUGHT_WORDS) * 4, CHANGED_WORDS);
    const before = HEADER_WORDS + SOUGHT_WORDS + CHANGED_WORDS;
    this.words = new Int32Array(buffer, byte + before * 4, GUESSES_WORDS - before);
  }

  /** Entries that were begun this week. */
  used(nowMs: number): number {
    const week = weekAt(nowMs);
    const before = Atomics.load(this.header, WORD_USED_WEEK);
    if (before < week && Atomics.compareExchange(this.header, WORD_USED_WEEK, before, week) === before) {
      Atomics.store(this.header, WORD_USED, 0);
      this.sought.fill(0);
    }
    return Atomics.load(this.header, WORD_USED);
  }

  /**
   * The entry of a pair; NONE if it has none this week, FULL if there is no room for one.
   * @param low, high of a device
   */
  find(account: number, low: number, high: number, nowMs: number): number {
    const { words } = this;
    const first = firstOf(account, low, high);
    let none = FULL;
    for (let at = first; at < first + WINDOW * ENTRY_WORDS; at += ENTRY_WORDS) {
      if (words[at] === FREE) return NONE;
      if (isOver(words, at, nowMs)) none = NONE;
      else if (words[at] === account && words[at + ENTRY_DEVICE] === low && words[at + ENTRY_DEVICE + 1] === high)
        return at;
    }
    return none;
  }

  /**
   * The same; a new one where it has none. Threads that claim one for the same pair come to the same free entry, where
   * all but one wait for what that one writes.
   * @returns FULL if there is no room
   */
  claim(account: number, low: number, high: number, nowMs: number): number {
    const known = this.find(account, low, high, nowMs);
    if (known >= 0) return known;
    const { words } = this;
    const first = firstOf(account, low, high);
    for (let at = first; at < first + WINDOW * ENTRY_WORDS; at += ENTRY_WORDS) {
      const before = this.writtenAt(at);
      if (before === CLAIMED) continue;
      const isFree = before === FREE || isOver(words, at, nowMs);
      if (isFree && Atomics.compareExchange(words, at, before, CLAIMED) === before) {
        this.begin(at, account, low, high, nowMs);
        return at;
      }
      if (this.writtenAt(at) === account && words[at + ENTRY_DEVICE] === low && words[at + ENTRY_DEVICE + 1] === high)
        return at;
    }
    return FULL;
  }

  /** Writes a new entry, its account last. */
  private begin(at: number, account: number, low: number, high: number, nowMs: number): void {
    const { words } = this;
    this.used(nowMs);
    Atomics.add(this.header, WORD_USED, 1);
    for (let word = 1; word < ENTRY_WORDS; word++) Atomics.store(words, at + word, 0);
    Atomics.store(words, at + ENTRY_DEVICE, low);
    Atomics.store(words, at + ENTRY_DEVICE + 1, high);
    Atomics.store(words, at + ENTRY_COUNT, weekAt(nowMs) << COUNT_BITS);
    if (high === OWN) Atomics.store(words, at + OWN_SECOND, Math.floor(nowMs / 1000));
    Atomics.store(words, at, account);
  }

  /** The account of an entry, once another thread has written it; CLAIMED if that has ended meanwhile. */
  private writtenAt(at: number): number {
    let account = Atomics.load(this.words, at);
    for (let looks = 0; account === CLAIMED && looks < SPINS + WAITS_MAX; looks++) {
      if (looks >= SPINS) Atomics.wait(this.words, at, CLAIMED, 1);
      account = Atomics.load(this.words, at);
    }
    return account;
  }

  /** False if a pair has no entry: a look at one bit spares most look-ups. */
  isSought(account: number, low: number, high: number): boolean {
    const bit = soughtBit(account, low, high);
    return (this.sought[bit >> 5] & (1 << (bit & 31))) !== 0;
  }

  setSought(account: number, low: number, high: number): void {
    const bit = soughtBit(account, low, high);
    Atomics.or(this.sought, bit >> 5, 1 << (bit & 31));
  }

  markChanged(at: number): void {
    const entry = at / ENTRY_WORDS;
    const word = entry >> 5;
    Atomics.or(this.changed, word, 1 << (entry & 31));
    Atomics.or(this.header, WORD_CHANGED, 1 << Math.floor(word / PART_WORDS));
  }

  /** Numbers of entries that have changed since they were last taken. @param most of them, but for some more */
  takeChanged(most: number): number[] {
    const taken: number[] = [];
    const parts = Atomics.exchange(this.header, WORD_CHANGED, 0);
    for (let part = 0; part < CHANGED_PARTS; part++) {
      const bit = 1 << part;
      if ((parts & bit) !== 0 && !this.takePart(part, most, taken)) Atomics.or(this.header, WORD_CHANGED, bit);
    }
    return taken;
  }

  /** Takes those of one part. @returns false where some are left */
  private takePart(part: number, most: number, taken: number[]): boolean {
    const end = Math.min(CHANGED_WORDS, (part + 1) * PART_WORDS);
    for (let word = part * PART_WORDS; word < end; word++) {
      if (this.changed[word] === 0) continue;
      if (taken.length >= most) return false;
      const bits = Atomics.exchange(this.changed, word, 0);
      for (let bit = 0; bit < 32; bit++) if ((bits & (1 << bit)) !== 0) taken.push(word * 32 + bit);
    }
    return true;
  }

  /** Words of an entry; undefined for one that is free, or being written, which then changes again. */
  read(entry: number): Int32Array | undefined {
    const at = entry * ENTRY_WORDS;
    const words = this.words.slice(at, at + ENTRY_WORDS);
    const isWhole = words[0] > FREE && Atomics.load(this.words, at) === words[0];
    return isWhole ? words : undefined;
  }

  /** Numbers of all entries in use. */
  *all(): Generator<number> {
    for (let at = 0; at < this.words.length; at += ENTRY_WORDS) if (this.words[at] > FREE) yield at / ENTRY_WORDS;
  }
}

/** Where the window of a pair begins. */
function firstOf(account: number, low: number, high: number): number {
  return (mix(account, low, high) & (ENTRIES - 1)) * ENTRY_WORDS;
}

function soughtBit(account: number, low: number, high: number): number {
  return mix(low, account, high) & (SOUGHT_WORDS * 32 - 1);
}

function mix(first: number, second: number, third: number): number {
  let mixed = Math.imul(first, MIX_FIRST) ^ Math.imul(second, MIX_SECOND) ^ third;
  mixed ^= mixed >>> 16;
  mixed = Math.imul(mixed, MIX_FIRST);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, MIX_SECOND);
  return mixed ^ (mixed >>> 16);
}
