// Finds stations in the station cache (src/tables/stations/cache.ts), several at once. This is a module of its own: its
// memory is the cache, which all threads share, and a thread reaches its own keys and answers in its lane of it.
//
// A cold entry is a memory access of a tenth of a microsecond, so the work is split in three passes, in which the
// accesses of all keys overlap. The first mixes the keys and touches their first buckets. The second looks for the
// tags there, without care for writers, and touches the second bucket of a key that seems to be elsewhere. The
// third reads with care: between two loads of the bucket's version, as a sequence lock demands. All loads of a bucket
// are atomic, so no processor and no compiler changes their order. On x64 they cost no more than plain ones.

import {
  BUCKET_WORDS,
  GENERATION,
  HEADER_WORDS,
  KEYS,
  MISS_FIRST_VERSION,
  MISS_GENERATION,
  MISS_HIGH,
  MISS_LOW,
  MISS_SECOND_VERSION,
  MIX_FIRST,
  MIX_SECOND,
  PAYLOAD_WORDS,
  PAYLOADS,
  READ_ATTEMPTS,
  RECORD_KEY,
  RECORD_KEY_WORDS,
  RECORD_PAYLOAD,
  RECORD_TOUCHED,
  RECORD_WORDS,
  SLOTS,
  VERSION_UNREADABLE,
  WORD_BUCKETS,
  WORD_GENERATION,
  WORD_SEED,
} from '../station_cache_constants';

const RECORD_BYTES: u32 = RECORD_WORDS << 2;
const BUCKET_BYTES: u32 = BUCKET_WORDS << 2;
const LINE_BYTES: u32 = 64;
/** What `read` returns where it found the tag; versions are never negative. */
const FOUND: i32 = -1;

let seedA: i32 = 0;
let seedB: i32 = 0;
let seedC: i32 = 0;
let bucketsPerHash: f64 = 0;

/** Reads the header; call this once before `find`. */
export function open(): void {
  seedA = load<i32>(0, WORD_SEED << 2);
  seedB = load<i32>(0, (WORD_SEED + 1) << 2);
  seedC = load<i32>(0, (WORD_SEED + 2) << 2);
  bucketsPerHash = <f64>load<u32>(0, WORD_BUCKETS << 2) / 4294967296;
}

/**
 * Looks up the first `count` keys of the lane at byte `lane`. A key that the cache has gets its payload, any other one
 * a payload that ends with 0, and what a fill needs to know instead of its key.
 * @returns how many keys the cache does not have
 */
export function find(lane: u32, count: i32): i32 {
  const end = lane + <u32>count * RECORD_BYTES;
  let seen = 0;
  for (let record = lane; record < end; record += RECORD_BYTES) mix(record);
  // A loop of its own: the processor looks ahead over few instructions only, and should see the loads of all keys.
  for (let record = lane; record < end; record += RECORD_BYTES)
    seen ^= touch(bucketOf(load<u32>(record, MISS_LOW << 2)));
  for (let record = lane; record < end; record += RECORD_BYTES) {
    const tag = load<i64>(record, MISS_LOW << 2);
    if (payloadOf(bucketOf(<u32>tag), tag) === 0) seen ^= touch(bucketOf(<u32>(tag >> 32)));
  }
  // Stored, so that no compiler drops the loads.
  store<i32>(lane, seen, RECORD_TOUCHED << 2);
  let missed = 0;
  for (let record = lane; record < end; record += RECORD_BYTES) missed += findOne(record);
  return missed;
}

/** Reads the payload of one mixed key. @returns 1 if the cache does not have it */
function findOne(record: u32): i32 {
  const tag = load<i64>(record, MISS_LOW << 2);
  const generation = atomic.load<i32>(0, WORD_GENERATION << 2);
  const first = read(bucketOf(<u32>tag), generation, tag, record);
  if (first === FOUND) return 0;
  const second = read(bucketOf(<u32>(tag >> 32)), generation, tag, record);
  if (second === FOUND) return 0;
  store<i32>(record, first, MISS_FIRST_VERSION << 2);
  store<i32>(record, second, MISS_SECOND_VERSION << 2);
  store<i32>(record, generation, MISS_GENERATION << 2);
  store<i32>(record, 0, (RECORD_PAYLOAD + 3) << 2);
  return 1;
}

/**
 * Copies the payload of a tag into a record. @returns FOUND, or the version seen without the tag: odd
 * when nobody may fill the bucket
 */
function read(bucket: u32, generation: i32, tag: i64, record: u32): i32 {
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
    const version = atomic.load<i32>(bucket);
    if ((version & 1) === 1) continue;
    const at: u32 = atomic.load<i32>(bucket, GENERATION << 2) === generation ? payloadOf(bucket, tag) : 0;
    if (at === 0) return version;
    const low = atomic.load<i64>(at);
    const high = atomic.load<i64>(at, 8);
    if (atomic.load<i32>(bucket) !== version) continue;
    store<i64>(record, low, RECORD_PAYLOAD << 2);
    store<i64>(record, high, (RECORD_PAYLOAD + 2) << 2);
    return FOUND;
  }
  return VERSION_UNREADABLE;
}

/** Byte of the payload of a tag; 0 if the bucket has none. */
function payloadOf(bucket: u32, tag: i64): u32 {
  for (let slot: u32 = 0; slot < <u32>SLOTS; slot++) {
    if (atomic.load<i64>(bucket + (slot << 3), KEYS << 2) !== tag) continue;
    const at = bucket + (PAYLOADS << 2) + slot * (PAYLOAD_WORDS << 2);
    if (atomic.load<i32>(at, 3 << 2) !== 0) return at;
  }
  return 0;
}

/** Loads a word of both cache lines of a bucket. */
function touch(bucket: u32): i32 {
  return load<i32>(bucket) ^ load<i32>(bucket + LINE_BYTES);
}

/**
 * Byte of the bucket of a hash. The product is rounded as in JavaScript, so that writers and readers agree on the
 * bucket.
 */
function bucketOf(hash: u32): u32 {
  return (HEADER_WORDS << 2) + <u32>(<f64>hash * bucketsPerHash) * BUCKET_BYTES;
}

/** Mixes the key of a record into its tag, as `StationCache.mix` does. */
function mix(record: u32): void {
  let a = load<i32>(record, RECORD_KEY << 2);
  let b = load<i32>(record, (RECORD_KEY + 1) << 2);
  a ^= round(b, seedA);
  b ^= round(a, seedB);
  a ^= round(b, seedC);
  b ^= round(a, seedA);
  const words = load<u32>(record, RECORD_KEY_WORDS << 2);
  for (let word: u32 = 2; word < words; word += 2) {
    a ^= load<i32>(record + (word << 2));
    if (word + 1 < words) b ^= load<i32>(record + (word << 2), 4);
    a ^= round(b, seedB);
    b ^= round(a, seedC);
    a ^= round(b, seedA);
    b ^= round(a, seedB);
  }
  store<i32>(record, a, MISS_LOW << 2);
  store<i32>(record, b, MISS_HIGH << 2);
}

/** Finaliser of 32 bits with full avalanche. */
function round(value: i32, seed: i32): i32 {
  let h = value ^ seed;
  h = (h ^ (h >>> 16)) * MIX_FIRST;
  h = (h ^ (h >>> 13)) * MIX_SECOND;
  return h ^ (h >>> 16);
}
