// The station cache: one bounded table in shared memory in front of LMDB, read by every thread. A lookup takes 0.2 us
// where LMDB takes 1.5.
//
// A key is mixed into a tag of 64 bits that chooses two buckets (cache_buckets.ts); an entry may stand in either. The
// mix is a seeded Feistel network over the first two key words, so two hardware addresses never share a tag, and longer
// keys collide with a chance of 2^-64 that nobody can steer from outside (the seed is new with each start).
//
// Coherence. A miss may fill only the bucket version that it saw before its read transaction began (compare-and-swap),
// and never across a change of generation. The single writer writes both buckets through after its commit and before
// its acknowledgement, so whoever asks after the acknowledgement sees the new value, and a slower reader's old value
// finds another version and is dropped. A new generation is one word in the header: buckets of another one count as
// empty. Absent stations are entries too; they take free or absent slots only.

import { randomBytes } from 'node:crypto';
import { ABSENT_BITS, PACKED_STATE } from '../../../wasm/packed_station_constants.ts';
import {
  BUCKET_WORDS,
  HEADER_WORDS,
  LANE_KEYS,
  LANES,
  MISS_FIRST_VERSION,
  MISS_GENERATION,
  MISS_HIGH,
  MISS_LOW,
  MISS_SECOND_VERSION,
  MIX_FIRST,
  MIX_SECOND,
  RECORD_WORDS,
  SLOTS,
  WORD_BUCKETS,
  WORD_CALIBRATION,
  WORD_GENERATION,
  WORD_MAGIC,
  WORD_SEED,
} from '../../../wasm/station_cache_constants.ts';
import { CacheLane } from '../../core/cache_lane.ts';
import { type CacheMemory, sharedMemoryOf } from '../../core/cache_memory.ts';
import { CacheBuckets, READ_HIT } from './cache_buckets.ts';
import { GUESSES_WORDS } from './guess_entries.ts';
import { Guesses } from './guesses.ts';

const MAGIC = 0x53585431;
/** Behind the lanes, on cache lines of their own: lookups of all threads, and those without an entry. */
const COUNT_WORDS = 32;
const WORD_LOOKUPS = 0;
const WORD_MISSES = 1;

/** `find`: the key has an entry (present or absent), or it has none and LMDB must answer. */
export const CACHE_HIT = 1;
export const CACHE_MISS = 0;

/** Shared memory for a cache of about `megabytes`; every thread then opens it by `new StationCache(memory)`. */
export function createCacheMemory(megabytes: number): CacheMemory {
  const buckets = Math.max(64, Math.floor((megabytes * 1_048_576) / (BUCKET_WORDS * 4)));
  const memory = sharedMemoryOf((wordOfGuesses(buckets) + GUESSES_WORDS) * 4);
  const words = new Int32Array(memory.buffer);
  words[WORD_MAGIC] = MAGIC;
  words[WORD_BUCKETS] = buckets;
  const seed = randomBytes(12);
  for (let i = 0; i < 3; i++) words[WORD_SEED + i] = seed.readInt32LE(i * 4);
  return memory;
}

function wordOfCounts(buckets: number): number {
  return HEADER_WORDS + buckets * BUCKET_WORDS + LANES * LANE_KEYS * RECORD_WORDS;
}

/** Behind the counts: guesses (guesses.ts). */
function wordOfGuesses(buckets: number): number {
  return wordOfCounts(buckets) + COUNT_WORDS;
}

/** Where a miss was seen: what `fill` needs to put the answer where no newer one can be overwritten. */
export class CacheMiss {
  tagLow = 0;
  tagHigh = 0;
  firstBucket = 0;
  firstVersion = 0;
  secondBucket = 0;
  secondVersion = 0;
  generation = 0;
}

/** One thread's view of the cache. */
export class StationCache {
  readonly guesses: Guesses;
  private readonly memory: CacheMemory;
  private readonly words: Int32Array;
  private readonly table: CacheBuckets;
  private readonly buckets: number;
  private readonly bucketsPerHash: number;
  private readonly seedA: number;
  private readonly seedB: number;
  private readonly seedC: number;
  /** Tags of the keys mixed ahead, and one more for `find` and `write`. */
  private readonly lows = new Int32Array(LANE_KEYS + 1);
  private readonly highs = new Int32Array(LANE_KEYS + 1);
  /** Keeps the loads of `touch` from being removed. */
  touched = 0;
  private readonly otherBucket = (low: number, high: number, bucket: number): number => {
    const first = this.bucketOf(low);
    return first === bucket ? this.bucketOf(high) : first;
  };

