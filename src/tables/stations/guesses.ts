// Guesses: which devices an account has sent beside others of places where they are not. A device may have moved, or
// it travels. But so asks, too, who knows an address and tries it at one place after another, until the answer shows
// that it fits. So each account may be wrong about a device three times a week, at one place once; then the device
// takes no part in its scans. And it may be wrong a hundred times a day; with each two answers that were paid and
// were no guesses once more, and up to a thousand times if it saves.
//
// Where a scan is answered, those are wrong that are elsewhere: at the place of the answer. Where none is, each
// device of the scan may be the one, so each counts as guessed, beside these others; the place is then the set of
// them. A guess that was right is remembered of an address about which the account was wrong before: it knows the
// place now, and may be wrong about it as often as it likes.
//
// What one account guesses changes nothing for others. A device that ten untrusted accounts are wrong about in a week,
// in scans that were answered, is left out of the votes of all: it takes part where others win without it.
//
// The memory is a table in shared memory, of one entry for a pair of account and device. A device has several
// numbers, each without one octet of its address (`deviceNumber`), and is noted under all: what was wrong by one of
// its addresses counts for the others. A pair may stand in any entry of its window, so that a full window, like a
// full table, refuses guesses: nothing is forgotten before its week ends. An account has at most as many entries as
// are free, so that one does not fill the table for the others. The writer stores what has changed, so a restart
// forgets nothing.

import { deviceHigh, deviceLow, deviceNumbers, octetOf } from '../../radio/mac.ts';
import {
  areOnePlace,
  COUNT_BITS,
  COUNT_MASK,
  COUNTED,
  ENTRY_COUNT,
  ENTRY_FOUND,
  ENTRY_PLACES,
  ENTRY_WORDS,
  EVERYBODY,
  isOver,
  OF_SET,
  OWN,
  OWN_ENTRIES,
  OWN_SECOND,
  OWN_WRONG,
  weekAt,
  weekOf,
} from '../requests/guess_entry.ts';
import { ENTRIES_USED_MAX, FULL, GuessEntries } from './guess_entries.ts';

/** Places at which an account may be wrong about a device in a week. */
const PLACES_MAX = 3;
/** Times that an account may be wrong, and seconds after which one is forgiven: a hundred a day. */
const WRONG_MAX = 100;
const WRONG_SECONDS = 864;
/** An answer that was paid and is no guess forgives one part of these. */
const ANSWERS_A_GUESS = 2;
/** Times that an account may save up. */
const SAVED_MAX = 900;
/** Untrusted accounts that are wrong about a device before it has no vote. */
const ACCOUNTS_MAX = 10;

/** Words of the header: wrong guesses, the week in which a device was left out of votes, nodes of a cluster or 0. */
const WORD_NOTED = 0;
const WORD_LEFT_OUT_WEEK = 2;
const WORD_NODES = 5;

/** Values of a 32-bit word. */
const WORD = 4_294_967_296;

/** Degrees times 1e7. */
export type PlaceE7 = readonly [latitude: number, longitude: number];

/**
 * What came of a guess that was to be noted: it was noted before, or the account has found the device; it is new; or
 * there is no room for it, as other threads have noted as many as may be.
 */
export type Noted = 'before' | 'new' | 'noRoom';

/** See 'before'. */
const KNOWN = -3;

/** One thread's view. Times are milliseconds since 1970. */
export class Guesses {
  /** The table behind it. */
  readonly table: GuessEntries;
  private readonly header: Int32Array;
  private readonly entries: Int32Array;

  /** @param buffer shared by all threads @param byte where GUESSES_WORDS words begin, zeroed at first */
  constructor(buffer: SharedArrayBuffer, byte: number) {
    this.table = new GuessEntries(buffer, byte);
    this.header = this.table.header;
    this.entries = this.table.words;
  }

  /** Wrong guesses that were noted since the memory was made, modulo 2^32. */
  get count(): number {
    return Atomics.load(this.header, WORD_NOTED) >>> 0;
  }

