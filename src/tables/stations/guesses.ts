// Guesses: which devices an account has sent beside others of places where they are not. A device may have moved, or it
// travels. But so asks, too, who knows an address and tries it at one place after another, until the answer shows that
// it fits. So each account may be wrong about a device three times a week, at one place once; then the device takes no
// part in its scans. And it may be wrong a hundred times a day; with each four answers that were paid and were no guesses
// once more, and up to a thousand times if it saves.
//
// Where a scan is answered, those are wrong that are elsewhere: at the place of the answer. Where none is, each device of
// the scan may be the one, so each counts as guessed, beside these others; the place is then the set of them. A guess
// that was right is remembered of an address about which the account was wrong before: it knows the place now, and may be
// wrong about it as often as it likes.
//
// What one account guesses changes nothing for others. A device that ten untrusted accounts are wrong about in a week,
// in scans that were answered, is left out of the votes of all: it takes part where others win without it.
//
// The memory is a table in shared memory, of one entry for a pair of account and device. A device has several numbers,
// each without one octet of its address (`deviceNumber`), and is noted under all: what was wrong by one of its addresses
// counts for the others. A pair may stand in any entry of its window, so that a full window, like a full
// table, refuses guesses: nothing is forgotten before its week ends. An account has at most as many entries as are free,
// so that one does not fill the table for the others. The writer stores what has changed, so a restart forgets nothing.

import { deviceHigh, deviceLow, deviceNumbers, octetOf } from '../../radio/mac.ts';

/** Places at which an account may be wrong about a device in a week. */
export const PLACES_MAX = 3;
/** Places nearer to each other than this are one. */
export const PLACE_METRES = 200;
/** Times that an account may be wrong, and seconds after which one is forgiven: a hundred a day. */
export const WRONG_MAX = 100;
const WRONG_SECONDS = 864;
/** An answer that was paid and is no guess forgives one part of these. */
export const ANSWERS_A_GUESS = 4;
/** Times that an account may save up. */
const SAVED_MAX = 900;
/** Untrusted accounts that are wrong about a device before it has no vote. */
export const ACCOUNTS_MAX = 10;
const WEEK_MS = 7 * 86_400_000;

/** Words of the header. */
const WORD_NOTED = 0;
const WORD_USED = 1;
/** The week in which a device was left out of votes. */
const WORD_LEFT_OUT_WEEK = 2;
const WORD_CHANGED = 3;
/** The week in which entries were counted as used. */
const WORD_USED_WEEK = 4;
/** Nodes of a cluster, each of which allows its share; 0 without a cluster. */
const WORD_NODES = 5;
const HEADER_WORDS = 32;

/** An entry: account, device (two words), week and places, addresses that were found, and three places of two words. */
export const ENTRY_WORDS = 11;
const ENTRY_DEVICE = 1;
const ENTRY_COUNT = 3;
/** A bit for each eight of the last octet. */
const ENTRY_FOUND = 4;
const ENTRY_PLACES = 5;
/** Second word of a place that is a set of devices. */
const OF_SET = 0x7fffffff;
/** Bit of ENTRY_FOUND: the account counts among those that are wrong about the device. The last octet has the others. */
const COUNTED = 1;
/** Low bits of ENTRY_COUNT; the week is above. */
const COUNT_BITS = 8;
const COUNT_MASK = (1 << COUNT_BITS) - 1;
/** Words of the entry of an account itself: quarters of what it was wrong, forgiven up to when, entries of the week. */
const OWN_QUARTERS = ENTRY_PLACES;
const OWN_SECOND = ENTRY_PLACES + 1;
const OWN_ENTRIES = ENTRY_PLACES + 2;

