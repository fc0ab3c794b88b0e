// Balances and rate limits in shared memory. Each account id has a slot of 64 bytes (a cache line) that all threads
// see. A slot takes memory once it is used.
//
// A prepaid balance has two parts. The reserve is what the table holds; only the writer thread changes it. The
// spendable part has already left the table (billing.ts, account_writer.ts); every thread counts it down by
// compare-and-swap, never below zero. The version is odd while the writer moves credits between the two, so readers
// always see a consistent sum.
//
// The rate limit is the generic cell rate algorithm (ITU-T I.371): the slot holds the theoretical arrival time of the
// next request in nanoseconds. Each admitted request moves it by the emission interval 1/rate; a request is refused
// while that would lie more than one burst ahead of now. The items of submissions have an arrival time of their own, at
// the same rate and with a longer burst: a phone sends what it has measured in a day without taking itself the right to
// ask for its position. Those times stand behind the slots, which are full.
//
// In a cluster each node admits its share of a rate, and borrows of others (src/cluster/rates.ts): the lender moves its
// arrival time forward, and then the borrower moves its own back. So all nodes together admit no more than the rate and
// a burst of each.

import { ACCOUNT_ID_MAX } from '../tables/accounts/account_record.ts';

const SLOT_BYTES = 64;
const SLOT_WORDS = SLOT_BYTES / 4;
const SLOT_LONGS = SLOT_BYTES / 8;

/** Words of a slot. */
const SPENDABLE = 0;
const RESERVE = 1;
const VERSION = 2;
const PREPAID = 3;
const TOPPING_UP = 4;
/** Credits that were spent in the last second or so, as of the last top-up. */
const RECENT = 5;
/** Written and read by the writer alone: what was made spendable and not yet counted as spent. */
const UNCOUNTED = 8;
/** 1 while requests are being borrowed from other nodes. */
const BORROWING = 9;
/** Word of slot 0, which no account has: charges that waited for the writer. */
const WAITED_CHARGES = 0;
/** Word of slot 0: nodes of a cluster that share the limits of an account; 0 without a cluster. */
const NODES = 1;
/** 64-bit word of a slot: theoretical arrival time, nanoseconds on the callers' clock. */
const ARRIVAL = 3;
/**
 * 64-bit floats of a slot, the writer's alone: when spending was last counted, in milliseconds on its clock, and RECENT
 * before it is rounded down.
 */
const COUNTED_MS = 5;
const RECENT_EXACT = 6;

const SECOND_NS = 1_000_000_000n;
/** 64-bit word behind the slots: theoretical arrival time of the next item of account 0, then of the others. */
const ITEM_ARRIVALS = (ACCOUNT_ID_MAX + 1) * SLOT_LONGS;
const ITEM_ARRIVAL_BYTES = 8;

/** A block has at least this many credits, and at most 1/BLOCK_PART of the balance. */
const BLOCK_CREDITS = 100;
const BLOCK_PART = 100;
/**
 * The next block is requested when 1/EARLY_PART of one is left: half a second of spending covers the way to the writer
 * and back.
 */
const EARLY_PART = 2;
/** Spending counts towards a block for about this long. */
const MEMORY_MS = 1_000;

/** Least number of items that are admitted at once. Collectors send batches of up to 999 reports (NeoStumbler). */
const ITEMS_AT_ONCE = 1_000;
/** Time in which a key may save up for a batch. */
const ITEMS_SECONDS = 3_600;

/** Most items of submissions that a rate admits at once: those of an hour, at least 1,000. */
export function itemsAtOnce(ratePerSecond: number): number {
  return Math.max(ITEMS_AT_ONCE, Math.floor(ratePerSecond * ITEMS_SECONDS));
}

/**
 * Credits of one block, the most that a crash can cost.
 * @param balance credits of the account
 * @param recent credits that it spent in the last second or so
 * @returns `recent` or 100, whichever is more; at most 1 % of the balance, at least 1
 */
export function blockOf(balance: number, recent: number): number {
  return Math.min(Math.max(BLOCK_CREDITS, recent), Math.max(1, Math.floor(balance / BLOCK_PART)));
}