  /** The share of the memory that is in use, 0..1. From 1 on it refuses guesses. */
  usedShare(nowMs: number): number {
    return this.table.used(nowMs) / ENTRIES_USED_MAX;
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
    const room = ENTRIES_USED_MAX - this.table.used(nowMs);
    const own = this.table.find(account, OWN, OWN, nowMs);
    if (own < 0) return own === FULL ? 0 : Math.min(share, room);
    this.forgive(own, nowMs);
    const { entries } = this;
    const wrong = Math.ceil(Atomics.load(entries, own + OWN_WRONG) / ANSWERS_A_GUESS);
    const isOfWeek = weekOf(entries[own + ENTRY_COUNT]) >= weekAt(nowMs);
    return Math.min(share - wrong, room - (isOfWeek ? entries[own + OWN_ENTRIES] : 0));
  }

  /** Forgives a part of a wrong guess. */
  reward(account: number, nowMs: number): void {
    const own = this.claimOwn(account, nowMs);
    if (own < 0) return;
    const { entries } = this;
    if (Atomics.load(entries, own + OWN_WRONG) <= (-SAVED_MAX * ANSWERS_A_GUESS) / this.nodes) return;
    Atomics.sub(entries, own + OWN_WRONG, 1);
    this.table.markChanged(own);
  }

  /** Takes wrong guesses off what an account may still make. */
  charge(account: number, wrong: number, nowMs: number): void {
    const own = this.claimOwn(account, nowMs);
    if (own < 0) return;
    Atomics.add(this.entries, own + OWN_WRONG, wrong * ANSWERS_A_GUESS);
    Atomics.add(this.header, WORD_NOTED, wrong);
    this.table.markChanged(own);
  }

  /** True if the account was wrong about a device this week. */
  hasEntries(account: number, nowMs: number): boolean {
    const own = this.table.find(account, OWN, OWN, nowMs);
    return own >= 0 && this.entries[own + OWN_ENTRIES] > 0 && weekOf(this.entries[own + ENTRY_COUNT]) >= weekAt(nowMs);
  }

  /**
   * True if an account may guess a device: it was not wrong about it too often, and there is room to note that it is.
   * @param radio one of its addresses
   */
  mayGuess(account: number, radio: number, nowMs: number): boolean {
    const { entries, table } = this;
    const numbers = deviceNumbers(radio);
    for (let which = 0; which < numbers; which++) {
      const low = deviceLow(radio | 0, which, numbers);
      const high = deviceHigh((radio / WORD) | 0, which, numbers);
      if (!table.isSought(account, low, high)) continue;
      const at = table.find(account, low, high, nowMs);
      if (at === FULL) return false;
      if (at < 0 || (entries[at + ENTRY_COUNT] & COUNT_MASK) < PLACES_MAX) continue;
      if ((entries[at + ENTRY_FOUND] & bitOf(radio, which)) === 0) return false;
    }
    return true;
  }

  /**
   * Notes that an account has found a device by one of its addresses.
   * @returns false if it may not be guessed any more, as other threads have noted so much meanwhile
   */
  markFound(account: number, radio: number, nowMs: number): boolean {
    if (!this.mayGuess(account, radio, nowMs)) return false;
    const { table } = this;
    const numbers = deviceNumbers(radio);
    for (let which = 0; which < numbers; which++) {
      const low = deviceLow(radio | 0, which, numbers);
      const high = deviceHigh((radio / WORD) | 0, which, numbers);
      if (!table.isSought(account, low, high)) continue;
      const at = table.find(account, low, high, nowMs);
      const bit = bitOf(radio, which);
      if (at >= 0 && (Atomics.or(this.entries, at + ENTRY_FOUND, bit) & bit) === 0) table.markChanged(at);
    }
    return true;
  }

