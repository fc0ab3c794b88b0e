import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CACHE_HIT,
  CACHE_MISS,
  CacheMiss,
  createCacheMemory,
  StationCache,
} from '../../../src/tables/stations/cache.ts';
import { ABSENT_BITS } from '../../../wasm/packed_station_constants.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { uniform } from '../../kits/random.ts';

const MAC_WORDS = 2;
/** Entries of the smallest cache. */
const SMALLEST = 320;

function cacheOf(megabytes: number, generation = 1): StationCache {
  const cache = new StationCache(createCacheMemory(megabytes));
  cache.startGeneration(generation);
  return cache;
}

/** Words of a key; of 2, 3 or 6 words, as stations have them. */
function keyOf(number: number): Int32Array {
  return Int32Array.from({ length: [2, 3, 6][number % 3] }, (_, word) => (word === 1 ? number : word));
}

/** A payload that follows from a number; 0 says absent. */
function payloadOf(value: number): Int32Array {
  return value === 0 ? Int32Array.of(0, 0, 0, ABSENT_BITS) : Int32Array.of(value, value * 3, ~value, (value << 4) | 1);
}

const out = new Int32Array(PAYLOAD_WORDS);

/** The value that the cache holds for a key: a payload's number, 0 for absent; undefined when it holds none. */
function valueIn(cache: StationCache, number: number, miss = new CacheMiss()): number | undefined {
  const key = keyOf(number);
  if (cache.find(key, 0, key.length, out, 0, miss) !== CACHE_HIT) return undefined;
  const value = (out[3] & 15) === ABSENT_BITS ? 0 : out[0];
  expect(out).toEqual(payloadOf(value));
  return value;
}

function write(cache: StationCache, number: number, value: number, evict = true): void {
  const key = keyOf(number);
  cache.write(key, 0, key.length, payloadOf(value), 0, evict);
}

/** Fills the smallest cache with so many present stations as fit, the first of them numbered 1. */
function fullCache(): { cache: StationCache; present: number } {
  const cache = cacheOf(0);
  for (let number = 1; number < 10 * SMALLEST; number++) write(cache, number, number, false);
  const { present, absent } = cache.count();
  expect([present, absent]).toEqual([SMALLEST, 0]);
  return { cache, present };
}

describe('against a map', () => {
  // Reads saw the cache and the table at one time and fill at a later one.
  const number = fc.integer({ min: 0, max: 600 });
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ does: fc.constant('begin'), number }) },
    { weight: 6, arbitrary: fc.record({ does: fc.constant('fill'), number }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constant('write'), number }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('delete'), number }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('warm'), number }) },
  );

  test.each([
    ['few stations, so that most are held', 40],
    ['more stations than fit', 600],
  ])('a station is found as it was last written, or not found, never otherwise: %s', (_, numbers) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 200, maxLength: 3_000 }), steps => {
        const cache = cacheOf(0);
        const table = new Map<number, number>();
        const reads: { number: number; miss: CacheMiss; value: number }[] = [];
        let next = 1;
        for (const { does, number: any } of steps) {
          const number = any % numbers;
          const value = table.get(number) ?? 0;
          if (does === 'begin') {
            const miss = new CacheMiss();
            const held = valueIn(cache, number, miss);
            if (held === undefined) reads.push({ number, miss, value });
            else expect(held).toBe(value);
          } else if (does === 'fill' && reads.length > 0) {
            const [read] = reads.splice(any % reads.length, 1);
            cache.fill(read.miss, payloadOf(read.value), 0);
          } else if (does === 'write' || does === 'delete') {
            table.set(number, does === 'write' ? next++ : 0);
            write(cache, number, table.get(number)!);
          } else if (does === 'warm') write(cache, number, value, false);
        }
        for (let number = 0; number < numbers; number++)
          expect([undefined, table.get(number) ?? 0]).toContain(valueIn(cache, number));
      }),
      { numRuns: 60, seed: 20_260_101 },
    );
  });

  test('a read that saw the table before a write does not fill what the write left', () => {
    const { cache } = fullCache();
    let tried = 0;
    for (let number = 5_000; number < 8_000; number++) {
      const before = new CacheMiss();
      if (valueIn(cache, number, before) !== undefined) continue;
      write(cache, number, 7);
      cache.fill(before, payloadOf(6), 0);
      expect(valueIn(cache, number)).toBe(7);
      tried++;
    }
    expect(tried).toBeGreaterThan(1_000);
  });
});

