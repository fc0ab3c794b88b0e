import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CacheLane } from '../../src/core/cache_lane.ts';
import { CACHE_HIT, CacheMiss, createCacheMemory, StationCache } from '../../src/tables/stations/cache.ts';
import {
  LANE_KEYS,
  LANES,
  PAYLOAD_WORDS,
  RECORD_KEY_WORDS,
  RECORD_PAYLOAD,
  RECORD_WORDS,
} from '../../wasm/station_cache_constants.ts';

/**
 * Words of a key; of 2, 3 or 6 words, as stations have them. Numbers that differ by a multiple of 3 differ in one word.
 */
function keyOf(number: number): Int32Array {
  return Int32Array.from({ length: [2, 3, 6][number % 3] }, (_, word) => (word === 1 ? number * 2_654_435_761 : word));
}

function payloadOf(value: number): Int32Array {
  return Int32Array.of(value, value * 3, ~value, (value << 4) | 1);
}

interface Found {
  payload: Int32Array | undefined;
  miss: CacheMiss | undefined;
}

/** What the lane answers for keys, all at once. */
function findTogether(cache: StationCache, lane: CacheLane, numbers: readonly number[]): Found[] {
  const { records } = lane;
  numbers.forEach((number, k) => {
    const key = keyOf(number);
    records.set(key, k * RECORD_WORDS);
    records[k * RECORD_WORDS + RECORD_KEY_WORDS] = key.length;
  });
  const missed = lane.find(numbers.length);
  const found = numbers.map((_, k) => {
    const at = k * RECORD_WORDS;
    const payload = records.slice(at + RECORD_PAYLOAD, at + RECORD_PAYLOAD + PAYLOAD_WORDS);
    if (payload[3] !== 0) return { payload, miss: undefined };
    const miss = new CacheMiss();
    cache.readMiss(records, at, miss);
    return { payload: undefined, miss };
  });
  expect(found.filter(({ miss }) => miss !== undefined)).toHaveLength(missed);
  return found;
}

/** The same one after the other, by the cache itself. */
function findInTurn(cache: StationCache, numbers: readonly number[]): Found[] {
  return numbers.map(number => {
    const payload = new Int32Array(PAYLOAD_WORDS);
    const miss = new CacheMiss();
    const key = keyOf(number);
    return cache.find(key, 0, key.length, payload, 0, miss) === CACHE_HIT
      ? { payload, miss: undefined }
      : { payload: undefined, miss };
  });
}

function cacheWithLane(megabytes: number): { cache: StationCache; lane: CacheLane; words: Int32Array } {
  const memory = createCacheMemory(megabytes);
  const cache = new StationCache(memory);
  cache.startGeneration(1);
  return { cache, lane: cache.openLane()!, words: new Int32Array(memory.buffer) };
}

describe('a lane', () => {
  test('finds what the cache finds, and knows the same of what it misses', () => {
    const { cache, lane } = cacheWithLane(1);
    let generation = 1;
    const number = fc.integer({ min: 0, max: 9_000 });
    const writes = fc.array(fc.tuple(number, fc.integer({ min: 1, max: 1_000_000 })), { maxLength: 300 });
    const asked = fc.array(number, { maxLength: LANE_KEYS });
    fc.assert(
      fc.property(writes, asked, fc.integer({ min: 0, max: 19 }), (written, numbers, change) => {
        if (change === 0) cache.startGeneration(++generation);
        for (const [of, value] of written) cache.write(keyOf(of), 0, keyOf(of).length, payloadOf(value), 0, true);
        const all = [...numbers, ...written.map(([of]) => of)].slice(0, LANE_KEYS);
        expect(findTogether(cache, lane, all)).toEqual(findInTurn(cache, all));
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  test('finds what stands in the second bucket of its key, and misses in a full cache', () => {
    const { cache, lane } = cacheWithLane(0);
    const numbers = Array.from({ length: 2_000 }, (_, i) => i);
    for (const number of numbers) cache.write(keyOf(number), 0, keyOf(number).length, payloadOf(number + 1), 0, false);
    let found = 0;
    for (let from = 0; from < numbers.length; from += LANE_KEYS) {
      const together = findTogether(cache, lane, numbers.slice(from, from + LANE_KEYS));
      expect(together).toEqual(findInTurn(cache, numbers.slice(from, from + LANE_KEYS)));
      found += together.filter(({ payload }) => payload !== undefined).length;
    }
    expect(found).toBe(cache.count().present);
    expect(found).toBeLessThan(numbers.length);
  });

  test('does not answer from a bucket that a thread is changing, and lets nobody fill it', () => {
    const { cache, lane, words } = cacheWithLane(0);
    const [{ miss: free }] = findTogether(cache, lane, [7]);
    cache.write(keyOf(7), 0, keyOf(7).length, payloadOf(5), 0, false);
    expect(findTogether(cache, lane, [7])[0].payload).toEqual(payloadOf(5));
    words[free!.firstBucket] |= 1;
    const [{ payload, miss }] = findTogether(cache, lane, [7]);
    expect(payload).toBeUndefined();
    expect(miss).toEqual(findInTurn(cache, [7])[0].miss);
    expect(miss!.firstVersion & 1).toBe(1);
  });
});

describe('lanes', () => {
  test('are as many as the memory has, and can be given back', () => {
    const { cache, lane } = cacheWithLane(0);
    const others = Array.from({ length: LANES - 1 }, () => cache.openLane());
    expect(others).not.toContain(undefined);
    expect(new Set(others.map(other => other!.records.byteOffset)).size).toBe(LANES - 1);
    expect(cache.openLane()).toBeUndefined();
    lane.close();
    expect(cache.openLane()!.records.byteOffset).toBe(lane.records.byteOffset);
    expect(cache.openLane()).toBeUndefined();
  });

  test('do not overlap the buckets', () => {
    const { cache, lane, words } = cacheWithLane(0);
    lane.records.fill(-1);
    expect(cache.count()).toEqual({ present: 0, absent: 0 });
    expect(lane.records.byteOffset + LANES * LANE_KEYS * RECORD_WORDS * 4).toBeLessThanOrEqual(words.byteLength);
  });

  test('need a memory of WebAssembly', () => {
    const { buffer } = createCacheMemory(0);
    expect(new StationCache({ buffer }).openLane()).toBeUndefined();
  });
});