const ENTRIES = 1 << 21;
/** Entries in which a pair may stand. */
const WINDOW = 64;
/** Entries that are used at most. So full, one window in 250,000 has no free entry. */
const ENTRIES_USED_MAX = ENTRIES / 2;
const CHANGED_WORDS = (ENTRIES + WINDOW) / 32;
/** Bits of the pairs that may have an entry, 32 a word: 128 KiB. */
const SOUGHT_WORDS = 1 << 15;
/** Words of the memory. It takes memory only where there are entries. */
export const GUESSES_WORDS = HEADER_WORDS + SOUGHT_WORDS + CHANGED_WORDS + (ENTRIES + WINDOW) * ENTRY_WORDS;

/** Account words: free, being written, and the number of accounts that are wrong about a device. */
const FREE = 0;
const CLAIMED = -1;
const EVERYBODY = 0x7fffffff;
/** Both words of the device of an account's own entry. */
const OWN = -1;
/** Values of a 32-bit word. */
const WORD = 4_294_967_296;

const METRES_PER_E7 = 0.011132;
const RADIANS_PER_E7 = Math.PI / 180 / 1e7;
const TURN_E7 = 3_600_000_000;

// Multipliers of murmur3's fmix32 (public domain).
const MIX_FIRST = 0x85ebca6b;
const MIX_SECOND = 0xc2b2ae35;

/** Degrees times 1e7. */
export type PlaceE7 = readonly [latitude: number, longitude: number];

/** Results of noting and finding: there is none; there is no room for it; it is known already. */
const NONE = -1;
const FULL = -2;
const KNOWN = -3;

/** One thread's view. Times are milliseconds since 1970. */
export class Guesses {
  private readonly header: Int32Array;
  private readonly sought: Int32Array;
  private readonly changed: Int32Array;
  private readonly entries: Int32Array;

  /** @param buffer shared by all threads @param byte where GUESSES_WORDS words begin, zeroed at first */
  constructor(buffer: SharedArrayBuffer, byte: number) {
    this.header = new Int32Array(buffer, byte, HEADER_WORDS);
    this.sought = new Int32Array(buffer, byte + HEADER_WORDS * 4, SOUGHT_WORDS);
    this.changed = new Int32Array(buffer, byte + (HEADER_WORDS + SOUGHT_WORDS) * 4, CHANGED_WORDS);
    const words = HEADER_WORDS + SOUGHT_WORDS + CHANGED_WORDS;
    this.entries = new Int32Array(buffer, byte + words * 4, GUESSES_WORDS - words);
  }

  /** Wrong guesses that were noted since the memory was made, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.header, WORD_NOTED) >>> 0;
  }

  /** The share of the memory that is in use, 0..1. From 1 on it refuses guesses. */
  usedShare(nowMs: number): number {
    return this.usedEntries(nowMs) / ENTRIES_USED_MAX;
  }

  /** Each of so many nodes of a cluster allows its share from here on. */
  divideAmong(nodes: number): void {
    Atomics.store(this.header, WORD_NODES, nodes);
  }

  /** Seconds after which an account is forgiven one wrong guess: at each node of a cluster its share. */
  get forgiveSeconds(): number {
    return WRONG_SECONDS * this.nodes;
  }

  private get nodes(): number {
    return Math.max(1, this.header[WORD_NODES]);
  }

  /** Devices about which an account may be wrong now; 0 or less for one that may guess no more. */
  allowance(account: number, nowMs: number): number {
    const share = Math.floor(WRONG_MAX / this.nodes);
    const room = ENTRIES_USED_MAX - this.usedEntries(nowMs);
    const own = this.find(account, OWN, OWN, nowMs);
    if (own < 0) return Math.min(share, room);
    this.forgive(own, nowMs);
    const { entries } = this;
    const wrong = Math.ceil(Atomics.load(entries, own + OWN_QUARTERS) / ANSWERS_A_GUESS);
    const isOfWeek = weekOf(entries[own + ENTRY_COUNT]) >= weekAt(nowMs);
    return Math.min(share - wrong, room - (isOfWeek ? entries[own + OWN_ENTRIES] : 0));
  }