  /**
   * Notes that an account was wrong about a device where a scan was answered.
   * @param isTrusted the account counts for itself alone
   * @param place degrees times 1e7
   */
  noteElsewhere(account: number, isTrusted: boolean, radio: number, place: PlaceE7, nowMs: number): Noted {
    const own = this.claimOwn(account, nowMs);
    const first = this.notePlace(own, account, radio, 0, place, nowMs);
    if (first === KNOWN) return 'before';
    if (first < 0) return 'noRoom';
    if (!isTrusted) this.countAccount(first, firstLow(radio), firstHigh(radio), nowMs);
    let noted: Noted = 'new';
    for (let which = 1; which < deviceNumbers(radio); which++)
      if (this.notePlace(own, account, radio, which, place, nowMs) === FULL) noted = 'noRoom';
    return noted;
  }

  /**
   * Notes that an account has guessed a device beside a set of others, and nothing was answered.
   * @param set any number for them
   */
  noteBeside(account: number, radio: number, set: number, nowMs: number): Noted {
    return this.noteElsewhere(account, true, radio, [set, OF_SET], nowMs);
  }

  /** False if every device has a vote. */
  hasLeftOut(nowMs: number): boolean {
    return this.header[WORD_LEFT_OUT_WEEK] >= weekAt(nowMs);
  }