/** Memory for the counters of all accounts: zeroed, 72 MB of address space, of which only used slots take memory. */
export function allocateCounters(): SharedArrayBuffer {
  return new SharedArrayBuffer((ACCOUNT_ID_MAX + 1) * (SLOT_BYTES + ITEM_ARRIVAL_BYTES));
}

/** One thread's view of the counters. Ids are 1..1,048,575. */
export class AccountCounters {
  private readonly words: Int32Array;
  private readonly longs: BigInt64Array;
  private readonly doubles: Float64Array;
  /** Called when an account has used half of what this node of a cluster admits at once, until `endLoan`. */
  onShort: ((id: number) => void) | undefined;

  /** @param memory from `allocateCounters`, the same in all threads */
  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
    this.longs = new BigInt64Array(memory);
    this.doubles = new Float64Array(memory);
  }

  /** True when the account pays in advance. */
  isPrepaid(id: number): boolean {
    return Atomics.load(this.words, id * SLOT_WORDS + PREPAID) === 1;
  }

  /** Takes credits out of the spendable part. @returns false when it holds fewer */
  spend(id: number, credits: number): boolean {
    const at = id * SLOT_WORDS + SPENDABLE;
    let seen = Atomics.load(this.words, at);
    while (seen >= credits) {
      const found = Atomics.compareExchange(this.words, at, seen, seen - credits);
      if (found === seen) return true;
      seen = found;
    }
    return false;
  }

  /** What can be spent without asking the writer. */
  spendable(id: number): number {
    return Atomics.load(this.words, id * SLOT_WORDS + SPENDABLE);
  }

  /** The balance: reserve and spendable part at one moment. */
  total(id: number): number {
    const at = id * SLOT_WORDS;
    for (;;) {
      const version = Atomics.load(this.words, at + VERSION);
      const sum = Atomics.load(this.words, at + RESERVE) + Atomics.load(this.words, at + SPENDABLE);
      if ((version & 1) === 0 && Atomics.load(this.words, at + VERSION) === version) return sum;
    }
  }

  /** Divides rates from here on: each of so many nodes admits its share. */
  divideAmong(nodes: number): void {
    Atomics.store(this.words, NODES, nodes);
  }

  private get nodes(): number {
    return Math.max(1, Atomics.load(this.words, NODES));
  }

  /** Counts a charge that has to wait until the writer makes credits spendable. */
  countWaitedCharge(): void {
    Atomics.add(this.words, WAITED_CHARGES, 1);
  }

  /** Charges of all accounts that waited for the writer since the memory was allocated. */
  waitedCharges(): number {
    return Atomics.load(this.words, WAITED_CHARGES) >>> 0;
  }

  /**
   * True if half a block or less is left, the table holds more and no early top-up is under way. A hint, read without
   * the version.
   */
  needsTopUp(id: number): boolean {
    const at = id * SLOT_WORDS;
    const reserve = Atomics.load(this.words, at + RESERVE);
    const spendable = Atomics.load(this.words, at + SPENDABLE);
    const block = blockOf(reserve + spendable, Atomics.load(this.words, at + RECENT));
    return reserve > 0 && spendable * EARLY_PART <= block && Atomics.load(this.words, at + TOPPING_UP) === 0;
  }

  /** Claims the early top-up. @returns true for one caller among all threads until `endTopUp` */
  beginTopUp(id: number): boolean {
    return Atomics.compareExchange(this.words, id * SLOT_WORDS + TOPPING_UP, 0, 1) === 0;
  }

  /** Allows the next early top-up. */
  endTopUp(id: number): void {
    Atomics.store(this.words, id * SLOT_WORDS + TOPPING_UP, 0);
  }

  /**
   * Applies the rate limit to one request. The burst is one second's worth, at least one request.
   * @param ratePerSecond 0.01..1,000,000, or undefined for no limit
   * @param nowMs milliseconds, fractions allowed, on one clock for all threads
   * @returns 0 when admitted, else the whole seconds to wait, at least 1
   */
  admit(id: number, ratePerSecond: number | undefined, nowMs: number): number {
    if (ratePerSecond === undefined) return 0;
    const { interval, requests } = this.shareOf(ratePerSecond);
    const wait = this.pass(id * SLOT_LONGS + ARRIVAL, interval, interval * BigInt(requests), nowMs);
    if (this.onShort !== undefined && this.nodes > 1) this.askForLoan(id, ratePerSecond, nowMs);
    return wait;
  }

  /** The same for a limit that no account has: it holds over all threads of this node, which borrows none of others. */
  admitHere(ratePerSecond: number, nowMs: number): number {
    return this.pass(ARRIVAL, intervalOf(ratePerSecond), SECOND_NS, nowMs);
  }

  /** What this node admits: nanoseconds between two requests, and how many at once. */
  private shareOf(ratePerSecond: number): { interval: bigint; requests: number } {
    const rate = ratePerSecond / this.nodes;
    return { interval: intervalOf(rate), requests: Math.max(1, Math.floor(rate)) };
  }

  private askForLoan(id: number, ratePerSecond: number, nowMs: number): void {
    const at = id * SLOT_WORDS + BORROWING;
    if (Atomics.load(this.words, at) === 1) return;
    if (2 * this.used(id, ratePerSecond, nowMs) < this.shareOf(ratePerSecond).requests) return;
    if (Atomics.compareExchange(this.words, at, 0, 1) === 0) this.onShort!(id);
  }

  /** Requests that an account has used of what this node admits at once: as many it may borrow. */
  used(id: number, ratePerSecond: number, nowMs: number): number {
    const { interval, requests } = this.shareOf(ratePerSecond);
    const now = nanosecondsOf(nowMs);
    const arrival = arrivalOf(this.longs[id * SLOT_LONGS + ARRIVAL], now, interval * BigInt(requests));
    return Number((arrival - now + interval - 1n) / interval);
  }

  /** Admits fewer requests here, half of those that are free, so that another node may admit more. @returns how many */
  lend(id: number, ratePerSecond: number, most: number, nowMs: number): number {
    const { interval, requests } = this.shareOf(ratePerSecond);
    const now = nanosecondsOf(nowMs);
    const at = id * SLOT_LONGS + ARRIVAL;
    for (;;) {
      const seen = Atomics.load(this.longs, at);
      const arrival = arrivalOf(seen, now, interval * BigInt(requests));
      const free = requests - this.used(id, ratePerSecond, nowMs);
      // Whoever uses none lends the only one too.
      const lent = Math.min(most, free === requests ? Math.ceil(free / 2) : Math.floor(free / 2));
      if (lent <= 0) return 0;
      if (Atomics.compareExchange(this.longs, at, seen, arrival + interval * BigInt(lent)) === seen) return lent;
    }
  }

  /** Admits as many requests more as another node has lent; what does not fit is lost. */
  borrow(id: number, ratePerSecond: number, lent: number): void {
    Atomics.sub(this.longs, id * SLOT_LONGS + ARRIVAL, this.shareOf(ratePerSecond).interval * BigInt(lent));
  }

  /** Allows the next loan. */
  endLoan(id: number): void {
    Atomics.store(this.words, id * SLOT_WORDS + BORROWING, 0);
  }

  /**
   * Applies the rate limit to the items of a submission, all or none.
   * @param items at most `itemsAtOnce` of the rate; more are never admitted
   * @returns as `admit`
   */
  admitItems(id: number, ratePerSecond: number | undefined, items: number, nowMs: number): number {
    if (ratePerSecond === undefined) return 0;
    const interval = intervalOf(ratePerSecond / this.nodes);
    return this.pass(
      ITEM_ARRIVALS + id,
      interval * BigInt(items),
      interval * BigInt(itemsAtOnce(ratePerSecond)),
      nowMs,
    );
  }

  /**
   * Moves an arrival time, unless it would lie more than a burst ahead. Times are nanoseconds. @returns 0, or the whole
   * seconds to wait
   */
  private pass(at: number, cost: bigint, burst: bigint, nowMs: number): number {
    const now = nanosecondsOf(nowMs);
    let seen = Atomics.load(this.longs, at);
    for (;;) {
      const arrival = arrivalOf(seen, now, burst);
      const wait = arrival + cost - burst - now;
      if (wait > 0n) return Number((wait + SECOND_NS - 1n) / SECOND_NS);
      const found = Atomics.compareExchange(this.longs, at, seen, arrival + cost);
      if (found === seen) return 0;
      seen = found;
    }
  }

  /** The table's part of the balance. This method and those below are for the writer thread only. */
  reserve(id: number): number {
    return Atomics.load(this.words, id * SLOT_WORDS + RESERVE);
  }

  /**
   * Counts the credits spent since the last call and decides the size of the next block. Older spending weighs less, by
   * half in 0.7 seconds; spending between two calls counts as even. So a steady account counts what it spends in a
   * second, and no account counts more than it has spent.
   * @param nowMs milliseconds on the writer's clock, which is never set back
   * @returns credits of the next block
   */
  nextBlock(id: number, nowMs: number): number {
    const at = id * SLOT_WORDS;
    const atLong = id * SLOT_LONGS;
    const spendable = this.spendable(id);
    const spent = this.words[at + UNCOUNTED] - spendable;
    const age = (nowMs - this.doubles[atLong + COUNTED_MS]) / MEMORY_MS;
    const left = Math.exp(-age);
    const recent = this.doubles[atLong + RECENT_EXACT] * left + spent * (age > 0 ? (1 - left) / age : 1);
    this.words[at + UNCOUNTED] = spendable;
    this.doubles[atLong + COUNTED_MS] = nowMs;
    this.doubles[atLong + RECENT_EXACT] = recent;
    Atomics.store(this.words, at + RECENT, Math.floor(recent));
    return blockOf(this.total(id), Math.floor(recent));
  }

  /** Sets the reserve to what the table holds, and adds what has left it to the spendable part, in one step. */
  settle(id: number, reserve: number, toSpendable: number): void {
    const at = id * SLOT_WORDS;
    Atomics.add(this.words, at + VERSION, 1);
    Atomics.store(this.words, at + RESERVE, reserve);
    Atomics.add(this.words, at + SPENDABLE, toSpendable);
    Atomics.add(this.words, at + VERSION, 1);
    this.words[at + UNCOUNTED] += toSpendable;
  }

  /** Moves the whole spendable part back to the reserve. @returns the credits moved */
  takeBack(id: number): number {
    const at = id * SLOT_WORDS;
    Atomics.add(this.words, at + VERSION, 1);
    const taken = Atomics.exchange(this.words, at + SPENDABLE, 0);
    Atomics.add(this.words, at + RESERVE, taken);
    Atomics.add(this.words, at + VERSION, 1);
    this.words[at + UNCOUNTED] -= taken;
    return taken;
  }

  /** Sets the balance to what the table holds, with nothing spendable. `undefined`: not prepaid. */
  reset(id: number, credits: number | undefined): void {
    const at = id * SLOT_WORDS;
    // A charge that sees a balance without the prepaid mark is free; one that sees the mark without the balance would
    // be refused.
    if (credits === undefined) Atomics.store(this.words, at + PREPAID, 0);
    Atomics.add(this.words, at + VERSION, 1);
    Atomics.store(this.words, at + SPENDABLE, 0);
    Atomics.store(this.words, at + RESERVE, credits ?? 0);
    Atomics.add(this.words, at + VERSION, 1);
    this.words[at + UNCOUNTED] = 0;
    if (credits !== undefined) Atomics.store(this.words, at + PREPAID, 1);
  }
}

function nanosecondsOf(nowMs: number): bigint {
  return BigInt(Math.round(nowMs * 1000)) * 1000n;
}

/**
 * The theoretical arrival time that counts. One that is more than a burst and a second (for clocks that differ) ahead
 * was left by a lower rate or a clock that was set back.
 */
function arrivalOf(seen: bigint, now: bigint, burst: bigint): bigint {
  return seen < now || seen > now + burst + SECOND_NS ? now : seen;
}

/** Nanoseconds between two requests. */
function intervalOf(ratePerSecond: number): bigint {
  return BigInt(Math.round(1e9 / ratePerSecond));
}