  /** Forgives a part of a wrong guess. */
  reward(account: number, nowMs: number): void {
    const own = this.claim(account, OWN, OWN, nowMs);
    if (own < 0) return;
    const { entries } = this;
    if (Atomics.load(entries, own + OWN_QUARTERS) <= (-SAVED_MAX * ANSWERS_A_GUESS) / this.nodes) return;
    Atomics.sub(entries, own + OWN_QUARTERS, 1);
    this.markChanged(own);
  }

  /** True if the account was wrong about a device this week. */
  hasEntries(account: number, nowMs: number): boolean {
    const own = this.find(account, OWN, OWN, nowMs);
    return own >= 0 && this.entries[own + OWN_ENTRIES] > 0 && weekOf(this.entries[own + ENTRY_COUNT]) >= weekAt(nowMs);
  }

  /**
   * True if an account may guess a device: it was not wrong about it too often, and there is room to note that it is.
   * @param radio one of its addresses
   */
  mayGuess(account: number, radio: number, nowMs: number): boolean {
    const numbers = deviceNumbers(radio);
    const low = radio | 0;
    const high = (radio / WORD) | 0;
    for (let which = 0; which < numbers; which++) {
      const deviceLowWord = deviceLow(low, which, numbers);
      const deviceHighWord = deviceHigh(high, which, numbers);
      if (!this.isSought(account, deviceLowWord, deviceHighWord)) continue;
      const at = this.find(account, deviceLowWord, deviceHighWord, nowMs);
      if (at === FULL) return false;
      if (at < 0 || (this.entries[at + ENTRY_COUNT] & COUNT_MASK) < PLACES_MAX) continue;
      if ((this.entries[at + ENTRY_FOUND] & bitOf(radio, which)) === 0) return false;
    }
    return true;
  }

  /** Notes that an account has found a device by one of its addresses. */
  markFound(account: number, radio: number, nowMs: number): void {
    const numbers = deviceNumbers(radio);
    for (let which = 0; which < numbers; which++) {
      const low = deviceLow(radio | 0, which, numbers);
      const high = deviceHigh((radio / WORD) | 0, which, numbers);
      if (!this.isSought(account, low, high)) continue;
      const at = this.find(account, low, high, nowMs);
      const bit = bitOf(radio, which);
      if (at >= 0 && (Atomics.or(this.entries, at + ENTRY_FOUND, bit) & bit) === 0) this.markChanged(at);
    }
  }

  /**
   * Notes that an account was wrong about a device where a scan was answered.
   * @param isTrusted the account counts for itself alone
   * @param place degrees times 1e7
   * @returns true if that is new; also where there is no room for it
   */
  noteElsewhere(account: number, isTrusted: boolean, radio: number, place: PlaceE7, nowMs: number): boolean {
    const at = this.noteDevice(account, radio, place, nowMs);
    if (at >= 0 && !isTrusted && !this.setCounted(at)) this.countAccount(radio, nowMs);
    return at !== KNOWN;
  }

  /**
   * Notes that an account has guessed a device beside a set of others, and nothing was answered.
   * @param set any number for them
   * @returns true if that is new; also where there is no room for it
   */
  noteBeside(account: number, radio: number, set: number, nowMs: number): boolean {
    return this.noteDevice(account, radio, [set, OF_SET], nowMs) !== KNOWN;
  }

  /** Takes wrong guesses off what an account may still make. */
  charge(account: number, wrong: number, nowMs: number): void {
    const own = this.claim(account, OWN, OWN, nowMs);
    if (own < 0) return;
    Atomics.add(this.entries, own + OWN_QUARTERS, wrong * ANSWERS_A_GUESS);
    Atomics.add(this.header, WORD_NOTED, wrong);
    this.markChanged(own);
  }

