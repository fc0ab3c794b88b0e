// The layout of the station cache in shared memory (src/tables/stations/cache.ts has the model). Both compilers read
// this file, as they read memory.ts: nothing here is annotated or computed at run time. Indices are words of 32 bits.

// The header.
export const HEADER_WORDS = 32;
export const WORD_MAGIC = 0;
export const WORD_BUCKETS = 1;
export const WORD_GENERATION = 2;
export const WORD_SEED = 3; // three words
export const WORD_LANES = 6; // eight words: a bit for each lane that a thread has taken
export const WORD_CALIBRATION = 14; // counts the changes of what follows from tests

// A bucket: a version, a generation, and five entries.
export const BUCKET_WORDS = 32;
export const SLOTS = 5;
export const GENERATION = 1;
export const KEYS = 2; // tags, two words each
export const PAYLOADS = 12;
export const PAYLOAD_WORDS = 4;

/** Attempts to read a bucket that changes meanwhile. */
export const READ_ATTEMPTS = 64;
/** Version of a bucket that could not be read: odd, so that nobody fills it. */
export const VERSION_UNREADABLE = 1;

// The mix of a key into a tag: constants of murmur3's fmix32 (public domain), as signed numbers.
export const MIX_FIRST = -2048144789;
export const MIX_SECOND = -1028477387;

// A lane: where one thread hands keys to the lookup module (wasm/lookup/index.ts) and finds the answers, one record for
// each key.
export const LANES = 256;
export const LANE_KEYS = 32;
export const RECORD_WORDS = 16;
export const RECORD_KEY = 0; // six words; after the lookup those of a miss, as below
export const RECORD_KEY_WORDS = 6; // 2, 3 or 6
export const RECORD_PAYLOAD = 8; // out: four words; the last is 0 if the cache has no entry
export const RECORD_TOUCHED = 15; // of the first record: receives what was read ahead
export const MISS_LOW = 0;
export const MISS_HIGH = 1;
export const MISS_FIRST_VERSION = 2;
export const MISS_SECOND_VERSION = 3;
export const MISS_GENERATION = 4;
