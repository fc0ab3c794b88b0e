// What does a lookup cost? The stations of whole requests are looked up through the reader of the strategies: in the
// cache with repeated requests (hot), in the cache with stations from the whole table (cold: each is a memory access),
// and in LMDB behind an empty cache.

import type { CacheMemory } from '../../src/core/cache_memory.ts';
import { KIND_WIFI } from '../../src/radio/kind.ts';
import { AGE_ABSENT, SIGNAL_ABSENT } from '../../src/radio/query/layout.ts';
import { QueryMemory } from '../../src/radio/query/memory.ts';
import { QueryReader } from '../../src/radio/query/reader.ts';
import { QueryWriter, queryBytes } from '../../src/radio/query/writer.ts';
import { createCacheMemory, StationCache } from '../../src/tables/stations/cache.ts';
import { currentGeneration } from '../../src/tables/stations/generation.ts';
import { packStation } from '../../src/tables/stations/packed_station.ts';
import { StationReader } from '../../src/tables/stations/reader.ts';
import { STATION_BYTES } from '../../src/tables/stations/record_layout.ts';
import { uniform } from '../../test/kits/random.ts';
import { PAYLOAD_WORDS } from '../../wasm/station_cache_constants.ts';
import type { WorldData } from '../data_folders.ts';
import { ENTRY_BYTES, KEY_BYTES, macOf, SECTORS, stationBatches, type World } from '../world.ts';
import type { MicroGroup } from './harness.ts';

/** Access points looked up together, as for one request. */
const TOGETHER = 16;
const QUERY_BYTES = queryBytes(TOGETHER);
const HOT_REQUESTS = 32;
const COLD_REQUESTS = 40_000;
const REQUESTS_A_CALL = 250;
/** Each station of a table that memory does not hold may cost a read of the disk. */
const LMDB_REQUESTS_A_CALL = 25;
const CACHE_LIMIT_NANOSECONDS = 500;
const LMDB_LIMIT_NANOSECONDS = 2000;

/** The warm cache of `serve`, with the design's 33 bytes for each station. */
export function warmCacheMemory(world: World, data: WorldData): CacheMemory {
  const stations = world.accessPoints + world.sites * SECTORS;
  const memory = createCacheMemory(Math.ceil((stations * 33) / 2 ** 20));
  const cache = new StationCache(memory);
  cache.startGeneration(currentGeneration(data.folder)!);
  const payload = new Int32Array(PAYLOAD_WORDS);
  for (const { bytes, count } of stationBatches(world)) {
    const words = new Int32Array(bytes.buffer);
    for (let at = 0; at < count * ENTRY_BYTES; at += ENTRY_BYTES) {
      packStation(bytes, at, new DataView(bytes.buffer, at + KEY_BYTES, STATION_BYTES), payload, 0);
      cache.write(words, at >> 2, bytes[at] === KIND_WIFI ? 2 : 3, payload, 0, false);
    }
  }
  return memory;
}

/** Lookups in a world whose tables and cache are ready. */
export function lookupGroup(world: World, data: WorldData, cacheMemory: CacheMemory): MicroGroup {
  const random = uniform(world.seed);
  const cold = queries(world, COLD_REQUESTS, random);
  const hot = queries(world, HOT_REQUESTS, random);
  const cached = new StationReader(data.folder, new StationCache(cacheMemory));
  const empty = new StationCache(createCacheMemory(0));
  empty.startGeneration(currentGeneration(data.folder)!);
  const uncached = new StationReader(data.folder, empty);
  return {
    title: `Lookup of one of ${world.accessPoints} known access points, ${TOGETHER} together`,
    cases: [
      { name: 'cache, hot', ...lookUps(cached, hot, HOT_REQUESTS), limitNanoseconds: CACHE_LIMIT_NANOSECONDS },
      { name: 'cache, cold', ...lookUps(cached, cold, COLD_REQUESTS), limitNanoseconds: CACHE_LIMIT_NANOSECONDS },
      {
        name: 'LMDB',
        ...lookUps(uncached, cold, COLD_REQUESTS, LMDB_REQUESTS_A_CALL),
        limitNanoseconds: LMDB_LIMIT_NANOSECONDS,
      },
    ],
  };
}

/** Queries, one after the other. */
function queries(world: World, requests: number, random: () => number): QueryMemory {
  const memory = new QueryMemory(new ArrayBuffer(requests * QUERY_BYTES));
  const writer = new QueryWriter(memory);
  for (let offset = 0; offset < memory.buffer.byteLength; offset = writer.end()) {
    writer.begin(offset);
    for (let i = 0; i < TOGETHER; i++)
      writer.addWifi(macOf(world, Math.floor(random() * world.accessPoints)), SIGNAL_ABSENT, 0, AGE_ABSENT, 0);
  }
  return memory;
}

/** Looks up the requests in turn, some in each call. Every station must be found. */
function lookUps(
  reader: StationReader,
  memory: QueryMemory,
  requests: number,
  requestsACall = REQUESTS_A_CALL,
): { operations: number; run(): number } {
  const query = new QueryReader(memory, 0);
  let next = 0;
  const run = () => {
    let known = 0;
    for (let i = 0; i < requestsACall; i++) {
      query.open(memory, next * QUERY_BYTES);
      reader.lookUp(query);
      for (let station = 0; station < TOGETHER; station++) if (reader.isKnown(station)) known++;
      next = (next + 1) % requests;
    }
    reader.release();
    if (known !== requestsACall * TOGETHER)
      throw new Error(`${requestsACall * TOGETHER - known} known stations were not found.`);
    return known;
  };
  return { operations: requestsACall * TOGETHER, run };
}