  /** Notes a place under all numbers of a device. @returns its first entry; FULL; KNOWN where it was noted before */
  private noteDevice(account: number, radio: number, place: PlaceE7, nowMs: number): number {
    const own = this.claim(account, OWN, OWN, nowMs);
    const first = this.notePlace(account, own, radio, 0, place, nowMs);
    if (first === KNOWN) return KNOWN;
    for (let which = 1; which < deviceNumbers(radio); which++) this.notePlace(account, own, radio, which, place, nowMs);
    return first;
  }

  /** @returns the entry; FULL; KNOWN where it was noted before, or the account has found the device */
  private notePlace(
    account: number,
    own: number,
    radio: number,
    which: number,
    [first, second]: PlaceE7,
    nowMs: number,
  ): number {
    const { entries } = this;
    const numbers = deviceNumbers(radio);
    const low = deviceLow(radio | 0, which, numbers);
    const high = deviceHigh((radio / WORD) | 0, which, numbers);
    const known = this.find(account, low, high, nowMs);
    const isFound = known >= 0 && (entries[known + ENTRY_FOUND] & bitOf(radio, which)) !== 0;
    if (isFound || (known >= 0 && this.hasPlace(known, first, second))) return KNOWN;
    // Where there is no room, the device is sought and not found, and may not be guessed.
    this.setSought(account, low, high);
    const at = known >= 0 || own < 0 ? known : this.claim(account, low, high, nowMs);
    if (own < 0 || at < 0) return FULL;
    const places = entries[at + ENTRY_COUNT] & COUNT_MASK;
    if (places >= PLACES_MAX) return FULL;
    Atomics.store(entries, at + ENTRY_PLACES + 2 * places, first);
    Atomics.store(entries, at + ENTRY_PLACES + 2 * places + 1, second);
    Atomics.add(entries, at + ENTRY_COUNT, 1);
    if (known < 0) Atomics.add(entries, own + OWN_ENTRIES, 1);
    this.markChanged(at);
    this.markChanged(own);
    return at;
  }

  /** False if a pair has no entry: a look at one bit spares most look-ups. */
  private isSought(account: number, low: number, high: number): boolean {
    const bit = soughtBit(account, low, high);
    return (this.sought[bit >> 5] & (1 << (bit & 31))) !== 0;
  }

  private setSought(account: number, low: number, high: number): void {
    const bit = soughtBit(account, low, high);
    Atomics.or(this.sought, bit >> 5, 1 << (bit & 31));
  }

  /** Notes that an entry counts for everybody. @returns false if it did not before */
  private setCounted(at: number): boolean {
    return (Atomics.or(this.entries, at + ENTRY_FOUND, COUNTED) & COUNTED) !== 0;
  }

  /** False if every device has a vote. */
  hasLeftOut(nowMs: number): boolean {
    return this.header[WORD_LEFT_OUT_WEEK] >= weekAt(nowMs);
  }