  /** @throws Error when the memory was not made by `createCacheMemory`. */
  constructor(memory: CacheMemory) {
    this.memory = memory;
    this.words = new Int32Array(memory.buffer);
    if (this.words[WORD_MAGIC] !== MAGIC) throw new Error('The shared memory handed over holds no station cache.');
    this.table = new CacheBuckets(this.words);
    this.buckets = this.words[WORD_BUCKETS];
    this.guesses = new Guesses(memory.buffer, wordOfGuesses(this.buckets) * 4);
    this.bucketsPerHash = this.buckets / 4_294_967_296;
    this.seedA = this.words[WORD_SEED];
    this.seedB = this.words[WORD_SEED + 1];
    this.seedC = this.words[WORD_SEED + 2];
  }

  /** Generation of the station table that the entries belong to; readers compare it with the one they opened. */
  get generation(): number {
    return Atomics.load(this.words, WORD_GENERATION);
  }

  /** Changes when what follows from tests has (src/tables/calibration/). */
  get calibrationVersion(): number {
    return Atomics.load(this.words, WORD_CALIBRATION);
  }

  /** Tells all threads that it has changed. */
  changeCalibration(): void {
    Atomics.add(this.words, WORD_CALIBRATION, 1);
  }

  /** Counts lookups of this thread, and those of them for which there was no entry. */
  countLookups(lookups: number, misses: number): void {
    const at = wordOfCounts(this.buckets);
    Atomics.add(this.words, at + WORD_LOOKUPS, lookups);
    if (misses > 0) Atomics.add(this.words, at + WORD_MISSES, misses);
  }

  /** What all threads have counted since the memory was made, each modulo 2^32. */
  get lookups(): { all: number; missed: number } {
    const at = wordOfCounts(this.buckets);
    const missed = Atomics.load(this.words, at + WORD_MISSES) >>> 0;
    return { all: Atomics.load(this.words, at + WORD_LOOKUPS) >>> 0, missed };
  }

  /** Entries that fit. */
  get capacity(): number {
    return this.buckets * SLOTS;
  }

  /**
   * A lane of this thread's own, to look several keys up at once; undefined where the memory cannot be WebAssembly's,
   * or all lanes are taken.
   */
  openLane(): CacheLane | undefined {
    return CacheLane.open(this.memory, (HEADER_WORDS + this.buckets * BUCKET_WORDS) * 4);
  }

  /**
   * Looks a key up.
   * @param key words holding the key, padded with zeros to whole words
   * @param at index of its first word
   * @param keyWords 2, 3 or 6
   * @param out receives the payload, PAYLOAD_WORDS words from `outAt`, on a hit
   * @param miss receives what `fill` needs, on a miss
   * @returns CACHE_HIT or CACHE_MISS
   */
  find(key: Int32Array, at: number, keyWords: number, out: Int32Array, outAt: number, miss: CacheMiss): number {
    this.mix(LANE_KEYS, key, at, keyWords);
    return this.findMixed(LANE_KEYS, out, outAt, miss);
  }

  /** Mixes a key ahead of `findMixed`. @param index 0..LANE_KEYS - 1 */
  mix(index: number, key: Int32Array, at: number, keyWords: number): void {
    let a = key[at];
    let b = key[at + 1];
    a ^= round(b, this.seedA);
    b ^= round(a, this.seedB);
    a ^= round(b, this.seedC);
    b ^= round(a, this.seedA);
    for (let word = 2; word < keyWords; word += 2) {
      a ^= key[at + word];
      if (word + 1 < keyWords) b ^= key[at + word + 1];
      a ^= round(b, this.seedB);
      b ^= round(a, this.seedC);
      a ^= round(b, this.seedA);
      b ^= round(a, this.seedB);
    }
    this.lows[index] = a;
    this.highs[index] = b;
  }

  /**
   * Asks the processor for the first buckets of the first `count` mixed keys, so that their memory latencies overlap.
   */
  touch(count: number): void {
    let touched = 0;
    for (let index = 0; index < count; index++) {
      const bucket = this.bucketOf(this.lows[index]);
      touched ^= this.words[bucket] ^ this.words[bucket + 16];
    }
    this.touched = touched;
  }

  /** `find` for a key mixed ahead. */
  findMixed(index: number, out: Int32Array, outAt: number, miss: CacheMiss): number {
    const low = this.lows[index];
    const high = this.highs[index];
    const generation = this.words[WORD_GENERATION];
    const first = this.bucketOf(low);
    const firstVersion = this.table.read(first, generation, low, high, out, outAt);
    if (firstVersion === READ_HIT) return CACHE_HIT;
    const second = this.bucketOf(high);
    const secondVersion = this.table.read(second, generation, low, high, out, outAt);
    if (secondVersion === READ_HIT) return CACHE_HIT;
    miss.tagLow = low;
    miss.tagHigh = high;
    miss.firstBucket = first;
    miss.firstVersion = firstVersion;
    miss.secondBucket = second;
    miss.secondVersion = secondVersion;
    miss.generation = generation;
    return CACHE_MISS;
  }

