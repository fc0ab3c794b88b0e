import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { paddedKeyBytes } from '../../../src/radio/station_key.ts';
import { CACHE_HIT, CacheMiss, createCacheMemory, StationCache } from '../../../src/tables/stations/cache.ts';
import {
  describeGeneration,
  generationPath,
  publishGeneration,
  startGeneration,
} from '../../../src/tables/stations/generation.ts';
import { loadStations } from '../../../src/tables/stations/load.ts';
import { StationReader } from '../../../src/tables/stations/reader.ts';
import { STATE_ACTIVE, type Station, stationAt } from '../../../src/tables/stations/station.ts';
import { StationWriter } from '../../../src/tables/stations/writer.ts';
import { PAYLOAD_WORDS } from '../../../wasm/station_cache_constants.ts';
import { queryOfKeys } from '../../kits/radio/query_of_keys.ts';
import { cellHex, sortedRecords, wifiHex } from '../../kits/radio/sorted_records.ts';
import { uniform } from '../../kits/random.ts';
import { temporaryFolder } from '../../kits/temporary_folder.ts';
import { recordOf, revisionOf, stationKey, writeObservation } from './revised_stations.ts';

interface Stage {
  folder: string;
  cache: StationCache;
  writer: StationWriter;
  reader: StationReader;
}

async function stageIn(folder: string, cacheMegabytes = 0): Promise<Stage> {
  const memory = createCacheMemory(cacheMegabytes);
  const cache = new StationCache(memory);
  const writer = await StationWriter.open(folder, cache);
  const reader = new StationReader(folder, new StationCache(memory));
  onTestFinished(async () => {
    await reader.close();
    await writer.close();
  });
  return { folder, cache, writer, reader };
}

/** Revision of a station as a reader sees it, 0 when it is absent. */
function revisionSeen({ reader }: Stage, station: number): number {
  reader.lookUp(queryOfKeys(1, (bytes, at) => writeObservation(bytes, at, station)));
  reader.release();
  return reader.isKnown(0) ? revisionOf(reader, 0) : 0;
}

const change = (station: number, revision: number) => ({
  key: stationKey(station),
  record: recordOf(station, revision),
});

/** Revisions that are none of them a deletion, for station 1. */
const [FIRST, SECOND] = [1, 2];

/** Latitude of a station of the imports, undefined when it is unknown. */
function latitudeSeen(reader: StationReader, key: string): number | undefined {
  reader.lookUp(queryOfKeys(1, (bytes, at) => bytes.set(Buffer.from(key, 'hex'), at)));
  reader.release();
  return reader.isKnown(0) ? reader.latitude(0) : undefined;
}

const noProgress = () => {};

describe('a change', () => {
  test('is seen when it is acknowledged, whatever was known before', async () => {
    const stage = await stageIn(temporaryFolder());
    expect(revisionSeen(stage, 1)).toBe(0);
    await stage.writer.apply([change(1, FIRST)]);
    expect(revisionSeen(stage, 1)).toBe(FIRST);
    await stage.writer.apply([change(1, SECOND)]);
    expect(revisionSeen(stage, 1)).toBe(SECOND);
    await stage.writer.apply([{ key: stationKey(1), record: undefined }]);
    expect(revisionSeen(stage, 1)).toBe(0);
    expect(stage.writer.count()).toBe(0);
  });

  test('that cannot be stored leaves those before it in its batch unwritten', async () => {
    const stage = await stageIn(temporaryFolder());
    const broken = [Buffer.alloc(23), Buffer.alloc(24, 0xf1)];
    for (const record of broken) {
      await expect(stage.writer.apply([change(1, FIRST), { key: stationKey(2), record }])).rejects.toThrow(
        'A station record',
      );
    }
    expect(revisionSeen(stage, 1)).toBe(0);
    expect(stage.writer.count()).toBe(0);
  });

  test('that meets an import is in the new tables', async () => {
    const stage = await stageIn(temporaryFolder());
    const { n, generation } = startGeneration(stage.folder);
    generation.root.transactionSync(() => describeGeneration(generation, 0));
    await generation.root.close();
    publishGeneration(stage.folder, n);
    await Promise.all([stage.writer.apply([change(1, FIRST)]), stage.writer.adopt(n, undefined)]);
    expect([stage.writer.live, stage.writer.count(), revisionSeen(stage, 1)]).toEqual([n, 1, FIRST]);
  });
});