describe('absent stations', () => {
  test('take free slots only, and give way to present ones', () => {
    const { cache, present } = fullCache();
    for (let number = 20_000; number < 22_000; number++) {
      const miss = new CacheMiss();
      expect(valueIn(cache, number, miss)).toBeUndefined();
      cache.fill(miss, payloadOf(0), 0);
      write(cache, number, 0);
    }
    expect(cache.count()).toEqual({ present, absent: 0 });

    const young = cacheOf(0);
    for (let number = 20_000; number < 22_000; number++) write(young, number, 0);
    expect(young.count().absent).toBeGreaterThan(0.9 * SMALLEST);
    for (let number = 1; number < 10 * SMALLEST; number++) write(young, number, number, false);
    expect(young.count()).toEqual({ present: SMALLEST, absent: 0 });
  });

  test('are what deleted ones become, and no others are lost by that', () => {
    const { cache, present } = fullCache();
    const held = Array.from({ length: 10 * SMALLEST }, (_, i) => i).filter(
      number => valueIn(cache, number) !== undefined,
    );
    for (const number of held.slice(0, 100)) write(cache, number, 0);
    expect(cache.count().present).toBe(present - 100);
    expect(held.slice(100).map(number => valueIn(cache, number))).toEqual(held.slice(100));
    const deleted = held.slice(0, 100).map(number => valueIn(cache, number));
    expect(deleted.filter(value => value === 0).length).toBeGreaterThan(60); // one may replace another
    expect(deleted.every(value => value === 0 || value === undefined)).toBe(true);
  });
});

describe('the room', () => {
  test('of 33 bytes a station holds at least 99.8 % of 200,000', () => {
    const stations = 200_000;
    const cache = cacheOf((stations * 33) / 1_048_576);
    const key = new Int32Array(MAC_WORDS);
    const random = uniform(1);
    const keys = Int32Array.from({ length: stations * MAC_WORDS }, () => random() * 2 ** 32);
    for (let i = 0; i < stations; i++) {
      key.set(keys.subarray(i * MAC_WORDS, (i + 1) * MAC_WORDS));
      cache.write(key, 0, MAC_WORDS, payloadOf(i + 1), 0, false);
    }
    let found = 0;
    const miss = new CacheMiss();
    for (let i = 0; i < stations; i++) {
      if (cache.find(keys, i * MAC_WORDS, MAC_WORDS, out, 0, miss) === CACHE_HIT && out[0] === i + 1) found++;
    }
    expect(found).toBe(cache.count().present);
    expect(found / stations).toBeGreaterThanOrEqual(0.998);
  });

  test('is made for a station that is written by letting another go', () => {
    const { cache, present } = fullCache();
    for (let number = 30_000; number < 31_000; number++) {
      write(cache, number, number);
      expect(valueIn(cache, number)).toBe(number);
    }
    expect(cache.count().present).toBe(present);
  });

  test('that a dead thread holds is given up, and the rest serves on', () => {
    const memory = createCacheMemory(0);
    const cache = new StationCache(memory);
    cache.startGeneration(1);
    const words = new Int32Array(memory.buffer);
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    for (const number of numbers) write(cache, number, number);
    // The thread has locked the bucket of station 7 and begun to store into it.
    const miss = new CacheMiss();
    const other = new StationCache(memory);
    expect(valueIn(other, 100_007, miss)).toBeUndefined();
    const version = words[miss.firstBucket];
    words[miss.firstBucket] = version | 1;
    for (let at = miss.firstBucket + 1; at < miss.firstBucket + 32; at++) words[at] = 12_345;

    for (const number of numbers) write(cache, number, number + 1);
    for (let number = 1_000; number < 4_000; number++) write(cache, number, number);
    // Should it not be dead but asleep, it ends what it has begun.
    Atomics.compareExchange(words, miss.firstBucket, version | 1, version + 2);
    for (const number of numbers) expect([undefined, number + 1]).toContain(valueIn(cache, number));
    cache.fill(miss, payloadOf(1), 0);
    expect(cache.count().present).toBe(SMALLEST - 5);
  });
});

describe('a new generation', () => {
  test('makes every entry unknown, at once and for reads under way', () => {
    // Few enough for every seed: of 200, one in 400 caches lets one go.
    const cache = cacheOf(0);
    for (let number = 0; number < 100; number++) write(cache, number, number + 1);
    const miss = new CacheMiss();
    expect(valueIn(cache, 500, miss)).toBeUndefined();
    cache.startGeneration(2);
    cache.fill(miss, payloadOf(9), 0);
    expect(cache.count()).toEqual({ present: 0, absent: 0 });
    for (let number = 0; number < 501; number++) expect(valueIn(cache, number)).toBeUndefined();
    for (let number = 0; number < 100; number++) write(cache, number, number + 5);
    for (let number = 0; number < 100; number++) expect(valueIn(cache, number)).toBe(number + 5);
    expect(cache.generation).toBe(2);
  });
});

test('keys of different lengths and of neighbouring numbers never answer for each other', () => {
  const cache = cacheOf(1);
  for (let number = 0; number < 6_000; number += 2) write(cache, number, number + 1);
  for (let number = 0; number < 6_000; number++) {
    expect(valueIn(cache, number)).toBe(number % 2 === 0 ? number + 1 : undefined);
  }
  const short = Int32Array.of(0, 6, 0);
  expect(cache.find(short, 0, 2, out, 0, new CacheMiss())).toBe(CACHE_HIT);
  expect(cache.find(short, 0, 3, out, 0, new CacheMiss())).toBe(CACHE_MISS);
});

test('memory that holds no cache is refused', () => {
  expect(() => new StationCache({ buffer: new SharedArrayBuffer(4_096) })).toThrow('holds no station cache');
});