  /** What a lane knows of a key that it did not find. @param at index of the key's record in `words` */
  readMiss(words: Int32Array, at: number, miss: CacheMiss): void {
    miss.tagLow = words[at + MISS_LOW];
    miss.tagHigh = words[at + MISS_HIGH];
    miss.firstBucket = this.bucketOf(miss.tagLow);
    miss.firstVersion = words[at + MISS_FIRST_VERSION];
    miss.secondBucket = this.bucketOf(miss.tagHigh);
    miss.secondVersion = words[at + MISS_SECOND_VERSION];
    miss.generation = words[at + MISS_GENERATION];
  }

  /**
   * Puts what LMDB answered for a miss into the cache, unless the bucket has changed since. The read transaction must
   * have begun after `find`, on the table of the miss's generation.
   * @param payload PAYLOAD_WORDS words from `payloadAt`
   */
  fill(miss: CacheMiss, payload: Int32Array, payloadAt: number): void {
    if (this.fillBucket(miss, miss.firstBucket, miss.firstVersion, payload, payloadAt, false)) return;
    if (this.fillBucket(miss, miss.secondBucket, miss.secondVersion, payload, payloadAt, false)) return;
    if (!isAbsent(payload, payloadAt))
      this.fillBucket(miss, miss.firstBucket, miss.firstVersion, payload, payloadAt, true);
  }

  /**
   * Writer only, after the commit and before the acknowledgement: makes the entry for a key what the payload says. A
   * deleted station is an absent payload.
   * @param evict whether a present entry of another station may give way; warming passes false
   */
  write(key: Int32Array, at: number, keyWords: number, payload: Int32Array, payloadAt: number, evict: boolean): void {
    this.mix(LANE_KEYS, key, at, keyWords);
    const low = this.lows[LANE_KEYS];
    const high = this.highs[LANE_KEYS];
    const generation = this.words[WORD_GENERATION];
    const first = this.bucketOf(low);
    const second = this.bucketOf(high);
    if (this.table.write(first, generation, low, high, payload, payloadAt, false)) {
      if (second !== first) this.table.remove(second, generation, low, high);
      return;
    }
    if (this.table.write(second, generation, low, high, payload, payloadAt, false) || isAbsent(payload, payloadAt))
      return;
    if (this.table.makeRoom(first, generation, this.otherBucket) || evict) {
      this.table.write(first, generation, low, high, payload, payloadAt, evict);
    }
  }

  /** Writer only: makes every entry unknown and names the generation that readers must open from now on. */
  startGeneration(generation: number): void {
    Atomics.store(this.words, WORD_GENERATION, generation);
  }

  /** Counts present and absent entries by walking the table. For reports and tests, not for the hot path. */
  count(): { present: number; absent: number } {
    const { generation } = this;
    let present = 0;
    let absent = 0;
    for (let bucket = 0; bucket < this.buckets; bucket++) {
      for (let slot = 0; slot < SLOTS; slot++) {
        const state = this.table.stateOf(HEADER_WORDS + bucket * BUCKET_WORDS, slot, generation);
        if (state === ABSENT_BITS) absent++;
        else if (state !== 0) present++;
      }
    }
    return { present, absent };
  }

  private fillBucket(
    miss: CacheMiss,
    bucket: number,
    version: number,
    payload: Int32Array,
    payloadAt: number,
    evict: boolean,
  ): boolean {
    return this.table.fill(bucket, version, miss.generation, miss.tagLow, miss.tagHigh, payload, payloadAt, evict);
  }

  private bucketOf(hash: number): number {
    return HEADER_WORDS + Math.floor((hash >>> 0) * this.bucketsPerHash) * BUCKET_WORDS;
  }
}

function isAbsent(payload: Int32Array, payloadAt: number): boolean {
  return (payload[payloadAt + PACKED_STATE] & ABSENT_BITS) === ABSENT_BITS;
}

/** Finaliser of 32 bits with full avalanche. */
function round(value: number, seed: number): number {
  let h = (value ^ seed) | 0;
  h = Math.imul(h ^ (h >>> 16), MIX_FIRST);
  h = Math.imul(h ^ (h >>> 13), MIX_SECOND);
  return h ^ (h >>> 16);
}