  /** True for a device that has no vote, as many accounts are wrong about it. */
  isLeftOut(radio: number, nowMs: number): boolean {
    const numbers = deviceNumbers(radio);
    const at = this.find(
      EVERYBODY,
      deviceLow(radio | 0, 0, numbers),
      deviceHigh((radio / WORD) | 0, 0, numbers),
      nowMs,
    );
    return at >= 0 && (this.entries[at + ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX;
  }

  private countAccount(radio: number, nowMs: number): void {
    const numbers = deviceNumbers(radio);
    const at = this.claim(
      EVERYBODY,
      deviceLow(radio | 0, 0, numbers),
      deviceHigh((radio / WORD) | 0, 0, numbers),
      nowMs,
    );
    if (at < 0 || (this.entries[at + ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX) return;
    const before = Atomics.add(this.entries, at + ENTRY_COUNT, 1) & COUNT_MASK;
    if (before + 1 >= ACCOUNTS_MAX) Atomics.store(this.header, WORD_LEFT_OUT_WEEK, weekAt(nowMs));
    this.markChanged(at);
  }

  /** Entries that have changed since they were last taken. @param most of them @returns number and words of each */
  takeChanged(most: number): { entry: number; words: Int32Array }[] {
    const taken: { entry: number; words: Int32Array }[] = [];
    if (Atomics.exchange(this.header, WORD_CHANGED, 0) === 0) return taken;
    for (let word = 0; word < CHANGED_WORDS; word++) {
      if (this.changed[word] === 0) continue;
      if (taken.length >= most) {
        Atomics.store(this.header, WORD_CHANGED, 1);
        break;
      }
      const bits = Atomics.exchange(this.changed, word, 0);
      for (let bit = 0; bit < 32; bit++) {
        if ((bits & (1 << bit)) === 0) continue;
        const entry = word * 32 + bit;
        taken.push({ entry, words: this.entries.slice(entry * ENTRY_WORDS, (entry + 1) * ENTRY_WORDS) });
      }
    }
    return taken;
  }

  /** Puts an entry back that was taken from a memory before this one. Entries of an earlier week stay away. */
  restore(words: Int32Array, nowMs: number): void {
    const [account, low, high] = words;
    if (isOver(words, 0, nowMs)) return;
    const at = this.claim(account, low, high, nowMs);
    if (at < 0) return;
    this.setSought(account, low, high);
    for (let word = ENTRY_COUNT; word < ENTRY_WORDS; word++) Atomics.store(this.entries, at + word, words[word]);
    const isOfWeek = weekOf(words[ENTRY_COUNT]) >= weekAt(nowMs);
    if (account === EVERYBODY && isOfWeek && (words[ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX)
      Atomics.store(this.header, WORD_LEFT_OUT_WEEK, weekAt(nowMs));
  }

  /** Entries that were begun this week. */
  private usedEntries(nowMs: number): number {
    const week = weekAt(nowMs);
    const before = Atomics.load(this.header, WORD_USED_WEEK);
    if (before < week && Atomics.compareExchange(this.header, WORD_USED_WEEK, before, week) === before) {
      Atomics.store(this.header, WORD_USED, 0);
      this.sought.fill(0);
    }
    return Atomics.load(this.header, WORD_USED);
  }

  /** The place of the entry of a pair; NONE if it has none this week, FULL if there is no room for one. */
  private find(account: number, low: number, high: number, nowMs: number): number {
    const { entries } = this;
    const first = firstOf(account, low, high);
    let none = FULL;
    for (let at = first; at < first + WINDOW * ENTRY_WORDS; at += ENTRY_WORDS) {
      if (entries[at] === FREE) return NONE;
      if (isOver(entries, at, nowMs)) none = NONE;
      else if (entries[at] === account && entries[at + ENTRY_DEVICE] === low && entries[at + ENTRY_DEVICE + 1] === high)
        return at;
    }
    return none;
  }

  /** The same; a new one where it has none. @returns FULL if there is no room */
  private claim(account: number, low: number, high: number, nowMs: number): number {
    const known = this.find(account, low, high, nowMs);
    if (known >= 0) {
      if (high === OWN) this.beginWeek(known, nowMs);
      return known;
    }
    const { entries } = this;
    const first = firstOf(account, low, high);
    for (let at = first; at < first + WINDOW * ENTRY_WORDS; at += ENTRY_WORDS) {
      const before = Atomics.load(entries, at);
      if (before === CLAIMED || (before !== FREE && !isOver(entries, at, nowMs))) continue;
      if (Atomics.compareExchange(entries, at, before, CLAIMED) !== before) continue;
      this.usedEntries(nowMs);
      Atomics.add(this.header, WORD_USED, 1);
      for (let word = 1; word < ENTRY_WORDS; word++) Atomics.store(entries, at + word, 0);
      Atomics.store(entries, at + ENTRY_DEVICE, low);
      Atomics.store(entries, at + ENTRY_DEVICE + 1, high);
      Atomics.store(entries, at + ENTRY_COUNT, weekAt(nowMs) << COUNT_BITS);
      if (high === OWN) Atomics.store(entries, at + OWN_SECOND, Math.floor(nowMs / 1000));
      Atomics.store(entries, at, account);
      return at;
    }
    return FULL;
  }

  /** An account's own entry goes on from week to week, but for what it counts of the week. */
  private beginWeek(own: number, nowMs: number): void {
    const { entries } = this;
    if (weekOf(entries[own + ENTRY_COUNT]) >= weekAt(nowMs)) return;
    Atomics.store(entries, own + ENTRY_COUNT, weekAt(nowMs) << COUNT_BITS);
    Atomics.store(entries, own + OWN_ENTRIES, 0);
  }

  /** Forgives what the time since the last request forgives. */
  private forgive(own: number, nowMs: number): void {
    const { entries } = this;
    const second = Math.floor(nowMs / 1000);
    const since = Atomics.load(entries, own + OWN_SECOND);
    const { forgiveSeconds } = this;
    const forgiven = Math.floor((second - since) / forgiveSeconds);
    if (forgiven === 0) return;
    // A clock that was set back begins anew, and forgives nothing.
    const upTo = forgiven < 0 ? second : since + forgiven * forgiveSeconds;
    if (Atomics.compareExchange(entries, own + OWN_SECOND, since, upTo) !== since || forgiven < 0) return;
    for (;;) {
      const seen = Atomics.load(entries, own + OWN_QUARTERS);
      const left = seen <= 0 ? seen : Math.max(0, seen - forgiven * ANSWERS_A_GUESS);
      if (Atomics.compareExchange(entries, own + OWN_QUARTERS, seen, left) === seen) break;
    }
    this.markChanged(own);
  }

  private hasPlace(at: number, latitudeE7: number, longitudeE7: number): boolean {
    const { entries } = this;
    const places = Math.min(PLACES_MAX, entries[at + ENTRY_COUNT] & COUNT_MASK);
    for (let place = 0; place < places; place++) {
      const word = at + ENTRY_PLACES + 2 * place;
      if (entries[word + 1] === OF_SET || longitudeE7 === OF_SET) {
        if (entries[word] === latitudeE7 && entries[word + 1] === longitudeE7) return true;
      } else if (areOnePlace(entries[word], entries[word + 1], latitudeE7, longitudeE7)) return true;
    }
    return false;
  }

  private markChanged(at: number): void {
    const entry = at / ENTRY_WORDS;
    Atomics.or(this.changed, entry >> 5, 1 << (entry & 31));
    Atomics.store(this.header, WORD_CHANGED, 1);
  }
}

/** True for two places that count as one. Degrees times 1e7. */
export function areOnePlace(latitude: number, longitude: number, latitude2: number, longitude2: number): boolean {
  const north = (latitude - latitude2) * METRES_PER_E7;
  const apart = Math.abs(longitude - longitude2);
  const east = Math.min(apart, TURN_E7 - apart) * METRES_PER_E7 * Math.cos(latitude2 * RADIANS_PER_E7);
  return north * north + east * east <= PLACE_METRES * PLACE_METRES;
}

/** The bit of ENTRY_FOUND for an address: addresses of one device are numbered together. The lowest is COUNTED. */
function bitOf(radio: number, which: number): number {
  return 2 << ((octetOf(radio, which) >> 3) % 31);
}

function weekAt(nowMs: number): number {
  return Math.floor(nowMs / WEEK_MS);
}

function weekOf(count: number): number {
  return count >>> COUNT_BITS;
}

/** True for an entry of an earlier week; an account's own is kept for one more. A clock that is set back ends none. */
function isOver(entries: Int32Array, at: number, nowMs: number): boolean {
  const isOwn = entries[at + ENTRY_DEVICE] === -1 && entries[at + ENTRY_DEVICE + 1] === -1;
  const weeks = weekAt(nowMs) - weekOf(entries[at + ENTRY_COUNT]);
  return weeks > (isOwn ? 1 : 0);
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