describe('an import', () => {
  test.each([
    ['access points', 8, (i: number) => wifiHex(0x88f7c7000000 + i)],
    ['cells', 12, (i: number) => cellHex(5, 0x41805, i, 3)],
  ])('of a few %s into a large table is seen as a whole when it is adopted', async (_, keyBytes, keyAt) => {
    const folder = temporaryFolder();
    const before = new Map(Array.from({ length: 4_000 }, (_, i) => [keyAt(i * 2), stationAt(1, 2, 3, 4)]));
    await loadStations(folder, sortedRecords(keyBytes, before), noProgress);
    const { writer, reader } = await stageIn(folder);
    const changed: [string, Station][] = Array.from({ length: 18 }, (_, i) => [keyAt(i * 3), stationAt(5, 2, 3, 4)]);
    for (const [key] of changed) expect(latitudeSeen(reader, key)).toBe(before.get(key)?.latitude);
    const load = await loadStations(folder, sortedRecords(keyBytes, new Map(changed)), noProgress);
    expect([load.generation, load.changedKeys!.length]).toEqual([
      writer.live,
      18 * paddedKeyBytes(changed[0][0].startsWith('01') ? 1 : 5),
    ]);
    await writer.adopt(load.generation, load.changedKeys);
    for (const [key] of changed) expect(latitudeSeen(reader, key)).toBe(5);
    expect(latitudeSeen(reader, keyAt(2))).toBe(1);
  });

  test('into new tables is seen when it is adopted', async () => {
    const folder = temporaryFolder();
    const { writer, reader } = await stageIn(folder);
    const stations = new Map([[wifiHex(1), stationAt(1, 2, 3, 4)]]);
    expect(latitudeSeen(reader, wifiHex(1))).toBeUndefined();
    const load = await loadStations(folder, sortedRecords(8, stations), noProgress);
    expect(latitudeSeen(reader, wifiHex(1))).toBeUndefined();
    await writer.adopt(load.generation, load.changedKeys);
    expect(latitudeSeen(reader, wifiHex(1))).toBe(1);
  });
});

describe('warming', () => {
  const keys = Array.from({ length: 12_000 }, (_, i) =>
    i % 2 === 0 ? wifiHex(0x88f7c7000000 + i) : cellHex(5, 0x41805, i, 3),
  );

  /** Stations that the cache answers for, without the table. */
  function held(cache: StationCache): string[] {
    const out = new Int32Array(PAYLOAD_WORDS);
    const miss = new CacheMiss();
    return keys.filter(key => {
      const bytes = new Uint8Array(24);
      bytes.set(Buffer.from(key, 'hex'));
      const hit =
        cache.find(new Int32Array(bytes.buffer), 0, paddedKeyBytes(bytes[0]) >> 2, out, 0, miss) === CACHE_HIT;
      return hit && (out[3] & 15) === STATE_ACTIVE;
    });
  }

  async function loaded(cacheMegabytes: number): Promise<Stage> {
    const folder = temporaryFolder();
    for (const [kind, keyBytes] of [
      ['01', 8],
      ['05', 12],
    ] as const) {
      const stations = new Map(keys.filter(key => key.startsWith(kind)).map(key => [key, stationAt(1, 2, 3, 4)]));
      await loadStations(folder, sortedRecords(keyBytes, stations), noProgress);
    }
    return stageIn(folder, cacheMegabytes);
  }

  test('puts every station into a cache that is large enough', async () => {
    const { cache, writer } = await loaded(1);
    expect(held(cache)).toEqual([]);
    await writer.warm();
    expect(held(cache)).toEqual(keys);
  });

  test('fills a cache that is too small, and takes nothing out of it', async () => {
    const { cache, writer, reader } = await loaded(0);
    latitudeSeen(reader, keys[keys.length - 1]);
    await writer.warm();
    expect(cache.count().present).toBeGreaterThan(0.95 * cache.capacity);
    expect(held(cache)).toContain(keys[keys.length - 1]);
  });

  test('again ends an earlier one, and so does closing', async () => {
    const { cache, writer } = await loaded(1);
    const first = writer.warm();
    await writer.warm();
    await first;
    expect(held(cache)).toEqual(keys);
    await Promise.all([writer.warm(), writer.close()]);
  });
});

describe('the file, while a reader looks up and lets go before each commit', () => {
  const station = (i: number) => ({
    key: Buffer.from(wifiHex(0x88f7c7000000 + i), 'hex').subarray(0, 7),
    record: recordOf(3, (i % 1_000) * 4 + 2)!,
  });

  async function grows(stations: number, updates: number, together: number): Promise<number> {
    const folder = temporaryFolder();
    const all = new Map(
      Array.from({ length: stations }, (_, i) => [wifiHex(0x88f7c7000000 + i), stationAt(1, 2, 3, 4)]),
    );
    await loadStations(folder, sortedRecords(8, all, 10_000), noProgress);
    all.clear();
    const { writer, reader } = await stageIn(folder);
    const path = join(generationPath(folder, writer.live), 'data.mdb');
    const before = statSync(path).size;
    expect(before / stations).toBeLessThan(48);
    const random = uniform(5);
    for (let done = 0; done < updates; done += together) {
      latitudeSeen(reader, wifiHex(0x88f7c7000000 + Math.floor(random() * stations)));
      await writer.apply(Array.from({ length: together }, () => station(Math.floor(random() * stations))));
    }
    expect(writer.count()).toBe(stations);
    return statSync(path).size / before;
  }

  // As many updates again leave it as it is: pages are free two commits after they were replaced.
  test('is at most twice as large after as many random updates as it has stations', async () => {
    expect(await grows(200_000, 200_000, 200)).toBeLessThanOrEqual(2);
  });
});

test('what is learned is committed while the thread does other work', async () => {
  const { writer } = await stageIn(temporaryFolder());
  const learned = writer.learn({ learned: [], tracks: new Map(), progress: 7 });
  expect(writer.knowledge.progress).toBe(0);
  await learned;
  expect(writer.knowledge.progress).toBe(7);
});