  /** True for a device that has no vote, as many accounts are wrong about it. */
  isLeftOut(radio: number, nowMs: number): boolean {
    const at = this.table.find(EVERYBODY, firstLow(radio), firstHigh(radio), nowMs);
    return at >= 0 && (this.entries[at + ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX;
  }

  /** Puts an entry back that was read from a memory before this one. Entries of an earlier week stay away. */
  restore(words: Int32Array, nowMs: number): void {
    const [account, low, high] = words;
    if (isOver(words, 0, nowMs)) return;
    const at = this.table.claim(account, low, high, nowMs);
    if (at < 0) return;
    this.table.setSought(account, low, high);
    for (let word = ENTRY_COUNT; word < ENTRY_WORDS; word++) Atomics.store(this.entries, at + word, words[word]);
    const isOfWeek = weekOf(words[ENTRY_COUNT]) >= weekAt(nowMs);
    if (account === EVERYBODY && isOfWeek && (words[ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX)
      Atomics.store(this.header, WORD_LEFT_OUT_WEEK, weekAt(nowMs));
  }

  /**
   * Unites the places of a pair with those that another node of the cluster has, and what was found. How often the
   * account was wrong is of each node.
   * @param words of the entry of a pair @returns number of the entry here; undefined where it knew all, or has no room
   */
  merge(words: Int32Array, nowMs: number): number | undefined {
    const { entries, table } = this;
    const [account, low, high] = words;
    if (isOver(words, 0, nowMs)) return undefined;
    const own = this.claimOwn(account, nowMs);
    const at = this.claimPair(own, account, low, high, nowMs);
    if (at < 0) return undefined;
    const before = [entries[at + ENTRY_COUNT], entries[at + ENTRY_FOUND]];
    const end = ENTRY_PLACES + 2 * Math.min(PLACES_MAX, words[ENTRY_COUNT] & COUNT_MASK);
    for (let word = ENTRY_PLACES; word < end; word += 2) this.addPlace(at, words[word], words[word + 1]);
    Atomics.or(entries, at + ENTRY_FOUND, words[ENTRY_FOUND] & ~COUNTED);
    // The first number of a device is the one that counts.
    if ((words[ENTRY_FOUND] & COUNTED) !== 0) this.countAccount(at, low, high, nowMs);
    if (before[0] === entries[at + ENTRY_COUNT] && before[1] === entries[at + ENTRY_FOUND]) return undefined;
    table.markChanged(own);
    return at / ENTRY_WORDS;
  }

  /** @returns the entry; FULL; KNOWN where it was noted before, or the account has found the device */
  private notePlace(
    own: number,
    account: number,
    radio: number,
    which: number,
    [first, second]: PlaceE7,
    nowMs: number,
  ): number {
    const { entries, table } = this;
    const numbers = deviceNumbers(radio);
    const low = deviceLow(radio | 0, which, numbers);
    const high = deviceHigh((radio / WORD) | 0, which, numbers);
    const known = table.find(account, low, high, nowMs);
    const isFound = known >= 0 && (entries[known + ENTRY_FOUND] & bitOf(radio, which)) !== 0;
    if (isFound || (known >= 0 && this.hasPlace(known, first, second))) return KNOWN;
    const at = this.claimPair(own, account, low, high, nowMs);
    if (at < 0 || !this.addPlace(at, first, second)) return FULL;
    table.markChanged(at);
    table.markChanged(own);
    return at;
  }

  /** The entry of a pair. Where there is no room for it, the device is sought and not found, and may not be guessed. */
  private claimPair(own: number, account: number, low: number, high: number, nowMs: number): number {
    const { table } = this;
    const known = table.find(account, low, high, nowMs);
    table.setSought(account, low, high);
    if (known >= 0 || own < 0) return known;
    const at = table.claim(account, low, high, nowMs);
    if (at >= 0) Atomics.add(this.entries, own + OWN_ENTRIES, 1);
    return at;
  }

  /** @returns false for an entry that has the place, or no room for it, as other threads may have taken it */
  private addPlace(at: number, first: number, second: number): boolean {
    const { entries } = this;
    for (;;) {
      const count = Atomics.load(entries, at + ENTRY_COUNT);
      const places = count & COUNT_MASK;
      if (places >= PLACES_MAX || this.hasPlace(at, first, second)) return false;
      if (Atomics.compareExchange(entries, at + ENTRY_COUNT, count, count + 1) !== count) continue;
      Atomics.store(entries, at + ENTRY_PLACES + 2 * places, first);
      Atomics.store(entries, at + ENTRY_PLACES + 2 * places + 1, second);
      return true;
    }
  }

  /** Counts the account of a pair for everybody, once. @param low, high of the device */
  private countAccount(pair: number, low: number, high: number, nowMs: number): void {
    if ((Atomics.or(this.entries, pair + ENTRY_FOUND, COUNTED) & COUNTED) !== 0) return;
    const at = this.table.claim(EVERYBODY, low, high, nowMs);
    if (at < 0 || (this.entries[at + ENTRY_COUNT] & COUNT_MASK) >= ACCOUNTS_MAX) return;
    const before = Atomics.add(this.entries, at + ENTRY_COUNT, 1) & COUNT_MASK;
    if (before + 1 >= ACCOUNTS_MAX) Atomics.store(this.header, WORD_LEFT_OUT_WEEK, weekAt(nowMs));
    this.table.markChanged(at);
  }

  /** An account's own entry, which goes on from week to week, but for what it counts of the week. */
  private claimOwn(account: number, nowMs: number): number {
    const own = this.table.claim(account, OWN, OWN, nowMs);
    const { entries } = this;
    if (own < 0 || weekOf(entries[own + ENTRY_COUNT]) >= weekAt(nowMs)) return own;
    Atomics.store(entries, own + ENTRY_COUNT, weekAt(nowMs) << COUNT_BITS);
    Atomics.store(entries, own + OWN_ENTRIES, 0);
    return own;
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
      const seen = Atomics.load(entries, own + OWN_WRONG);
      const left = seen <= 0 ? seen : Math.max(0, seen - forgiven * ANSWERS_A_GUESS);
      if (Atomics.compareExchange(entries, own + OWN_WRONG, seen, left) === seen) break;
    }
    this.table.markChanged(own);
  }

  private hasPlace(at: number, latitudeE7: number, longitudeE7: number): boolean {
    const { entries } = this;
    const places = Math.min(PLACES_MAX, entries[at + ENTRY_COUNT] & COUNT_MASK);
    for (let place = 0; place < places; place++) {
      const word = at + ENTRY_PLACES + 2 * place;
      if (areOnePlace(entries[word], entries[word + 1], latitudeE7, longitudeE7)) return true;
    }
    return false;
  }
}

function firstLow(radio: number): number {
  return deviceLow(radio | 0, 0, deviceNumbers(radio));
}

function firstHigh(radio: number): number {
  return deviceHigh((radio / WORD) | 0, 0, deviceNumbers(radio));
}

/** The bit of ENTRY_FOUND for an address: addresses of one device are numbered together. The lowest is COUNTED. */
function bitOf(radio: number, which: number): number {
  return 2 << ((octetOf(radio, which) >> 3) % 31);
}
